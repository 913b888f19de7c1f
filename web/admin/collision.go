package admin

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages"
	"lectern/web/admin/visit"
)

// collisions are what a session collides with, in sentences that lead there.
func collisions(v *visit.Visit, s *models.Session) (said []components.Linked, err error) {
	conflicts, err := v.Programme.Conflicts(v.UserContext(), s)
	for _, c := range conflicts[s.ID] {
		said = append(said, saysConflict(v, c))
	}
	return said, err
}

// saysConflict is what collides with the session that sees it, in full: "Li Na is also in S-12 “Queues that forget
// nothing”, 09:40 to 10:10, while this is 09:50 to 10:20."
func saysConflict(v *visit.Visit, c models.Conflict) components.Linked {
	zone := v.Event.Location()
	switch c.Need {
	case models.NeedsPresence:
		return components.Linked{Label: c.Name, URL: v.PersonAt(c.ID),
			After: awayWords(c, zone) + ", while this is " + newTimes(zone, c.Of.StartsAt, c.Of.EndsAt).span(c.Of) + "."}
	case models.NeedsSeats:
		return components.Linked{Label: c.Name, URL: v.At("/metadata/rooms/" + c.ID),
			After: " holds " + visit.Number(int64(c.Seats)) + ", while this expects " + visit.Number(int64(*c.Of.Capacity)) +
				"."}
	case models.NeedsPlenary:
		return saysPlenary(v, c)
	}
	verb := " also has "
	if c.Need == models.NeedsPerson {
		verb = " is also in "
	}
	times := newTimes(zone, c.Of.StartsAt, c.Of.EndsAt, c.With.StartsAt, c.With.EndsAt)
	this, other := times.span(c.Of), times.span(c.With)
	after := ", " + other + ", while this is " + this + "."
	if this == other {
		after = " at the same time, " + this + "."
	}
	return components.Linked{
		Subject: c.Name, Before: verb, Label: c.With.FriendlyID, Name: c.With.Title, URL: v.At("/sessions/" + c.With.ID),
		After: after,
	}
}

// saysPlenary is what stands beside something that has nothing beside it: "Opening" is plenary, "Lunch" is a break.
func saysPlenary(v *visit.Visit, c models.Conflict) components.Linked {
	zone := v.Event.Location()
	if c.Break != nil {
		return components.Linked{Subject: "Nothing is beside", Before: " ", Label: "“" + visit.Cut(c.Name) + "”",
			URL: v.At("/agenda/breaks/" + c.ID), After: ", " + newTimes(zone, &c.Break.StartsAt,
				&c.Break.EndsAt).between(c.Break.StartsAt, c.Break.EndsAt) + "."}
	}
	said := components.Linked{Subject: "Nothing may be beside this", Before: ", but there is ", Label: c.With.FriendlyID,
		Name: c.With.Title, URL: v.At("/sessions/" + c.With.ID),
		After: ", " + newTimes(zone, c.With.StartsAt, c.With.EndsAt).span(c.With) + "."}
	if !c.Of.IsPlenary {
		said.Subject, said.Before = "Nothing may be beside", " "
	}
	return said
}

// conflictLine is a conflict of the whole agenda: "Li Na is in two rooms, 09:50 to 10:10", "Rope Loft holds 40, S-8
// expects 90", "Lamp Room has two sessions, 11:40 to 11:50", "Li Na is away until 12:00, S-8 begins at 11:30".
func conflictLine(c models.Conflict, zone *time.Location) string {
	during := ""
	if c.From.Before(c.Until.Time) {
		during = ", " + newTimes(zone, &c.From, &c.Until).between(c.From, c.Until)
	} else {
		during = " at " + newTimes(zone, &c.From).between(c.From, c.From)
	}
	switch c.Need {
	case models.NeedsPresence:
		return c.Name + awayWords(c, zone) + ", " + c.Of.FriendlyID + " is " +
			newTimes(zone, c.Of.StartsAt, c.Of.EndsAt).span(c.Of)
	case models.NeedsSeats:
		return c.Name + " holds " + visit.Number(int64(c.Seats)) + ", " + c.Of.FriendlyID + " expects " +
			visit.Number(int64(*c.Of.Capacity))
	case models.NeedsPerson:
		return c.Name + " is in two " + placesOf(c) + during
	case models.NeedsPlenary:
		alone, beside := c.Name, c.Of
		if c.With != nil && c.Of.IsPlenary {
			alone, beside = c.Of.Title, c.With
		}
		return "Nothing may be beside “" + visit.Cut(alone) + "”, and " + beside.FriendlyID + " is" + during
	}
	return c.Name + " has two sessions" + during
}

