package admin

import "slices"

// addresses are all of the admin. An address is answered by the first row that fits it.
var addresses = slices.Concat(staffRoutes, settingsRoutes, peopleRoutes, webhooksRoutes, lettersRoutes, reviewsRoutes,
	callRoutes, agendaRoutes, sessionsRoutes)

// addressesOf are those that are served: the gallery's too, where options say so.
func addressesOf(options Options) []address {
	if !options.Gallery {
		return addresses
	}
	return append(slices.Clone(addresses), at("/design", anyone, showGallery, nil),
		at("/design/:page/:state", anyone, showExample, nil))
}
