package people

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/people"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/toolbar"
	"lectern/web/admin/visit"
)

// place adds to a bar what places ticked people on the board: from an event in its first stage, from the directory in a
// chosen stage of a chosen event that the user organizes.
func (r *roster) place(bar *toolbar.Bulk) error {
	verb := toolbar.BulkVerb{Do: "place", Name: "Place on the board", Icon: "kanban", Action: r.base + "/place"}
	if r.Event != nil {
		verb.Action = r.Visit.At("/sourcing/place")
		bar.Verbs = append(bar.Verbs, verb)
		return nil
	}
	events, err := mayWriteFor(r.Visit)
	if err != nil {
		return err
	}
	if len(events) == 0 {
		return nil
	}
	stages, err := people.In(r.directory).Stages(r.UserContext())
	bar.Menus = append(bar.Menus, toolbar.BulkMenu{Name: "Place…", Parts: []toolbar.BulkPart{{Verb: verb,
		Fields: []toolbar.FilterField{{Name: "event", Label: "Board of", Options: eventChoices(r.Visit, events)},
			{Name: "stage", Label: "Stage", Options: stageOptions(stages, "")}}}}})
	return err
}

// ticked returns the ids of the ticked people, or of all in the list, and their number; ids beyond MaxPlaced are left
// out.
func (r *roster) ticked() (ids []string, n int64, err error) {
	if r.Value("scope") != "all" {
		ids = r.Values("id")
		return ids[:min(len(ids), people.MaxPlaced)], int64(len(ids)), nil
	}
	found, all, err := people.In(r.directory).Search(r.UserContext(), people.Search{Filter: r.filter(),
		Order: r.order(), Page: store.Page{Number: 1, Size: people.MaxPlaced}, NoValues: true})
	return store.Map(found, func(x *models.Person) string { return x.ID }), all.TotalResults, err
}

// stageOptions returns the organization's stages as options; the first is the default.
func stageOptions(stages []*people.Stage, chosen string) []components.Option {
	if len(stages) > 0 && !slices.ContainsFunc(stages, func(s *people.Stage) bool { return s.ID == chosen }) {
		chosen = stages[0].ID
	}
	return visit.Choices(stages, func(s *people.Stage) (string, string) { return s.ID, s.Name }, chosen)
}

// placePeople places people on the board: ticked in a list, found by name, or from their page.
func placePeople(v *visit.Visit, r *roster) error {
	people, n, err := r.ticked()
	if err != nil {
		return err
	}
	back := v.At("/sourcing")
	switch from := v.Value("back"); {
	case from == "person" && len(people) == 1 && store.IsID(people[0]):
		back = v.At("/speakers/" + people[0])
	case strings.HasPrefix(from, "add?q="):
		back = v.At("/sourcing/add?") + url.Values{"q": {strings.TrimPrefix(from, "add?q=")}}.Encode()
	}
	return placeAt(v, v.Programme, people, n, back)
}

// placeAt places people on an event's board and says how many were; nobody if n, the number asked for, is too large.
func placeAt(v *visit.Visit, at *models.Programme, ids []string, n int64, back string) error {
	switch {
	case len(ids) == 0:
		return v.SeeWarning(back, "Nobody was ticked, so nobody was placed.")
	case n > people.MaxPlaced:
		return v.SeeWarning(back, visit.Number(n)+" people are too many to place at once, so nobody was placed. Up to "+
			visit.Number(people.MaxPlaced)+" are possible: filter the list, or tick some.")
	}
	placed, err := people.Of(at).AddCards(v.UserContext(), ids, v.Value("stage"))
	if err != nil {
		return err
	}
	stages, err := people.In(at.Directory()).Stages(v.UserContext())
	if err != nil {
		return err
	}
	name := ""
	for i, s := range stages {
		if s.ID == v.Value("stage") || i == 0 && v.Value("stage") == "" {
			name = s.Name
		}
	}
	text := cmp.Or(map[int]string{0: "They are on the board already."}[len(placed)],
		visit.Counted(int64(len(placed)), "person is", "people are")+" on the board now, in "+name+".")
	if len(placed) == 1 {
		if x, err := at.Directory().Person(v.UserContext(), placed[0]); err == nil {
			text = visit.Cut(x.FullName) + " is on the board now, in " + name + "."
		}
	}
	if left := len(ids) - len(placed); left > 0 && len(placed) > 0 {
		text += " " + visit.Counted(int64(left), "was", "were") + " there already."
	}
	return v.See(back, text)
}

// placeContacts places people ticked in the organization's directory on an event's board.
func placeContacts(v *visit.Visit) error {
	at, err := v.OrganizedAt("event")
	if err != nil {
		return err
	}
	r, err := postedRoster(v)
	if err != nil {
		return err
	}
	ticked, n, err := r.ticked()
	if err != nil {
		return err
	}
	people, err := r.directory.People(v.UserContext(), ticked) // only those whom the user sees
	if err != nil {
		return err
	}
	ids := store.Map(people, func(x *models.Person) string { return x.ID })
	return placeAt(v, at, ids, n, r.at(r.l))
}
