package admin_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	staffpages "lectern/views/pages/staff"
	"lectern/web/admin/admintest"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// TestEveryRouteAsksForItsRole walks the table, so that a new row is covered as it is written. Each route is tried by
// every role; that an event of strangers is no event, which one place tells all routes before it asks for roles, by the
// owner at each, and by the others in turn.
func TestEveryRouteAsksForItsRole(t *testing.T) {
	d := admintest.Open(t)
	foreign := d.StrangersEvent()
	stranger := &admintest.Caller{Desk: d, Name: "a stranger", Token: "browser"}
	pending := pending(d)
	everywhere := map[staff.Role]*admintest.Caller{}
	for _, role := range staff.Roles {
		everywhere[role] = d.Hire("an everywhere "+string(role), role, true, nil)
	}
	here := d.Hire("an organizer here", staff.Organizer, false,
		map[string]staff.Role{d.Event.ID: staff.Organizer, d.Other.ID: staff.Viewer})
	others := []*admintest.Caller{here, everywhere[staff.Organizer], everywhere[staff.Reviewer], everywhere[staff.Viewer]}

	for i, r := range d.Routes() {
		name := r.Method + " " + r.Path
		ofEvent := strings.HasPrefix(r.Path, visit.Event)
		if atEvent := slices.Contains([]visit.Access{visit.AnyRole, visit.RoundReviewer, visit.SeesPeople, visit.Viewer,
			visit.Reviewer, visit.Organizer}, r.Needs); ofEvent != atEvent {
			t.Errorf("%s needs %q: a role at an event goes with an event in the path", name, r.Needs)
			continue
		}
		refused := func(c *admintest.Caller, path string, role staff.Role) {
			t.Helper()
			if status, _, page := c.Try(r.Method, path, nil); status != 403 ||
				!strings.Contains(page, "It needs the role "+string(role)+".") {
				t.Errorf("%s as %s: %d, want 403 that names %s", name, c.Name, status, role)
			}
		}
		unknown := func(c *admintest.Caller, path string) {
			t.Helper()
			if status, _, page := c.Try(r.Method, path, nil); status != 404 || strings.Contains(page, "Strange") {
				t.Errorf("%s as %s: %d, want 404", path, c.Name, status)
			}
		}
		admitted := func(c *admintest.Caller, path string) {
			t.Helper()
			status, location, page := c.Try(r.Method, path, nil)
			// A form may want a proof of its own; that is no matter of roles.
			if status == 401 || strings.Contains(page, "not for your role") || status >= 500 ||
				strings.HasPrefix(location, "/sign-in?") {
				t.Errorf("%s as %s: %d %s\n%s", name, c.Name, status, location, page)
			}
			if whole := !admintest.Parameter.MatchString(strings.ReplaceAll(r.Path, ":event", "")); whole && r.Method == "GET" &&
				status != 200 && status != 303 {
				t.Errorf("%s as %s: %d, want a page", name, c.Name, status)
			}
		}
		if r.Needs == visit.Anyone {
			for _, c := range []*admintest.Caller{stranger, pending, everywhere[staff.Viewer]} {
				if status, _, _ := c.Try(r.Method, admintest.At(r, ""), nil); status == 403 || status >= 500 {
					t.Errorf("%s as %s: %d", name, c.Name, status)
				}
			}
			continue
		}
		path := admintest.At(r, d.Event.ID)
		for _, c := range []*admintest.Caller{stranger, pending} {
			status, location, page := c.Try(r.Method, path, nil)
			if r.Method == "GET" && (status != 303 || location != "/sign-in?next="+url.QueryEscape(path)) {
				t.Errorf("%s as %s: %d %s, want the sign-in", name, c.Name, status, location)
			}
			if r.Method != "GET" && status != 401 {
				t.Errorf("%s as %s: %d, want 401", name, c.Name, status)
			}
			admintest.Lacks(t, page, d.Event.Name)
		}
		needed := staff.Role(r.Needs)
		switch r.Needs {
		case visit.AllEvents, visit.Exporting:
			needed = staff.Organizer
		case visit.AnyRole:
			needed = staff.Viewer
		}
		if r.Needs == visit.Directory || r.Needs == visit.SeesPeople { // reviewers alone have none, whatever else their role covers
			for _, role := range staff.Roles {
				if role == staff.Reviewer {
					unknown(everywhere[role], path)
				} else {
					admitted(everywhere[role], path)
				}
			}
			admitted(here, path)
			if ofEvent {
				admitted(here, admintest.At(r, d.Other.ID)) // where they look on
				unknown(here, admintest.At(r, foreign))
			}
			continue
		}
		for _, role := range staff.Roles {
			if r.Needs == visit.SignedIn || r.Needs == visit.Enrolling || role.Covers(needed) {
				admitted(everywhere[role], path)
			} else {
				refused(everywhere[role], path, needed)
			}
		}
		switch {
		case ofEvent:
			admitted(here, path)
			if needed == staff.Viewer {
				admitted(here, admintest.At(r, d.Other.ID))
			} else {
				refused(here, admintest.At(r, d.Other.ID), needed)
			}
			unknown(everywhere[staff.Owner], admintest.At(r, foreign))
			unknown(everywhere[staff.Owner], admintest.At(r, store.NewID())) // who may most finds no more than the others
			unknown(others[i%len(others)], admintest.At(r, foreign))
		case r.Needs == visit.SignedIn, r.Needs == visit.Enrolling, r.Needs == visit.Exporting:
			admitted(here, path)
		default: // an organizer of one event has no say in the organization
			refused(here, path, needed)
		}
	}
}

