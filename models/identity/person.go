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

// vouchForNone leaves out all that vouched reads of an address but the address.
func (c claims) vouchForNone() {
	for _, name := range []string{"email_verified", "xms_edov", "hd"} {
		delete(c, name)
	}
}

// vouched tells whether the provider answers for the address being this person's today.
func (c claims) vouched(issuer string) bool {
	isSaid := func(name string) bool {
		value := c[name]
		return value == true || slices.Contains([]any{"true", "1", 1.0}, value)
	}
	_, host, _ := strings.Cut(strings.ToLower(c.text("email")), "@")
	switch {
	case host == "" || foldsIntoASCII(c.text("email")):
		return false
	case issuer == "https://accounts.google.com":
		// Of other addresses than its own and those of a Workspace, Google checked once that they were somebody's.
		return isSaid("email_verified") && (host == "gmail.com" || strings.ToLower(c.text("hd")) == host)
	case strings.HasPrefix(issuer, "https://login.microsoftonline.com/"):
		// Anybody can write any address into an account there; who owns the domain is said by this claim alone.
		return isSaid("xms_edov")
	}
	return isSaid("email_verified")
}

// foldsIntoASCII tells of an address that is compared as another one in ASCII: ſam@example.org as sam's.
func foldsIntoASCII(email string) bool {
	return strings.ContainsFunc(email, func(r rune) bool {
		return r >= utf8.RuneSelf && store.Fold(string(r))[0] < utf8.RuneSelf
	})
}
