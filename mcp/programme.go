package mcp

import (
	"context"
	"strings"
)

func listEvents(ctx context.Context, c *call, _ *arguments) (any, error) {
	var page list[eventRow]
	return &page, c.get(ctx, readEvents, "/v1/events", &page)
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
	path, err := c.in(ctx, a, "/sessions/count")
	if err != nil {
		return nil, err
	}
	var out counts
	err = c.post(ctx, readSessions, path, map[string]any{"by": by, "filters": filters}, &out)
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
	path, err := c.in(ctx, a, "/sessions/search")
	if err == nil {
		err = c.post(ctx, readSessions, path, body, &page)
	}
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
