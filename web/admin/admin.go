// Package admin is what staff work in: pages rendered on the server. Every change
// is one operation of models; a page decides nothing by itself.
package admin

import (
	"github.com/gofiber/fiber/v2"

	"lectern/models"
)

// New registers the admin's routes on app.
func New(app *fiber.App, store *models.Store, options Options) *Web {
	w := newWeb(store, options, allUploads)
	w.mount(app, addressesOf(options))
	return w
}
