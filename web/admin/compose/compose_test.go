package compose_test

import (
	"html"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/web/admin/admintest"
)

func TestSubmissionsAreComposedOnAPageOfTheirOwn(t *testing.T) {
	d := admintest.Open(t)
	of := d.Accepted("One", "Two", "Three")
	li := d.Speaker(t, d.Event, of[0].ID, models.NewContact{FirstName: "Li", Email: "li@example.org"})
	d.Join(t, d.Event, of[1].ID, li, models.Moderator)
	d.Speaker(t, d.Event, of[1].ID, models.NewContact{FirstName: "Noor"})
	b := d.As(staff.Organizer)

	// From the list's bar, through the page, by its buttons.
	form := admintest.Fields(b.Get(d.At("/submissions?status=accepted"), 200))
	form["id"] = []string{of[0].ID, of[1].ID}
	page := b.Follow(b.Post(d.At("/submissions/bulk"), admintest.Pressed(form, "compose-into"), 303))
	admintest.Wants(t, page, "One", "Two", "from A-1, A-2", "Compose 2 submissions",
		"Held back from the public until the letters of A-1 and A-2",
		"Each submission keeps its own text.", "Accepted, in no session yet:", `aria-label="Add A-3"`)
	page = composing(b, admintest.Fields(page), "add:"+of[2].ID, 200)
	page = composing(b, admintest.Fields(page), "up:"+of[2].ID, 200)
	page = composing(b, admintest.Fields(page), "remove:"+of[1].ID, 200)
	admintest.Lacks(t, page, "Role of Noor")
	page = composing(b, admintest.Fields(page), "add:"+of[1].ID, 200)
	form = admintest.Fields(page)
	if parts := form["part"]; !slices.Equal(parts, []string{of[0].ID, of[2].ID, of[1].ID}) {
		t.Fatalf("the parts are %v", parts)
	}
	form["minutes"] = []string{"20", "", "25"}
	admintest.Fill(form, "title_from", "new", "title", "Three in one <b>", "description_from", "all")
	form["role"] = []string{"chairperson", "speaker"}
	admintest.Wants(t, composing(b, form, "look", 200), "45", "minutes in all")
	modelstest.Emitted(t, d.Fixture)
	admintest.Wants(t, b.Follow(b.Post(d.At("/compose"), admintest.Pressed(form, "compose"), 303)),
		"S-1 is made of A-1, A-3 and A-2.", "Three in one &lt;b&gt;", "Made from", "A-3 Three", "20 min", "25 min",
		"45 min in all, and 1 part without minutes")
	s := d.Composed(of[1])
	if s.Title != "Three in one <b>" || len(s.Participants) != 2 || s.Participants[0].Role != models.Chairperson ||
		!strings.Contains(s.Description, "<h3>Three</h3>\n<p>About Three</p>") {
		t.Errorf("%+v", s)
	}
	modelstest.WantAll(t, "the emissions", d.Emissions(), []string{"session.created S-1"})
	// Sent twice, it leads to what it made.
	location, _ := b.Post(d.At("/compose"), form, 303)
	if location != d.At("/sessions/"+s.ID) || len(d.Emissions()) > 0 {
		t.Error("it was composed twice:", location)
	}
	admintest.Wants(t, b.Get(d.At("/activity"), 200), "composed", "arranged the parts of")
	admintest.Wants(t, b.Get(d.At("/sessions/"+of[0].ID), 200), "In the session S-1.", "composed it into a session")
}

// composing presses a button of the composition's form and returns the page that answers.
func composing(b *admintest.Browser, form url.Values, do string, status int) string {
	b.T.Helper()
	return b.Answer(b.At("/compose"), admintest.Pressed(form, do), status)
}

func TestAScriptThatComposesGoesToTheSession(t *testing.T) {
	d := admintest.Open(t)
	one := d.Accepted("One")[0]
	b := d.As(staff.Organizer)
	admintest.Wants(t, b.Get(d.At("/compose"), 200), "Compose into session</button>")
	form := admintest.Pressed(admintest.Fields(b.Get(d.At("/compose?id="+one.ID), 200)), "compose")
	req := b.FormRequest(d.At("/compose"), form)
	req.Header.Set("HX-Request", "true")
	res, _ := b.Do(req, 204)
	modelstest.Want(t, "led to", res.Header.Get("HX-Redirect"), d.At("/sessions/"+d.Composed(one).ID))
	admintest.Wants(t, b.Get(res.Header.Get("HX-Redirect"), 200), "S-1 is made of A-1.")
}

