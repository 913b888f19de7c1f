package agenda

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/store"
)

// toPlace is a session that needs a place.
type toPlace struct {
	*models.Session
	minutes int
	expects int
	people  []string
	track   string
	start   store.Time // its present start; zero for none
}

// placer finds places for one session after the other and remembers what it gave away.
type placer struct {
	rules    *models.PlacingRules
	zone     *time.Location
	rooms    []*models.Metadata
	windows  []models.Span            // the hours of each day
	busy     map[string][]models.Span // by room, with the gap around sessions; united, like the following
	people   map[string][]models.Span // by person, when they are on a session
	away     map[string][]models.Span // by person, when they are away
	tracks   map[string][]models.Span // by track, when a session of it is on
	plenary  []models.Span            // when a plenary session is on
	all      []models.Span            // when any session is on, in any room
	presence map[presence]bool        // of tracks in rooms
}

// presence says that a room has a session of a track on a day; "" stands for any track or any day.
type presence struct{ room, track, day string }

// candidate is a possible place with its cost; the lowest is taken.
type candidate struct {
	room *models.Metadata
	span models.Span
	fit  [4]int // parallel in its track; distance from its track; spare seats; start in minutes
}

func (a *candidate) compare(b *candidate) int { return slices.Compare(a.fit[:], b.fit[:]) }

// inOrderOfNeed sorts sessions so that those hardest to place come first.
func inOrderOfNeed(a, b *toPlace) int {
	return cmp.Or(
		cmp.Compare(boolOf(a.start.IsZero()), boolOf(b.start.IsZero())),
		cmp.Compare(boolOf(a.RoomID == nil), boolOf(b.RoomID == nil)),
		-cmp.Compare(boolOf(a.IsPlenary), boolOf(b.IsPlenary)), -cmp.Compare(a.expects, b.expects), -cmp.Compare(a.minutes,
			b.minutes),
		-cmp.Compare(len(a.people), len(b.people)), cmp.Compare(a.Number, b.Number))
}

func boolOf(is bool) int {
	if is {
		return 1
	}
	return 0
}

// place returns the best place for a session, or the reason why there is none.
func (p *placer) place(s *toPlace) (*candidate, string) {
	rooms, why := p.roomsFor(s)
	if why != "" {
		return nil, why
	}
	var best *candidate
	for _, room := range rooms {
		for _, window := range p.windowsOf(s) {
			if found := p.within(s, room, window); found != nil && (best == nil || found.compare(best) < 0) {
				best = found
			}
		}
	}
	if best == nil {
		return nil, p.whyNowhere(s, rooms)
	}
	p.take(s, best)
	return best, ""
}

// roomsFor returns the rooms that are large enough for a session; only its own if it has one.
func (p *placer) roomsFor(s *toPlace) (rooms []*models.Metadata, why string) {
	if len(p.rooms) == 0 {
		return nil, "there are no rooms"
	}
	for _, room := range p.rooms {
		holds := room.Capacity == nil || *room.Capacity >= s.expects
		switch {
		case s.RoomID != nil && *s.RoomID != room.ID:
		case holds:
			rooms = append(rooms, room)
		case s.RoomID != nil:
			return nil, room.Name + " holds " + strconv.Itoa(*room.Capacity) + ", and " + strconv.Itoa(s.expects) + " are expected"
		}
	}
	if len(rooms) == 0 {
		return nil, "no room holds " + strconv.Itoa(s.expects)
	}
	return rooms, ""
}

// windowsOf returns when a session may take place: at its own start, or within the days.
func (p *placer) windowsOf(s *toPlace) []models.Span {
	if s.start.IsZero() {
		return p.windows
	}
	return []models.Span{s.spanAt(s.start)}
}

func (s *toPlace) spanAt(start store.Time) models.Span {
	return models.Span{From: start, Until: store.At(start.Add(time.Duration(s.minutes) * time.Minute))}
}

// within returns the best place in a room and a window: the first without a session of the same track at that time,
// else the first.
func (p *placer) within(s *toPlace, room *models.Metadata, window models.Span) (best *candidate) {
	busy := append(p.beside(s), p.busy[room.ID])
	for _, id := range s.people {
		busy = append(busy, p.people[id], p.away[id])
	}
	for from := window.From; ; {
		at, found := p.free(s, from, window, busy)
		if !found {
			return best
		}
		span := s.spanAt(at)
		until, parallel := blockedUntil(p.tracks[s.track], span)
		if best == nil || !parallel {
			best = &candidate{room, span, p.fit(s, room, span, parallel)}
		}
		if !parallel {
			return best
		}
		from = stepAt(until, p.rules.StepLength(), p.zone)
	}
}

