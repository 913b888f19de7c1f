package store

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
)

// SecretKeySize is the length of Options.SecretKey in bytes (AES-256).
const SecretKeySize = 32

func (s *Store) aead() (cipher.AEAD, error) {
	if len(s.Options.SecretKey) != SecretKeySize {
		return nil, errors.New("no secret key is configured, so secrets can be neither kept nor read")
	}
	block, err := aes.NewCipher(s.Options.SecretKey)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// Seal encrypts a secret for storage. The owner is authenticated with it, so that a sealed secret cannot be moved to
// another row.
func (s *Store) Seal(secret, owner string) (string, error) {
	aead, err := s.aead()
	if err != nil {
		return "", err
	}
	nonce := make([]byte, aead.NonceSize())
	rand.Read(nonce)
	return base64.StdEncoding.EncodeToString(aead.Seal(nonce, nonce, []byte(secret), []byte(owner))), nil
}

// Unseal decrypts what Seal encrypted for the same owner.
func (s *Store) Unseal(sealed, owner string) (string, error) {
	aead, err := s.aead()
	if err != nil {
		return "", err
	}
	b, err := base64.StdEncoding.DecodeString(sealed)
	if err != nil || len(b) < aead.NonceSize() {
		return "", errors.New("a sealed secret is damaged")
	}
	plain, err := aead.Open(nil, b[:aead.NonceSize()], b[aead.NonceSize():], []byte(owner))
	if err != nil {
		return "", errors.New("a sealed secret does not open with this secret key")
	}
	return string(plain), nil
}

// HashKey returns the hash under which a secret is stored that only has to be recognised again.
func HashKey(value string) string {
	sum := sha256.Sum256([]byte(value))
	return hex.EncodeToString(sum[:])
}
