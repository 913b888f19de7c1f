package visit

import (
	"errors"
	"net/http"
	"net/url"

	"github.com/gofiber/fiber/v2"

	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/layouts"
	"lectern/web/page"
)

// Problem answers requests that no route does: the address has no page, does not take the method, or the server refused
// the request.
func (w *Web) Problem(c *fiber.Ctx, status int) error {
	v := w.visit(c)
	v.Foreign = true
	return v.Answer(func() error {
		if err := v.identify(); err != nil {
			return err
		}
		if u := w.uploads.At(c.Path()); u != nil && status == http.StatusRequestEntityTooLarge {
			return &page.Problem{Status: status, Title: "The file is too large", Text: u.Takes + " Nothing was changed."}
		}
		return page.NoRoute(status)
	}, v.fail)
}

var errOwesFactor = &page.Problem{Status: http.StatusForbidden, Title: "Set up your second factor first",
	Offers: page.WhatWasTyped,
	Text: "Your organization requires one of all staff now. Nothing was changed. Set yours up in another tab, then " +
		"come back.",
	First: layouts.Step{Name: "Set it up in another tab", URL: FactorPath, Elsewhere: true}}

// forbidden is the error of a page that needs another role.
type forbidden struct{ needs staff.Role }

func (f *forbidden) Error() string { return "needs the role " + string(f.needs) }

// fail answers an error: it leads to the sign-in or to the second factor, or shows a page that explains it.
func (v *Visit) fail(err error) error {
	var no *forbidden
	byScript := v.Get("HX-Request") != ""
	switch signedOut := store.KindOf(err) == store.Unauthorized; {
	case errors.Is(err, errOwesFactor) && v.Method() == http.MethodGet && byScript:
		v.Set("HX-Redirect", FactorPath)
		return v.SendStatus(http.StatusForbidden)
	case errors.Is(err, errOwesFactor) && v.Method() == http.MethodGet:
		return v.Redirect(FactorPath+"?next="+url.QueryEscape(v.OriginalURL()), http.StatusSeeOther)
	case signedOut && v.Reads() && !byScript:
		return v.Redirect("/sign-in?next="+url.QueryEscape(v.OriginalURL()), http.StatusSeeOther)
	case signedOut && v.Reads():
		v.Set("HX-Redirect", "/sign-in")
	case errors.As(err, &no):
		err = v.refused(no.needs)
	case errors.Is(err, page.LateForm):
		err = v.lateForm()
	}
	return v.Fail(err, v.frame)
}

func (v *Visit) refused(needs staff.Role) error {
	v.denied("role " + string(needs))
	text := "It needs the role " + string(needs) + ". Ask an owner if you should have it."
	if !v.Reads() {
		text += " Nothing was changed."
	}
	return &page.Problem{Status: http.StatusForbidden, Title: "This page is not for your role", Text: text,
		Offers: page.WhatWasTyped}
}

// lateForm explains a form that was opened before somebody signed in or out.
func (v *Visit) lateForm() error {
	p := &page.Problem{Status: http.StatusForbidden, Title: "Send it once more?", Offers: page.Everything,
		Text: "You signed in since this form was opened, so nothing was changed yet. What you typed is kept."}
	if v.User == nil {
		p.First = layouts.Step{Name: "Sign in in another tab", URL: "/sign-in", Elsewhere: true}
		p.Status, p.Title = http.StatusUnauthorized, "You are signed out"
		p.Text = "Your sign-in has ended, so nothing was changed. What you typed is kept on this page: " +
			"sign in in another tab, then come back and send it again."
	}
	if v.HasSecrets() {
		p.Status, p.Title = http.StatusForbidden, "This form cannot be used any more"
		p.Text = "You signed in or out since it was opened, so nothing was changed. " +
			"Open it again and fill it in once more; passwords and codes are not kept."
	}
	return p
}

// frame returns the page's shell, with the menu if the user is known and the menu can be read.
func (v *Visit) frame(title string) layouts.Shell {
	if v.User != nil && !v.Login.OwesFactor {
		if s, err := v.Shell(title); err == nil {
			return s
		}
	}
	return layouts.Shell{Page: v.Page(title)}
}
