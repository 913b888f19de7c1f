package admin

import (
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
)

func TestAFormsFieldsAreThoseOfItsBody(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	s := d.session(models.NewSession{Title: "Tides", IsAbstract: true})
	b := d.as(staff.Organizer)
	page := b.get(d.at("/sessions/"+s.ID+"?in=submissions&status=pending"), 200)
	token := fields(page).Get("updated_at")
	b.post(d.at("/sessions/"+s.ID+"/status?in=submissions&status=pending"),
		url.Values{"status": {"accept_queue"}, "updated_at": {token}}, 303)
	if got := d.stored(s.ID); got.Status != models.AcceptQueue {
		t.Errorf("the status is %s", got.Status)
	}
}

// stored is a session as it is now.
func (d *desk) stored(id string) *models.Session {
	d.t.Helper()
	s, err := d.Programme().Session(d.t.Context(), id)
	if err != nil {
		d.t.Fatal(err)
	}
	return s
}

func TestEachStepOfSigningInGivesAnotherToken(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	ada := d.hire("ada", staff.Organizer, true, nil)
	user := d.member("ada")
	secret, _, err := d.Staff.BeginTOTP(t.Context(), user, password)
	if err == nil {
		_, err = d.Staff.ConfirmTOTP(t.Context(), user, d.code(secret), "")
	}
	if err != nil {
		t.Fatal(err)
	}
	d.Clock.Move(time.Minute)
	b := d.browser()
	b.get("/sign-in", 200)
	planted := b.cookies[browserCookie]
	const next = "/admin/account?a=b&c=d"
	location, _ := b.post("/sign-in", url.Values{"email": {ada.email}, "password": {password}, "next": {next}}, 303)
	half := b.cookies[loginCookie]
	if half == "" || half == planted || b.cookies[browserCookie] != "" {
		t.Errorf("after the password: %v", b.cookies)
	}
	b.get(location, 200)
	location, _ = b.post("/second-factor", url.Values{"code": {d.code(secret)}, "next": {fields(b.page).Get("next")}}, 303)
	if location != next {
		t.Errorf("leads to %s", location)
	}
	if whole := b.cookies[loginCookie]; whole == half {
		t.Error("the second factor kept the token that the password gave")
	}
	thief := d.browser()
	thief.cookies[loginCookie] = half
	thief.leads("/admin/account")
	b.get("/admin/account", 200)
}

func TestSigningInAgainEndsTheLoginBefore(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	ada := d.hire("ada", staff.Organizer, true, nil)
	b := d.as(staff.Viewer)
	before := b.cookies[loginCookie]
	b.get("/admin/account", 200)
	b.post("/sign-in", url.Values{"email": {ada.email}, "password": {password}}, 303)
	if _, err := d.Staff.LoginBy(t.Context(), before); store.KindOf(err) != store.Unauthorized {
		t.Errorf("the login before is good still: %v", err)
	}
	wants(t, b.get("/admin/account", 200), ada.email)
}

func TestTheSetupCodeCannotBeGuessed(t *testing.T) {
	t.Parallel()
	d := open(t, Options{SetupCode: "abcd"})
	b := d.browser()
	b.get("/setup", 200)
	form := url.Values{"code": {"wrong"}, "name": {"Ada"}, "email": {"ada@example.org"}, "password": {password}}
	for range 20 {
		b.post("/setup", form, 422)
	}
	form.Set("code", "abcd")
	_, page := b.post("/setup", form, 429)
	wants(t, page, "Too many attempts. Try again in 15 minutes.", "ada@example.org")
	d.Clock.Move(15*time.Minute + time.Second)
	b.post("/setup", form, 303)
	b.get("/admin/events/new", 200)
	form.Del("_token")
	b.post("/setup", form, 404) // closed for good
}

func TestAPanicIsAPageWithTheRequest(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	d.app.Get("/panic", d.web.serve(route{"GET", "/panic", anyone, func(*visit) error { panic("secret of the house") }}))
	page := d.browser().get("/panic", 500)
	wants(t, page, "Something went wrong on our side", "request-1")
	lacks(t, page, "secret of the house", "goroutine")
}

func TestANoticeFitsItsCookie(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	var tags []string
	for i := range store.MaxTags {
		row, err := d.Programme().CreateMetadata(t.Context(), models.Tags, models.NewMetadata{Name: "Tag " + strconv.Itoa(i)})
		if err != nil {
			t.Fatal(err)
		}
		tags = append(tags, row.ID)
	}
	s := d.session(models.NewSession{Title: strings.Repeat("<", store.MaxTitle),
		SessionInput: models.SessionInput{TagIDs: &tags}})
	b := d.as(staff.Organizer)
	edit := d.at("/sessions/" + s.ID + "/edit")
	form := fields(b.get(edit, 200))
	form.Del("tag_ids")
	location, _ := b.post(edit, form, 303)
	for name, value := range b.cookies {
		if len(name)+len(value) > 4096 {
			t.Errorf("the cookie %s has %d bytes", name, len(value))
		}
	}
	wants(t, b.get(location, 200), "Saved.")
}
