package reviews_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/reviews"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
	"lectern/web/admin/visit"
)

func TestABlindReviewerFindsNamesNowhere(t *testing.T) {
	admintest.EachDialect(t, func(t *testing.T, dialect string) {
		d := admintest.OpenBlind(t, dialect, true)
		seen := 0
		for at := range d.Ada.EveryPage(d.IDs(), "", "?q=Marked", "?columns=people,company,email") {
			said := strings.ReplaceAll(at.Page, "q=Marked", "")
			if strings.Contains(strings.ToLower(said), "markedf") ||
				admintest.HasAny(at.Page, "Markedco", "Markedbio", "MarkedCorp", "Markedworks", "Markedjob", "Markedother",
					"marked@", "marked-") {
				t.Errorf("%s tells a name:\n%s", at.Address, admintest.Body(at.Page))
			}
			open := at.Route.Needs == visit.RoundReviewer || at.Route.Needs == visit.AnyRole
			if strings.HasPrefix(at.Route.Path, visit.Event) && !open && at.Status != 404 {
				t.Errorf("%s: %d, want 404", at.Address, at.Status)
			}
			if at.Status == 200 {
				seen++
			}
		}
		if seen < 12 {
			t.Errorf("only %d pages were read", seen)
		}
		sheet := d.Ada.Get(d.Queue("/"+d.Mine.ID), 200)
		admintest.Wants(t, sheet, "Mine", "About tides", "Never before", "No names are shown")
		admintest.Wants(t, d.Ada.Get(d.At("/find?q=Mine"), 200), d.Queue("/"+d.Mine.ID))
		// An organizer sees all of it, and the results with roles.
		admintest.Wants(t, d.Olga.Get(d.At("/sessions/"+d.Mine.ID), 200), "Markedfirst", "Markedco")
		admintest.Wants(t, d.Olga.Get(d.At("/rounds/"+d.Round+"/results"), 200), "Markedfirst OfMine, Markedco Speaker")
	})
}

// TestABlindReviewerWhoOrganizesAnotherEventFindsNamesNowhere asks for every address of both events, reading and writing,
// with the ids of the blind round's people.
func TestABlindReviewerWhoOrganizesAnotherEventFindsNamesNowhere(t *testing.T) {
	admintest.EachDialect(t, func(t *testing.T, dialect string) {
		d := admintest.OpenBlind(t, dialect, true)
		modelstest.Exec(t, d.SQL, "UPDATE users SET everywhere = false WHERE id = '"+d.Reviewer+"'")
		modelstest.Exec(t, d.SQL, "INSERT INTO event_roles (event_id, user_id, role) VALUES ('"+d.Event.ID+"', '"+d.Reviewer+
			"', 'reviewer'), ('"+d.Other.ID+"', '"+d.Reviewer+"', 'organizer')")
		d.Person(d.Elsewhere(), "first_name", "Otto", "email", "otto@example.org")
		admintest.Wants(t, d.Ada.Get("/admin/events/"+d.Other.ID+"/speakers?who=all", 200), "Otto")
		admintest.Wants(t, d.Ada.Get(d.Queue("/"+d.Mine.ID), 200), "No names are shown")
		seen := 0
		for _, event := range []string{d.Event.ID, d.Other.ID} {
			ids := d.IDs(":event", event, ":other", d.Contact)
			for at := range d.Ada.EveryPage(ids, "", "?who=all&q=Marked", "?columns=people,company,email&fields=all") {
				page := strings.NewReplacer("q=Marked", "", `value="Marked"`, "").Replace(at.Page)
				if admintest.HasAny(page, "Markedf", "markedf", "Markedco", "Markedbio", "MarkedCorp", "Markedworks", "Markedjob",
					"Markedother", "marked@", "marked-") {
					t.Errorf("%s tells a name:\n%s", at.Address, admintest.Body(page))
				}
				if at.Status == 200 {
					seen++
				}
			}
		}
		if seen < 60 {
			t.Errorf("only %d pages were read", seen)
		}
		// By their ids the people come to no event of hers.
		at := "/admin/events/" + d.Other.ID
		d.Ada.Get(at+"/speakers/new", 200)
		for path, form := range map[string]url.Values{"/speakers/put-back": {"contact": {d.Contact}, "id": {d.Contact}},
			"/speakers/" + d.Contact + "/link": {}, "/speakers/" + d.Contact + "/notes": {"text": {"x"}}} {
			d.Ada.Post(at+path, form, 404)
		}
		d.Ada.Post(at+"/sourcing/place", url.Values{"id": {d.Contact}, "contact": {d.Contact}}, 303) // says that nobody was
		for _, path := range []string{"/speakers?who=all", "/sourcing", "/activity"} {
			admintest.Lacks(t, d.Ada.Get(at+path, 200), "Markedf", d.Contact)
		}
	})
}

