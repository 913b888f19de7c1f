package mcp

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// scheduleRow is a programme session in the schedule. A page of 25 must stay below 3,000 tokens, so the zone of its
// times is given once for all rows, and an end on the day of the start is only a time of day.
type scheduleRow struct {
	ID          string   `json:"id"`
	FriendlyID  string   `json:"friendly_id"`
	Title       string   `json:"title"`
	Status      string   `json:"status"`
	StartsAt    *string  `json:"starts_at"`
	EndsAt      *string  `json:"ends_at,omitempty"`
	Unscheduled bool     `json:"unscheduled,omitempty"`
	Room        *string  `json:"room"`
	Track       *string  `json:"track"`
	Speakers    []string `json:"speakers,omitempty"`
	UpdatedAt   string   `json:"updated_at"`
}

func (s *session) scheduled(zone *time.Location) scheduleRow {
	ends := wall(s.EndsAt, zone)
	if ends != nil && date(s.StartsAt, zone) == date(s.EndsAt, zone) {
		ends = new(clock(s.EndsAt, zone))
	}
	return scheduleRow{s.ID, s.FriendlyID, s.Title, s.Status, wall(s.StartsAt, zone), ends, s.StartsAt == nil, s.RoomName,
		s.TrackName, s.Speakers, s.UpdatedAt}
}

// foundRow is a programme session in a search. It has its label in place of an id of 24 tokens, and the zone of its
// times is given once for all rows.
type foundRow struct {
	FriendlyID string   `json:"friendly_id"`
	Title      string   `json:"title"`
	Status     string   `json:"status"`
	IsPublic   bool     `json:"is_public"`
	HeldBy     []string `json:"held_by,omitempty"` // explained in the note; if asked for
	StartsAt   *string  `json:"starts_at"`
	EndsAt     *string  `json:"ends_at,omitempty"`
	Room       *string  `json:"room"`
	Track      *string  `json:"track"`
	Speakers   []string `json:"speakers,omitempty"`
	Conflicts  []string `json:"conflicts,omitempty"` // the people and sessions in conflict, if the search is for conflicts
	UpdatedAt  string   `json:"updated_at"`
}

func (s *session) found(zone *time.Location) foundRow {
	return foundRow{s.FriendlyID, s.Title, s.Status, s.IsPublic, s.holds(), wall(s.StartsAt, zone), wall(s.EndsAt, zone),
		s.RoomName, s.TrackName, s.Speakers, nil, s.UpdatedAt}
}

type schedule[T any] struct {
	Timezone string `json:"timezone"`
	list[T]
}

// upstream is how many rows the schedule reads for a day, which is the most the REST API answers.
const upstream = 100

// scheduleFields are the fields that rows of programme sessions are made from.
var scheduleFields = []string{"id", "friendly_id", "title", "status", "is_public", "starts_at", "ends_at",
	"room_name", "track_name", "participant_names", "participant_ids", "composition_status", "updated_at"}

// byStart returns the search for programme sessions in order of start.
func byStart(page, size int) search {
	return search{Page: page, PageSize: size, Filters: map[string]any{"is_abstract": false}, Fields: scheduleFields,
		Sort: map[string]string{"order": "startsAt", "sort": "asc"}}
}

func getSchedule(ctx context.Context, c *call, a *arguments) (any, error) {
	day, limit := a.day("day"), a.number("limit", 50, 100)
	body := byStart(1, limit)
	if day != "" {
		body.PageSize = upstream
	}
	body.narrow("track", a.text("track"))
	page, err := c.sessions(ctx, a, body)
	if err != nil {
		return nil, err
	}
	zone, note := c.zone(ctx)
	out := &schedule[scheduleRow]{zone.String(), list[scheduleRow]{note, []scheduleRow{}, page.Pagination}}
	found := 0
	for _, s := range page.Results {
		row := s.scheduled(zone)
		if day != "" && date(s.StartsAt, zone) != day {
			continue
		}
		if found++; found <= limit {
			out.Results = append(out.Results, row)
		}
	}
	sayWhatIsMissing(&out.list, day, limit, found)
	if total := page.Pagination.TotalResults; found == 0 && total <= upstream {
		out.say(c.nothingNote(ctx, a, sessionRows, day))
	} else if found == 0 { // there may be some among the sessions not read
		out.say(c.noSessionOn(ctx, a, day))
	}
	out.say(a.blank())
	return out, nil
}

// sayWhatIsMissing notes which sessions are not among the results, of a day or of all, and what to do about it; found
// is how many of the day were read.
func sayWhatIsMissing(s *list[scheduleRow], day string, limit, found int) {
	total := s.Pagination.TotalResults
	if day == "" && total > len(s.Results) {
		s.say(fmt.Sprintf("These are the first %d of %d sessions. search_schedule reaches all, page by page.",
			len(s.Results), total))
	}
	if day != "" && total > upstream {
		s.say(fmt.Sprintf("Only the first %d of %d sessions in order of start were looked at, "+
			"so sessions of this day may be missing. search_schedule with day finds all of them.", upstream, total))
	}
	if found > limit {
		s.say(fmt.Sprintf("These are the first %d of %d sessions found on this day. Raise limit (at most 100).",
			limit, found))
	}
	if day != "" && found != total {
		s.say("The pagination counts the sessions of all days.")
	}
}

// labelForm matches a label, which a search without an order finds first.
var labelForm = regexp.MustCompile(`^[AaSs]-[0-9]+$`)

