package visit

import (
	"maps"
	"slices"

	"lectern/models"
	"lectern/models/staff"
)

// Directory is that of the organization as this person may see it: all of it for who has a role at all events, and the
// people of their events for others. Who only reviews has nobody in it.
func (v *Visit) Directory() *models.Directory { return v.directoryAs(staff.Role.SeesPeople) }

// SeesPeopleHere tells of who sees the people of the event of the path.
func (v *Visit) SeesPeopleHere() bool { return v.Role.SeesPeople() }

// PersonAt is the page of somebody at the event of the path, "" for who sees none.
func (v *Visit) PersonAt(id string) string {
	if !v.SeesPeopleHere() {
		return ""
	}
	return v.At("/speakers/" + id)
}

// Exportable are the people of it whose addresses may leave in a file: those of events that this person organizes.
func (v *Visit) Exportable() *models.Directory {
	return v.directoryAs(func(r staff.Role) bool { return r.Covers(staff.Organizer) })
}

// directoryAs is the directory of the events at which this person has such a role.
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

// seesPeople tells of who sees the people of an event, or of all.
func (v *Visit) seesPeople() bool {
	return v.holds(staff.Role.SeesPeople) || v.User.RoleAt("") == "" &&
		len(v.User.Roles) == 0 // of whom an empty list tells so
}

// Organizes tells of who organizes an event, or all.
func (v *Visit) Organizes() bool {
	return v.holds(func(r staff.Role) bool { return r.Covers(staff.Organizer) })
}

// holds tells of who has such a role everywhere or at an event.
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
