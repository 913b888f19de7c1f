package triage_test

import (
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/reviews"
	"lectern/models/seed"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
	"lectern/web/admin/visit"
)

// sortingDesk has submissions with the scores 5, 4, 3 and none, the first two on a track that wants one.
type sortingDesk struct {
	*admintest.Desk
	olga   *admintest.Browser
	papers []*models.Session
	track  string
}

func openTriage(t *testing.T, dialect string) *sortingDesk {
	t.Helper()
	d := &sortingDesk{Desk: admintest.OpenOn(t, dialect, visit.Options{})}
	d.track = d.Add(d.Programme(), models.Tracks, models.NewMetadata{Name: "Harbours", Wanted: new(1)}).ID
	rita := d.Fixture.Hire(t, "rita", staff.Reviewer)
	for i, title := range []string{"Tides", "Nets", "Ropes", "Knots"} {
		n := models.NewSession{Title: title, IsAbstract: true}
		n.Description = new("<p>The text of " + title + "</p>")
		if i < 2 {
			n.TrackID.Set, n.TrackID.Value = true, &d.track
		}
		s := d.Session(n)
		d.papers = append(d.papers, s)
		if i < 3 {
			modelstest.Fine(t, d.Programme().GiveReview(t.Context(), rita, s.ID, models.Opinion{Score: 5 - i,
				Comment: "Said of " + title}))
		}
	}
	d.olga = d.As(staff.Organizer)
	return d
}

// press sends the form that a key sends on the browser's page.
func (d *sortingDesk) press(b *admintest.Browser, s *models.Session, query, to string, status int) (location,
	page string) {
	token := regexp.MustCompile(`name="updated_at" value="([^"]+)"`).FindStringSubmatch(b.Page)
	if token == nil {
		d.T.Fatal("the page has no keys")
	}
	return b.Post(d.At("/triage/"+s.ID+query), url.Values{"to": {to}, "updated_at": {token[1]}}, status)
}

func (d *sortingDesk) wantStatuses(want ...models.Status) {
	d.T.Helper()
	for i, status := range want {
		modelstest.Want(d.T, d.papers[i].FriendlyID+" is", d.Read(d.papers[i].ID).Status, status)
	}
}

func TestTriageGoesThroughTheListByKeys(t *testing.T) {
	admintest.EachDialect(t, func(t *testing.T, dialect string) {
		d := openTriage(t, dialect)
		page := d.olga.Get(d.At("/triage"), 200)
		admintest.Wants(t, page, "0 of 4 sorted", "The text of Tides", "Said of Tides", `data-key="a"`, `data-key="d"`,
			`data-key="p"`, `rel="next"`, "No review", "Leave pending", "0 accepted, 0 in the accept queue, 1 wanted")
		admintest.Lacks(t, page, "The text of Nets", `data-key="z"`, "Commit", `rel="prev"`)
		if order := regexp.MustCompile(`dir="auto" ?(?:aria-current="true")?>(Tides|Nets|Ropes|Knots)<`).FindAllString(page, -1); len(order) <
			4 || !strings.Contains(order[0], "Tides") || !strings.Contains(order[3], "Knots") {
			t.Errorf("the order is %q", order)
		}

		page = d.olga.Follow(d.press(d.olga, d.papers[0], "", "accept_queue", 303))
		admintest.Wants(t, page, "A-1 is in the accept queue.", "The text of Nets", "1 of 4 sorted", "Commit 1 decision…",
			`data-key="z"`)
		admintest.Lacks(t, page, "over its")
		admintest.Wants(t, page, `name="queue" value="both"`)
		preview, _ := d.olga.Post(d.At("/decisions"), url.Values{"queue": {"both"}}, 303)
		admintest.Wants(t, d.olga.Follow(preview, ""), "Commit 1 decision", "Tides")
		d.olga.Get(d.At("/triage"), 200)
		page = d.olga.Follow(d.press(d.olga, d.papers[1], "", "pending", 303))
		admintest.Wants(t, page, "The text of Ropes", `rel="prev"`)
		admintest.Lacks(t, page, "A-2 is")
		d.olga.Get(d.At("/triage/"+d.papers[1].ID), 200)
		page = d.olga.Follow(d.press(d.olga, d.papers[1], "", "accept_queue", 303))
		admintest.Wants(t, page, "1 over", "2 of 4 sorted")
		admintest.Wants(t, d.olga.Get(d.At("/triage?status=accept_queue"), 200),
			"“<bdi>Harbours</bdi>” is 1 over its 1 session", "Leave it there", "Its speakers see “Pending”")
		d.wantStatuses(models.AcceptQueue, models.AcceptQueue, models.Pending, models.Pending)

		// The last steps are taken back one after the other, and each leads to what it was of.
		for i, want := range []string{"A-2 is pending again.", "A-1 is pending again."} {
			batch := regexp.MustCompile(`name="batch" value="([^"]+)"`).FindStringSubmatch(d.olga.Page)
			page = d.olga.Follow(d.olga.Post(d.At("/triage/undo"), url.Values{"batch": {batch[1]}}, 303))
			admintest.Wants(t, page, want, "The text of "+[]string{"Nets", "Tides"}[i])
			if i == 0 {
				again, _ := d.olga.Post(d.At("/triage/undo"), url.Values{"batch": {batch[1]}}, 303)
				admintest.Wants(t, d.olga.Get(again, 200), "Nothing was undone")
			}
		}
		admintest.Lacks(t, page, `data-key="z"`)
		d.wantStatuses(models.Pending, models.Pending, models.Pending, models.Pending)

		// The last one of a list leads to the one before it, and an empty list says so.
		d.olga.Follow(d.press(d.olga, d.papers[0], "?q=Tides", "decline_queue", 303))
		admintest.Wants(t, d.olga.Page, "Nothing matches", "Clear filters")
		for _, i := range []int{3, 2, 1} {
			d.olga.Get(d.At("/triage/"+d.papers[i].ID), 200)
			page = d.olga.Follow(d.press(d.olga, d.papers[i], "", "decline_queue", 303))
		}
		admintest.Wants(t, page, "All sorted", "4 of 4 sorted", "A-2 is in the decline queue.")
	})
}

