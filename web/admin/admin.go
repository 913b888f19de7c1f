// Package admin is what staff work in: pages rendered on the server. Every change
// is one operation of models; a page decides nothing by itself.
package admin

import (
	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/web/admin/visit"
)

// New registers the admin's routes on app.
func New(app *fiber.App, store *models.Store, options visit.Options) *visit.Web {
	w := visit.NewWeb(store, options, allUploads)
	w.Mount(app, AddressesOf(options))
	return w
}
