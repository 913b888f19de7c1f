package staff_test

import (
	"html"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/web/admin/admintest"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

var named = visit.Options{Options: page.Options{BaseURL: "http://localhost:8080"}}

func newPhone(t *testing.T, u *staff.User) *modelstest.Device {
	return new(modelstest.NewDevice(t, named.BaseURL, u.ID))
}

var dataOptions = regexp.MustCompile(`data-options="([^"]+)"`)

func optionsOf(t *testing.T, page string) string {
	t.Helper()
	found := dataOptions.FindStringSubmatch(page)
	if found == nil {
		t.Fatalf("the page has no options:\n%s", page)
	}
	return html.UnescapeString(found[1])
}

func TestAPasskeyIsAddedUsedNamedAndRemoved(t *testing.T) {
	d := admintest.OpenWith(t, named)
	b := d.As(staff.Organizer)
	ada := d.Member("Ada organizer")
	p := newPhone(t, ada)
	admintest.Wants(t, b.Get("/admin/account", 200), "Add a passkey", "without a password")
	page := b.Get("/admin/account/passkeys/new", 200)
	admintest.Wants(t, page, "Make the passkey", "/static/passkey.js")
	answer := string(p.Makes(optionsOf(t, page)))
	_, page = b.Post("/admin/account/passkeys/keep", url.Values{"answer": {answer}, "name": {""}}, 422)
	admintest.Wants(t, page, "Name must")
	answered := url.Values{"answer": {string(p.Makes(optionsOf(t, page)))}, "name": {"My phone"}}
	_, page = b.Post("/admin/account/passkeys/keep", answered, 200)
	admintest.Wants(t, page, "The passkey is added", "Your recovery codes")
	_, page = b.Post("/admin/account/passkeys/keep", url.Values{"answer": {answer}, "name": {"My phone"}}, 422)
	admintest.Wants(t, page, "This passkey is in use already")
	admintest.Wants(t, b.Get("/admin/account", 200), "My phone", "On one device", "by passkey", "never")
	b.Post("/sign-out", nil, 303)

	admintest.Wants(t, b.Get("/sign-in", 200), "Sign in with a passkey", `autocomplete="username webauthn"`)
	form := b.Page
	options := b.Get("/sign-in/passkey", 200)
	b.Page = form
	location, _ := b.Post("/sign-in/passkey",
		url.Values{"answer": {string(p.Uses(options))}, "next": {"/admin/account"}}, 303)
	modelstest.Want(t, "leads to", location, "/admin/account")
	admintest.Wants(t, b.Get("/admin/account", 200), "just now")
	b.Post("/sign-out", nil, 303)
	_, page = b.On("/sign-in").Post("/sign-in/passkey", url.Values{"answer": {string(p.Uses(options))}}, 422)
	admintest.Wants(t, page, "This passkey was not accepted", "Sign in with a passkey")
	_, page = b.Post("/sign-in/passkey", url.Values{"answer": {string(newPhone(t, ada).Uses(options))}}, 422)
	admintest.Wants(t, page, "opens no account of staff here")

	page = b.Follow(b.Post("/sign-in", url.Values{"email": {ada.Email}, "password": {admintest.Password}}, 303))
	admintest.Wants(t, page, "Use a passkey", "One of your recovery codes.")
	_, page = b.Post("/second-factor/passkey", url.Values{"answer": {"{}"}}, 422)
	admintest.Wants(t, page, "This passkey was not accepted", "Use a passkey")
	b.Post("/second-factor/passkey", url.Values{"answer": {string(p.Uses(optionsOf(t, page)))}}, 303)

	key := modelstest.Must(d.Staff.Passkeys(t.Context(), ada.ID))(t)[0]
	at := "/admin/account/passkeys/" + key.ID
	admintest.Lacks(t, b.Get(at, 200), "Your password</label>")
	d.Clock.Move(staff.FreshSignIn)
	admintest.Wants(t, b.Get(at, 200), "your only second factor", `name="password"`)
	b.Post(at, url.Values{"name": {"Work phone"}}, 303)
	admintest.Wants(t, b.Answer(at+"/remove", url.Values{"password": {"wrong"}}, 422), "is not your password")
	admintest.Wants(t, b.Get("/admin/account/passkeys/new", 200), `name="password"`)
	_, page = b.Post("/admin/account/passkeys/new", url.Values{"password": {"wrong"}}, 422)
	admintest.Wants(t, page, "is not your password")
	_, page = b.Post("/admin/account/passkeys/new", url.Values{"password": {admintest.Password}}, 200)
	optionsOf(t, page)
	d.As(staff.Viewer).Get(at, 404)
	b.Post(at+"/remove", url.Values{"password": {admintest.Password}}, 303)
	admintest.Wants(t, b.Get("/admin/account", 200), "“Work phone” no longer signs you in")
	b.Get(at, 404)
}

func TestPagesSayWhyPasskeysCannotBeUsed(t *testing.T) {
	d := admintest.Open(t) // at a number
	b := d.As(staff.Organizer)
	ada := d.Member("Ada organizer")
	const why = "the public address of this server is a number (127.0.0.1)"
	admintest.Wants(t, b.Get("/admin/account", 200), why)
	admintest.Wants(t, b.Get("/admin/account/passkeys/new", 200), why)
	admintest.Wants(t, b.Answer("/admin/account/passkeys/new", url.Values{"password": {admintest.Password}}, 422), why)
	admintest.Wants(t, b.Answer("/admin/account/passkeys/keep", url.Values{"answer": {"{}"}, "name": {"Phone"}}, 422), why)

	// Somebody has a passkey of when the server had a name.
	modelstest.Exec(t, d.SQL,
		`INSERT INTO passkeys (id, user_id, credential_id, public_key, made_for, sign_count, is_synced,
		transports, name, created_at) VALUES ('k', '`+ada.ID+`', 'AAAA', 'AAAA', 'old.example.org', 0, false, '', 'Phone',
		'2026-11-21T09:30:00.000Z'); UPDATE users SET passkeys = 1 WHERE id = '`+ada.ID+`'`)
	admintest.Wants(t, b.Get("/admin/account", 200), "Works at old.example.org alone")
	b.Post("/sign-out", nil, 303)
	page := b.Get("/sign-in", 200)
	admintest.Lacks(t, page, "passkey")
	b.Get("/sign-in/passkey", 404)
	b.Page = page
	page = b.Follow(b.Post("/sign-in", url.Values{"email": {ada.Email}, "password": {admintest.Password}}, 303))
	admintest.Wants(t, page, "work at old.example.org alone", `name="code"`)
	admintest.Lacks(t, page, "Use a passkey")
}

func TestOptionsOfPasskeysAreForOneBrowserAndKeptByNobody(t *testing.T) {
	d := admintest.OpenWith(t, named)
	b := d.Browser()
	res, first := b.Do(httptest.NewRequest("GET", "/sign-in/passkey", nil), 200)
	if kind := res.Header.Get("Content-Type"); !strings.HasPrefix(kind, "application/json") ||
		res.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%s, %s", kind, res.Header.Get("Cache-Control"))
	}
	if second := b.Get("/sign-in/passkey", 200); first == second || !strings.Contains(first, `"userVerification":"required"`) ||
		!strings.Contains(first, `"rpId":"localhost"`) || strings.Contains(first, "allowCredentials") {
		t.Errorf("%s\n%s", first, second)
	}
	modelstest.Want(t, "rows that asking wrote", d.Rows("answered_challenges"), 0)
}
