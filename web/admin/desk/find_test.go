package desk_test

import (
	"net/url"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/web/admin/admintest"
	"lectern/web/admin/visit"
)

func TestListsAndThePaletteShowWhyARowMatched(t *testing.T) {
	d := admintest.Open(t)
	s := d.Session(models.NewSession{Title: "Harbours", IsAbstract: true, SessionInput: models.SessionInput{
		Description: new("<p>Of <b>ships</b> &lt;i&gt; &amp; the Kölner tide</p>")}})
	d.Speaker(t, d.Event, s.ID, models.NewContact{FirstName: "Jérôme", LastName: "<b>", CompanyName: "Møller & Søn",
		Email: "jay@example.org"})
	b := d.As(staff.Viewer)
	list, palette, people := "/submissions?q=", "/find?q=", "/speakers?q="
	for path, want := range map[string]string{
		list + "harbours+jerome": `<bdi><mark>Jérôme</mark> &lt;b&gt;</bdi>`,
		list + "a-1":             `<mark>A-1</mark>`,
		list +
			"kolner": `In the description: <bdi>Of ships &lt;i&gt; &amp; the <mark>Kölner</mark> tide</bdi>`,
		list + "%3Ci%3E":             `<mark>&lt;i&gt;</mark> &amp; the`,
		list + "kolner&rows=compact": `<mark>Kölner</mark>`,
		palette + "jerome":           `With <bdi><mark>Jérôme</mark> &lt;b&gt;</bdi>`,
		palette +
			"harbours+tide": `In the description: <bdi>Of ships &lt;i&gt; &amp; the Kölner <mark>tide</mark></bdi>`,
		palette + "jerome+moller":       `Company: <bdi><mark>Møller</mark> &amp; Søn</bdi>`,
		palette + "jay":                 `E-mail address: <bdi><mark>jay</mark>@example.org</bdi>`,
		people + "moller+jerome":        `<mark>Møller</mark> &amp; Søn`,
		list + "kolner+nowhere":         "No record has all words of “kolner nowhere” in its title",
		list + "nowhere":                "No title, label, description or name of a person has “nowhere” in it.",
		people + "moller+nowhere":       "Nobody has all of this",
		palette + "kolner+nowhere":      "Nothing found for “kolner nowhere”.",
		palette + "%22ships+%3Ci%3E%22": `<mark>ships &lt;i&gt;</mark>`,
	} {
		if page := b.Get(d.At(path), 200); !strings.Contains(page, want) {
			t.Errorf("%s lacks %s:\n%s", path, want, page[strings.Index(page, "<main")+1:])
		}
	}
	for _, path := range []string{list + "harbours", strings.TrimSuffix(list, "q="), palette + "harb", people + "jerome", list + "%22"} {
		admintest.Lacks(t, b.Get(d.At(path), 200), "<mark>", "In the description")
	}
}

func TestALabelComesFirstInAListUntilAnotherOrderIsChosen(t *testing.T) {
	d := admintest.Open(t)
	d.Submissions(12, "Tides")
	b := d.As(staff.Viewer)
	first := func(path string) string {
		_, rows, _ := strings.Cut(b.Get(d.At(path), 200), "<tbody>")
		_, link, _ := strings.Cut(rows, `class="title"`)
		_, text, _ := strings.Cut(link, ">")
		title, _, _ := strings.Cut(text, "<")
		return title
	}
	for path, want := range map[string]string{"/submissions?q=a-1": "Tides 1", "/submissions?q=A-12": "Tides 12"} {
		modelstest.Want(t, path+" begins with", first(path), want)
	}
	up, down := first("/submissions?q=a-1&sort=createdAt&dir=asc"), first("/submissions?q=a-1&sort=createdAt&dir=desc")
	if up == down {
		t.Errorf("both orders begin with %s", up)
	}
}

func TestThePaletteFindsPeopleWithoutASession(t *testing.T) {
	d := admintest.Open(t)
	here := d.Person(d.Programme(), "first_name", "Quokka", "email", "quokka@example.org")
	there := d.Person(d.Elsewhere(), "first_name", "Quoll")
	b := d.As(staff.Organizer)
	admintest.Wants(t, b.Get(d.At("/find?q=quo"), 200), d.At("/speakers/"+here))
	admintest.Lacks(t, b.Text, there, "Quoll")
	admintest.Wants(t, b.Get(d.At("/find?q=quokkq"), 200), d.At("/speakers/"+here)) // with an error
	b.Get(d.At("/speakers"), 200)                                                   // where they worked last
	admintest.Wants(t, b.Get("/admin/find?q=quo", 200), here, "/admin/contacts/"+there)
	modelstest.Want(t, "one of the event is found twice", strings.Count(b.Text, here), 1)
	admintest.Lacks(t, d.As(staff.Reviewer).Get("/admin/find?q=quo", 200), here, there)
	one := d.Hire("one", staff.Organizer, false, map[string]staff.Role{d.Event.ID: staff.Organizer})
	admintest.Lacks(t, d.SignedIn(one.Email).Get("/admin/find?q=quo", 200), there, "Quoll")
}

