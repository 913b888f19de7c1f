// Package page is what every page needs and no sign-in knows: a request, its
// cookies and the proof of its forms, notices, faults, times and problems. Rooms
// that sign people in build on it; one that serves strangers needs nothing else.
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

// Options are what pages need beside the store.
type Options struct {
	BaseURL string
	// Key signs form tokens and notices, 32 bytes.
	Key []byte
	// Address finds where a request comes from.
	Address func(*fiber.Ctx) string
	Now     func() time.Time
	// Door is by what changes come in, for the activity.
	Door string
	// Home is the page that leads to all others.
	Home string
	// Version is that of the program, which only who signed in is told.
	Version string
	// Headers are those of all answers.
	Headers Headers
}

// Site is a group of routes whose pages share their options.
type Site struct {
	options Options
	store   *models.Store
	secure  bool // behind https
	origins *http.CrossOriginProtection
	offers  *store.Cache[string, store.Time, []*words.Language] // by events and their tokens
}

// New makes a group of routes.
func New(from *models.Store, options Options) *Site {
	if options.Now == nil {
		options.Now = time.Now
	}
	return &Site{
		options: options, store: from,
		secure: strings.HasPrefix(options.BaseURL, "https://"), origins: http.NewCrossOriginProtection(),
		offers: store.NewCache[string, store.Time, []*words.Language](offersKept),
	}
}

// Handler serves anybody: what changes something needs the proof of its form.
func (s *Site) Handler(show func(*Visit) error) fiber.Handler {
	return func(c *fiber.Ctx) error {
		v := s.Visit(c)
		return v.Answer(func() error {
			if !s.options.Headers.shared() { // a notice is for one browser
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

// pageTime is how long a page may take: an export of a large event, or a letter to a slow mail server.
const pageTime = 30 * time.Second

// Answer has show answer within the time of a page; what fails, or panics, fail answers.
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

// Arrived gives what follows a time of its own, that of a page unless limit is longer: what was sent took as long as it
// took to arrive.
func (v *Visit) Arrived(limit time.Duration) {
	v.end()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(v.UserContext()), max(limit, pageTime))
	v.end = cancel
	v.SetUserContext(ctx)
}

// Sign is a proof that a text comes from here and is meant for a purpose.
func (s *Site) Sign(purpose, text string) string {
	mac := hmac.New(sha256.New, s.options.Key)
	mac.Write([]byte(purpose + "\x00" + text))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// assets changes with every file a page fetches, so that they may be cached.
var assets = static.Version()
