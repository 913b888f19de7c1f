package admin_test

import (
	"net/url"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/field"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
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

// TestNoPageShowsWhoWasErased has somebody do what leaves their name in many places, erases them, and looks everywhere.
func TestNoPageShowsWhoWasErased(t *testing.T) {
	d := admintest.Open(t)
	called := modelstest.OpenCall(t, d.Fixture)
	begun := modelstest.Must(cfp.Begin(t.Context(), d.Store, called.Event, cfp.Beginning{Name: "Adaline Markworth",
		Title: "Tides", Email: "adaline@markworth.example", Password: modelstest.SecretPhrase}, store.By{Door: "call"}))(t)
	place := cfp.PlaceOf(d.Store, modelstest.Must(cfp.LoginBy(t.Context(), d.Store, begun.Token))(t),
		store.By{Door: "call"})
	_, faults, err := place.Save(t.Context(), called.Event, begun.Session.ID, cfp.Saving{Values: cfp.Values{
		"title": "Tides", "description": "Water", "format": called.Talk, "help": "Money"}})
	modelstest.Fine(t, err)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	modelstest.Must(place.AttachFile(t.Context(), called.Event, begun.Session.ID, "slides",
		models.Upload{Name: "markworth.pdf", Content: []byte("%PDF-1.7")}))(t)
	modelstest.Must(place.InviteCoSpeaker(t.Context(), called.Event, begun.Session.ID,
		cfp.Asking{Name: "Bo", Email: "bo@x.org"}))(t)
	modelstest.Must(place.Submit(t.Context(), called.Event, begun.Session.ID, cfp.Submitting{}))(t)
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
		record := rea.Get(d.At("/sessions/"+s.ID), 200)
		admintest.Wants(t, record, "Adaline")
		admintest.Lacks(t, record, "adaline@", "/speakers", "/sourcing")
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
					file := b.Get(d.At(path+query), 200)
					admintest.Wants(t, file, "Participants,Answers")
					admintest.Lacks(t, file, "@", "E-mail")
				}
			}
			admintest.Wants(t, d.As(staff.Organizer).Get(d.At(path), 200), "Participants,E-mail addresses,Answers", address)
		}
		admintest.Wants(t, vic.Get(d.At("/find?q=Beatrix"), 200)+vic.Get(d.At("/activity"), 200), "Beatrix")
	})
}

// shown is a page without its scripts, styles and addresses.
func shown(page string) string {
	_, main, found := strings.Cut(page, "<main")
	if !found {
		return page
	}
	return main
}
