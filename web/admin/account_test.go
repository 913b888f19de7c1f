package admin

import (
	"fmt"
	"image/color"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/boombuler/barcode/qr"
	"github.com/pquerna/otp/totp"

	"lectern/models/modelstest"
	"lectern/models/staff"
)

// code is what an authenticator app shows.
func (d *desk) code(secret string) string {
	d.t.Helper()
	return modelstest.Must(totp.GenerateCode(secret, d.Clock.Now()))(d.t)
}

var appSecret = regexp.MustCompile(`<span id="secret" hidden>([A-Z2-7]{32})</span>`)

func TestASecondFactorIsTurnedOnUsedAndTurnedOff(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	b := d.as(staff.Organizer)
	email := d.member("Ada organizer").Email
	wants(t, b.get("/admin/account", 200), "Organizer at every event", "Off", "Turn on")
	page := b.get("/admin/account/second-factor", 200)
	lacks(t, page, "otpauth")
	_, page = b.post("/admin/account/second-factor", url.Values{"password": {"not my password"}}, 422)
	wants(t, page, "<title>Error: ")
	lacks(t, page, "otpauth")
	_, page = b.post("/admin/account/second-factor", url.Values{"password": {password}}, 200)
	secret := appSecret.FindStringSubmatch(page)[1]
	wants(t, page, "otpauth://totp/Lectern:"+url.PathEscape(email)+"?", "<span>"+secret[:4]+"</span><span>"+
		secret[4:8]+"</span>")
	code := modelstest.Must(qr.Encode(staff.TOTPAddress(d.member("Ada organizer"), secret), qr.M, qr.Auto))(t)
	for y := range code.Bounds().Dy() {
		for x := range code.Bounds().Dx() {
			if dark := strings.Contains(page, fmt.Sprintf("M%d %dh1v1h-1z", x, y)); dark != (code.At(x, y) == color.Black) {
				t.Fatalf("the code for cameras is wrong at %d, %d", x, y)
			}
		}
	}
	lacks(t, b.get("/admin/account/second-factor", 200), secret, "otpauth", `class="qr"`)

	confirm := "/admin/account/second-factor/confirm"
	_, page = b.post(confirm, url.Values{"code": {"000000"}, "secret": {secret}}, 422)
	wants(t, page, "The code is not what the app shows now", secret, "otpauth://totp/Lectern:", "<title>Error: ")
	_, page = b.post(confirm, url.Values{"code": {"000000"}, "secret": {"javascript:alert(1)"}}, 422)
	lacks(t, page, "javascript:", "otpauth")
	_, page = b.post(confirm, url.Values{"code": {d.code(secret)}, "secret": {secret}}, 200)
	_, shown, _ := strings.Cut(page, `id="recovery"`)
	shown, _, _ = strings.Cut(shown, "</pre>")
	recovery := regexp.MustCompile(`[a-z2-7]{4}-[a-z2-7]{4}-[a-z2-7]{4}-[a-z2-7]{4}`).FindAllString(shown, -1)
	if len(recovery) != 10 {
		t.Fatalf("%d recovery codes", len(recovery))
	}
	lacks(t, page, secret)
	page = b.get("/admin/account", 200)
	wants(t, page, "On", "since 21 November 2026")
	lacks(t, page, recovery[0])
	if location, _ := b.post("/admin/account/second-factor", nil, 303); location != "/admin/account/second-factor" {
		t.Errorf("a second one leads to %q", location)
	}

	signIn := func(code string, status int) *browser {
		t.Helper()
		b := d.browser()
		b.signIn(email)
		b.leads("/admin/account") // the password alone opens nothing
		b.get("/second-factor", 200)
		b.post("/second-factor", url.Values{"code": {code}}, status)
		return b
	}
	signIn(d.code(secret), 422) // it confirmed the app: each is good once
	d.Clock.Move(time.Minute)
	signIn(d.code(secret), 303).get("/admin/account", 200)
	signIn(strings.ToUpper(recovery[3]), 303).get("/admin/account", 200)
	signIn(recovery[3], 422)

	b.get("/admin/account/second-factor", 200)
	_, page = b.post("/admin/account/second-factor/off", url.Values{"password": {"wrong wrong wrong"}}, 422)
	wants(t, page, "Password is not your password.")
	lacks(t, page, "wrong wrong wrong")
	wants(t, b.follow(b.post("/admin/account/second-factor/off", url.Values{"password": {password}}, 303)),
		"The second factor is off.")
	alone := d.browser()
	alone.signIn(email)
	alone.get("/admin/account", 200)
}

func TestAPasswordIsChanged(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	here := d.as(staff.Viewer)
	email := d.member("Ada viewer").Email
	there := d.browser()
	there.signIn(email)
	here.get("/admin/account", 200)
	for _, form := range []url.Values{
		{"current_password": {"wrong wrong wrong"}, "password": {"another password"}},
		{"current_password": {password}, "password": {"short"}},
		{"current_password": {password}, "password": {email}},
	} {
		_, page := here.post("/admin/account/password", form, 422)
		wants(t, page, `role="alert"`)
		if strings.Contains(page, `value="`+form.Get("password")+`"`) && form.Get("password") != email ||
			strings.Contains(page, form.Get("current_password")) {
			t.Error("a password stands in the answer")
		}
	}
	wants(t, here.follow(here.post("/admin/account/password",
		url.Values{"current_password": {password}, "password": {"another password"}}, 303)), "Your password is changed.")
	there.leads("/admin/account")
	for range 5 {
		here.post("/admin/account/password", url.Values{"current_password": {"wrong wrong wrong"},
			"password": {"one more password"}}, 422)
	}
	_, page := here.post("/admin/account/password", url.Values{"current_password": {"another password"},
		"password": {"one more password"}}, 429)
	wants(t, page, "Too many attempts")
}

func TestLoginsAreEndedOneByOneAndAllAtOnce(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	here := d.as(staff.Reviewer)
	email := d.member("Ada reviewer").Email
	stranger := d.as(staff.Viewer)
	there, elsewhere := d.browser(), d.browser()
	there.signIn(email)
	elsewhere.signIn(email)
	page := here.get("/admin/account", 200)
	ends := regexp.MustCompile(`/admin/account/logins/[0-9a-f]{64}/end`).FindAllString(page, -1)
	if len(ends) != 2 || strings.Count(page, "This browser") != 1 {
		t.Fatalf("%d others on\n%s", len(ends), page)
	}
	stranger.get("/admin/account", 200)
	stranger.post(ends[0], nil, 404) // another's login
	wants(t, here.follow(here.post(ends[0], nil, 303)), "That browser is signed out.")
	here.post(ends[0], nil, 404)
	good := 0
	for _, b := range []*browser{there, elsewhere} {
		if _, err := d.Staff.LoginBy(t.Context(), b.cookies[loginCookie]); err == nil {
			good++
		}
	}
	if good != 1 {
		t.Errorf("%d of two are signed in", good)
	}
	here.get("/admin/account", 200)
	wants(t, here.follow(here.post("/admin/account/sign-out-everywhere", nil, 303)), "You are signed out everywhere.")
	for _, b := range []*browser{here, there, elsewhere} {
		b.leads("/admin/account")
	}
	stranger.get("/admin/account", 200)
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
		if got := browserWords(agent); got != want {
			t.Errorf("%q is %q, want %q", agent, got, want)
		}
	}
}
