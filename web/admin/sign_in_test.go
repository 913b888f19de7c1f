package admin

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
)

func TestSignInAndOut(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	b := d.as(staff.Viewer)
	page := b.get("/admin/events/"+d.Event.ID+"/submissions", 200)
	wants(t, page, "No submissions yet", d.Event.Name)
	lacks(t, page, "New submission")
	b.post("/sign-out", nil, 303)
	if location := b.leads("/admin/events/" + d.Event.ID +
		"/submissions"); location != "/sign-in?next=%2Fadmin%2Fevents%2F"+d.Event.ID+"%2Fsubmissions" {
		t.Errorf("leads to %q", location)
	}
}

func TestSetupHappensOnce(t *testing.T) {
	t.Parallel()
	d := open(t, Options{SetupCode: "abcd"})
	b := d.browser()
	page := b.get("/setup?code=abcd", 200)
	wants(t, page, d.Event.Name, d.Other.Name, "What is missing is you")
	lacks(t, page, "First your account", "Step 1 of 2", `name="organization"`)
	form := url.Values{"code": {"wrong"}, "name": {"Ada"}, "email": {"ada@example.org"}, "password": {password}}
	_, page = b.post("/setup", form, 422)
	wants(t, page, "The code is not the one in the server", d.Event.Name, "ada@example.org", "<title>Error: ")
	lacks(t, page, password)
	form.Set("code", "abcd")
	form.Set("password", "short")
	_, page = b.post("/setup", form, 422)
	wants(t, page, "Password must have 10 to 200 characters.")
	form.Set("password", "Password2027")
	_, page = b.post("/setup", form, 422)
	wants(t, page, "Password is one that many people use, so it would be guessed; choose a few words")
	form.Set("password", password)
	location, _ := b.post("/setup", form, 303)
	if location != "/admin" {
		t.Errorf("leads to %q", location)
	}
	b.get("/setup", 404)
	b.get("/admin/events/new", 200)
	_, page = b.post("/admin/events/new", url.Values{"name": {"Tideline"}, "slug": {"Not a slug"},
		"timezone": {"Atlantis/Harbour"}, "starts_on": {"2027-05-20"}, "ends_on": {"2027-05-19"}}, 422)
	wants(t, page, `value="Tideline"`, `value="Not a slug"`, `value="Atlantis/Harbour"`, `href="#slug"`,
		`href="#timezone"`)
	location, _ = b.post("/admin/events/new", url.Values{"name": {"Tideline"}, "slug": {"tideline-9"},
		"timezone": {"Lisbon"}, "starter": {"yes"}}, 303)
	page = b.get(location+"/submissions", 200)
	wants(t, page, "Tideline", "Lisbon", "<legend class=\"visually-hidden\">Track</legend>", "Community")
}

func TestStrangersCannotKeepSomebodyOut(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	ada := d.hire("Ada", staff.Viewer, true, nil)
	d.hire("Li", staff.Viewer, true, nil)
	const late = "Too many attempts"
	try := func(b *browser, address, email, given string, status int) string {
		b.get("/sign-in", 200)
		b.address = address
		_, page := b.post("/sign-in", url.Values{"email": {email}, "password": {given}}, status)
		return page
	}
	own, stranger := d.browser(), d.browser()
	inAndOut := func(email string) {
		try(own, "192.0.2.1", email, password, 303)
		own.get("/admin/account", 200)
		own.post("/sign-out", nil, 303)
	}
	inAndOut(ada.email)
	for i := range 5 {
		try(stranger, "198.51.100.7", ada.email, "a wrong password", 422)
		if i == 4 {
			wants(t, try(stranger, "198.51.100.8", ada.email, password, 429), late)
		}
	}
	inAndOut("ADA@example.org")
	// Its own wrong passwords count, and it is known for one account alone.
	for range 5 {
		try(own, "192.0.2.1", ada.email, "a wrong password", 422)
	}
	wants(t, try(own, "192.0.2.1", ada.email, password, 429), late)
	for range 5 {
		try(stranger, "198.51.100.9", "Li@example.org", "a wrong password", 422)
	}
	wants(t, try(own, "192.0.2.1", "Li@example.org", password, 429), late)
	// A name that somebody made up proves nothing.
	forged := d.browser()
	forged.cookies[familiarCookie] = "mine.proof"
	wants(t, try(forged, "198.51.100.10", ada.email, password, 429), late)
}

func TestOneComesInAtTheEventThatComesNext(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	b := d.as(staff.Owner)
	events := modelstest.Must(d.EventsFor(t.Context(), &staff.User{OrganizationID: d.Event.OrganizationID,
		Role: staff.Owner}))(t)
	first, second := events[0], events[1]
	if location := b.leads("/admin"); !strings.HasSuffix(location, first.ID) {
		t.Errorf("it leads to %s, not to the first event", location)
	}
	yesterday := d.Clock.Now().AddDate(0, 0, -1).Format(time.DateOnly)
	modelstest.Must(d.Store.Programme(first, modelstest.Tester).UpdateEvent(t.Context(), models.EventChange{
		StartsOn: store.Some(yesterday), EndsOn: store.Some(yesterday)}))(t)
	if location := b.leads("/admin"); !strings.HasSuffix(location, second.ID) {
		t.Errorf("it leads to %s, which is over", location)
	}
	b.get("/admin/events/"+first.ID, 200)
	if location := b.leads("/admin"); !strings.HasSuffix(location, first.ID) {
		t.Errorf("it leads to %s, not to the event worked on last", location)
	}
}
