package admin

import (
	"context"
	"crypto/rand"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"

	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/page"
	"lectern/web/request"
)

// desk is the admin over a fixture.
type desk struct {
	*modelstest.Fixture
	t   testing.TB
	app *fiber.App
	web *Web
}

const password = "correct horse battery"

func open(t testing.TB, options Options) *desk { return openOn(t, "sqlite", options) }

func openOn(t testing.TB, dialect string, options Options) *desk {
	t.Helper()
	f := modelstest.Open(t, dialect)
	if options.BaseURL == "" {
		options.BaseURL = "http://127.0.0.1"
	}
	options.Key, options.Now = []byte(strings.Repeat("k", 32)), f.Clock.Now
	options.Address = func(c *fiber.Ctx) string { return c.Get("x-test-address", "192.0.2.1") }
	app := fiber.New(fiber.Config{Immutable: true, CaseSensitive: true, BodyLimit: 8 << 20,
		ReadBufferSize: 16 << 10})
	app.Use(func(c *fiber.Ctx) error {
		c.Locals(request.IDKey{}, "request-1")
		return c.Next()
	})
	return &desk{Fixture: f, t: t, app: app, web: New(app, f.Store, options)}
}

// browser keeps cookies between requests, as browsers do.
type browser struct {
	*desk
	cookies map[string]string
	page    string // the last one
	address string // where it is, when that matters
}

func (d *desk) browser() *browser { return &browser{desk: d, cookies: map[string]string{}} }

// as is a browser in which a new member of staff with this role, held everywhere,
// is signed in.
func (d *desk) as(role staff.Role) *browser {
	d.t.Helper()
	email := string(role) + "-" + store.NewID() + "@example.org"
	if _, err := d.Store.Staff.CreateUser(context.Background(),
		staff.NewUser{Email: email, Name: "Ada " + string(role), Role: role, Password: password}); err != nil {
		d.t.Fatal(err)
	}
	b := d.browser()
	b.signIn(email)
	return b
}

func (b *browser) signIn(email string) {
	b.t.Helper()
	b.get("/sign-in", 200)
	b.post("/sign-in", url.Values{"email": {email}, "password": {password}}, 303)
}

// formTokenOf is a form's proof for a login or a browser.
func (w *Web) formTokenOf(token string) string {
	name := rand.Text()
	return name + "." + w.site.Sign("form", name+token)
}

var tokenPattern = regexp.MustCompile(`name="_token" value="([^"]+)"`)

// get fetches a page that must answer with status.
func (b *browser) get(path string, status int) string {
	b.t.Helper()
	_, page := b.do(httptest.NewRequest("GET", path, nil), status)
	return page
}

// post sends a form with the token of the last page and returns where it led to,
// and the page when it led nowhere.
func (b *browser) post(path string, form url.Values, status int) (location, page string) {
	b.t.Helper()
	if form == nil {
		form = url.Values{}
	}
	if m := tokenPattern.FindStringSubmatch(b.page); m != nil && form.Get("_token") == "" {
		form.Set("_token", m[1])
	}
	r := httptest.NewRequest("POST", path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, page := b.do(r, status)
	return res.Header.Get("Location"), page
}

// follow gets where a form led to.
func (b *browser) follow(location, _ string) string {
	b.t.Helper()
	return b.get(location, 200)
}

// leads gets a page that sends on, and returns where to.
func (b *browser) leads(path string) string {
	b.t.Helper()
	res, _ := b.do(httptest.NewRequest("GET", path, nil), 303)
	return res.Header.Get("Location")
}

// with gives a request the cookies.
func (b *browser) with(r *http.Request) *http.Request {
	if b.address != "" {
		r.Header.Set("x-test-address", b.address)
	}
	for name, value := range b.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	return r
}

func (b *browser) do(r *http.Request, status int) (*http.Response, string) {
	b.t.Helper()
	res, err := b.app.Test(b.with(r), -1)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, c := range res.Cookies() {
		if c.MaxAge < 0 || c.Value == "" {
			delete(b.cookies, c.Name)
		} else {
			b.cookies[c.Name] = c.Value
		}
	}
	body, err := io.ReadAll(res.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	page := string(body)
	if res.StatusCode != status {
		b.t.Fatalf("%s %s: %d, want %d\n%s", r.Method, r.URL, res.StatusCode, status, page)
	}
	if strings.Contains(page, "<html") {
		b.page = page
	}
	return res, page
}

// wants fails the test unless the page has every part.
func wants(t testing.TB, page string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(page, part) {
			t.Errorf("the page lacks %q:\n%s", part, body(page))
		}
	}
}

// body is the page without its head and the parts around it, for messages.
func body(page string) string {
	if _, rest, ok := strings.Cut(page, "<main"); ok {
		page, _, _ = strings.Cut(rest, "</main>")
	}
	return page
}

// lacks fails the test if the page has any part.
func lacks(t testing.TB, page string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(page, part) {
			t.Errorf("the page has %q:\n%s", part, body(page))
		}
	}
}

const browserCookie = page.BrowserCookie

// cookieName is what a browser calls a cookie of ours.
func (w *Web) cookieName(name string) string {
	if strings.HasPrefix(w.options.BaseURL, "https://") {
		return "__Host-" + name
	}
	return name
}
