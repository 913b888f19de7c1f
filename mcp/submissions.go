package mcp

import (
	"context"
	"slices"
)

// submissionRow is a submission in a list. A page of 25 must stay below 3,000 tokens, and an id alone takes 33, so the
// descriptions are short.
type submissionRow struct {
	ID           string   `json:"id"`
	FriendlyID   string   `json:"friendly_id"`
	Title        string   `json:"title"`
	Status       string   `json:"status"`
	HeldBy       []string `json:"held_by,omitempty"`       // in words of the note, where those whose people were not told are looked for
	ComposedInto string   `json:"composed_into,omitempty"` // a session's label
	Track        *string  `json:"track"`
	Speakers     []string `json:"speakers,omitempty"`
	Description  string   `json:"description,omitempty"`
	CreatedAt    string   `json:"created_at,omitempty"` // if the search is by this time
	UpdatedAt    string   `json:"updated_at"`
}

// listedFields are the fields that a row of submissions is made from.
var listedFields = []string{"id", "friendly_id", "title", "status", "composition_status", "track_name",
	"participant_names", "participant_ids", "excerpt", "created_at", "updated_at"}

func listSubmissions(ctx context.Context, c *call, a *arguments) (any, error) {
	body := search{Page: a.number("page", 1, 999), PageSize: a.number("limit", 25, 100),
		Filters: map[string]any{"is_abstract": true}, Fields: listedFields}
	c.common(ctx, a, &body, submissionNeeds)
	if body.Filters["needs"] == "letter" {
		body.Fields = append(slices.Clip(body.Fields), "is_abstract", "publish_gate")
	}
	since := c.moment(ctx, a, "created_since")
	if since != nil {
		body.Filters["created_at"] = map[string]any{"after": timestamp(since)}
		body.Sort = map[string]string{"order": "createdAt", "sort": "desc"}
	}
	if by := a.oneOf("count_by", groups); by != "" {
		return c.counted(ctx, a, by, body.Filters, submissionRows, "")
	}
	page, err := c.sessions(ctx, a, body)
	if err != nil {
		return nil, err
	}
	out := &list[submissionRow]{Results: make([]submissionRow, len(page.Results)), Pagination: page.Pagination}
	limit := c.server.listText(len(page.Results))
	if since != nil && limit <= leastText {
		limit = 0
		out.say("Descriptions are left out: ask for fewer rows with limit, or see get_submission.")
	}
	for i, s := range page.Results {
		out.Results[i] = s.listed(limit, since != nil)
	}
	out.sayHolds(page.Results)
	out.sayNamesakes(a, page.Results, "get_speaker tells the submissions of one of them alone.", "text")
	if out.sayMore(); page.Pagination.TotalResults == 0 {
		out.say(c.nothingNote(ctx, a, submissionRows, ""))
	}
	out.say(a.blank())
	return out, nil
}

// listed returns a row of a list, its description cut to limit characters, none for 0: to half of that if the
// submission is composed into a session, which has the text too. came adds when it came in.
func (s *session) listed(limit int, came bool) submissionRow {
	row := submissionRow{ID: s.ID, FriendlyID: s.FriendlyID, Title: s.Title, Status: s.Status,
		HeldBy: s.holds(), ComposedInto: s.composedInto(), Track: s.TrackName, Speakers: s.Speakers, UpdatedAt: s.UpdatedAt}
	if came {
		row.CreatedAt = s.CreatedAt
	}
	if row.ComposedInto != "" {
		limit /= 2
	}
	if limit > 0 {
		row.Description = excerpt(s.Excerpt.Text, s.Excerpt.Length, limit, "see get_submission")
	}
	return row
}
