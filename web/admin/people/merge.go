package people

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/people"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/people"
	"lectern/views/records"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// comparePair shows two people side by side.
func comparePair(v *visit.Visit) error {
	v.Section = visit.ContactsPath
	c, err := people.In(v.Directory()).Compare(v.UserContext(),
		people.MergePair{SurvivorID: v.Params("contact"), RemovedID: v.Params("other")})
	if err != nil {
		return err
	}
	events, err := v.Events()
	if err != nil {
		return err
	}
	names, zones := map[string]string{}, map[string]*time.Location{}
	for _, e := range events {
		names[e.ID], zones[e.ID] = e.Name, e.Location()
	}
	p := pages.ComparePage{Base: pairsPath, List: pairsPath, Version: c.Version, Dismissed: c.IsDismissed,
		Survivor: compareSide(v, c.Survivor, c.SurvivorSeats), Removed: compareSide(v, c.Removed, c.RemovedSeats),
		Swap:   pairAddress(c.Removed.ID, c.Survivor.ID),
		Later:  pairsPath + "/next?stays=" + c.Survivor.ID + "&goes=" + c.Removed.ID,
		Action: pairAddress(c.Survivor.ID, c.Removed.ID)}
	if s := c.Looks(); s != nil {
		p.Why = strengths[s.Strength].words + ". " + why(s)
	}
	var same []pages.CompareRow
	for _, f := range c.Fields {
		row := pages.CompareRow{Name: f.Name, Label: f.Label, Event: names[f.EventID], Survivor: f.Survivor, Removed: f.Removed,
			IsHTML: f.IsHTML, Open: f.Open(), Taken: f.Taken}
		row.Survivor = sideWords(f, f.Survivor, c.Survivor, zones[f.EventID])
		row.Removed = sideWords(f, f.Removed, c.Removed, zones[f.EventID])
		switch {
		case !f.Differs() && f.Survivor != "":
			same = append(same, row)
		case f.Differs():
			if !row.Open {
				row.Note = "A blank never wins over a value."
			} else if f.Name == "email" {
				row.Note = "The other stays as an alias, so later imports still match."
			}
			p.Rows = append(p.Rows, row)
		}
	}
	p.Same = same
	p.Ways = mergeWays(v, c)
	p.Moves, p.Doubled = moving(c.Moves), doubledSeats(c.Moves)
	return visit.Show(v, http.StatusOK, "Are these the same person?", pages.Compare, p)
}

// sideWords returns one person's value of a field in words; times are in zone, and a photo of ours has its own address
// here.
func sideWords(f people.MergeField, value string, x *models.Person, zone *time.Location) string {
	_, name, _ := strings.Cut(f.Name, ".")
	switch file := x.Files[value]; {
	case f.Name == "photo_url":
		return cmp.Or(x.PhotoPath(), value)
	case file != nil:
		return file.Name + ", " + page.Size(file.Size)
	case name == "workflow_status":
		return components.StatusName(value)
	case name == "arrival" || name == "departure":
		return page.When(models.ContactFieldNamed(name).Moment(value), cmp.Or(zone, time.UTC))
	}
	return value
}

// mergeWays returns the addresses that open the place of either person, each with a note of what is known of it.
func mergeWays(v *visit.Visit, c *people.Comparison) (ways []pages.MergeWay) {
	isOpen := slices.ContainsFunc(c.Fields, func(f people.MergeField) bool { return f.Name == "email" && f.Open() })
	for _, w := range c.Ways {
		of := c.Survivor.FullName
		if w.OfRemoved {
			of = c.Removed.FullName
		}
		way := pages.MergeWay{Email: w.Email, Ends: w.IsClaimed, Kept: w.IsOwn && !isOpen}
		switch {
		case w.IsClaimed:
			way.Note = "Typed by whoever began a proposal as " + of + ", and never proven: what it opens ends."
		case way.Kept:
			way.Note = "The e-mail address that stays."
		case w.IsOwn:
			way.Note = "The address of " + of + ": comes in if you choose it above, else only when ticked."
		default:
			way.Note = "An address from before of " + of + "."
		}
		switch {
		case w.SeenAt != nil:
			way.Note += " Came in last on " + page.When(w.SeenAt, v.Zone()) + "."
		case w.HasPlace:
			way.Note += " Came in before."
		case !w.IsClaimed:
			way.Note += " Never came in."
		}
		ways = append(ways, way)
	}
	return ways
}

func compareSide(v *visit.Visit, x *models.Person, seats int) pages.CompareSide {
	return pages.CompareSide{ID: x.ID, Name: x.FullName, URL: visit.ContactsPath + "/" + x.ID,
		Since: "Since " + x.CreatedAt.In(v.Zone()).Format("2 January 2006") + ", " +
			visit.Counted(int64(seats), "session", "sessions")}
}

// moving returns what a merge moves, in the order in which it is told.
func moving(m people.MergeMoves) (out []pages.Moving) {
	for _, of := range []struct {
		count     int
		one, many string
	}{
		{m.Sessions, "session", "sessions"}, {m.Letters, "letter", "letters"}, {m.Notes, "note", "notes"}, {m.Tags, "tag", "tags"},
		{m.Events, "event", "events"}, {m.Values, "value of your own fields", "values of your own fields"},
		{m.Aliases, "alias", "aliases"}, {m.Cards, "sourcing card", "sourcing cards"},
		{map[bool]int{true: 1}[m.Photo], "photo", "photos"},
	} {
		if of.count == 1 {
			out = append(out, pages.Moving{Count: "1", What: of.one})
		} else if of.count > 1 {
			out = append(out, pages.Moving{Count: visit.Number(int64(of.count)), What: of.many})
		}
	}
	return out
}

