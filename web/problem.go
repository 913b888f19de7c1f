package web

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"lectern/models"
	"lectern/views/components"
	"lectern/views/pages"
)

// fail answers what no page could: sign in, another role's page, nothing there,
// or a fault of ours.
func (v *visit) fail(err error) error {
	if v.token == "" {
		v.token = v.cookie(browserCookie)
	}
	var no *forbidden
	var e *models.Error
	p := pages.ProblemPage{RequestID: v.w.options.RequestID(v.Ctx)}
	show := func(status int, title, text string) error {
		p.Page, p.Text = v.page(title), text
		return v.render(status, pages.Problem(p))
	}
	switch {
	case errors.As(err, &no):
		return show(http.StatusForbidden, "This page is not for your role", "It needs the role "+string(no.needs)+". Ask an owner if you should have it.")
	case errors.Is(err, errLateForm) && !v.hasSecrets():
		p.Again, p.Resend, p.Kept = v.OriginalURL(), true, v.sent()
		if v.user == nil {
			p.SignIn = true
			return show(http.StatusUnauthorized, "You are signed out", "Your sign-in has ended, so nothing was changed. What you typed is kept on this page: sign in in another tab, then come back and send it again.")
		}
		return show(http.StatusForbidden, "Send it once more?", "You signed in since this form was opened, so nothing was changed yet. What you typed is kept.")
	case errors.Is(err, errOldForm), errors.Is(err, errLateForm):
		return show(http.StatusForbidden, "This form cannot be used any more", "It was opened before you signed in or out, or by another site. Go back, reload the page and send it again.")
	case !errors.As(err, &e):
		v.logError(err)
		switch {
		case v.Method() == http.MethodGet:
			p.Again = v.OriginalURL()
		case !v.hasSecrets():
			p.Again, p.Resend, p.Kept = v.OriginalURL(), true, v.sent()
		}
		return show(http.StatusInternalServerError, "Something went wrong on our side", "Nothing was changed. Try again, and tell us the request below if it stays so.")
	case e.Kind == models.Unauthorized:
		if v.Method() == http.MethodGet && v.Get("HX-Request") == "" {
			return v.Redirect("/sign-in?next="+url.QueryEscape(v.OriginalURL()), http.StatusSeeOther)
		}
		if v.Method() == http.MethodGet {
			v.Set("HX-Redirect", "/sign-in")
		}
		return show(http.StatusUnauthorized, "You are signed out", "Nothing was changed. Sign in and try again.")
	case e.Kind == models.TooMany:
		return show(http.StatusTooManyRequests, "Too many attempts", e.Message)
	case e.Kind == models.NotFound:
		return show(http.StatusNotFound, "There is nothing here", e.Message)
	case e.Kind == models.Stale:
		return show(http.StatusConflict, "Someone else was faster", "This was changed meanwhile. Go back, reload and look at it before you change it again.")
	default:
		return show(http.StatusUnprocessableEntity, "That cannot be done", e.Message)
	}
}

// sent are all fields of the form but its proof and those named, for a page that
// sends it once more.
func (v *visit) sent(but ...string) []components.Fault {
	var fields []components.Fault
	for name, value := range v.Request().PostArgs().All() {
		if n := string(name); n != "_token" && !slices.Contains(but, n) {
			fields = append(fields, components.Fault{Field: n, Message: string(value)})
		}
	}
	return fields
}

// hasSecrets tells of a form that is not shown again, not even hidden.
func (v *visit) hasSecrets() bool {
	return slices.ContainsFunc(v.sent(), func(f components.Fault) bool {
		return strings.Contains(f.Field, "password") || strings.Contains(f.Field, "secret") || strings.Contains(f.Field, "code")
	})
}