func TestTwoWhoSortAtOnceOverwriteNothing(t *testing.T) {
	admintest.EachDialect(t, func(t *testing.T, dialect string) {
		d := openTriage(t, dialect)
		li := d.As(staff.Organizer)
		paper := d.At("/triage/" + d.papers[0].ID)
		d.olga.Get(paper, 200)
		li.Get(paper, 200)
		d.press(d.olga, d.papers[0], "", "decline_queue", 303)
		d.Clock.Move(2 * time.Minute)
		before := d.Rows("batches")
		_, page := d.press(li, d.papers[0], "", "accept_queue", 409)
		admintest.Wants(t, page, "Ada organizer changed A-1 ", " ago, it is in the decline queue. Nothing was overwritten.",
			"The text of Tides", "Leave it there")
		d.wantStatuses(models.DeclineQueue)
		modelstest.Want(t, "what was refused left a step", d.Rows("batches"), before)
		// Once they have seen it, their key counts.
		d.press(li, d.papers[0], "", "accept_queue", 303)
		d.wantStatuses(models.AcceptQueue)
		// Whose step is gone on is offered no undo of it, and cannot send one.
		admintest.Lacks(t, d.olga.Get(d.At("/triage"), 200), `data-key="z"`)

		d.olga.Get(d.At("/triage/"+d.papers[1].ID), 200)
		li.Get(d.At("/triage/"+d.papers[1].ID), 200)
		d.press(li, d.papers[1], "", "accept_queue", 303)
		_, page = d.press(d.olga, d.papers[1], "", "accept_queue", 409)
		admintest.Wants(t, page, "That is what you wanted too.")

		batch := regexp.MustCompile(`name="batch" value="([^"]+)"`).FindStringSubmatch(li.Get(d.At("/triage"), 200))
		location, _ := d.olga.Post(d.At("/triage/undo"), url.Values{"batch": {batch[1]}}, 303)
		admintest.Wants(t, d.olga.Get(location, 200), "Nothing was undone")
		d.wantStatuses(models.AcceptQueue, models.AcceptQueue)
	})
}

