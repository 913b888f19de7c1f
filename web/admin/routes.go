package admin

import (
	"slices"

	"lectern/web/admin/people"
	"lectern/web/admin/visit"
)

// addresses are all of the admin. An address is answered by the first row that fits it.
var addresses = slices.Concat(staffRoutes, settingsRoutes, people.Routes, webhooksRoutes, lettersRoutes, reviewsRoutes,
	callRoutes, agendaRoutes, sessionsRoutes)

// AddressesOf are those that are served: the gallery's too, where options say so.
func AddressesOf(options visit.Options) []visit.Address {
	if !options.Gallery {
		return addresses
	}
	return append(slices.Clone(addresses), visit.At("/design", visit.Anyone, showGallery, nil),
		visit.At("/design/:page/:state", visit.Anyone, showExample, nil))
}
