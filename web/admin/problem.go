package admin

import (
	"errors"
	"net/http"
	"net/url"

	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/views/layouts"
	"lectern/views/pages"
	"lectern/web/request"
)

// Problem answers a browser what no route did: there is no page at the address,
// none by this method, or the request is not taken.
func (w *Web) Problem(c *fiber.Ctx, status int) error {
	return w.answer(&visit{Ctx: c, w: w, foreign: true}, func(v *visit) error {
		if err := v.identify(); err != nil {
			return err
		}
		return noAnswer(status)
	})
}

// noAnswer is the status of what no route answers.
type noAnswer int

func (n noAnswer) Error() string { return http.StatusText(int(n)) }

// noAnswers say in words what the commonest of them mean.
var noAnswers = map[noAnswer][2]string{
	http.StatusNotFound:              {"There is nothing here", "There is no page at this address. It may be mistyped, or what it showed was moved or deleted."},
	http.StatusMethodNotAllowed:      {"There is nothing to see here", "This address only takes what the buttons and forms of other pages send. Nothing was changed."},
	http.StatusRequestEntityTooLarge: {"That is too much at once", "The server takes up to 2 MB in one form. Nothing was changed; go back, shorten the longest text and send it again."},
	http.StatusInternalServerError:   {"Something went wrong on our side", "Try again, and tell us the request below if it stays so."},
}

// fail answers what no page could: sign in, another role's page, nothing there,
// or a fault of ours.
func (v *visit) fail(err error) error {
	if v.token == "" {
		v.token = v.cookie(browserCookie)
	}
	var no *forbidden
	var before *sentBefore
	var none noAnswer
	e := models.AsError(err)
	p := pages.ProblemPage{RequestID: request.ID(v.Context())}
	var chosen bool
	if !v.foreign && !v.reads() {
		p.Typed, chosen = typed(v.sent())
	}
	show := func(status int, title, text string) error {
		p.Shell, p.Text = v.frame(title), text
		v.Set("HX-Push-Url", "false") // the address of a form is none to come back to
		return v.render(status, pages.Problem(p))
	}
	// again offers to ask once more: by all of the form, so never by one with secrets.
	again := func() {
		if !v.hasSecrets() {
			p.Again, p.Resend, p.Kept, p.More = v.OriginalURL(), !v.reads(), v.sent(), chosen
		}
	}
	// What may be let through later can be sent again then; a mere button is pressed again.
	later := func() {
		if len(p.Typed) > 0 {
			again()
		}
	}
	switch {
	case errors.Is(err, errOwesFactor):
		switch {
		case v.Method() != http.MethodGet:
			later()
			p.SetUp = true
			return show(http.StatusForbidden, "Set up your second factor first", "Your organization requires one of all staff now. Nothing was changed. Set yours up in another tab, then come back.")
		case v.Get("HX-Request") != "":
			v.Set("HX-Redirect", factorPath)
			return v.SendStatus(http.StatusForbidden)
		}
		return v.Redirect(factorPath+"?next="+url.QueryEscape(v.OriginalURL()), http.StatusSeeOther)
	case errors.As(err, &no):
		v.denied("role " + string(no.needs))
		text := "It needs the role " + string(no.needs) + ". Ask an owner if you should have it."
		if later(); !v.reads() {
			text += " Nothing was changed."
		}
		return show(http.StatusForbidden, "This page is not for your role", text)
	case errors.As(err, &none):
		words, known := noAnswers[none]
		if !known {
			words = [2]string{http.StatusText(int(none)), "The server does not take this request. Nothing was changed."}
		}
		return show(int(none), words[0], words[1])
	case errors.As(err, &before) && before.same:
		v.keepNotice("warn", "That form was sent before, and this is what it made. Nothing was made again.")
		return v.see(before.address, "")
	case errors.As(err, &before):
		v.form, p.Made = "", before.address // what is sent from here is another form
		again()
		return show(http.StatusConflict, "This form was sent before", "It made something then, and you have changed it since. Nothing was made again yet. Edit what it made, or send this to make another one.")
	case errors.Is(err, errLateForm):
		p.SignIn = v.user == nil
		again()
		switch {
		case !p.Resend:
			return show(http.StatusForbidden, "This form cannot be used any more", "You signed in or out since it was opened, "+
				"so nothing was changed. Open it again and fill it in once more; passwords and codes are not kept.")
		case p.SignIn:
			return show(http.StatusUnauthorized, "You are signed out", "Your sign-in has ended, so nothing was changed. "+
				"What you typed is kept on this page: sign in in another tab, then come back and send it again.")
		}
		return show(http.StatusForbidden, "Send it once more?",
			"You signed in since this form was opened, so nothing was changed yet. What you typed is kept.")
	case errors.Is(err, errOldForm):
		return show(http.StatusForbidden, "This form cannot be used any more", "It was opened before you signed in or out, or by another site. Go back, reload the page and send it again.")
	case e == nil || e.Kind == models.Unavailable:
		v.logError(err)
		again()
		if e != nil {
			v.Set(fiber.HeaderRetryAfter, request.RetryAfter)
			return show(http.StatusServiceUnavailable, "Please try again in a moment", e.Message)
		}
		return show(http.StatusInternalServerError, "Something went wrong on our side", "Nothing was changed. Try again, and tell us the request below if it stays so.")
	case e.Kind == models.Unauthorized:
		if v.reads() && v.Get("HX-Request") == "" {
			return v.Redirect("/sign-in?next="+url.QueryEscape(v.OriginalURL()), http.StatusSeeOther)
		}
		if v.reads() {
			v.Set("HX-Redirect", "/sign-in")
		}
		return show(http.StatusUnauthorized, "You are signed out", "Nothing was changed. Sign in and try again.")
	case e.Kind == models.TooMany:
		return show(http.StatusTooManyRequests, "Too many attempts", e.Message)
	case e.Kind == models.NotFound:
		later()
		return show(http.StatusNotFound, "There is nothing here", e.Message)
	case e.Kind == models.Stale:
		return show(http.StatusConflict, "Someone else was faster", "This was changed meanwhile. Go back, reload and look at it before you change it again.")
	default:
		return show(http.StatusUnprocessableEntity, "That cannot be done", e.Message)
	}
}

// frame is what stands around the page: the menu of who is signed in, as far as
// it can be had.
func (v *visit) frame(title string) layouts.Shell {
	if v.user != nil && !v.login.OwesFactor {
		if s, err := v.shell(title); err == nil {
			return s
		}
	}
	return layouts.Shell{Page: v.page(title)}
}

// reads tells whether a request changes nothing.
func (v *visit) reads() bool { return v.Method() == http.MethodGet || v.Method() == http.MethodHead }
