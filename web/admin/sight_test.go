package admin_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/field"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/reviews"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
	"lectern/web/admin/visit"
)

// TestConfidentialFieldsOfPeopleAreForOrganizers fills in every field of somebody, and looks at every page as each role.
func TestConfidentialFieldsOfPeopleAreForOrganizers(t *testing.T) {
	admintest.Each(t, func(t *testing.T, d *admintest.Desk) {
		all := d.Directory(d.Event.OrganizationID, modelstest.Tester)
		own := func(label string, isOpen bool) string {
			in := people.OwnFieldInput{Label: label, Type: field.Text, IsOpen: isOpen}
			return modelstest.Must(people.In(all).AddOwnField(t.Context(), in))(t).Key
		}
		passport, shirt := own("Passport", false), own("Shirt", true)
		s := d.Session(models.NewSession{Title: "Tides"})
		ada := d.Person(d.Programme(), "first_name", "Adaline")
		d.Join(t, d.Event, s.ID, ada, models.Speaking)
		values := map[string]string{passport: "secret passport", shirt: "shirt of cotton", "phone": "+49 secret"}
		for _, f := range models.ContactFields {
			if f.IsConfidential() && f.Key != "phone" {
				if values[f.Key] = "secret " + f.Key; f.IsMoment {
					values[f.Key] = "2027-05-19T08:47:00Z"
				}
			}
		}
		if len(values) < 10 {
			t.Fatalf("only %d fields are confidential", len(values)-1)
		}
		modelstest.Must(people.In(d.Programme().Directory()).Update(t.Context(), ada, people.Change{Values: values}))(t)
		modelstest.Must(people.Of(d.Programme()).AddContactNote(t.Context(), ada, "secret note"))(t)
		modelstest.Must(people.Of(d.Programme()).AddCards(t.Context(), []string{ada}, ""))(t)
		secrets := []string{"secret", "19 May", "2027-05-19", "Passport"}
		ids := strings.NewReplacer(":event", d.Event.ID, ":id", s.ID, ":contact", ada, ":family", "tracks",
			":field", passport)
		for _, role := range []staff.Role{staff.Viewer, staff.Reviewer} {
			for at := range d.As(role).EveryPage(ids, "", "?who=all", "?q=dietary",
				"?who=all&columns=phone,hotel,dietary,arrival,"+passport) {
				if admintest.HasAny(shown(at.Page), secrets...) {
					t.Errorf("%s tells a %s:\n%s", at.Address, role, admintest.Body(at.Page))
				}
			}
		}
		// A filter tells nothing either: it finds nobody, whatever is asked of the field.
		vic := d.As(staff.Viewer)
		for _, query := range []string{"own_" + passport + "=secret", "own_" + passport + "_is=filled",
			"own_" + passport + "_is=empty"} {
			admintest.Lacks(t, vic.Get(d.At("/speakers?who=all&"+query), 200), "Adaline")
		}
		admintest.Wants(t, vic.Get(d.At("/speakers?who=all&missing=travel"), 200),
			"Adaline") // no filter of theirs: she has some
		admintest.Wants(t, vic.Get(d.At("/speakers?who=all&own_"+shirt+"=cotton"), 200), "Adaline")
		admintest.Wants(t, vic.Get(d.At("/speakers/"+ada), 200), "shirt of cotton")
		olga := d.As(staff.Organizer)
		admintest.Wants(t, olga.Get(d.At("/speakers/"+ada), 200), "secret passport", "+49 secret", "secret hotel",
			"secret note", "shirt of cotton")
		admintest.Wants(t, olga.Get(d.At("/speakers?who=all&own_"+passport+"=secret"), 200), "Adaline")
		// Who organizes another event of theirs and looks on here reads what they organize.
		there := d.Person(d.Elsewhere(), "first_name", "Otto", "phone", "+49 open")
		both := d.Hire("both", staff.Viewer, false, map[string]staff.Role{d.Event.ID: staff.Viewer,
			d.Other.ID: staff.Organizer})
		_, _, page := both.Try("GET", "/admin/contacts/"+there, nil)
		admintest.Wants(t, page, "+49 open")
		_, _, page = both.Try("GET", "/admin/contacts/"+ada, nil)
		admintest.Lacks(t, page, "secret")
		_, _, page = both.Try("GET", "/admin/contacts?own_"+passport+"=secret", nil)
		admintest.Lacks(t, page, "Adaline")
	})
}

