package passkey

import (
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/idna"
)

// Address is where people open the site: the host that passkeys are made for, and the origin that browsers name.
type Address struct{ Host, Origin string }

// AddressOf parses a public address. Where browsers make no passkeys for it, why says so to the site's users.
func AddressOf(public string) (at Address, why string) {
	u, err := url.Parse(public)
	if err != nil || u.Hostname() == "" {
		return Address{}, "The public address of this server is not known, so browsers make no passkeys for it."
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		host = ascii
	}
	isHere := host == "localhost" || strings.HasSuffix(host, ".localhost")
	switch _, err := netip.ParseAddr(host); {
	case err == nil:
		return Address{}, "Browsers make passkeys for names, and the public address of this server is a number (" + host +
			"). Whoever runs it can give it a name."
	case u.Scheme != "https" && !isHere:
		return Address{}, "Browsers make passkeys over https alone, and the public address of this server is plain http. " +
			"Whoever runs it can put https in front."
	}
	at = Address{Host: host, Origin: u.Scheme + "://" + host}
	if port := u.Port(); port != "" && port != map[string]string{"https": "443", "http": "80"}[u.Scheme] {
		at.Origin += ":" + port
	}
	return at, ""
}
