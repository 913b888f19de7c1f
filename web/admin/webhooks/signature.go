package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// checkSignature tells whether a header's value is the signature of a body under a secret, and why not. It tries both
// kinds of line ends, since browsers change them in forms.
func checkSignature(secret, body, header string) (valid bool, why string) {
	signs := func(secret, body string, digest []byte) bool {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(body))
		return hmac.Equal(digest, mac.Sum(nil))
	}
	digits, prefixed := strings.CutPrefix(header, "sha256=")
	digest, err := hex.DecodeString(digits)
	switch {
	case !prefixed && (err != nil || len(digest) != sha256.Size):
		return false, "The header's value does not begin with sha256=, and it is no digest either. Copy the whole value " +
			"of x-service-signature."
	case err != nil:
		return false, "What follows sha256= is not hexadecimal: 64 digits from 0 to 9 and a to f are expected."
	case len(digest) != sha256.Size:
		return false, fmt.Sprintf("What follows sha256= has %d digits instead of 64, so something was cut off or added.",
			len(digits))
	}
	lines := strings.ReplaceAll(body, "\r\n", "\n")
	trimmed := strings.TrimSpace(lines)
	switch match := signs(secret, lines, digest) || signs(secret, body, digest); {
	case match && prefixed:
		return true, ""
	case match:
		return false, "The digest is right, but the prefix is missing: the header's value has to begin with sha256=."
	case signs(secret, trimmed, digest) || signs(secret, trimmed+"\n", digest):
		return false, "The signature is of this body with other space at its beginning or end. Compare the bytes as they " +
			"came."
	case signs(strings.TrimSpace(secret), lines, digest):
		return false, "The signature fits once the space around the secret is taken away."
	}
	return false, "The signature is well formed but was made with another secret, or of another body. Take the secret " +
		"of this endpoint, the whole text with whsec_, and the body as it came, before anything parsed it."
}
