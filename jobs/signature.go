package jobs

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Sign returns the header x-service-signature for a body: sha256= and the lower-case hex HMAC-SHA256 (RFC 2104) under
// the endpoint's secret.
func Sign(secret string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

// Verify reports whether signature, with or without its sha256= prefix, is that of body. It compares in constant time.
func Verify(secret string, body []byte, signature string) bool {
	given := "sha256=" + strings.ToLower(strings.TrimPrefix(signature, "sha256="))
	return hmac.Equal([]byte(given), []byte(Sign(secret, body)))
}

// SignStandard adds the headers of Standard Webhooks (https://www.standardwebhooks.com), so that a receiver can verify
// with its libraries as well: the key is the part after whsec_, read as base64. A secret of another form has no such
// key, and gets none of these headers.
func SignStandard(header http.Header, secret, id string, at time.Time, body []byte) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return
	}
	sent := strconv.FormatInt(at.Unix(), 10)
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + sent + "."))
	mac.Write(body)
	header.Set("webhook-id", id)
	header.Set("webhook-timestamp", sent)
	header.Set("webhook-signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
}
