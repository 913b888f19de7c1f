package site

import (
	"cmp"
	"strconv"
	"time"

	"lectern/models/frab"
	"lectern/models/look"
	"lectern/models/site"
	"lectern/models/store"
)

func (s *handlers) scheduleXML(a *site.Agenda, l *look.Look) ([]byte, error) {
	return s.schedule(a, l).XML(), nil
}

func (s *handlers) scheduleJSON(a *site.Agenda, l *look.Look) ([]byte, error) {
	return s.schedule(a, l).JSON()
}

// names are the names of rooms, tracks and levels, by id.
type names map[string]string

func namesOf(a *site.Agenda) names {
	out := names{}
	for _, room := range a.Rooms {
		out[room.ID] = room.Name
	}
	for _, track := range a.Tracks {
		out[track.ID] = track.Name
	}
	for _, level := range a.Levels {
		out[level.ID] = level.Name
	}
	return out
}

// of returns the name of a row, "" for nil.
func (n names) of(id *string) string {
	if id == nil {
		return ""
	}
	return n[*id]
}

// schedule returns an agenda in the format of frab's conference schedules.
func (s *handlers) schedule(a *site.Agenda, l *look.Look) *frab.Schedule {
	zone, names := zoneOf(a), namesOf(a)
	out := &frab.Schedule{Title: a.Name, Acronym: a.Slug, Version: a.Changed().String(), URL: s.BaseURL, Zone: zone}
	seen, placed := map[string]bool{}, placedIn(a)
	for _, room := range a.Rooms { // the first of several rooms of one name stands for all
		if placed[room.ID] && !seen[room.Name] {
			seen[room.Name] = true
			out.Rooms = append(out.Rooms, frab.Room{Name: room.Name, GUID: room.ID, Capacity: room.Capacity})
		}
	}
	for _, track := range a.Tracks {
		if placed[track.ID] {
			out.Tracks = append(out.Tracks, frab.Track{Name: track.Name, Color: track.Color})
		}
	}
	for i := range a.Sessions {
		x := a.Sessions[i]
		event := frab.Event{ID: strconv.Itoa(x.Number), GUID: x.ID, Title: x.Title, Abstract: x.Description, Type: x.Format,
			Track: names.of(x.TrackID), Room: names.of(x.RoomID), URL: s.address(a, sessionAt(x)),
			Plenary: x.IsPlenary, Start: x.StartsAt.Time, End: ends(&x.Entry)}
		for _, person := range x.People {
			event.Persons = append(event.Persons, s.onSchedule(a, l, person))
		}
		for i := range x.Materials {
			if m := &x.Materials[i]; m.URL != "" {
				event.Links = append(event.Links, frab.Link{Title: m.Title, URL: m.URL})
			} else {
				event.Attachments = append(event.Attachments, frab.Link{Title: m.Title, URL: s.address(a, materialAt(m))})
			}
		}
		out.Events = append(out.Events, event)
	}
	for _, b := range a.Breaks {
		out.Breaks = append(out.Breaks, frab.Break{Key: b.ID, Kind: string(b.Kind), Title: b.Title, Room: names.of(b.RoomID),
			AllRooms: b.RoomID == nil || b.IsPlenary, Start: b.StartsAt.Time, End: b.EndsAt.Time})
	}
	out.Start, out.End = days(a, zone)
	return out
}

// onSchedule returns a person as a schedule lists them.
func (s *handlers) onSchedule(a *site.Agenda, l *look.Look, on site.Speaker) frab.Person {
	person := frab.Person{GUID: on.ID, Name: on.Name, Role: string(on.Role), Biography: on.About, JobTitle: on.JobTitle,
		Company: on.Company}
	if l.Has(look.Speakers) {
		person.URL = s.address(a, personAt(on.Person))
	}
	if on.Photo != "" {
		person.Avatar = s.BaseURL + on.Photo
	}
	return person
}

// placedIn returns the ids of rooms and tracks that have something with a time.
func placedIn(a *site.Agenda) map[string]bool {
	placed := map[string]bool{}
	note := func(id *string) {
		if id != nil {
			placed[*id] = true
		}
	}
	for _, s := range a.Sessions {
		note(s.RoomID)
		note(s.TrackID)
	}
	for _, b := range a.Breaks {
		note(b.RoomID)
	}
	return placed
}

// address returns the absolute address of a page of an event.
func (s *handlers) address(a *site.Agenda, path string) string {
	return s.BaseURL + "/events/" + a.Slug + "/" + path
}

// ends returns when a session ends; one without an end ends as it begins.
func ends(e *site.Entry) time.Time {
	if e.EndsAt == nil {
		return e.StartsAt.Time
	}
	return e.EndsAt.Time
}

func zoneOf(a *site.Agenda) *time.Location {
	zone, err := time.LoadLocation(a.Timezone)
	if err != nil {
		return time.UTC // models refuse unknown zones, so this cannot fail
	}
	return zone
}

// days returns the first and the last day of the event, else those on which something begins.
func days(a *site.Agenda, zone *time.Location) (first, last string) {
	if a.StartsOn != "" {
		return a.StartsOn, cmp.Or(a.EndsOn, a.StartsOn)
	}
	note := func(at store.Time) {
		day := at.In(zone).Format(time.DateOnly)
		if first == "" || day < first {
			first = day
		}
		last = max(last, day)
	}
	for _, s := range a.Sessions {
		note(s.StartsAt)
	}
	for _, b := range a.Breaks {
		note(b.StartsAt)
	}
	return first, last
}
