// Package invite invites people to the staff: it reads a pasted list of addresses, and tells what became of each.
// Owners invite on the page of staff and for a review round.
package invite

import (
	"cmp"
	"strings"

	"lectern/models"
	"lectern/models/staff"
	"lectern/views/components"
)

// ReviewerAt returns an invitation to review the submissions of one event.
func ReviewerAt(eventID string) staff.Invitation {
	return staff.Invitation{Role: staff.Viewer,
		Roles: map[string]staff.Role{eventID: staff.Reviewer}} // Viewer does not count, since Everywhere is false
}

// RoleWords says what somebody may do where; events are those that may be named.
func RoleWords(
	role staff.Role, everywhere bool, roles map[string]staff.Role, events []*models.Event,
) []string {
	switch {
	case role == staff.Owner:
		return []string{"Owner"}
	case everywhere:
		return []string{components.StatusName(string(role)) + " at every event"}
	}
	var words []string
	for _, e := range events {
		if role := roles[e.ID]; role != "" {
			words = append(words, components.StatusName(string(role))+" at "+e.Name)
		}
	}
	return words
}

// Letter returns the text of an invitation; name may be "".
func Letter(i *staff.Invitation, name, link string) string {
	return strings.TrimSpace("Hello "+name) + ",\n\n" + cmp.Or(i.InvitedBy, "An owner") +
		" invites you to work on the programme of " +
		i.OrganizationName + " in Lectern.\n\n" +
		"Open this link, and choose your name and password:\n\n" + link + "\n\n" +
		"It is good for seven days and works once. If you did not expect this letter, you need not do anything.\n"
}
