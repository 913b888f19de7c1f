package server

import (
	"strings"

	"github.com/gofiber/fiber/v2"

	"lectern/web/page"
)

// headerGroup is a part of our addresses whose answers, errors among them, share
// headers. A handler may give one of its answers others.
type headerGroup struct {
	path    string // the answers at it and below
	headers map[string]string
}

// headerGroups are all; the first that an address lies in counts.
var headerGroups = []headerGroup{
	// What a key may read is nobody else's, and asked for anew each time.
	{"/v1", map[string]string{
		fiber.HeaderCacheControl: "private, no-cache",
		fiber.HeaderVary:         "x-access-token",
	}},
	{"/mcp", map[string]string{fiber.HeaderCacheControl: "no-store"}},
	{"/static", map[string]string{fiber.HeaderCacheControl: "public, max-age=3600"}},
	{"/embeds/embed.js", map[string]string{fiber.HeaderCacheControl: "public, max-age=3600"}},
	{"/favicon.ico", map[string]string{fiber.HeaderCacheControl: "public, max-age=86400"}},
	// Swagger UI writes inline styles and draws its icons from data addresses.
	{"/docs/api-reference", map[string]string{
		fiber.HeaderCacheControl: "no-cache",
		fiber.HeaderContentSecurityPolicy: "default-src 'self'; style-src 'self' 'unsafe-inline'; " +
			"img-src 'self' data:; frame-ancestors 'none'",
	}},
	{"", page.Private.All()}, // pages, which may have others
}

// setHeaders gives an answer those of its group, and those of every answer; secure is behind https.
func setHeaders(c *fiber.Ctx, secure bool) {
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	c.Set(fiber.HeaderReferrerPolicy, "same-origin")
	if secure {
		c.Set(fiber.HeaderStrictTransportSecurity, "max-age=31536000")
	}
	for _, group := range headerGroups {
		if group.path != "" && !below(c.Path(), group.path) {
			continue
		}
		for name, value := range group.headers {
			c.Set(name, value)
		}
		return
	}
}

// isSecure tells whether a base URL is https.
func isSecure(baseURL string) bool { return strings.HasPrefix(baseURL, "https://") }
