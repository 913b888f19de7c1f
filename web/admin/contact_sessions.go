package admin

import (
	"slices"
	"strings"

	"lectern/models"
	"lectern/views/components"
	"lectern/views/pages"
)

// appearances are the sessions of a person by events: this one first, then the latest.
func (v *visit) appearances(d *models.Directory, contactID string, events []*models.Event) (out []pages.PersonEvent, err error) {
	ids := make([]string, len(events))
	for i, e := range events {
		ids[i] = e.ID
	}
	found, err := d.Appearances(v.ctx(), contactID, ids)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(events, func(a, b *models.Event) int {
		switch {
		case v.event != nil && a.ID == v.event.ID:
			return -1
		case v.event != nil && b.ID == v.event.ID:
			return 1
		}
		return strings.Compare(startOf(b), startOf(a))
	})
	for _, e := range events {
		at := pages.PersonEvent{Name: e.Name, Zone: e.Timezone}
		for _, a := range found {
			if a.EventID == e.ID {
				at.Sessions = append(at.Sessions, personSession(a, e))
			}
		}
		if len(at.Sessions) > 0 {
			out = append(out, at)
		}
	}
	return out, nil
}

// startOf is an event's first day, "" without.
func startOf(e *models.Event) string {
	if e.StartsOn == nil {
		return ""
	}
	return *e.StartsOn
}

func personSession(a *models.Appearance, e *models.Event) pages.PersonSession {
	s := pages.PersonSession{Label: a.FriendlyID, Title: a.Title, Room: a.Room, Public: a.IsPublic,
		URL:  "/admin/events/" + e.ID + "/sessions/" + a.SessionID,
		Role: components.StatusName(string(a.Role)), Status: string(a.Status)}
	switch {
	case a.StartsAt != nil:
		s.When = a.StartsAt.In(e.Location()).Format("Mon 2 Jan, 15:04")
	case a.IsAbstract:
		s.When = "Submission"
	default:
		s.When = "Not placed yet"
	}
	return s
}

// joinWords are the words that are there, with something between them.
func joinWords(between string, words ...string) string {
	return strings.Join(slices.DeleteFunc(words, func(word string) bool { return word == "" }), between)
}
