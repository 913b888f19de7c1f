package call

import (
	"net/http"
	"slices"

	"lectern/models/call"
	"lectern/models/passkey"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/call/public"
	"lectern/web/page"
)

// These pages sign in with a passkey, and manage the passkeys of a place.

func (v *visit) passkeyAnswer() passkey.Answer {
	return passkey.Answer{Site: v.w.passkeys, Token: v.Token(), JSON: []byte(v.FormValue("answer"))}
}

// passkeyOptions answers with the options by which the browser signs in. Their challenge expires, so the script asks
// for new ones each time.
func passkeyOptions(v *visit) error {
	if v.w.passkeys == nil {
		return page.NoPage
	}
	options, err := call.PasskeyToEnter(v.w.store, v.w.passkeys, v.Token())
	if err != nil {
		return err
	}
	return v.Type("json").SendString(options)
}

func enterByPasskey(v *visit) error {
	if v.w.passkeys == nil {
		return page.NoPage
	}
	token, login, err := call.EnterByPasskey(v.ctx(), v.w.store, v.event, v.passkeyAnswer(), v.browser())
	return v.entered(token, login, err)
}

// showPasskeys lists the passkeys. Where no password is needed, another passkey can be made at once.
func showPasskeys(v *visit) error {
	return v.passkeysPage(http.StatusOK, !v.place.NeedsPassword(), "")
}

func beginPasskey(v *visit) error { return v.passkeysPage(http.StatusOK, true, "") }

// passkeysPage lists the passkeys; with begins, it has the browser make another one.
func (v *visit) passkeysPage(status int, begins bool, name string) error {
	all, err := v.place.Passkeys(v.ctx())
	if err != nil {
		return err
	}
	p := pages.PasskeysPage{Action: v.path("place/passkeys"), KeepTo: v.path("place/passkeys/keep"),
		BackTo: v.path("place/profile") + "#account", Name: name}
	for _, k := range all {
		p.Rows = append(p.Rows, v.passkeyRow(k))
	}
	barred := v.place.MayHavePasskeys()
	switch {
	case v.w.passkeys == nil:
		p.Why = v.T("passkey.none")
	case barred != nil:
		p.Why = barred.Error()
	case begins:
		p.Host = v.w.passkeys.Host()
		p.Options, err = v.place.BeginPasskey(v.ctx(), v.w.passkeys, v.Token(), v.FormValue("current_password"),
			v.T("passkey.device", "Address", v.place.Account().Email))
	}
	if store.KindOf(err) == store.TooMany {
		v.Faults, status, err = components.Faults{{Message: err.Error()}}, http.StatusTooManyRequests, nil
	} else if err != nil {
		if err := v.KeepFaults(err); err != nil {
			return err
		}
		status = http.StatusUnprocessableEntity
	}
	p.Public, p.Ask = v.sheet(v.T("passkey.title")), p.Options == ""
	p.Scripts = []string{pages.PasskeyScript}
	return v.Render(status, pages.Passkeys(p))
}

func (v *visit) passkeyRow(k call.Passkey) pages.PasskeyRow {
	day := func(at store.Time) string { return v.Date(at.In(v.event.Location())) }
	row := pages.PasskeyRow{Name: k.Name, RemoveTo: v.path("place/passkeys", k.ID), Facts: v.T("passkey.added", "Day", day(k.CreatedAt))}
	switch {
	case v.w.passkeys == nil || v.w.passkeys.Host() != k.MadeFor:
		row.Facts += ". " + v.T("passkey.elsewhere", "Host", k.MadeFor)
	case k.LastUsedAt == nil:
		row.Facts += ", " + v.T("passkey.unused")
	default:
		row.Facts += ", " + v.T("passkey.used", "Day", day(*k.LastUsedAt))
	}
	return row
}

// keepPasskey saves the passkey that the browser made. After a refusal, the form begins anew: the challenge has been
// used.
func keepPasskey(v *visit) error {
	if v.w.passkeys == nil {
		return v.passkeysPage(http.StatusUnprocessableEntity, false, "")
	}
	err := v.place.AddPasskey(v.ctx(), v.event, v.passkeyAnswer(), v.Value("name"))
	if err == nil {
		return v.See(v.path("place/passkeys"), v.T("passkey.kept"))
	}
	return v.Again(err, func(status int) error {
		return v.passkeysPage(status, !v.place.NeedsPassword(), v.Value("name"))
	})
}

// ownPasskey reads the passkey of the path.
func (v *visit) ownPasskey() (*call.Passkey, error) {
	all, err := v.place.Passkeys(v.ctx())
	at := slices.IndexFunc(all, func(k call.Passkey) bool { return k.ID == v.Params("passkey") })
	if err == nil && at < 0 {
		err = page.NoPage
	}
	if err != nil {
		return nil, err
	}
	return &all[at], nil
}

func removePasskeyForm(v *visit) error { return v.removePasskeyPage(http.StatusOK) }

func (v *visit) removePasskeyPage(status int) error {
	k, err := v.ownPasskey()
	if err != nil {
		return err
	}
	return v.Render(status, pages.RemovePasskey(pages.RemovePasskeyPage{Public: v.sheet(v.T("passkey.removing", "Name", k.Name)),
		Action: v.Path(), BackTo: v.path("place/passkeys"), Ask: v.place.NeedsPassword()}))
}

func removePasskey(v *visit) error {
	err := v.place.RemovePasskey(v.ctx(), v.event, v.Params("passkey"), v.FormValue("current_password"))
	if err == nil {
		return v.See(v.path("place/passkeys"), v.T("passkey.removed"))
	}
	if store.KindOf(err) == store.TooMany {
		v.Faults = components.Faults{{Message: err.Error()}}
		return v.removePasskeyPage(http.StatusTooManyRequests)
	}
	return v.Again(err, v.removePasskeyPage)
}
