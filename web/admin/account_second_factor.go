package admin

import (
	"net/http"

	"lectern/models/staff"
	"lectern/views/layouts"
	"lectern/views/pages"
)

// The pages on which somebody turns their second factor on and off. Who owes one
// sees them without the menu, which leads nowhere until then.

func showFactor(v *visit) error {
	return v.factorPage(http.StatusOK, pages.FactorPage{Next: safeNext(v.Query("next"))})
}

func (v *visit) factorPage(status int, p pages.FactorPage) (err error) {
	p.On, p.Owed = v.user.HasTOTP(), v.login.OwesFactor
	if p.Required, err = v.team().SecondFactorRequired(v.UserContext()); err != nil {
		return err
	}
	if p.Owed {
		title := "Set up your second factor"
		if p.Recovery != nil {
			title = "One last thing"
		}
		p.Shell = layouts.Shell{Page: v.Page(title)}
	} else if p.Shell, err = v.shell("Second factor"); err != nil {
		return err
	}
	if p.Address != "" {
		if p.Code, err = qrCode(p.Address); err != nil {
			return err
		}
		logins, err := v.store.Staff.Logins(v.UserContext(), v.user.ID)
		if err != nil {
			return err
		}
		if n := len(logins) - 1; n > 0 {
			p.Elsewhere = counted(int64(n), "other browser", "other browsers")
		}
	}
	for rest := p.Secret; rest != ""; {
		n := min(4, len(rest))
		p.Groups, rest = append(p.Groups, rest[:n]), rest[n:]
	}
	return v.Render(status, pages.Factor(p))
}

func beginFactor(v *visit) error {
	p := pages.FactorPage{Next: safeNext(v.Value("next")), SignOut: true}
	if v.user.HasTOTP() {
		return v.See(factorPath, "")
	}
	secret, address, err := v.store.Staff.BeginTOTP(v.UserContext(), v.user, v.FormValue("password"))
	if err != nil {
		return v.Again(err, func(status int) error { return v.factorPage(status, p) })
	}
	p.Secret, p.Address = secret, address
	return v.factorPage(http.StatusOK, p)
}

// confirmFactor has the secret in its form, because nothing but that page knows
// it, and a wrong code must not mean to begin again.
func confirmFactor(v *visit) error {
	p := pages.FactorPage{Next: safeNext(v.Value("next")), SignOut: v.Value("sign_out") != ""}
	keep := ""
	if p.SignOut {
		keep = v.Token()
	}
	recovery, err := v.store.Staff.ConfirmTOTP(v.UserContext(), v.user, v.Value("code"), keep)
	if err == nil {
		p.Recovery = recovery
		return v.factorPage(http.StatusOK, p)
	}
	if err := v.Refuse(err); err != nil {
		return err
	}
	if p.Address = staff.TOTPAddress(v.user, v.Value("secret")); p.Address != "" {
		p.Secret = v.Value("secret")
	}
	return v.factorPage(http.StatusUnprocessableEntity, p)
}

func endFactor(v *visit) error {
	err := v.store.Staff.DisableTOTP(v.UserContext(), v.user, v.FormValue("password"))
	if err == nil {
		return v.See("/admin/account", "The second factor is off. Your password alone signs you in.")
	}
	return v.Again(err, func(status int) error { return v.factorPage(status, pages.FactorPage{}) })
}
