package main

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"lectern/models/store"
	"lectern/models/upkeep"
)

// secretKey is the key that seals secrets, and where it is from.
type secretKey struct {
	value []byte
	from  string // its name in messages
	file  string // where a new one is written; "" for a key that was found
}

// findSecretKey takes the key from LECTERN_SECRET_KEY or the data directory. Without one it generates a key, which keep
// writes. It writes nothing itself.
func (c *Config) findSecretKey() (*secretKey, error) {
	if c.SecretKey != nil {
		return &secretKey{value: c.SecretKey, from: "LECTERN_SECRET_KEY"}, nil
	}
	file := filepath.Join(c.DataDir, "secret.key")
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		value := make([]byte, store.SecretKeySize)
		rand.Read(value)
		return &secretKey{value: value, from: file, file: file}, nil
	}
	if err != nil {
		return nil, err
	}
	value, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(value) != store.SecretKeySize {
		return nil, fmt.Errorf("%s does not hold 32 bytes in base64", file)
	}
	return &secretKey{value: value, from: file}, nil
}

// missing reports whether the key was generated because none was found.
func (k *secretKey) missing() bool { return k.file != "" }

// keep writes a generated key, before anything is sealed with it. It answers fs.ErrExist if another process has written
// one.
func (k *secretKey) keep() error {
	part, remove, err := partOf(k.file)
	if err != nil {
		return err
	}
	defer remove()
	if err := copyFile(part, strings.NewReader(base64.StdEncoding.EncodeToString(k.value)+"\n")); err != nil {
		return err
	}
	return publish(part, k.file)
}

// lostKey returns the error for a key that does not open the sealed secrets.
func lostKey(key *secretKey, lost []upkeep.LostSecret) error {
	what := key.from + " holds another key (fingerprint " + upkeep.KeyFingerprint(key.value) + ")"
	if key.missing() {
		what = key.from + " is missing and LECTERN_SECRET_KEY is not set"
	} else if key.from == "LECTERN_SECRET_KEY" {
		what = key.from + " is another key (fingerprint " + upkeep.KeyFingerprint(key.value) + ")"
	}
	return fmt.Errorf(`the database holds secrets that the secret key does not open: %s.
Put back the key that sealed %s: it was in the data directory or in LECTERN_SECRET_KEY, and replicas must share it.
If it is lost for good, start once with: lectern serve --accept-new-secret-key
  Webhook endpoints then wait, with their events in line, until an owner or organizer rotates their secret in the admin.
  Second factors cannot be made again: who has one signs in with a recovery code, or you run lectern user end-second-factor.
  Identity providers let nobody in until an owner enters their client secret again below Security.
%s`, what, them(lost), strings.Join(lines(lost), "\n"))
}

func them(lost []upkeep.LostSecret) string {
	if len(lost) == 1 {
		return "it"
	}
	return "them"
}

// losses says of each kind of secret what of its owner was lost, and what to do about it.
var losses = map[upkeep.SealedKind]struct{ of, next string }{
	upkeep.EndpointSecret: {"the secret of the webhook endpoint at",
		"its events wait in line: rotate its secret in the admin"},
	upkeep.EndpointNextSecret: {"the next secret, not in use yet, of the webhook endpoint at",
		"the rotation was cancelled: begin it again in the admin"},
	upkeep.SecondFactorSecret: {"the second factor of",
		"it cannot be made again: they sign in with a recovery code, or run lectern user end-second-factor"},
	upkeep.SecondFactorBegun: {"the second factor, not in use yet, of", "nobody used it yet: they set their app up again"},
	upkeep.ProviderSecret: {"the client secret of the identity provider",
		"nobody signs in by it: an owner enters it again below Security, or you run lectern user allow-passwords"},
	upkeep.MoveToken: {"the token of a move to the event", "begin the move again, and give the token once more"},
}

// lines returns a line for each lost secret that names its owner.
func lines(lost []upkeep.LostSecret) []string {
	out := make([]string, len(lost))
	for i, secret := range lost {
		out[i] = fmt.Sprintf("  Lost: %s %s (%s)", losses[secret.Kind].of, secret.Whose, secret.ID)
	}
	return out
}

// tellLost logs the lost secrets, and what to do about each.
func tellLost(lost []upkeep.LostSecret) {
	for _, secret := range lost {
		slog.Warn("a secret was lost with the secret key", "of", secret.Kind, "id", secret.ID, "whose",
			secret.Whose, "next", losses[secret.Kind].next)
	}
}
