package staff

import (
	"errors"
	"log/slog"
	"time"

	"lectern/models"
	"lectern/models/identity"
	"lectern/models/signin"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/staff"
	"lectern/web/admin/visit"
	"lectern/web/request"
)

// providerCookie holds the secret that binds a visit to a provider to this browser.
const providerCookie = "lectern-provider"

// choices fills in the ways to sign in.
func choices(v *visit.Visit, p *pages.SignInPage) error {
	providers, passwords, err := v.Store.Staff.SignInChoices(v.UserContext())
	p.Ways, p.NoPassword = ways(providers), !passwords
	return err
}

func ways(providers []*staff.Provider) []pages.Way {
	return store.Map(providers, func(p *staff.Provider) pages.Way { return pages.Way{ID: p.ID, Name: p.Name} })
}

// signInWith sends a browser to a provider, remembering the invitation that it came with.
func signInWith(v *visit.Visit) error {
	w := staff.ProviderVisit{ProviderID: v.Params("provider"), Next: safeNext(v.Value("next"))}
	if token := v.Value("invitation"); token != "" {
		i, err := v.Store.Staff.InvitationBy(v.UserContext(), token)
		if err != nil {
			return err
		}
		w.InvitationID = i.ID
	}
	token, begun, err := v.Store.Staff.BeginVisit(v.UserContext(), w, v.Address())
	if err != nil {
		return refuseEntry(v, w.Next, err)
	}
	return goTo(v, token, begun)
}

// goTo shows a page that redirects to the provider: the security policy of our pages lets no form lead to another site.
func goTo(v *visit.Visit, token string, w *staff.ProviderVisit) error {
	address, err := v.Options.Providers.Address(v.UserContext(), registration(w), backAddress(v), identity.FlowOf(token))
	if err != nil {
		return refuseVisit(v, w, err)
	}
	v.SetCookie(providerCookie, token, int(staff.ProviderVisitLifetime/time.Second))
	p := pages.LeavingPage{Page: v.Page("Go on to " + w.Provider.Name), Name: w.Provider.Name, Address: address}
	v.Set("Refresh", "0; url="+address)
	return v.Show(pages.Leaving(p))
}

func registration(w *staff.ProviderVisit) identity.Registration {
	return identity.Registration{Issuer: w.Provider.Issuer, ClientID: w.Provider.ClientID, Secret: w.Secret,
		GroupsClaim: w.Provider.GroupsClaim}
}

// backAddress returns the address that providers send browsers back to.
func backAddress(v *visit.Visit) string { return v.Options.BaseURL + visit.ProviderBackPath }

// comeBack takes a provider's answer: once, and only in the browser that was sent there.
func comeBack(v *visit.Visit) error {
	token := v.CookieValue(providerCookie)
	flow := identity.FlowOf(token)
	if token == "" || !flow.Is(v.Query("state")) {
		return refuseEntry(v, "/admin", staff.ErrNoVisit)
	}
	v.DropCookie(providerCookie)
	w, err := v.Store.Staff.EndVisit(v.UserContext(), token)
	if err != nil {
		return refuseEntry(v, "/admin", err)
	}
	if refused := v.Query("error"); refused != "" {
		return refuseVisit(v, w, &identity.Fault{Words: "did not let you in", Cause: errors.New(signin.Clip(refused, 40))})
	}
	who, err := v.Options.Providers.Who(v.UserContext(), registration(w), backAddress(v), flow,
		identity.Answer{Code: v.Query("code"), Issuer: v.Query("iss")})
	switch {
	case err != nil:
		return refuseVisit(v, w, err)
	case w.UserID != nil:
		return link(v, w, who)
	}
	return enterBy(v, w, who)
}

// enterBy signs in the person that a provider names, and goes on.
func enterBy(v *visit.Visit, w *staff.ProviderVisit, who *staff.Person) error {
	browser := signin.Browser{Address: v.Address(), Agent: v.Get("User-Agent")}
	entry, err := v.Store.Staff.Enter(v.UserContext(), w, *who, browser)
	if err != nil {
		return refuseEntry(v, w.Next, err)
	}
	if err := endThisLogin(v); err != nil { // a login of somebody else, or of an earlier try
		return err
	}
	take(v, entry.Token)
	if entry.IsNew {
		tellLinked(v, w.Provider, entry.Login.User)
	}
	return v.See(safeNext(w.Next), "")
}

