// Package passkey is what all share who sign in with passkeys: the keys that are kept, and the challenges that each
// answers once. Whose they are, and whom they open what to, it does not know; nor does it know the protocol, which
// [Site] stands for.
package passkey

import (
	"lectern/models/store"
)

// Most is how many passkeys one person may have.
const Most = 20

// MaxName is how many characters the name of one may have.
const MaxName = 80

// Key is what is kept of a passkey. Its secret half never leaves the device that made it.
type Key struct {
	ID           string
	CredentialID string // what its device calls it, in base64url
	PublicKey    string // COSE, in base64url
	MadeFor      string // the host at which browsers use it, and no other
	SignCount    int64  // how often its device signed with it, 0 where devices do not count
	IsSynced     bool   // it may be copied to other devices of its owner
	Transports   string // how browsers reach its device, separated by spaces
	Name         string
	CreatedAt    store.Time
	LastUsedAt   *store.Time
}

// Person is whom a passkey is made for: an id that tells nothing, and what their device shows of them.
type Person struct{ ID, Email, Name string }

// Use is what an answer proved.
type Use struct {
	SignCount int64
	IsCloned  bool // the count went back: another device may have a copy
}

// Site makes and reads what browsers need and answer at one address. models/passkey/webauthn is one.
type Site interface {
	// Host is what passkeys are made for.
	Host() string
	// ToMake are the options, as JSON, by which a browser makes a passkey of somebody who has others.
	ToMake(of Person, challenge []byte, has []Key) (string, error)
	// ToUse are the options by which a browser signs in with one of keys; without any, with whichever it knows of the
	// site, once its device has made sure who holds it.
	ToUse(challenge []byte, keys ...Key) (string, error)
	// Made is the passkey, without its name, that an answer to ToMake brings. It answers a Refusal.
	Made(answer []byte, challenge []byte, of Person) (*Key, error)
	// Used checks an answer to ToUse, of a passkey of the person with an id. It is alone where nothing else proves who
	// they are: the device must have made sure of them. It answers a Refusal.
	Used(answer []byte, challenge []byte, key Key, personID string, alone bool) (Use, error)
}

// Refusal is why an answer is not taken, in words for who runs the server. They name nobody and no secret.
type Refusal struct{ Why string }

func (r *Refusal) Error() string { return "the passkey was refused: " + r.Why }

// At are the keys of those that were made for a host.
func At(host string, keys []Key) []Key {
	var here []Key
	for _, k := range keys {
		if k.MadeFor == host {
			here = append(here, k)
		}
	}
	return here
}
