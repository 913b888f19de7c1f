package gallery

import (
	"lectern/models/staff"
	"lectern/views/components"
	"lectern/views/pages/providers"
	staffpages "lectern/views/pages/staff"
)

var galleryWays = []staffpages.Way{{ID: "1", Name: "Harbour accounts"}, {ID: "2", Name: "Google"}}

func galleryIdentities(w words) []staffpages.IdentityRow {
	return []staffpages.IdentityRow{{ID: "1", Provider: w.label, Email: w.email, Last: "2 days ago"},
		{ID: "2", Provider: "Google", Last: "Never used", IsOff: true}}
}

// providers adds the pages of an organization's identity providers.
func (s *shelf) providers() {
	provider := func(w words, on bool) *staff.Provider {
		return &staff.Provider{ID: "1", Name: w.label, Issuer: "https://login.example.org/realms/staff", IsEnabled: on,
			SealedSecret: "sealed", Domains: []string{"example.org"}, UpdatedAt: at(0)}
	}
	of(s, "Identity providers", "Identity providers", providers.Providers).
		worded(func(w words) providers.Page {
			return providers.Page{Base: here, Rows: []*staff.Provider{provider(w, true), provider(plain, false)}}
		}).
		is("none", providers.Page{Base: here}).
		is("without passwords", providers.Page{Base: here, Rows: []*staff.Provider{provider(plain, true)},
			PasswordsOff: true})
	form := func(w words) providers.FormPage {
		return providers.FormPage{Base: here, Action: here, Cancel: here, Redirect: "https://lectern.example.org/sign-in/back",
			Name: w.label, Issuer: "https://login.example.org/realms/staff", ClientID: "lectern", Domains: "example.org",
			GroupsClaim: "groups", Grants: []providers.GroupRow{
				{Group: w.label, May: []components.Option{{Name: "Organizer at " + w.title}}},
				{May: option("Choose a role")},
			}}
	}
	of(s, "Identity provider", "Harbour accounts", providers.Form).
		worded(func(w words) providers.FormPage {
			p := form(w)
			p.Provider = provider(w, true)
			return p
		}).
		is("faults", form(plain), "issuer", "must begin with https://", "grants", "must give each group a role")
}
