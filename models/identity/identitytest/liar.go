package identitytest

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// Liar is a provider that answers as the test tells it; otherwise it answers correctly, for the subject "ada".
type Liar struct {
	Issuer string
	Nonce  string // of the flow that it answers
	// Claims, if set, changes the claims of the token.
	Claims func(claims map[string]any)
	// Sign, if set, signs the token in place of the provider.
	Sign func(key *rsa.PrivateKey, payload []byte) string
	// Answer, if set, sees each request first; it returns true if it has answered.
	Answer func(w http.ResponseWriter, r *http.Request) bool
	// Info is the answer of userinfo; nil for none.
	Info map[string]any
	// Asked counts requests by path.
	Asked map[string]int
	key   *rsa.PrivateKey
}

// Lie starts a Liar, which ends with the test.
func Lie(t testing.TB) *Liar {
	t.Helper()
	l := &Liar{key: NewKey(), Asked: map[string]int{}}
	server := httptest.NewServer(l)
	t.Cleanup(server.Close)
	l.Issuer = server.URL
	return l
}

// ServeHTTP answers as a provider does.
func (l *Liar) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.Asked[r.URL.Path]++
	if l.Answer != nil && l.Answer(w, r) {
		return
	}
	w.Header().Set("Content-Type", "application/json")
	var answer any
	switch r.URL.Path {
	case "/.well-known/openid-configuration":
		answer = l.Description()
	case "/keys":
		key := jose.JSONWebKey{Key: l.key.Public(), KeyID: "1", Algorithm: "RS256", Use: "sig"}
		answer = jose.JSONWebKeySet{Keys: []jose.JSONWebKey{key}}
	case "/token":
		answer = map[string]any{"access_token": "1", "token_type": "Bearer", "id_token": l.token()}
	case "/userinfo":
		answer = l.Info
	default:
		http.NotFound(w, r)
		return
	}
	json.NewEncoder(w).Encode(answer)
}

// Description returns its openid-configuration.
func (l *Liar) Description() map[string]any {
	return map[string]any{"issuer": l.Issuer, "authorization_endpoint": l.Issuer + "/auth",
		"token_endpoint": l.Issuer + "/token", "jwks_uri": l.Issuer + "/keys", "userinfo_endpoint": l.Issuer + "/userinfo"}
}

// token returns an ID token, correctly signed unless Sign is set.
func (l *Liar) token() string {
	now := time.Now()
	claims := map[string]any{"iss": l.Issuer, "sub": "ada", "aud": ClientID, "nonce": l.Nonce, "iat": now.Unix(),
		"exp": now.Add(5 * time.Minute).Unix(), "email": "ada@example.org", "email_verified": true, "name": "Ada Byron",
		"groups": []string{}}
	if l.Claims != nil {
		l.Claims(claims)
	}
	payload, err := json.Marshal(claims)
	if err != nil {
		panic(err)
	}
	if l.Sign != nil {
		return l.Sign(l.key, payload)
	}
	return Signed(jose.RS256, l.key, payload)
}

// Signed returns a token signed by a key.
func Signed(by jose.SignatureAlgorithm, key any, payload []byte) string {
	options := (&jose.SignerOptions{}).WithHeader("kid", "1")
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: by, Key: key}, options)
	if err != nil {
		panic(err)
	}
	signature, err := signer.Sign(payload)
	if err != nil {
		panic(err)
	}
	token, err := signature.CompactSerialize()
	if err != nil {
		panic(err)
	}
	return token
}

// NonceOf returns the nonce in the address that a browser is sent to.
func NonceOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Query().Get("nonce")
}

// NewKey returns a key that no provider publishes.
func NewKey() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
}
