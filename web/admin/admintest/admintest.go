// Package admintest runs the admin over a fixture, with browsers in which staff are signed in. Only tests import it.
package admintest

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
	"lectern/web/admin"
	"lectern/web/admin/visit"
	"lectern/web/page"
	"lectern/web/request"
	"lectern/web/site"
)

// Desk is the admin over a fixture.
type Desk struct {
	*modelstest.Fixture
	T   testing.TB
	App *fiber.App
	Web *visit.Web
	// options are those that the admin was opened with.
	options visit.Options
	Site    *page.Site
}

// Routes returns all routes that are served.
func (d *Desk) Routes() []visit.Route { return visit.RoutesOf(admin.AddressesOf(d.options)) }

// Password is the password of all users that the fixture signs in.
const Password = "correct horse battery"

// Open opens the admin on SQLite and marks the test parallel; tests that run alone use OpenOn.
func Open(t *testing.T) *Desk {
	t.Helper()
	return OpenWith(t, visit.Options{})
}

// OpenWith is Open with options; it marks the test parallel too.
func OpenWith(t *testing.T, options visit.Options) *Desk {
	t.Helper()
	t.Parallel()
	return OpenOn(t, "sqlite", options)
}

// OpenAs is Open with a browser in which a new member of staff is signed in; it marks the test parallel too.
func OpenAs(t *testing.T, role staff.Role) (*Desk, *Browser) {
	t.Helper()
	d := Open(t)
	return d, d.As(role)
}

// OpenOn opens the admin on "sqlite" or "postgres".
func OpenOn(t testing.TB, dialect string, options visit.Options) *Desk {
	t.Helper()
	f := modelstest.Open(t, dialect)
	if options.BaseURL == "" {
		options.BaseURL = "http://127.0.0.1"
	}
	options.Key, options.Now = []byte(strings.Repeat("k", 32)), f.Clock.Now
	options.Address = func(c *fiber.Ctx) string { return c.Get("x-test-address", "192.0.2.1") }
	app := fiber.New(fiber.Config{Immutable: true, CaseSensitive: true, BodyLimit: 8 << 20, ReadBufferSize: 16 << 10})
	app.Use(func(c *fiber.Ctx) error {
		c.Locals(request.IDKey{}, "request-1")
		return c.Next()
	})
	options.PreviewEmbed = site.Register(fiber.New(), f.Store, site.Options{BaseURL: options.BaseURL,
		Address: options.Address, Now: options.Now})
	return &Desk{Fixture: f, T: t, App: app, Web: admin.New(app, f.Store, options), options: options,
		Site: page.New(f.Store, options.Options)}
}

// Browser keeps cookies between requests, as browsers do.
type Browser struct {
	*Desk
	Cookies map[string]string
	Page    string // the last page
	Text    string // the last answer, be it a page or not
	Address string // its network address, "" for the default
	Vouches bool   // it says that its forms come from our pages
}

// Browser returns a browser in which nobody is signed in.
func (d *Desk) Browser() *Browser { return &Browser{Desk: d, Cookies: map[string]string{}} }

// As returns a browser in which a new member of staff with this role at all events is signed in.
func (d *Desk) As(role staff.Role) *Browser {
	d.T.Helper()
	email := string(role) + "-" + store.NewID() + "@example.org"
	modelstest.Must(d.Store.Staff.CreateUser(context.Background(),
		staff.NewUser{Email: email, Name: "Ada " + string(role), Role: role, Password: Password}))(d.T)
	return d.SignedIn(email)
}

// SignedIn returns a browser in which the user of an address is signed in.
func (d *Desk) SignedIn(email string) *Browser {
	d.T.Helper()
	b := d.Browser()
	b.SignIn(email)
	return b
}

// SignIn signs a user in by the form, with Password.
func (b *Browser) SignIn(email string) {
	b.T.Helper()
	b.On("/sign-in").Post("/sign-in", url.Values{"email": {email}, "password": {Password}}, 303)
}

// FormTokenOf returns a valid form token for the token of a login or a browser.
func (d *Desk) FormTokenOf(token string) string {
	name := rand.Text()
	return name + "." + d.Site.Sign("form", name+token)
}

var TokenPattern = regexp.MustCompile(`name="_token" value="([^"]+)"`)

// Get fetches a page that must answer with status.
func (b *Browser) Get(path string, status int) string {
	b.T.Helper()
	_, page := b.Do(httptest.NewRequest("GET", path, nil), status)
	return page
}

// Post sends a form with the form token of the last page. It returns where the answer redirects to, or the page.
func (b *Browser) Post(path string, form url.Values, status int) (location, page string) {
	b.T.Helper()
	res, page := b.Do(b.FormRequest(path, form), status)
	return res.Header.Get("Location"), page
}

