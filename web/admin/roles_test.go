package admin

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/pages"
	"lectern/web/page"
)

// caller is somebody who tries every route.
type caller struct {
	*desk
	name  string
	email string // of a member of staff, "" of a stranger
	token string // of the login, or of the browser
}

// hire makes a member of staff with these roles and signs them in.
func (d *desk) hire(name string, role staff.Role, everywhere bool, roles map[string]staff.Role) *caller {
	d.t.Helper()
	ctx := context.Background()
	c := &caller{desk: d, name: name, email: strings.ReplaceAll(name, " ", "-") + "@example.org"}
	u := modelstest.Must(d.Staff.CreateUser(ctx, staff.NewUser{Email: c.email, Name: name, Role: role,
		Password: password}))(d.t)
	if !everywhere {
		_, err := d.SQL(d.t).Exec("UPDATE users SET everywhere = $1 WHERE id = $2", false, u.ID)
		for event, role := range roles {
			if err == nil {
				_, err = d.SQL(d.t).Exec("INSERT INTO event_roles (event_id, user_id, role) VALUES ($1, $2, $3)", event, u.ID, role)
			}
		}
		if err != nil {
			d.t.Fatal(err)
		}
	}
	c.signIn()
	return c
}

func (c *caller) signIn() {
	c.t.Helper()
	token, _, err := c.Staff.SignIn(context.Background(), staff.SignIn{Email: c.email, Password: password})
	if err != nil {
		c.t.Fatalf("%s: %v", c.name, err)
	}
	c.token = token
}

// try asks for a route with a valid form token, and then makes sure that the
// caller is signed in for the next one.
func (c *caller) try(method, path string, change func(*http.Request)) (status int, location, page string) {
	c.t.Helper()
	r := httptest.NewRequest(method, path, nil)
	cookie := browserCookie
	if c.email != "" {
		cookie = loginCookie
	}
	r.AddCookie(&http.Cookie{Name: c.web.cookieName(cookie), Value: c.token})
	if method != "GET" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("x-form-token", c.web.formTokenOf(c.token))
	}
	if change != nil {
		change(r)
	}
	res, err := c.app.Test(r, -1)
	if err != nil {
		c.t.Fatal(err)
	}
	body, err := io.ReadAll(res.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	if c.email != "" {
		if _, err := c.Staff.LoginBy(context.Background(), c.token); err != nil {
			c.signIn()
		}
	}
	return res.StatusCode, res.Header.Get("Location"), string(body)
}

var parameter = regexp.MustCompile(`:[a-z_]+`)

// at is the route's address at an event, with ids of nothing for the rest.
func (r route) at(eventID string) string {
	return parameter.ReplaceAllStringFunc(r.path, func(name string) string {
		if name == ":event" {
			return eventID
		}
		return store.NewID()
	})
}

// strangersEvent is an event of another organization.
func (d *desk) strangersEvent() string {
	d.t.Helper()
	organization, event := store.NewID(), store.NewID()
	for _, statement := range []string{
		"INSERT INTO organizations (id, name, created_at, updated_at) SELECT '" + organization +
			"', 'Strangers', created_at, updated_at FROM organizations",
		"INSERT INTO events (id, organization_id, name, slug, timezone, created_at, updated_at) SELECT '" + event + "', '" +
			organization + "', 'Strange', 'strange', 'UTC', created_at, updated_at FROM events WHERE id = '" + d.Event.ID + "'",
		"INSERT INTO event_counters VALUES ('" + event + "', 0, 0, 0, 0, 0, 0)",
	} {
		if _, err := d.SQL(d.t).Exec(statement); err != nil {
			d.t.Fatal(err)
		}
	}
	return event
}