func TestTriageDecidesNothingAndShowsOnlyItsOwn(t *testing.T) {
	admintest.EachDialect(t, func(t *testing.T, dialect string) {
		d := openTriage(t, dialect)
		modelstest.SetStatus(t, d.Programme(), d.papers[1].ID, models.Accepted)
		page := d.olga.Get(d.At("/triage/"+d.papers[1].ID), 200)
		admintest.Wants(t, page, "It is decided. Its status is changed on its page.")
		admintest.Lacks(t, page, `data-key="a"`, `name="updated_at"`)
		token := d.Read(d.papers[1].ID).UpdatedAt.String()
		d.olga.Follow(d.olga.Post(d.At("/triage/"+d.papers[1].ID), url.Values{"to": {"pending"}, "updated_at": {token}}, 303))
		admintest.Wants(t, d.olga.Page, "is not waiting for a decision")
		for _, to := range []string{"accepted", "declined", "draft", "", "nonsense"} {
			d.olga.Get(d.At("/triage/"+d.papers[0].ID), 200)
			d.press(d.olga, d.papers[0], "", to, 303)
		}
		d.wantStatuses(models.Pending, models.Accepted, models.Pending)

		programme := d.Session(models.NewSession{Title: "A programme session"})
		gone := d.Session(models.NewSession{Title: "Gone", IsAbstract: true})
		modelstest.Must(d.Programme().DeleteSession(t.Context(), gone.ID))(t)
		foreign := d.Foreign(models.NewSession{Title: "Foreign", IsAbstract: true})
		for _, s := range []*models.Session{programme, gone, foreign} {
			admintest.Lacks(t, d.olga.Get(d.At("/triage/"+s.ID), 404), s.Title)
			d.olga.Get(d.At("/triage"), 200)
			d.olga.Post(d.At("/triage/"+s.ID), url.Values{"to": {"accept_queue"}, "updated_at": {s.UpdatedAt.String()}},
				map[bool]int{true: 303, false: 404}[s == programme])
		}
		modelstest.Want(t, "the programme session is", d.Read(programme.ID).Status, models.Accepted)
		// Who does not organize comes in by no address, and learns no order of scores by the list's name.
		for _, role := range []staff.Role{staff.Viewer, staff.Reviewer} {
			b := d.As(role)
			for _, path := range []string{"/triage", "/triage/" + d.papers[0].ID} {
				admintest.Lacks(t, b.Get(d.At(path), 403), "Tides", "Said of")
			}
			b.Post(d.At("/triage/"+d.papers[0].ID), url.Values{"to": {"accept_queue"}}, 403)
			admintest.Lacks(t, b.Get(d.At("/submissions"), 200), "/triage")
			if page := b.Get(d.At("/sessions/"+d.papers[0].ID+"?in=triage"), 200); strings.Contains(page, ">Triage<") {
				t.Errorf("%s is led through triage", role)
			}
		}
		admintest.Wants(t, d.olga.Get(d.At("/sessions/"+d.papers[0].ID+"?in=triage"), 200), ">Triage<", "1 of 3")
	})
}

func TestTriageIsFilteredAndOrderedByARound(t *testing.T) {
	admintest.EachDialect(t, func(t *testing.T, dialect string) {
		d := openTriage(t, dialect)
		rounds := reviews.Of(d.Programme())
		round := modelstest.Must(rounds.Create(t.Context(), reviews.Settings{Name: "Second look"}))(t)
		tim := d.Fixture.Hire(t, "tim", staff.Reviewer)
		modelstest.Fine(t, rounds.AddReviewers(t.Context(), round.ID, []string{tim.ID}))
		card := modelstest.Must(rounds.Round(t.Context(), round.ID))(t).Card
		for paper, points := range map[int]string{2: "5", 0: "2"} {
			modelstest.Fine(t, rounds.AssignTo(t.Context(), round.ID, d.papers[paper].ID, []string{tim.ID}))
			modelstest.Fine(t, rounds.Give(t.Context(), tim, round.ID, d.papers[paper].ID, reviews.Verdict{State: models.Scored,
				Answers: map[string]string{card[0].ID: points}, Comment: "Second thoughts"}))
		}
		admintest.Wants(t, d.olga.Get(d.At("/triage?sort=round&round="+round.ID), 200), "The text of Ropes",
			"Second thoughts", "Second look", "5.00", "All submissions", "3.00", "Best in “Second look” first")
		page := d.olga.Get(d.At("/triage/"+d.papers[0].ID+"?sort=round&round="+round.ID), 200)
		if next := regexp.MustCompile(`rel="next" href="[^"]+/triage/([0-9a-f-]+)`).FindStringSubmatch(page); next == nil ||
			next[1] != d.papers[3].ID && next[1] != d.papers[1].ID {
			t.Errorf("after the one with 2 points comes %q", next)
		}
		// In no order of rounds it is the mean of all, with what they are apart.
		admintest.Wants(t, d.olga.Get(d.At("/triage/"+d.papers[0].ID), 200), "3.50", "±1.50")
		admintest.Wants(t, d.olga.Get(d.At("/triage?track="+d.track+"&q=nets"), 200), "The text of Nets", "Harbours")
		admintest.Lacks(t, d.olga.Text, "The text of Tides", ">Ropes<")
		next, _ := d.press(d.olga, d.papers[1], "?track="+d.track, "accept_queue", 303)
		admintest.Wants(t, next, d.papers[0].ID, "track="+d.track)
		// Odd orders and rounds of elsewhere are left out, or order nothing.
		for _, query := range []string{"sort=round", "sort=round&round=x", "sort=round&round=" + d.Other.ID,
			"round=" + round.ID, "sort=nonsense", "status=accepted", "status=nonsense"} {
			d.olga.Get(d.At("/triage?"+query), 200)
		}
	})
}

