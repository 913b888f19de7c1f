package staff

import (
	"net"
	"net/url"
	"slices"
	"strings"

	"lectern/models/store"
)

// GroupGrant is the role that members of a group at the provider get here: at one event, or everywhere.
type GroupGrant struct {
	Group   string `json:"group"`
	Role    Role   `json:"role"`
	EventID string `json:"event_id,omitempty"` // "" is everywhere
}

func cleanGroupGrants(grants []GroupGrant) error {
	var f store.Faults
	for i := range grants {
		g := &grants[i]
		f.Clean(store.CleanName, "grants", &g.Group, 255)
		if !slices.Contains(Roles, g.Role) || g.Role == Owner && g.EventID != "" {
			f.Add(store.Invalidf("grants", "must give each group a role"))
		}
	}
	if len(grants) > mostGrants {
		f.Add(store.Invalidf("grants", "are more than %d", mostGrants))
	}
	return f.Err()
}

// eventsFault refuses grants at events of other organizations.
func eventsFault(tx *store.Tx, organizationID string, grants []GroupGrant) error {
	events, err := eventsOf(tx, organizationID)
	for _, g := range grants {
		if err == nil && g.EventID != "" && !slices.Contains(events, g.EventID) {
			return store.Invalidf("grants", "must name events of this organization")
		}
	}
	return err
}

func eventsOf(tx *store.Tx, organizationID string) (ids []string, err error) {
	err = tx.Table("events").Where("organization_id = ?", organizationID).Pluck("id", &ids).Error
	return ids, err
}

// grantsFact returns a table of grants for the activity: each group with its role and the id of its event.
func grantsFact(grants []GroupGrant) []any {
	facts := make([]any, len(grants))
	for i, g := range grants {
		var may any = string(g.Role)
		if g.EventID != "" {
			may = []any{string(g.Role), g.EventID}
		}
		facts[i] = map[string]any{"id": g.Group, "role": may}
	}
	return facts
}

// granted returns what somebody's groups give: the most powerful role that holds everywhere, or else the most powerful
// one at each event that still exists. given is false when they give nothing.
func (p *Provider) granted(groups, events []string) (role Role, everywhere bool, roles map[string]Role, given bool) {
	roles = map[string]Role{}
	for _, g := range p.Grants {
		switch {
		case !slices.Contains(groups, g.Group):
		case g.EventID == "":
			if !role.Covers(g.Role) {
				role = g.Role
			}
		case slices.Contains(events, g.EventID) && !roles[g.EventID].Covers(g.Role):
			roles[g.EventID] = g.Role
		}
	}
	if role != "" {
		return role, true, map[string]Role{}, true
	}
	return Viewer, false, roles, len(roles) > 0 // not everywhere, so this role holds nowhere
}

// issuerFault returns why an address cannot be an issuer, "" when it can.
func issuerFault(issuer string) string {
	u, err := url.Parse(issuer)
	switch {
	case err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return "must be an address such as https://login.example.org/realms/staff"
	case !IsSafeAddress(u):
		return "must begin with https://"
	case strings.HasSuffix(u.Path, "/.well-known/openid-configuration"):
		return "must be the address before /.well-known/openid-configuration"
	}
	return ""
}

// IsSafeAddress reports whether requests to an address can be neither read nor changed on the way: only a server on
// this machine may do without TLS.
func IsSafeAddress(u *url.URL) bool {
	ip := net.ParseIP(u.Hostname())
	return u.Host != "" && (u.Scheme == "https" ||
		u.Scheme == "http" && (u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()))
}
