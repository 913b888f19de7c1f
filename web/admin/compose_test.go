package admin

import (
	"maps"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
)

// accepted makes submissions that were accepted.
func (d *desk) accepted(titles ...string) (all []*models.Session) {
	for _, title := range titles {
		all = append(all, d.session(models.NewSession{Title: title, IsAbstract: true,
			SessionInput: models.SessionInput{
				Status: new(models.Accepted), Description: new("<p>About " + title + "</p>")}}))
	}
	return all
}

// pressed is a form with a button of it.
func pressed(form url.Values, do string) url.Values {
	form.Set("do", do)
	return form
}

// composed is the session that an abstract is in, as it is read.
func (d *desk) composed(s *models.Session) *models.Session {
	d.t.Helper()
	target := d.read(s.ID).CompositionStatus.Target
	if target == nil {
		d.t.Fatalf("%s is in no session", s.FriendlyID)
	}
	return d.read(target.ID)
}

func (d *desk) emissions() (out []string) {
	for _, e := range modelstest.Emitted(d.t, d.Fixture) {
		out = append(out, string(e.Type)+" "+d.read(e.ResourceID).FriendlyID)
	}
	return out
}

func TestSubmissionsAreComposedOnAPageOfTheirOwn(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	of := d.accepted("One", "Two", "Three")
	li := d.Speaker(t, d.Event, of[0].ID, models.NewContact{FirstName: "Li", Email: "li@example.org"})
	d.Join(t, d.Event, of[1].ID, li, models.Moderator)
	d.Speaker(t, d.Event, of[1].ID, models.NewContact{FirstName: "Noor"})
	b := d.as(staff.Organizer)

	// From the list's bar, through the page, by its buttons.
	form := fields(b.get(d.at("/submissions?status=accepted"), 200))
	form["id"] = []string{of[0].ID, of[1].ID}
	location, _ := b.post(d.at("/submissions/bulk"), pressed(form, "compose-into"), 303)
	page := b.get(location, 200)
	wants(t, page, "One", "Two", "from A-1, A-2", "Compose 2 submissions",
		"Held back from the public until the letters of A-1 and A-2",
		"Each submission keeps its own text.", "Accepted, in no session yet:", `aria-label="Add A-3"`)
	page = b.composing(fields(page), "add:"+of[2].ID, 200)
	page = b.composing(fields(page), "up:"+of[2].ID, 200)
	page = b.composing(fields(page), "remove:"+of[1].ID, 200)
	lacks(t, page, "Role of Noor")
	page = b.composing(fields(page), "add:"+of[1].ID, 200)
	form = fields(page)
	if parts := form["part"]; !slices.Equal(parts, []string{of[0].ID, of[2].ID, of[1].ID}) {
		t.Fatalf("the parts are %v", parts)
	}
	form["minutes"] = []string{"20", "", "25"}
	form.Set("title_from", "new")
	form.Set("title", "Three in one <b>")
	form.Set("description_from", "all")
	form["role"] = []string{"chairperson", "speaker"}
	wants(t, b.composing(form, "look", 200), "45", "minutes in all")
	modelstest.Emitted(t, d.Fixture)
	page = b.follow(b.post(d.at("/compose"), pressed(form, "compose"), 303))
	wants(t, page, "S-1 is made of A-1, A-3 and A-2.", "Three in one &lt;b&gt;", "Made from", "A-3 Three",
		"20 min", "25 min",
		"45 min in all, and 1 part without minutes")
	s := d.composed(of[1])
	if s.Title != "Three in one <b>" || len(s.Participants) != 2 || s.Participants[0].Role != models.Chairperson ||
		!strings.Contains(s.Description, "<h3>Three</h3>\n<p>About Three</p>") {
		t.Errorf("%+v", s)
	}
	if got := d.emissions(); !slices.Equal(got, []string{"session.created S-1"}) {
		t.Errorf("%v", got)
	}
	// Sent twice, it leads to what it made.
	location, _ = b.post(d.at("/compose"), form, 303)
	if location != d.at("/sessions/"+s.ID) || len(d.emissions()) > 0 {
		t.Error("it was composed twice:", location)
	}
	wants(t, b.get(d.at("/activity"), 200), "composed", "arranged the parts of")
	wants(t, b.get(d.at("/sessions/"+of[0].ID), 200), "In the session S-1.", "composed it into a session")
}

