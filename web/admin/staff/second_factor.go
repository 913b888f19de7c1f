package staff

import (
	"net/http"

	"lectern/models/staff"
	"lectern/views/components"
	"lectern/views/layouts"
	pages "lectern/views/pages/staff"
	"lectern/web/admin/visit"
)

// These pages turn the user's second factor on and off. A user who still owes one sees them without the menu, whose
// links would only lead back here.

func showFactor(v *visit.Visit) error {
	return factorPage(v, http.StatusOK, pages.FactorPage{Next: safeNext(v.Query("next"))})
}

func factorPage(v *visit.Visit, status int, p pages.FactorPage) error {
	p.On, p.Owed = v.User.HasTOTP(), v.Login.OwesFactor
	required, err := v.Team().SecondFactorRequired(v.UserContext())
	if err != nil {
		return err
	}
	p.Required, p.Passkeys = required && v.User.Passkeys == 0, v.Options.Passkeys != nil
	if p.Owed {
		title := "Set up your second factor"
		if p.Recovery != nil {
			title = "One last thing"
		}
		p.Shell = layouts.Shell{Page: v.Page(title)}
	} else if p.Shell, err = v.Shell("Second factor"); err != nil {
		return err
	}
	if p.Address != "" {
		if p.Code, err = components.QROf(p.Address); err != nil {
			return err
		}
		logins, err := v.Store.Staff.Logins(v.UserContext(), v.User.ID)
		if err != nil {
			return err
		}
		p.Elsewhere = visit.SomeOf(int64(len(logins)-1), "other browser", "other browsers")
	}
	for rest := p.Secret; rest != ""; {
		n := min(4, len(rest))
		p.Groups, rest = append(p.Groups, rest[:n]), rest[n:]
	}
	return v.Render(status, pages.Factor(p))
}

func beginFactor(v *visit.Visit) error {
	p := pages.FactorPage{Next: safeNext(v.Value("next")), SignOut: true}
	if v.User.HasTOTP() {
		return v.See(visit.FactorPath, "")
	}
	secret, address, err := v.Store.Staff.BeginTOTP(v.UserContext(), v.User, v.FormValue("password"))
	if err != nil {
		return v.Again(err, func(status int) error { return factorPage(v, status, p) })
	}
	p.Secret, p.Address = secret, address
	return factorPage(v, http.StatusOK, p)
}

// confirmFactor turns the factor on. The secret travels in its form, since only that page knows it, and a wrong code
// must not force the user to begin anew.
func confirmFactor(v *visit.Visit) error {
	p := pages.FactorPage{Next: safeNext(v.Value("next")), SignOut: v.Value("sign_out") != ""}
	keep := ""
	if p.SignOut {
		keep = v.Token()
	}
	recovery, err := v.Store.Staff.ConfirmTOTP(v.UserContext(), v.User, v.Value("code"), keep)
	if err == nil {
		p.Recovery = recovery
		return factorPage(v, http.StatusOK, p)
	}
	if err := v.KeepFaults(err); err != nil {
		return err
	}
	if p.Address = staff.TOTPAddress(v.User, v.Value("secret")); p.Address != "" {
		p.Secret = v.Value("secret")
	}
	return factorPage(v, http.StatusUnprocessableEntity, p)
}

func endFactor(v *visit.Visit) error {
	err := v.Store.Staff.DisableTOTP(v.UserContext(), v.User, v.FormValue("password"))
	text := "The second factor is off. Your password alone signs you in."
	if v.User.Passkeys > 0 {
		text = "The codes of your app are asked for no more. Your passkeys stay."
	}
	return v.DoneOrAgain(err, "/admin/account", text,
		func(status int) error { return factorPage(v, status, pages.FactorPage{}) })
}
