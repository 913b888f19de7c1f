package mcp

import (
	"context"
	"encoding/json"
)

// session is what the tools read of a session of the REST API.
type session struct {
	ID           string   `json:"id"`
	FriendlyID   string   `json:"friendly_id"`
	Title        string   `json:"title"`
	Description  string   `json:"description"`
	Status       string   `json:"status"`
	IsAbstract   bool     `json:"is_abstract"`
	StartsAt     *string  `json:"starts_at"`
	EndsAt       *string  `json:"ends_at"`
	Track        *named   `json:"track"`
	Room         *named   `json:"room"`
	Format       *named   `json:"format"`
	Level        *named   `json:"level"`
	Tags         []named  `json:"tags"`
	Participants []person `json:"participants"`
	CustomFields []answer `json:"custom_fields"`
	CreatedAt    string   `json:"created_at"`
	UpdatedAt    string   `json:"updated_at"`
	DeletedAt    *string  `json:"deleted_at"`
	AdminURL     string   `json:"admin_url"`
}

// named is a row of metadata, of which a model needs the name.
type named string

func (n *named) UnmarshalJSON(b []byte) error {
	var row struct{ Name string }
	err := json.Unmarshal(b, &row)
	*n = named(row.Name)
	return err
}

type person struct {
	ID      string `json:"id"`
	Name    string `json:"full_name"`
	Email   string `json:"email"`
	Company string `json:"company_name"`
	Role    string `json:"role"`
}

type answer struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// submissionRow is a submission in a list. It has no label or people: a page
// of 25 is to stay below 3,000 tokens, and an id alone is 33.
type submissionRow struct {
	ID          string `json:"id"`
	Title       string `json:"title"`
	Status      string `json:"status"`
	Track       *named `json:"track"`
	Description string `json:"description,omitempty"`
}

func listSubmissions(ctx context.Context, c *call, a *arguments) (any, error) {
	body := search{Page: a.number("page", 1, 999), PageSize: a.number("limit", 25, 100),
		Filters: map[string]any{"is_abstract": true}}
	if statuses := a.statuses("status"); len(statuses) > 0 {
		body.Filters["status"] = statuses
	}
	for _, name := range []string{"text", "track"} {
		if v := a.text(name); v != "" {
			body.Filters[name] = v
		}
	}
	path, err := c.in(ctx, a, "/sessions/search")
	if err != nil {
		return nil, err
	}
	var page list[submissionRow]
	if err := c.post(ctx, "read:sessions", path, body, &page); err != nil {
		return nil, err
	}
	for i := range page.Results {
		row := &page.Results[i]
		row.Description = c.server.excerpt(row.Description, "see get_submission")
	}
	return &page, nil
}

func getSubmission(ctx context.Context, c *call, a *arguments) (any, error) {
	id := a.id("submission_id")
	if id == "" {
		a.fail(badArgument("submission_id", "is required"))
	}
	path, err := c.in(ctx, a, "/sessions/"+id)
	if err != nil {
		return nil, err
	}
	var s session
	if err := c.get(ctx, "read:sessions", path, &s); err != nil {
		return nil, err
	}
	type participant struct {
		ID      string `json:"id"`
		Name    string `json:"name"`
		Email   string `json:"email"`
		Company string `json:"company"`
		Role    string `json:"role"`
	}
	const more = "see REST getSession"
	out := struct {
		ID           string        `json:"id"`
		FriendlyID   string        `json:"friendly_id"`
		Title        string        `json:"title"`
		Status       string        `json:"status"`
		IsAbstract   bool          `json:"is_abstract"`
		Track        *named        `json:"track"`
		Format       *named        `json:"format"`
		Level        *named        `json:"level"`
		Tags         []named       `json:"tags"`
		Description  string        `json:"description"`
		CustomFields []answer      `json:"custom_fields"`
		Participants []participant `json:"participants"`
		StartsAt     *string       `json:"starts_at,omitempty"`
		EndsAt       *string       `json:"ends_at,omitempty"`
		Room         *named        `json:"room,omitempty"`
		CreatedAt    string        `json:"created_at"`
		UpdatedAt    string        `json:"updated_at"`
		DeletedAt    *string       `json:"deleted_at,omitempty"`
		AdminURL     string        `json:"admin_url,omitempty"`
	}{
		s.ID, s.FriendlyID, s.Title, s.Status, s.IsAbstract, s.Track, s.Format, s.Level, s.Tags,
		c.server.full(s.Description, more), s.CustomFields, []participant{}, s.StartsAt, s.EndsAt, s.Room,
		s.CreatedAt, s.UpdatedAt, s.DeletedAt, s.AdminURL,
	}
	for i := range out.CustomFields {
		out.CustomFields[i].Value = bound(out.CustomFields[i].Value, c.server.options.FullText, more)
	}
	for _, p := range s.Participants {
		out.Participants = append(out.Participants, participant(p))
	}
	return out, nil
}

func captureAbstract(ctx context.Context, c *call, a *arguments) (any, error) {
	title := a.text("title")
	if title == "" {
		a.fail(badArgument("title", "is required and must not be empty"))
	}
	status := a.text("status")
	if status == "" {
		status = "pending"
	} else {
		a.statuses("status")
	}
	body := map[string]any{"title": title, "is_abstract": true, "status": status}
	if description := a.text("description"); description != "" {
		body["description"] = description
	}
	if track := a.id("track"); track != "" {
		body["track_id"] = track
	}
	if answers := a.answers("custom_fields"); len(answers) > 0 {
		body["custom_fields"] = answers
	}
	path, err := c.in(ctx, a, "/sessions/create")
	if err != nil {
		return nil, err
	}
	var created struct {
		ID         string `json:"id"`
		FriendlyID string `json:"friendly_id"`
		Title      string `json:"title"`
		Status     string `json:"status"`
		AdminURL   string `json:"admin_url,omitempty"`
	}
	return &created, c.post(ctx, "write:sessions", path, body, &created)
}