// searchFilters are the arguments that searches pass on unchanged; those that name a row of metadata also take noRow.
var searchFilters = []string{"text", "track", "room", "format", "level", "tag", "speaker"}

// noRow is the name of having no track and the like, in counts and in filters.
const noRow = "(none)"

// The values of needs: what staff have to do about sessions, and about submissions.
var (
	sessionNeeds    = append(slices.Clone(conflictNeeds), "seats", "dropped", "place", "people")
	submissionNeeds = []string{"session", "letter", "people"}
	conflictNeeds   = []string{"room", "person", "away", "plenary"} // for which rows show more
)

// common adds the filters that both lists have; needs are the values that this list allows.
func (c *call) common(ctx context.Context, a *arguments, body *search, needs []string) {
	without := []string{}
	for _, name := range searchFilters {
		if value := a.text(name); strings.EqualFold(value, noRow) && listHints[name+"s"] != "" {
			without = append(without, name)
		} else {
			body.narrow(name, value)
		}
	}
	if len(without) > 0 {
		body.Filters["without"] = without
	}
	body.narrow("needs", a.oneOf("needs", needs))
	if statuses := a.statuses("status"); len(statuses) > 0 {
		body.Filters["status"] = statuses
	}
	if since := c.moment(ctx, a, "updated_since"); since != nil {
		body.Filters["updated_at"] = map[string]any{"after": timestamp(since)}
	}
}

func searchSchedule(ctx context.Context, c *call, a *arguments) (any, error) {
	body := byStart(a.number("page", 1, 999), a.number("limit", 25, 100))
	c.common(ctx, a, &body, sessionNeeds)
	if labelForm.MatchString(a.text("text")) {
		body.Sort = nil
	}
	day := a.day("day")
	body.narrow("day", day)
	for _, name := range []string{"scheduled", "is_public"} {
		if v := a.flag(name); v != nil {
			body.Filters[name] = *v
		}
	}
	if body.Filters["is_public"] == false {
		body.Fields = append(slices.Clip(body.Fields), "publish_gate")
	}
	at := c.moment(ctx, a, "at")
	if at != nil {
		body.Filters["at"] = timestamp(at)
		day = cmp.Or(day, c.dayOf(ctx, at))
	}
	if by := a.oneOf("count_by", groups); by != "" {
		return c.counted(ctx, a, by, body.Filters, sessionRows, day)
	}
	page, err := c.sessions(ctx, a, body)
	if err != nil {
		return nil, err
	}
	zone, note := c.zone(ctx)
	out := &schedule[foundRow]{zone.String(), list[foundRow]{note, make([]foundRow, len(page.Results)), page.Pagination}}
	for i, s := range page.Results {
		out.Results[i] = s.found(zone)
	}
	out.sayHolds(page.Results)
	c.sayParties(ctx, a, &out.list)
	out.sayNamesakes(a, page.Results, "Pass an id as speaker for one of them alone.", "speaker", "text")
	if out.sayMore(); page.Pagination.TotalResults == 0 {
		out.say(c.nothingNote(ctx, a, sessionRows, day))
	}
	out.say(c.nextThere(ctx, a, at))
	out.say(c.inNoSession(ctx, a, body))
	out.say(a.blank())
	return out, nil
}

// inNoSession says, for a search for accepted sessions without a place, how many matching accepted submissions are not
// composed into a session yet; "" for none.
func (c *call) inNoSession(ctx context.Context, a *arguments, of search) string {
	statuses := a.statuses("status")
	if of.Filters["scheduled"] != false && of.Filters["needs"] != "place" ||
		len(statuses) > 0 && !slices.Contains(statuses, "accepted") {
		return ""
	}
	for _, name := range []string{"day", "at", "room", "is_public", "updated_at"} { // filters that submissions lack
		if _, given := of.Filters[name]; given {
			return ""
		}
	}
	body := search{Page: 1, PageSize: 1, Filters: map[string]any{"is_abstract": true, "needs": "session"},
		Fields: []string{"friendly_id"}}
	for _, name := range []string{"track", "format", "level", "tag", "text", "speaker", "without"} {
		if value, given := of.Filters[name]; given {
			body.Filters[name] = value
		}
	}
	page, err := c.sessions(ctx, a, body)
	switch n := page.Pagination.TotalResults; {
	case err != nil || n == 0:
		return ""
	case n == 1:
		return "Besides, an accepted submission is in no session yet: list_submissions with needs session tells it."
	default:
		return fmt.Sprintf("Besides, %d accepted submissions are in no session yet: list_submissions with needs session tells "+
			"them.", n)
	}
}

// nextThere says what is next in the given room, later on the day of a moment; "" without a room.
func (c *call) nextThere(ctx context.Context, a *arguments, at *time.Time) string {
	room := a.text("room")
	if at == nil || room == "" || strings.EqualFold(room, noRow) {
		return ""
	}
	body := byStart(1, upstream)
	body.Fields = []string{"friendly_id", "starts_at", "status"}
	body.narrow("room", room)
	body.narrow("day", c.dayOf(ctx, at))
	page, err := c.sessions(ctx, a, body)
	if err != nil {
		return ""
	}
	for _, s := range page.Results {
		if starts, err := time.Parse(time.RFC3339, *s.StartsAt); err == nil && starts.After(*at) &&
			!slices.Contains(placeless, s.Status) {
			zone, _ := c.zone(ctx)
			return "Next there: " + s.FriendlyID + " at " + clock(s.StartsAt, zone) + "."
		}
	}
	return "Nothing starts there later that day."
}
