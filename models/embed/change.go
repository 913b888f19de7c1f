package embed

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"unicode/utf8"

	"lectern/models/look"
	"lectern/models/store"
)

// mostEmbeds is how many embeds an event may have, mostValues how many values a filter.
const mostEmbeds, mostValues = 200, 200

// Change is a partial change of an embed. Nil leaves a field alone.
type Change struct {
	Name                                           *string
	Kind                                           *Kind
	Filters                                        Filters // replaces all filters
	Language                                       *string
	Accent                                         *string
	Ground                                         *Ground
	ShowsDescriptions, ShowsCompanies, ShowsPhotos *bool
	IsOn                                           *bool
	UpdatedAt                                      *store.Time // the value last read; nil forces the write
}

var languageTag = regexp.MustCompile(`^([a-z]{2,3}(-[A-Za-z0-9]{2,8})?)?$`)

func (c *Change) clean(values map[string][]string) error {
	var f store.Faults
	if c.Name != nil {
		name, err := store.CleanName("name", store.OneLine(*c.Name), store.MaxName)
		f.Add(err)
		c.Name = &name
	}
	if c.Kind != nil && !slices.Contains(Kinds, *c.Kind) {
		f.Add(store.Invalidf("kind", "must be one of those in the list"))
	}
	if c.Language != nil && !languageTag.MatchString(*c.Language) {
		f.Add(store.Invalidf("language", "must be one of those in the list"))
	}
	if c.Accent != nil {
		accent, isColour := look.Colour(*c.Accent)
		if c.Accent = &accent; !isColour {
			f.Add(store.Invalidf("accent", "must be a colour such as #1F4E5F"))
		}
	}
	if c.Ground != nil && !slices.Contains(Grounds, *c.Ground) {
		f.Add(store.Invalidf("ground", "must be one of those in the list"))
	}
	clean := Filters{}
	for _, n := range Narrowing {
		chosen := slices.Compact(slices.Sorted(slices.Values(c.Filters[n.Name])))
		if len(chosen) > mostValues || slices.ContainsFunc(chosen, func(id string) bool {
			return !slices.Contains(values[n.Name], id)
		}) {
			f.Add(store.Invalidf(n.Name, "has a value that is not of this event"))
		} else if len(chosen) > 0 {
			clean[n.Name] = chosen
		}
	}
	if c.Filters != nil {
		c.Filters = clean
	}
	return f.Err()
}

// values returns the ids that each filter may have.
func (e *Embeds) values(ctx context.Context) (map[string][]string, error) {
	values := map[string][]string{}
	for _, n := range Narrowing {
		rows, err := e.p.Family(ctx, n.Family)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			values[n.Name] = append(values[n.Name], row.ID)
		}
	}
	return values, nil
}

func (c *Change) apply(e *Embed) {
	store.Put(&e.Name, c.Name)
	store.Put(&e.Kind, c.Kind)
	store.Put(&e.Language, c.Language)
	store.Put(&e.Accent, c.Accent)
	store.Put(&e.Ground, c.Ground)
	store.Put(&e.ShowsDescriptions, c.ShowsDescriptions)
	store.Put(&e.ShowsCompanies, c.ShowsCompanies)
	store.Put(&e.ShowsPhotos, c.ShowsPhotos)
	store.Put(&e.IsOn, c.IsOn)
	if c.Filters != nil {
		e.Filters = maps.Clone(c.Filters)
	}
}

// facts returns the fields that can change, for the activity.
func (e *Embed) facts() map[string]any {
	facts := map[string]any{"name": e.Name, "kind": string(e.Kind), "language": e.Language, "is_on": e.IsOn,
		"accent": e.Accent, "ground": string(e.Ground),
		"shows_descriptions": e.ShowsDescriptions, "shows_companies": e.ShowsCompanies, "shows_photos": e.ShowsPhotos}
	for _, n := range Narrowing {
		facts["filter_"+n.Name] = fmt.Sprint(e.Filters[n.Name])
	}
	return facts
}

var (
	errStale = store.Outdated("Someone else changed this embed since you read it. Read it again, then repeat your change.")
	errMany  = store.Invalidf("name", "is one too many: an event has up to %d embeds", mostEmbeds)
)

