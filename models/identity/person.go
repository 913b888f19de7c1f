package identity

import (
	"slices"
	"strings"
	"unicode/utf8"

	"lectern/models/staff"
	"lectern/models/store"
)

// mostGroups is how many groups of somebody are looked at.
const mostGroups = 2000

// claims are what a token says.
type claims map[string]any

func (c claims) text(name string) string { text, _ := c[name].(string); return text }

// find is a claim by its name, or by the names that lead to it: realm_access.roles.
func (c claims) find(name string) (any, bool) {
	if value, known := c[name]; known {
		return value, true
	}
	outer, inner, nested := strings.Cut(name, ".")
	if within, isObject := c[outer].(map[string]any); nested && isObject {
		return claims(within).find(inner)
	}
	return nil, false
}

func (c claims) person(r Registration) (*staff.Person, error) {
	p := &staff.Person{Subject: c.text("sub"), Email: c.text("email"), Name: c.text("name"), Verified: c.vouched(r.Issuer)}
	if r.GroupsClaim == "" {
		return p, nil
	}
	groups, known := c.find(r.GroupsClaim)
	if elsewhere, _ := c["_claim_names"].(map[string]any); !known && elsewhere[r.GroupsClaim] != nil {
		return nil, fault("left the groups out, because they are too many: let it send those of this application alone", nil)
	}
	switch groups := groups.(type) {
	case string:
		p.Groups = []string{groups}
	case []any:
		for _, group := range groups[:min(len(groups), mostGroups)] {
			if name, isText := group.(string); isText {
				p.Groups = append(p.Groups, name)
			}
		}
	}
	return p, nil
}

// add takes what else the provider says of the same person, with their groups by the claim that names them.
func (c claims) add(more claims, groups string) {
	// Each vouches for the address that it names itself.
	if c.text("email") == "" {
		c.vouchForNone()
	} else if c.text("email") != more.text("email") {
		more.vouchForNone()
	}
	if _, known := c.find(groups); !known {
		if value, said := more.find(groups); said {
			c[groups] = value // they may stand within a claim that the token has without them
		}
	}
	for name, value := range more {
		if _, known := c[name]; !known {
			c[name] = value
		}
	}
}

// vouchForNone leaves out all that vouched reads of an address but the address.
func (c claims) vouchForNone() {
	for _, name := range []string{"email_verified", "xms_edov", "hd"} {
		delete(c, name)
	}
}

// vouched tells whether the provider answers for the address being this person's today.
func (c claims) vouched(issuer string) bool {
	_, host, _ := strings.Cut(strings.ToLower(c.text("email")), "@")
	if host == "" || foldsIntoASCII(c.text("email")) {
		return false
	}
	if issuer == "https://accounts.google.com" && host != "gmail.com" && strings.ToLower(c.text("hd")) != host {
		// Of other addresses than its own and those of a Workspace, Google checked once that they were somebody's.
		return false
	}
	return slices.Contains([]any{true, "true", "1", 1.0}, c[voucher(issuer)])
}

// voucher is the claim by which an issuer answers for an address.
func voucher(issuer string) string {
	if strings.HasPrefix(issuer, "https://login.microsoftonline.com/") {
		// Anybody can write any address into an account there; who owns the domain is said by this claim alone.
		return "xms_edov"
	}
	return "email_verified"
}

// foldsIntoASCII tells of an address that is compared as another one in ASCII: ſam@example.org as sam's.
func foldsIntoASCII(email string) bool {
	return strings.ContainsFunc(email, func(r rune) bool {
		return r >= utf8.RuneSelf && store.Fold(string(r))[0] < utf8.RuneSelf
	})
}