func TestThePaletteFindsTracksRoomsEventsAndThingsToDo(t *testing.T) {
	d := admintest.Open(t)
	d.Session(models.NewSession{Title: "Tides", IsAbstract: true})
	d.Session(models.NewSession{Title: "潮の話", IsAbstract: true})
	room := d.Room("Harbour hall")
	track := modelstest.RowOf(t, d.Programme(), models.Tracks, "Ships")
	modelstest.RowOf(t, d.Elsewhere(), models.Rooms, "Harbour attic")
	d.Session(models.NewSession{Title: "한국 강", IsAbstract: true})
	organizer, viewer := d.As(staff.Organizer), d.As(staff.Viewer)
	for text, want := range map[string]string{"a1": ">Tides<", "A1": ">Tides<", "%E6%BD%AE": "潮", "%EA%B0%95": "한국",
		"hall+harbour": "/sessions?room=" + room, "ships": "/sessions?track=" + track.ID} {
		admintest.Wants(t, viewer.Get(d.At("/find?q="+text), 200), want)
	}
	admintest.Lacks(t, viewer.Get(d.At("/find?q=harbour"), 200), "attic")
	admintest.Wants(t, organizer.Get(d.At("/find?q=submission+new"), 200), d.At("/submissions/new"))
	admintest.Wants(t, organizer.Get(d.At("/find?q=import"), 200), d.At("/imports"))
	admintest.Lacks(t, viewer.Get(d.At("/find?q=new"), 200), "/submissions/new", "/imports")
	admintest.Wants(t, viewer.Get(d.At("/find?q=x"), 200), "Type two letters")
	// Other events, by who has a role there; and staff are invited by owners.
	other, owner := strings.ToLower(d.Other.Name), d.As(staff.Owner)
	admintest.Wants(t, owner.Get(d.At("/find?q="+url.QueryEscape(other)), 200), "/admin/events/"+d.Other.ID)
	only := d.Hire("only here", staff.Viewer, false, map[string]staff.Role{d.Event.ID: staff.Organizer})
	_, _, page := only.Try("GET", d.At("/find?q="+url.QueryEscape(other)), nil)
	admintest.Lacks(t, page, d.Other.ID)
	admintest.Wants(t, owner.Get(d.At("/find?q=invite"), 200), visit.StaffPath+"/invite")
	admintest.Lacks(t, organizer.Get(d.At("/find?q=invite"), 200), visit.StaffPath+"/invite")
}

func TestThePaletteForgivesATypingError(t *testing.T) {
	d := admintest.Open(t)
	s := d.Session(models.NewSession{Title: "Harbours", IsAbstract: true})
	d.Speaker(t, d.Event, s.ID, models.NewContact{FirstName: "Anna", LastName: "Kowalska", Email: "anna@example.org"})
	d.Foreign(models.NewSession{Title: "Harbours elsewhere"})
	modelstest.RowOf(t, d.Programme(), models.Rooms, "Great hall")
	b := d.As(staff.Viewer)
	near := "Close to it:"
	for text, want := range map[string]string{"harbuors": ">Harbours<", "kowalksa+anna": ">Anna Kowalska<",
		"graet+hall": ">Great hall<", "submisions+export": d.At("/submissions.csv")} {
		admintest.Wants(t, b.Get(d.At("/find?q="+text), 200), near, want)
		admintest.Lacks(t, b.Text, "elsewhere")
	}
	admintest.Lacks(t, b.Get(d.At("/find?q=harbours"), 200), near)
	admintest.Wants(t, b.Get(d.At("/find?q=harxuors"), 200), "Nothing found for")
	admintest.Wants(t, b.Get(d.At("/find?q=haal"), 200), "Nothing found for")
	admintest.Lacks(t, b.Get(d.At("/find?q=imprt+poeple"), 200), d.At("/imports")) // two errors, and not theirs to do
}

func TestWhoSeesOnlyWhatARoundAssignsFindsNoRooms(t *testing.T) {
	t.Parallel()
	d := admintest.OpenBlind(t, "sqlite", true)
	modelstest.RowOf(t, d.Programme(), models.Rooms, "Harbour hall")
	admintest.Wants(t, d.As(staff.Viewer).Get(d.At("/find?q=hall"), 200), "Harbour hall")
	admintest.Lacks(t, d.Ada.Get(d.At("/find?q=hall"), 200), "Harbour")
	admintest.Lacks(t, d.Ada.Get(d.At("/find?q=export"), 200), ".csv")
}

// The help of “?” has the keys of what one may do: scores for who reviews, and steps with their undo for organizers.
func TestTheHelpOfTheKeysIsForWhoPressesThem(t *testing.T) {
	t.Parallel()
	d := admintest.OpenBlind(t, "sqlite", true)
	help := func(page string) string {
		return admintest.Between(page, `id="keys"`, "</dialog>")
	}
	scores, steps := []string{"<kbd>1</kbd> to <kbd>5</kbd>", "On a scorecard"}, []string{"<kbd>z</kbd>", "<kbd>x</kbd>"}
	blind := help(d.Ada.Get(d.Queue(""), 200))
	admintest.Wants(t, blind, append(scores, "<kbd>?</kbd>")...)
	admintest.Lacks(t, blind, steps...)
	reviewer := help(d.As(staff.Reviewer).Get(d.At("/submissions"), 200))
	admintest.Wants(t, reviewer, scores...)
	admintest.Lacks(t, reviewer, steps...)
	organizer := help(d.Olga.Get(d.At("/submissions"), 200))
	admintest.Wants(t, organizer, append(scores, steps...)...)
	viewer := help(d.As(staff.Viewer).Get(d.At("/submissions"), 200))
	admintest.Lacks(t, viewer, append(scores, steps...)...)
}