func TestTheOnlySubmissionOfASessionIsLinkedAndDetached(t *testing.T) {
	d := admintest.Open(t)
	one := d.Accepted("One")[0]
	b := d.As(staff.Organizer)
	admintest.Wants(t, b.Get(d.At("/sessions/"+one.ID), 200), "Compose into session", "In no session yet.")
	page := b.Get(d.At("/compose?id="+one.ID), 200)
	admintest.Wants(t, page, "one text with A-1 from then on", "Compose 1 submission")
	b.Post(d.At("/compose"), admintest.Pressed(admintest.Fields(page), "compose"), 303)
	s := d.Composed(one)
	here := d.At("/sessions/" + s.ID)
	page = b.Get(here, 200)
	admintest.Wants(t, page, "Linked: title and description are one text with A-1.", "Detach", "Edit the text of both")
	page = b.Follow(b.Post(here+"/detach", admintest.Fields(page), 303))
	admintest.Wants(t, page, "have a text of their own each", "Detached: A-1 has a text of its own.", "Link again", "Undo")
	// Undone at once.
	admintest.Wants(t, b.Follow(b.Post(here+"/link", admintest.UndoOf(page), 303)), "Linked: the text of S-1")
	b.Post(here+"/detach", nil, 303)
	d.Clock.Move(time.Minute)
	modelstest.Must(d.Programme().UpdateSession(t.Context(), one.ID, models.SessionChange{Title: new("Its own")}))(t)
	modelstest.Emitted(t, d.Fixture)
	admintest.Wants(t, b.Get(here+"/link", 200), "A-1 loses its own", "Link again")
	form := admintest.Fields(b.Text)
	d.Clock.Move(time.Minute)
	modelstest.Must(d.Programme().UpdateSession(t.Context(), one.ID, models.SessionChange{Title: new("Its own still")}))(t)
	admintest.Wants(t, b.Follow(b.Post(here+"/link", form, 303)), "was changed since you looked", "Its own still")
	modelstest.Emitted(t, d.Fixture)
	b.Post(here+"/link", admintest.Fields(b.Page), 303)
	if got := d.Emissions(); !slices.Equal(got, []string{"session.updated A-1"}) || d.Read(one.ID).Title != "One" {
		t.Errorf("%v", got)
	}
	admintest.Wants(t, b.Follow(b.Post(here+"/link", form, 303)), "There is nothing to link")
	admintest.Wants(t, b.Follow(b.Post(d.At("/sessions/"+one.ID)+"/detach", nil, 303)),
		"shares its text with no submission any more")
}

