package request

import (
	"encoding/base64"
	"net/http"
	"strings"

	"github.com/gofiber/fiber/v2"
	"golang.org/x/crypto/blake2b"
)

// ETag gives the answer to a GET or HEAD a strong ETag, a hash of its bytes unless the handler set one, and answers
// 304 where If-None-Match holds it.
func ETag(c *fiber.Ctx) error {
	err := c.Next()
	read := c.Method() == http.MethodGet || c.Method() == http.MethodHead
	if err != nil || !read || c.Response().StatusCode() != http.StatusOK {
		return err
	}
	if len(c.Response().Header.Peek(fiber.HeaderETag)) == 0 {
		c.Set(fiber.HeaderETag, ETagOf(c.Response().Body()))
	}
	if IsKnown(c.Get(fiber.HeaderIfNoneMatch), string(c.Response().Header.Peek(fiber.HeaderETag))) {
		c.Response().ResetBody()
		c.Response().Header.Del(fiber.HeaderContentEncoding)
		c.Status(http.StatusNotModified)
	}
	return nil
}

// ETagOf returns the strong ETag of a body: half of its BLAKE2b, which takes a fifth of SHA-256's time where the
// processor has no instructions for that.
func ETagOf(body []byte) string {
	sum := blake2b.Sum256(body)
	return `"` + base64.RawURLEncoding.EncodeToString(sum[:16]) + `"`
}

// IsKnown tells whether an If-None-Match holds the tag. Weak and strong tags count as equal here, and * stands for
// any.
func IsKnown(header, tag string) bool {
	if strings.TrimSpace(header) == "*" {
		return true
	}
	tag = strings.TrimPrefix(tag, "W/")
	for rest := header; ; {
		rest = strings.TrimLeft(rest, " \t,")
		rest = strings.TrimPrefix(rest, "W/")
		if rest == "" || rest[0] != '"' {
			return false
		}
		end := strings.IndexByte(rest[1:], '"') + 2
		if end < 2 {
			return false
		}
		if rest[:end] == tag {
			return true
		}
		rest = rest[end:]
	}
}
