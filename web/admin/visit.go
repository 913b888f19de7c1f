package admin

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/views/components"
	"lectern/web/request"
)

// visit is one request of a browser: who asks, for which event, as what.
type visit struct {
	*fiber.Ctx
	w         *Web
	token     string // of the login, or of a browser without one
	login     *models.Login
	user      *models.User
	role      models.StaffRole // at the event; of the organization elsewhere
	event     *models.Event
	programme *models.Programme
	faults    components.Faults
	notice    notice
	form      string // name of the form that was sent, or of those of the page
	foreign   bool   // the form that was sent is not one that this browser opened here
	section   string // address of the list that a record belongs to, for the sidebar
}

func (v *visit) ctx() context.Context { return v.UserContext() }

// from is the way by which something is changed, and by is who changes it.
func (v *visit) from() models.By {
	return models.By{Door: "admin", RequestID: request.ID(v.Context()), Address: v.address()}
}

func (v *visit) by() models.By {
	by := v.from()
	by.ActorID, by.ActorName = v.user.ID, v.user.Name
	return by
}

// address is where the browser is, for throttling.
func (v *visit) address() string { return v.w.options.Address(v.Ctx) }

// cookieName carries the prefix that keeps other hosts from setting it, except
// over plain http, where browsers refuse the prefix.
func (w *Web) cookieName(name string) string {
	if w.secure {
		return "__Host-" + name
	}
	return name
}

func (v *visit) setCookie(name, value string, seconds int) {
	v.Cookie(&fiber.Cookie{
		Name: v.w.cookieName(name), Value: value, Path: "/", MaxAge: seconds, Secure: v.w.secure, HTTPOnly: true, SameSite: fiber.CookieSameSiteLaxMode,
		SessionOnly: seconds == 0,
	})
}

func (v *visit) dropCookie(name string) { v.setCookie(name, "", -1) }

func (v *visit) cookie(name string) string { return v.Cookies(v.w.cookieName(name)) }

const loginCookie, browserCookie, noticeCookie = "lectern", "lectern-browser", "lectern-notice"

// identify finds the login of the browser, if it has one.
func (v *visit) identify() error {
	if token := v.cookie(loginCookie); token != "" {
		login, err := v.w.store.Staff.LoginBy(v.ctx(), token)
		switch {
		case err == nil:
			v.token, v.login, v.user = token, login, login.User
			if v.user != nil {
				v.role = v.user.RoleAt("") // that of who has one everywhere
			}
		case models.KindOf(err) == models.Unauthorized:
			v.dropCookie(loginCookie)
		default:
			return err
		}
	}
	if v.token == "" {
		if v.token = v.cookie(browserCookie); v.token == "" {
			v.nameBrowser()
		}
	}
	v.readNotice()
	return nil
}

// nameBrowser gives a browser without a login something to tie its forms to.
func (v *visit) nameBrowser() {
	b := make([]byte, 18)
	rand.Read(b)
	v.token = base64.RawURLEncoding.EncodeToString(b)
	v.setCookie(browserCookie, v.token, 0)
}

// leave forgets the login of this browser, for what comes after the answer.
func (v *visit) leave() {
	v.dropCookie(loginCookie)
	v.login, v.user = nil, nil
	v.nameBrowser()
}

// admit lets in who has the role that a route needs.
func (v *visit) admit(needs access) error {
	if needs == anyone {
		return nil
	}
	switch {
	case v.user == nil:
		return errSignIn
	case needs == enrolling:
		return nil
	case v.login.OwesFactor:
		return errOwesFactor
	}
	switch needs {
	case signedIn:
		return nil
	case owner:
		if v.user.RoleAt("") != models.Owner {
			return &forbidden{models.Owner}
		}
		return nil
	case office:
		if !v.mayOffice() {
			return &forbidden{models.Organizer}
		}
		return nil
	}
	event, role, err := v.w.store.EventFor(v.ctx(), v.user, v.Params("event"))
	if err != nil {
		if models.KindOf(err) == models.NotFound {
			v.denied("event")
		}
		return err
	}
	v.event, v.role = event, role
	v.programme = v.w.store.Programme(event, v.by())
	if !role.Covers(models.StaffRole(needs)) {
		return &forbidden{models.StaffRole(needs)}
	}
	return nil
}

