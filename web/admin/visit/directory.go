package visit

import (
	"maps"
	"slices"

	"lectern/models"
	"lectern/models/staff"
)

// Directory returns the organization's people as this user may see them: all for a role at all events, else those of
// their events, and nobody for somebody who only reviews.
func (v *Visit) Directory() *models.Directory { return v.directoryAs(staff.Role.SeesPeople) }

// SeesPeopleHere tells whether this user sees the people of the path's event.
func (v *Visit) SeesPeopleHere() bool { return v.Role.SeesPeople() }

// PersonAt returns the page of a person at the path's event, "" for users who see no people there.
func (v *Visit) PersonAt(id string) string {
	if !v.SeesPeopleHere() {
		return ""
	}
	return v.At("/speakers/" + id)
}

// Exportable returns the people whose addresses this user may take away in a file: those of events that they organize.
func (v *Visit) Exportable() *models.Directory {
	return v.directoryAs(func(r staff.Role) bool { return r.Covers(staff.Organizer) })
}

// directoryAs returns the directory of the events at which this user's role satisfies such.
func (v *Visit) directoryAs(such func(staff.Role) bool) *models.Directory {
	d, everywhere := v.Store.Directory(v.User.OrganizationID, v.By()), v.User.RoleAt("")
	switch {
	case everywhere.Covers(staff.Organizer):
		return d
	case everywhere != "" && such(everywhere):
		return d.AsViewer()
	}
	var events, organized []string
	for _, id := range slices.Sorted(maps.Keys(v.User.Roles)) {
		if such(v.User.Roles[id]) {
			events = append(events, id)
		}
		if v.User.Roles[id].Covers(staff.Organizer) {
			organized = append(organized, id)
		}
	}
	if d = d.Within(events); len(organized) == len(events) {
		return d
	}
	return d.AsViewer(organized...)
}

// seesPeople tells whether this user sees the people of at least one event.
func (v *Visit) seesPeople() bool {
	return v.holds(staff.Role.SeesPeople) || v.User.RoleAt("") == "" &&
		len(v.User.Roles) == 0 // without any role they may see the empty list
}

// Organizes tells whether this user organizes at least one event.
func (v *Visit) Organizes() bool {
	return v.holds(func(r staff.Role) bool { return r.Covers(staff.Organizer) })
}

// holds tells whether a role of this user, everywhere or at some event, satisfies such.
func (v *Visit) holds(such func(staff.Role) bool) bool {
	if everywhere := v.User.RoleAt(""); everywhere != "" {
		return such(everywhere)
	}
	for _, role := range v.User.Roles {
		if such(role) {
			return true
		}
	}
	return false
}
