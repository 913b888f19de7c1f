package frab

import (
	"cmp"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
)

const (
	generator = "Lectern"
	timeslot  = "00:05"
)

// day is a date of the schedule to write, with the items that begin on it.
type day struct {
	index      int
	date       string
	start, end time.Time // midnight in the schedule's zone, and the next one
	rooms      []roomDay
}

// roomDay is what takes place in a room on a day.
type roomDay struct {
	Room
	items []written
}

// written is an event to write, or a break in the form of one.
type written struct {
	*Event
	start   time.Time // in the schedule's zone
	slug    string
	mark    string // "" for events that are not plenary
	persons []int  // their numbers
}

// writer writes a schedule.
type writer struct {
	*Schedule
	zone    *time.Location
	days    []day
	numbers map[string]int // of people, by GUID
}

func (s *Schedule) writer() *writer {
	w := &writer{Schedule: s, zone: s.Zone}
	if w.zone == nil {
		w.zone = time.UTC
	}
	var people []string
	for i := range s.Events {
		for _, person := range s.Events[i].Persons {
			people = append(people, person.GUID)
		}
	}
	w.numbers = numbered(people, 1, 1<<31-2, map[int]bool{})
	byDay := map[string]map[string][]written{}
	for _, item := range append(w.events(), w.breaks()...) {
		date := item.start.Format(time.DateOnly)
		if byDay[date] == nil {
			byDay[date] = map[string][]written{}
		}
		byDay[date][item.Room] = append(byDay[date][item.Room], item)
	}
	for _, date := range w.dates(slices.Collect(maps.Keys(byDay))) {
		w.days = append(w.days, w.day(date, byDay[date]))
	}
	return w
}

// dates returns the days on which something begins, in order; if none, the first day of the conference.
func (w *writer) dates(dates []string) []string {
	if len(dates) == 0 && w.Start != "" {
		return []string{w.Start}
	}
	slices.Sort(dates)
	return dates
}

func (w *writer) day(date string, rooms map[string][]written) day {
	d := day{index: len(w.days) + 1, date: date}
	begins, _ := time.Parse(time.DateOnly, date)
	d.start = time.Date(begins.Year(), begins.Month(), begins.Day(), 0, 0, 0, 0, w.zone)
	d.end = time.Date(begins.Year(), begins.Month(), begins.Day()+1, 0, 0, 0, 0, w.zone)
	listed := w.Rooms
	if len(rooms[""]) > 0 {
		listed = append(slices.Clip(listed), Room{})
	}
	for _, room := range listed {
		items := rooms[room.Name]
		slices.SortStableFunc(items, func(a, b written) int { return a.start.Compare(b.start) })
		d.rooms = append(d.rooms, roomDay{room, items})
	}
	return d
}

func (w *writer) events() []written {
	items := make([]written, len(w.Events))
	for i := range w.Events {
		e := &w.Events[i]
		items[i] = written{Event: e, start: e.Start.In(w.zone), slug: w.slug(e.ID, e.Title)}
		if e.Plenary {
			items[i].mark = plenaryMark
		}
		for _, person := range e.Persons {
			items[i].persons = append(items[i].persons, w.numbers[person.GUID])
		}
	}
	return items
}

// Breaks have numbers from firstBreak to lastBreak, above those of events; a slug may have six digits.
const firstBreak, lastBreak = 500_000, 999_999

// breaks returns the breaks as events, one for each room that they are in.
func (w *writer) breaks() []written {
	var items []written
	var guids []string
	add := func(b *Break, room, guid, mark string) {
		e := &Event{GUID: guid, Title: b.Title, Type: b.Kind, Room: room, URL: w.URL, Start: b.Start, End: b.End}
		items, guids = append(items, written{Event: e, start: b.Start.In(w.zone), mark: mark}), append(guids, guid)
	}
	for i := range w.Breaks {
		b := &w.Breaks[i]
		if !b.AllRooms {
			add(b, b.Room, b.Key, b.Kind)
			continue
		}
		rooms := w.Rooms
		if len(rooms) == 0 {
			rooms = []Room{{}}
		}
		for _, room := range rooms {
			own := uuid.NewSHA1(uuid.NameSpaceOID, []byte(b.Key+" "+cmp.Or(room.GUID, room.Name)))
			add(b, room.Name, own.String(), b.Kind+" "+b.Key)
		}
	}
	numbers := numbered(guids, firstBreak, lastBreak, map[int]bool{})
	for _, item := range items {
		item.ID = strconv.Itoa(numbers[item.GUID])
	}
	for i := range items {
		items[i].slug = w.slug(items[i].ID, items[i].Title)
	}
	return items
}

// numbered gives each id a number derived from the id alone, except for collisions.
func numbered(ids []string, first, last int, taken map[int]bool) map[string]int {
	numbers := make(map[string]int, len(ids))
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		n := first + int(crc32.ChecksumIEEE([]byte(id)))%(last-first+1)
		for taken[n] {
			if n++; n > last {
				n = first
			}
		}
		taken[n], numbers[id] = true, n
	}
	return numbers
}

// slug returns an item's slug: acronym, number and title, of letters, digits and hyphens.
func (w *writer) slug(id, title string) string {
	name := strings.Trim(plain(title, '-'), "-")
	if len(name) < 4 {
		name = strings.Trim("session-"+name, "-")
	}
	acronym := strings.ReplaceAll(w.acronym(), "_", "")
	return fmt.Sprintf("%s-%s-%s", acronym+strings.Repeat("x", max(0, 4-len(acronym))), id, name)
}

// plain keeps lower-case letters and digits, and replaces everything between them by one other.
func plain(s string, other byte) string {
	out := make([]byte, 0, len(s))
	for _, r := range strings.ToLower(s) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			out = append(out, byte(r))
		} else if len(out) > 0 && out[len(out)-1] != other {
			out = append(out, other)
		}
	}
	return string(out)
}

// clocked returns a time of day, with seconds if there are any.
func clocked(t time.Time) string {
	if t.Second() != 0 {
		return t.Format(time.TimeOnly)
	}
	return t.Format("15:04")
}

// length returns the length of an event as HH:MM, with seconds if there are any.
func length(e *Event) string {
	d := e.End.Sub(e.Start).Truncate(time.Second)
	text := fmt.Sprintf("%02d:%02d", int(d.Hours()), int(d.Minutes())%60)
	if seconds := int(d.Seconds()) % 60; seconds != 0 {
		text += fmt.Sprintf(":%02d", seconds)
	}
	return text
}

// acronym returns an acronym that the schemas allow.
func (w *writer) acronym() string {
	acronym := plain(w.Acronym, '_')
	return acronym + strings.Repeat("_", max(0, 4-len(acronym)))
}
