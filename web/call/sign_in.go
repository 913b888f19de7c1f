package call

import (
	"net/http"
	"strings"

	"lectern/models/call"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/layouts"
	pages "lectern/views/pages/call/public"
	"lectern/web/page"
)

func signInForm(v *visit) error {
	next := v.safeNext(v.Query("next"))
	if v.login != nil {
		return v.SeeInstead(next)
	}
	return v.signInPage(http.StatusOK, pages.SignInPage{Next: next})
}

func (v *visit) signInPage(status int, p pages.SignInPage) error {
	p.Public, p.Mailed = v.sheet(v.T("entry.title")), v.w.options.Mail != nil
	p.Action, p.LinkTo = v.path("place/sign-in"), v.path("place/link")
	if site := v.w.passkeys; site != nil {
		p.PasskeyTo, p.Host, p.Scripts = v.path("place/sign-in/passkey"), site.Host(), []string{pages.PasskeyScript}
	}
	return v.Render(status, pages.SignIn(p))
}

func signIn(v *visit) error {
	email := v.Value("email")
	token, login, err := call.SignIn(v.ctx(), v.w.store, v.event.OrganizationID, call.Attempt{Email: email,
		Password: v.FormValue("password"), Browser: v.browser(),
		Known: v.KnownBrowser(familiarCookie, familiarTo(v.event.OrganizationID, email))})
	return v.entered(token, login, err)
}

// entered goes on with a new login, or says why there is none.
func (v *visit) entered(token string, login *call.Login, err error) error {
	next := v.safeNext(v.Value("next"))
	if err == nil {
		err = v.endThisLogin(login.Account)
	}
	if err == nil {
		v.enter(token)
		v.remember(login.Account)
		return v.See(next, "")
	}
	status := http.StatusUnprocessableEntity
	switch store.KindOf(err) {
	case store.TooMany:
		status = http.StatusTooManyRequests
	case store.Unauthorized:
	default:
		return err
	}
	v.Faults = components.Faults{{Message: err.Error()}}
	return v.signInPage(status, pages.SignInPage{Next: next, Email: v.Value("email")})
}

// browser returns the browser that signs in.
func (v *visit) browser() call.Browser {
	return call.Browser{Address: v.Address(), Agent: v.Get("User-Agent"), Device: v.device()}
}

// endThisLogin ends the login of this browser, if it has one, before next signs in, nil for nobody. Where next is
// another person, the browser is left as if the present one had signed out.
func (v *visit) endThisLogin(next *call.Account) error {
	switch {
	case v.login == nil:
		return nil
	case next != nil && next.ContactID == v.place.ContactID():
		return v.place.EndLogin(v.ctx())
	}
	return v.place.Leave(v.ctx(), v.browser())
}

// leave signs out and forgets this device.
func leave(v *visit) error {
	if err := v.endThisLogin(nil); err != nil {
		return err
	}
	v.DropCookie(deviceCookie)
	v.leave()
	return v.See(v.path("place/sign-in"), v.T("entry.left"))
}

// keepZone stores the reader's time zone, which pages show besides the event's.
func keepZone(v *visit) error {
	back := v.Value("back")
	if home := v.path(""); !strings.HasPrefix(back, home) || strings.Contains(back, "\\") {
		back = v.path("place")
	}
	if err := v.KeepZone(v.Value("zone")); err != nil {
		v.KeepNotice("warn", v.T("entry.nozone"))
	}
	return v.See(back, "")
}

// lateForm explains a form that was opened before somebody signed in or out.
func (v *visit) lateForm() error {
	p := &page.Problem{Status: http.StatusForbidden, Title: "Send it once more?", Offers: page.Everything,
		Text: v.T("entry.latetext")}
	if v.login == nil {
		p.Status, p.Title = http.StatusUnauthorized, "You are signed out"
		p.Text = v.T("entry.outtext")
		if len(v.skimmed) > 0 {
			p.Text += " " + v.T("entry.fileagain")
		}
		p.First = layouts.Step{Name: v.T("entry.tab"), URL: v.path("place/sign-in"), Elsewhere: true}
	}
	if v.HasSecrets() {
		p.Status, p.Title, p.Offers = http.StatusForbidden, "This form cannot be used any more", page.Nothing
		p.Text = v.T("entry.secrettext")
	}
	return p
}
