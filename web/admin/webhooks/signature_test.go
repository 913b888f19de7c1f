package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
)

func TestSignatureIsCheckedAndExplained(t *testing.T) {
	const secret, body = "It's a Secret to Everybody", "Hello, World!"
	// the vector in GitHub's documentation
	const digest = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
	signed := func(body string) string {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(body))
		return "sha256=" + hex.EncodeToString(mac.Sum(nil))
	}
	for name, c := range map[string]struct{ secret, body, header, why string }{
		"valid":            {secret, body, "sha256=" + digest, ""},
		"lines of a form":  {secret, "a\r\nb", signed("a\nb"), ""},
		"lines as sent":    {secret, "a\r\nb", signed("a\r\nb"), ""},
		"empty body":       {secret, "", signed(""), ""},
		"no prefix":        {secret, body, digest, "prefix is missing"},
		"nothing":          {secret, body, "", "begin with sha256="},
		"no digest":        {secret, body, "hello", "begin with sha256="},
		"no hex":           {secret, body, "sha256=" + digest[:63] + "g", "not hexadecimal"},
		"odd":              {secret, body, "sha256=" + digest[:63], "not hexadecimal"},
		"short":            {secret, body, "sha256=" + digest[:62], "62 digits"},
		"another secret":   {"it's a secret", body, "sha256=" + digest, "another secret"},
		"another body":     {secret, "Hello, world!", "sha256=" + digest, "another body"},
		"space after":      {secret, body + "\r\n", "sha256=" + digest, "other space"},
		"line end is lost": {secret, body, signed(body + "\n"), "other space"},
		"secret in spaces": {" " + secret, body, "sha256=" + digest, "space around the secret"},
	} {
		valid, why := checkSignature(c.secret, c.body, c.header)
		if valid != (c.why == "") || !strings.Contains(why, c.why) || strings.Contains(why, secret) {
			t.Errorf("%s: %v %q", name, valid, why)
		}
	}
}