// Who is known to a reviewer from another event is not told of by what they sent to the blind round.
func TestABlindReviewerDoesNotFindNamesByOtherEvents(t *testing.T) {
	admintest.EachDialect(t, func(t *testing.T, dialect string) {
		d := admintest.OpenBlind(t, dialect, true)
		ctx := t.Context()
		elsewhere := d.Foreign(models.NewSession{Title: "Told before"})
		modelstest.Must(people.Of(d.Elsewhere()).PutAtEvent(ctx, d.Contact))(t)
		d.Join(t, d.Other, elsewhere.ID, d.Contact, models.Speaking)
		modelstest.Must(people.In(d.Programme().Directory()).Update(ctx, d.Contact,
			modelstest.Values("workflow_status", models.Invited)))(t)
		modelstest.Must(people.Of(d.Programme()).AddContactNote(ctx, d.Contact, "Noted of them"))(t)
		person := "/admin/contacts/" + d.Contact
		for _, c := range []struct {
			path string
			want int
		}{{person, 404}, {visit.ContactsPath, 404}, {visit.ContactsPath + "?fields=all", 404},
			{visit.ContactsPath + "?q=Mine", 404},
			{visit.ContactsPath + "?columns=sessions,events,travel", 404}, {visit.ContactsPath + "/overview", 404},
			{visit.ContactsPath + ".csv?fields=all", 403}, {"/admin/find?q=Markedfirst", 200}} {
			if page := d.Ada.Get(c.path, c.want); admintest.HasAny(page, d.Others.ID, "Noted of them", "Markedworks",
				"Markedfirst OfMine") {
				t.Errorf("%s tells of a person:\n%s", c.path, admintest.Body(page))
			}
		}
		admintest.Wants(t, d.Olga.Get(person, 200), "Markedfirst", d.Others.FriendlyID)
	})
}

func TestAReviewerWhoGuessesAddressesFindsNothing(t *testing.T) {
	admintest.EachDialect(t, func(t *testing.T, dialect string) {
		for _, blind := range []bool{true, false} {
			d := admintest.OpenBlind(t, dialect, blind)
			d.Ada.Get(d.Queue(""), 200)
			for _, path := range []string{d.Queue("/" + d.Others.ID), d.At("/sessions/" + d.Others.ID),
				d.At("/sessions/" + d.Mine.ID),
				d.At("/speakers/" + d.Contact), d.At("/reviews/" + d.Event.ID), d.At("/reviews/" + d.Event.ID + "/" + d.Mine.ID),
				d.At("/activity"), d.At("/submissions.csv"), d.At("/rounds/" + d.Round + "/results")} {
				admintest.Lacks(t, d.Ada.Get(path, 404), "Marked")
			}
			d.Ada.On(d.Queue("")).Post(d.Queue("/"+d.Others.ID), url.Values{"state": {"abstained"}}, 404)
			d.Ada.Post(d.At("/sessions/"+d.Others.ID+"/review"), url.Values{"score": {"5"}}, 404)
			modelstest.Want(t, "the reviews", d.Read(d.Others.ID).Reviews, 0)
			sheet := d.Ada.Get(d.Queue("/"+d.Mine.ID), 200)
			if named := strings.Contains(sheet, "Markedco Speaker"); named == blind {
				t.Errorf("blind %v, named %v", blind, named)
			}
		}
	})
}

