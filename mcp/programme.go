package mcp

import "context"

func listEvents(ctx context.Context, c *call, _ *arguments) (any, error) {
	var page list[eventRow]
	return &page, c.get(ctx, "read:events", "/v1/events", &page)
}

type trackRow struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Color string `json:"color"`
	Order int    `json:"order"`
}

func listTracks(ctx context.Context, c *call, a *arguments) (any, error) {
	path, err := c.in(ctx, a, "/tracks?pageSize=100")
	if err != nil {
		return nil, err
	}
	var page list[trackRow]
	return &page, c.get(ctx, "read:metadata", path, &page)
}

// search is the body of every search.
type search struct {
	Filters  map[string]any    `json:"filters"`
	Sort     map[string]string `json:"sort,omitempty"`
	Page     int               `json:"page"`
	PageSize int               `json:"pageSize"`
}

func searchSpeakers(ctx context.Context, c *call, a *arguments) (any, error) {
	body := search{Page: a.number("page", 1, 999), PageSize: a.number("limit", 25, 100), Filters: map[string]any{}}
	if query := a.text("query"); query != "" {
		body.Filters["text"] = query
	}
	path, err := c.in(ctx, a, "/speakers/search")
	if err != nil {
		return nil, err
	}
	var page list[struct {
		person
		About string `json:"about"`
	}]
	if err := c.post(ctx, "read:contacts", path, body, &page); err != nil {
		return nil, err
	}
	type row struct {
		ID      string `json:"id"`
		Name    string `json:"name"`
		Company string `json:"company"`
		Email   string `json:"email"`
		About   string `json:"about"`
	}
	out := &list[row]{Results: make([]row, len(page.Results)), Pagination: page.Pagination}
	for i, r := range page.Results {
		out.Results[i] = row{r.ID, r.Name, r.Company, r.Email, c.server.excerpt(r.About, "see REST getSpeaker")}
	}
	return out, nil
}
