package staff

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"lectern/models/staff"
	"lectern/models/store"
	pages "lectern/views/pages/staff"
	"lectern/web/admin/invite"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

func showAccount(v *visit.Visit) error { return accountPage(v, http.StatusOK) }

func accountPage(v *visit.Visit, status int) error {
	p := pages.AccountPage{Email: v.User.Email}
	events, err := v.Store.EventsFor(v.UserContext(), v.User)
	if err != nil {
		return err
	}
	p.Roles = invite.RoleWords(v.User.Role, v.User.Everywhere, v.User.Roles, events)
	if at := v.User.TOTPConfirmedAt; at != nil {
		p.SecondFactor = at.Format("2 January 2006")
	}
	required, err := v.Team().SecondFactorRequired(v.UserContext())
	if err != nil {
		return err
	}
	p.FactorStays, p.NoPasskeys = required && v.User.Passkeys == 0, v.Options.NoPasskeys
	keys, err := v.Store.Staff.Passkeys(v.UserContext(), v.User.ID)
	if err != nil {
		return err
	}
	p.Passkeys = store.Map(keys, func(k staff.Passkey) pages.PasskeyRow { return passkeyRow(v, k) })
	logins, err := v.Store.Staff.Logins(v.UserContext(), v.User.ID)
	if err != nil {
		return err
	}
	for _, l := range logins {
		p.Logins = append(p.Logins, pages.LoginRow{ID: l.ID, Browser: browserWords(l.Agent), Address: l.Address,
			LastSeen: visit.Ago(l.LastSeenAt, v.Options.Now()), Since: page.When(&l.CreatedAt, time.UTC), Here: l.ID == v.Login.ID})
	}
	if err := identitiesOf(v, &p); err != nil {
		return err
	}
	return visit.Show(v, status, "Your account", pages.Account, p)
}

func changePassword(v *visit.Visit) error {
	old, password := v.FormValue("current_password"), v.FormValue("password")
	err := v.Store.Staff.ChangePassword(v.UserContext(), v.User, old, password, v.Token())
	return v.DoneOrAgain(err, "/admin/account", "Your password is changed. You are signed out everywhere else.",
		func(status int) error { return accountPage(v, status) })
}

func endLogin(v *visit.Visit) error {
	err := v.Store.Staff.EndLogin(v.UserContext(), v.User.ID, v.Params("login"))
	return v.Done(err, account, "That browser is signed out.")
}

func signOutEverywhere(v *visit.Visit) error {
	if err := v.Store.Staff.SignOutEverywhere(v.UserContext(), v.User.ID); err != nil {
		return err
	}
	v.Leave()
	return v.See("/sign-in", "You are signed out everywhere.")
}

// Parts of a User-Agent that identify browsers and systems, with their names. The first match counts, so the order
// matters.
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

// browserWords names the browser of a User-Agent: "Firefox on Windows".
func browserWords(agent string) string {
	var words []string
	for _, names := range [][][2]string{browsers, systems} {
		if i := slices.IndexFunc(names, func(name [2]string) bool { return strings.Contains(agent, name[0]) }); i >= 0 {
			words = append(words, names[i][1])
		}
	}
	return cmp.Or(strings.Join(words, " on "), "Unknown browser")
}