func TestAnExistingSessionTakesMoreAndTellsWhatItCollidesWith(t *testing.T) {
	d := admintest.Open(t)
	of := d.Accepted("One", "Two")
	li := d.Speaker(t, d.Event, of[1].ID, models.NewContact{FirstName: "Li"})
	into, other := d.Placed("Into", "", "09:00", "09:30"), d.Placed("Other", "", "09:00", "10:00")
	d.Join(t, d.Event, other.ID, li, models.Speaking)
	modelstest.Must(d.Programme().Compose(t.Context(), []string{of[0].ID}, into.ID))(t)
	b := d.As(staff.Organizer)
	page := b.Get(d.At("/compose?id="+of[1].ID), 200)
	form := admintest.Fill(admintest.Fields(page), "find_into", "into")
	page = composing(b, form, "find-into", 200)
	admintest.Wants(t, page, `aria-label="Choose S-1"`)
	page = composing(b, admintest.Fields(page), "into:"+into.ID, 200)
	admintest.Wants(t, page, "Parts of S-1", "In it already", "S-1 keeps its own", "Li</bdi> is also in",
		"A-1 keeps the text it has now")
	form = admintest.Fields(page)
	form["minutes"] = []string{"20", "25"}
	admintest.Wants(t, composing(b, form, "look", 200), "The parts take 15 min more than the 30 min")
	modelstest.Emitted(t, d.Fixture)
	page = b.Follow(b.Post(d.At("/compose"), admintest.Pressed(form, "compose"), 303))
	admintest.Wants(t, page, "S-1 is made of A-1 and A-2.", "Li</bdi> is also in", "09:20 · 25 min")
	modelstest.WantAll(t, "the emissions", d.Emissions(), []string{"session.updated S-1"})
	// Out again, by leaving it out: the way to take back a mistaken composition.
	page = b.Get(d.At("/compose?into="+into.ID), 200)
	page = composing(b, admintest.Fields(page), "remove:"+of[1].ID, 200)
	admintest.Wants(t, page, "A-2 leaves the session. Its people and text stay as they are.", "Save the parts of S-1")
	b.Post(d.At("/compose"), admintest.Pressed(admintest.Fields(page), "compose"), 303)
	if s := d.Read(of[1].ID); s.CompositionStatus.Role != "standalone" || len(d.Emissions()) > 0 {
		t.Errorf("%+v", s.CompositionStatus)
	}
	page = b.Get(d.At("/sessions/"+into.ID), 200)
	admintest.Wants(t, page, "took parts out of it", "Detached: A-1 has a text of its own.")
}

func TestWhatChangedWhileSomebodyComposedIsToldAndNothingIsLost(t *testing.T) {
	d := admintest.Open(t)
	of := d.Accepted("Fine", "Composed", "Withdrawn", "Changed")
	b, other := d.As(staff.Organizer), d.As(staff.Owner)
	ids := url.Values{}
	for _, s := range of {
		ids.Add("id", s.ID)
	}
	form := admintest.Fill(admintest.Fields(b.Get(d.At("/compose?"+ids.Encode()), 200)), "title_from", "new",
		"title", "Typed")
	form["minutes"] = []string{"10", "20", "30", "40"}

	d.Clock.Move(time.Minute)
	theirs := admintest.Fields(other.Get(d.At("/compose?id="+of[1].ID), 200))
	other.Post(d.At("/compose"), admintest.Pressed(theirs, "compose"), 303)
	modelstest.SetStatus(t, d.Programme(), of[2].ID, models.Withdrawn)
	modelstest.Must(d.Programme().UpdateSession(t.Context(), of[3].ID,
		models.SessionChange{Title: new("Changed since")}))(t)
	modelstest.Emitted(t, d.Fixture)

	page := composing(b, form, "compose", 409)
	admintest.Wants(t, page, "nothing you chose is lost", "Ada owner composed it into S-1 meanwhile.",
		"A-2 is in the session S-1 already. Take it out",
		"A-3 is withdrawn. Take it out", "changed this", "Changed since", `value="Typed"`, `value="40"`)
	page = composing(b, admintest.Fields(page), "compose", 409) // nothing is done behind anybody's back
	for _, s := range of[1:3] {
		page = composing(b, admintest.Fields(page), "remove:"+s.ID, 200)
	}
	if len(d.Emissions()) > 0 {
		t.Error("something was composed")
	}
	page = b.Follow(b.Post(d.At("/compose"), admintest.Pressed(admintest.Fields(page), "compose"), 303))
	admintest.Wants(t, page, "S-2 is made of A-1 and A-4.", "Typed")

	// Two who arrange one session: the later one sees what the other did, and keeps what they typed.
	s := d.Composed(of[0])
	mine, theirs := admintest.Fields(b.Get(d.At("/compose?into="+s.ID), 200)),
		admintest.Fields(other.Get(d.At("/compose?into="+s.ID), 200))
	more := d.Accepted("More")[0]
	page = composing(other, theirs, "add:"+more.ID, 200)
	theirs = admintest.Fields(page)
	other.Post(d.At("/compose"), admintest.Pressed(theirs, "compose"), 303)
	mine["minutes"] = []string{"11", "41"}
	page = composing(b, mine, "compose", 409)
	admintest.Wants(t, page, "Ada owner changed S-2", "It was put into S-2 meanwhile.", `value="11"`, `value="41"`, "More")
	b.Post(d.At("/compose"), admintest.Pressed(admintest.Fields(page), "compose"), 303)
	if sources := modelstest.Must(d.Programme().Sources(t.Context(),
		s.ID))(t); len(sources) != 3 || *sources[0].PartMinutes != 11 {
		t.Errorf("%d parts", len(sources))
	}
	// A session that is gone leaves the form as it is.
	form = admintest.Fields(b.Get(d.At("/compose?into="+s.ID), 200))
	modelstest.Must(d.Programme().DeleteSession(t.Context(), s.ID))(t)
	admintest.Wants(t, composing(b, form, "look", 200), "The session that you chose is not there any more")
}