func TestARoundGoesFromItsScorecardToItsResults(t *testing.T) {
	admintest.EachDialect(t, func(t *testing.T, dialect string) {
		d := admintest.OpenBlind(t, dialect, true)
		base := d.At("/rounds/" + d.Round)
		d.Olga.Get(base+"/scorecard", 200)
		admintest.Wants(t, d.Olga.Answer(base+"/scorecard", url.Values{"name_1": {"New"}, "kind_1": {"number"},
			"low_1": {"5"}, "high_1": {"1"}, "weight_1": {"1"}}, 422), "must be above the lowest")
		// One that was begun asks for its name; what there was goes with its name, and what nobody began is none.
		_, page := d.Olga.Post(base+"/scorecard", url.Values{"name_1": {"New"}, "kind_1": {"number"}, "low_1": {"1"},
			"high_1":   {"5"},
			"weight_1": {"1"}, "name_2": {""}, "kind_2": {"choice"}, "choices_2": {"Short\r\nLong"}, "low_2": {"1"}, "high_2": {"5"},
			"weight_2": {"1"}, "kind_3": {"number"}, "low_3": {"1"}, "high_3": {"5"}, "weight_3": {"1"}}, 422)
		admintest.Wants(t, page, `href="#name_2"`, "must not be empty", "Short", `id="name_3"`)
		admintest.Lacks(t, page, `id="name_4"`)
		// Another one stands below one that nobody began, too.
		_, page = d.Olga.Post(base+"/scorecard", url.Values{"do": {"more"}, "name_1": {"New"}, "kind_1": {"number"},
			"name_2": {""}, "kind_2": {"number"}, "low_2": {"1"}, "high_2": {"5"}, "weight_2": {"1"}}, 200)
		admintest.Wants(t, page, `id="name_3"`)
		admintest.Lacks(t, page, `id="name_4"`)
		d.Olga.Follow(d.Olga.Post(base+"/scorecard", url.Values{"name_1": {"New"}, "kind_1": {"number"}, "low_1": {"1"},
			"high_1": {"5"}, "weight_1": {"3"}, "name_3": {"Clear"}, "kind_3": {"number"}, "low_3": {"0"}, "high_3": {"100"},
			"weight_3": {"1"}, "name_4": {"Length"}, "kind_4": {"choice"}, "choices_4": {"Short\r\n\r\nLong"}}, 303))
		card := modelstest.Must(reviews.Of(d.Programme()).Round(t.Context(), d.Round))(t).Card
		admintest.Wants(t, d.Ada.Get(d.Queue("/"+d.Mine.ID), 200), "New", "0 to 100", "Length", "Short")
		_, page = d.Ada.Post(d.Queue("/"+d.Mine.ID), url.Values{card[0].Field(): {"4"}, "comment": {"Kept words"}}, 422)
		admintest.Wants(t, page, ">Clear is not chosen yet.</a>", "Kept words")
		admintest.Lacks(t, page, "Answer-", ">answer-")
		page = d.Ada.Follow(d.Ada.Post(d.Queue("/"+d.Mine.ID), url.Values{card[0].Field(): {"4"}, card[1].Field(): {"50"},
			card[2].Field(): {"Long"}, "comment": {"Fine"}, "then": {"next"}}, 303))
		admintest.Wants(t, page, "Nothing else waits", "You gave 3.75")
		admintest.Wants(t, d.Olga.Get(base, 200), "1 of 1 reviewed", "Reviews were given by it")
		for _, sort := range []string{"mean", "count", "spread", "title", "odd"} {
			admintest.Wants(t, d.Olga.Get(base+"/results?sort="+sort+"&dir=asc&page=x", 200), "3.75", "Mine")
		}
		admintest.Wants(t, d.Olga.Get(base+"/results.csv?sort=mean", 200), "A-1,Mine,", "3.75,1,0.00,1,1,0")
		admintest.Lacks(t, d.Olga.Text, "Markedother")
		admintest.Wants(t, d.Olga.Get(d.At("/rounds"), 200), "also once the round is closed", "First look", "Blind",
			"All submissions")
		admintest.Wants(t, d.Olga.Get(d.At("/sessions/"+d.Mine.ID), 200), "Fine", "3.75")
	})
}

