package admin

import (
	"slices"

	"lectern/web/admin/agenda"
	"lectern/web/admin/archives"
	"lectern/web/admin/call"
	"lectern/web/admin/compose"
	"lectern/web/admin/decisions"
	"lectern/web/admin/desk"
	"lectern/web/admin/letters"
	"lectern/web/admin/lists"
	"lectern/web/admin/moving"
	"lectern/web/admin/people"
	"lectern/web/admin/providers"
	"lectern/web/admin/reviews"
	"lectern/web/admin/revisions"
	"lectern/web/admin/sessions"
	"lectern/web/admin/settings"
	"lectern/web/admin/staff"
	"lectern/web/admin/status"
	"lectern/web/admin/tasks"
	"lectern/web/admin/triage"
	"lectern/web/admin/visit"
	"lectern/web/admin/webhooks"
)

// addresses are all routes of the admin. The first row that matches a request answers it.
var addresses = slices.Concat(staff.Routes, providers.Routes, status.Routes, settings.Routes, people.Routes,
	webhooks.Routes, letters.Routes, tasks.Routes, moving.Routes, archives.Routes, revisions.Routes, reviews.Routes,
	call.Routes, agenda.Routes, lists.Routes, sessions.Routes, desk.Routes, triage.Routes, compose.Routes, decisions.Routes)

// AddressesOf returns the routes that are served, including the gallery's where options ask for it. Tests call each of
// them.
func AddressesOf(options visit.Options) []visit.Address {
	if !options.Gallery {
		return addresses
	}
	return append(slices.Clone(addresses), visit.At("/design", visit.Anyone, showGallery, nil),
		visit.At("/design/:page/:state", visit.Anyone, showExample, nil))
}
