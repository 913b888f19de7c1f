package providers

import (
	"errors"
	"log/slog"
	"net/http"

	"lectern/models/identity"
	"lectern/models/staff"
	"lectern/views/layouts"
	pages "lectern/views/pages/providers"
	"lectern/web/admin/visit"
	"lectern/web/request"
)

func list(v *visit.Visit) error {
	all, err := v.Team().Providers(v.UserContext())
	if err != nil {
		return err
	}
	p := pages.Page{Base: base, Rows: all}
	if p.PasswordsOff, err = v.Team().PasswordsOff(v.UserContext()); err != nil {
		return err
	}
	v.Section = visit.SecurityPath
	return visit.Show(v, http.StatusOK, "Identity providers", pages.Providers, p)
}

// turnPasswords turns signing in with passwords on or off.
func turnPasswords(v *visit.Visit) error {
	if v.Value("passwords") == "on" {
		return v.DoneOrRefused(v.Team().TurnPasswordsOn(v.UserContext()), base,
			"Staff can sign in with passwords again. Who has none asks for a reset link.")
	}
	return v.DoneOrRefused(v.Team().TurnPasswordsOff(v.UserContext(), v.Token()), base,
		"Staff sign in by the identity providers alone now. Everybody who signed in with a password is signed out.")
}

// try asks a provider to describe itself, and says what is wrong with its answer.
func try(v *visit.Visit, p *staff.Provider) error {
	err := v.Options.Providers.Try(v.UserContext(), p.Issuer)
	var fault *identity.Fault
	switch {
	case errors.As(err, &fault):
		slog.Warn("an identity provider was tried in vain", "request_id", request.ID(v.Context()), "provider_id", p.ID,
			"error", fault.Error())
		return v.SeeRefusal(base+"/"+p.ID, p.Name+" "+fault.Words+".")
	case err == nil && !p.IsEnabled:
		return v.See(base+"/"+p.ID, p.Name+" answers, and its keys are there. Turn it on, then link your own account to see "+
			"whether it takes the client id and secret.")
	}
	return v.Done(err, base+"/"+p.ID, p.Name+" answers, and its keys are there.")
}

func turn(v *visit.Visit, on bool) error {
	text := "Nobody signs in by it any more, and who had is signed out."
	if on {
		text = "Its button stands on the sign-in page now."
	}
	id := v.Params("provider")
	return v.DoneOrRefused(v.Team().SwitchProvider(v.UserContext(), id, on), base+"/"+id, text)
}

func askDelete(v *visit.Visit, p *staff.Provider) error {
	c := layouts.ConfirmPage{
		Text: p.Name, Action: base + "/" + p.ID + "/delete", Verb: "Delete the provider", Cancel: base + "/" + p.ID,
		Stay: "Keep it",
		Points: []string{
			"Nobody signs in by it any more, and who had is signed out.",
			"Which account there is whose is forgotten. Members stay members; who came by it needs a reset link.",
			"Its client id and secret are forgotten.",
		},
	}
	if p.IsEnabled {
		c.Last = "To pause it, turn it off instead: that keeps all of it."
	}
	v.Section = visit.SecurityPath
	return v.Ask("Delete this identity provider?", c)
}

func remove(v *visit.Visit, p *staff.Provider) error {
	return v.DoneOrRefused(v.Team().DeleteProvider(v.UserContext(), p.ID), base, p.Name+" is deleted.")
}
