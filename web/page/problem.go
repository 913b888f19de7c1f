package page

import (
	"cmp"
	"errors"
	"log/slog"
	"net/http"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"

	"lectern/models/store"
	"lectern/views/layouts"
	"lectern/web/request"
)

// Problem is an error in the words of a page.
type Problem struct {
	Status int
	Title  string
	Text   string // "" takes what the error says
	Offers Offer
	First  layouts.Step // what to do or look at first
}

func (p *Problem) Error() string { return p.Title }

// Offer is whether a page of a problem asks once more, with all of the form; never with one that holds secrets.
type Offer int

const (
	// Nothing is of no use to ask again.
	Nothing Offer = iota
	// WhatWasTyped may be let through later; a mere button is pressed again.
	WhatWasTyped
	// Everything is worth another try.
	Everything
)

var (
	// OldForm is a form without a valid proof.
	OldForm = &Problem{Status: http.StatusForbidden, Title: "This form cannot be used any more",
		Text: "It was opened before you signed in or out, or by another site. Go back, reload the page and send it again."}
	// LateForm is one that this browser opened here, but under another token.
	LateForm = &Problem{Status: http.StatusForbidden, Title: "Send it once more?",
		Text:   "This form waited for so long that it was forgotten, so nothing was changed yet. What you typed is kept.",
		Offers: Everything}
	// NoPage is an address without a page.
	NoPage = &store.Error{Kind: store.NotFound, Message: "There is no page at this address."}
)

// kinds are the errors of models that every page meets.
var kinds = map[store.Kind]Problem{
	store.Unauthorized: {Status: http.StatusUnauthorized, Title: "You are signed out",
		Text: "Nothing was changed. Sign in and try again."},
	store.NotFound: {Status: http.StatusNotFound, Title: "There is nothing here", Offers: WhatWasTyped},
	store.Stale: {Status: http.StatusConflict, Title: "Someone else was faster",
		Text: "This was changed meanwhile. Go back, reload and look at it before you change it again."},
	store.TooMany:     {Status: http.StatusTooManyRequests, Title: "Too many attempts"},
	store.Unavailable: {Status: http.StatusServiceUnavailable, Title: "Please try again in a moment", Offers: Everything},
	store.Unknown:     {Status: http.StatusGatewayTimeout, Title: "Look whether it was saved", Offers: WhatWasTyped},
}

// statuses are the commonest of those that no route answers.
var statuses = map[int]Problem{
	http.StatusNotFound: {Title: "There is nothing here",
		Text: "There is no page at this address. It may be mistyped, or what it showed was moved or deleted."},
	http.StatusMethodNotAllowed: {Title: "There is nothing to see here",
		Text: "This address only takes what the buttons and forms of other pages send. Nothing was changed."},
	http.StatusRequestTimeout: {Title: "It did not arrive in time",
		Text: "Nothing was changed. Go back and send it again; if it stays so, over a quicker or steadier line."},
	http.StatusRequestEntityTooLarge: {Title: "That is too much at once",
		Text: "The server takes up to 2 MB in one form, and files as large as their form says. Nothing was changed; go " +
			"back, shorten the longest text or choose a smaller file, and send it again."},
	http.StatusInternalServerError: {Title: "Something went wrong on our side",
		Text: "Try again, and tell us the request below if it stays so."},
}

// NoRoute is a request that no route answers: there is no page at the address,
// none by this method, or it is not taken.
func NoRoute(status int) error {
	p, known := statuses[status]
	if !known {
		p = Problem{Title: http.StatusText(status), Text: "The server does not take this request. Nothing was changed."}
	}
	p.Status = status
	return &p
}

// OfNoEvent is an error before the event was found; that there is none is as much as that there is no page.
func OfNoEvent(err error) error {
	if store.KindOf(err) == store.NotFound {
		return NoRoute(http.StatusNotFound)
	}
	return err
}

// problemOf finds the words of an error, of what was asked for or of what was sent.
func problemOf(err error, sent bool) Problem {
	var own *Problem
	var before *SentBefore
	switch e := store.AsError(err); {
	case errors.As(err, &own):
		return *own
	case errors.As(err, &before):
		return Problem{Status: http.StatusConflict, Title: "This form was sent before", Offers: Everything,
			Text: "It made something then, and you have changed it since. Nothing was made again yet. " +
				"Edit what it made, or send this to make another one.",
			First: layouts.Step{Name: "Go to what it made", URL: before.Address}}
	case e == nil:
		p := Problem{Status: http.StatusInternalServerError, Title: "Something went wrong on our side", Offers: Everything,
			Text: "Try again, and tell us the request below if it stays so."}
		if sent {
			p.Text = "Perhaps it was kept all the same: look before you send it again, and tell us the request below if it stays so."
		}
		return p
	default:
		p, known := kinds[e.Kind]
		if !known {
			p = Problem{Status: http.StatusUnprocessableEntity, Title: "That cannot be done"}
		}
		p.Text = cmp.Or(p.Text, e.Message)
		return p
	}
}

// Fail answers what no page could, in a frame; nil is the plain one.
func (v *Visit) Fail(err error, frame func(title string) layouts.Shell) error {
	return v.FailIn(err, func(title string, why layouts.Reason) templ.Component {
		shell := layouts.Shell{Page: v.Page(title)}
		if frame != nil {
			shell = frame(title)
		}
		return layouts.Problem(shell, why)
	})
}

// FailIn is Fail on a page of another kind.
func (v *Visit) FailIn(err error, show func(title string, why layouts.Reason) templ.Component) error {
	before := new(SentBefore)
	if again := errors.As(err, &before); again && before.Same {
		v.KeepNotice("warn", "That form was sent before, and this is what it made. Nothing was made again.")
		return v.See(before.Address, "")
	} else if again {
		v.form = "" // what is sent from here is another form
	}
	p := problemOf(err, !v.Reads())
	if p.Status >= http.StatusInternalServerError {
		slog.Error("page failed", "request_id", request.ID(v.Context()), "error", err.Error())
	}
	if p.Status == http.StatusServiceUnavailable {
		v.Set(fiber.HeaderRetryAfter, request.RetryAfter)
	}
	shown := layouts.Reason{Text: p.Text, RequestID: request.ID(v.Context()), First: p.First}
	var chosen bool
	if !v.Foreign && !v.Reads() {
		shown.Typed, chosen = typed(v.FormFields(), v.Labels)
	}
	if p.Offers == Everything || p.Offers == WhatWasTyped && len(shown.Typed) > 0 {
		v.offerAgain(&shown, chosen)
	}
	v.Set("HX-Push-Url", "false") // the address of a form is none to come back to
	// Nobody keeps it, and it is framed by whoever frames its group: the frame says what is wrong.
	Headers{cache: Private.cache, frames: v.site.options.Headers.frames}.Set(v.Ctx)
	return v.Render(p.Status, show(p.Title, shown))
}

// offerAgain offers to ask once more: by all of the form, so never by one with secrets.
func (v *Visit) offerAgain(p *layouts.Reason, chosen bool) {
	if !v.HasSecrets() {
		p.Again, p.Resend, p.Kept, p.More = v.OriginalURL(), !v.Reads(), v.FormFields(), chosen
	}
}

// Unrouted explains by problem an address that has no page, or takes another method.
func Unrouted(problem func(c *fiber.Ctx, status int) error) fiber.Handler {
	return func(c *fiber.Ctx) error {
		err := c.Next()
		if e, is := errors.AsType[*fiber.Error](err); is {
			return problem(c, e.Code)
		}
		return err
	}
}
