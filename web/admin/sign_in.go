package admin

import (
	"cmp"
	"crypto/subtle"
	"net/http"
	"net/url"
	"slices"
	"time"

	"lectern/models"
	"lectern/models/signin"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages"
	"lectern/web/page"
)

// goHome leads to where staff work.
func goHome(v *visit) error { return v.See("/admin", "") }

// start leads to the event last worked on, or to the one that comes next.
func start(v *visit) error {
	events, err := v.store.EventsFor(v.UserContext(), v.user)
	if err != nil {
		return err
	}
	if len(events) == 0 {
		if v.user.RoleAt("") == staff.Owner {
			return v.See("/admin/events/new", "")
		}
		return v.See("/admin/account", "")
	}
	return v.See("/admin/events/"+v.lastEvent(events).ID, "")
}

// lastEvent is the one of these that was worked on last, or else the next one that is not over: those without a date
// come last.
func (v *visit) lastEvent(events []*models.Event) *models.Event {
	last, now := v.CookieValue(lastEventCookie), v.options.Now()
	at := slices.IndexFunc(events, func(e *models.Event) bool { return e.ID == last })
	if at >= 0 {
		return events[at]
	}
	ahead := slices.DeleteFunc(slices.Clone(events), func(e *models.Event) bool {
		return e.EndsOn != nil && *e.EndsOn < now.In(e.Location()).Format(time.DateOnly)
	})
	if len(ahead) == 0 {
		return events[0]
	}
	ends := func(e *models.Event) string {
		if e.EndsOn == nil {
			return "undated" // behind all digits
		}
		return *e.EndsOn
	}
	return slices.MinFunc(ahead, func(a, b *models.Event) int { return cmp.Compare(ends(a), ends(b)) })
}

// rememberEvent makes the event of the page the last one.
func (v *visit) rememberEvent() {
	if v.CookieValue(lastEventCookie) != v.event.ID {
		v.SetCookie(lastEventCookie, v.event.ID, aYear)
	}
}

const lastEventCookie = "lectern-event"

// notSetUp answers NotFound once somebody is staff.
func (v *visit) notSetUp() error {
	needed, err := v.store.NeedsSetup(v.UserContext())
	if err == nil && !needed {
		err = page.NoPage
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
	organization, events, err := v.store.Prepared(v.UserContext())
	if err != nil {
		return err
	}
	if organization != nil {
		p.There = organization.Name
	}
	for _, e := range events {
		p.Events = append(p.Events, e.Name)
	}
	p.Page = v.Page("Set up")
	return v.Render(status, pages.Setup(p))
}

func setUp(v *visit) error {
	if err := v.notSetUp(); err != nil {
		return err
	}
	p := pages.SetupPage{Code: v.Value("code"), Organization: v.Value("organization"), Name: v.Value("name"),
		Email: v.Value("email")}
	password := v.FormValue("password")
	err := v.store.Staff.TrySetup(v.UserContext(), v.Address())
	code := v.options.SetupCode
	if err == nil && (code == "" || subtle.ConstantTimeCompare([]byte(p.Code), []byte(code)) != 1) {
		err = page.FieldFault("code", "is not the one in the server's log")
		v.store.Note(store.Incident{Event: store.SetupFailed, By: v.From()})
	}
	if err == nil {
		_, err = v.store.SetUp(v.UserContext(), models.Setup{Organization: p.Organization,
			Owner: staff.NewUser{Name: p.Name, Email: p.Email, Password: password}})
	}
	if err == nil {
		return v.enter(staff.SignIn{Email: p.Email, Password: password}, "/admin")
	}
	status := refusal(err)
	if status == http.StatusTooManyRequests {
		v.Faults = components.Faults{{Message: err.Error()}}
	} else if err := v.Refuse(err); err != nil {
		return err
	}
	return v.setupPage(status, p)
}

func signInForm(v *visit) error {
	if v.user != nil {
		return v.See("/admin", "")
	}
	if needed, err := v.store.NeedsSetup(v.UserContext()); err != nil || needed {
		return v.Done(err, "/setup", "")
	}
	return v.Show(pages.SignIn(pages.SignInPage{Page: v.Page("Sign in"), Next: safeNext(v.Query("next"))}))
}

func signIn(v *visit) error {
	next := safeNext(v.Value("next"))
	err := v.enter(staff.SignIn{Email: v.Value("email"), Password: v.FormValue("password")}, next)
	if err == nil {
		return nil
	}
	kind := store.KindOf(err)
	if kind != store.Unauthorized && kind != store.TooMany {
		return err
	}
	v.Faults = components.Faults{{Field: "", Message: err.Error()}}
	return v.Render(refusal(err), pages.SignIn(pages.SignInPage{Page: v.Page("Sign in"), Email: v.Value("email"),
		Next: next}))
}

// refusal is the status of a sign-in that was refused.
func refusal(err error) int {
	if store.KindOf(err) == store.TooMany {
		return http.StatusTooManyRequests
	}
	return http.StatusUnprocessableEntity
}

// familiarCookie names a browser that signed in before.
const familiarCookie = "lectern-familiar"

// enter signs in and goes on to next, or to the second factor.
func (v *visit) enter(in staff.SignIn, next string) error {
	in.Address, in.Agent, in.Browser = v.Address(), v.Get("User-Agent"), v.KnownBrowser(familiarCookie, in.Email)
	token, login, err := v.store.Staff.SignIn(v.UserContext(), in)
	if err != nil {
		return err
	}
	if err := v.endThisLogin(); err != nil { // of somebody else, or of an earlier try
		return err
	}
	v.take(token)
	v.RememberBrowser(familiarCookie, in.Email)
	if login.Pending {
		return v.See("/second-factor?next="+url.QueryEscape(next), "")
	}
	return v.See(next, "")
}

// take gives the browser the token of a login.
func (v *visit) take(token string) {
	v.SetCookie(loginCookie, token, int(staff.LoginLifetime/time.Second))
	v.DropCookie(page.BrowserCookie)
	v.Bind(token)
}

func secondFactorForm(v *visit) error {
	if v.login == nil {
		return signin.ErrSignedOut
	}
	if !v.login.Pending {
		return v.See("/admin", "")
	}
	return v.Show(pages.SecondFactor(pages.SecondFactorPage{Page: v.Page("Second factor"),
		Next: safeNext(v.Query("next"))}))
}

func secondFactor(v *visit) error {
	next := safeNext(v.Value("next"))
	token, _, err := v.store.Staff.SecondFactor(v.UserContext(), v.Token(), v.Value("code"))
	if err == nil {
		v.take(token)
		return v.See(next, "")
	}
	if kind := store.KindOf(err); v.login == nil || kind == 0 || kind == store.Unavailable {
		return err
	}
	v.Faults = components.Faults{{Field: "", Message: err.Error()}}
	return v.Render(refusal(err), pages.SecondFactor(pages.SecondFactorPage{Page: v.Page("Second factor"), Next: next}))
}

func signOut(v *visit) error {
	if err := v.endThisLogin(); err != nil {
		return err
	}
	v.DropCookie(loginCookie)
	return v.See("/sign-in", "")
}

// endThisLogin ends the login of this browser, if it has one.
func (v *visit) endThisLogin() error {
	if v.login == nil {
		return nil
	}
	return v.store.Staff.SignOut(v.UserContext(), v.Token())
}

func setTheme(v *visit) error {
	if theme := v.Value("theme"); theme == "light" || theme == "dark" {
		v.Set("Set-Cookie", "theme="+theme+"; Path=/; Max-Age=31536000; SameSite=Lax")
	}
	return v.See(safeNext(v.Value("back")), "")
}
