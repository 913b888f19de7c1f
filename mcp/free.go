package mcp

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// freeRow is a room with the times at which it is free, such as 10:30–12:00.
type freeRow struct {
	Room     string   `json:"room"`
	Capacity *int     `json:"capacity,omitempty"`
	Free     []string `json:"free"`
}

// freeDay is the answer of find_free_slots.
type freeDay struct {
	Timezone string   `json:"timezone"`
	Day      string   `json:"day"`
	Breaks   []string `json:"breaks"`
	list[freeRow]
}

// freeRooms are the free times of rooms in the REST API's form.
type freeRooms struct {
	From    string     `json:"from"`
	Until   string     `json:"until"`
	Minutes int        `json:"minutes"`
	Breaks  []dayBreak `json:"breaks"`
	Away    []person   `json:"away"`
	Seats   *int       `json:"capacity"`
	list[struct {
		Room struct {
			Name     string `json:"name"`
			Capacity *int   `json:"capacity"`
		} `json:"room"`
		Free []struct {
			From  string `json:"from"`
			Until string `json:"until"`
		} `json:"free"`
	}]
}

type dayBreak struct {
	Kind      string  `json:"kind"`
	Title     string  `json:"title"`
	StartsAt  string  `json:"starts_at"`
	EndsAt    string  `json:"ends_at"`
	IsPlenary bool    `json:"is_plenary"`
	Room      *string `json:"room"`
}

func findFreeSlots(ctx context.Context, c *call, a *arguments) (any, error) {
	day, id := a.needed("day", a.day), a.id("session_id")
	query := url.Values{"day": {day}, "session": {id}, "page": {strconv.Itoa(a.number("page", 1, 999))},
		"pageSize": {"50"}}
	for _, name := range []string{"room", "from", "until"} {
		query.Set(name, a.text(name))
	}
	if minutes := a.number("minutes", 0, maxFree); minutes > 0 {
		query.Set("minutes", strconv.Itoa(minutes))
	}
	var found freeRooms
	if err := c.get(ctx, a, readSessions, "/free?"+query.Encode(), &found); err != nil {
		return nil, c.noPlaceFor(ctx, a, id, err)
	}
	zone, note := c.zone(ctx)
	out := &freeDay{zone.String(), day, []string{}, list[freeRow]{note, []freeRow{}, found.Pagination}}
	var small []string
	if found.isBare() {
		out.say(c.outsideNote(ctx, a, day, 0))
	}
	if note != "" {
		day = "" // the day was counted in the event's zone, which could not be read
	}
	for _, b := range found.Breaks {
		out.Breaks = append(out.Breaks, during(b.StartsAt, b.EndsAt, day, zone)+" "+b.words())
	}
	for _, r := range found.Results {
		row := freeRow{Room: r.Room.Name, Capacity: r.Room.Capacity}
		for _, s := range r.Free {
			row.Free = append(row.Free, during(s.From, s.Until, day, zone))
		}
		if out.Results = append(out.Results, row); row.Capacity != nil && found.Seats != nil && *row.Capacity < *found.Seats {
			small = append(small, row.Room)
		}
	}
	if len(small) > 0 {
		out.say(fmt.Sprintf("%d people are expected; fewer seats than that: %s.", *found.Seats, enumerate(small)))
	}
	out.sayAway(found.Away)
	hours := during(found.From, found.Until, day, zone)
	if found.Pagination.TotalResults > 0 {
		out.say(fmt.Sprintf("Free for at least %d minutes, looked at %s.", found.Minutes, hours))
	} else {
		out.say(fmt.Sprintf("No room is free for %d minutes at %s; ask for fewer minutes, other hours with from and until, or "+
			"another day.", found.Minutes, hours))
	}
	out.sayMore()
	return out, nil
}

// sayAway adds a note on who is away during the day.
func (l *list[T]) sayAway(people []person) {
	names := make([]string, len(people))
	for i, p := range people {
		names[i] = bound(p.Name, shortTitle, "cut")
	}
	verb := " is"
	if len(names) > 1 {
		verb = " are"
	}
	if len(names) > 0 {
		l.say(enumerate(names) + verb + " away for some of that day, which counts as taken. At which hours, organizers alone " +
			"see, in the admin.")
	}
}

// noPlaceFor rewords the error that no place was found if the session is deleted or a submission.
func (c *call) noPlaceFor(ctx context.Context, a *arguments, id string, err error) error {
	var s session
	e, ok := err.(*toolError)
	switch {
	case !ok || e.Status != http.StatusNotFound || id == "" ||
		c.get(ctx, a, readSessions, "/sessions/"+id, &s) != nil:
	case s.DeletedAt != nil:
		return s.isDeleted()
	case s.IsAbstract:
		return s.hasNoPlace()
	}
	return err
}

// isBare reports whether the day seems to be empty: no break, and nothing in any room.
func (f *freeRooms) isBare() bool {
	for _, r := range f.Results {
		if len(r.Free) != 1 || r.Free[0].From != f.From || r.Free[0].Until != f.Until {
			return false
		}
	}
	return len(f.Breaks) == 0
}

// words describes a break, such as: Coffee in all rooms.
func (b *dayBreak) words() string {
	words, where := bound(b.Title, shortTitle, "cut"), "all rooms"
	if b.Kind == "blocker" {
		words += " (blocked)"
	}
	if b.Room != nil {
		where = bound(*b.Room, shortTitle, "cut")
	}
	if words += " in " + where; b.IsPlenary {
		words += "; nothing may be beside it, in any room"
	}
	return words
}

// maxFree is the number of minutes in a day.
const maxFree = 24 * 60

// during returns a time such as 10:30–11:20, limited to a day unless day is "".
func during(from, until, day string, zone *time.Location) string {
	starts, ends := clock(&from, zone), clock(&until, zone)
	if day != "" && date(&from, zone) < day {
		starts = "00:00"
	}
	if day != "" && date(&until, zone) > day {
		ends = "24:00"
	}
	return starts + "–" + ends
}
