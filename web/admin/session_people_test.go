package admin

import (
	"context"
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
)

// castOf is who is on a record, in order.
func (d *desk) castOf(id string) string {
	d.t.Helper()
	s, err := d.Programme().Session(context.Background(), id)
	if err != nil {
		d.t.Fatal(err)
	}
	var said []string
	for _, x := range s.Participants {
		said = append(said, x.FullName+" "+string(x.Role))
	}
	return strings.Join(said, ", ")
}

// partForm are the fields of the people's part of a page, with the button that is pressed.
func partForm(page, do string) url.Values {
	_, part, _ := strings.Cut(page, `id="people-part"`)
	part, _, _ = strings.Cut(part, "</section>")
	form := fields(part)
	form["role"] = nil
	for _, m := range regexp.MustCompile(`value="(\w+)" selected`).FindAllStringSubmatch(part, -1) {
		form.Add("role", m[1])
	}
	form.Set("do", do)
	return form
}

func (d *desk) contact(p *models.Programme, name string) string {
	d.t.Helper()
	return modelstest.Must(p.CreateContact(context.Background(), models.NewContact{FirstName: name,
		Email: strings.ToLower(name) + "@example.org"}))(d.t).ID
}

func TestPeopleOfARecordAreChangedOnItsPage(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	s := d.session(models.NewSession{Title: "Tides", IsAbstract: true})
	ada, li := d.contact(d.Programme(), "Ada"), d.contact(d.Elsewhere(), "Li")
	b := d.as(staff.Organizer)
	address, people := d.at("/sessions/"+s.ID+"?in=submissions&q=tid"), d.at("/sessions/"+s.ID+"/people?in=submissions&q=tid")
	press := func(do string, change ...string) string {
		t.Helper()
		form := partForm(b.get(address, 200), do)
		for i := 0; i < len(change); i += 2 {
			form.Set(change[i], change[i+1])
		}
		location, _ := b.post(people, form, 303)
		if !strings.Contains(location, "in=submissions") || !strings.HasSuffix(location, "#people-part") {
			t.Errorf("%s leads to %s", do, location)
		}
		return b.get(strings.TrimSuffix(location, "#people-part"), 200)
	}
	find := func(text string) string {
		t.Helper()
		form := partForm(b.get(address, 200), "")
		form.Set("find", text)
		_, page := b.post(people, form, 200)
		return page
	}
	want := func(cast string) {
		t.Helper()
		if got := d.castOf(s.ID); got != cast {
			t.Errorf("the people are %s, want %s", got, cast)
		}
	}
	wants(t, b.get(address, 200), "Nobody is on it yet.")
	wants(t, find("li"), "1 person matches.", "Not at this event yet", `value="add:`+li+`"`)
	wants(t, press("add:"+ada), "Ada is on A-1 now.", d.at("/speakers/"+ada))
	wants(t, find("ada"), "Already on it")
	press("add:" + li)
	wants(t, press("new", "new_name", "Kim Lee", "new_email", "", "new_company", "Nets"), "Kim Lee is on A-1 now.",
		"No e-mail address, so no letter can reach them")
	wants(t, press("new", "new_name", "K.", "new_email", "kim@example.org"), "K. is on A-1 now.", "Undo")
	want("Ada speaker, Li speaker, Kim Lee speaker, K. speaker")
	wants(t, press("up:2"), "Kim Lee is number 2 of 4 now.")
	wants(t, press("down:0", "role", "moderator"), "Ada is number 2 of 4 now. The roles are saved too.", "Undo")
	want("Kim Lee speaker, Ada moderator, Li speaker, K. speaker")
	wants(t, press("up:0"), "Nothing was changed.")
	page := press("remove:1")
	wants(t, page, "Ada is not on A-1 any more.", "Undo")
	want("Kim Lee speaker, Li speaker, K. speaker")
	undo := fields(regexp.MustCompile(`(?s)<form class="undo".*?</form>`).FindString(page))
	b.post(people, undo, 303)
	want("Kim Lee speaker, Ada moderator, Li speaker, K. speaker")
	wants(t, b.get(address, 200), "Undone.")
	b.post(people, undo, 303) // once is enough
	wants(t, b.get(address, 200), "Somebody changed this since, so nothing was undone.")

	// An address that is known is somebody already.
	zoe := d.contact(d.Elsewhere(), "Zoë")
	wants(t, press("new", "new_name", "Z.", "new_email", "ZOË@example.org"), "zoë@example.org belongs to Zoë, who is on A-1 now.",
		d.at("/speakers/"+zoe))
	form := partForm(b.get(address, 200), "new")
	form.Set("new_name", "A. Byron")
	form.Set("new_email", "ada@example.org")
	form.Set("new_company", "<b>Engine")
	_, page = b.post(people, form, 422)
	wants(t, page, "is that of Ada, who is there already", `href="#new_email"`, `value="A. Byron"`, `value="&lt;b&gt;Engine"`)

	viewer := d.as(staff.Viewer)
	page = viewer.get(address, 200)
	wants(t, page, d.at("/speakers/"+ada), "Moderator")
	lacks(t, page, `name="do"`, "Add a person", `action="`+d.at("/sessions/"+s.ID+"/people"))
	viewer.post(people, url.Values{"do": {"add:" + li}}, 403)
	viewer.get(d.at("/people/find?find=li"), 403)
}

