package admin_test

import (
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
	"lectern/web/admin/visit"
)

func TestAFormsFieldsAreThoseOfItsBody(t *testing.T) {
	d := admintest.Open(t)
	s := d.Session(models.NewSession{Title: "Tides", IsAbstract: true})
	b := d.As(staff.Organizer)
	page := b.Get(d.At("/sessions/"+s.ID+"?in=submissions&status=pending"), 200)
	token := admintest.Fields(page).Get("updated_at")
	b.Post(d.At("/sessions/"+s.ID+"/status?in=submissions&status=pending"),
		url.Values{"status": {"accept_queue"}, "updated_at": {token}}, 303)
	modelstest.Want(t, "the status is", d.Read(s.ID).Status, models.AcceptQueue)
}

func TestEachStepOfSigningInGivesAnotherToken(t *testing.T) {
	d := admintest.Open(t)
	ada := d.Hire("ada", staff.Organizer, true, nil)
	secret, _ := modelstest.WithTOTP(t, d.Fixture, d.Member("ada"), admintest.Password)
	b := d.Browser()
	b.Get("/sign-in", 200)
	planted := b.Cookies[admintest.BrowserCookie]
	const next = "/admin/account?a=b&c=d"
	location, _ := b.Post("/sign-in", url.Values{"email": {ada.Email}, "password": {admintest.Password}, "next": {next}},
		303)
	half := b.Cookies[visit.LoginCookie]
	if half == "" || half == planted || b.Cookies[admintest.BrowserCookie] != "" {
		t.Errorf("after the password: %v", b.Cookies)
	}
	b.Get(location, 200)
	location, _ = b.Post("/second-factor", url.Values{"code": {d.Code(secret)},
		"next": {admintest.Fields(b.Page).Get("next")}}, 303)
	modelstest.Want(t, "leads to", location, next)
	if whole := b.Cookies[visit.LoginCookie]; whole == half {
		t.Error("the second factor kept the token that the password gave")
	}
	thief := d.Browser()
	thief.Cookies[visit.LoginCookie] = half
	thief.Leads("/admin/account")
	b.Get("/admin/account", 200)
}

func TestSigningInAgainEndsTheLoginBefore(t *testing.T) {
	d := admintest.Open(t)
	ada := d.Hire("ada", staff.Organizer, true, nil)
	b := d.As(staff.Viewer)
	before := b.Cookies[visit.LoginCookie]
	b.On("/admin/account").Post("/sign-in", url.Values{"email": {ada.Email}, "password": {admintest.Password}}, 303)
	if _, err := d.Staff.LoginBy(t.Context(), before); store.KindOf(err) != store.Unauthorized {
		t.Errorf("the login before is good still: %v", err)
	}
	admintest.Wants(t, b.Get("/admin/account", 200), ada.Email)
}

func TestTheSetupCodeCannotBeGuessed(t *testing.T) {
	d := admintest.OpenWith(t, visit.Options{SetupCode: "abcd"})
	b := d.Browser()
	b.Get("/setup", 200)
	form := url.Values{"code": {"wrong"}, "name": {"Ada"}, "email": {"ada@example.org"}, "password": {admintest.Password}}
	for range 20 {
		b.Post("/setup", form, 422)
	}
	form.Set("code", "abcd")
	admintest.Wants(t, b.Answer("/setup", form, 429), "Too many attempts. Try again in 15 minutes.", "ada@example.org")
	d.Clock.Move(15*time.Minute + time.Second)
	b.Post("/setup", form, 303)
	b.Get("/admin/events/new", 200)
	form.Del("_token")
	b.Post("/setup", form, 404) // closed for good
}

func TestAPanicIsAPageWithTheRequest(t *testing.T) {
	d := admintest.Open(t)
	d.Web.Mount(d.App, []visit.Address{visit.At("/panic", visit.Anyone,
		func(*visit.Visit) error { panic("secret of the house") }, nil)})
	page := d.Browser().Get("/panic", 500)
	admintest.Wants(t, page, "Something went wrong on our side", "request-1")
	admintest.Lacks(t, page, "secret of the house", "goroutine")
}

func TestANoticeFitsItsCookie(t *testing.T) {
	d := admintest.Open(t)
	var tags []string
	for i := range store.MaxTags {
		row := modelstest.RowOf(t, d.Programme(), models.Tags, "Tag "+strconv.Itoa(i))
		tags = append(tags, row.ID)
	}
	s := d.Session(models.NewSession{Title: strings.Repeat("<", store.MaxTitle),
		SessionInput: models.SessionInput{TagIDs: &tags}})
	b := d.As(staff.Organizer)
	edit := d.At("/sessions/" + s.ID + "/edit")
	form := admintest.Fields(b.Get(edit, 200))
	form.Del("tag_ids")
	location, _ := b.Post(edit, form, 303)
	for name, value := range b.Cookies {
		if len(name)+len(value) > 4096 {
			t.Errorf("the cookie %s has %d bytes", name, len(value))
		}
	}
	admintest.Wants(t, b.Get(location, 200), "Saved.")
}
