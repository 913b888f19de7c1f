package staff_test

import (
	"fmt"
	"image/color"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/boombuler/barcode/qr"

	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/web/admin/admintest"
	room "lectern/web/admin/staff"
	"lectern/web/admin/visit"
)

func TestASecondFactorIsTurnedOnUsedAndTurnedOff(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	email := d.Member("Ada organizer").Email
	admintest.Wants(t, b.Get("/admin/account", 200), "Organizer at every event", "Off", "Turn on")
	admintest.Lacks(t, b.Get("/admin/account/second-factor", 200), "otpauth")
	_, page := b.Post("/admin/account/second-factor", url.Values{"password": {"not my password"}}, 422)
	admintest.Wants(t, page, "<title>Error: ")
	admintest.Lacks(t, page, "otpauth")
	_, page = b.Post("/admin/account/second-factor", url.Values{"password": {admintest.Password}}, 200)
	secret := admintest.AppSecret.FindStringSubmatch(page)[1]
	admintest.Wants(t, page, "otpauth://totp/Lectern:"+url.PathEscape(email)+"?", "<span>"+secret[:4]+"</span><span>"+
		secret[4:8]+"</span>")
	code := modelstest.Must(qr.Encode(staff.TOTPAddress(d.Member("Ada organizer"), secret), qr.M, qr.Auto))(t)
	for y := range code.Bounds().Dy() {
		for x := range code.Bounds().Dx() {
			if dark := strings.Contains(page, fmt.Sprintf("M%d %dh1v1h-1z", x, y)); dark != (code.At(x, y) == color.Black) {
				t.Fatalf("the code for cameras is wrong at %d, %d", x, y)
			}
		}
	}
	admintest.Lacks(t, b.Get("/admin/account/second-factor", 200), secret, "otpauth", `class="qr"`)

	confirm := "/admin/account/second-factor/confirm"
	_, page = b.Post(confirm, url.Values{"code": {"000000"}, "secret": {secret}}, 422)
	admintest.Wants(t, page, "The code is not what the app shows now", secret, "otpauth://totp/Lectern:", "<title>Error: ")
	_, page = b.Post(confirm, url.Values{"code": {"000000"}, "secret": {"javascript:alert(1)"}}, 422)
	admintest.Lacks(t, page, "javascript:", "otpauth")
	_, page = b.Post(confirm, url.Values{"code": {d.Code(secret)}, "secret": {secret}}, 200)
	shown := admintest.Between(page, `id="recovery"`, "</pre>")
	recovery := regexp.MustCompile(`[a-z2-7]{4}-[a-z2-7]{4}-[a-z2-7]{4}-[a-z2-7]{4}`).FindAllString(shown, -1)
	if len(recovery) != 10 {
		t.Fatalf("%d recovery codes", len(recovery))
	}
	admintest.Lacks(t, page, secret)
	admintest.Wants(t, b.Get("/admin/account", 200), "On", "since 21 November 2026")
	admintest.Lacks(t, b.Text, recovery[0])
	if location, _ := b.Post("/admin/account/second-factor", nil, 303); location != "/admin/account/second-factor" {
		t.Errorf("a second one leads to %q", location)
	}

	signIn := func(code string, status int) *admintest.Browser {
		t.Helper()
		b := d.SignedIn(email)
		b.Leads("/admin/account") // the password alone opens nothing
		b.On("/second-factor").Post("/second-factor", url.Values{"code": {code}}, status)
		return b
	}
	signIn(d.Code(secret), 422) // it confirmed the app: each is good once
	d.Clock.Move(time.Minute)
	signIn(d.Code(secret), 303).Get("/admin/account", 200)
	signIn(strings.ToUpper(recovery[3]), 303).Get("/admin/account", 200)
	signIn(recovery[3], 422)

	b.Get("/admin/account/second-factor", 200)
	_, page = b.Post("/admin/account/second-factor/off", url.Values{"password": {"wrong wrong wrong"}}, 422)
	admintest.Wants(t, page, "Password is not your password.")
	admintest.Lacks(t, page, "wrong wrong wrong")
	admintest.Wants(t, b.Follow(b.Post("/admin/account/second-factor/off",
		url.Values{"password": {admintest.Password}}, 303)), "The second factor is off.")
	d.SignedIn(email).Get("/admin/account", 200)
}