func TestAChangeOfManyPeopleIsTakenBack(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	var cast []models.Participation
	for i := range 60 {
		cast = append(cast, models.Participation{ContactID: d.contact(d.Programme(), "P"+strconv.Itoa(i))})
	}
	s := d.session(models.NewSession{Title: "Everybody", IsAbstract: true})
	modelstest.Must(d.Programme().SetParticipants(t.Context(), s.ID, cast))(t)
	b, was := d.as(staff.Organizer), d.castOf(s.ID)
	address, people := d.at("/sessions/"+s.ID), d.at("/sessions/"+s.ID+"/people")
	b.post(people, partForm(b.get(address, 200), "down:0"), 303)
	page := b.get(address, 200)
	wants(t, page, "P0 is number 2 of 60 now.")
	_, undo, _ := strings.Cut(page, `class="undo"`)
	undo, _, _ = strings.Cut(undo, "</form>")
	b.post(people, fields(undo), 303)
	if now := d.castOf(s.ID); now != was {
		t.Errorf("taken back it is %s", now)
	}
}

func TestWhatIsTypedBesideThePeopleStaysAndNobodyIsAddedTwice(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	s := d.session(models.NewSession{Title: "Tides", IsAbstract: true})
	ada, li := d.contact(d.Programme(), "Ada"), d.contact(d.Programme(), "Li")
	b := d.as(staff.Organizer)
	address, people := d.at("/sessions/"+s.ID), d.at("/sessions/"+s.ID+"/people")
	typed := func(page string) {
		t.Helper()
		wants(t, page, `value="Kim &lt;Lee"`, `value="kim@example"`)
	}
	form := partForm(b.get(address, 200), "add:"+ada)
	form.Set("new_name", "Kim <Lee")
	form.Set("new_email", "kim@example")
	_, page := b.post(people, form, 200)
	wants(t, page, "Ada is on A-1 now.", "Undo")
	typed(page)

	form = partForm(page, "find") // a role that is not saved yet stays as well
	form.Set("role", "moderator")
	form.Set("find", "li")
	form.Set("new_name", "Kim <Lee")
	form.Set("new_email", "kim@example")
	_, page = b.post(people, form, 200)
	wants(t, page, `value="add:`+li+`"`, `value="moderator" selected`)
	typed(page)

	form = partForm(b.get(address, 200), "new")
	form.Set("new_name", "Kim Lee")
	form.Set("new_email", "kim@example.org")
	b.post(people, form, 303)
	b.post(people, form, 303)
	wants(t, b.get(address, 200), "This was sent before.")
	if got := d.castOf(s.ID); got != "Ada speaker, Kim Lee speaker" {
		t.Errorf("the people are %s", got)
	}
}

func TestAChangeOfPeopleThatComesLateIsOfferedBesideTheOther(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	s := d.session(models.NewSession{Title: "Tides", IsAbstract: true})
	ada, li := d.contact(d.Programme(), "Ada"), d.contact(d.Programme(), "Li")
	modelstest.Must(d.Programme().SetParticipants(t.Context(), s.ID, []models.Participation{{ContactID: ada}}))(t)
	address := d.at("/sessions/" + s.ID)
	mine, theirs := d.as(staff.Organizer), d.as(staff.Owner)
	late := partForm(mine.get(address, 200), "new")
	late.Set("new_name", "Typed <b>long")
	late.Set("new_email", "typed@example.org")
	late["role"] = []string{"chairperson"}
	d.Clock.Move(time.Minute)
	theirs.post(address+"/people", partForm(theirs.get(address, 200), "add:"+li), 303)
	d.Clock.Move(2 * time.Minute)
	_, page := mine.post(address+"/people", late, 409)
	wants(t, page, "Ada owner changed People 2 minutes ago", "Nothing was saved yet", "Typed &lt;b&gt;long, typed@example.org (new)",
		"Ada, chairperson", "Li")
	form := fields(page)
	for _, choice := range []string{"people"} {
		m := regexp.MustCompile(`id="` + choice + `-mine" name="people" value="([^"]*)"`).FindStringSubmatch(page)
		form.Set(choice, unescape(m[1]))
	}
	mine.post(address+"/people", form, 303)
	if got := d.castOf(s.ID); got != "Ada chairperson, Li speaker, Typed <b>long speaker" {
		t.Errorf("the people are %s", got)
	}

	// What somebody else wrote elsewhere on the record asks as well, and fits.
	late = partForm(mine.get(address, 200), "remove:1")
	d.Clock.Move(time.Minute)
	modelstest.Must(d.Programme().UpdateSession(t.Context(), s.ID, models.SessionChange{Title: new("Ebbs")}))(t)
	_, page = mine.post(address+"/people", late, 409)
	wants(t, page, "your changes and theirs fit together")
	mine.post(address+"/people", fields(page), 303)
	if got := d.castOf(s.ID); got != "Ada chairperson, Typed <b>long speaker" {
		t.Errorf("the people are %s", got)
	}
}