// pending returns a caller who gave the password and not yet the second factor.
func pending(d *admintest.Desk) *admintest.Caller {
	d.T.Helper()
	c := d.Hire("a half signed in owner", staff.Owner, true, nil)
	modelstest.Must(d.SQL.Exec("UPDATE logins SET pending = $1 WHERE user_id = (SELECT id FROM users WHERE email = $2)",
		true, c.Email))(d.T)
	modelstest.Must(d.SQL.Exec("UPDATE users SET totp_confirmed_at = created_at WHERE email = $1", c.Email))(d.T)
	return c
}

// TestEveryFormNeedsItsProof sends each form without a token, and with two of the other forgeries by turns: one place
// judges them for all routes.
func TestEveryFormNeedsItsProof(t *testing.T) {
	d := admintest.Open(t)
	owner := d.Hire("an owner", staff.Owner, true, nil)
	other := d.Hire("another owner", staff.Owner, true, nil)
	forgeries := []struct {
		name  string
		forge func(*http.Request)
	}{
		{"no token", func(r *http.Request) { r.Header.Del("x-form-token") }},
		{"a forged token", func(r *http.Request) { r.Header.Set("x-form-token", strings.Repeat("A", 43)) }},
		{"another's token", func(r *http.Request) { r.Header.Set("x-form-token", d.FormTokenOf(other.Token)) }},
		{"a stranger's", func(r *http.Request) { r.Header.Set("x-form-token", d.FormTokenOf("")) }},
		{"a notice's proof", func(r *http.Request) { r.Header.Set("x-form-token", d.Site.Sign("notice", owner.Token)) }},
		{"a foreign origin", func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }},
		{"an opaque origin", func(r *http.Request) { r.Header.Set("Origin", "null") }},
		{"another site", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }},
		{"a sibling site", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-site") }},
	}
	forms := 0
	for _, r := range d.Routes() {
		if r.Method == "GET" {
			continue
		}
		forms++
		for i, x := range forgeries {
			if i > 0 && (i+forms)%4 > 0 {
				continue
			}
			status, location, page := owner.Try(r.Method, admintest.At(r, d.Event.ID), x.forge)
			if status != 403 || location != "" || !strings.Contains(page, "This form cannot be used any more") {
				t.Errorf("%s %s with %s: %d %s", r.Method, r.Path, x.name, status, location)
			}
		}
	}
	for name, ours := range map[string]func(*http.Request){
		"our origin": func(r *http.Request) { r.Header.Set("Origin", "http://"+r.Host) },
		"our site":   func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-origin") },
	} {
		if status, _, _ := owner.Try("POST", "/theme", ours); status != 303 {
			t.Errorf("%s: %d", name, status)
		}
	}
}

