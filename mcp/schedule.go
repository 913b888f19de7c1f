package mcp

import (
	"context"
	"fmt"
	"time"
)

// scheduleRow is a programme session in the schedule.
type scheduleRow struct {
	ID          string   `json:"id"`
	Title       string   `json:"title"`
	StartsAt    *string  `json:"starts_at"`
	EndsAt      *string  `json:"ends_at,omitempty"`
	Unscheduled bool     `json:"unscheduled,omitempty"`
	Room        *named   `json:"room"`
	Track       *named   `json:"track"`
	Speakers    []string `json:"speakers,omitempty"`
}

type schedule struct {
	Timezone string `json:"timezone"`
	Note     string `json:"note,omitempty"`
	list[scheduleRow]
}

// upstream is how many rows the schedule looks at for a day, and the most it asks for.
const upstream = 100

func getSchedule(ctx context.Context, c *call, a *arguments) (any, error) {
	day, limit := a.day("day"), a.number("limit", 50, 100)
	body := search{
		Page: 1, PageSize: limit, Filters: map[string]any{"is_abstract": false},
		Sort: map[string]string{"order": "startsAt", "sort": "asc"},
	}
	if day != "" {
		body.PageSize = upstream
	}
	if track := a.text("track"); track != "" {
		body.Filters["track"] = track
	}
	path, err := c.in(ctx, a, "/sessions/search")
	if err != nil {
		return nil, err
	}
	var page list[session]
	if err := c.post(ctx, "read:sessions", path, body, &page); err != nil {
		return nil, err
	}
	out := &schedule{list: list[scheduleRow]{Results: []scheduleRow{}, Pagination: page.Pagination}}
	zone := c.zone(ctx, out)
	found := 0
	for _, s := range page.Results {
		starts, ends := local(s.StartsAt, zone), local(s.EndsAt, zone)
		if day != "" && (starts == nil || (*starts)[:len(day)] != day) {
			continue
		}
		if found++; found > limit {
			continue
		}
		row := scheduleRow{ID: s.ID, Title: s.Title, StartsAt: starts, EndsAt: ends, Unscheduled: starts == nil,
			Room: s.Room, Track: s.Track}
		for _, p := range s.Participants {
			row.Speakers = append(row.Speakers, p.Name)
		}
		out.Results = append(out.Results, row)
	}
	out.sayWhatIsMissing(day, limit, found)
	return out, nil
}

// sayWhatIsMissing notes which sessions are not among the results, of a day or of
// all, and what to do about it; found are those of the day that were looked at.
func (s *schedule) sayWhatIsMissing(day string, limit, found int) {
	total := s.Pagination.TotalResults
	if day == "" && total > len(s.Results) {
		s.say(fmt.Sprintf("These are the first %d of %d sessions. Raise limit (at most 100), or set day or track.",
			len(s.Results), total))
	}
	if day != "" && total > upstream {
		s.say(fmt.Sprintf("Only the first %d of %d sessions in order of start were looked at, "+
			"so sessions of this day may be missing. Narrow by track.", upstream, total))
	}
	if found > limit {
		s.say(fmt.Sprintf("These are the first %d of %d sessions found on this day. Raise limit (at most 100).",
			limit, found))
	}
}

func (s *schedule) say(note string) {
	if s.Note != "" {
		s.Note += " "
	}
	s.Note += note
}

// zone is the time zone of the event, or UTC with a note for a key that may not read it.
func (c *call) zone(ctx context.Context, out *schedule) *time.Location {
	event, err := c.theEvent(ctx)
	if err == nil {
		var zone *time.Location
		if zone, err = time.LoadLocation(event.Timezone); err == nil {
			out.Timezone = event.Timezone
			return zone
		}
	}
	out.Timezone = "UTC"
	out.say("Times and days are in UTC: the event's time zone needs a key with the scope read:events.")
	return time.UTC
}

// local is a timestamp in zone.
func local(timestamp *string, zone *time.Location) *string {
	if timestamp == nil {
		return nil
	}
	t, err := time.Parse(time.RFC3339, *timestamp)
	if err != nil {
		return timestamp
	}
	return new(t.In(zone).Format(time.RFC3339))
}
