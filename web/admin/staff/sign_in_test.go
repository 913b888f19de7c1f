package staff_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
	room "lectern/web/admin/staff"
	"lectern/web/admin/visit"
)

func TestSignInAndOut(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Viewer)
	admintest.Wants(t, b.Get("/admin/events/"+d.Event.ID+"/submissions", 200), "No submissions yet", d.Event.Name)
	admintest.Lacks(t, b.Text, "New submission")
	b.Post("/sign-out", nil, 303)
	modelstest.Want(t, "leads to", b.Leads("/admin/events/"+d.Event.ID+"/submissions"),
		"/sign-in?next=%2Fadmin%2Fevents%2F"+d.Event.ID+"%2Fsubmissions")
}

func TestSetupHappensOnce(t *testing.T) {
	d := admintest.OpenWith(t, visit.Options{SetupCode: "abcd"})
	b := d.Browser()
	admintest.Wants(t, b.Get("/setup?code=abcd", 200), d.Event.Name, d.Other.Name, "What is missing is you")
	admintest.Lacks(t, b.Text, "First your account", "Step 1 of 2", `name="organization"`)
	form := url.Values{"code": {"wrong"}, "name": {"Ada"}, "email": {"ada@example.org"}, "password": {admintest.Password}}
	_, page := b.Post("/setup", form, 422)
	admintest.Wants(t, page, "The code is not the one in the server", d.Event.Name, "ada@example.org", "<title>Error: ")
	admintest.Lacks(t, page, admintest.Password)
	admintest.Fill(form, "code", "abcd", "password", "short")
	admintest.Wants(t, b.Answer("/setup", form, 422), "Password must have 10 to 200 characters.")
	form.Set("password", "Password2027")
	_, page = b.Post("/setup", form, 422)
	admintest.Wants(t, page, "Password is one that many people use, so it would be guessed; choose a few words")
	form.Set("password", admintest.Password)
	location, _ := b.Post("/setup", form, 303)
	modelstest.Want(t, "leads to", location, "/admin")
	b.Get("/setup", 404)
	admintest.Wants(t, b.On("/admin/events/new").Answer("/admin/events/new", url.Values{"name": {"Tideline"},
		"slug": {"Not a slug"}, "timezone": {"Atlantis/Harbour"}, "starts_on": {"2027-05-20"}, "ends_on": {"2027-05-19"}},
		422), `value="Tideline"`, `value="Not a slug"`, `value="Atlantis/Harbour"`, `href="#slug"`, `href="#timezone"`)
	location, _ = b.Post("/admin/events/new", url.Values{"name": {"Tideline"}, "slug": {"tideline-9"},
		"timezone": {"Lisbon"}, "starter": {"yes"}}, 303)
	admintest.Wants(t, b.Get(location+"/submissions", 200), "Tideline", "Lisbon",
		"<legend class=\"visually-hidden\">Track</legend>", "Community")
}

func TestStrangersCannotKeepSomebodyOut(t *testing.T) {
	d := admintest.Open(t)
	ada := d.Hire("Ada", staff.Viewer, true, nil)
	d.Hire("Li", staff.Viewer, true, nil)
	const late = "Too many attempts"
	try := func(b *admintest.Browser, address, email, given string, status int) string {
		b.Get("/sign-in", 200)
		b.Address = address
		_, page := b.Post("/sign-in", url.Values{"email": {email}, "password": {given}}, status)
		return page
	}
	own, stranger := d.Browser(), d.Browser()
	inAndOut := func(email string) {
		try(own, "192.0.2.1", email, admintest.Password, 303)
		own.On("/admin/account").Post("/sign-out", nil, 303)
	}
	inAndOut(ada.Email)
	for i := range 5 {
		try(stranger, "198.51.100.7", ada.Email, "a wrong password", 422)
		if i == 4 {
			admintest.Wants(t, try(stranger, "198.51.100.8", ada.Email, admintest.Password, 429), late)
		}
	}
	inAndOut("ADA@example.org")
	// Its own wrong passwords count, and it is known for one account alone.
	for range 5 {
		try(own, "192.0.2.1", ada.Email, "a wrong password", 422)
	}
	admintest.Wants(t, try(own, "192.0.2.1", ada.Email, admintest.Password, 429), late)
	for range 5 {
		try(stranger, "198.51.100.9", "Li@example.org", "a wrong password", 422)
	}
	admintest.Wants(t, try(own, "192.0.2.1", "Li@example.org", admintest.Password, 429), late)
	// A name that somebody made up proves nothing.
	forged := d.Browser()
	forged.Cookies[room.FamiliarCookie] = "mine.proof"
	admintest.Wants(t, try(forged, "198.51.100.10", ada.Email, admintest.Password, 429), late)
}

func TestOneComesInAtTheEventThatComesNext(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Owner)
	events := modelstest.Must(d.EventsFor(t.Context(), &staff.User{OrganizationID: d.Event.OrganizationID,
		Role: staff.Owner}))(t)
	first, second := events[0], events[1]
	if location := b.Leads("/admin"); !strings.HasSuffix(location, first.ID) {
		t.Errorf("it leads to %s, not to the first event", location)
	}
	yesterday := d.Clock.Now().AddDate(0, 0, -1).Format(time.DateOnly)
	modelstest.Must(d.Store.Programme(first, modelstest.Tester).UpdateEvent(t.Context(), models.EventChange{
		StartsOn: store.Some(yesterday), EndsOn: store.Some(yesterday)}))(t)
	if location := b.Leads("/admin"); !strings.HasSuffix(location, second.ID) {
		t.Errorf("it leads to %s, which is over", location)
	}
	b.Get("/admin/events/"+first.ID, 200)
	if location := b.Leads("/admin"); !strings.HasSuffix(location, first.ID) {
		t.Errorf("it leads to %s, not to the event worked on last", location)
	}
}
