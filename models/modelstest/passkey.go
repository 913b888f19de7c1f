package modelstest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"net/url"
	"testing"

	"github.com/descope/virtualwebauthn"
)

// Device makes and uses one passkey at a site.
type Device struct {
	T     testing.TB
	Party virtualwebauthn.RelyingParty
	Auth  virtualwebauthn.Authenticator
	Key   virtualwebauthn.Credential
}

// NewDevice is one of whoever has an id, at an origin.
func NewDevice(t testing.TB, origin, id string) Device {
	t.Helper()
	at := Must(url.Parse(origin))(t)
	return Device{T: t, Party: virtualwebauthn.RelyingParty{ID: at.Hostname(), Name: "Lectern", Origin: origin},
		Auth: virtualwebauthn.NewAuthenticatorWithOptions(virtualwebauthn.AuthenticatorOptions{UserHandle: []byte(id)}),
		Key:  NewPasskey(t)}
}

// Makes is what it answers to the options for a new passkey.
func (d *Device) Makes(options string) []byte {
	d.T.Helper()
	asked := Must(virtualwebauthn.ParseAttestationOptions(options))(d.T)
	return []byte(virtualwebauthn.CreateAttestationResponse(d.Party, d.Auth, d.Key, *asked))
}

// Uses is what it answers to the options for a passkey that is there, counting on.
func (d *Device) Uses(options string) []byte {
	d.T.Helper()
	d.Key.Counter++
	asked := Must(virtualwebauthn.ParseAssertionOptions(options))(d.T)
	return []byte(virtualwebauthn.CreateAssertionResponse(d.Party, d.Auth, d.Key, *asked))
}

// NewPasskey is one with a name and a key of its own. The library leaves out the zeros that a coordinate begins with,
// as one in 128 keys does, and no browser would.
func NewPasskey(t testing.TB) virtualwebauthn.Credential {
	t.Helper()
	for {
		key := Must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
		if len(key.X.Bytes()) == 32 && len(key.Y.Bytes()) == 32 {
			whole := Must(x509.MarshalPKCS8PrivateKey(key))(t)
			return virtualwebauthn.NewCredentialWithImportedKey(virtualwebauthn.KeyTypeEC2, whole)
		}
	}
}
