package desk_test

import (
	"testing"
	"time"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
	"lectern/web/admin/desk"
	"lectern/web/admin/invite"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// city returns the name by which pages call a zone.
var city = page.City

func TestTheMastheadSaysHowFarAwayTheEventIs(t *testing.T) {
	t.Parallel()
	at := func(text string) store.Time { return modelstest.Must(store.ParseTime(text))(t) }
	one, three := "2027-05-20", "2027-05-22"
	for _, c := range []struct {
		zone, now  string
		ends       *string
		lead, rest string
	}{
		{"Europe/Lisbon", "2026-11-21T14:06:00Z", &three, "180 days", "until it begins"},
		{"Europe/Lisbon", "2027-05-18T22:59:59Z", &three, "2 days", "until it begins"},
		{"Europe/Lisbon", "2027-05-18T23:00:00Z", &three, "Tomorrow", "it begins"}, // midnight there
		{"Asia/Tokyo", "2027-05-19T15:00:00Z", &three, "Day 1", "of 3"},
		{"Europe/Lisbon", "2027-05-22T12:00:00Z", &three, "Day 3", "of 3"},
		{"Europe/Lisbon", "2027-05-20T12:00:00Z", &one, "Today", "is the day"},
		{"Europe/Lisbon", "2027-05-20T12:00:00Z", nil, "Today", "is the day"},
		{"Europe/Lisbon", "2027-05-23T12:00:00Z", &three, "Over", "since yesterday"},
		{"Europe/Lisbon", "2027-06-03T12:00:00Z", &three, "Over", "for 12 days"},
	} {
		e := &models.Event{Timezone: c.zone, StartsOn: &one, EndsOn: c.ends}
		if lead, rest := desk.Countdown(e, at(c.now)); lead != c.lead || rest != c.rest {
			t.Errorf("%s at %s: %s %s", c.zone, c.now, lead, rest)
		}
	}
}

func TestTheDashboardShowsTheEventItsStepsAndItsDays(t *testing.T) {
	d := admintest.Open(t) // the clock stands at 2026-11-21, in Brussels
	now := d.Clock.Now()
	modelstest.Must(d.Programme().UpdateEvent(t.Context(), models.EventChange{
		StartsOn: store.Some("2027-05-20"), EndsOn: store.Some("2027-05-22"),
		CFPOpensAt:  store.Some(store.At(now.Add(-10 * 24 * time.Hour))),
		CFPClosesAt: store.Some(store.At(now.Add(5 * 24 * time.Hour))),
	}))(t)
	zone := d.Event.Timezone
	track := modelstest.RowOf(t, d.Programme(), models.Tracks, "Ropes")
	for _, status := range []models.Status{models.Pending, models.Pending, models.AcceptQueue, models.Accepted,
		models.Declined, models.Draft, models.Withdrawn} {
		d.Session(models.NewSession{Title: "About " + string(status), IsAbstract: true,
			SessionInput: models.SessionInput{Status: &status, TrackID: store.Some(track.ID)}})
	}
	start := modelstest.Must(store.ParseTime("2027-05-21T09:00:00Z"))(t)
	d.Session(models.NewSession{Title: "Placed", SessionInput: models.SessionInput{StartsAt: store.Some(start),
		TrackID: store.Some(track.ID)}})
	page := admintest.Body(d.As(staff.Organizer).Get(d.At(""), 200))
	admintest.Wants(t, page, "20 to 22 May 2027", "180 days</strong> until it begins", " in "+city(zone), "Call open",
		"in 5 days",
		`2</b> <span class="muted">of 5 decided`, "2 wait, 1 to commit", "Thursday 20", "Friday 21", "Saturday 22",
		`aria-label="Ropes 1"`, "1 accepted, 1 queued", "Today", "About accept_queue", "Accept them", "Place them")
	// Who looks on sees how it stands, and nothing that is asked of others.
	viewer := admintest.Body(d.As(staff.Viewer).Get(d.At(""), 200))
	admintest.Wants(t, viewer, "180 days", `2</b> <span class="muted">of 5 decided`, "Friday 21", "1 accepted, 1 queued")
	admintest.Lacks(t, viewer, "Accept them", "Place them", "Most urgent first", "Say when it is")
}

func TestAReviewerSeesWhatWaitsForThemAndNothingElse(t *testing.T) {
	admintest.Each(t, func(t *testing.T, d *admintest.Desk) {
		ids := d.Submissions(7, "Tide")
		ada, li := d.Hire("Ada", staff.Reviewer, true, nil), d.Hire("Li", staff.Reviewer, true, nil)
		for _, hidden := range []struct {
			title  string
			status models.Status
		}{{"Unsent", models.Draft}, {"Left", models.Withdrawn}, {"Queued", models.AcceptQueue}, {"Own", models.Pending}} {
			s := d.Session(models.NewSession{Title: hidden.title, IsAbstract: true,
				SessionInput: models.SessionInput{Status: &hidden.status}})
			if hidden.title == "Own" {
				d.Speaker(t, d.Event, s.ID, models.NewContact{Email: ada.Email, FirstName: "Ada"})
			}
		}
		d.Session(models.NewSession{Title: "Unplaced"})
		adas, lis := d.SignedIn(ada.Email), d.SignedIn(li.Email)
		lis.Get(d.At("/sessions/"+ids[0]), 200)
		lis.Post(d.At("/sessions/"+ids[0]+"/review"), map[string][]string{"score": {"5"}, "comment": {"Lis secret"}}, 303)
		for _, path := range []string{"", "/reviews"} {
			page := admintest.Body(adas.Get(d.At(path), 200))
			admintest.Wants(t, page, "Tide 1", "Tide 5", "submissions wait for your review", "Review the next one", "A-1")
			admintest.Lacks(t, page, "Unsent", "Left", "Queued", "Own", "Unplaced", "Lis secret", ">Li<", "5.00", "Commit",
				"Place them", "Deciding", "Who reviews", "/settings", "of 8", "of 11", "What you gave", "Reviewed by you")
		}
		admintest.Wants(t, admintest.Body(adas.Get(d.At(""), 200)), `7</b> submissions wait`, `0</b> of 7 reviewed`,
			"All 7 that wait")
		admintest.Wants(t, admintest.Body(lis.Get(d.At(""), 200)), `7</b> submissions wait`, `1</b> of 8 reviewed`,
			"What you gave lately")
		admintest.Wants(t, admintest.Body(lis.Get(d.At("/reviews"), 200)), "1 of 8 reviewed", "Reviewed by you", "Tide 1")

		olga := admintest.Body(d.As(staff.Organizer).Get(d.At("/reviews"), 200))
		admintest.Wants(t, olga, "1 review so far", "Who reviews", "<bdi>Ada</bdi>",
			`<td class="num">0</td><td class="num">7</td>`, `<td class="num">1</td><td class="num">7</td>`)
		admintest.Lacks(t, olga, "Lis secret", "5.00")
		d.As(staff.Viewer).Get(d.At("/reviews"), 403)
		admintest.Lacks(t, d.As(staff.Viewer).Get(d.At(""), 200), "/reviews")
	})
}

func TestAReviewerWithNothingToDoIsToldSo(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Reviewer)
	for _, path := range []string{"", "/reviews"} {
		page := admintest.Body(b.Get(d.At(path), 200))
		admintest.Wants(t, page, "Nothing waits for you.", "Back to the submissions")
		admintest.Lacks(t, page, "Review the next one", "The way to the first proposal")
	}
}