// FormRequest returns the request with which Post sends a form.
func (b *Browser) FormRequest(path string, form url.Values) *http.Request {
	r := httptest.NewRequest("POST", path, strings.NewReader(b.proven(form).Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return r
}

// proven gives a form the form token of the last page, unless it has one.
func (b *Browser) proven(form url.Values) url.Values {
	if form == nil {
		form = url.Values{}
	}
	if m := TokenPattern.FindStringSubmatch(b.Page); m != nil && form.Get("_token") == "" {
		form.Set("_token", m[1])
	}
	return form
}

// Send opens the page of a form, fills in fields, names and values in turn, and sends it like Post.
func (b *Browser) Send(path string, status int, pairs ...string) (location, page string) {
	b.T.Helper()
	return b.Post(path, Fill(Fields(b.Get(path, 200)), pairs...), status)
}

// On opens a page, from which the next form is sent.
func (b *Browser) On(path string) *Browser {
	b.T.Helper()
	b.Get(path, 200)
	return b
}

// Answer sends a form and returns the page that answers it.
func (b *Browser) Answer(path string, form url.Values, status int) string {
	b.T.Helper()
	_, page := b.Post(path, form, status)
	return page
}

// Follow gets the page that a form redirected to.
func (b *Browser) Follow(location, _ string) string {
	b.T.Helper()
	return b.Get(location, 200)
}

// Leads gets a page that redirects, and returns where to.
func (b *Browser) Leads(path string) string {
	b.T.Helper()
	res, _ := b.Do(httptest.NewRequest("GET", path, nil), 303)
	return res.Header.Get("Location")
}

// With adds the cookies to a request.
func (b *Browser) With(r *http.Request) *http.Request {
	if b.Address != "" {
		r.Header.Set("x-test-address", b.Address)
	}
	if b.Vouches {
		r.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	for name, value := range b.Cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	return r
}

// Do sends a request that must be answered with status, and keeps the cookies and the page of the answer.
func (b *Browser) Do(r *http.Request, status int) (*http.Response, string) {
	b.T.Helper()
	res := modelstest.Must(b.App.Test(b.With(r), -1))(b.T)
	for _, c := range res.Cookies() {
		if c.MaxAge < 0 || c.Value == "" {
			delete(b.Cookies, c.Name)
		} else {
			b.Cookies[c.Name] = c.Value
		}
	}
	page := string(modelstest.Must(io.ReadAll(res.Body))(b.T))
	b.Text = page
	if res.StatusCode != status {
		b.T.Fatalf("%s %s: %d, want %d\n%s", r.Method, r.URL, res.StatusCode, status, page)
	}
	if strings.Contains(page, "<html") {
		b.Page = page
	}
	return res, page
}

// Wants fails the test unless the page has every part.
func Wants(t testing.TB, page string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(page, part) {
			t.Errorf("the page lacks %q:\n%s", part, Body(page))
		}
	}
}

// Body returns the page's main part, for messages.
func Body(page string) string {
	if _, rest, ok := strings.Cut(page, "<main"); ok {
		page, _, _ = strings.Cut(rest, "</main>")
	}
	return page
}

// Lacks fails the test if the page has any part.
func Lacks(t testing.TB, page string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(page, part) {
			t.Errorf("the page has %q:\n%s", part, Body(page))
		}
	}
}

// BrowserCookie holds the token that binds the forms of a browser without a login.
const BrowserCookie = page.BrowserCookie

// cookieName returns a cookie's name in the browser.
func (d *Desk) cookieName(name string) string {
	if strings.HasPrefix(d.options.BaseURL, "https://") {
		return "__Host-" + name
	}
	return name
}

// EachDialect runs a test on each database.
func EachDialect(t *testing.T, test func(t *testing.T, dialect string)) {
	t.Helper()
	t.Parallel()
	for _, dialect := range modelstest.Dialects {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			test(t, dialect)
		})
	}
}

// Each runs a test of the admin on each database.
func Each(t *testing.T, test func(t *testing.T, d *Desk)) {
	t.Helper()
	EachDialect(t, func(t *testing.T, dialect string) { test(t, OpenOn(t, dialect, visit.Options{})) })
}

// OnOne runs a test on one of the databases, which alternate by the test's name (modelstest.OnOne says which tests
// may).
func OnOne(t *testing.T, test func(t *testing.T, dialect string)) {
	t.Helper()
	t.Parallel()
	dialect := modelstest.Turn(t.Name())
	t.Run(dialect, func(t *testing.T) {
		t.Parallel()
		test(t, dialect)
	})
}

// At returns an address below the event.
func (d *Desk) At(path string) string { return "/admin/events/" + d.Event.ID + path }