// beside returns the times that are forbidden in every room: those of plenary sessions, or for a plenary session
// those of all others.
func (p *placer) beside(s *toPlace) [][]models.Span {
	if s.IsPlenary {
		return [][]models.Span{p.plenary, p.all}
	}
	return [][]models.Span{p.plenary}
}

// free returns the first start in a window, not before from, at which the session overlaps nothing busy.
func (p *placer) free(s *toPlace, from store.Time, window models.Span, busy [][]models.Span) (at store.Time,
	found bool) {
	return firstFree(s.spanAt(from), busy, p.rules.StepLength(), p.zone,
		func(span models.Span) bool { return !span.Until.After(window.Until.Time) })
}

// fit is the cost of a place for a session.
func (p *placer) fit(s *toPlace, room *models.Metadata, span models.Span, parallel bool) [4]int {
	far, spare := 0, 0
	if day := p.day(span.From); s.track != "" {
		switch {
		case p.presence[presence{room.ID, s.track, day}]:
		case p.presence[presence{room.ID, s.track, ""}]:
			far = 1
		case !p.presence[presence{room.ID, "", day}]: // which nothing else is in yet
			far = 2
		default:
			far = 3
		}
	}
	if s.expects > 0 {
		spare = store.MaxCapacity
		if room.Capacity != nil {
			spare = *room.Capacity - s.expects
		}
	}
	return [4]int{boolOf(parallel), far, spare, int(span.From.Unix() / 60)}
}

func (p *placer) day(at store.Time) string { return at.In(p.zone).Format(time.DateOnly) }

// take marks a place as taken by a session.
func (p *placer) take(s *toPlace, c *candidate) {
	p.occupy(c.room.ID, s.track, s.people, c.span, s.IsPlenary)
}

// occupy marks a time as taken for a room, a track and people, and for everybody if it is plenary.
func (p *placer) occupy(room, track string, people []string, span models.Span, plenary bool) {
	p.all = models.United(append(p.all, span))
	if plenary {
		p.plenary = models.United(append(p.plenary, span))
	}
	gap := time.Duration(p.rules.Gap) * time.Minute
	if room != "" {
		around := models.Span{From: store.At(span.From.Add(-gap)), Until: store.At(span.Until.Add(gap))}
		p.busy[room] = models.United(append(p.busy[room], around))
		day := p.day(span.From)
		p.presence[presence{room, "", day}] = true
		if track != "" {
			p.presence[presence{room, track, day}], p.presence[presence{room, track, ""}] = true, true
		}
	}
	if track != "" {
		p.tracks[track] = models.United(append(p.tracks[track], span))
	}
	for _, id := range people {
		p.people[id] = models.United(append(p.people[id], span))
	}
}

// whyNowhere explains why a session has no place although some rooms are large enough.
func (p *placer) whyNowhere(s *toPlace, rooms []*models.Metadata) string {
	minutes := strconv.Itoa(s.minutes) + " minutes"
	fits := func(busy ...[]models.Span) bool {
		return slices.ContainsFunc(p.windowsOf(s), func(window models.Span) bool {
			_, found := p.free(s, window.From, window, busy)
			return found
		})
	}
	var away, all [][]models.Span
	for _, id := range s.people {
		away, all = append(away, p.away[id]), append(all, p.away[id], p.people[id])
	}
	switch {
	case !fits():
		return "it takes " + minutes + ", longer than a day from " + p.rules.From + " to " + p.rules.Until
	case !fits(away...):
		return p.whoIsAway(s)
	case !fits(all...):
		return "its people have no free " + minutes + " together"
	case !fits(append(all, p.beside(s)...)...) && s.IsPlenary:
		return "nothing may be beside it, and something is on at all times"
	case slices.ContainsFunc(rooms, func(room *models.Metadata) bool { return fits(p.busy[room.ID]) }):
		return "no room is free for " + minutes + " while its people are"
	case s.RoomID != nil:
		return "its room has no free " + minutes + " left"
	case s.expects > 0:
		return "no room for " + strconv.Itoa(s.expects) + " has free " + minutes + " left"
	}
	return "no room has free " + minutes + " left"
}

// whoIsAway names who is away on all days, or says that all are together.
func (p *placer) whoIsAway(s *toPlace) string {
	var names []string
	for _, person := range s.Participants {
		if !slices.ContainsFunc(p.windowsOf(s), func(window models.Span) bool {
			_, found := p.free(s, window.From, window, [][]models.Span{p.away[person.ContactID]})
			return found
		}) {
			names = append(names, person.FullName)
		}
	}
	when := "on all days"
	if !s.start.IsZero() {
		when = "at its time"
	}
	switch len(names) {
	case 0:
		return "its people are never there together for " + strconv.Itoa(s.minutes) + " minutes"
	case 1:
		return names[0] + " is away " + when
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1] + " are away " + when
}