// TestNoPageShowsWhoWasErased lets a person leave their name in many places, erases them, and looks at every page.
func TestNoPageShowsWhoWasErased(t *testing.T) {
	d := admintest.Open(t)
	called := modelstest.OpenCall(t, d.Fixture)
	begun := modelstest.Must(call.Begin(t.Context(), d.Store, called.Event, call.Beginning{Name: "Adaline Markworth",
		Title: "Tides", Email: "adaline@markworth.example", Password: modelstest.SecretPhrase}, store.By{Door: "call"}))(t)
	place := call.PlaceOf(d.Store, modelstest.Must(call.LoginBy(t.Context(), d.Store, begun.Token))(t),
		store.By{Door: "call"})
	_, faults, err := place.Save(t.Context(), called.Event, begun.Session.ID, call.Saving{Values: call.Values{
		"title": "Tides", "description": "Water", "format": called.Talk, "help": "Money"}})
	modelstest.Fine(t, err)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	modelstest.Must(place.AttachFile(t.Context(), called.Event, begun.Session.ID, "slides",
		models.Upload{Name: "markworth.pdf", Content: []byte("%PDF-1.7")}))(t)
	modelstest.Must(place.InviteCoSpeaker(t.Context(), called.Event, begun.Session.ID,
		call.Asking{Name: "Bo", Email: "bo@x.org"}))(t)
	modelstest.Must(place.Submit(t.Context(), called.Event, begun.Session.ID, call.Submitting{}))(t)
	modelstest.SetStatus(t, d.Programme(), begun.Session.ID, models.Accepted)
	ids := strings.NewReplacer(":event", d.Event.ID, ":id", begun.Session.ID, ":contact", begun.Account.ContactID,
		":family", "tracks")
	find := func(enough int) (found []string) {
		for at := range d.As(staff.Owner).EveryPage(ids, "", "?q=adaline&who=all") {
			if strings.Contains(strings.ToLower(at.Page), "markworth") {
				found = append(found, at.Address)
			}
			if len(found) == enough {
				break
			}
		}
		return found
	}
	if before := find(10); len(before) < 10 {
		t.Fatalf("only %v show her", before)
	}
	modelstest.Fine(t, people.In(d.Programme().Directory()).Erase(t.Context(), begun.Account.ContactID))
	if after := find(-1); len(after) > 0 {
		t.Errorf("she is shown at %v", after)
	}
}

// TestWhoOnlyReviewsFindsNoPeople looks for people where reviewers come, and finds those of sessions by name alone.
func TestWhoOnlyReviewsFindsNoPeople(t *testing.T) {
	admintest.Each(t, func(t *testing.T, d *admintest.Desk) {
		s := d.Session(models.NewSession{Title: "Tides"})
		ada := d.Person(d.Programme(), "first_name", "Adaline", "email", "adaline@example.org")
		d.Join(t, d.Event, s.ID, ada, models.Speaking)
		bea := d.Person(d.Programme(), "first_name", "Beatrix", "email", "beatrix@example.org")
		rea, vic := d.As(staff.Reviewer), d.As(staff.Viewer)
		for _, path := range []string{"/speakers", "/speakers/" + ada, "/speakers/" + bea, "/sourcing",
			"/contacts/" + ada + "/photo"} {
			rea.Get(d.At(path), 404)
		}
		admintest.Wants(t, rea.Get(d.At("/sessions/"+s.ID), 200), "Adaline")
		admintest.Lacks(t, rea.Text, "adaline@", "/speakers", "/sourcing")
		admintest.Wants(t, vic.Get(d.At("/sessions/"+s.ID), 200), "adaline@", "/speakers/"+ada, "/sourcing")
		for _, path := range []string{"", "/find?q=" + url.QueryEscape("Beatrix"), "/activity", "/sessions", "/agenda"} {
			admintest.Lacks(t, rea.Get(d.At(path), 200), "beatrix@", "adaline@", ada, "/speakers\"")
		}
		admintest.Lacks(t, rea.Get(d.At("/activity"), 200), "Beatrix")
		// Files of the lists have addresses for organizers alone.
		a := d.Session(models.NewSession{Title: "Ebb", IsAbstract: true})
		d.Join(t, d.Event, a.ID, bea, models.Speaking)
		for path, address := range map[string]string{"/sessions.csv": "adaline@example.org",
			"/submissions.csv": "beatrix@example.org"} {
			for _, b := range []*admintest.Browser{rea, vic} {
				for _, query := range []string{"", "?columns=email,people,coming,status", "?fields=all"} {
					admintest.Wants(t, b.Get(d.At(path+query), 200), "Participants,Answers")
					admintest.Lacks(t, b.Text, "@", "E-mail")
				}
			}
			admintest.Wants(t, d.As(staff.Organizer).Get(d.At(path), 200), "Participants,E-mail addresses,Answers", address)
		}
		admintest.Wants(t, vic.Get(d.At("/find?q=Beatrix"), 200)+vic.Get(d.At("/activity"), 200), "Beatrix")
	})
}