// composing is the page that a button of the composition's form answers with.
func (b *browser) composing(form url.Values, do string, status int) string {
	b.t.Helper()
	return second(b.post(b.at("/compose"), pressed(form, do), status))
}

// second is the page that a form answers with.
func second(_, page string) string { return page }

func TestAScriptThatComposesGoesToTheSession(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	one := d.accepted("One")[0]
	b := d.as(staff.Organizer)
	wants(t, b.get(d.at("/compose"), 200), "Compose into session</button>")
	form := pressed(fields(b.get(d.at("/compose?id="+one.ID), 200)), "compose")
	form.Set("_token", tokenPattern.FindStringSubmatch(b.page)[1])
	req := httptest.NewRequest("POST", d.at("/compose"), strings.NewReader(form.Encode()))
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("HX-Request", "true")
	res, _ := b.do(req, 204)
	if to := res.Header.Get("HX-Redirect"); to != d.at("/sessions/"+d.composed(one).ID) {
		t.Errorf("led to %q", to)
	}
	wants(t, b.get(res.Header.Get("HX-Redirect"), 200), "S-1 is made of A-1.")
}

func TestTheOnlySubmissionOfASessionIsLinkedAndDetached(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	one := d.accepted("One")[0]
	b := d.as(staff.Organizer)
	wants(t, b.get(d.at("/sessions/"+one.ID), 200), "Compose into session", "In no session yet.")
	page := b.get(d.at("/compose?id="+one.ID), 200)
	wants(t, page, "one text with A-1 from then on", "Compose 1 submission")
	b.post(d.at("/compose"), pressed(fields(page), "compose"), 303)
	s := d.composed(one)
	here := d.at("/sessions/" + s.ID)
	page = b.get(here, 200)
	wants(t, page, "Linked: title and description are one text with A-1.", "Detach", "Edit the text of both")
	page = b.follow(b.post(here+"/detach", fields(page), 303))
	wants(t, page, "have a text of their own each", "Detached: A-1 has a text of its own.", "Link again", "Undo")
	// Undone at once.
	wants(t, b.follow(b.post(here+"/link", fields(between(page, `class="undo"`, "</form>")), 303)),
		"Linked: the text of S-1")
	b.post(here+"/detach", nil, 303)
	d.Clock.Move(time.Minute)
	modelstest.Must(d.Programme().UpdateSession(t.Context(), one.ID, models.SessionChange{Title: new("Its own")}))(t)
	modelstest.Emitted(t, d.Fixture)
	page = b.get(here+"/link", 200)
	wants(t, page, "A-1 loses its own", "Link again")
	form := fields(page)
	d.Clock.Move(time.Minute)
	modelstest.Must(d.Programme().UpdateSession(t.Context(), one.ID,
		models.SessionChange{Title: new("Its own still")}))(t)
	wants(t, b.follow(b.post(here+"/link", form, 303)), "was changed since you looked", "Its own still")
	modelstest.Emitted(t, d.Fixture)
	b.post(here+"/link", fields(b.page), 303)
	if got := d.emissions(); !slices.Equal(got, []string{"session.updated A-1"}) || d.read(one.ID).Title != "One" {
		t.Errorf("%v", got)
	}
	wants(t, b.follow(b.post(here+"/link", form, 303)), "There is nothing to link")
	wants(t, b.follow(b.post(d.at("/sessions/"+one.ID)+"/detach", nil, 303)),
		"shares its text with no submission any more")
}

