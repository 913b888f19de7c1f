package desk_test

import (
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/staff"
	"lectern/web/admin/admintest"
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
	here, _, err := people.Of(d.Programme()).AddPerson(t.Context(), people.Change{Values: map[string]string{
		"first_name": "Quokka", "email": "quokka@example.org"}})
	modelstest.Fine(t, err)
	there, _, err := people.Of(d.Elsewhere()).AddPerson(t.Context(), people.Change{Values: map[string]string{
		"first_name": "Quoll"}})
	modelstest.Fine(t, err)
	b := d.As(staff.Organizer)
	page := b.Get(d.At("/find?q=quo"), 200)
	admintest.Wants(t, page, d.At("/speakers/"+here.ID))
	admintest.Lacks(t, page, there.ID, "Quoll")
	admintest.Wants(t, b.Get(d.At("/find?q=quokkq"), 200), d.At("/speakers/"+here.ID)) // with an error
	b.Get(d.At("/speakers"), 200)                                                      // where they worked last
	page = b.Get("/admin/find?q=quo", 200)
	admintest.Wants(t, page, here.ID, "/admin/contacts/"+there.ID)
	modelstest.Want(t, "one of the event is found twice", strings.Count(page, here.ID), 1)
	admintest.Lacks(t, d.As(staff.Reviewer).Get("/admin/find?q=quo", 200), here.ID, there.ID)
	one := d.Browser()
	one.SignIn(d.Hire("one", staff.Organizer, false, map[string]staff.Role{d.Event.ID: staff.Organizer}).Email)
	admintest.Lacks(t, one.Get("/admin/find?q=quo", 200), there.ID, "Quoll")
}
