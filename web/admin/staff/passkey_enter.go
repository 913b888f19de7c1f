package staff

import (
	"lectern/models/signin"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/staff"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// These pages sign in with a passkey, alone or after a password.

// withPasskeys wraps a handler that is there only where this server can take passkeys.
func withPasskeys(handle visit.Handler) visit.Handler {
	return func(v *visit.Visit) error {
		if v.Options.Passkeys == nil {
			return page.NoPage
		}
		return handle(v)
	}
}

// passkeyOptions answers with the options by which the browser signs in. Their challenge expires, so the script asks
// for new ones each time.
func passkeyOptions(v *visit.Visit) error {
	options, err := v.Store.Staff.PasskeyToEnter(v.Options.Passkeys, v.Token())
	if err != nil {
		return err
	}
	return v.Type("json").SendString(options)
}

func passkeySignIn(v *visit.Visit) error {
	token, login, err := v.Store.Staff.SignInByPasskey(v.UserContext(), passkeyAnswer(v),
		signin.Browser{Address: v.Address(), Agent: v.Get("User-Agent")})
	if err != nil {
		return signInAgain(v, err)
	}
	if err := endThisLogin(v); err != nil {
		return err
	}
	take(v, token)
	v.RememberBrowser(familiarCookie, login.User.Email)
	return v.See(safeNext(v.Value("next")), "")
}

// signInPage shows the form to sign in.
func signInPage(v *visit.Visit, status int, p pages.SignInPage) error {
	if err := choices(v, &p); err != nil {
		return err
	}
	p.Page = v.Page("Sign in")
	if site := v.Options.Passkeys; site != nil && !p.NoPassword {
		p.Passkeys, p.Scripts = site.Host(), []string{pages.PasskeyScript}
	}
	return v.Render(status, pages.SignIn(p))
}

// signInAgain shows the form again, with why the user was refused.
func signInAgain(v *visit.Visit, err error) error {
	if kind := store.KindOf(err); kind != store.Unauthorized && kind != store.TooMany {
		return err
	}
	v.Faults = components.Faults{{Field: "", Message: err.Error()}}
	return signInPage(v, refusal(err), pages.SignInPage{Email: v.Value("email"), Next: safeNext(v.Value("next"))})
}

// secondFactorPage asks for the second factor of a login that waits for it.
func secondFactorPage(v *visit.Visit, status int, next string) error {
	seconds, err := v.Store.Staff.Seconds(v.UserContext(), v.Options.Passkeys, v.Token())
	if err != nil {
		return err
	}
	p := pages.SecondFactorPage{Page: v.Page("Second factor"), Next: next, App: seconds.App, Passkey: seconds.Passkey}
	switch {
	case p.Passkey != "":
		p.Host, p.Scripts = v.Options.Passkeys.Host(), []string{pages.PasskeyScript}
	case seconds.Elsewhere != "":
		p.Why = "Your passkeys work at " + seconds.Elsewhere + " alone, which is not the address of this server."
	}
	return v.Render(status, pages.SecondFactor(p))
}

func secondFactorByPasskey(v *visit.Visit) error {
	token, _, err := v.Store.Staff.SecondFactorByPasskey(v.UserContext(), passkeyAnswer(v))
	return secondFactorDone(v, token, err)
}

// secondFactorDone goes on once a login is complete, or says why it is not.
func secondFactorDone(v *visit.Visit, token string, err error) error {
	next := safeNext(v.Value("next"))
	if err == nil {
		take(v, token)
		return v.See(next, "")
	}
	if kind := store.KindOf(err); v.Login == nil || kind == 0 || kind == store.Unavailable {
		return err
	}
	v.Faults = components.Faults{{Field: "", Message: err.Error()}}
	return secondFactorPage(v, refusal(err), next)
}