func TestAnAssignmentIsPreviewedFirst(t *testing.T) {
	admintest.EachDialect(t, func(t *testing.T, dialect string) {
		d := admintest.OpenBlind(t, dialect, true)
		base := d.At("/rounds/" + d.Round)
		admintest.Wants(t, d.Olga.Get(base+"/assign", 200), "Ada", "Preview")
		page := d.Olga.Get(base+"/assign?track=&each=2&limit=&user="+d.Reviewer, 200)
		admintest.Wants(t, page, "1 new assignment of 2 submissions", "Assign 1", "1 reviewer is missing")
		d.Ada.Get(d.Queue("/"+d.Others.ID), 404)
		print := admintest.Between(page, `name="print" value="`, `"`)
		form := url.Values{"track": {""}, "each": {"2"}, "limit": {""}, "user": {d.Reviewer}, "print": {"another"}}
		admintest.Wants(t, d.Olga.Answer(base+"/assign", form, 409), "changed since the preview", "Assign 1")
		form.Set("print", print)
		admintest.Wants(t, d.Olga.Follow(d.Olga.Post(base+"/assign", form, 303)), "1 new assignment of 1 submission.")
		d.Ada.Get(d.Queue("/"+d.Others.ID), 200)
		d.Olga.Follow(d.Olga.On(base+"/submissions/"+d.Others.ID).Post(base+"/submissions/"+d.Others.ID, nil, 303))
		d.Ada.Get(d.Queue("/"+d.Others.ID), 404)
		for i := range 22 { // more are short than are shown at once: all are named
			d.Session(models.NewSession{Title: fmt.Sprint("Left over ", i), IsAbstract: true})
		}
		page = d.Olga.Get(base+"/assign?track=&each=2&limit=1&user="+d.Reviewer, 200)
		admintest.Wants(t, page, "And 4 more", "Left over 0", "Left over 21")
		_, page = d.Olga.Post(base+"/assign", url.Values{"each": {"0"}, "user": {d.Reviewer}}, 422)
		admintest.Wants(t, page, "The number of reviewers must be 1 or more")
		d.Olga.Get(base+"/assign?track=&each=x&user="+d.Reviewer, 422)
	})
}

func TestWhoIsInvitedToARoundSeesNothingElse(t *testing.T) {
	admintest.EachDialect(t, func(t *testing.T, dialect string) {
		d := admintest.OpenBlind(t, dialect, true)
		owner := d.As(staff.Owner)
		base := d.At("/rounds/" + d.Round)
		form := url.Values{"do": {"invite"}, "invite": {"Li <li@example.org>, ada@example.org, x"}}
		_, page := owner.On(base).Post(base+"/reviewers", form, 200)
		admintest.Wants(t, page, "1 person is invited.", "Works here already", `name="do" value="invite"`, ">x</textarea>")
		token := admintest.Between(page, "/invitations/", "<")
		li := d.Browser()
		li.Get("/invitations/"+token, 200)
		li.Post("/invitations/"+token, url.Values{"name": {"Li"}, "password": {admintest.Password}}, 303)
		admintest.Wants(t, li.Get(d.At("/reviews"), 200), "First look", "Nothing to review yet")
		admintest.Lacks(t, li.Get(d.At("/submissions"), 404), "Marked")
		admintest.Wants(t, owner.Get(base, 200), "<bdi>Li</bdi>")
		owner.Follow(owner.Post(base+"/reviewers", url.Values{"remove": {"li@example.org"}}, 303))
		d.Olga.Get(base, 200)
		admintest.Lacks(t, d.Olga.Page, "Invite people who are new", "<bdi>Li</bdi></label>")
		d.Olga.Post(base+"/reviewers", url.Values{"do": {"invite"}, "invite": {"x@example.org"}}, 404)
		d.Olga.Post(base+"/reviewers", url.Values{"do": {"add"}}, 422)
	})
}