func TestASubmissionWhoseSessionIsInTheTrashLeadsThere(t *testing.T) {
	d := admintest.Open(t)
	of := d.Accepted("One", "Two")
	session := modelstest.Must(d.Programme().Compose(t.Context(), []string{of[0].ID}, ""))(t)
	b := d.As(staff.Organizer)
	admintest.Lacks(t, b.Get(d.At("/sessions/"+of[0].ID), 200), "in the Trash")
	modelstest.Must(d.Programme().DeleteSession(t.Context(), session.ID))(t)
	way := `href="` + d.At("/sessions/"+session.ID) + `"`
	admintest.Wants(t, b.Get(d.At("/sessions/"+of[0].ID), 200), way, "It is in the Trash. Restore it")
	page := b.Get(d.At("/compose?id="+of[0].ID+"&id="+of[1].ID), 200)
	admintest.Wants(t, page, "A-1 “One” is in the session S-1, which is in the Trash.", way, "Look at S-1 and restore it")
	admintest.Wants(t, b.Get(d.At("/sessions/"+session.ID), 200), d.At("/sessions/"+session.ID+"/restore"))
	b.Post(d.At("/sessions/"+session.ID+"/restore"), nil, 303)
	admintest.Lacks(t, b.Get(d.At("/sessions/"+of[0].ID), 200), "in the Trash")
}

func TestOddCompositionsAreAnswered(t *testing.T) {
	d := admintest.Open(t)
	one, session := d.Accepted("One")[0], d.Session(models.NewSession{Title: "Session"})
	theirs := d.Foreign(models.NewSession{Title: "Secret of others", IsAbstract: true,
		SessionInput: models.SessionInput{Status: new(models.Accepted)}})
	b := d.As(staff.Organizer)
	for _, query := range []string{"?id=x", "?id=" + theirs.ID, "?into=" + theirs.ID, "?into=" + one.ID,
		"?id=" + session.ID, "?%zz", ""} {
		admintest.Lacks(t, b.Get(d.At("/compose"+query), 200), "Secret")
	}
	form := admintest.Fields(b.Get(d.At("/compose?id="+one.ID), 200))
	for _, c := range []struct {
		field, value string
		status       int
	}{{"minutes", "1441", 422}, {"part", theirs.ID, 409}, {"title_from", "new", 422}, {"part_token", "x", 409}} {
		odd := maps.Clone(form)
		odd[c.field] = []string{c.value}
		admintest.Lacks(t, composing(b, odd, "compose", c.status), "Secret")
	}
	b.On(d.At("/compose")).Post(d.At("/compose"), url.Values{"do": {"compose"}}, 422)
	d.As(staff.Viewer).Get(d.At("/compose?id="+one.ID), 403)
	d.As(staff.Reviewer).Get(d.At("/sessions/"+session.ID+"/text"), 403)
}