func TestAKeyCostsAFixedNumberOfStatements(t *testing.T) {
	admintest.EachDialect(t, func(t *testing.T, dialect string) {
		d := openTriage(t, dialect)
		modelstest.Fine(t, seed.Fill(t.Context(), d.Programme(), 200, 40))
		d.olga.Get(d.At("/triage/"+d.papers[0].ID), 200)
		statements := d.Statement.During(func() { d.press(d.olga, d.papers[0], "", "accept_queue", 303) })
		if len(statements) > 24 {
			t.Errorf("a key takes %d statements:\n%s", len(statements), statements)
		}
		d.olga.Get(d.At("/triage/"+d.papers[1].ID), 200)
		statements = d.Statement.During(func() { d.press(d.olga, d.papers[1], "", "pending", 303) })
		if len(statements) > 14 {
			t.Errorf("a key that changes nothing takes %d statements:\n%s", len(statements), statements)
		}
	})
}

func TestHowManyAreWantedIsSaidOnTheirPages(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	wanted := func(family models.Family, name string) *int {
		t.Helper()
		return modelstest.First(d.Programme().ListMetadata(t.Context(), family, name, store.Page{Size: 1}))(t)[0].Wanted
	}
	for family, own := range map[models.Family]url.Values{models.Tracks: {"color": {"#1F4E5F"}},
		models.Formats: {"default_minutes": {"30"}}} {
		path := d.At("/metadata/" + string(family))
		admintest.Wants(t, b.Get(path, 200), "Sessions wanted")
		admintest.Fill(own, "name", "Harbours", "wanted", "many")
		admintest.Wants(t, b.Answer(path, own, 422), "must be a whole number", `value="many"`)
		own.Set("wanted", "10001")
		admintest.Wants(t, b.Answer(path, own, 422), "must be between 0 and 10000")
		own.Set("wanted", "12")
		b.Follow(b.On(path).Post(path, own, 303))
		if n := wanted(family, "Harbours"); n == nil || *n != 12 {
			t.Errorf("%s wants %v", family, n)
		}
		edit := regexp.MustCompile(`href="([^"]+edit=[^"#]+)`).FindStringSubmatch(b.Page)
		form := admintest.Fields(b.Get(html.UnescapeString(edit[1]), 200))
		row := path + "/" + regexp.MustCompile(`edit=([0-9a-f-]+)`).FindStringSubmatch(edit[1])[1]
		// Who edits it meanwhile is asked about.
		other := d.As(staff.Organizer)
		theirs := admintest.Fields(other.Get(html.UnescapeString(edit[1]), 200))
		form.Set("wanted", "8")
		b.Follow(b.Post(row, form, 303))
		theirs.Set("wanted", "9")
		admintest.Wants(t, other.Answer(row, theirs, 409), "Sessions wanted", "8", "9")
		form = admintest.Fill(admintest.Fields(b.Get(html.UnescapeString(edit[1]), 200)), "wanted", "")
		b.Follow(b.Post(row, form, 303))
		if n := wanted(family, "Harbours"); n != nil {
			t.Errorf("%s wants %d still", family, *n)
		}
	}
	admintest.Lacks(t, b.Get(d.At("/metadata/rooms"), 200), "Sessions wanted")
	b.Post(d.At("/metadata/rooms"), url.Values{"name": {"Hall"}, "capacity": {"3"}, "wanted": {"4"}},
		303) // which rooms have not
	if n := wanted(models.Rooms, "Hall"); n != nil {
		t.Errorf("a room wants %d", *n)
	}
}
