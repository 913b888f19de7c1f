package modelstest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"testing"

	"github.com/descope/virtualwebauthn"
)

// NewPasskey is one of a device, with a name and a key of its own. The library leaves out the zeros that a coordinate
// begins with, as one in 128 keys does, and no browser would.
func NewPasskey(t testing.TB) virtualwebauthn.Credential {
	t.Helper()
	for {
		key := Must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
		if len(key.X.Bytes()) == 32 && len(key.Y.Bytes()) == 32 {
			return virtualwebauthn.NewCredentialWithImportedKey(virtualwebauthn.KeyTypeEC2, Must(x509.MarshalPKCS8PrivateKey(key))(t))
		}
	}
}
