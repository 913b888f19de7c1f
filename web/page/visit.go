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
	token   string // what forms and notices are bound to: a login, or the browser's own cookie
	notice  layouts.Notice
	part    string             // the part of the next page that shows its notice
	form    string             // name of the form that was sent, or of this page's forms
	Foreign bool               // the form that was sent was not opened by this browser here
	Labels  map[string]string  // of fields whose names mean nothing to people
	end     context.CancelFunc // ends the time limit of this answer
}

// Visit wraps a request.
func (s *Site) Visit(c *fiber.Ctx) *Visit { return &Visit{Ctx: c, site: s} }

// From returns the origin of this request's changes, for the activity.
func (v *Visit) From() store.By {
	return store.By{Door: v.site.options.Door, RequestID: request.ID(v.Context()), Address: v.Address()}
}

// Address returns the browser's address, for rate limits.
func (v *Visit) Address() string { return v.site.options.Address(v.Ctx) }

// Reads tells whether the request changes nothing (GET or HEAD).
func (v *Visit) Reads() bool { return v.Method() == http.MethodGet || v.Method() == http.MethodHead }

// BrowserCookie holds the token that binds the forms of a browser without a login.
const BrowserCookie = "lectern-browser"

// Token returns what the page's forms are bound to: the token of Bind, else one that the browser keeps from now on.
func (v *Visit) Token() string {
	if v.token == "" {
		if v.token = v.CookieValue(BrowserCookie); v.token == "" {
			v.NameBrowser()
		}
	}
	return v.token
}

// Version returns the program's version.
func (v *Visit) Version() string { return v.site.options.Version }

// Bind binds the page's forms to a login.
func (v *Visit) Bind(token string) { v.token = token }

// NameBrowser gives a browser without a login a new token for its forms.
func (v *Visit) NameBrowser() {
	b := make([]byte, 18)
	rand.Read(b)
	v.token = base64.RawURLEncoding.EncodeToString(b)
	v.SetCookie(BrowserCookie, v.token, 0)
}

// cookieName adds the prefix __Host-, with which other hosts cannot set the cookie, except over plain http, where
// browsers refuse it.
func (s *Site) cookieName(name string) string {
	if s.secure {
		return "__Host-" + name
	}
	return name
}

// SetCookie stores a value in the browser for that many seconds; 0 keeps it until the browser is closed.
func (v *Visit) SetCookie(name, value string, seconds int) {
	v.Cookie(&fiber.Cookie{
		Name: v.site.cookieName(name), Value: value, Path: "/", MaxAge: seconds, SessionOnly: seconds == 0,
		Secure: v.site.secure, HTTPOnly: true, SameSite: fiber.CookieSameSiteLaxMode,
	})
}

// DropCookie deletes a value of SetCookie.
func (v *Visit) DropCookie(name string) { v.SetCookie(name, "", -1) }

// CookieValue returns a value of SetCookie, "" for none.
func (v *Visit) CookieValue(name string) string { return v.Cookies(v.site.cookieName(name)) }

// Page returns what every page has. A page that others may cache gets no forms and no notice.
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

// Render writes a page with a status.
func (v *Visit) Render(status int, page templ.Component) error {
	var out bytes.Buffer
	if err := page.Render(v.UserContext(), &out); err != nil {
		return err
	}
	v.Status(status).Type("html", "utf-8")
	return v.send(out.Bytes())
}

// Show writes a page with status 200.
func (v *Visit) Show(page templ.Component) error { return v.Render(http.StatusOK, page) }