// Create adds an embed, which is on. It answers Invalid for a field that breaks its rule, such as a filter by metadata
// of another event.
func (e *Embeds) Create(ctx context.Context, c Change) (*Embed, error) {
	c.Name, c.Kind = new(store.ValueOf(c.Name)), new(store.ValueOf(c.Kind))
	values, err := e.values(ctx)
	if err == nil {
		err = c.clean(values)
	}
	if err != nil {
		return nil, err
	}
	made := e.fresh()
	c.apply(made)
	return made, e.p.Write(ctx, func(tx *store.Tx) error {
		if _, err := e.p.HoldEvent(tx); err != nil {
			return err
		}
		var there int64
		if err := tx.Model(&Embed{}).Where("event_id = ?", made.EventID).Count(&there).Error; err != nil {
			return err
		}
		if there >= mostEmbeds {
			return errMany
		}
		made.CreatedAt, made.UpdatedAt = tx.Now, tx.Now
		if err := tx.Create(made).Error; err != nil {
			return err
		}
		return e.record(tx, made, "created", nil, made.facts())
	})
}

// fresh returns a new embed with the defaults.
func (e *Embeds) fresh() *Embed {
	return &Embed{ID: NewID(), EventID: e.p.Event().ID, Kind: Kinds[0], Filters: Filters{}, Ground: Auto, IsOn: true}
}

// Preview returns the embed that Create would make, without storing it. A field that breaks its rule keeps its default,
// so that there is something to look at while somebody types.
func (e *Embeds) Preview(ctx context.Context, c Change) (*Embed, error) {
	values, err := e.values(ctx)
	if err != nil {
		return nil, err
	}
	c.Name = new("Preview")
	if wrong := store.AsError(c.clean(values)); wrong != nil {
		for _, f := range wrong.Fields {
			c.forget(f.Field)
		}
	}
	shown := e.fresh()
	c.apply(shown)
	return shown, nil
}

// forget resets a field to "no change". Faulty filters need none: clean has removed them.
func (c *Change) forget(field string) {
	switch field {
	case "kind":
		c.Kind = nil
	case "language":
		c.Language = nil
	case "accent":
		c.Accent = nil
	case "ground":
		c.Ground = nil
	}
}

// Save applies a partial change. It answers NotFound for an embed of another event, Invalid for a field that breaks its
// rule, and Stale for an outdated token. An empty change writes nothing.
func (e *Embeds) Save(ctx context.Context, id string, c Change) error {
	values, err := e.values(ctx)
	if err == nil {
		err = c.clean(values)
	}
	if err != nil {
		return err
	}
	return e.p.Write(ctx, func(tx *store.Tx) error {
		found, err := store.One[Embed](tx.Lock().Where("event_id = ? AND id = ?", e.p.Event().ID, id), errNoEmbed)
		if err != nil {
			return err
		}
		if c.UpdatedAt != nil && !c.UpdatedAt.Equal(found.UpdatedAt.Time) {
			return errStale
		}
		before := found.facts()
		c.apply(found)
		was, is := store.Changes(before, found.facts())
		if len(is) == 0 {
			return nil
		}
		found.UpdatedAt = tx.Now.Following(found.UpdatedAt)
		if err := tx.Omit("last_asked_at").Save(found).Error; err != nil {
			return err
		}
		return e.record(tx, found, "updated", was, is)
	})
}

// Delete deletes an embed: its address answers as if it never existed. It answers NotFound for an embed of another
// event, and Stale when the token (nil for none) is outdated.
func (e *Embeds) Delete(ctx context.Context, id string, token *store.Time) error {
	if !utf8.ValidString(id) {
		return errNoEmbed
	}
	return e.p.Write(ctx, func(tx *store.Tx) error {
		found, err := store.One[Embed](tx.Lock().Where("event_id = ? AND id = ?", e.p.Event().ID, id), errNoEmbed)
		if err != nil {
			return err
		}
		if token != nil && !token.Equal(found.UpdatedAt.Time) {
			return errStale
		}
		if err := tx.Delete(found).Error; err != nil {
			return err
		}
		return e.record(tx, found, "deleted", found.facts(), nil)
	})
}

// record adds a change of an embed to the activity, under the event's id: only readers of an embed may know its id.
func (e *Embeds) record(tx *store.Tx, of *Embed, action string, was, is map[string]any) error {
	facts := map[string]any{"name": of.Name}
	maps.Copy(facts, is)
	return e.p.Record(tx, store.Change{Subject: "embed", ID: e.p.Event().ID, Action: action, Before: was, After: facts})
}
