package providers

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/providers"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// emptyRows is how many groups can be added at once.
const emptyRows = 3

func addForm(v *visit.Visit) error {
	return addPage(v, http.StatusOK, staff.NewProvider{GroupsClaim: "groups"})
}

func addPage(v *visit.Visit, status int, n staff.NewProvider) error {
	p := pages.FormPage{Base: base, Action: base + "/new", Cancel: base}
	if err := fill(v, &p, n); err != nil {
		return err
	}
	return visit.Show(v, status, "New identity provider", pages.Form, p)
}

func add(v *visit.Visit) error {
	n := typed(v)
	made, err := visit.Made(v, func(ctx context.Context) (*staff.Provider, error) { return v.Team().AddProvider(ctx, n) },
		func(p *staff.Provider) string { return base + "/" + p.ID })
	if err != nil {
		return v.Again(err, func(status int) error { return addPage(v, status, n) })
	}
	return v.See(base+"/"+made.ID, made.Name+" is added, and off. Test it, then turn it on.")
}

func show(v *visit.Visit, p *staff.Provider) error {
	return providerPage(v, http.StatusOK, p, staff.NewProvider{Name: p.Name, Issuer: p.Issuer, ClientID: p.ClientID,
		Domains: p.Domains, GroupsClaim: p.GroupsClaim, Grants: p.Grants}, p.UpdatedAt.String())
}

func providerPage(v *visit.Visit, status int, p *staff.Provider, n staff.NewProvider, token string) error {
	f := pages.FormPage{Base: base, Action: base + "/" + p.ID, Cancel: base, Provider: p, UpdatedAt: token}
	if err := fill(v, &f, n); err != nil {
		return err
	}
	return visit.Show(v, status, p.Name, pages.Form, f)
}

func change(v *visit.Visit, p *staff.Provider) error {
	token, err := store.ParseTime(v.Value("updated_at"))
	if err != nil {
		return page.OldForm
	}
	n := typed(v)
	err = v.Team().ChangeProvider(v.UserContext(), p.ID, n, token)
	return v.DoneOrAgain(err, base+"/"+p.ID, "Saved. Roles by groups change when people sign in the next time.",
		func(status int) error { return providerPage(v, status, p, n, v.Value("updated_at")) })
}

// fill puts a provider's values, or those that were typed, into the form.
func fill(v *visit.Visit, p *pages.FormPage, n staff.NewProvider) error {
	events, err := v.Store.EventsFor(v.UserContext(), v.User) // all events, since the user is an owner
	if err != nil {
		return err
	}
	p.Redirect = v.Options.BaseURL + visit.ProviderBackPath
	p.Name, p.Issuer, p.ClientID, p.GroupsClaim = n.Name, n.Issuer, n.ClientID, n.GroupsClaim
	p.Domains = strings.Join(n.Domains, ", ")
	for _, g := range append(n.Grants, make([]staff.GroupGrant, emptyRows)...) {
		if g.EventID != "" && !slices.ContainsFunc(events, func(e *models.Event) bool { return e.ID == g.EventID }) {
			continue // the event was deleted, and the role with it
		}
		p.Grants = append(p.Grants, pages.GroupRow{Group: g.Group, May: mayOptions(g, events)})
	}
	v.Faults.Call("client_id", "Client ID")
	v.Faults.Call("grants", "What groups may do")
	v.Faults.Call("groups_claim", "Claim with the groups")
	v.Section = visit.SecurityPath
	return nil
}

// mayOptions returns what a group may do: a role everywhere, or at one event.
func mayOptions(g staff.GroupGrant, events []*models.Event) []components.Option {
	chosen := mayValue(g)
	options := []components.Option{{Name: "Choose a role"}}
	add := func(role staff.Role, event, at string) {
		value := mayValue(staff.GroupGrant{Role: role, EventID: event})
		options = append(options, components.Option{Value: value, Name: components.StatusName(string(role)) + at,
			Chosen: value == chosen})
	}
	for _, role := range staff.Roles {
		at := " at every event"
		if role == staff.Owner {
			at = ""
		}
		add(role, "", at)
	}
	for _, e := range events {
		for _, role := range staff.Roles[1:] { // an owner is one everywhere
			add(role, e.ID, " at "+e.Name)
		}
	}
	return options
}

func mayValue(g staff.GroupGrant) string {
	if g.EventID == "" {
		return string(g.Role)
	}
	return string(g.Role) + "@" + g.EventID
}

// typed reads the form.
func typed(v *visit.Visit) staff.NewProvider {
	n := staff.NewProvider{Name: v.Value("name"), Issuer: v.Value("issuer"), ClientID: v.Value("client_id"),
		Secret: v.Value("secret"), GroupsClaim: v.Value("groups_claim"),
		Domains: strings.FieldsFunc(v.Value("domains"), func(r rune) bool { return strings.ContainsRune(", ;\r\n\t", r) })}
	may := v.Values("may")
	for i, group := range v.Values("group") {
		if group = strings.TrimSpace(group); group == "" || i >= len(may) {
			continue
		}
		role, event, _ := strings.Cut(may[i], "@")
		n.Grants = append(n.Grants, staff.GroupGrant{Group: group, Role: staff.Role(role), EventID: event})
	}
	return n
}
