package people

import (
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/staff"
	"lectern/views/components"
	pages "lectern/views/pages/people"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// appearances groups a person's sessions by event: this one first, then the latest. It sorts events in that order.
func appearances(v *visit.Visit, found []*models.Appearance, events []*models.Event) (out []pages.PersonEvent) {
	slices.SortStableFunc(events, func(a, b *models.Event) int {
		switch {
		case v.Event != nil && a.ID == v.Event.ID:
			return -1
		case v.Event != nil && b.ID == v.Event.ID:
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
	return out
}

// letterStates name the states of letters.
var letterStates = map[models.LetterState]string{models.LetterDraft: "Draft", models.LetterSending: "Being sent",
	models.LetterQueued: "Waits to go out", models.LetterSent: "Sent", models.LetterTold: "Told by other means",
	models.LetterFailed: "Did not arrive", models.LetterUnknown: "May have arrived"}

// lettersOf returns the letters about decisions on a person's submissions, in the order of events.
func lettersOf(found []*models.Appearance, events []*models.Event) (out []pages.PersonLetter) {
	for _, e := range events {
		for _, a := range found {
			if a.EventID != e.ID || !a.IsAbstract || a.Letter == "" {
				continue
			}
			out = append(out, pages.PersonLetter{Title: a.Title, URL: "/admin/events/" + e.ID + "/sessions/" + a.SessionID,
				Decision: string(a.Status), State: letterStates[a.Letter], When: page.When(a.LetterAt, e.Location())})
		}
	}
	return out
}

// lettersTo returns a person's letters: those about decisions, then free ones.
func (r *roster) lettersTo(id string, found []*models.Appearance, events []*models.Event, ids []string) ([]pages.PersonLetter, error) {
	free, err := r.directory.FreeLetters(r.UserContext(), id, ids)
	return append(lettersOf(found, events), freeLettersOf(r.Visit, free, events)...), err
}

// freeLettersOf returns the letters of mailings to a person, with links for users who may read them.
func freeLettersOf(v *visit.Visit, found []*models.Letter, events []*models.Event) (out []pages.PersonLetter) {
	for _, l := range found {
		at := slices.IndexFunc(events, func(e *models.Event) bool { return e.ID == *l.EventID })
		if at < 0 {
			continue
		}
		letter := pages.PersonLetter{Title: l.Subject, State: letterStates[l.State], When: page.When(l.SentAt, events[at].Location())}
		if v.User.RoleAt(*l.EventID).Covers(staff.Organizer) {
			letter.URL = "/admin/events/" + *l.EventID + "/letters/" + l.ID
		}
		out = append(out, letter)
	}
	return out
}

// personWrite says where a letter to a person can be begun: at the page's event, or at one to choose.
func (r *roster) personWrite(p *pages.PersonPage) error {
	if r.Event != nil {
		if r.Visit.May(staff.Organizer) {
			p.Write, p.Place = r.base+"/write", p.Base
		}
		return nil
	}
	events, err := mayWriteFor(r.Visit)
	if err == nil && len(events) > 0 {
		p.Write, p.WriteFor = r.base+"/write", eventChoices(r.Visit, events)
	}
	return err
}

// firstOf returns the name of the earliest event at which a person has a session.
func firstOf(found []*models.Appearance, events []*models.Event) (name string) {
	earliest := ""
	for _, e := range events {
		at := startOf(e)
		is := slices.ContainsFunc(found, func(a *models.Appearance) bool { return a.EventID == e.ID })
		if is && (name == "" || at != "" && at < earliest) {
			name, earliest = e.Name, at
		}
	}
	return name
}

// startOf returns an event's first day, "" for none.
func startOf(e *models.Event) string {
	return visit.ValueOr(e.StartsOn, "")
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
