// Package cfp is the call for papers as those see it who speak: its page, the form of a proposal, and the place where
// somebody finds all that is theirs. It knows nothing of those who sign in to the admin.
package cfp

import (
	"errors"
	"net/http"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/web/page"
	"lectern/web/request"
)

// Options are what these pages need beside the store.
type Options struct {
	page.Options
	// Mail is nil when there is no mail server: then links are only copied by staff.
	Mail Mailer
}

// Mailer sends the letters that are kept nowhere: those with links by which somebody comes in.
type Mailer interface {
	// SendLater tells ended what became of it.
	SendLater(to, subject, text string, ended func(error))
}

// errandsAtOnce bounds what strangers can make us do behind the answers.
const errandsAtOnce = 4

// Web serves the pages.
type Web struct {
	site    *page.Site
	store   *models.Store
	options Options
	errands chan struct{} // how many links are looked up and mailed at once, behind the answers
}

// New registers the routes on app.
func New(app *fiber.App, store *models.Store, options Options) *Web {
	options.Door, options.Headers = "call", page.Private
	w := &Web{site: page.New(store, options.Options), store: store, options: options,
		errands: make(chan struct{}, errandsAtOnce)}
	for _, r := range routes() {
		app.Add(r.method, r.path, w.serve(r))
		if r.method == http.MethodGet {
			app.Add(http.MethodHead, r.path, w.serve(r))
		}
	}
	for _, part := range []string{"/call", "/place"} {
		app.Use(event+part, w.noRoute)
	}
	return w
}

// serve is the way of every request: the event, the login, the form's proof, then the page.
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

// change answers a form. One with a file is read, and its proof looked at, only once its sender may send it.
func (v *visit) change(r route) error {
	limit := UploadLimit(v.Path())
	if limit == 0 {
		if err := v.CheckForm(); err != nil {
			return err
		}
	}
	if err := v.admit(r.needs); err != nil {
		return err
	}
	if limit > 0 {
		if err := request.ReadBody(v.Ctx, limit); err != nil {
			var e *fiber.Error
			if errors.As(err, &e) {
				return page.NoRoute(e.Code)
			}
			return err
		}
		if err := v.CheckForm(); err != nil {
			return err
		}
	}
	return r.handle(v)
}

// noRoute explains an address below these that has no page, or takes another method.
func (w *Web) noRoute(c *fiber.Ctx) error {
	err := c.Next()
	var e *fiber.Error
	if errors.As(err, &e) {
		return w.Problem(c, e.Code)
	}
	return err
}

// Has tells whether an address is one of these, or would be.
func Has(path string) bool {
	return strings.HasPrefix(path, "/events/") && len(strings.Split(path, "/")) > 3
}

// Problem answers a browser what no route did: there is no page at the address, none by this method, or the request is
// not taken.
func (w *Web) Problem(c *fiber.Ctx, status int) error {
	v := w.visit(c)
	v.Foreign = true
	return v.Answer(func() error {
		if err := v.identify(strings.Split(c.Path(), "/")[2]); err != nil {
			return err
		}
		if status == http.StatusRequestEntityTooLarge && UploadLimit(c.Path()) > 0 {
			return &page.Problem{Status: status, Title: "The file is too large",
				Text: "Choose a smaller one, or make this one smaller, and send it again. Nothing was changed."}
		}
		return page.NoRoute(status)
	}, v.fail)
}