// shown returns a page without its scripts, styles and addresses.
func shown(page string) string {
	if _, main, found := strings.Cut(page, "<main"); found {
		return main
	}
	return page
}

// TestReviewersFindHiddenAnswersNowhere opens all pages that a reviewer may, of the event and of a round, with and
// without names, and looks for answers that are not for them.
func TestReviewersFindHiddenAnswersNowhere(t *testing.T) {
	admintest.EachDialect(t, func(t *testing.T, dialect string) {
		d := admintest.OpenBlind(t, dialect, true)
		p, ctx := d.Programme(), t.Context()
		cfp := call.Of(p)
		modelstest.Fine(t, cfp.Start(ctx))
		part := modelstest.Must(cfp.Form(ctx))(t).Parts[0].ID
		var answers models.AnswersInput
		for _, of := range []struct{ seenBy, label string }{{"staff", "Fee asked for"}, {"open_rounds", "Home town"},
			{"reviewers", "Given before"}} {
			q := modelstest.Must(cfp.AddQuestion(ctx, part, call.QuestionInput{Type: field.Text, Label: of.label,
				Required: call.Optional, SeenBy: call.Audience(of.seenBy)}))(t)
			answers = append(answers, models.Answer{Key: q.Key, Value: "Answer" + strings.ToUpper(of.seenBy)})
		}
		for _, value := range []string{"Before", ""} { // the activity tells of a change
			change := append(models.AnswersInput{}, answers...)
			for i := range change {
				change[i].Value += value
			}
			modelstest.Must(p.UpdateSession(ctx, d.Mine.ID,
				models.SessionChange{SessionInput: models.SessionInput{CustomFields: &change}}))(t)
		}
		open := modelstest.Must(reviews.Of(p).Create(ctx, reviews.Settings{Name: "With names"}))(t)
		modelstest.Fine(t, reviews.Of(p).AddReviewers(ctx, open.ID, []string{d.Reviewer}))
		modelstest.Fine(t, reviews.Of(p).AssignTo(ctx, open.ID, d.Mine.ID, []string{d.Reviewer}))
		bea := d.As(staff.Reviewer)
		for who, hidden := range map[*admintest.Browser][]string{bea: {"AnswerSTAFF"},
			d.Ada: {"AnswerSTAFF", "AnswerOPEN_ROUNDS"}} {
			for at := range who.EveryPage(d.IDs(), "", "?q=AnswerSTAFF") {
				page := strings.NewReplacer("q=AnswerSTAFF", "", "“AnswerSTAFF”", "", `value="AnswerSTAFF"`, "").Replace(at.Page)
				if admintest.HasAny(page, hidden...) {
					t.Errorf("%s tells a hidden answer:\n%s", at.Address, admintest.Body(page))
				}
				if strings.HasSuffix(at.Address, "/submissions?q=AnswerSTAFF") && strings.Contains(page, d.Mine.ID) {
					t.Errorf("%s finds a submission by a hidden answer", at.Address)
				}
			}
		}
		record := bea.Get(d.At("/sessions/"+d.Mine.ID), 200)
		admintest.Wants(t, record, "Home town", "AnswerOPEN_ROUNDS", "Given before", "AnswerREVIEWERS")
		admintest.Wants(t, bea.Get(d.At("/submissions.csv"), 200), "Home town: AnswerOPEN_ROUNDS")
		admintest.Wants(t, d.Ada.Get(d.Queue("/"+d.Mine.ID), 200), "Given before", "AnswerREVIEWERS")
		admintest.Wants(t, d.Olga.Get(d.At("/sessions/"+d.Mine.ID), 200), "Fee asked for", "AnswerSTAFF")
		admintest.Wants(t, d.Olga.Get(d.At("/submissions.csv"), 200), "Fee asked for: AnswerSTAFF")
	})
}

