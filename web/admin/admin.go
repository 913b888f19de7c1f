// Package admin serves the pages that staff work in, rendered on the server. Every change is one operation of models;
// pages hold no rules of their own.
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