// TestEveryRouteAsksForItsRole walks the table, so that a new row is covered as
// it is written.
func TestEveryRouteAsksForItsRole(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	foreign := d.strangersEvent()
	stranger := &caller{desk: d, name: "a stranger", token: "browser"}
	pending := d.pending()
	everywhere := map[staff.Role]*caller{}
	for _, role := range staff.Roles {
		everywhere[role] = d.hire("an everywhere "+string(role), role, true, nil)
	}
	here := d.hire("an organizer here", staff.Organizer, false,
		map[string]staff.Role{d.Event.ID: staff.Organizer, d.Other.ID: staff.Viewer})

	for _, r := range routesOf(addressesOf(d.web.options)) {
		name := r.method + " " + r.path
		ofEvent := strings.HasPrefix(r.path, event)
		if atEvent := r.needs == anyRole || r.needs == roundReviewer || r.needs == seesPeople || r.needs == viewer ||
			r.needs == reviewer || r.needs == organizer; ofEvent != atEvent {
			t.Errorf("%s needs %q: a role at an event goes with an event in the path", name, r.needs)
			continue
		}
		refused := func(c *caller, path string, role staff.Role) {
			t.Helper()
			if status, _, page := c.try(r.method, path, nil); status != 403 ||
				!strings.Contains(page, "It needs the role "+string(role)+".") {
				t.Errorf("%s as %s: %d, want 403 that names %s", name, c.name, status, role)
			}
		}
		unknown := func(c *caller, path string) {
			t.Helper()
			if status, _, page := c.try(r.method, path, nil); status != 404 || strings.Contains(page, "Strange") {
				t.Errorf("%s as %s: %d, want 404", path, c.name, status)
			}
		}
		admitted := func(c *caller, path string) {
			t.Helper()
			status, location, page := c.try(r.method, path, nil)
			// A form may want a proof of its own; that is no matter of roles.
			if status == 401 || strings.Contains(page, "not for your role") || status >= 500 ||
				strings.HasPrefix(location, "/sign-in?") {
				t.Errorf("%s as %s: %d %s\n%s", name, c.name, status, location, page)
			}
			if whole := !parameter.MatchString(strings.ReplaceAll(r.path, ":event", "")); whole && r.method == "GET" &&
				status != 200 && status != 303 {
				t.Errorf("%s as %s: %d, want a page", name, c.name, status)
			}
		}
		if r.needs == anyone {
			for _, c := range []*caller{stranger, pending, everywhere[staff.Viewer]} {
				if status, _, _ := c.try(r.method, r.at(""), nil); status == 403 || status >= 500 {
					t.Errorf("%s as %s: %d", name, c.name, status)
				}
			}
			continue
		}
		path := r.at(d.Event.ID)
		for _, c := range []*caller{stranger, pending} {
			status, location, page := c.try(r.method, path, nil)
			if r.method == "GET" && (status != 303 || location != "/sign-in?next="+url.QueryEscape(path)) {
				t.Errorf("%s as %s: %d %s, want the sign-in", name, c.name, status, location)
			}
			if r.method != "GET" && status != 401 {
				t.Errorf("%s as %s: %d, want 401", name, c.name, status)
			}
			lacks(t, page, d.Event.Name)
		}
		needed := staff.Role(r.needs)
		switch r.needs {
		case allEvents, exporting:
			needed = staff.Organizer
		case anyRole:
			needed = staff.Viewer
		}
		if r.needs == directory || r.needs == seesPeople { // reviewers alone have none, whatever else their role covers
			for _, role := range staff.Roles {
				if role == staff.Reviewer {
					unknown(everywhere[role], path)
				} else {
					admitted(everywhere[role], path)
				}
			}
			admitted(here, path)
			if ofEvent {
				admitted(here, r.at(d.Other.ID)) // where they look on
				unknown(here, r.at(foreign))
			}
			continue
		}
		for _, role := range staff.Roles {
			if r.needs == signedIn || r.needs == enrolling || role.Covers(needed) {
				admitted(everywhere[role], path)
			} else {
				refused(everywhere[role], path, needed)
			}
		}
		switch {
		case ofEvent:
			admitted(here, path)
			if needed == staff.Viewer {
				admitted(here, r.at(d.Other.ID))
			} else {
				refused(here, r.at(d.Other.ID), needed)
			}
			for _, role := range staff.Roles {
				unknown(everywhere[role], r.at(foreign))
				unknown(everywhere[role], r.at(store.NewID()))
			}
			unknown(here, r.at(foreign))
		case r.needs == signedIn, r.needs == enrolling, r.needs == exporting:
			admitted(here, path)
		default: // an organizer of one event has no say in the organization
			refused(here, path, needed)
		}
	}
}

// pending is somebody who gave the password and not yet the second factor.
func (d *desk) pending() *caller {
	d.t.Helper()
	c := d.hire("a half signed in owner", staff.Owner, true, nil)
	if _, err := d.SQL(d.t).Exec("UPDATE logins SET pending = $1 WHERE user_id = (SELECT id FROM users WHERE email = $2)",
		true, c.email); err != nil {
		d.t.Fatal(err)
	}
	if _, err := d.SQL(d.t).Exec("UPDATE users SET totp_confirmed_at = created_at WHERE email = $1", c.email); err != nil {
		d.t.Fatal(err)
	}
	return c
}

func TestEveryFormNeedsItsProof(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	owner := d.hire("an owner", staff.Owner, true, nil)
	other := d.hire("another owner", staff.Owner, true, nil)
	forms := map[string]func(*http.Request){
		"no token":         func(r *http.Request) { r.Header.Del("x-form-token") },
		"a forged token":   func(r *http.Request) { r.Header.Set("x-form-token", strings.Repeat("A", 43)) },
		"another's token":  func(r *http.Request) { r.Header.Set("x-form-token", d.web.formTokenOf(other.token)) },
		"a stranger's":     func(r *http.Request) { r.Header.Set("x-form-token", d.web.formTokenOf("")) },
		"a notice's proof": func(r *http.Request) { r.Header.Set("x-form-token", d.web.site.Sign("notice", owner.token)) },
		"a foreign origin": func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") },
		"an opaque origin": func(r *http.Request) { r.Header.Set("Origin", "null") },
		"another site":     func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") },
		"a sibling site":   func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-site") },
	}
	for _, r := range routesOf(addressesOf(d.web.options)) {
		if r.method == "GET" {
			continue
		}
		for name, forge := range forms {
			status, location, page := owner.try(r.method, r.at(d.Event.ID), forge)
			if status != 403 || location != "" || !strings.Contains(page, "This form cannot be used any more") {
				t.Errorf("%s %s with %s: %d %s", r.method, r.path, name, status, location)
			}
		}
	}
	for name, ours := range map[string]func(*http.Request){
		"our origin": func(r *http.Request) { r.Header.Set("Origin", "http://"+r.Host) },
		"our site":   func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-origin") },
	} {
		if status, _, _ := owner.try("POST", "/theme", ours); status != 303 {
			t.Errorf("%s: %d", name, status)
		}
	}
}