func TestAnExistingSessionTakesMoreAndTellsWhatItCollidesWith(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	of := d.accepted("One", "Two")
	li := d.Speaker(t, d.Event, of[1].ID, models.NewContact{FirstName: "Li"})
	into, other := d.placed("Into", "", "09:00", "09:30"), d.placed("Other", "", "09:00", "10:00")
	d.Join(t, d.Event, other.ID, li, models.Speaking)
	modelstest.Must(d.Programme().Compose(t.Context(), []string{of[0].ID}, into.ID))(t)
	b := d.as(staff.Organizer)
	page := b.get(d.at("/compose?id="+of[1].ID), 200)
	form := fields(page)
	form.Set("find_into", "into")
	page = b.composing(form, "find-into", 200)
	wants(t, page, `aria-label="Choose S-1"`)
	page = b.composing(fields(page), "into:"+into.ID, 200)
	wants(t, page, "Parts of S-1", "In it already", "S-1 keeps its own", "Li</bdi> is also in",
		"A-1 keeps the text it has now")
	form = fields(page)
	form["minutes"] = []string{"20", "25"}
	wants(t, b.composing(form, "look", 200), "The parts take 15 min more than the 30 min")
	modelstest.Emitted(t, d.Fixture)
	page = b.follow(b.post(d.at("/compose"), pressed(form, "compose"), 303))
	wants(t, page, "S-1 is made of A-1 and A-2.", "Li</bdi> is also in", "09:20 · 25 min")
	if got := d.emissions(); !slices.Equal(got, []string{"session.updated S-1"}) {
		t.Errorf("%v", got)
	}
	// Out again, by leaving it out: the way to take back a mistaken composition.
	page = b.get(d.at("/compose?into="+into.ID), 200)
	page = b.composing(fields(page), "remove:"+of[1].ID, 200)
	wants(t, page, "A-2 leaves the session. Its people and text stay as they are.", "Save the parts of S-1")
	b.post(d.at("/compose"), pressed(fields(page), "compose"), 303)
	if s := d.read(of[1].ID); s.CompositionStatus.Role != "standalone" || len(d.emissions()) > 0 {
		t.Errorf("%+v", s.CompositionStatus)
	}
	page = b.get(d.at("/sessions/"+into.ID), 200)
	wants(t, page, "took parts out of it", "Detached: A-1 has a text of its own.")
}

func TestWhatChangedWhileSomebodyComposedIsToldAndNothingIsLost(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	of := d.accepted("Fine", "Composed", "Withdrawn", "Changed")
	b, other := d.as(staff.Organizer), d.as(staff.Owner)
	ids := url.Values{}
	for _, s := range of {
		ids.Add("id", s.ID)
	}
	form := fields(b.get(d.at("/compose?"+ids.Encode()), 200))
	form.Set("title_from", "new")
	form.Set("title", "Typed")
	form["minutes"] = []string{"10", "20", "30", "40"}

	d.Clock.Move(time.Minute)
	theirs := fields(other.get(d.at("/compose?id="+of[1].ID), 200))
	other.post(d.at("/compose"), pressed(theirs, "compose"), 303)
	withdrawn := models.Withdrawn
	modelstest.Must(d.Programme().UpdateSession(t.Context(), of[2].ID,
		models.SessionChange{SessionInput: models.SessionInput{Status: &withdrawn}}))(t)
	modelstest.Must(d.Programme().UpdateSession(t.Context(), of[3].ID,
		models.SessionChange{Title: new("Changed since")}))(t)
	modelstest.Emitted(t, d.Fixture)

	page := b.composing(form, "compose", 409)
	wants(t, page, "nothing you chose is lost", "Ada owner composed it into S-1 meanwhile.",
		"A-2 is in the session S-1 already. Take it out",
		"A-3 is withdrawn. Take it out", "changed this", "Changed since", `value="Typed"`, `value="40"`)
	page = b.composing(fields(page), "compose", 409) // nothing is done behind anybody's back
	for _, s := range of[1:3] {
		page = b.composing(fields(page), "remove:"+s.ID, 200)
	}
	if len(d.emissions()) > 0 {
		t.Error("something was composed")
	}
	page = b.follow(b.post(d.at("/compose"), pressed(fields(page), "compose"), 303))
	wants(t, page, "S-2 is made of A-1 and A-4.", "Typed")

	// Two who arrange one session: the later one sees what the other did, and keeps what they typed.
	s := d.composed(of[0])
	mine, theirs := fields(b.get(d.at("/compose?into="+s.ID), 200)), fields(other.get(d.at("/compose?into="+s.ID),
		200))
	more := d.accepted("More")[0]
	page = other.composing(theirs, "add:"+more.ID, 200)
	theirs = fields(page)
	other.post(d.at("/compose"), pressed(theirs, "compose"), 303)
	mine["minutes"] = []string{"11", "41"}
	page = b.composing(mine, "compose", 409)
	wants(t, page, "Ada owner changed S-2", "It was put into S-2 meanwhile.", `value="11"`, `value="41"`, "More")
	b.post(d.at("/compose"), pressed(fields(page), "compose"), 303)
	if sources := modelstest.Must(d.Programme().Sources(t.Context(),
		s.ID))(t); len(sources) != 3 || *sources[0].PartMinutes != 11 {
		t.Errorf("%d parts", len(sources))
	}
	// A session that is gone leaves the form as it is.
	form = fields(b.get(d.at("/compose?into="+s.ID), 200))
	modelstest.Must(d.Programme().DeleteSession(t.Context(), s.ID))(t)
	wants(t, b.composing(form, "look", 200), "The session that you chose is not there any more")
}

