// Package providers serves the pages where owners choose the identity providers by which staff sign in, and whether
// passwords work too.
package providers

import (
	"lectern/models/staff"
	"lectern/web/admin/visit"
)

const (
	base      = visit.SecurityPath + "/providers"
	aProvider = base + "/:provider"
)

// Routes are the addresses of identity providers.
var Routes = []visit.Address{
	visit.At(base, visit.Owner, list, nil),
	visit.At(base+"/new", visit.Owner, addForm, add),
	visit.At(base+"/passwords", visit.Owner, nil, turnPasswords),
	visit.At(aProvider, visit.Owner, visit.Found(provider, show), visit.Found(provider, change)),
	visit.At(aProvider+"/try", visit.Owner, nil, visit.Found(provider, try)),
	visit.At(aProvider+"/on", visit.Owner, nil, visit.With(true, turn)),
	visit.At(aProvider+"/off", visit.Owner, nil, visit.With(false, turn)),
	visit.At(aProvider+"/delete", visit.Owner, visit.Found(provider, askDelete), visit.Found(provider, remove)),
}

// provider reads the provider of the path.
func provider(v *visit.Visit) (*staff.Provider, error) {
	all, err := v.Team().Providers(v.UserContext())
	return visit.OneOf(all, err, v.Params("provider"), func(p *staff.Provider) string { return p.ID },
		"There is no such identity provider in this organization.")
}
