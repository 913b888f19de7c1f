package mcp

import (
	"context"
	"strings"
)

func listEvents(ctx context.Context, c *call, _ *arguments) (any, error) {
	var page list[eventRow]
	return &page, c.get(ctx, readEvents, "/v1/events", &page)
}

// groups are what submissions and sessions can be counted by.
var groups = []string{"status", "track", "level", "format", "room"}

// counts are what is told in place of rows.
type counts struct {
	By     string `json:"by"`
	Total  int    `json:"total"`
	Note   string `json:"note,omitempty"`
	Counts tally  `json:"counts"`
}

// counted counts what a search would find, of a kind and on a day, which may be "".
func (c *call) counted(ctx context.Context, a *arguments, by string, filters map[string]any, of kindOfRow,
	day string) (any, error) {
	path, err := c.in(ctx, a, "/sessions/count")
	if err != nil {
		return nil, err
	}
	var out counts
	err = c.post(ctx, readSessions, path, map[string]any{"by": by, "filters": filters}, &out)
	if err == nil && out.Total == 0 {
		out.Note = c.nothing(ctx, a, of, day)
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
	Fields   []string          `json:"fields,omitempty"` // those alone that the tool reads; all when empty
}

// sessions are a page of the sessions that a search finds at the event of the arguments.
func (c *call) sessions(ctx context.Context, a *arguments, body search) (page list[session], err error) {
	path, err := c.in(ctx, a, "/sessions/search")
	if err == nil {
		err = c.post(ctx, readSessions, path, body, &page)
	}
	return page, err
}

// maxSearch is how many characters a search takes.
const maxSearch = 200

// searchable is as much of a text as a search takes.
func searchable(text string) string {
	runes := []rune(text)
	return string(runes[:min(len(runes), maxSearch)])
}

// narrow adds a filter that is given.
func (s *search) narrow(name, value string) {
	if value != "" {
		s.Filters[name] = value
	}
}