func TestSigningInIsThrottled(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	ada := d.hire("ada", staff.Organizer, true, nil)
	b := d.browser()
	b.get("/sign-in?next=/admin/account", 200)
	attempt := func(email, password string, status int) string {
		t.Helper()
		_, page := b.post("/sign-in", url.Values{"email": {email}, "password": {password}, "next": {"/admin/account"}},
			status)
		return page
	}
	known := attempt(ada.email, "wrong wrong wrong", 422)
	wants(t, known, "The address or the password is wrong.", `value="`+ada.email+`"`, `value="/admin/account"`)
	lacks(t, known, "wrong wrong wrong")
	if unknown := attempt("ada@example.net", "wrong wrong wrong", 422); strings.ReplaceAll(unknown, "ada@example.net",
		ada.email) != known {
		t.Error("the answer tells who is staff")
	}
	for range 4 {
		attempt(ada.email, "wrong wrong wrong", 422)
	}
	wants(t, attempt(ada.email, password, 429), "Too many attempts. Try again in 15 minutes.", `value="`+ada.email+`"`)
	d.Clock.Move(15*time.Minute + time.Second)
	attempt(ada.email, password, 303)
	wants(t, b.get("/admin/account", 200), ada.email)
}

func TestNobodyIsLedAwayBySigningIn(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	ada := d.hire("ada", staff.Organizer, true, nil)
	for next, want := range map[string]string{
		"/admin/account": "/admin/account", "": "/admin", "https://evil.example": "/admin", "//evil.example": "/admin",
		`/\evil.example`: "/admin", "javascript:alert(1)": "/admin", "/a\r\nSet-Cookie: x=y": "/admin", "evil": "/admin",
	} {
		b := d.browser()
		b.get("/sign-in", 200)
		location, _ := b.post("/sign-in", url.Values{"email": {ada.email}, "password": {password}, "next": {next}}, 303)
		if location != want {
			t.Errorf("%q leads to %q", next, location)
		}
	}
}

func TestCookiesAreForThisHostAlone(t *testing.T) {
	t.Parallel()
	for _, site := range []struct {
		base, prefix string
		secure       bool
	}{{"https://lectern.test", "__Host-", true}, {"http://127.0.0.1:8080", "", false}} {
		d := open(t, Options{Options: page.Options{BaseURL: site.base}})
		ada := d.hire("ada", staff.Organizer, true, nil)
		b := d.browser()
		first, _ := b.do(httptest.NewRequest("GET", "/sign-in", nil), 200)
		form := url.Values{"email": {ada.email}, "password": {password},
			"_token": {tokenPattern.FindStringSubmatch(b.page)[1]}}
		r := httptest.NewRequest("POST", "/sign-in", strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		second, _ := b.do(r, 303)
		seen := map[string]*http.Cookie{}
		for _, c := range append(first.Cookies(), second.Cookies()...) {
			if c.MaxAge >= 0 {
				seen[c.Name] = c
			}
			if c.Secure != site.secure || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Domain != "" {
				t.Errorf("%s: %s", site.base, c.Raw)
			}
		}
		if c := seen[site.prefix+loginCookie]; c == nil || c.MaxAge != int(staff.LoginLifetime/time.Second) {
			t.Errorf("%s: the login is %+v", site.base, c)
		}
		if c := seen[site.prefix+browserCookie]; c == nil || c.MaxAge != 0 || !c.Expires.IsZero() {
			t.Errorf("%s: the browser is %+v", site.base, c)
		}
		// What a plain-http neighbour could set does not sign in.
		if site.secure {
			r := httptest.NewRequest("GET", "/admin/account", nil)
			r.AddCookie(&http.Cookie{Name: loginCookie, Value: ada.token})
			if res, err := d.app.Test(r, -1); err != nil || res.StatusCode != 303 {
				t.Errorf("a cookie without the prefix: %v %v", res.StatusCode, err)
			}
		}
	}
}

func TestEveryRoleHasWords(t *testing.T) {
	for _, role := range staff.Roles {
		if pages.GrantName(string(role)) == string(role) {
			t.Errorf("%s cannot be granted", role)
		}
	}
}
