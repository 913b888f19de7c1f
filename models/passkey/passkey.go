// Package passkey is what staff and speakers share to sign in with passkeys: the stored keys, and the challenges that
// are answered once. It does not know whose keys they are nor what they open; nor does it know the protocol, which
// [Site] stands for.
package passkey

import (
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/idna"

	"lectern/models/store"
)

// Most is how many passkeys one person may have.
const Most = 20

// MaxName is how many characters the name of a passkey may have.
const MaxName = 80

// Key is a stored passkey. Its private key never leaves the device that made it.
type Key struct {
	ID           string
	CredentialID string // the device's id of it, in base64url
	PublicKey    string // COSE, in base64url
	MadeFor      string // the only host at which browsers use it
	SignCount    int64  // how often its device signed with it; 0 for devices that do not count
	IsSynced     bool   // it may be copied to other devices of its owner
	Transports   string // how browsers reach its device, separated by spaces
	Name         string
	CreatedAt    store.Time
	LastUsedAt   *store.Time
}

// Person is whom a passkey is made for: an id that reveals nothing, and what their device shows.
type Person struct{ ID, Email, Name string }

// Use is what a verified answer tells about its passkey.
type Use struct {
	SignCount int64
	IsCloned  bool // the counter went back: another device may have a copy
}

// Site writes the options for browsers and checks their answers, at one address. models/passkey/webauthn implements it.
type Site interface {
	// Host returns the host that passkeys are made for.
	Host() string
	// RegistrationOptions returns the options, as JSON, by which a browser makes a passkey for somebody who has the
	// others already.
	RegistrationOptions(of Person, challenge []byte, has []Key) (string, error)
	// SignInOptions returns the options by which a browser signs in with one of keys; without keys, with any that it
	// has for the site, once its device has verified who holds it.
	SignInOptions(challenge []byte, keys ...Key) (string, error)
	// VerifyRegistration returns the passkey, without its name, that an answer to RegistrationOptions brings. It
	// answers a Refusal.
	VerifyRegistration(answer []byte, challenge []byte, of Person) (*Key, error)
	// VerifySignIn checks an answer to SignInOptions, by a passkey of the person with this id. With alone nothing else
	// proves who they are, so the device must have verified them. It answers a Refusal.
	VerifySignIn(answer []byte, challenge []byte, key Key, personID string, alone bool) (Use, error)
}

// Refusal says why an answer is not accepted, for whoever runs the server. It names no person and no secret.
type Refusal struct{ Why string }

func (r *Refusal) Error() string { return "the passkey was refused: " + r.Why }

// MadeFor returns the keys that were made for a host.
func MadeFor(host string, keys []Key) []Key {
	var here []Key
	for _, k := range keys {
		if k.MadeFor == host {
			here = append(here, k)
		}
	}
	return here
}

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

// Answer is a browser's answer to a challenge of a site; Token is the one that the challenge was made for.
type Answer struct {
	Site  Site
	Token string
	JSON  []byte
}

// Made checks the answer that brings somebody's new passkey, and returns the key without storing it. It answers a
// Refusal.
func (a Answer) Made(tx *store.Tx, to Purpose, of Person, name string) (*Key, error) {
	said, err := Read(a.JSON)
	if err != nil {
		return nil, err
	}
	if err := take(tx, said.Challenge, to, a.Token); err != nil {
		return nil, err
	}
	made, err := a.Site.VerifyRegistration(a.JSON, said.Challenge, of)
	if err != nil {
		return nil, err
	}
	made.ID, made.Name, made.CreatedAt = store.NewID(), name, tx.Now
	return made, nil
}

// Proves checks the answer of a passkey of the person with this id, once; alone is that of [Site.Used]. It answers a
// Refusal.
func (a Answer) Proves(tx *store.Tx, to Purpose, key Key, personID string, alone bool) (Use, error) {
	said, err := Read(a.JSON)
	if err != nil {
		return Use{}, err
	}
	if err := take(tx, said.Challenge, to, a.Token); err != nil {
		return Use{}, err
	}
	return a.Site.VerifySignIn(a.JSON, said.Challenge, key, personID, alone)
}

// Facts returns the columns to update after a passkey was used.
func (u Use) Facts(tx *store.Tx) map[string]any {
	return map[string]any{"sign_count": u.SignCount, "last_used_at": tx.Now}
}
