package models

import (
	"context"
	"slices"

	"lectern/models/store"
)

// LetterTemplate is the text that letters of a kind are written from. Version is its token, which its letters
// remember; an unchanged default has the ID "".
type LetterTemplate struct {
	ID        string
	EventID   string
	Kind      LetterKind
	Name      string // of a free one
	Subject   string
	Body      string
	Version   int
	ByName    string
	CreatedAt store.Time
	UpdatedAt store.Time
}

// defaults are the templates of decisions and their undoing until staff change them.
var defaults = []LetterTemplate{
	{Kind: LetterAccepted, Version: 2, Subject: "{{event}}: yes to “{{session_title}}”", Body: `Dear {{first_name}},

thank you for sending us “{{session_title}}” ({{session_id}}). We would be glad to have it at {{event}}.

You will hear from us again once there is a time and a room for it. Please tell us whether you can come. This link opens your place, where you find all that is yours:

{{place_link}}

The programme committee of {{event}}`},
	{Kind: LetterDeclined, Version: 2, Subject: "{{event}}: about “{{session_title}}”", Body: `Dear {{first_name}},

thank you for sending us “{{session_title}}” ({{session_id}}). We read it with care and could not find a place for it at {{event}} this time.

We had far more proposals than hours, and said no to many that we liked. We hope to see you at {{event}} all the same.

What you sent us stays in your place, which this link opens:

{{place_link}}

The programme committee of {{event}}`},
	{Kind: LetterUndone, Version: 1, Subject: "{{event}}: please set our last letter aside", Body: `Dear {{first_name}},

our last letter about “{{session_title}}” ({{session_id}}) went out by mistake. Please set it aside: we have not decided yet.

We are sorry for the confusion, and will write to you again as soon as there is a decision.

The programme committee of {{event}}`},
}

var errTemplateStale = store.Outdated(
	"Someone else changed this template since you read it. Read it again, then repeat your change.")

// LetterTemplates are those of the two decisions, then the free ones by name.
func (p *Programme) LetterTemplates(ctx context.Context) ([]*LetterTemplate, error) {
	var kept []*LetterTemplate
	if err := p.read(ctx).Where("event_id = ?", p.event.ID).Find(&kept).Error; err != nil {
		return nil, err
	}
	slices.SortFunc(kept, func(a, b *LetterTemplate) int { return store.CompareNames(a.Name, a.ID, b.Name, b.ID) })
	var all, free []*LetterTemplate
	for _, own := range defaults {
		all = append(all, &own)
	}
	for _, t := range kept {
		if at := slices.IndexFunc(all, func(d *LetterTemplate) bool { return d.Kind == t.Kind }); at >= 0 {
			all[at] = t
		} else {
			free = append(free, t)
		}
	}
	return append(all, free...), nil
}

// template reads the template of a decision; a batch reads each once.
func (p *Programme) template(tx *store.Tx, kind LetterKind) (*LetterTemplate, error) {
	if t := p.templates[kind]; t != nil {
		return t, nil
	}
	t, err := store.One[LetterTemplate](tx.Where("event_id = ? AND kind = ?", p.event.ID, kind), nil)
	if err != nil {
		return nil, err
	}
	if t == nil {
		at := slices.IndexFunc(defaults, func(d LetterTemplate) bool { return d.Kind == kind })
		t = new(defaults[at])
	}
	if p.templates != nil {
		p.templates[kind] = t
	}
	return t, nil
}

// SaveLetterTemplate keeps what letters of a decision are made from. Drafts stay as they are until they are made anew.
// version is the template's as it was read. It answers Invalid for a text that is empty, too long or has a placeholder
// that is broken or unknown, and Stale when somebody saved it meanwhile. What changes nothing is not kept.
func (p *Programme) SaveLetterTemplate(ctx context.Context, kind LetterKind, version int, subject, body string) error {
	if !slices.ContainsFunc(defaults, func(d LetterTemplate) bool { return d.Kind == kind }) {
		return store.NoSuch("template")
	}
	if err := CleanLetterOf(kind, &subject, &body); err != nil {
		return err
	}
	return p.write(ctx, func(tx *store.Tx) error {
		t, err := p.template(tx, kind)
		if err != nil {
			return err
		}
		return p.saveTemplate(tx, t, version, string(kind), LetterTemplate{Subject: subject, Body: body})
	})
}

