package passkey

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"time"

	"lectern/models/signin"
	"lectern/models/store"
)

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
