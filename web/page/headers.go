package page

import "github.com/gofiber/fiber/v2"

// Headers say who may cache the pages of a group of routes, and who may frame them.
type Headers struct {
	cache  string // Cache-Control
	frames string // frame-ancestors
}

var (
	// Private pages are for one person: nobody caches or frames them.
	Private = Headers{cache: "no-store", frames: "'none'"}
	// Framed pages are private, but pages of ours show them in a frame.
	Framed = Headers{cache: "no-store", frames: "'self'"}
	// Public pages are the same for everybody and have no forms.
	Public = Headers{cache: "public, max-age=0, must-revalidate", frames: "'none'"}
	// Embedded pages are public, and other sites may frame them.
	Embedded = Headers{cache: "public, max-age=0, must-revalidate", frames: "*"}
)

// All returns the headers by name.
func (h Headers) All() map[string]string {
	return map[string]string{
		fiber.HeaderCacheControl: h.cache,
		fiber.HeaderContentSecurityPolicy: "default-src 'self'; base-uri 'none'; form-action 'self'; " +
			"frame-ancestors " + h.frames + "; object-src 'none'; img-src 'self' data:",
	}
}

// Set writes the headers to an answer.
func (h Headers) Set(c *fiber.Ctx) {
	for name, value := range h.All() {
		c.Set(name, value)
	}
}

func (h Headers) shared() bool { return h != Private }