// saveTemplate saves the text and, for a free one, the name. label is its name in the activity.
func (p *Programme) saveTemplate(tx *store.Tx, t *LetterTemplate, version int, word string, to LetterTemplate) (err error) {
	if t.Version != version {
		return errTemplateStale
	}
	if t.Subject == to.Subject && t.Body == to.Body && t.Name == to.Name {
		return nil
	}
	was := map[string]any{"subject": t.Subject}
	t.Name, t.Subject, t.Body, t.Version, t.ByName, t.UpdatedAt = to.Name, to.Subject, to.Body, version+1, p.by.ActorName, tx.Now
	if t.ID != "" {
		done := tx.Model(t).Where("version = ?", version).
			Select("name", "subject", "body", "version", "by_name", "updated_at").Updates(t)
		err = store.Changed(done, errTemplateStale)
	} else {
		t.ID, t.EventID, t.CreatedAt = store.NewID(), p.event.ID, tx.Now
		if err = tx.Create(t).Error; store.IsTaken(err) {
			err = errTemplateStale
		}
	}
	if err != nil {
		return err
	}
	return p.record(tx, store.Change{Subject: "letter_template", ID: t.ID, Action: "updated", Before: was,
		After: map[string]any{"name": word, "subject": to.Subject}})
}

// SaveFreeTemplate keeps a text for free letters under a name, and returns its id: a new one for the id "", whose
// version is 0. It answers NotFound, Invalid also for a name that is empty or too long, and Stale as
// SaveLetterTemplate does.
func (p *Programme) SaveFreeTemplate(ctx context.Context, id string, version int, name, subject, body string) (string, error) {
	var f store.Faults
	f.Clean(store.CleanName, "name", &name, store.MaxName)
	f.Add(CleanLetterOf(LetterFree, &subject, &body))
	if err := f.Err(); err != nil {
		return "", err
	}
	return store.Make(ctx, p.write, func(tx *store.Tx) (string, error) {
		t := &LetterTemplate{Kind: LetterFree}
		if id != "" {
			var err error
			if t, err = p.freeTemplate(tx, id); err != nil {
				return "", err
			}
		}
		err := p.saveTemplate(tx, t, version, name, LetterTemplate{Name: name, Subject: subject, Body: body})
		return t.ID, err
	})
}

// DeleteFreeTemplate deletes a saved text. Letters written from it stay. It answers NotFound.
func (p *Programme) DeleteFreeTemplate(ctx context.Context, id string) error {
	return p.write(ctx, func(tx *store.Tx) error {
		t, err := p.freeTemplate(tx, id)
		if err == nil {
			err = tx.Delete(t).Error
		}
		if err != nil {
			return err
		}
		return p.record(tx, store.Change{Subject: "letter_template", ID: t.ID, Action: "deleted",
			Before: map[string]any{"name": t.Name, "subject": t.Subject}})
	})
}

func (p *Programme) freeTemplate(tx *store.Tx, id string) (*LetterTemplate, error) {
	if !store.IsID(id) {
		return nil, store.NoSuch("template")
	}
	return store.One[LetterTemplate](tx.Lock().Where("event_id = ? AND kind = 'free' AND id = ?", p.event.ID, id),
		store.NoSuch("template"))
}

// LetterPreview is a template filled in for one person.
type LetterPreview struct {
	Name          string // of a person who has a letter of the kind; "" where the samples stand in
	Subject, Body string
	Values        map[string]string // of the placeholders
}

// PreviewLetter shows what a text would make, kept or not: for the first person who has a draft of the kind, or with
// the samples. It answers Invalid as SaveLetterTemplate does, with nothing to show.
func (p *Programme) PreviewLetter(ctx context.Context, kind LetterKind, subject, body string) (*LetterPreview, error) {
	err := CleanLetterOf(kind, &subject, &body)
	out := &LetterPreview{Subject: subject, Body: body, Values: map[string]string{}}
	draft := &Letter{}
	if err := p.read(ctx).Where("event_id = ? AND kind = ? AND state = 'draft' AND session_id IS NOT NULL", p.event.ID, kind).
		Order("created_at, id").Limit(1).Find(draft).Error; err != nil {
		return nil, err
	}
	var facts *letterFacts
	if draft.ID != "" {
		s, err := p.Session(ctx, *draft.SessionID)
		if err != nil {
			return nil, err
		}
		contact, err := p.Contact(ctx, draft.ContactID)
		if err != nil {
			return nil, err
		}
		facts, out.Name = &letterFacts{event: p.event, session: s, contact: contact}, contact.FullName
	}
	for _, x := range PlaceholdersOf(kind) {
		if out.Values[x.Name] = x.Sample; facts != nil {
			out.Values[x.Name] = x.value(facts)
		}
	}
	if err != nil {
		return out, err
	}
	out.Subject, out.Body = fillWith(subject, out.Values), fillWith(body, out.Values)
	return out, nil
}