func TestAPasswordIsChanged(t *testing.T) {
	d, here := admintest.OpenAs(t, staff.Viewer)
	email := d.Member("Ada viewer").Email
	there := d.SignedIn(email)
	here.Get("/admin/account", 200)
	for _, form := range []url.Values{
		{"current_password": {"wrong wrong wrong"}, "password": {"another password"}},
		{"current_password": {admintest.Password}, "password": {"short"}},
		{"current_password": {admintest.Password}, "password": {email}},
	} {
		_, page := here.Post("/admin/account/password", form, 422)
		admintest.Wants(t, page, `role="alert"`)
		if strings.Contains(page, `value="`+form.Get("password")+`"`) && form.Get("password") != email ||
			strings.Contains(page, form.Get("current_password")) {
			t.Error("a password stands in the answer")
		}
	}
	admintest.Wants(t, here.Follow(here.Post("/admin/account/password",
		url.Values{"current_password": {admintest.Password}, "password": {"another password"}}, 303)),
		"Your password is changed.")
	there.Leads("/admin/account")
	for range 5 {
		here.Post("/admin/account/password", url.Values{"current_password": {"wrong wrong wrong"},
			"password": {"one more password"}}, 422)
	}
	admintest.Wants(t, here.Answer("/admin/account/password", url.Values{"current_password": {"another password"},
		"password": {"one more password"}}, 429), "Too many attempts")
}

func TestLoginsAreEndedOneByOneAndAllAtOnce(t *testing.T) {
	d, here := admintest.OpenAs(t, staff.Reviewer)
	email := d.Member("Ada reviewer").Email
	stranger := d.As(staff.Viewer)
	there, elsewhere := d.SignedIn(email), d.SignedIn(email)
	page := here.Get("/admin/account", 200)
	ends := regexp.MustCompile(`/admin/account/logins/[0-9a-f]{64}/end`).FindAllString(page, -1)
	if len(ends) != 2 || strings.Count(page, "This browser") != 1 {
		t.Fatalf("%d others on\n%s", len(ends), page)
	}
	stranger.On("/admin/account").Post(ends[0], nil, 404) // another's login
	admintest.Wants(t, here.Follow(here.Post(ends[0], nil, 303)), "That browser is signed out.")
	here.Post(ends[0], nil, 404)
	good := 0
	for _, b := range []*admintest.Browser{there, elsewhere} {
		if _, err := d.Staff.LoginBy(t.Context(), b.Cookies[visit.LoginCookie]); err == nil {
			good++
		}
	}
	modelstest.Want(t, "the good", good, 1)
	admintest.Wants(t, here.Follow(here.On("/admin/account").Post("/admin/account/sign-out-everywhere", nil, 303)),
		"You are signed out everywhere.")
	for _, b := range []*admintest.Browser{here, there, elsewhere} {
		b.Leads("/admin/account")
	}
	stranger.Get("/admin/account", 200)
}

func TestBrowsersHaveNames(t *testing.T) {
	t.Parallel()
	for agent, want := range map[string]string{
		"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0": "Firefox on Linux",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 " +
			"Edg/140.0.0.0": "Edge on Windows",
		"Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36": "Chrome on Android",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 " +
			"Mobile/15E148 Safari/604.1": "Safari on iPhone",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 " +
			"Safari/605.1.15": "Safari on Mac",
		"curl/8.5.0": "Unknown browser", "": "Unknown browser", "Firefox/1": "Firefox",
	} {
		modelstest.Want(t, agent+" is", room.BrowserWords(agent), want)
	}
}
