package admin

import (
	"net/http"
	"strings"
	"time"

	"lectern/views/pages"
	"lectern/web/page"
)

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
			Since: page.When(&l.CreatedAt, time.UTC), Here: l.ID == v.login.ID,
		})
	}
	return v.Render(status, pages.Account(p))
}

func changePassword(v *visit) error {
	old, password := v.FormValue("current_password"), v.FormValue("password")
	err := v.w.store.Staff.ChangePassword(v.ctx(), v.user, old, password, v.Token())
	if err == nil {
		return v.See("/admin/account", "Your password is changed. You are signed out everywhere else.")
	}
	return v.Again(err, v.accountPage)
}

func endLogin(v *visit) error {
	if err := v.w.store.Staff.EndLogin(v.ctx(), v.user.ID, v.Params("login")); err != nil {
		return err
	}
	return v.See("/admin/account", "That browser is signed out.")
}

func signOutEverywhere(v *visit) error {
	if err := v.w.store.Staff.SignOutEverywhere(v.ctx(), v.user.ID); err != nil {
		return err
	}
	v.leave()
	return v.See("/sign-in", "You are signed out everywhere.")
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
	browser := first(
		[2]string{"Firefox/", "Firefox"}, [2]string{"FxiOS/", "Firefox"}, [2]string{"Edg", "Edge"},
		[2]string{"OPR/", "Opera"},
		[2]string{"SamsungBrowser/", "Samsung Internet"}, [2]string{"CriOS/", "Chrome"}, [2]string{"Chrome/", "Chrome"},
		[2]string{"Safari/", "Safari"},
	)
	system := first([2]string{"Android", "Android"}, [2]string{"iPhone", "iPhone"}, [2]string{"iPad", "iPad"},
		[2]string{"Windows", "Windows"},
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
