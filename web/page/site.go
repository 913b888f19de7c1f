// Package page holds what every page needs, signed in or not: a request with its cookies and the proof of its
// forms, notices, faults, times and problems. Rooms that sign people in build on it; one that serves strangers
// needs nothing else.
package page

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/models/store"
	"lectern/static"
	"lectern/views/words"
)

// Options are what pages need besides the store.
type Options struct {
	BaseURL string
	// Key signs form tokens and notices, 32 bytes.
	Key []byte
	// Address returns the address that a request comes from.
	Address func(*fiber.Ctx) string
	Now     func() time.Time
	// Door names the way by which changes come in, for the activity.
	Door string
	// Home is the address of the page that leads to all others.
	Home string
	// Version is that of the program, shown only to people who are signed in.
	Version string
	// Headers are sent with every answer.
	Headers Headers
}

// Site is a group of routes whose pages share their options.
type Site struct {
	options Options
	store   *models.Store
	secure  bool // served over https
	origins *http.CrossOriginProtection
	offers  *store.Cache[string, store.Time, []*words.Language] // by event id and token
}

// New returns a group of routes with these options.
func New(from *models.Store, options Options) *Site {
	return &Site{
		options: options, store: from,
		secure: strings.HasPrefix(options.BaseURL, "https://"), origins: http.NewCrossOriginProtection(),
		offers: store.NewCache[string, store.Time, []*words.Language](offersKept),
	}
}

// Handler wraps a page that needs no sign-in; requests that change something must carry a form's proof.
func (s *Site) Handler(show func(*Visit) error) fiber.Handler {
	return func(c *fiber.Ctx) error {
		v := s.Visit(c)
		return v.Answer(func() error {
			if !s.options.Headers.shared() { // a notice is for one browser, so it never stands on a shared page
				v.ReadNotice()
			}
			if !v.Reads() {
				if err := v.CheckForm(); err != nil {
					return err
				}
			}
			return show(v)
		}, func(err error) error { return v.Fail(err, nil) })
	}
}

// pageTime is how long a page may take, long enough for an export of a large event or a letter to a slow mail
// server.
const pageTime = 30 * time.Second

// Answer runs show within pageTime, and fail where show returns an error or panics.
func (v *Visit) Answer(show func() error, fail func(error) error) (err error) {
	ctx, cancel := context.WithTimeout(v.UserContext(), pageTime)
	v.end = cancel
	defer func() { v.end() }()
	v.SetUserContext(store.WithBy(ctx, v.From()))
	v.site.options.Headers.Set(v.Ctx)
	defer func() {
		if r := recover(); r != nil {
			err = fail(fmt.Errorf("panic: %v\n%s", r, debug.Stack()))
		}
	}()
	if err := show(); err != nil {
		return fail(err)
	}
	return nil
}

// RestartDeadline restarts the clock, with pageTime or limit if that is longer: a large upload has used up its time by
// arriving.
func (v *Visit) RestartDeadline(limit time.Duration) {
	v.end()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(v.UserContext()), max(limit, pageTime))
	v.end = cancel
	v.SetUserContext(ctx)
}

// Sign returns a MAC that proves that a text comes from this server and was made for this purpose.
func (s *Site) Sign(purpose, text string) string {
	mac := hmac.New(sha256.New, s.options.Key)
	mac.Write([]byte(purpose + "\x00" + text))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// assets changes whenever a file that pages fetch does, so that those files may be cached.
var assets = static.Version()
