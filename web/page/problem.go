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

// Problem is an error with the words in which a page explains it.
type Problem struct {
	Status int
	Title  string
	Text   string // "" shows the error's message
	Offers Offer
	First  layouts.Step // what the reader can do or look at first
}

func (p *Problem) Error() string { return p.Title }

// Offer says whether a problem's page offers to send the request again, with all fields of the form. A form with
// secrets is never offered.
type Offer int

const (
	// Nothing: sending it again would not help.
	Nothing Offer = iota
	// WhatWasTyped offers a form with typed text again, which may be accepted later; a lone button is just pressed
	// again.
	WhatWasTyped
	// Everything offers any request again.
	Everything
)

var (
	// OldForm answers a form without a valid proof.
	OldForm = &Problem{Status: http.StatusForbidden, Title: "This form cannot be used any more",
		Text: "It was opened before you signed in or out, or by another site. Go back, reload the page and send it again."}
	// LateForm answers a form that this browser opened here, but under another token.
	LateForm = &Problem{Status: http.StatusForbidden, Title: "Send it once more?",
		Text:   "This form waited for so long that it was forgotten, so nothing was changed yet. What you typed is kept.",
		Offers: Everything}
	// NoPage answers an address without a page.
	NoPage = &store.Error{Kind: store.NotFound, Message: "There is no page at this address."}
)

// kinds explain the kinds of errors that any page may meet.
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

// statuses explain the commonest statuses of requests that no route answers.
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

// NoRoute returns the problem of a request that no route answers: the address has no page, does not take the
// method, or the server refused the request.
func NoRoute(status int) error {
	p, known := statuses[status]
	if !known {
		p = Problem{Title: http.StatusText(status), Text: "The server does not take this request. Nothing was changed."}
	}
	p.Status = status
	return &p
}

// OfNoEvent turns an event that was not found into an address without a page; it returns other errors as they are.
func OfNoEvent(err error) error {
	if store.KindOf(err) == store.NotFound {
		return NoRoute(http.StatusNotFound)
	}
	return err
}

// problemOf explains an error; sent tells whether something was sent rather than asked for.
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

// Fail answers with a page that explains err, in the given frame; nil is the plain one.
func (v *Visit) Fail(err error, frame func(title string) layouts.Shell) error {
	return v.FailIn(err, func(title string, why layouts.Failure) templ.Component {
		shell := layouts.Shell{Page: v.Page(title)}
		if frame != nil {
			shell = frame(title)
		}
		return layouts.Problem(shell, why)
	})
}

// FailIn is Fail with a page that show renders.
func (v *Visit) FailIn(err error, show func(title string, why layouts.Failure) templ.Component) error {
	before := new(SentBefore)
	if again := errors.As(err, &before); again && before.Same {
		v.KeepNotice("warn", "That form was sent before, and this is what it made. Nothing was made again.")
		return v.See(before.Address, "")
	} else if again {
		v.form = "" // sending it again from this page counts as another form
	}
	p := problemOf(err, !v.Reads())
	if p.Status >= http.StatusInternalServerError {
		slog.Error("page failed", "request_id", request.ID(v.Context()), "error", err.Error())
	}
	if p.Status == http.StatusServiceUnavailable {
		v.Set(fiber.HeaderRetryAfter, request.RetryAfter)
	}
	shown := layouts.Failure{Text: p.Text, RequestID: request.ID(v.Context()), First: p.First}
	var chosen bool
	if !v.Foreign && !v.Reads() {
		shown.Typed, chosen = typed(v.FormFields(), v.Labels)
	}
	if p.Offers == Everything || p.Offers == WhatWasTyped && len(shown.Typed) > 0 {
		v.offerAgain(&shown, chosen)
	}
	v.Set("HX-Push-Url", "false") // a form's address must not enter the browser's history
	// Never cached, but framed by whoever may frame the group's pages, so that the frame shows what is wrong.
	Headers{cache: Private.cache, frames: v.site.options.Headers.frames}.Set(v.Ctx)
	return v.Render(p.Status, show(p.Title, shown))
}

// offerAgain offers to send the whole request again, unless the form holds secrets.
func (v *Visit) offerAgain(p *layouts.Failure, chosen bool) {
	if !v.HasSecrets() {
		p.Again, p.Resend, p.Kept, p.More = v.OriginalURL(), !v.Reads(), v.FormFields(), chosen
	}
}

// Unrouted has problem explain requests for addresses that have no page or take another method.
func Unrouted(problem func(c *fiber.Ctx, status int) error) fiber.Handler {
	return func(c *fiber.Ctx) error {
		err := c.Next()
		if e, is := errors.AsType[*fiber.Error](err); is {
			return problem(c, e.Code)
		}
		return err
	}
}
