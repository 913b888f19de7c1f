package sessions_test

import (
	"context"
	"html"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
)

// castOf lists the people of a record with their roles, in order.
func castOf(d *admintest.Desk, id string) string {
	d.T.Helper()
	s := d.Read(id)
	var said []string
	for _, x := range s.Participants {
		said = append(said, x.FullName+" "+string(x.Role))
	}
	return strings.Join(said, ", ")
}

// partForm returns the fields of a page's form of people, with the button that is pressed.
func partForm(page, do string) url.Values {
	part := admintest.Between(page, `id="people-part"`, "</section>")
	form := admintest.Fields(part)
	form["role"] = nil
	for _, m := range regexp.MustCompile(`value="(\w+)" selected`).FindAllStringSubmatch(part, -1) {
		form.Add("role", m[1])
	}
	form.Set("do", do)
	return form
}

func contact(d *admintest.Desk, p *models.Programme, name string) string {
	d.T.Helper()
	return modelstest.Must(p.CreateContact(context.Background(), models.NewContact{FirstName: name,
		Email: strings.ToLower(name) + "@example.org"}))(d.T).ID
}

func TestPeopleOfARecordAreChangedOnItsPage(t *testing.T) {
	d := admintest.Open(t)
	s := d.Session(models.NewSession{Title: "Tides", IsAbstract: true})
	ada, li := contact(d, d.Programme(), "Ada"), contact(d, d.Elsewhere(), "Li")
	b := d.As(staff.Organizer)
	address, people := d.At("/sessions/"+s.ID+"?in=submissions&q=tid"),
		d.At("/sessions/"+s.ID+"/people?in=submissions&q=tid")
	press := func(do string, change ...string) string {
		t.Helper()
		location, _ := b.Post(people, admintest.Fill(partForm(b.Get(address, 200), do), change...), 303)
		if !strings.Contains(location, "in=submissions") || !strings.HasSuffix(location, "#people-part") {
			t.Errorf("%s leads to %s", do, location)
		}
		return b.Get(strings.TrimSuffix(location, "#people-part"), 200)
	}
	find := func(text string) string {
		t.Helper()
		form := admintest.Fill(partForm(b.Get(address, 200), ""), "find", text)
		_, page := b.Post(people, form, 200)
		return page
	}
	want := func(cast string) {
		t.Helper()
		modelstest.Want(t, "the people are", castOf(d, s.ID), cast)
	}
	admintest.Wants(t, b.Get(address, 200), "Nobody is on it yet.")
	admintest.Wants(t, find("li"), "1 person matches.", "Not at this event yet", `value="add:`+li+`"`)
	admintest.Wants(t, press("add:"+ada), "Ada is on A-1 now.", d.At("/speakers/"+ada))
	admintest.Wants(t, find("ada"), "Already on it")
	press("add:" + li)
	admintest.Wants(t, press("new", "new_name", "Kim Lee", "new_email", "", "new_company", "Nets"),
		"Kim Lee is on A-1 now.", "No e-mail address, so no letter can reach them")
	admintest.Wants(t, press("new", "new_name", "K.", "new_email", "kim@example.org"), "K. is on A-1 now.", "Undo")
	want("Ada speaker, Li speaker, Kim Lee speaker, K. speaker")
	admintest.Wants(t, press("up:2"), "Kim Lee is number 2 of 4 now.")
	admintest.Wants(t, press("down:0", "role", "moderator"), "Ada is number 2 of 4 now. The roles are saved too.", "Undo")
	want("Kim Lee speaker, Ada moderator, Li speaker, K. speaker")
	admintest.Wants(t, press("up:0"), "Nothing was changed.")
	page := press("remove:1")
	admintest.Wants(t, page, "Ada is not on A-1 any more.", "Undo")
	want("Kim Lee speaker, Li speaker, K. speaker")
	undo := admintest.UndoOf(page)
	b.Post(people, undo, 303)
	want("Kim Lee speaker, Ada moderator, Li speaker, K. speaker")
	admintest.Wants(t, b.Get(address, 200), "Undone.")
	b.Post(people, undo, 303) // once is enough
	admintest.Wants(t, b.Get(address, 200), "Somebody changed this since, so nothing was undone.")

	// An address that is known is somebody already.
	zoe := contact(d, d.Elsewhere(), "Zoë")
	admintest.Wants(t, press("new", "new_name", "Z.", "new_email", "ZOË@example.org"),
		"zoë@example.org belongs to Zoë, who is on A-1 now.", d.At("/speakers/"+zoe))
	form := admintest.Fill(partForm(b.Get(address, 200), "new"), "new_name", "A. Byron", "new_email", "ada@example.org",
		"new_company", "<b>Engine")
	admintest.Wants(t, b.Answer(people, form, 422), "is that of Ada, who is there already", `href="#new_email"`,
		`value="A. Byron"`, `value="&lt;b&gt;Engine"`)

	viewer := d.As(staff.Viewer)
	admintest.Wants(t, viewer.Get(address, 200), d.At("/speakers/"+ada), "Moderator")
	admintest.Lacks(t, viewer.Text, `name="do"`, "Add a person", `action="`+d.At("/sessions/"+s.ID+"/people"))
	viewer.Post(people, url.Values{"do": {"add:" + li}}, 403)
	viewer.Get(d.At("/people/find?find=li"), 403)
}

