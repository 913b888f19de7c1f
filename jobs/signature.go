package jobs

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Sign is the header x-service-signature of a body: sha256= and the lower-case
// hex HMAC-SHA256 (RFC 2104) under the endpoint's secret.
func Sign(secret string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

// Verify tells whether signature, with or without its sha256= prefix, is the
// one of body, in a time that does not depend on where they differ.
func Verify(secret string, body []byte, signature string) bool {
	given := "sha256=" + strings.ToLower(strings.TrimPrefix(signature, "sha256="))
	return hmac.Equal([]byte(given), []byte(Sign(secret, body)))
}