func TestWhoIsLateIsReminded(t *testing.T) {
	t.Parallel()
	var letters []string
	d := admintest.OpenBlindWith(t, "sqlite", true, visit.Options{Mail: admintest.Mailed(func(letter string) error {
		letters = append(letters, letter)
		return nil
	})})
	base := d.At("/rounds/" + d.Round)
	admintest.Wants(t, d.Olga.Get(base, 200), "Remind those ticked by mail", `value="ada@example.org" checked`)
	remind := func(emails ...string) string {
		t.Helper()
		return d.Olga.Follow(d.Olga.Post(base+"/reviewers", url.Values{"do": {"remind"}, "email": emails}, 303))
	}
	admintest.Wants(t, remind("else@example.org"), "Nobody was reminded")
	admintest.Wants(t, remind("ada@example.org", "else@example.org"), "1 reminder is on the way")
	// It stands in the outbox, and goes out from there.
	log := admintest.MailLog(d.Desk, d.Programme())
	if len(log) != 1 || log[0].Email != "ada@example.org" || log[0].State != models.LetterQueued || len(letters) != 0 {
		t.Fatalf("%+v %q", log, letters)
	}
	admintest.Wants(t, log[0].Subject+" "+log[0].Body, "Reviews for", "1 submission waits", "First look", d.Queue(""))
	admintest.Lacks(t, log[0].Body, "Marked")
	admintest.Wants(t, d.Olga.Get(d.At("/letters?tab=outbox"), 200), "ada@example.org", "Reviews for", "Note")
	d.Ada.Get(d.Queue(""), 200)
	closed := reviews.Settings{Name: "First look", IsBlind: true, ClosesAt: new(store.At(d.Clock.Now()))}
	modelstest.Fine(t, reviews.Of(d.Programme()).Change(t.Context(), d.Round, closed))
	admintest.Wants(t, remind("ada@example.org"), "Nobody was reminded: the round is not open.")
	admintest.Lacks(t, d.Olga.Get(base, 200), "Remind those ticked")
	modelstest.Fine(t,
		reviews.Of(d.Programme()).Change(t.Context(), d.Round, reviews.Settings{Name: "First look", IsBlind: true}))
	d.Ada.On(d.Queue("")).Post(d.Queue("/"+d.Mine.ID), url.Values{"state": {"conflict"}}, 303)
	admintest.Wants(t, remind("ada@example.org"), "Nobody was reminded")

	owner := d.As(staff.Owner)
	_, page := owner.On(base).Post(base+"/reviewers", url.Values{"do": {"invite"}, "invite": {"li@example.org"}}, 200)
	admintest.Wants(t, page, "by mail, and this is the link to copy", "/invitations/")
	modelstest.Want(t, "how many letters", len(letters), 1)
}

func TestWhatReviewersAnswerIsReadInTriageAndOnTheRecord(t *testing.T) {
	admintest.EachDialect(t, func(t *testing.T, dialect string) {
		d := admintest.OpenBlind(t, dialect, false)
		rounds := reviews.Of(d.Programme())
		modelstest.Fine(t, rounds.SetCard(t.Context(), d.Round, reviews.Card{
			{Name: "New <b>", Kind: reviews.Number, Low: new(1), High: new(5), Weight: new(1)},
			{Name: "What would make it better?", Kind: reviews.Text}, {Name: "Length", Kind: reviews.Choice, Choices: []string{"Short", "Long"}}}))
		card := modelstest.Must(rounds.Round(t.Context(), d.Round))(t).Card
		modelstest.Fine(t, rounds.Give(t.Context(), &staff.User{ID: d.Reviewer, EmailKey: "ada@example.org"}, d.Round, d.Mine.ID,
			reviews.Verdict{State: models.Scored, Answers: map[string]string{card[0].ID: "4", card[1].ID: "Fewer <i>slides"}}))
		for _, address := range []string{"/triage/", "/sessions/"} {
			page := d.Olga.Get(d.At(address+d.Mine.ID), 200)
			admintest.Wants(t, page, "New &lt;b&gt;", "4 of 5", "What would make it better?", "Fewer &lt;i&gt;slides")
			admintest.Lacks(t, page, "Length")
			admintest.Lacks(t, d.Olga.Get(d.At(address+d.Others.ID), 200), "Fewer")
		}
	})
}