func TestAChangeOfManyPeopleIsTakenBack(t *testing.T) {
	d := admintest.Open(t)
	var cast []models.Participation
	for i := range 60 {
		cast = append(cast, models.Participation{ContactID: contact(d, d.Programme(), "P"+strconv.Itoa(i))})
	}
	s := d.Session(models.NewSession{Title: "Everybody", IsAbstract: true})
	modelstest.Must(d.Programme().SetParticipants(t.Context(), s.ID, cast))(t)
	b, was := d.As(staff.Organizer), castOf(d, s.ID)
	address, people := d.At("/sessions/"+s.ID), d.At("/sessions/"+s.ID+"/people")
	b.Post(people, partForm(b.Get(address, 200), "down:0"), 303)
	admintest.Wants(t, b.Get(address, 200), "P0 is number 2 of 60 now.")
	b.Post(people, admintest.UndoOf(b.Text), 303)
	modelstest.Want(t, "taken back it is", castOf(d, s.ID), was)
}

func TestWhatIsTypedBesideThePeopleStaysAndNobodyIsAddedTwice(t *testing.T) {
	d := admintest.Open(t)
	s := d.Session(models.NewSession{Title: "Tides", IsAbstract: true})
	ada, li := contact(d, d.Programme(), "Ada"), contact(d, d.Programme(), "Li")
	b := d.As(staff.Organizer)
	address, people := d.At("/sessions/"+s.ID), d.At("/sessions/"+s.ID+"/people")
	typed := func(page string) {
		t.Helper()
		admintest.Wants(t, page, `value="Kim &lt;Lee"`, `value="kim@example"`)
	}
	form := admintest.Fill(partForm(b.Get(address, 200), "add:"+ada), "new_name", "Kim <Lee", "new_email", "kim@example")
	_, page := b.Post(people, form, 200)
	admintest.Wants(t, page, "Ada is on A-1 now.", "Undo")
	typed(page)

	form = partForm(page, "find") // a role that is not saved yet stays as well
	admintest.Fill(form, "role", "moderator", "find", "li", "new_name", "Kim <Lee", "new_email", "kim@example")
	_, page = b.Post(people, form, 200)
	admintest.Wants(t, page, `value="add:`+li+`"`, `value="moderator" selected`)
	typed(page)

	form = admintest.Fill(partForm(b.Get(address, 200), "new"), "new_name", "Kim Lee", "new_email", "kim@example.org")
	b.Post(people, form, 303)
	b.Post(people, form, 303)
	admintest.Wants(t, b.Get(address, 200), "This was sent before.")
	modelstest.Want(t, "the people are", castOf(d, s.ID), "Ada speaker, Kim Lee speaker")
}

func TestAChangeOfPeopleThatComesLateIsOfferedBesideTheOther(t *testing.T) {
	d := admintest.Open(t)
	s := d.Session(models.NewSession{Title: "Tides", IsAbstract: true})
	ada, li := contact(d, d.Programme(), "Ada"), contact(d, d.Programme(), "Li")
	modelstest.Must(d.Programme().SetParticipants(t.Context(), s.ID, []models.Participation{{ContactID: ada}}))(t)
	address := d.At("/sessions/" + s.ID)
	mine, theirs := d.As(staff.Organizer), d.As(staff.Owner)
	late := admintest.Fill(partForm(mine.Get(address, 200), "new"), "new_name", "Typed <b>long",
		"new_email", "typed@example.org")
	late["role"] = []string{"chairperson"}
	d.Clock.Move(time.Minute)
	theirs.Post(address+"/people", partForm(theirs.Get(address, 200), "add:"+li), 303)
	d.Clock.Move(2 * time.Minute)
	admintest.Wants(t, mine.Answer(address+"/people", late, 409), "Ada owner changed People 2 minutes ago",
		"Nothing was saved yet", "Typed &lt;b&gt;long, typed@example.org (new)", "Ada, chairperson", "Li")
	form := admintest.Fields(mine.Text)
	m := regexp.MustCompile(`id="people-mine" name="people" value="([^"]*)"`).FindStringSubmatch(mine.Text)
	form.Set("people", html.UnescapeString(m[1]))
	mine.Post(address+"/people", form, 303)
	modelstest.Want(t, "the people are", castOf(d, s.ID), "Ada chairperson, Li speaker, Typed <b>long speaker")

	// What somebody else wrote elsewhere on the record asks as well, and fits.
	late = partForm(mine.Get(address, 200), "remove:1")
	d.Clock.Move(time.Minute)
	modelstest.Must(d.Programme().UpdateSession(t.Context(), s.ID, models.SessionChange{Title: new("Ebbs")}))(t)
	_, page := mine.Post(address+"/people", late, 409)
	admintest.Wants(t, page, "your changes and theirs fit together")
	mine.Post(address+"/people", admintest.Fields(page), 303)
	modelstest.Want(t, "the people are", castOf(d, s.ID), "Ada chairperson, Typed <b>long speaker")
}

