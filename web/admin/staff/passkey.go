package staff

import (
	"cmp"
	"net/http"
	"time"

	"lectern/models/passkey"
	"lectern/models/staff"
	"lectern/views/layouts"
	pages "lectern/views/pages/staff"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

const (
	passkeys = account + "/passkeys"
	aPasskey = passkeys + "/:passkey"
)

// These pages add, name and remove the user's own passkeys.

// passkeyRow returns a passkey as pages show it.
func passkeyRow(v *visit.Visit, k staff.Passkey) pages.PasskeyRow {
	row := pages.PasskeyRow{ID: k.ID, Name: k.Name, Kept: "On one device", LastUsed: "never",
		Added: page.When(&k.CreatedAt, time.UTC)}
	if k.IsSynced {
		row.Kept = "On all devices of a password manager"
	}
	if k.LastUsedAt != nil {
		row.LastUsed = visit.Ago(*k.LastUsedAt, v.Options.Now())
	}
	if site := v.Options.Passkeys; site == nil || site.Host() != k.MadeFor {
		row.Elsewhere = k.MadeFor
	}
	return row
}

func newPasskeyPage(v *visit.Visit, status int, p pages.NewPasskeyPage) (err error) {
	p.Owed, p.Why = v.Login.OwesFactor, v.Options.NoPasskeys
	if site := v.Options.Passkeys; site != nil {
		p.Host = site.Host()
	}
	p.Name = cmp.Or(p.Name, browserWords(v.Get("User-Agent")))
	if p.Owed {
		p.Shell = layouts.Shell{Page: v.Page("Add a passkey")}
	} else if p.Shell, err = v.Shell("Add a passkey"); err != nil {
		return err
	}
	p.Shell = p.With(pages.PasskeyScript)
	return v.Render(status, pages.NewPasskey(p))
}

// showNewPasskey asks for the password or, right after signing in, for the passkey at once.
func showNewPasskey(v *visit.Visit) error {
	p := pages.NewPasskeyPage{Next: safeNext(v.Query("next"))}
	if v.Options.Passkeys == nil || !v.Login.IsFresh(v.Now()) {
		return newPasskeyPage(v, http.StatusOK, p)
	}
	return askForPasskey(v, "", p, http.StatusOK)
}

func beginPasskey(v *visit.Visit) error {
	p := pages.NewPasskeyPage{Next: safeNext(v.Value("next"))}
	if v.Options.Passkeys == nil {
		return newPasskeyPage(v, http.StatusUnprocessableEntity, p)
	}
	return askForPasskey(v, v.FormValue("password"), p, http.StatusOK)
}

// askForPasskey has the browser make a passkey, after the password was checked.
func askForPasskey(v *visit.Visit, password string, p pages.NewPasskeyPage, status int) error {
	options, err := v.Store.Staff.BeginPasskey(v.UserContext(), v.Options.Passkeys, v.Login, v.Token(), password)
	if err != nil {
		return v.Again(err, func(status int) error { return newPasskeyPage(v, status, p) })
	}
	p.Options = options
	return newPasskeyPage(v, status, p)
}

// keepPasskey saves the passkey that the browser made. After a refusal, the form begins anew: the challenge has been
// used.
func keepPasskey(v *visit.Visit) error {
	p := pages.NewPasskeyPage{Next: safeNext(v.Value("next")), Name: v.Value("name")}
	if v.Options.Passkeys == nil {
		return newPasskeyPage(v, http.StatusUnprocessableEntity, p)
	}
	recovery, err := v.Store.Staff.AddPasskey(v.UserContext(), v.User, passkeyAnswer(v), p.Name)
	if err != nil {
		return v.Again(err, func(status int) error {
			if !v.Login.IsFresh(v.Now()) {
				return newPasskeyPage(v, status, p)
			}
			return askForPasskey(v, "", p, status)
		})
	}
	if len(recovery) == 0 {
		return v.See(account, "The passkey is added.")
	}
	p.Recovery = recovery
	return newPasskeyPage(v, http.StatusOK, p)
}

// passkeyAnswer reads the browser's answer.
func passkeyAnswer(v *visit.Visit) passkey.Answer {
	return passkey.Answer{Site: v.Options.Passkeys, Token: v.Token(), JSON: []byte(v.FormValue("answer"))}
}

// ownPasskey reads the user's passkey of the path.
func ownPasskey(v *visit.Visit) (*staff.Passkey, error) {
	all, err := v.Store.Staff.Passkeys(v.UserContext(), v.User.ID)
	k, err := visit.OneOf(all, err, v.Params("passkey"), func(k staff.Passkey) string { return k.ID },
		"There is no such passkey of yours.")
	return &k, err
}

func showPasskey(v *visit.Visit, k *staff.Passkey) error { return passkeyPage(v, k, http.StatusOK) }

func passkeyPage(v *visit.Visit, k *staff.Passkey, status int) (err error) {
	p := pages.PasskeyPage{PasskeyRow: passkeyRow(v, *k), Ask: !v.Login.IsFresh(v.Now()),
		IsLast: v.User.Passkeys == 1 && !v.User.HasTOTP()}
	if p.IsBound, err = v.Team().SecondFactorRequired(v.UserContext()); err != nil {
		return err
	}
	v.Section = account
	return visit.Show(v, status, k.Name, pages.OnePasskey, p)
}

func renamePasskey(v *visit.Visit, k *staff.Passkey) error {
	err := v.Store.Staff.RenamePasskey(v.UserContext(), v.User.ID, k.ID, v.Value("name"))
	return v.DoneOrAgain(err, account, "The passkey has another name.",
		func(status int) error { return passkeyPage(v, k, status) })
}

func removePasskey(v *visit.Visit, k *staff.Passkey) error {
	err := v.Store.Staff.RemovePasskey(v.UserContext(), v.Login, k.ID, v.FormValue("password"))
	return v.DoneOrAgain(err, account, "The passkey “"+k.Name+"” no longer signs you in.",
		func(status int) error { return passkeyPage(v, k, status) })
}