func doubledSeats(m people.MergeMoves) (out []components.Linked) {
	for _, seat := range m.Doubled {
		out = append(out, components.Linked{Before: "Both are on ", Label: seat.FriendlyID, Name: seat.Title,
			URL:   "/admin/events/" + seat.EventID + "/sessions/" + seat.SessionID,
			After: ". One seat stays, as " + string(seat.Role) + "."})
	}
	return out
}

// mergePair merges two people with the choices of the form.
func mergePair(v *visit.Visit) error {
	pair := people.MergePair{SurvivorID: v.Params("contact"), RemovedID: v.Params("other"), Version: v.Value("version")}
	for _, field := range v.FormFields() {
		if name, is := strings.CutPrefix(field.Name, "f_"); is && field.Value == "goes" {
			pair.Take = append(pair.Take, name)
		}
		if field.Name == "keep" {
			pair.Keep = append(pair.Keep, field.Value)
		}
	}
	done, err := people.In(v.Directory()).Merge(v.UserContext(), []people.MergePair{pair})
	if err != nil {
		return err
	}
	if o := done[0]; o.Reason != "" {
		return v.SeeWarning(pairAddress(pair.SurvivorID, pair.RemovedID), "Nothing was merged. "+o.Reason)
	}
	return v.See(visit.ContactsPath+"/"+done[0].LastID, "“"+done[0].RemovedName+"” is merged into “"+done[0].Name+"”.")
}

// mergeWith searches for the other contact of the same person.
func mergeWith(v *visit.Visit) error {
	v.Section = visit.ContactsPath
	d := v.Directory()
	x, err := d.Person(v.UserContext(), v.Params("contact"))
	if err != nil {
		return err
	}
	text := visit.Searchable(strings.TrimSpace(v.Query("q")))
	p := pages.MergeWithPage{Action: visit.ContactsPath + "/" + x.ID + "/merge", Person: x.FullName,
		Back: visit.ContactsPath + "/" + x.ID,
		Text: text, Searched: text != ""}
	if text != "" {
		found, _, err := people.In(d).Search(v.UserContext(), people.Search{Filter: people.Filter{Text: text},
			NoValues: true,
			Page:     store.Page{Size: 20}})
		if err != nil {
			return err
		}
		for _, other := range found {
			if other.ID != x.ID && other.ErasedAt == nil {
				p.Found = append(p.Found, pages.PairPerson{Name: other.FullName,
					Byline: visit.JoinWords(", ", other.JobTitle, other.CompanyName),
					Email:  other.Email, URL: pairAddress(x.ID, other.ID)})
			}
		}
	}
	return visit.Show(v, http.StatusOK, "Merge "+x.FullName+" with…", pages.MergeWith, p)
}

// listMerges shows who was merged into a person, with all the values that they had.
func listMerges(v *visit.Visit) error {
	v.Section = visit.ContactsPath
	x, entries, err := people.In(v.Directory()).MergesInto(v.UserContext(), v.Params("contact"))
	if err != nil {
		return err
	}
	fields, err := v.Directory().Fields(v.UserContext())
	if err != nil {
		return err
	}
	events, err := v.Events()
	if err != nil {
		return err
	}
	w := mergeWords{}
	for _, f := range fields {
		w[f.Key] = f.Label
	}
	for _, e := range events {
		w[e.ID] = e.Name
	}
	p := pages.MergesPage{Person: x.FullName, Back: visit.ContactsPath + "/" + x.ID}
	for _, e := range entries {
		name, _ := e.After["merged_away"].(string)
		removed, _ := e.Before["removed"].(map[string]any)
		delete(e.Before, "removed")
		p.Merges = append(p.Merges, pages.MergedAway{Name: name,
			When:  page.When(&e.At, v.Zone()) + ", " + records.Doer(e.Actor, e.Door),
			Facts: w.lines("", removed), Before: w.lines("", e.Before)})
	}
	return visit.Show(v, http.StatusOK, "Merged into "+x.FullName, pages.Merges, p)
}

// mergeWords are the names of fields and events by their keys.
type mergeWords map[string]string

// lines returns all facts as lines; a nested fact's name is put behind the name above it.
func (w mergeWords) lines(above string, facts map[string]any) (out []components.Hidden) {
	for _, key := range slices.Sorted(maps.Keys(facts)) {
		name := w[key]
		if name == "" {
			name = components.StatusName(key)
		}
		if above != "" {
			name = above + ": " + name
		}
		switch fact := facts[key].(type) {
		case map[string]any:
			if file, is := fact["file"].(string); is {
				out = append(out, components.Hidden{Name: name, Value: file})
				continue
			}
			out = append(out, w.lines(name, fact)...)
		case []any:
			if len(fact) > 0 {
				out = append(out, components.Hidden{Name: name, Value: strings.Join(store.Map(fact, w.row), "\n")})
			}
		case nil:
		default:
			text := fmt.Sprint(fact)
			if at, err := store.ParseTime(text); err == nil {
				text = page.When(&at, time.UTC)
			}
			if text != "" {
				out = append(out, components.Hidden{Name: name, Value: text})
			}
		}
	}
	return out
}

// row words one entry of a list of facts: a session, or a text.
func (w mergeWords) row(of any) string {
	facts, is := of.(map[string]any)
	if !is {
		return fmt.Sprint(of)
	}
	event, _ := facts["event"].(string)
	var words []string
	for _, key := range []string{"label", "title", "role"} {
		if text, is := facts[key].(string); is {
			words = append(words, text)
		}
	}
	return visit.JoinWords(", ", append(words, w[event])...)
}
