package admin

import (
	"maps"
	"slices"

	"lectern/models"
	"lectern/models/staff"
)

// directory is that of the organization as this person may see it: all of it for who has a role at all events, and the
// people of their events for others. Who only reviews has nobody in it.
func (v *visit) directory() *models.Directory { return v.directoryAs(staff.Role.SeesPeople) }

// seesPeopleHere tells of who sees the people of the event of the path.
func (v *visit) seesPeopleHere() bool { return v.role.SeesPeople() }

// personAt is the page of somebody at the event of the path, "" for who sees none.
func (v *visit) personAt(id string) string {
	if !v.seesPeopleHere() {
		return ""
	}
	return v.at("/speakers/" + id)
}

// exportable are the people of it whose addresses may leave in a file: those of events that this person organizes.
func (v *visit) exportable() *models.Directory {
	return v.directoryAs(func(r staff.Role) bool { return r.Covers(staff.Organizer) })
}

// directoryAs is the directory of the events at which this person has such a role.
func (v *visit) directoryAs(such func(staff.Role) bool) *models.Directory {
	d, everywhere := v.store.Directory(v.user.OrganizationID, v.by()), v.user.RoleAt("")
	switch {
	case everywhere.Covers(staff.Organizer):
		return d
	case everywhere != "" && such(everywhere):
		return d.AsViewer()
	}
	var events, organized []string
	for _, id := range slices.Sorted(maps.Keys(v.user.Roles)) {
		if such(v.user.Roles[id]) {
			events = append(events, id)
		}
		if v.user.Roles[id].Covers(staff.Organizer) {
			organized = append(organized, id)
		}
	}
	if d = d.Within(events); len(organized) == len(events) {
		return d
	}
	return d.AsViewer(organized...)
}

// seesPeople tells of who sees the people of an event, or of all.
func (v *visit) seesPeople() bool {
	return v.holds(staff.Role.SeesPeople) || v.user.RoleAt("") == "" && len(v.user.Roles) == 0 // of whom an empty list tells so
}

// organizes tells of who organizes an event, or all.
func (v *visit) organizes() bool {
	return v.holds(func(r staff.Role) bool { return r.Covers(staff.Organizer) })
}

// holds tells of who has such a role everywhere or at an event.
func (v *visit) holds(such func(staff.Role) bool) bool {
	if everywhere := v.user.RoleAt(""); everywhere != "" {
		return such(everywhere)
	}
	for _, role := range v.user.Roles {
		if such(role) {
			return true
		}
	}
	return false
}
