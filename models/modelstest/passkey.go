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

// NewDevice returns a device of the person with this id, at an origin.
func NewDevice(t testing.TB, origin, id string) Device {
	t.Helper()
	at := Must(url.Parse(origin))(t)
	return Device{T: t, Party: virtualwebauthn.RelyingParty{ID: at.Hostname(), Name: "Lectern", Origin: origin},
		Auth: virtualwebauthn.NewAuthenticatorWithOptions(virtualwebauthn.AuthenticatorOptions{UserHandle: []byte(id)}),
		Key:  NewPasskey(t)}
}

// Makes answers the options for a new passkey.
func (d *Device) Makes(options string) []byte {
	d.T.Helper()
	asked := Must(virtualwebauthn.ParseAttestationOptions(options))(d.T)
	return []byte(virtualwebauthn.CreateAttestationResponse(d.Party, d.Auth, d.Key, *asked))
}

// Uses answers the options for an existing passkey, and increments its counter.
func (d *Device) Uses(options string) []byte {
	d.T.Helper()
	d.Key.Counter++
	asked := Must(virtualwebauthn.ParseAssertionOptions(options))(d.T)
	return []byte(virtualwebauthn.CreateAssertionResponse(d.Party, d.Auth, d.Key, *asked))
}

// NewPasskey returns a passkey with its own name and key. The library drops leading zeros of coordinates, which one key
// in 128 has and browsers keep, so such keys are not used.
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
