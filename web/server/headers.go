package server

import (
	"strings"

	"github.com/gofiber/fiber/v2"

	"lectern/web/page"
)

// headerGroup is a group of addresses whose answers, errors included, share headers. A handler may override them.
type headerGroup struct {
	path    string // the group is this path and all below
	headers map[string]string
}

// headerGroups are all groups; the first that matches an address applies.
var headerGroups = []headerGroup{
	// What a key may read is private, and revalidated each time.
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
	{"", page.Private.All()}, // pages; their handlers may override these
}

// setHeaders sets the headers of an answer's group, and those of every answer; secure means behind https.
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
