// Package call serves the call for papers to speakers: its page, the form of a proposal, and the place where they find
// everything of theirs. It knows nothing of the admin's users.
package call

import (
	"errors"
	"net/http"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/models/passkey"
	"lectern/models/passkey/webauthn"
	"lectern/models/store"
	"lectern/views/layouts"
	"lectern/web/page"
	"lectern/web/request"
)

// Options are what these pages need besides the store.
type Options struct {
	page.Options
	// Mail is nil without a mail server: only staff can then pass on links.
	Mail Mailer
}

// Mailer sends mails with links that let somebody in; these mails are stored nowhere.
type Mailer interface {
	// SendLater sends in the background and then calls ended with the result.
	SendLater(to, subject, text string, ended func(error))
}

// errandsAtOnce bounds the background work that strangers can cause.
const errandsAtOnce = 4

// Web serves the pages.
type Web struct {
	site    *page.Site
	store   *models.Store
	options Options
	dresses *store.Cache[string, models.AgendaState, *dress]
	// passkeys is the site that browsers make passkeys for, nil where they cannot.
	passkeys passkey.Site
	errands  chan struct{} // limits how much background work runs at once
}

// New registers the routes on app.
func New(app *fiber.App, from *models.Store, options Options) *Web {
	options.Door, options.Headers = "call", page.Private
	w := &Web{site: page.New(from, options.Options), store: from, options: options,
		dresses: store.NewCache[string, models.AgendaState, *dress](dressesKept),
		errands: make(chan struct{}, errandsAtOnce)}
	if at, why := webauthn.New(options.BaseURL); why == "" {
		w.passkeys = at
	}
	for _, r := range routes() {
		app.Add(r.method, r.path, w.serve(r))
		if r.method == http.MethodGet {
			app.Add(http.MethodHead, r.path, w.serve(r))
		}
	}
	for _, part := range []string{"/call", "/place"} {
		app.Use(event+part, page.Unrouted(w.Problem))
	}
	return w
}

// serve handles a request of a route: the event, the login, the form's proof, then the page.
func (w *Web) serve(r route) fiber.Handler {
	return func(c *fiber.Ctx) error {
		v := w.visit(c)
		return v.Answer(func() error {
			if err := v.identify(c.Params("event")); err != nil {
				return err
			}
			if r.method == http.MethodGet {
				if err := v.admit(r.needs); err != nil {
					return err
				}
				return r.handle(v)
			}
			return v.change(r)
		}, v.fail)
	}
}

// change answers a form. Of a form with files it reads only the fields where its sender is not admitted or the form is
// too large, so that what was typed is not lost with the file.
func (v *visit) change(r route) error {
	barred := v.admit(r.needs)
	if u := uploadAt(v.Path()); u != nil {
		err := v.readUpload(u, barred == nil)
		v.RestartDeadline(0)
		if err != nil {
			return err
		}
	}
	if err := v.CheckForm(); err != nil {
		return err
	}
	if barred != nil {
		return barred
	}
	return r.handle(v)
}

// readUpload reads a form with files, or only its fields.
func (v *visit) readUpload(u *upload, isAdmitted bool) (err error) {
	isForm := strings.HasPrefix(v.Get(fiber.HeaderContentType), fiber.MIMEMultipartForm)
	switch {
	case isForm && !isAdmitted:
		v.skimmed, err = request.Skim(v.Ctx, int64(u.limit), answersRoom)
	case isForm && v.Context().Request.Header.ContentLength() > u.limit:
		v.skimmed, err = request.Skim(v.Ctx, mostSent, answersRoom)
	default:
		err = request.ReadBody(v.Ctx, u.limit)
	}
	if e, is := errors.AsType[*fiber.Error](err); is {
		return v.unread(e.Code)
	}
	return err
}

// unread explains a request that could not be read.
func (v *visit) unread(status int) error {
	u := uploadAt(v.Path())
	if u == nil || status != http.StatusRequestEntityTooLarge {
		return page.NoRoute(status)
	}
	return &page.Problem{Status: status, Title: v.T("entry.toolarge"),
		Text:  v.T(u.takes) + " " + v.T("entry.nochange"),
		First: layouts.Step{Name: v.T("entry.toform"), URL: v.Path()}}
}

// Has tells whether a path belongs to the public pages of this package or of web/site, or would.
func Has(path string) bool {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return first == "events" || first == "embeds" || first == "sitemap.xml"
}

// Problem answers requests that no route does: the address has no page, does not take the method, or the server refused
// the request.
func (w *Web) Problem(c *fiber.Ctx, status int) error {
	v := w.visit(c)
	v.Foreign = true
	return v.Answer(func() error {
		below, _ := strings.CutPrefix(c.Path(), "/events/")
		slug, _, _ := strings.Cut(below, "/")
		if err := v.identify(slug); err != nil && store.KindOf(err) != store.NotFound {
			return err
		}
		return v.unread(status)
	}, v.fail)
}