// TestWhoDoesNotOrganizeFindsDraftsNowhere has a draft that somebody unconfirmed began, and one that was submitted.
func TestWhoDoesNotOrganizeFindsDraftsNowhere(t *testing.T) {
	admintest.Each(t, func(t *testing.T, d *admintest.Desk) {
		ctx, c := t.Context(), modelstest.OpenCall(t, d.Fixture)
		began, draft := c.Begin(t, d.Fixture, "Zephyrine", "Quaggas at sea")
		c.Prove(t, d.Fixture, began)
		change := func(s *models.Session, to models.SessionInput) {
			modelstest.Must(d.Programme().UpdateSession(ctx, s.ID, models.SessionChange{SessionInput: to}))(t)
		}
		change(draft, models.SessionInput{Description: new("<p>Of quaggas</p>")})
		_, sent := c.Begin(t, d.Fixture, "Nora", "Okapis ashore")
		change(sent, models.SessionInput{Status: new(models.Pending)})
		person := draft.Participants[0].ContactID
		ids := strings.NewReplacer(":event", d.Event.ID, ":id", draft.ID, ":contact", person, ":family", "tracks")
		rea, vic := d.As(staff.Reviewer), d.As(staff.Viewer)
		for _, b := range []*admintest.Browser{rea, vic} {
			for at := range b.EveryPage(ids, "", "?q=quagga", "?status=draft", "?who=all&record="+draft.ID) {
				if admintest.HasAny(at.Page, "Quaggas", "Of quaggas", "Zephyrine", "Drafts") {
					t.Errorf("%s tells of a draft:\n%s", at.Address, admintest.Body(at.Page))
				}
			}
		}
		record, whose := d.At("/sessions/"+draft.ID), d.At("/speakers/"+person)
		for _, b := range []*admintest.Browser{rea, vic} {
			b.Get(record, 404)
			b.Get(whose, 404)
			b.Get(visit.ContactsPath+"/"+person, 404)
			admintest.Wants(t, b.Get(d.At("/submissions"), 200), "Okapis ashore")
			admintest.Wants(t, b.Get(d.At("/find?q=okapis"), 200), "Okapis")
			admintest.Wants(t, b.Get(d.At("/activity"), 200), "Okapis ashore")
		}
		admintest.Wants(t, vic.Get(d.At("/speakers?who=all"), 200), "Nora")
		rea.Get(d.At("/speakers?who=all"), 404)
		rea.Post(record+"/review", map[string][]string{"score": {"5"}}, 404)
		olga := d.As(staff.Organizer)
		admintest.Wants(t, olga.Get(record, 200), "Quaggas at sea", "Zephyrine")
		admintest.Wants(t, olga.Get(d.At("/submissions?status=draft"), 200), "Quaggas at sea", "Drafts")
		admintest.Wants(t, olga.Get(d.At("/speakers?who=all"), 200), "Zephyrine")
		admintest.Wants(t, olga.Get(whose, 200), "Quaggas at sea")
		admintest.Wants(t, olga.Get(d.At("/find?q=quaggas"), 200), "Quaggas")
		admintest.Wants(t, olga.Get(d.At("/activity"), 200), "Quaggas at sea")
	})
}

var elements = regexp.MustCompile(`<[^>]*>`)

// TestReviewersReadTheLabelOfAQuestionNeverItsKey opens all pages of reviewers, of all submissions and of a round, and
// those of reviews that an organizer has.
func TestReviewersReadTheLabelOfAQuestionNeverItsKey(t *testing.T) {
	admintest.OnOne(t, func(t *testing.T, dialect string) {
		d := admintest.OpenBlind(t, dialect, false)
		p, ctx := d.Programme(), t.Context()
		cfp := call.Of(p)
		modelstest.Fine(t, cfp.Start(ctx))
		part := modelstest.Must(cfp.Form(ctx))(t).Parts[0].ID
		modelstest.Must(cfp.AddQuestion(ctx, part, call.QuestionInput{Type: field.Text, Key: "marked_key",
			Label: "What is it about?", Required: call.Optional, SeenBy: "reviewers"}))(t)
		for _, value := range []string{"Boats", "Tides"} { // the activity tells of a change
			modelstest.Must(p.UpdateSession(ctx, d.Mine.ID, models.SessionChange{SessionInput: models.SessionInput{
				CustomFields: &models.AnswersInput{{Key: "marked_key", Value: value}}}}))(t)
		}
		modelstest.Must(reviews.Of(p).Create(ctx, reviews.Settings{Name: "With names"}))(t)
		seen := 0
		for _, who := range []*admintest.Browser{d.As(staff.Reviewer), d.Ada, d.Olga} {
			for at := range who.EveryPage(d.IDs(), "") {
				if who == d.Olga && !admintest.HasAny(at.Address, "/rounds", "/reviews", "/triage") {
					continue
				}
				page := elements.ReplaceAllString(at.Page, " ")
				if strings.Contains(page, "marked_key") {
					t.Errorf("%s says the key:\n%s", at.Address, page)
				}
				if strings.Contains(page, "What is it about?") {
					seen++
				}
			}
		}
		if seen < 4 { // record, sheet, triage, the choice of answers that tell who somebody is
			t.Errorf("the label stands on %d pages", seen)
		}
	})
}
