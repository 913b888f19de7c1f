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

// Options are what the admin needs besides the store.
type Options struct {
	page.Options
	// SetupCode opens /setup while there is no staff; it is printed to the log.
	SetupCode string
	// Mail is nil without a mail server; links are shown then instead.
	Mail Mailer
	// Providers asks identity providers who somebody is.
	Providers *identity.Client
	// PreviewEmbed answers with what an embed would show that need not be saved yet. styles is the address of its own
	// colours' style sheet, "" without any.
	PreviewEmbed func(c *fiber.Ctx, of *models.Event, e *embed.Embed, styles string) error
	// MailFrom is the sender's address of letters.
	MailFrom string
	// Passkeys is the site that browsers make passkeys for; nil where they cannot, for the reason in NoPasskeys.
	Passkeys   passkey.Site
	NoPasskeys string
	// Managed tells whether a managed service delivers emissions.
	Managed bool
	// Gallery serves /design, for development.
	Gallery bool
}

// Mailer sends letters. Its errors name neither the recipient nor the content.
type Mailer interface {
	// Send waits until the letter was sent or failed. Its errors are a *models.MailFault.
	Send(ctx context.Context, letter *models.OutgoingLetter) error
	// SendLater sends in the background and then calls ended with the result.
	SendLater(to, subject, text string, ended func(error))
}

// Web answers the requests of staff.
type Web struct {
	site    *page.Site
	store   *models.Store
	options Options
	uploads Uploads
}

// NewWeb returns a Web whose forms at uploads take files.
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

// spooledTime is how long a large file may take to be checked and stored, once it has arrived.
const spooledTime = 5 * time.Minute

// change answers a form. A form with a file is read, and its proof checked, only after its sender is known to be
// admitted; of a Skimmed upload the fields are read even from a sender who is signed out.
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
	v.RestartDeadline(map[bool]time.Duration{true: spooledTime}[u.spools])
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

// read reads a form with a file as its upload says; barred is why its sender is not admitted, nil if they are.
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

// serve handles a request of a route: the login, then the form's proof and the role, then the page.
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
