package admin

import (
	"net/http"
	"strings"
	"time"

	"lectern/views/pages"
)

const factorPath = "/admin/account/second-factor"

func (w *Web) accountRoutes() []route {
	const account = "/admin/account"
	return []route{
		{"GET", account, signedIn, showAccount},
		{"POST", account + "/password", signedIn, changePassword},
		{"GET", factorPath, enrolling, showFactor},
		{"POST", factorPath, enrolling, beginFactor},
		{"POST", factorPath + "/confirm", enrolling, confirmFactor},
		{"POST", factorPath + "/off", signedIn, endFactor},
		{"POST", account + "/logins/:login/end", signedIn, endLogin},
		{"POST", account + "/sign-out-everywhere", signedIn, signOutEverywhere},
	}
}

func showAccount(v *visit) error { return v.accountPage(http.StatusOK) }

func (v *visit) accountPage(status int) error {
	shell, err := v.shell("Your account")
	if err != nil {
		return err
	}
	p := pages.AccountPage{Shell: shell, Email: v.user.Email}
	events, err := v.w.store.EventsFor(v.ctx(), v.user)
	if err != nil {
		return err
	}
	p.Roles = roleWords(v.user.Role, v.user.Everywhere, v.user.Roles, events)
	if at := v.user.TOTPConfirmedAt; at != nil {
		p.SecondFactor = at.Format("2 January 2006")
	}
	if p.FactorStays, err = v.team().SecondFactorRequired(v.ctx()); err != nil {
		return err
	}
	logins, err := v.w.store.Staff.Logins(v.ctx(), v.user.ID)
	if err != nil {
		return err
	}
	now := v.w.options.Now()
	for _, l := range logins {
		p.Logins = append(p.Logins, pages.LoginRow{
			ID: l.ID, Browser: browserWords(l.Agent), Address: l.Address, LastSeen: ago(l.LastSeenAt, now),
			Since: when(&l.CreatedAt, time.UTC), Here: l.ID == v.login.ID,
		})
	}
	return v.render(status, pages.Account(p))
}

func changePassword(v *visit) error {
	err := v.w.store.Staff.ChangePassword(v.ctx(), v.user, v.FormValue("current_password"), v.FormValue("password"), v.token)
	if err == nil {
		return v.see("/admin/account", "Your password is changed. You are signed out everywhere else.")
	}
	if err := v.refuse(err); err != nil {
		return err
	}
	return v.accountPage(http.StatusUnprocessableEntity)
}

func endLogin(v *visit) error {
	if err := v.w.store.Staff.EndLogin(v.ctx(), v.user.ID, v.Params("login")); err != nil {
		return err
	}
	return v.see("/admin/account", "That browser is signed out.")
}

func signOutEverywhere(v *visit) error {
	if err := v.w.store.Staff.SignOutEverywhere(v.ctx(), v.user.ID); err != nil {
		return err
	}
	v.leave()
	return v.see("/sign-in", "You are signed out everywhere.")
}

// browserWords is what a browser says of itself, as people call it.
func browserWords(agent string) string {
	first := func(names ...[2]string) string {
		for _, name := range names {
			if strings.Contains(agent, name[0]) {
				return name[1]
			}
		}
		return ""
	}
	browser := first([2]string{"Firefox/", "Firefox"}, [2]string{"FxiOS/", "Firefox"}, [2]string{"Edg", "Edge"}, [2]string{"OPR/", "Opera"},
		[2]string{"SamsungBrowser/", "Samsung Internet"}, [2]string{"CriOS/", "Chrome"}, [2]string{"Chrome/", "Chrome"}, [2]string{"Safari/", "Safari"})
	system := first([2]string{"Android", "Android"}, [2]string{"iPhone", "iPhone"}, [2]string{"iPad", "iPad"}, [2]string{"Windows", "Windows"},
		[2]string{"Mac OS X", "Mac"}, [2]string{"CrOS", "ChromeOS"}, [2]string{"Linux", "Linux"})
	switch {
	case browser != "" && system != "":
		return browser + " on " + system
	case browser+system != "":
		return browser + system
	default:
		return "Unknown browser"
	}
}
