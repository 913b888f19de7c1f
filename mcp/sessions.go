package mcp

import (
	"context"
	"fmt"
	"time"
)

// session is what the tools read of a session of the REST API.
type session struct {
	ID           string   `json:"id"`
	FriendlyID   string   `json:"friendly_id"`
	Title        string   `json:"title"`
	Description  string   `json:"description"`
	Status       string   `json:"status"`
	IsAbstract   bool     `json:"is_abstract"`
	IsPublic     bool     `json:"is_public"`
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
type named struct {
	Name string `json:"name"`
}

func (n *named) name() *string {
	if n == nil {
		return nil
	}
	return &n.Name
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
	ID          string  `json:"id"`
	Title       string  `json:"title"`
	Status      string  `json:"status"`
	Track       *string `json:"track"`
	Description string  `json:"description,omitempty"`
}

func listSubmissions(ctx context.Context, c *call, a *arguments) (any, error) {
	body := search{Page: a.number("page", 1, 999), PageSize: a.number("limit", 25, 100), Filters: map[string]any{"is_abstract": true}}
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
	var page list[struct {
		ID          string `json:"id"`
		Title       string `json:"title"`
		Status      string `json:"status"`
		Track       *named `json:"track"`
		Description string `json:"description"`
	}]
	if err := c.post(ctx, "read:sessions", path, body, &page); err != nil {
		return nil, err
	}
	out := &list[submissionRow]{Results: make([]submissionRow, len(page.Results)), Pagination: page.Pagination}
	for i, r := range page.Results {
		out.Results[i] = submissionRow{r.ID, r.Title, r.Status, r.Track.name(), c.server.excerpt(r.Description, "see get_submission")}
	}
	return out, nil
}

// scheduleRow is a programme session in the schedule.
type scheduleRow struct {
	ID          string   `json:"id"`
	Title       string   `json:"title"`
	StartsAt    *string  `json:"starts_at"`
	EndsAt      *string  `json:"ends_at,omitempty"`
	Unscheduled bool     `json:"unscheduled,omitempty"`
	Room        *string  `json:"room"`
	Track       *string  `json:"track"`
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
		row := scheduleRow{ID: s.ID, Title: s.Title, StartsAt: starts, EndsAt: ends, Unscheduled: starts == nil, Room: s.Room.name(), Track: s.Track.name()}
		for _, p := range s.Participants {
			row.Speakers = append(row.Speakers, p.Name)
		}
		out.Results = append(out.Results, row)
	}
	total := page.Pagination.TotalResults
	switch {
	case day != "" && total > upstream:
		out.say(fmt.Sprintf("Only the first %d of %d sessions in order of start were looked at, so sessions of this day may be missing. Narrow by track.", upstream, total))
	case day == "" && total > len(out.Results):
		out.say(fmt.Sprintf("These are the first %d of %d sessions. Raise limit (at most 100), or set day or track.", len(out.Results), total))
	}
	if found > limit {
		out.say(fmt.Sprintf("These are the first %d of %d sessions found on this day. Raise limit (at most 100).", limit, found))
	}
	return out, nil
}

func (s *schedule) say(note string) {
	if s.Note != "" {
		s.Note += " "
	}
	s.Note += note
}

// zone is the time zone of the event, or UTC with a note for a key that may not
// read it.
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
		Track        *string       `json:"track"`
		Format       *string       `json:"format"`
		Level        *string       `json:"level"`
		Tags         []string      `json:"tags"`
		Description  string        `json:"description"`
		CustomFields []answer      `json:"custom_fields"`
		Participants []participant `json:"participants"`
		StartsAt     *string       `json:"starts_at,omitempty"`
		EndsAt       *string       `json:"ends_at,omitempty"`
		Room         *string       `json:"room,omitempty"`
		CreatedAt    string        `json:"created_at"`
		UpdatedAt    string        `json:"updated_at"`
		DeletedAt    *string       `json:"deleted_at,omitempty"`
		AdminURL     string        `json:"admin_url,omitempty"`
	}{
		s.ID, s.FriendlyID, s.Title, s.Status, s.IsAbstract, s.Track.name(), s.Format.name(), s.Level.name(), []string{},
		c.server.full(s.Description, more), []answer{}, []participant{}, s.StartsAt, s.EndsAt, s.Room.name(),
		s.CreatedAt, s.UpdatedAt, s.DeletedAt, s.AdminURL,
	}
	for _, tag := range s.Tags {
		out.Tags = append(out.Tags, tag.Name)
	}
	for _, field := range s.CustomFields {
		out.CustomFields = append(out.CustomFields, answer{field.Key, bound(field.Value, c.server.options.FullText, more)})
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
