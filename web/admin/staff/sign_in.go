package staff

import (
	"crypto/subtle"
	"net/http"
	"net/url"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/setup"
	"lectern/models/signin"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/staff"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// maxNext is how many bytes of an address safeNext accepts, since it is stored while somebody is at an identity
// provider.
const maxNext = 2000

// safeNext returns the address to go to after signing in, or /admin where next is not one of our own pages.
func safeNext(next string) string {
	u, err := url.Parse(next)
	if err != nil || len(next) > maxNext || u.Host != "" || u.Scheme != "" || !strings.HasPrefix(next, "/") ||
		strings.HasPrefix(next, "//") || strings.ContainsAny(next, "\\\r\n") {
		return "/admin"
	}
	return next
}

// goHome redirects to the admin.
func goHome(v *visit.Visit) error { return v.See("/admin", "") }

// start leads to the event last worked on, or to the next one.
func start(v *visit.Visit) error {
	events, err := v.Store.EventsFor(v.UserContext(), v.User)
	if err != nil {
		return err
	}
	if len(events) == 0 {
		if v.User.RoleAt("") == staff.Owner {
			return v.See("/admin/events/new", "")
		}
		return v.See("/admin/account", "")
	}
	return v.See("/admin/events/"+v.LastEvent(events).ID, "")
}

// notSetUp answers NotFound once there is staff.
func notSetUp(v *visit.Visit) error {
	needed, err := setup.IsNeeded(v.UserContext(), v.Store)
	if err == nil && !needed {
		err = page.NoPage
	}
	return err
}

func setupForm(v *visit.Visit) error {
	if err := notSetUp(v); err != nil {
		return err
	}
	return setupPage(v, http.StatusOK, pages.SetupPage{Code: v.Query("code")})
}

// setupPage asks for what the command line has not made yet.
func setupPage(v *visit.Visit, status int, p pages.SetupPage) error {
	organization, events, err := setup.Prepared(v.UserContext(), v.Store)
	if err != nil {
		return err
	}
	if organization != nil {
		p.There = organization.Name
	}
	p.Events = store.Map(events, func(e *models.Event) string { return e.Name })
	p.Page = v.Page("Set up")
	return v.Render(status, pages.Setup(p))
}

func setUp(v *visit.Visit) error {
	if err := notSetUp(v); err != nil {
		return err
	}
	p := pages.SetupPage{Code: v.Value("code"), Organization: v.Value("organization"), Name: v.Value("name"),
		Email: v.Value("email")}
	password := v.FormValue("password")
	err := v.Store.Staff.TrySetup(v.UserContext(), v.Address())
	code := v.Options.SetupCode
	if err == nil && (code == "" || subtle.ConstantTimeCompare([]byte(p.Code), []byte(code)) != 1) {
		err = store.Invalidf("code", "is not the one in the server's log")
		v.Store.Note(store.Incident{Event: store.SetupFailed, By: v.From()})
	}
	if err == nil {
		_, err = setup.Do(v.UserContext(), v.Store, setup.Input{Organization: p.Organization,
			Owner: staff.NewUser{Name: p.Name, Email: p.Email, Password: password}})
	}
	if err == nil {
		return enter(v, staff.SignIn{Email: p.Email, Password: password}, "/admin")
	}
	status := refusal(err)
	if status == http.StatusTooManyRequests {
		v.Faults = components.Faults{{Message: err.Error()}}
	} else if err := v.KeepFaults(err); err != nil {
		return err
	}
	return setupPage(v, status, p)
}

func signInForm(v *visit.Visit) error {
	if v.User != nil {
		return v.See("/admin", "")
	}
	if needed, err := setup.IsNeeded(v.UserContext(), v.Store); err != nil || needed {
		return v.Done(err, "/setup", "")
	}
	return signInPage(v, http.StatusOK, pages.SignInPage{Next: safeNext(v.Query("next"))})
}

func signIn(v *visit.Visit) error {
	next := safeNext(v.Value("next"))
	if err := enter(v, staff.SignIn{Email: v.Value("email"), Password: v.FormValue("password")}, next); err != nil {
		return signInAgain(v, err)
	}
	return nil
}

// refusal returns the status of a refused sign-in.
func refusal(err error) int {
	if store.KindOf(err) == store.TooMany {
		return http.StatusTooManyRequests
	}
	return http.StatusUnprocessableEntity
}

// familiarCookie marks a browser that signed in before.
const familiarCookie = "lectern-familiar"

// enter signs in and goes on to next, or to the second factor.
func enter(v *visit.Visit, in staff.SignIn, next string) error {
	in.Address, in.Agent, in.Browser = v.Address(), v.Get("User-Agent"), v.KnownBrowser(familiarCookie, in.Email)
	token, login, err := v.Store.Staff.SignIn(v.UserContext(), in)
	if err != nil {
		return err
	}
	if err := endThisLogin(v); err != nil { // a login of somebody else, or of an earlier try
		return err
	}
	take(v, token)
	v.RememberBrowser(familiarCookie, in.Email)
	if login.Pending {
		return v.See("/second-factor?next="+url.QueryEscape(next), "")
	}
	return v.See(next, "")
}

// take gives the browser the token of a login.
func take(v *visit.Visit, token string) {
	v.SetCookie(visit.LoginCookie, token, int(staff.LoginLifetime/time.Second))
	v.DropCookie(page.BrowserCookie)
	v.Bind(token)
}

func secondFactorForm(v *visit.Visit) error {
	if v.Login == nil {
		return signin.ErrSignedOut
	}
	if !v.Login.Pending {
		return v.See("/admin", "")
	}
	return secondFactorPage(v, http.StatusOK, safeNext(v.Query("next")))
}

func secondFactor(v *visit.Visit) error {
	token, _, err := v.Store.Staff.SecondFactor(v.UserContext(), v.Token(), v.Value("code"))
	return secondFactorDone(v, token, err)
}

func signOut(v *visit.Visit) error {
	if err := endThisLogin(v); err != nil {
		return err
	}
	v.DropCookie(visit.LoginCookie)
	return v.See("/sign-in", "")
}

// endThisLogin ends the login of this browser, if it has one.
func endThisLogin(v *visit.Visit) error {
	if v.Login == nil {
		return nil
	}
	return v.Store.Staff.SignOut(v.UserContext(), v.Token())
}

func setTheme(v *visit.Visit) error {
	if theme := v.Value("theme"); theme == "light" || theme == "dark" {
		v.Set("Set-Cookie", "theme="+theme+"; Path=/; Max-Age=31536000; SameSite=Lax")
	}
	return v.See(safeNext(v.Value("back")), "")
}