// conflictOnCard is a conflict on the card of the session that sees it: "Li Na is also in Signal Tower", "90 expected,
// the room holds 40", "Overlaps Paper backups", "Li Na is away until 12:00".
func conflictOnCard(c models.Conflict, zone *time.Location) string {
	switch {
	case c.Need == models.NeedsPresence:
		return c.Name + awayWords(c, zone)
	case c.Need == models.NeedsSeats:
		return visit.Number(int64(*c.Of.Capacity)) + " expected, the room holds " + visit.Number(int64(c.Seats))
	case c.Need == models.NeedsPerson && placesOf(c) == "rooms":
		return c.Name + " is also in " + c.With.Room.Name
	case c.Need == models.NeedsPerson:
		return c.Name + " is also in " + c.With.Title
	case c.Need == models.NeedsPlenary && c.With != nil && c.Of.IsPlenary:
		return "Not alone: " + c.With.Title
	case c.Need == models.NeedsPlenary:
		return "Beside " + c.Name
	}
	return "Overlaps " + c.With.Title
}

// placesOf is what somebody is in two of.
func placesOf(c models.Conflict) string {
	if c.With.Room != nil && c.Of.RoomID != nil && *c.Of.RoomID != c.With.Room.ID {
		return "rooms"
	}
	return "sessions"
}

// awayWords say for how long somebody is away on the day of a conflict.
func awayWords(c models.Conflict, zone *time.Location) string {
	day := c.From.In(zone)
	begins := time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, zone)
	ends := time.Date(day.Year(), day.Month(), day.Day()+1, 0, 0, 0, 0, zone)
	before, after := !c.Away.From.After(begins), !c.Away.Until.Before(ends)
	from, until := c.Away.From.In(zone).Format("15:04"), c.Away.Until.In(zone).Format("15:04")
	switch {
	case before && after:
		return " is away on " + day.Format("Monday 2 January")
	case before:
		return " is away until " + until
	case after:
		return " is away from " + from
	}
	return " is away from " + from + " to " + until
}

// conflicts are what the rows of a list collide with: in few words where the columns show it, or in full, of the one
// kind, where the list is narrowed to that.
func conflicts(v *visit.Visit, columns []pages.Column, need models.Need, rows []*models.Session) (
	short map[string]pages.RowStep, full map[string][]components.Linked, err error) {
	narrowed := slices.Contains(conflictNeeds, need)
	if !narrowed && !shows(columns, "conflicts") {
		return nil, nil, nil
	}
	conflicts, err := v.Programme.Conflicts(v.UserContext(), rows...)
	if err != nil {
		return nil, nil, err
	}
	short, full = map[string]pages.RowStep{}, map[string][]components.Linked{}
	for _, s := range rows {
		for i, c := range conflicts[s.ID] {
			switch {
			case c.Need == need:
				full[s.ID] = append(full[s.ID], saysConflict(v, c))
			case i == 0 && !narrowed:
				short[s.ID] = namesConflict(v, c)
			}
		}
	}
	return short, full, nil
}

// conflictNeeds are the needs that are conflicts.
var conflictNeeds = []models.Need{models.NeedsRoom, models.NeedsPerson, models.NeedsPresence, models.NeedsSeats,
	models.NeedsPlenary}

// namesConflict is what collides, and where it is mended: "Li Na is in two places".
func namesConflict(v *visit.Visit, c models.Conflict) pages.RowStep {
	switch c.Need {
	case models.NeedsPresence:
		return pages.RowStep{Label: c.Name + awayWords(c, v.Event.Location()),
			URL: cmp.Or(v.PersonAt(c.ID), v.At("/sessions/"+c.Of.ID))}
	case models.NeedsSeats:
		return pages.RowStep{Label: c.Name + " holds " + visit.Number(int64(c.Seats)), URL: v.At("/sessions/" + c.Of.ID)}
	}
	if c.Need == models.NeedsPlenary {
		return pages.RowStep{Label: conflictOnCard(c, v.Event.Location()), URL: v.At("/sessions/" + c.Of.ID)}
	}
	text := " is taken twice"
	if c.Need == models.NeedsPerson {
		text = " is in two places"
	}
	return pages.RowStep{Label: c.Name + text, URL: v.At("/sessions/" + c.With.ID)}
}

// warnsNow is what to know of a session that was saved: what it collides with, and who has not been told; was is nil for
// what was not there.
func warnsNow(v *visit.Visit, now, was *models.Session) ([]components.Linked, error) {
	collides, err := collidesNow(v, now, was)
	if err != nil {
		return nil, err
	}
	untold, err := untoldNow(v, now)
	return append(untold, collides...), err
}

// collidesNow are the collisions of a session that was saved, where what it takes, or when, is another than it was
// before; was is nil for what was not there.
func collidesNow(v *visit.Visit, now, was *models.Session) ([]components.Linked, error) {
	slot, takes := now.Slot()
	if !takes {
		return nil, nil
	}
	if was != nil {
		if before, took := was.Slot(); took && before.Same(slot) {
			return nil, nil
		}
	}
	return collisions(v, now)
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
	if s.EndsAt == nil {
		return t.between(*s.StartsAt, *s.StartsAt)
	}
	return t.between(*s.StartsAt, *s.EndsAt)
}

// between is from one moment to another, or the moment where both are the same.
func (t times) between(from, until store.Time) string {
	start := from.In(t.zone).Format(t.layout)
	if from.Equal(until.Time) {
		return start
	}
	return start + " to " + until.In(t.zone).Format(t.layout)
}
