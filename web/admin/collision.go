package admin

import (
	"slices"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages"
)

// collisions are what a session collides with, in sentences that lead there.
func (v *visit) collisions(s *models.Session) (said []components.Linked, err error) {
	meetings, err := v.programme.Meetings(v.ctx(), s)
	for _, m := range meetings[s.ID] {
		said = append(said, v.saysMeeting(s, m))
	}
	return said, err
}

// saysMeeting is what collides, with which session, and both times: "Li Na is also in S-12 “Queues that forget
// nothing”, 09:40 to 10:10, while this is 09:50 to 10:20."
func (v *visit) saysMeeting(s *models.Session, m models.Meeting) components.Linked {
	verb := " also has "
	if m.Need == models.NeedsPerson {
		verb = " is also in "
	}
	times := newTimes(v.event.Location(), s.StartsAt, s.EndsAt, m.With.StartsAt, m.With.EndsAt)
	this, other := times.span(s), times.span(m.With)
	after := ", " + other + ", while this is " + this + "."
	if this == other {
		after = " at the same time, " + this + "."
	}
	return components.Linked{
		Subject: m.Name, Before: verb, Label: m.With.FriendlyID, Name: m.With.Title, URL: v.at("/sessions/" + m.With.ID),
		After: after,
	}
}

// conflicts are what the rows of a list collide with: in few words where the columns show it, or in full, of the one
// kind, where the list is narrowed to that.
func (v *visit) conflicts(columns []pages.Column, need models.Need, rows []*models.Session) (
	short map[string]pages.RowStep, full map[string][]components.Linked, err error) {
	narrowed := need == models.NeedsRoom || need == models.NeedsPerson
	if !narrowed && !shows(columns, "conflicts") {
		return nil, nil, nil
	}
	meetings, err := v.programme.Meetings(v.ctx(), rows...)
	if err != nil {
		return nil, nil, err
	}
	short, full = map[string]pages.RowStep{}, map[string][]components.Linked{}
	for _, s := range rows {
		for i, m := range meetings[s.ID] {
			switch {
			case m.Need == need:
				full[s.ID] = append(full[s.ID], v.saysMeeting(s, m))
			case i == 0 && !narrowed:
				short[s.ID] = v.namesMeeting(m)
			}
		}
	}
	return short, full, nil
}

// namesMeeting is what collides, and where the other one is: "Li Na is in two places".
func (v *visit) namesMeeting(m models.Meeting) pages.RowStep {
	text := " is taken twice"
	if m.Need == models.NeedsPerson {
		text = " is in two places"
	}
	return pages.RowStep{Label: m.Name + text, URL: v.at("/sessions/" + m.With.ID)}
}

// collidesNow are the collisions of a session that was saved, where what it takes, or when, is another than it was
// before; was is nil for what was not there.
func (v *visit) collidesNow(now, was *models.Session) ([]components.Linked, error) {
	slot, takes := now.Slot()
	if !takes {
		return nil, nil
	}
	if was != nil {
		if before, took := was.Slot(); took && before.Same(slot) {
			return nil, nil
		}
	}
	return v.collisions(now)
}

// times say moments as short as what is said together allows.
type times struct {
	zone   *time.Location
	layout string
}

// newTimes are clocks alone where all moments are of one day and one offset; nil ones do not count.
func newTimes(zone *time.Location, moments ...*store.Time) times {
	same := func(layout string) bool {
		said := []string{}
		for _, m := range moments {
			if m != nil {
				said = append(said, m.In(zone).Format(layout))
			}
		}
		return len(slices.Compact(said)) < 2
	}
	var parts []string
	if !same(time.DateOnly) {
		parts = append(parts, "Mon 2 Jan")
	}
	parts = append(parts, "15:04")
	if !same("-0700") {
		parts = append(parts, "MST")
	}
	return times{zone, strings.Join(parts, " ")}
}

// span is from when to when a session is, or when it begins.
func (t times) span(s *models.Session) string {
	start := s.StartsAt.In(t.zone).Format(t.layout)
	if s.EndsAt == nil {
		return start
	}
	return start + " to " + s.EndsAt.In(t.zone).Format(t.layout)
}
