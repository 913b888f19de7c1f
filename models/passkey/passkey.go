// Package passkey is what staff and speakers share to sign in with passkeys: the stored keys, and the challenges that
// are answered once. It does not know whose keys they are nor what they open; nor does it know the protocol, which
// [Site] stands for.
package passkey

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/idna"

	"lectern/models/signin"
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

// ChallengeLifetime is how long a challenge may be answered.
const ChallengeLifetime = 10 * time.Minute

// A challenge contains, encrypted, when it expires, what it is for and whose browser got it. So any replica can check
// its answer, and issuing one writes nothing. Answers are recorded, so that none is taken twice.

// Purpose is what a challenge is for. Its answer is good for nothing else.
type Purpose string

// Answered is a challenge that was answered.
type Answered struct {
	ID        string // its SHA-256
	ExpiresAt store.Time
}

// TableName returns the table of answered challenges.
func (Answered) TableName() string { return "answered_challenges" }

// randomness is how many random bytes a challenge contains, besides its nonce.
const randomness = 16

// NewChallenge returns a challenge for the browser that has this token.
func NewChallenge(s *store.Store, purpose Purpose, token string) ([]byte, error) {
	inside := make([]byte, randomness, randomness+8)
	rand.Read(inside)
	inside = binary.BigEndian.AppendUint64(inside, uint64(s.Now().Add(ChallengeLifetime).UnixMilli()))
	sealed, err := s.Seal(string(inside), purpose.of(token))
	if err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(sealed)
}

func (p Purpose) of(token string) string { return "passkey\x00" + string(p) + "\x00" + token }

// take records that a challenge was answered. It answers a Refusal for one of another purpose or browser, an expired
// one, and one that was answered before.
func take(tx *store.Tx, challenge []byte, purpose Purpose, token string) error {
	inside, err := tx.Store.Unseal(base64.StdEncoding.EncodeToString(challenge), purpose.of(token))
	if err != nil || len(inside) != randomness+8 {
		return &Refusal{"the challenge is not one of this browser and page"}
	}
	expires := store.At(time.UnixMilli(int64(binary.BigEndian.Uint64([]byte(inside[randomness:])))))
	if !tx.Now.Before(expires.Time) {
		return &Refusal{"the challenge is too old"}
	}
	kept := tx.Exec("INSERT INTO answered_challenges (id, expires_at) VALUES (?, ?) ON CONFLICT DO NOTHING",
		store.HashKey(string(challenge)), expires)
	return store.Changed(kept, &Refusal{"the challenge was answered before"})
}

// Expired returns the answered challenges that have expired, for signin.Sweep.
func Expired(tx *store.Tx) signin.Expired {
	return signin.Expired{Row: &Answered{}, Key: "id", Column: "expires_at", Before: tx.Now}
}

// maxAnswer is how many bytes a browser's answer may have: it holds keys and certificates of a device.
const maxAnswer = 65536

// Claim is what an answer claims, before anything is proven.
type Claim struct {
	CredentialID string
	Challenge    []byte
}

// Read parses what an answer claims. It answers a Refusal for what is no answer.
func Read(answer []byte) (*Claim, error) {
	var outer struct {
		RawID    string `json:"rawId"`
		Response struct {
			ClientDataJSON string `json:"clientDataJSON"`
		} `json:"response"`
	}
	var inner struct {
		Challenge string `json:"challenge"`
	}
	none := &Refusal{"it is no answer of a browser"}
	if len(answer) > maxAnswer || json.Unmarshal(answer, &outer) != nil {
		return nil, none
	}
	id, errID := Decode(outer.RawID)
	data, err := Decode(outer.Response.ClientDataJSON)
	if errID != nil || err != nil || len(id) == 0 || json.Unmarshal(data, &inner) != nil {
		return nil, none
	}
	challenge, err := Decode(inner.Challenge)
	if err != nil || len(challenge) == 0 {
		return nil, none
	}
	return &Claim{Encode(id), challenge}, nil
}

// Encode returns bytes in the form in which browsers send them.
func Encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// Decode reverses Encode; some browsers add padding.
func Decode(s string) ([]byte, error) {
	return base64.RawURLEncoding.DecodeString(string(bytes.TrimRight([]byte(s), "=")))
}
