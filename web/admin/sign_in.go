package admin

import (
	"crypto/subtle"
	"net/http"
	"net/url"
	"time"

	"lectern/models"
	"lectern/views/components"
	"lectern/views/pages"
)

func (w *Web) signInRoutes() []route {
	return []route{
		{"GET", "/", anyone, func(v *visit) error { return v.see("/admin", "") }},
		{"GET", "/setup", anyone, setupForm},
		{"POST", "/setup", anyone, setUp},
		{"GET", "/sign-in", anyone, signInForm},
		{"POST", "/sign-in", anyone, signIn},
		{"GET", "/second-factor", anyone, secondFactorForm},
		{"POST", "/second-factor", anyone, secondFactor},
		{"POST", "/sign-out", anyone, signOut},
		{"POST", "/theme", anyone, setTheme},
		{"GET", "/admin", signedIn, start},
	}
}

// start leads to the event last worked on, or to the first one.
func start(v *visit) error {
	events, err := v.w.store.EventsFor(v.ctx(), v.user)
	if err != nil {
		return err
	}
	if len(events) == 0 {
		if v.user.RoleAt("") == models.Owner {
			return v.see("/admin/events/new", "")
		}
		return v.see("/admin/account", "")
	}
	last := v.cookie(lastEventCookie)
	for _, e := range events {
		if e.ID == last {
			return v.see("/admin/events/"+e.ID, "")
		}
	}
	return v.see("/admin/events/"+events[0].ID, "")
}

const lastEventCookie = "lectern-event"

// notSetUp answers NotFound once somebody is staff.
func (v *visit) notSetUp() error {
	needed, err := v.w.store.NeedsSetup(v.ctx())
	if err == nil && !needed {
		err = errNoPage
	}
	return err
}

func setupForm(v *visit) error {
	if err := v.notSetUp(); err != nil {
		return err
	}
	return v.setupPage(http.StatusOK, pages.SetupPage{Code: v.Query("code")})
}

// setupPage asks for what the command line has not made.
func (v *visit) setupPage(status int, p pages.SetupPage) error {
	organization, events, err := v.w.store.Prepared(v.ctx())
	if err != nil {
		return err
	}
	if organization != nil {
		p.There = organization.Name
	}
	for _, e := range events {
		p.Events = append(p.Events, e.Name)
	}
	p.Page = v.page("Set up")
	return v.render(status, pages.Setup(p))
}

func setUp(v *visit) error {
	if err := v.notSetUp(); err != nil {
		return err
	}
	p := pages.SetupPage{Code: v.value("code"), Organization: v.value("organization"), Name: v.value("name"), Email: v.value("email")}
	password := v.FormValue("password")
	err := v.w.store.Staff.TrySetup(v.ctx(), v.address())
	if err == nil && (v.w.options.SetupCode == "" || subtle.ConstantTimeCompare([]byte(p.Code), []byte(v.w.options.SetupCode)) != 1) {
		err = fieldFault("code", "is not the one in the server's log")
		v.w.store.Note(models.Incident{Event: models.SetupFailed, By: v.from()})
	}
	if err == nil {
		_, err = v.w.store.SetUp(v.ctx(), models.Setup{Organization: p.Organization, Owner: models.NewUser{Name: p.Name, Email: p.Email, Password: password}})
	}
	if err == nil {
		return v.enter(models.SignIn{Email: p.Email, Password: password}, "/admin")
	}
	status := refusal(err)
	if status == http.StatusTooManyRequests {
		v.faults = components.Faults{{Message: err.Error()}}
	} else if err := v.refuse(err); err != nil {
		return err
	}
	return v.setupPage(status, p)
}

func signInForm(v *visit) error {
	if v.user != nil {
		return v.see("/admin", "")
	}
	if needed, err := v.w.store.NeedsSetup(v.ctx()); err != nil || needed {
		if err != nil {
			return err
		}
		return v.see("/setup", "")
	}
	return v.show(pages.SignIn(pages.SignInPage{Page: v.page("Sign in"), Next: safeNext(v.Query("next"))}))
}

func signIn(v *visit) error {
	next := safeNext(v.value("next"))
	err := v.enter(models.SignIn{Email: v.value("email"), Password: v.FormValue("password")}, next)
	if err == nil {
		return nil
	}
	kind := models.KindOf(err)
	if kind != models.Unauthorized && kind != models.TooMany {
		return err
	}
	v.faults = components.Faults{{Field: "", Message: err.Error()}}
	return v.render(refusal(err), pages.SignIn(pages.SignInPage{Page: v.page("Sign in"), Email: v.value("email"), Next: next}))
}

// refusal is the status of a sign-in that was refused.
func refusal(err error) int {
	if models.KindOf(err) == models.TooMany {
		return http.StatusTooManyRequests
	}
	return http.StatusUnprocessableEntity
}

// enter signs in and goes on to next, or to the second factor.
func (v *visit) enter(in models.SignIn, next string) error {
	in.Address, in.Agent, in.Browser = v.address(), v.Get("User-Agent"), v.familiar(in.Email)
	token, login, err := v.w.store.Staff.SignIn(v.ctx(), in)
	if err != nil {
		return err
	}
	if v.login != nil { // of somebody else, or of an earlier try
		if err := v.w.store.Staff.SignOut(v.ctx(), v.token); err != nil {
			return err
		}
	}
	v.take(token)
	v.befriend(in.Email)
	if login.Pending {
		return v.see("/second-factor?next="+url.QueryEscape(next), "")
	}
	return v.see(next, "")
}

// take gives the browser the token of a login.
func (v *visit) take(token string) {
	v.setCookie(loginCookie, token, int(models.LoginLifetime/time.Second))
	v.dropCookie(browserCookie)
	v.token = token
}

func secondFactorForm(v *visit) error {
	if v.login == nil {
		return errSignIn
	}
	if !v.login.Pending {
		return v.see("/admin", "")
	}
	return v.show(pages.SecondFactor(pages.SecondFactorPage{Page: v.page("Second factor"), Next: safeNext(v.Query("next"))}))
}

func secondFactor(v *visit) error {
	next := safeNext(v.value("next"))
	token, _, err := v.w.store.Staff.SecondFactor(v.ctx(), v.token, v.value("code"))
	if err == nil {
		v.take(token)
		return v.see(next, "")
	}
	if kind := models.KindOf(err); v.login == nil || kind == 0 || kind == models.Unavailable {
		return err
	}
	v.faults = components.Faults{{Field: "", Message: err.Error()}}
	return v.render(refusal(err), pages.SecondFactor(pages.SecondFactorPage{Page: v.page("Second factor"), Next: next}))
}

func signOut(v *visit) error {
	if v.login != nil {
		if err := v.w.store.Staff.SignOut(v.ctx(), v.token); err != nil {
			return err
		}
	}
	v.dropCookie(loginCookie)
	return v.see("/sign-in", "")
}

func setTheme(v *visit) error {
	if theme := v.value("theme"); theme == "light" || theme == "dark" {
		v.Set("Set-Cookie", "theme="+theme+"; Path=/; Max-Age=31536000; SameSite=Lax")
	}
	return v.see(safeNext(v.value("back")), "")
}
