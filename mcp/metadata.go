package mcp

import (
	"context"
	"fmt"
)

type trackRow struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Color string `json:"color"`
	Order int    `json:"order"`
}

func listTracks(ctx context.Context, c *call, a *arguments) (any, error) {
	var page list[trackRow]
	err := c.get(ctx, a, readMetadata, "/tracks?pageSize=100", &page)
	if page.Pagination.TotalPages > 1 {
		page.say("list_rooms with family tracks and page 2 goes on.")
	}
	return &page, err
}

// families are the kinds of rows that list_rooms lists.
var families = []string{"rooms", "tracks", "formats", "levels", "tags"}

// labelRow is a row of any family.
type labelRow struct {
	ID             string `json:"id"`
	Name           string `json:"name"`
	Capacity       *int   `json:"capacity,omitempty"`
	DefaultMinutes *int   `json:"default_minutes,omitempty"`
}

func listRooms(ctx context.Context, c *call, a *arguments) (any, error) {
	family, number := a.oneOf("family", families), a.number("page", 1, 999)
	if family == "" {
		family = families[0]
	}
	var page list[labelRow]
	err := c.get(ctx, a, readMetadata, fmt.Sprintf("/%s?pageSize=100&page=%d", family, number), &page)
	page.sayMore()
	return &page, err
}

// rowID returns the id of a row of a family that is given by its id or name; argument is for errors. A name that no row
// has exactly is also matched in another case, or without accents.
func (c *call) rowID(ctx context.Context, a *arguments, family, argument, given string) (string, error) {
	if given == "" || uuidForm.MatchString(given) {
		return given, nil
	}
	var exact, alike []string
	for number, last := 1, 1; number <= last; number++ {
		body := search{Page: number, PageSize: 100, Filters: map[string]any{"text": searchable(given)}}
		var page list[labelRow]
		if err := c.post(ctx, a, readMetadata, "/"+family, body, &page); err != nil {
			return "", err
		}
		for _, row := range page.Results {
			if row.Name == given {
				exact = append(exact, row.ID)
			} else if fold(row.Name) == fold(given) {
				alike = append(alike, row.ID)
			}
		}
		last = page.Pagination.TotalPages
	}
	if len(exact) == 0 {
		exact = alike
	}
	switch len(exact) {
	case 0:
		return "", notFoundRow(family, argument, given)
	case 1:
		return exact[0], nil
	}
	return "", badArgument(argument, "is the name of several %s; give the id", family)
}
