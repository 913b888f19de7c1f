// Package static holds what browsers fetch as it is: style, scripts and fonts. Vendored files are as their
// packages ship them: swagger-ui-dist 5.35.0, and those of package.json.
package static

//go:generate ../scripts/css.sh

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"
	"slices"

	"github.com/gofiber/fiber/v2"
)

//go:embed docs.html docs.js docs.css app.css agenda.js app.js site.css site.js board.js times.js embed.js list.js look.js passkey.js proposal.js question.js review.js triage.js rich.js rich-paste.js filesize.js upload.js icon.svg vendor
var files embed.FS

// Version changes with the files that pages fetch, and stands in their addresses: "f877a810".
func Version() string {
	sum := sha256.New()
	for _, name := range []string{
		"app.css", "site.css", "site.js", "agenda.js", "app.js", "board.js", "times.js", "filesize.js", "list.js", "look.js", "passkey.js", "proposal.js", "question.js", "review.js", "rich.js", "rich-paste.js", "triage.js", "upload.js",
		"vendor/htmx/htmx.min.js", "vendor/sortable/Sortable.min.js", "vendor/squire/squire.js",
		"vendor/dompurify/purify.min.js",
	} {
		b, err := files.ReadFile(name)
		if err != nil {
			panic(err) // embedded
		}
		sum.Write(b)
	}
	return hex.EncodeToString(sum.Sum(nil)[:4])
}

// Register serves the files below /static, and the API's description as a page at
// /docs/api-reference, with the handlers before, which see what is answered.
func Register(app *fiber.App, before ...fiber.Handler) {
	get := func(path string, handler fiber.Handler) { app.Get(path, append(slices.Clone(before), handler)...) }
	served, version := pack(), Version()
	get("/static/*", func(c *fiber.Ctx) error {
		f := served[c.Params("*")]
		switch {
		case f == nil:
			return fiber.ErrNotFound
		case string(c.Context().URI().QueryString()) == version: // another one may be of another version's replica
			c.Set(fiber.HeaderCacheControl, "public, max-age=31536000, immutable")
		case f.isFont():
			c.Set(fiber.HeaderCacheControl, "public, max-age=2592000")
		}
		return f.send(c)
	})
	// Browsers ask here for the icon of what is no page of ours.
	app.Get("/favicon.ico", func(c *fiber.Ctx) error {
		return c.Redirect("/static/icon.svg", http.StatusMovedPermanently)
	})
	get("/embeds/embed.js", func(c *fiber.Ctx) error { return served["embed.js"].send(c) }) // beside what it shows
	get("/docs/api-reference", func(c *fiber.Ctx) error { return served["docs.html"].send(c) })
}