// may tells whether this person could use what needs a role, so that pages do
// not offer it in vain.
func (v *visit) may(needs models.StaffRole) bool { return v.role.Covers(needs) }

// mayOffice is may for what belongs to the organization.
func (v *visit) mayOffice() bool { return v.user.RoleAt("").Covers(models.Organizer) }

// denied tells the security log that somebody was refused what is not for them.
func (v *visit) denied(of string) {
	v.w.store.Note(models.Incident{
		Event: models.Denied, By: v.by(), OrganizationID: v.user.OrganizationID, Facts: map[string]any{"of": of},
	})
}

var errOwesFactor = errors.New("the organization requires a second factor")

var errSignIn = &models.Error{Kind: models.Unauthorized, Message: "Sign in to go on."}

// forbidden is a page of another role.
type forbidden struct{ needs models.StaffRole }

func (f *forbidden) Error() string { return "needs the role " + string(f.needs) }

// errOldForm is a form without a valid proof; errLateForm is one that this
// browser opened here, but under another sign-in.
var errOldForm, errLateForm = errors.New("this form does not belong here"), errors.New("this form does not belong to this sign-in")

// checkForm lets a change through only when it comes from a page of ours in this
// browser: by what the browser says of its origin, and by the form's own token.
func (v *visit) checkForm() error {
	r := &http.Request{Method: v.Method(), Host: v.Hostname(), Header: http.Header{}, URL: &url.URL{Path: v.Path()}}
	for _, name := range []string{"Sec-Fetch-Site", "Origin"} {
		if value := v.Get(name); value != "" {
			r.Header.Set(name, value)
		}
	}
	if err := v.w.origins.Check(r); err != nil {
		return errOldForm
	}
	given := v.FormValue("_token")
	if given == "" {
		given = v.Get("x-form-token")
	}
	if v.ownForm(given) {
		return nil
	}
	if given != "" && len(r.Header) > 0 {
		return errLateForm // the browser vouches for where it comes from
	}
	return errOldForm
}

// FormValue is a field of the form's body: a parameter of the address that has
// the same name, such as the filter of a list, does not take its place.
func (v *visit) FormValue(name string) string {
	if all := v.values(name); len(all) > 0 {
		return all[0]
	}
	return ""
}

// value is a field of the form, without the spaces around it.
func (v *visit) value(name string) string { return strings.TrimSpace(v.FormValue(name)) }

// values are all of a field that may be there several times.
func (v *visit) values(name string) []string {
	var out []string
	for _, b := range v.Request().PostArgs().PeekMulti(name) {
		out = append(out, string(b))
	}
	if form, err := v.MultipartForm(); err == nil {
		out = append(out, form.Value[name]...)
	}
	return out
}

// render writes a page.
func (v *visit) render(status int, page templ.Component) error {
	var out bytes.Buffer
	if err := page.Render(v.ctx(), &out); err != nil {
		return err
	}
	v.Status(status).Type("html", "utf-8")
	return v.Send(out.Bytes())
}

// show writes a page that is fine.
func (v *visit) show(page templ.Component) error { return v.render(http.StatusOK, page) }

// refuse takes the faults of an input, for the form to be shown again; any other
// error is returned.
func (v *visit) refuse(err error) error {
	if kind := models.KindOf(err); kind != models.Invalid && kind != models.GateHeld {
		return err
	}
	v.faults = faultsOf(err)
	return nil
}

// faultsOf are the faults that an error of models names; none of no error.
func faultsOf(err error) (faults components.Faults) {
	var e *models.Error
	if !errors.As(err, &e) {
		return nil
	}
	for _, f := range e.Fields {
		faults = append(faults, components.Fault{Field: f.Field, Message: f.Message})
	}
	if len(faults) == 0 {
		faults = components.Faults{{Message: e.Message}}
	}
	return faults
}