func TestASubmissionWhoseSessionIsInTheTrashLeadsThere(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	of := d.accepted("One", "Two")
	session := modelstest.Must(d.Programme().Compose(t.Context(), []string{of[0].ID}, ""))(t)
	b := d.as(staff.Organizer)
	lacks(t, b.get(d.at("/sessions/"+of[0].ID), 200), "in the Trash")
	modelstest.Must(d.Programme().DeleteSession(t.Context(), session.ID))(t)
	way := `href="` + d.at("/sessions/"+session.ID) + `"`
	wants(t, b.get(d.at("/sessions/"+of[0].ID), 200), way, "It is in the Trash. Restore it")
	page := b.get(d.at("/compose?id="+of[0].ID+"&id="+of[1].ID), 200)
	wants(t, page, "A-1 “One” is in the session S-1, which is in the Trash.", way, "Look at S-1 and restore it")
	wants(t, b.get(d.at("/sessions/"+session.ID), 200), d.at("/sessions/"+session.ID+"/restore"))
	b.post(d.at("/sessions/"+session.ID+"/restore"), nil, 303)
	lacks(t, b.get(d.at("/sessions/"+of[0].ID), 200), "in the Trash")
}

func TestOddCompositionsAreAnswered(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	one, session := d.accepted("One")[0], d.session(models.NewSession{Title: "Session"})
	theirs := modelstest.Must(d.Elsewhere().CreateSession(t.Context(), models.NewSession{Title: "Secret of others",
		IsAbstract:   true,
		SessionInput: models.SessionInput{Status: new(models.Accepted)}}))(t)
	b := d.as(staff.Organizer)
	for _, query := range []string{"?id=x", "?id=" + theirs.ID, "?into=" + theirs.ID, "?into=" + one.ID,
		"?id=" + session.ID, "?%zz", ""} {
		lacks(t, second("", b.get(d.at("/compose"+query), 200)), "Secret")
	}
	form := fields(b.get(d.at("/compose?id="+one.ID), 200))
	for _, c := range []struct {
		field, value string
		status       int
	}{{"minutes", "1441", 422}, {"part", theirs.ID, 409}, {"title_from", "new", 422}, {"part_token", "x", 409}} {
		odd := maps.Clone(form)
		odd[c.field] = []string{c.value}
		lacks(t, b.composing(odd, "compose", c.status), "Secret")
	}
	b.get(d.at("/compose"), 200)
	b.post(d.at("/compose"), url.Values{"do": {"compose"}}, 422)
	d.as(staff.Viewer).get(d.at("/compose?id="+one.ID), 403)
	d.as(staff.Reviewer).get(d.at("/sessions/"+session.ID+"/text"), 403)
}

