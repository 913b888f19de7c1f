package identity

import (
	"slices"
	"strings"
	"unicode/utf8"

	"lectern/models/staff"
	"lectern/models/store"
)

// mostGroups is how many groups of a person are read.
const mostGroups = 2000

// claims are the contents of a token.
type claims map[string]any

func (c claims) text(name string) string { text, _ := c[name].(string); return text }

// find returns a claim by its name, or by a dotted path of names such as realm_access.roles.
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

// add merges what userinfo says of the same person into the token's claims; groups is the claim with the groups.
func (c claims) add(more claims, groups string) {
	// Each of the two vouches only for the address that it names.
	if c.text("email") == "" {
		c.vouchForNone()
	} else if c.text("email") != more.text("email") {
		more.vouchForNone()
	}
	if _, known := c.find(groups); !known {
		if value, said := more.find(groups); said {
			c[groups] = value // the groups' path may begin with a claim that the token has without them
		}
	}
	for name, value := range more {
		if _, known := c[name]; !known {
			c[name] = value
		}
	}
}

// vouchForNone deletes the claims by which vouched trusts an address.
func (c claims) vouchForNone() {
	for _, name := range []string{"email_verified", "xms_edov", "hd"} {
		delete(c, name)
	}
}

// vouched reports whether the provider confirms that the address is this person's today.
func (c claims) vouched(issuer string) bool {
	_, host, _ := strings.Cut(strings.ToLower(c.text("email")), "@")
	if host == "" || foldsIntoASCII(c.text("email")) {
		return false
	}
	if issuer == "https://accounts.google.com" && host != "gmail.com" && strings.ToLower(c.text("hd")) != host {
		// Google checked other addresses than its own and those of a Workspace only once.
		return false
	}
	return slices.Contains([]any{true, "true", "1", 1.0}, c[voucher(issuer)])
}

// voucher returns the claim by which an issuer confirms an address.
func voucher(issuer string) string {
	if strings.HasPrefix(issuer, "https://login.microsoftonline.com/") {
		// Anybody can enter any address in an account there; only this claim says that they own its domain.
		return "xms_edov"
	}
	return "email_verified"
}

// foldsIntoASCII reports whether a non-ASCII letter of an address folds into ASCII, as ſam@example.org would match
// sam's.
func foldsIntoASCII(email string) bool {
	return strings.ContainsFunc(email, func(r rune) bool {
		return r >= utf8.RuneSelf && store.Fold(string(r))[0] < utf8.RuneSelf
	})
}
