package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// overview is the event's overview in the REST API's form.
type overview struct {
	Name        string     `json:"name"`
	Timezone    string     `json:"timezone"`
	StartsOn    string     `json:"starts_on"`
	EndsOn      string     `json:"ends_on"`
	Submissions kind       `json:"submissions"`
	Sessions    kind       `json:"sessions"`
	Unscheduled int        `json:"unscheduled"`
	Unpublished int        `json:"unpublished"`
	Days        []eventDay `json:"days"`
	Speakers    int        `json:"speakers"`
	Conflicts   int        `json:"conflicts"`
}

// eventDay is a day with the number of sessions that start on it.
type eventDay struct {
	Day      string `json:"day"`
	Sessions int    `json:"sessions"`
}

type kind struct {
	Total    int   `json:"total"`
	ByStatus tally `json:"by_status"`
	ByTrack  tally `json:"by_track"`
}

// count is how many there are under a name; nil stands for those without one.
type count struct {
	Name  *string `json:"name"`
	Count int     `json:"count"`
}

// tally is encoded as one object, in its order, which is a third of the size of the REST API's list.
type tally []count

// MarshalJSON adds up rows of the same name, as searches by it find them all.
func (t tally) MarshalJSON() ([]byte, error) {
	var names []string
	counts := map[string]int{}
	for _, c := range t {
		name := noRow
		if c.Name != nil {
			name = bound(*c.Name, maxCounted, "see list_rooms")
		}
		if _, known := counts[name]; !known {
			names = append(names, name)
		}
		counts[name] += c.Count
	}
	out := bytes.NewBufferString("{")
	for i, name := range names {
		key, err := json.Marshal(name)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out.WriteByte(',')
		}
		fmt.Fprintf(out, "%s:%d", key, counts[name])
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// maxCounted is how many characters of a name appear in a count.
const maxCounted = 60

// some returns the counts that are not zero.
func (t tally) some() tally {
	return slices.DeleteFunc(t, func(c count) bool { return c.Count == 0 })
}

// maxTracks is how many tracks an overview shows, and fewConflicts how many conflicts.
const maxTracks, fewConflicts = 12, 3

// largest returns the most largest counts, in descending order if any are left out.
func (t tally) largest(most int) tally {
	if len(t) <= most {
		return t
	}
	t = slices.Clone(t)
	slices.SortStableFunc(t, func(a, b count) int { return b.Count - a.Count })
	return t[:most]
}

// programme is the part of an overview on the programme.
type programme struct {
	kind
	Unscheduled int `json:"unscheduled"`
	Unpublished int `json:"unpublished"`
}

// eventOverview is the answer of get_event_overview.
type eventOverview struct {
	Name        string    `json:"name"`
	Timezone    string    `json:"timezone"`
	StartsOn    string    `json:"starts_on,omitempty"`
	EndsOn      string    `json:"ends_on,omitempty"`
	Note        string    `json:"note,omitempty"`
	Submissions kind      `json:"submissions"`
	Sessions    programme `json:"sessions"`
	Days        tally     `json:"days"`
	Speakers    int       `json:"speakers"`
	Conflicts   int       `json:"conflicts"`
	First       []string  `json:"first_conflicts,omitempty"`
}

func getEventOverview(ctx context.Context, c *call, a *arguments) (any, error) {
	conflicts := a.number("conflicts", fewConflicts, 100)
	var o overview
	if err := c.get(ctx, a, readSessions, "/overview", &o); err != nil {
		return nil, err
	}
	out := eventOverview{Name: o.Name, Timezone: o.Timezone, StartsOn: o.StartsOn, EndsOn: o.EndsOn, Submissions: o.Submissions.brief(),
		Sessions: programme{o.Sessions.brief(), o.Unscheduled, o.Unpublished}, Days: tally{}, Speakers: o.Speakers,
		Conflicts: o.Conflicts}
	var notes []string
	if len(o.Days) > maxDays {
		notes = append(notes, fmt.Sprintf("days has the first %d of %d.", maxDays, len(o.Days)))
	}
	if most := max(len(o.Submissions.ByTrack), len(o.Sessions.ByTrack)); most > maxTracks {
		notes = append(notes, fmt.Sprintf("by_track has the %d largest; list_submissions and search_schedule tell all with "+
			"count_by track.", maxTracks))
	}
	if o.Conflicts > conflicts {
		notes = append(notes, fmt.Sprintf("The first %d of %d conflicts are told; raise conflicts (at most 100).", conflicts,
			o.Conflicts))
	}
	for _, day := range o.Days[:min(len(o.Days), maxDays)] {
		out.Days = append(out.Days, count{&day.Day, day.Sessions})
	}
	if o.Conflicts > 0 {
		var err error
		out.First, _, err = c.conflicts(ctx, a, fmt.Sprintf("/conflicts?pageSize=%d", conflicts), o.Timezone, true)
		if err != nil {
			notes = append(notes, "Which conflicts there are could not be read now.")
		}
	}
	out.Note = strings.Join(notes, " ")
	return out, nil
}

// brief returns the counts of a kind as an overview shows them.
func (k kind) brief() kind {
	if k.Total == 0 {
		return kind{ByStatus: tally{}, ByTrack: tally{}}
	}
	return kind{k.Total, k.ByStatus.some(), k.ByTrack.largest(maxTracks)}
}

func listEvents(ctx context.Context, c *call, _ *arguments) (any, error) {
	var page list[eventRow]
	return &page, c.ask(ctx, readEvents, http.MethodGet, "/v1/events", nil, &page)
}

// groups are the properties that submissions and sessions can be counted by.
var groups = []string{"status", "track", "level", "format", "room"}

// counts is the answer of a search that counts.
type counts struct {
	By     string `json:"by"`
	Total  int    `json:"total"`
	Note   string `json:"note,omitempty"`
	Counts tally  `json:"counts"`
}

// counted counts what a search would find; of and day, which may be "", are for the note.
func (c *call) counted(ctx context.Context, a *arguments, by string, filters map[string]any, of kindOfRow,
	day string) (any, error) {
	var out counts
	err := c.post(ctx, a, readSessions, "/sessions/count", map[string]any{"by": by, "filters": filters}, &out)
	if err == nil && out.Total == 0 {
		out.Note = c.nothingNote(ctx, a, of, day)
	}
	out.Note = strings.TrimSpace(out.Note + " " + a.blank())
	return &out, err
}

// search is the body of every search.
type search struct {
	Filters  map[string]any    `json:"filters"`
	Sort     map[string]string `json:"sort,omitempty"`
	Page     int               `json:"page"`
	PageSize int               `json:"pageSize"`
	Fields   []string          `json:"fields,omitempty"` // the fields that the tool reads; all if empty
}

// sessions returns a page of the sessions that a search finds in the event of the arguments.
func (c *call) sessions(ctx context.Context, a *arguments, body search) (page list[session], err error) {
	err = c.post(ctx, a, readSessions, "/sessions/search", body, &page)
	return page, err
}

// maxSearch is the maximum length of a search text, in characters.
const maxSearch = 200

// searchable returns a text cut to the length that a search takes.
func searchable(text string) string {
	runes := []rune(text)
	return string(runes[:min(len(runes), maxSearch)])
}

// narrow adds a filter unless its value is "".
func (s *search) narrow(name, value string) {
	if value != "" {
		s.Filters[name] = value
	}
}