func TestARecordIsCreatedWithPeopleOnItsForm(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	ada := d.contact(d.Elsewhere(), "Ada")
	_, foreign := modelstest.ForeignOwner(t, d.Fixture)
	eve := d.contact(d.Store.Programme(modelstest.Must(d.EventBy(t.Context(), foreign))(t), modelstest.Tester), "Eve")
	b := d.as(staff.Organizer)
	path := d.at("/sessions/new")
	form := fields(b.get(path, 200))
	next := func(do string, status int, change ...string) {
		t.Helper()
		form.Set("title", "Opening")
		form.Set("do", do)
		for i := 0; i < len(change); i += 2 {
			form.Set(change[i], change[i+1])
		}
		_, page := b.post(path, form, status)
		was := form
		form = fields(page)
		form["role"] = partForm(page, "")["role"]
		if form.Get("title") != was.Get("title") {
			t.Errorf("after %s the title is %q", do, form.Get("title"))
		}
	}
	next("find", 200, "find", "ada")
	wants(t, b.page, `value="add:`+ada, `formaction="`+path+`#people-part"`)
	next("add:"+ada, 200)
	wants(t, b.page, d.at("/speakers/"+ada))
	next("new", 422, "new_name", "", "new_email", "x")
	wants(t, b.page, `href="#new_name"`, `href="#new_email"`)
	next("new", 200, "new_name", "Li Na", "new_email", "li@example.org")
	next("up:1", 200)
	form["role"] = []string{"moderator", "speaker"}
	next("", 200, "find", "nobody at all") // Enter in the search searches
	wants(t, b.page, "Nobody matches")
	next("add:"+eve, 422)
	wants(t, b.page, "One of the people is nobody you know here; add them by their e-mail address.")
	lacks(t, b.page, "eve@example.org")
	form.Set("title", "Opening")
	form.Set("do", "create")
	form.Set("new_name", "Typed and not added")
	location, _ := b.post(path, form, 303)
	id := location[strings.LastIndex(location, "/")+1:]
	if got := d.castOf(id); got != "Li Na moderator, Ada speaker, Typed and not added speaker" {
		t.Errorf("the people are %s", got)
	}
	for _, junk := range []string{"x", `[{"id":"x"}]`, `[{"id":"` + eve + `"}]`, "[[]]", strings.Repeat("[", 10000)} {
		form := fields(b.get(path, 200))
		form.Set("title", "Junk")
		form.Set("was_people", junk)
		form.Set("do", "up:0")
		_, page := b.post(path, form, 200+map[bool]int{true: 222}[strings.Contains(junk, "id")])
		lacks(t, page, ">Eve<", "eve@example.org")
	}
}

func TestAPersonsPageShowsTheEventsOfTheReaderAlone(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	ada := d.contact(d.Programme(), "Ada")
	with := []models.Participation{{ContactID: ada, Role: models.Chairperson}}
	start := store.At(time.Date(2027, 5, 20, 8, 0, 0, 0, time.UTC))
	room := modelstest.Must(d.Programme().CreateMetadata(t.Context(), models.Rooms, models.NewMetadata{Name: "Great hall"}))(t)
	modelstest.Must(d.Programme().CreateSession(t.Context(), models.NewSession{Title: "Tides <here>", People: with,
		SessionInput: models.SessionInput{StartsAt: store.Some(start), RoomID: store.Some(room.ID)}}))(t)
	modelstest.Must(d.Elsewhere().CreateSession(t.Context(), models.NewSession{Title: "Quiet plan", IsAbstract: true,
		People: with}))(t)
	elsewhere := d.contact(d.Elsewhere(), "Li")

	owner := d.as(staff.Owner)
	page := owner.get(d.at("/speakers/"+ada), 200)
	wants(t, page, "Tides &lt;here&gt;", "Great hall", "Chairperson", "Quiet plan", "Submission",
		start.In(d.Event.Location()).Format("Mon 2 Jan, 15:04"), "/admin/events/"+d.Other.ID+"/sessions/")
	owner.get(d.at("/speakers/"+elsewhere), 404)
	owner.get(d.at("/speakers/x"), 404)
	wants(t, owner.get(d.at("/speakers"), 200), "<strong>1</strong>", d.at("/speakers/"+ada), "Tides &lt;here&gt;")
	wants(t, owner.get(d.at("/speakers?columns=role"), 200), "Chairperson")

	here := d.hire("only here", staff.Viewer, false, map[string]staff.Role{d.Event.ID: staff.Viewer})
	status, _, page := here.try("GET", d.at("/speakers/"+ada), nil)
	if status != 200 {
		t.Fatal(status)
	}
	wants(t, page, "Tides &lt;here&gt;")
	lacks(t, page, "Quiet plan", d.Other.Name)
}