func TestSigningInIsThrottled(t *testing.T) {
	d := admintest.Open(t)
	ada := d.Hire("ada", staff.Organizer, true, nil)
	b := d.Browser()
	b.Get("/sign-in?next=/admin/account", 200)
	attempt := func(email, password string, status int) string {
		t.Helper()
		_, page := b.Post("/sign-in", url.Values{"email": {email}, "password": {password}, "next": {"/admin/account"}},
			status)
		return page
	}
	known := attempt(ada.Email, "wrong wrong wrong", 422)
	admintest.Wants(t, known, "The address or the password is wrong.", `value="`+ada.Email+`"`, `value="/admin/account"`)
	admintest.Lacks(t, known, "wrong wrong wrong")
	modelstest.Want(t, "the answer tells who is staff",
		strings.ReplaceAll(attempt("ada@example.net", "wrong wrong wrong", 422), "ada@example.net", ada.Email), known)
	for range 4 {
		attempt(ada.Email, "wrong wrong wrong", 422)
	}
	admintest.Wants(t, attempt(ada.Email, admintest.Password, 429), "Too many attempts. Try again in 15 minutes.",
		`value="`+ada.Email+`"`)
	d.Clock.Move(15*time.Minute + time.Second)
	attempt(ada.Email, admintest.Password, 303)
	admintest.Wants(t, b.Get("/admin/account", 200), ada.Email)
}

func TestNobodyIsLedAwayBySigningIn(t *testing.T) {
	d := admintest.Open(t)
	ada := d.Hire("ada", staff.Organizer, true, nil)
	for next, want := range map[string]string{
		"/admin/account": "/admin/account", "": "/admin", "https://evil.example": "/admin", "//evil.example": "/admin",
		`/\evil.example`: "/admin", "javascript:alert(1)": "/admin", "/a\r\nSet-Cookie: x=y": "/admin", "evil": "/admin",
	} {
		b := d.Browser()
		location, _ := b.On("/sign-in").Post("/sign-in", url.Values{"email": {ada.Email}, "password": {admintest.Password},
			"next": {next}}, 303)
		modelstest.Want(t, next+" leads to", location, want)
	}
}

func TestCookiesAreForThisHostAlone(t *testing.T) {
	t.Parallel()
	for _, site := range []struct {
		base, prefix string
		secure       bool
	}{{"https://lectern.test", "__Host-", true}, {"http://127.0.0.1:8080", "", false}} {
		d := admintest.OpenOn(t, "sqlite", visit.Options{Options: page.Options{BaseURL: site.base}})
		ada := d.Hire("ada", staff.Organizer, true, nil)
		b := d.Browser()
		first, _ := b.Do(httptest.NewRequest("GET", "/sign-in", nil), 200)
		form := url.Values{"email": {ada.Email}, "password": {admintest.Password}}
		second, _ := b.Do(b.FormRequest("/sign-in", form), 303)
		seen := map[string]*http.Cookie{}
		for _, c := range append(first.Cookies(), second.Cookies()...) {
			if c.MaxAge >= 0 {
				seen[c.Name] = c
			}
			if c.Secure != site.secure || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Domain != "" {
				t.Errorf("%s: %s", site.base, c.Raw)
			}
		}
		if c := seen[site.prefix+visit.LoginCookie]; c == nil || c.MaxAge != int(staff.LoginLifetime/time.Second) {
			t.Errorf("%s: the login is %+v", site.base, c)
		}
		if c := seen[site.prefix+admintest.BrowserCookie]; c == nil || c.MaxAge != 0 || !c.Expires.IsZero() {
			t.Errorf("%s: the browser is %+v", site.base, c)
		}
		// What a plain-http neighbour could set does not sign in.
		if site.secure {
			r := httptest.NewRequest("GET", "/admin/account", nil)
			r.AddCookie(&http.Cookie{Name: visit.LoginCookie, Value: ada.Token})
			if res, err := d.App.Test(r, -1); err != nil || res.StatusCode != 303 {
				t.Errorf("a cookie without the prefix: %v %v", res.StatusCode, err)
			}
		}
	}
}

func TestEveryRoleHasWords(t *testing.T) {
	for _, role := range staff.Roles {
		if staffpages.GrantName(string(role)) == string(role) {
			t.Errorf("%s cannot be granted", role)
		}
	}
}