// refuseVisit says that a provider could not identify the user. The cause goes to the log.
func refuseVisit(v *visit.Visit, w *staff.ProviderVisit, err error) error {
	var fault *identity.Fault
	if !errors.As(err, &fault) {
		return err
	}
	slog.Warn("a sign-in by a provider failed", "request_id", request.ID(v.Context()), "provider_id", w.ProviderID,
		"error", fault.Error())
	v.Store.Staff.NoteVisitRefused(v.UserContext(), w, v.Address())
	return refuseEntry(v, w.Next, store.Missing(w.Provider.Name+" "+fault.Words+"."))
}

// refuseEntry shows the sign-in again with the reason; users who are signed in see it on their account's page.
func refuseEntry(v *visit.Visit, next string, err error) error {
	kind := store.KindOf(err)
	if kind != store.Unauthorized && kind != store.TooMany && kind != store.NotFound && kind != store.Invalid {
		return err
	}
	if v.User != nil {
		return v.SeeRefusal(account, err.Error())
	}
	v.Faults = components.Faults{{Field: "", Message: err.Error()}}
	return signInPage(v, refusal(err), pages.SignInPage{Next: next})
}

// identitiesOf fills in the providers that the user signs in with, and those that they could add.
func identitiesOf(v *visit.Visit, p *pages.AccountPage) error {
	linked, err := v.Store.Staff.Identities(v.UserContext(), v.User.ID)
	if err != nil {
		return err
	}
	now := v.Options.Now()
	for _, i := range linked {
		row := pages.IdentityRow{ID: i.ID, Provider: i.Provider, Email: i.Email, IsOff: !i.IsEnabled, Last: "Never used"}
		if i.LastUsedAt != nil {
			row.Last = visit.Ago(*i.LastUsedAt, now)
		}
		p.Identities = append(p.Identities, row)
	}
	p.ByProvider = v.User.ProviderID != nil
	providers, passwords, err := v.Store.Staff.SignInChoices(v.UserContext())
	p.NoPassword = !passwords || p.ByProvider
	if !p.NoPassword { // linking asks for the password
		p.Ways = ways(providers)
	}
	return err
}

// linkAccount sends a browser to a provider to link an account there.
func linkAccount(v *visit.Visit) error {
	token, begun, err := v.Store.Staff.BeginLink(v.UserContext(), v.User, v.FormValue("link_password"),
		v.Value("provider"), v.Address())
	if err != nil {
		return v.Again(err, func(status int) error { return accountPage(v, status) })
	}
	return goTo(v, token, begun)
}

// link links the provider's account to the user, who must be the one who set out.
func link(v *visit.Visit, w *staff.ProviderVisit, who *staff.Person) error {
	if v.User == nil || v.User.ID != *w.UserID {
		return refuseEntry(v, account, staff.ErrNoVisit)
	}
	u, err := v.Store.Staff.Link(v.UserContext(), w, *who, v.Token(), v.Address())
	if err != nil {
		return refuseEntry(v, account, err)
	}
	tellLinked(v, w.Provider, u)
	return v.See(account, "You can sign in with "+w.Provider.Name+" from now on.")
}

func unlink(v *visit.Visit) error {
	err := v.Store.Staff.Unlink(v.UserContext(), v.User, v.Params("identity"))
	return v.DoneOrRefused(err, account, "That account no longer opens yours.")
}

// tellLinked mails a member that an account at a provider now opens theirs.
func tellLinked(v *visit.Visit, p *staff.Provider, u *staff.User) {
	if v.Options.Mail == nil {
		return
	}
	err := v.Store.Mails(u.OrganizationID, v.From()).Send(v.UserContext(), models.Note{Name: u.Name, Email: u.Email,
		Subject: "You can sign in with " + p.Name,
		Text: "Hello,\n\nan account at " + p.Name + " was linked to your sign-in to Lectern. Whoever has it can work here " +
			"as you.\n\nIf it was you, you need not do anything. If not, take it off your account and tell an owner of your " +
			"organization:\n\n" + v.Options.BaseURL + account + "\n"})
	if err != nil {
		slog.Error("a letter about a linked account was not kept", "request_id", request.ID(v.Context()),
			"error", err.Error())
	}
}

// whilePasswords wraps a handler that needs passwords; it leads to the sign-in where they are off.
func whilePasswords(handle visit.Handler) visit.Handler {
	return func(v *visit.Visit) error {
		_, passwords, err := v.Store.Staff.SignInChoices(v.UserContext())
		if err != nil {
			return err
		}
		if passwords {
			return handle(v)
		}
		return v.SeeWarning("/sign-in", "There are no passwords here: your organization signs in by its identity provider.")
	}
}