func TestAllThatIsAcceptedIsComposedAsABatch(t *testing.T) {
	d := admintest.Open(t)
	of := d.Accepted("One", "Two", "Three")
	d.Speaker(t, d.Event, of[0].ID, models.NewContact{FirstName: "Li"})
	modelstest.Must(d.Programme().Compose(t.Context(), []string{of[2].ID}, ""))(t)
	b := d.As(staff.Organizer)
	admintest.Wants(t, b.Get(d.At(""), 200), "Compose them", "/submissions?needs=session&amp;status=accepted")
	// Of what cannot be composed it says so; where nothing can, it does not begin.
	mixed := admintest.Fields(b.Get(d.At("/submissions?status=accepted"), 200))
	mixed["id"] = []string{of[0].ID, of[2].ID}
	admintest.Wants(t, b.Answer(d.At("/submissions/bulk"), admintest.Pressed(mixed, "compose"), 200),
		"Compose 1 submission?", "1 session made", "1 submission stays as it is: it is in a session already")
	mixed["id"] = []string{of[2].ID}
	admintest.Wants(t, b.Answer(d.At("/submissions/bulk"), admintest.Pressed(mixed, "compose"), 422),
		"Nothing can be composed")
	page := b.Get(d.At("/submissions?needs=session&status=accepted"), 200)
	admintest.Wants(t, page, "Compose all 2, each into a session of its own…")
	form := url.Values{"query": {"needs=session&status=accepted"}, "scope": {"all"}, "do": {"compose"}}
	page = b.Answer(d.At("/submissions/bulk"), form, 200)
	admintest.Wants(t, page, "Compose 2 submissions?", "2 sessions made, with 1 person on them",
		"2 of the sessions are held back", "session.created")
	modelstest.Emitted(t, d.Fixture)
	form = admintest.Fill(admintest.Fields(page), "confirm", "yes")
	location, _ := b.Post(d.At("/submissions/bulk"), form, 303)
	d.Work()
	admintest.Wants(t, b.Get(location, 200), "2 of 2 done", "In a session of its own now",
		"Compose, each into a session of its own")
	modelstest.WantAll(t, "the emissions", d.Emissions(), []string{"session.created S-2", "session.created S-3"})
	b.Post(d.At("/submissions/bulk"), form, 303) // sent again, it leads to the same batch
	if worked := modelstest.Must(d.RunBatch(t.Context(), 10))(t); worked || len(d.Emissions()) > 0 {
		t.Error("it began again")
	}
	// Taken back, they are in no session, and what was made of them is in the Trash.
	b.Get(location, 200)
	undo, _, _ := strings.Cut(location, "?")
	admintest.Wants(t, b.Follow(b.Post(undo+"/undo", nil, 303)), "2 submissions are as they were.")
	modelstest.WantAll(t, "the emissions", d.Emissions(), []string{"session.deleted S-2", "session.deleted S-3"})
	admintest.Wants(t, b.Get(d.At(""), 200), "Compose them")
	admintest.Wants(t, b.Get(d.At("/trash"), 200), "S-2", "S-3")
	page = b.Get(location, 200)
	admintest.Lacks(t, page, "/undo")
	admintest.Wants(t, b.Get(html.UnescapeString(admintest.Between(page, `This was <a href="`, `"`)), 200),
		"In no session any more")
}

func TestCompositionPagesCostAFixedNumberOfStatements(t *testing.T) {
	admintest.Each(t, func(t *testing.T, d *admintest.Desk) {
		var titles []string
		for range 12 {
			titles = append(titles, "Tide")
		}
		of := d.Accepted(titles...)
		ids := url.Values{}
		var chosen []string
		for _, s := range of {
			d.Speaker(t, d.Event, s.ID, models.NewContact{FirstName: "Li"})
			ids.Add("id", s.ID)
			chosen = append(chosen, s.ID)
		}
		b := d.As(staff.Organizer)
		count := func(what string, most int, path string) {
			t.Helper()
			if n := len(d.Statement.During(func() { b.Get(path, 200) })); n > most {
				t.Errorf("%s takes %d statements, at most %d", what, n, most)
			}
		}
		b.Get(d.At("/compose?"+ids.Encode()), 200)
		count("a composition of 12", 13, d.At("/compose?"+ids.Encode()))
		s := modelstest.Must(d.Programme().Compose(t.Context(), chosen, ""))(t)
		count("the parts of a session", 18, d.At("/compose?into="+s.ID))
		count("a record with 12 parts", 20, d.At("/sessions/"+s.ID))
		count("the editor of a text", 10, d.At("/sessions/"+s.ID+"/text"))
	})
}