func TestAllThatIsAcceptedIsComposedAsABatch(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	of := d.accepted("One", "Two", "Three")
	d.Speaker(t, d.Event, of[0].ID, models.NewContact{FirstName: "Li"})
	modelstest.Must(d.Programme().Compose(t.Context(), []string{of[2].ID}, ""))(t)
	b := d.as(staff.Organizer)
	wants(t, b.get(d.at(""), 200), "Compose them", "/submissions?needs=session&amp;status=accepted")
	// Of what cannot be composed it says so; where nothing can, it does not begin.
	mixed := fields(b.get(d.at("/submissions?status=accepted"), 200))
	mixed["id"] = []string{of[0].ID, of[2].ID}
	wants(t, second(b.post(d.at("/submissions/bulk"), pressed(mixed, "compose"), 200)), "Compose 1 submission?",
		"1 session made", "1 submission stays as it is: it is in a session already")
	mixed["id"] = []string{of[2].ID}
	wants(t, second(b.post(d.at("/submissions/bulk"), pressed(mixed, "compose"), 422)), "Nothing can be composed")
	page := b.get(d.at("/submissions?needs=session&status=accepted"), 200)
	wants(t, page, "Compose all 2, each into a session of its own…")
	form := url.Values{"query": {"needs=session&status=accepted"}, "scope": {"all"}, "do": {"compose"}}
	page = second(b.post(d.at("/submissions/bulk"), form, 200))
	wants(t, page, "Compose 2 submissions?", "2 sessions made, with 1 person on them",
		"2 of the sessions are held back",
		"session.created")
	modelstest.Emitted(t, d.Fixture)
	form = fields(page)
	form.Set("confirm", "yes")
	location, _ := b.post(d.at("/submissions/bulk"), form, 303)
	for modelstest.Must(d.RunBatch(t.Context(), 10))(t) {
	}
	wants(t, b.get(location, 200), "2 of 2 done", "In a session of its own now",
		"Compose, each into a session of its own")
	if got := d.emissions(); !slices.Equal(got, []string{"session.created S-2", "session.created S-3"}) {
		t.Errorf("%v", got)
	}
	b.post(d.at("/submissions/bulk"), form, 303) // sent again, it leads to the same batch
	if worked := modelstest.Must(d.RunBatch(t.Context(), 10))(t); worked || len(d.emissions()) > 0 {
		t.Error("it began again")
	}
	// Taken back, they are in no session, and what was made of them is in the Trash.
	b.get(location, 200)
	undo, _, _ := strings.Cut(location, "?")
	wants(t, b.follow(b.post(undo+"/undo", nil, 303)), "2 submissions are as they were.")
	if got := d.emissions(); !slices.Equal(got, []string{"session.deleted S-2", "session.deleted S-3"}) {
		t.Errorf("%v", got)
	}
	wants(t, b.get(d.at(""), 200), "Compose them")
	wants(t, b.get(d.at("/trash"), 200), "S-2", "S-3")
	page = b.get(location, 200)
	lacks(t, page, "/undo")
	wants(t, b.get(unescape(between(page, `This was <a href="`, `"`)), 200), "In no session any more")
}

func TestCompositionPagesCostAFixedNumberOfStatements(t *testing.T) {
	t.Parallel()
	for _, dialect := range modelstest.Dialects {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			d := openOn(t, dialect, Options{})
			var titles []string
			for range 12 {
				titles = append(titles, "Tide")
			}
			of := d.accepted(titles...)
			ids := url.Values{}
			var chosen []string
			for _, s := range of {
				d.Speaker(t, d.Event, s.ID, models.NewContact{FirstName: "Li"})
				ids.Add("id", s.ID)
				chosen = append(chosen, s.ID)
			}
			b := d.as(staff.Organizer)
			count := func(what string, most int, path string) {
				t.Helper()
				if n := len(d.Statement.During(func() { b.get(path, 200) })); n > most {
					t.Errorf("%s takes %d statements, at most %d", what, n, most)
				}
			}
			b.get(d.at("/compose?"+ids.Encode()), 200)
			count("a composition of 12", 13, d.at("/compose?"+ids.Encode()))
			s := modelstest.Must(d.Programme().Compose(t.Context(), chosen, ""))(t)
			count("the parts of a session", 18, d.at("/compose?into="+s.ID))
			count("a record with 12 parts", 18, d.at("/sessions/"+s.ID))
			count("the editor of a text", 10, d.at("/sessions/"+s.ID+"/text"))
		})
	}
}
