package moving

import (
	"context"
	"net/http"
	"strconv"

	"lectern/models"
	"lectern/models/moves"
	"lectern/models/store"
	pages "lectern/views/pages/moving"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// beside reads the event beside which an archive is brought: its page lists the move.
func beside(v *visit.Visit) (*models.Event, error) {
	e, role, err := v.Store.EventFor(v.UserContext(), v.User, v.Params("beside"))
	if err != nil {
		return nil, err
	}
	v.Event, v.Role, v.Programme = e, role, v.ProgrammeOf(e)
	return e, nil
}

func archiveForm(v *visit.Visit, _ *models.Event) error {
	p := pages.BeginPage{}
	if after := v.Query("after"); after != "" {
		m, err := movesHere(v).Move(v.UserContext(), after)
		if err != nil {
			return err
		}
		p.Name, p.Slug = m.Choices.Name, m.Choices.Slug
	}
	return archivePage(v, http.StatusOK, p)
}

func archivePage(v *visit.Visit, status int, p pages.BeginPage) error {
	movesHere(v)
	k := moves.KindOf("archive")
	p.Base, p.Action, p.About, p.Kind, p.Files = v.At("/moves"), archives+v.Event.ID, k.About, k.Name, k.Files
	p.IsEvent, p.MostBytes = true, strconv.Itoa(moves.MaxArchive>>30)+" GB"
	return visit.Show(v, status, "From "+asWords(k.Label), pages.Begin, p)
}

func beginArchive(v *visit.Visit, _ *models.Event) error {
	p := pages.BeginPage{Name: v.Value("name"), Slug: v.Value("slug")}
	asked := moves.Asked{Kind: "archive", Name: p.Name, Slug: p.Slug}
	if f := v.Spooled; f != nil {
		asked.Packed = &moves.Packed{Name: f.Name, Content: f.File, Size: f.Size}
	}
	m, err := movesHere(v).Prepare(v.UserContext(), asked) // stores the bytes, before the transaction writes the row
	address := ""
	if err == nil {
		address = v.At("/moves/" + m.ID)
		err = v.Once(func(ctx context.Context) (string, error) { return address, movesHere(v).Add(ctx, m) })
	}
	return v.DoneOrAgain(err, address, "",
		func(status int) error { return archivePage(v, status, p) })
}

// eachOf names events, at most twenty.
func eachOf(all []*moves.Event) string {
	const shown = 20
	names := store.Map(all[:min(shown, len(all))], func(e *moves.Event) string {
		return "“" + visit.Cut(e.Name) + "” (" + e.Slug + ")"
	})
	switch more := len(all) - shown; {
	case len(all) == 0:
		return "there is none"
	case more > 0:
		names = append(names, strconv.Itoa(more)+" more")
	}
	return visit.Enumerated(names)
}

// ofEvent describes the event that an archive becomes, or became.
func ofEvent(v *visit.Visit, e *moves.Event) (facts []string) {
	when := page.When(&e.TakenAt, v.Event.Location())
	if e.Slug == "" { // an archive of all events of an organization
		facts = append(facts, "All events of “"+e.Name+"” of "+e.From+", as they were on "+when+".",
			"Each is an event of its own: "+eachOf(e.All)+". Nothing here changes: who is known by an address stays as they are "+
				"here, and is that person.")
	} else if facts = append(facts, "“"+e.Name+"” of "+e.From+", as it was on "+when+"."); e.ID == "" {
		facts = append(facts, "It becomes an event of its own, under the short name “"+e.Slug+"”. Nothing here changes: who is "+
			"known by an address stays as they are here, and is that person.")
	}
	if e.Files > 0 {
		facts = append(facts, visit.Counted(int64(e.Files), "file comes", "files come")+" along.")
	}
	if e.Staff > 0 {
		facts = append(facts, visit.Counted(int64(e.Staff), "account", "accounts")+" of staff that nobody here had stand "+
			"beside what they wrote. Nobody gets a right by it; invite whom you want.")
	}
	if e.Held > 0 {
		facts = append(facts, visit.Counted(int64(e.Held), "letter that was on its way waits", "letters that were on their way "+
			"wait")+" under Letters. Look at them before you send them off: the other Lectern may have sent them.")
	}
	return facts
}
