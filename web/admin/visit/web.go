package visit

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/models/embed"
	"lectern/models/identity"
	"lectern/models/passkey"
	"lectern/models/passkey/webauthn"
	"lectern/models/signin"
	"lectern/web/page"
	"lectern/web/request"
)

// Options are what the admin needs beside the store.
type Options struct {
	page.Options
	// SetupCode opens /setup while nobody is staff; it is printed in the log.
	SetupCode string
	// Mail is nil when there is no mail server, and links are shown instead.
	Mail Mailer
	// Providers asks identity providers who somebody is.
	Providers *identity.Client
	// PreviewEmbed answers with what an embed of an event shows that need not be kept. Of no colours of its own the
	// address of their style sheet is "".
	PreviewEmbed func(c *fiber.Ctx, of *models.Event, e *embed.Embed, styles string) error
	// MailFrom is the address that letters come from.
	MailFrom string
	// Passkeys is the site that browsers make them for; nil where they make none, as NoPasskeys says.
	Passkeys   passkey.Site
	NoPasskeys string
	// Managed tells that events are handed to a managed service.
	Managed bool
	// Gallery serves /design, for development.
	Gallery bool
}

// Mailer sends letters of ours. Its errors name neither who a letter is for nor what is in it.
type Mailer interface {
	// Send waits for what becomes of the letter. Its errors are a *models.MailFault.
	Send(ctx context.Context, letter *models.OutgoingLetter) error
	// SendLater tells ended what became of it.
	SendLater(to, subject, text string, ended func(error))
}

// Web answers the requests of staff.
type Web struct {
	site    *page.Site
	store   *models.Store
	options Options
	uploads Uploads
}

// NewWeb is one whose forms at uploads take files.
func NewWeb(store *models.Store, options Options, uploads Uploads) *Web {
	if options.Now == nil {
		options.Now = time.Now
	}
	if site, why := webauthn.New(options.BaseURL); why == "" {
		options.Passkeys = site
	} else {
		options.NoPasskeys = why
	}
	options.Door, options.Home, options.Headers = "admin", "/admin", page.Private
	return &Web{site: page.New(store, options.Options), store: store, options: options, uploads: uploads}
}

// Mount registers the routes of addresses on app.
func (w *Web) Mount(app *fiber.App, addresses []Address) {
	for _, r := range RoutesOf(addresses) {
		app.Add(r.Method, r.Path, w.serve(r))
		if r.Method == http.MethodGet {
			app.Add(http.MethodHead, r.Path, w.serve(r))
		}
	}
	app.Use("/admin", page.Unrouted(w.Problem))
}

// spooledTime is how long a file of any size may take to be looked at and kept, once it is here.
const spooledTime = 5 * time.Minute

// change answers a form. One with a file is read, and its proof looked at, only once its sender may send it.
// Of a Skimmed upload the fields are read also when its sender is signed out.
func (w *Web) change(v *Visit, r Route) error {
	u := w.uploads.At(v.Path())
	if u == nil {
		if err := v.CheckForm(); err != nil {
			return err
		}
		if err := v.admit(r.Needs); err != nil {
			return err
		}
		return r.handle(v)
	}
	barred := v.admit(r.Needs)
	err := v.read(u, barred)
	v.Arrived(map[bool]time.Duration{true: spooledTime}[u.spools])
	if err != nil {
		return err
	}
	if v.Spooled != nil {
		defer v.Spooled.Close()
	}
	if err := v.CheckForm(); err != nil {
		return err
	}
	if barred != nil {
		return barred
	}
	return r.handle(v)
}

// read reads a form with a file, as its upload says, or answers why somebody may not send it.
func (v *Visit) read(u *Upload, barred error) (err error) {
	isForm := strings.HasPrefix(v.Get(fiber.HeaderContentType), fiber.MIMEMultipartForm)
	switch {
	case barred == nil && u.spools && isForm:
		v.Spooled, err = request.Spool(v.Ctx, int64(u.Limit), FormRoom)
	case barred == nil && u.spools:
		err = request.ReadBody(v.Ctx, FormRoom)
	case barred == nil:
		err = request.ReadBody(v.Ctx, u.Limit)
	case barred == signin.ErrSignedOut && u.skims && isForm:
		_, err = request.Skim(v.Ctx, int64(u.Limit), answersRoom)
	default:
		return barred
	}
	if err != nil {
		return asProblem(err)
	}
	return nil
}

// asProblem explains a body that could not be read.
func asProblem(err error) error {
	var e *fiber.Error
	if errors.As(err, &e) {
		return page.NoRoute(e.Code)
	}
	return err
}

// serve is the way of every request: the login, then the form's proof and the role, then the page.
func (w *Web) serve(r Route) fiber.Handler {
	return func(c *fiber.Ctx) error {
		v := w.visit(c)
		return v.Answer(func() error {
			if err := v.identify(); err != nil {
				return err
			}
			if r.Method == http.MethodGet {
				if err := v.admit(r.Needs); err != nil {
					return err
				}
				return r.handle(v)
			}
			return w.change(v, r)
		}, v.fail)
	}
}