func TestAReviewersPagesCostAFixedNumberOfStatements(t *testing.T) {
	admintest.Each(t, func(t *testing.T, d *admintest.Desk) {
		ids := d.Submissions(60, "Tide")
		b := d.As(staff.Reviewer)
		b.Get(d.At(""), 200)
		for path, most := range map[string]int{"": 12, "/reviews": 12,
			"/sessions/" + ids[0] + "?in=submissions&score=waits&sort=friendlyId&dir=asc": 17} {
			d.Submissions(1, "New") // nothing counted is kept
			if got := d.Statement.During(func() { b.Get(d.At(path), 200) }); len(got) > most {
				t.Errorf("%q takes %d statements, at most %d:\n%s", path, len(got), most, got)
			}
		}
	})
}

// TestAnEmptyEventSaysTheWayAndTicksWhatIsThere does each step by the operation behind its page.
func TestAnEmptyEventSaysTheWayAndTicksWhatIsThere(t *testing.T) {
	admintest.Each(t, func(t *testing.T, d *admintest.Desk) {
		ctx, p := t.Context(), d.Programme()
		owner := d.As(staff.Owner)
		done := func(want string, steps ...string) {
			t.Helper()
			page := admintest.Body(owner.Get(d.At(""), 200))
			admintest.Wants(t, page, "The way to the first proposal", want+" of 7 done")
			admintest.Lacks(t, page, "Capture one", "API key")
			for _, step := range steps {
				admintest.Wants(t, page, step+`<span class="visually-hidden">, done`)
			}
		}
		done("0")
		admintest.Wants(t, owner.Get(d.At(""), 200), `href="`+d.At("/settings")+`"`, `href="`+d.At("/metadata/formats")+`"`,
			`href="`+d.At("/call")+`"`, "/admin/staff/invite?reviewers="+d.Event.ID)
		now := d.Clock.Now()
		modelstest.Must(p.UpdateEvent(ctx, models.EventChange{StartsOn: store.Some("2027-05-20"),
			EndsOn: store.Some("2027-05-22"), CFPOpensAt: store.Some(store.At(now.Add(time.Hour)))}))(t)
		done("1", "Dates and place")
		for i, family := range []models.Family{models.Tracks, models.Formats, models.Rooms} {
			modelstest.RowOf(t, d.Elsewhere(), family, "Not here")
			done(visit.Number(int64(i + 1)))
			modelstest.RowOf(t, p, family, "Ropes")
		}
		done("4", "Tracks", "Formats", "Rooms")
		modelstest.Fine(t, call.Of(p).Start(ctx))
		done("5", "What the call asks")
		admintest.Wants(t, owner.Get(d.At(""), 200), "Opens 21 November 2026")
		d.Clock.Move(2 * time.Hour)
		owner = d.As(staff.Owner)
		done("6", "The call is open")
		team := d.Team(ctx, d.Member("Ada owner"))
		modelstest.Must(team.Invite(ctx, reviewerInvited("li@example.org", d.Other.ID)))(t)
		done("6")
		modelstest.Must(team.Invite(ctx, reviewerInvited("li@example.org", d.Event.ID)))(t)
		done("7", "Reviewers")
		admintest.Wants(t, owner.Get(d.At(""), 200), "1 is invited")
		organizer := d.As(staff.Organizer).Get(d.At(""), 200)
		admintest.Wants(t, organizer, "7 of 7 done", `href="`+d.At("/settings")+`"`)
		admintest.Lacks(t, organizer, "/admin/staff/invite")
		admintest.Lacks(t, admintest.Body(d.As(staff.Viewer).Get(d.At(""), 200)), `class="go-on"`)
		d.Session(models.NewSession{Title: "Tides", IsAbstract: true})
		admintest.Lacks(t, owner.Get(d.At(""), 200), "The way to the first proposal")
	})
}

// reviewerInvited returns an invitation of an address to review at one event.
func reviewerInvited(email, at string) staff.Invitation {
	in := invite.ReviewerAt(at)
	in.Email = email
	return in
}
