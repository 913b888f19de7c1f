package page

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"net/http"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"

	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/layouts"
	"lectern/web/request"
)

// Visit is one request of a browser.
type Visit struct {
	*fiber.Ctx
	Faults  components.Faults // of the form that was sent
	site    *Site
	token   string // what forms and notices are tied to: a login, or the browser's own
	notice  layouts.Notice
	part    string             // of the next page, which shows its notice
	form    string             // name of the form that was sent, or of those of the page
	Foreign bool               // the form that was sent is not one that this browser opened here
	Labels  map[string]string  // of fields whose names say nothing to people
	end     context.CancelFunc // of the time that there is to answer
}

// Visit begins the answer to a request.
func (s *Site) Visit(c *fiber.Ctx) *Visit { return &Visit{Ctx: c, site: s} }

// From is the way by which something is changed.
func (v *Visit) From() store.By {
	return store.By{Door: v.site.options.Door, RequestID: request.ID(v.Context()), Address: v.Address()}
}

// Address is where the browser is, for throttling.
func (v *Visit) Address() string { return v.site.options.Address(v.Ctx) }

// Reads tells whether a request changes nothing.
func (v *Visit) Reads() bool { return v.Method() == http.MethodGet || v.Method() == http.MethodHead }

// BrowserCookie holds what the forms of a browser without a login are tied to.
const BrowserCookie = "lectern-browser"

// Token is what the forms of the page are tied to: that of Bind, or else one that
// the browser keeps from now on.
func (v *Visit) Token() string {
	if v.token == "" {
		if v.token = v.CookieValue(BrowserCookie); v.token == "" {
			v.NameBrowser()
		}
	}
	return v.token
}

// Version is that of the program.
func (v *Visit) Version() string { return v.site.options.Version }

// Bind ties the forms of the page to a login.
func (v *Visit) Bind(token string) { v.token = token }

// NameBrowser gives a browser without a login something new to tie its forms to.
func (v *Visit) NameBrowser() {
	b := make([]byte, 18)
	rand.Read(b)
	v.token = base64.RawURLEncoding.EncodeToString(b)
	v.SetCookie(BrowserCookie, v.token, 0)
}

// cookieName carries the prefix that keeps other hosts from setting it, except
// over plain http, where browsers refuse the prefix.
func (s *Site) cookieName(name string) string {
	if s.secure {
		return "__Host-" + name
	}
	return name
}

// SetCookie keeps a value in the browser for that many seconds; 0 is until it is closed.
func (v *Visit) SetCookie(name, value string, seconds int) {
	v.Cookie(&fiber.Cookie{
		Name: v.site.cookieName(name), Value: value, Path: "/", MaxAge: seconds, SessionOnly: seconds == 0,
		Secure: v.site.secure, HTTPOnly: true, SameSite: fiber.CookieSameSiteLaxMode,
	})
}

// DropCookie takes a value of SetCookie away.
func (v *Visit) DropCookie(name string) { v.SetCookie(name, "", -1) }

// CookieValue is a value of SetCookie, "" without.
func (v *Visit) CookieValue(name string) string { return v.Cookies(v.site.cookieName(name)) }

// Page is what every page has. One that others may keep has no forms and no notice.
func (v *Visit) Page(title string) layouts.Page {
	p := layouts.Page{Title: title, Assets: assets, Home: v.site.options.Home}
	if v.site.options.Headers.shared() {
		return p
	}
	if theme := v.Cookies("theme"); theme == "light" || theme == "dark" {
		p.Theme = theme
	}
	p.Token, p.Faults, p.Notice = v.FormToken(), v.Faults, v.notice
	return p
}

// Render writes a page.
func (v *Visit) Render(status int, page templ.Component) error {
	var out bytes.Buffer
	if err := page.Render(v.UserContext(), &out); err != nil {
		return err
	}
	v.Status(status).Type("html", "utf-8")
	return v.send(out.Bytes())
}

// Show writes a page that is fine.
func (v *Visit) Show(page templ.Component) error { return v.Render(http.StatusOK, page) }
