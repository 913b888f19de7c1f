package admin

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"lectern/views/pages"
	"lectern/web/page"
)

func showAccount(v *visit) error { return v.accountPage(http.StatusOK) }

func (v *visit) accountPage(status int) error {
	p := pages.AccountPage{Email: v.user.Email}
	events, err := v.store.EventsFor(v.UserContext(), v.user)
	if err != nil {
		return err
	}
	p.Roles = roleWords(v.user.Role, v.user.Everywhere, v.user.Roles, events)
	if at := v.user.TOTPConfirmedAt; at != nil {
		p.SecondFactor = at.Format("2 January 2006")
	}
	if p.FactorStays, err = v.team().SecondFactorRequired(v.UserContext()); err != nil {
		return err
	}
	logins, err := v.store.Staff.Logins(v.UserContext(), v.user.ID)
	if err != nil {
		return err
	}
	now := v.options.Now()
	for _, l := range logins {
		p.Logins = append(p.Logins, pages.LoginRow{
			ID: l.ID, Browser: browserWords(l.Agent), Address: l.Address, LastSeen: ago(l.LastSeenAt, now),
			Since: page.When(&l.CreatedAt, time.UTC), Here: l.ID == v.login.ID,
		})
	}
	return show(v, status, "Your account", pages.Account, p)
}

func changePassword(v *visit) error {
	old, password := v.FormValue("current_password"), v.FormValue("password")
	err := v.store.Staff.ChangePassword(v.UserContext(), v.user, old, password, v.Token())
	if err == nil {
		return v.See("/admin/account", "Your password is changed. You are signed out everywhere else.")
	}
	return v.Again(err, v.accountPage)
}

func endLogin(v *visit) error {
	err := v.store.Staff.EndLogin(v.UserContext(), v.user.ID, v.Params("login"))
	return v.Done(err, account, "That browser is signed out.")
}

func signOutEverywhere(v *visit) error {
	if err := v.store.Staff.SignOutEverywhere(v.UserContext(), v.user.ID); err != nil {
		return err
	}
	v.leave()
	return v.See("/sign-in", "You are signed out everywhere.")
}

// What tells a browser and a system, and how people call them.
var (
	browsers = [][2]string{
		{"Firefox/", "Firefox"}, {"FxiOS/", "Firefox"}, {"Edg", "Edge"}, {"OPR/", "Opera"},
		{"SamsungBrowser/", "Samsung Internet"}, {"CriOS/", "Chrome"}, {"Chrome/", "Chrome"}, {"Safari/", "Safari"},
	}
	systems = [][2]string{
		{"Android", "Android"}, {"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Windows", "Windows"}, {"Mac OS X", "Mac"},
		{"CrOS", "ChromeOS"}, {"Linux", "Linux"},
	}
)

// browserWords is what a browser says of itself, as people call it.
func browserWords(agent string) string {
	var words []string
	for _, names := range [][][2]string{browsers, systems} {
		if i := slices.IndexFunc(names, func(name [2]string) bool { return strings.Contains(agent, name[0]) }); i >= 0 {
			words = append(words, names[i][1])
		}
	}
	return cmp.Or(strings.Join(words, " on "), "Unknown browser")
}