func TestARecordIsCreatedWithPeopleOnItsForm(t *testing.T) {
	d := admintest.Open(t)
	ada := contact(d, d.Elsewhere(), "Ada")
	_, foreign := modelstest.ForeignOwner(t, d.Fixture)
	eve := contact(d, d.Store.Programme(modelstest.Must(d.EventBy(t.Context(), foreign))(t), modelstest.Tester), "Eve")
	b := d.As(staff.Organizer)
	path := d.At("/sessions/new")
	form := admintest.Fields(b.Get(path, 200))
	next := func(do string, status int, change ...string) {
		t.Helper()
		was := admintest.Fill(admintest.Fill(form, "title", "Opening", "do", do), change...)
		_, page := b.Post(path, was, status)
		form = admintest.Fields(page)
		form["role"] = partForm(page, "")["role"]
		modelstest.Want(t, "after "+do+" the title is", form.Get("title"), was.Get("title"))
	}
	next("find", 200, "find", "ada")
	admintest.Wants(t, b.Page, `value="add:`+ada, `formaction="`+path+`#people-part"`)
	next("add:"+ada, 200)
	admintest.Wants(t, b.Page, d.At("/speakers/"+ada))
	next("new", 422, "new_name", "", "new_email", "x")
	admintest.Wants(t, b.Page, `href="#new_name"`, `href="#new_email"`)
	next("new", 200, "new_name", "Li Na", "new_email", "li@example.org")
	next("up:1", 200)
	form["role"] = []string{"moderator", "speaker"}
	next("", 200, "find", "nobody at all") // Enter in the search searches
	admintest.Wants(t, b.Page, "Nobody matches")
	next("add:"+eve, 422)
	admintest.Wants(t, b.Page, "One of the people is nobody you know here; add them by their e-mail address.")
	admintest.Lacks(t, b.Page, "eve@example.org")
	admintest.Fill(form, "title", "Opening", "do", "create", "new_name", "Typed and not added")
	location, _ := b.Post(path, form, 303)
	id := location[strings.LastIndex(location, "/")+1:]
	modelstest.Want(t, "the people are", castOf(d, id), "Li Na moderator, Ada speaker, Typed and not added speaker")
	for _, junk := range []string{"x", `[{"id":"x"}]`, `[{"id":"` + eve + `"}]`, "[[]]", strings.Repeat("[", 10000)} {
		form := admintest.Fill(admintest.Fields(b.Get(path, 200)), "title", "Junk", "was_people", junk, "do", "up:0")
		_, page := b.Post(path, form, 200+map[bool]int{true: 222}[strings.Contains(junk, "id")])
		admintest.Lacks(t, page, ">Eve<", "eve@example.org")
	}
}

func TestAPersonsPageShowsTheEventsOfTheReaderAlone(t *testing.T) {
	d := admintest.Open(t)
	ada := contact(d, d.Programme(), "Ada")
	with := []models.Participation{{ContactID: ada, Role: models.Chairperson}}
	start := store.At(time.Date(2027, 5, 20, 8, 0, 0, 0, time.UTC))
	d.Session(models.NewSession{Title: "Tides <here>", People: with,
		SessionInput: models.SessionInput{StartsAt: store.Some(start), RoomID: store.Some(d.Room("Great hall"))}})
	d.Foreign(models.NewSession{Title: "Quiet plan", IsAbstract: true, People: with})

	owner := d.As(staff.Owner)
	page := owner.Get(d.At("/speakers/"+ada), 200)
	admintest.Wants(t, page, "Tides &lt;here&gt;", "Great hall", "Chairperson", "Quiet plan", "Submission",
		start.In(d.Event.Location()).Format("Mon 2 Jan, 15:04"), "/admin/events/"+d.Other.ID+"/sessions/")
	owner.Get(d.At("/speakers/x"), 404)
	admintest.Wants(t, owner.Get(d.At("/speakers"), 200), "<strong>1</strong>", d.At("/speakers/"+ada),
		"Tides &lt;here&gt;")
	admintest.Wants(t, owner.Get(d.At("/speakers?columns=role"), 200), "Chairperson")

	here := d.Hire("only here", staff.Viewer, false, map[string]staff.Role{d.Event.ID: staff.Viewer})
	status, _, page := here.Try("GET", d.At("/speakers/"+ada), nil)
	if status != 200 {
		t.Fatal(status)
	}
	admintest.Wants(t, page, "Tides &lt;here&gt;")
	admintest.Lacks(t, page, "Quiet plan", d.Other.Name)
}
