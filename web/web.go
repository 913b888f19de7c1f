// Package web is the admin: pages rendered on the server that staff work in.
// Every change is one operation of models; a page decides nothing by itself.
package web

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/static"
	"lectern/web/request"
)

// Options are what the admin needs beside the store.
type Options struct {
	BaseURL string
	// Key signs form tokens and notices, 32 bytes.
	Key []byte
	// SetupCode opens /setup while nobody is staff; it is printed in the log.
	SetupCode string
	// Mail is nil when there is no mail server, and links are shown instead.
	Mail Mailer
	// Managed tells that events are handed to a managed service.
	Managed bool
	// Address finds where a request comes from.
	Address func(*fiber.Ctx) string
	// Gallery serves /design, for development.
	Gallery bool
	Now     func() time.Time
}

// Mailer sends letters of ours. Its errors name neither who a letter is for nor
// what is in it.
type Mailer interface {
	// Send waits for what becomes of the letter.
	Send(ctx context.Context, to, subject, text string) error
	// SendLater tells ended what became of it.
	SendLater(to, subject, text string, ended func(error))
}

// Web serves the admin.
type Web struct {
	store   *models.Store
	options Options
	secure  bool // behind https
	origins *http.CrossOriginProtection
}

// access is who may come in by a route.
type access string

const (
	anyone   access = "anyone"
	signedIn access = "signed in"
	// enrolling is who is signed in, also without a second factor that is required.
	enrolling access = "enrolling"
	viewer           = access(models.Viewer) // at the event of the path
	reviewer         = access(models.Reviewer)
	organizer        = access(models.Organizer)
	// office is an organizer of the whole organization, or an owner.
	office access = "office"
	owner         = access(models.Owner)
)

// route is one row of the admin: where it is, who may come in, and what it does.
type route struct {
	method, path string
	needs        access
	handle       func(*visit) error
}

const event = "/admin/events/:event"

// routes are all of the admin.
func (w *Web) routes() []route {
	var all []route
	for _, group := range [][]route{
		w.signInRoutes(), w.accountRoutes(), w.staffRoutes(), w.securityRoutes(),
		w.eventRoutes(), w.dashboardRoutes(), w.settingsRoutes(), w.metadataRoutes(), w.keyRoutes(), w.endpointRoutes(),
		w.submissionRoutes(), w.bulkRoutes(), w.sessionRoutes(), w.reviewRoutes(), w.galleryRoutes(),
	} {
		all = append(all, group...)
	}
	return all
}

// New registers the admin's routes on app.
func New(app *fiber.App, store *models.Store, options Options) *Web {
	if options.Now == nil {
		options.Now = time.Now
	}
	w := &Web{store: store, options: options, secure: strings.HasPrefix(options.BaseURL, "https://"), origins: http.NewCrossOriginProtection()}
	for _, r := range w.routes() {
		app.Add(r.method, r.path, w.serve(r))
		if r.method == http.MethodGet {
			app.Add(http.MethodHead, r.path, w.serve(r))
		}
	}
	app.Use("/admin", w.noRoute)
	return w
}

// noRoute explains an address of the admin that has no page, or takes another method.
func (w *Web) noRoute(c *fiber.Ctx) error {
	err := c.Next()
	var e *fiber.Error
	if errors.As(err, &e) {
		return w.Problem(c, e.Code)
	}
	return err
}

var errNoPage = &models.Error{Kind: models.NotFound, Message: "There is no page at this address."}

// serve is the way of every request: the form's proof, then the login, then the
// role, then the page.
func (w *Web) serve(r route) fiber.Handler {
	return func(c *fiber.Ctx) error {
		v := &visit{Ctx: c, w: w}
		return w.answer(v, func(v *visit) error {
			if err := v.identify(); err != nil {
				return err
			}
			if r.method != http.MethodGet {
				if err := v.checkForm(); err != nil {
					v.foreign = errors.Is(err, errOldForm)
					return err
				}
			}
			if err := v.admit(r.needs); err != nil {
				return err
			}
			return r.handle(v)
		})
	}
}

// pageTime is how long a page may take: an export of a large event, or a letter
// to a slow mail server.
const pageTime = 30 * time.Second

func (w *Web) answer(v *visit, page func(*visit) error) (err error) {
	ctx, cancel := context.WithTimeout(v.UserContext(), pageTime)
	defer cancel()
	v.SetUserContext(models.WithBy(ctx, v.from()))
	defer func() {
		if r := recover(); r != nil {
			err = v.fail(fmt.Errorf("panic: %v\n%s", r, debug.Stack()))
		}
	}()
	if err := page(v); err != nil {
		return v.fail(err)
	}
	return nil
}

// sign is a proof that a text comes from here.
func (w *Web) sign(purpose, text string) string {
	mac := hmac.New(sha256.New, w.options.Key)
	mac.Write([]byte(purpose + "\x00" + text))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// assets changes with every file a page fetches, so that they may be cached.
var assets = func() string {
	sum := sha256.Sum256([]byte(static.Version()))
	return hex.EncodeToString(sum[:4])
}()

func (v *visit) logError(err error) {
	slog.Error("page failed", "request_id", request.ID(v.Context()), "error", err.Error())
}
