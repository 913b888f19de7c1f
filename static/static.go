// Package static holds what browsers fetch as it is: style, scripts and fonts.
// Vendored files are as their packages ship them: swagger-ui-dist 5.35.0, and
// those of package.json.
package static

//go:generate ../scripts/css.sh

import (
	"crypto/sha256"
	"embed"
	"net/http"

	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/compress"
	"github.com/gofiber/fiber/v2/middleware/etag"
	"github.com/gofiber/fiber/v2/middleware/filesystem"
)

//go:embed docs.html docs.js docs.css app.css app.js rich.js rich-paste.js icon.svg vendor
var files embed.FS

// Version changes with the files that pages of the admin fetch.
func Version() string {
	sum := sha256.New()
	for _, name := range []string{
		"app.css", "app.js", "rich.js", "rich-paste.js",
		"vendor/htmx/htmx.min.js", "vendor/sortable/Sortable.min.js", "vendor/squire/squire.js", "vendor/dompurify/purify.min.js",
	} {
		b, err := files.ReadFile(name)
		if err != nil {
			panic(err) // embedded
		}
		sum.Write(b)
	}
	return string(sum.Sum(nil))
}

// Swagger UI writes inline styles and draws its icons from data addresses.
const docsPolicy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"

// Register serves the files below /static and the API's description as a page
// at /docs.
func Register(app *fiber.App) {
	app.Use("/static", etag.New(), compress.New(), filesystem.New(filesystem.Config{Root: http.FS(files), MaxAge: 3600}))
	// Browsers ask here for the icon of what is no page of ours.
	app.Get("/favicon.ico", func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderCacheControl, "public, max-age=86400")
		return c.Redirect("/static/icon.svg", http.StatusMovedPermanently)
	})
	app.Get("/docs", func(c *fiber.Ctx) error {
		page, err := files.ReadFile("docs.html")
		if err != nil {
			return err
		}
		c.Set(fiber.HeaderContentSecurityPolicy, docsPolicy)
		c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
		c.Type("html", "utf-8")
		return c.Send(page)
	})
}
