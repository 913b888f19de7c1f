// Package warn words what staff should know about a session: its conflicts, and who has not been told of its changes.
package warn

import (
	"time"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/web/admin/visit"
)

// Collisions returns a session's conflicts, as sentences with links.
func Collisions(v *visit.Visit, s *models.Session) ([]components.Linked, error) {
	conflicts, err := v.Programme.Conflicts(v.UserContext(), s)
	return Conflicts(v, conflicts[s.ID]), err
}

// Conflicts words conflicts in full.
func Conflicts(v *visit.Visit, all []models.Conflict) []components.Linked {
	return store.Map(all, func(c models.Conflict) components.Linked { return Conflict(v, c) })
}

// Conflict words a conflict in full, as seen from the session c.Of: "Li Na is also in S-12 “Queues that forget
// nothing”, 09:40 to 10:10, while this is 09:50 to 10:20."
func Conflict(v *visit.Visit, c models.Conflict) components.Linked {
	zone := v.Event.Location()
	switch c.Need {
	case models.NeedsPresence:
		return components.Linked{Label: c.Name, URL: v.PersonAt(c.ID),
			After: Away(c, zone) + ", while this is " + NewTimes(zone, c.Of.StartsAt, c.Of.EndsAt).Span(c.Of) + "."}
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
	times := NewTimes(zone, c.Of.StartsAt, c.Of.EndsAt, c.With.StartsAt, c.With.EndsAt)
	this, other := times.Span(c.Of), times.Span(c.With)
	after := ", " + other + ", while this is " + this + "."
	if this == other {
		after = " at the same time, " + this + "."
	}
	return components.Linked{
		Subject: c.Name, Before: verb, Label: c.With.FriendlyID, Name: c.With.Title, URL: v.At("/sessions/" + c.With.ID),
		After: after,
	}
}

// saysPlenary words a conflict with something plenary: a break, or a session on either side.
func saysPlenary(v *visit.Visit, c models.Conflict) components.Linked {
	zone := v.Event.Location()
	if c.Break != nil {
		return components.Linked{Subject: "Nothing is beside", Before: " ", Label: "“" + visit.Cut(c.Name) + "”",
			URL: v.At("/agenda/breaks/" + c.ID), After: ", " + NewTimes(zone, &c.Break.StartsAt,
				&c.Break.EndsAt).Between(c.Break.StartsAt, c.Break.EndsAt) + "."}
	}
	said := components.Linked{Subject: "Nothing may be beside this", Before: ", but there is ", Label: c.With.FriendlyID,
		Name: c.With.Title, URL: v.At("/sessions/" + c.With.ID),
		After: ", " + NewTimes(zone, c.With.StartsAt, c.With.EndsAt).Span(c.With) + "."}
	if !c.Of.IsPlenary {
		said.Subject, said.Before = "Nothing may be beside", " "
	}
	return said
}

// Line words a conflict in the agenda's list of all: "Li Na is in two rooms, 09:50 to 10:10", "Rope Loft holds 40, S-8
// expects 90", "Lamp Room has two sessions, 11:40 to 11:50", "Li Na is away until 12:00, S-8 begins at 11:30".
func Line(c models.Conflict, zone *time.Location) string {
	during := ""
	if c.From.Before(c.Until.Time) {
		during = ", " + NewTimes(zone, &c.From, &c.Until).Between(c.From, c.Until)
	} else {
		during = " at " + NewTimes(zone, &c.From).Between(c.From, c.From)
	}
	switch c.Need {
	case models.NeedsPresence:
		return c.Name + Away(c, zone) + ", " + c.Of.FriendlyID + " is " +
			NewTimes(zone, c.Of.StartsAt, c.Of.EndsAt).Span(c.Of)
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

// OnCard words a conflict on the card of the session c.Of: "Li Na is also in Signal Tower", "90 expected, the room
// holds 40", "Overlaps Paper backups", "Li Na is away until 12:00".
func OnCard(c models.Conflict, zone *time.Location) string {
	switch {
	case c.Need == models.NeedsPresence:
		return c.Name + Away(c, zone)
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

// placesOf says whether somebody is in two rooms or only in two sessions.
func placesOf(c models.Conflict) string {
	if c.With.Room != nil && c.Of.RoomID != nil && *c.Of.RoomID != c.With.Room.ID {
		return "rooms"
	}
	return "sessions"
}

// Away says how long somebody is away on the day of a conflict.
func Away(c models.Conflict, zone *time.Location) string {
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

// Now returns what to know about a session that was saved: its conflicts, and who has not been told; was is nil for a
// new one.
func Now(v *visit.Visit, now, was *models.Session) ([]components.Linked, error) {
	collides, err := Collides(v, now, was)
	if err != nil {
		return nil, err
	}
	untold, err := UntoldNow(v, now)
	return append(untold, collides...), err
}

// Collides returns the conflicts of a session that was saved, unless its slot is what it was before; was is nil for a
// new one.
func Collides(v *visit.Visit, now, was *models.Session) ([]components.Linked, error) {
	slot, takes := now.Slot()
	if !takes {
		return nil, nil
	}
	if was != nil {
		if before, took := was.Slot(); took && before.Same(slot) {
			return nil, nil
		}
	}
	return Collisions(v, now)
}
