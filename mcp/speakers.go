package mcp

import (
	"context"
	"fmt"
	"time"
)

// speakerRow is a person in a list.
type speakerRow struct {
	ID       string   `json:"id"`
	Name     string   `json:"name"`
	Company  string   `json:"company"`
	Email    string   `json:"email"`
	About    string   `json:"about"`
	Sessions []string `json:"sessions,omitempty"`
}

func searchSpeakers(ctx context.Context, c *call, a *arguments) (any, error) {
	body := search{Page: a.number("page", 1, 999), PageSize: a.number("limit", 25, 100), Filters: map[string]any{}}
	body.narrow("text", a.text("query"))
	path, err := c.in(ctx, a, "")
	if err != nil {
		return nil, err
	}
	var page list[struct {
		person
		About string `json:"about"`
	}]
	if err := c.post(ctx, readContacts, path+"/speakers/search", body, &page); err != nil {
		return nil, err
	}
	out := &list[speakerRow]{Results: make([]speakerRow, len(page.Results)), Pagination: page.Pagination}
	limit := c.server.listText(len(page.Results))
	for i, r := range page.Results {
		out.Results[i] = speakerRow{r.ID, r.Name, r.Company, r.Email, excerpt(r.About, limit, "see get_speaker"), nil}
	}
	out.sayMore()
	c.addSessions(ctx, path, out)
	return out, nil
}

// addSessions tells of each person which sessions and submissions they are on, where the key may read them. Where they
// cannot be read it says so: people are found all the same.
func (c *call) addSessions(ctx context.Context, path string, out *list[speakerRow]) {
	if len(out.Results) == 0 || !c.may(ctx, readSessions) {
		return
	}
	ids, at := make([]string, len(out.Results)), map[string]int{}
	for i, r := range out.Results {
		ids[i], at[r.ID] = r.ID, i
	}
	var page list[session]
	body := search{Page: 1, PageSize: 100, Filters: map[string]any{"contact_id": ids},
		Sort: map[string]string{"order": "friendlyId", "sort": "asc"}}
	if c.post(ctx, readSessions, path+"/sessions/search", body, &page) != nil {
		out.say("Their sessions could not be read now; get_speaker tells those of one person.")
		return
	}
	for _, s := range page.Results {
		for _, p := range s.Participants {
			if i, here := at[p.ID]; here {
				row := &out.Results[i]
				row.Sessions = append(row.Sessions, s.FriendlyID+" "+bound(s.Title, shortTitle, "see get_speaker"))
			}
		}
	}
	if total := page.Pagination.TotalResults; total > len(page.Results) {
		out.say(fmt.Sprintf("Of their %d sessions and submissions the first %d are told; get_speaker tells all of one person.",
			total, len(page.Results)))
	}
}

// spoken is a session or submission that somebody is on.
type spoken struct {
	ID         string  `json:"id"`
	FriendlyID string  `json:"friendly_id"`
	Title      string  `json:"title"`
	Status     string  `json:"status"`
	IsAbstract bool    `json:"is_abstract"`
	StartsAt   *string `json:"starts_at,omitempty"`
	Room       *named  `json:"room,omitempty"`
}

// speaker is what get_speaker answers.
type speaker struct {
	ID         string   `json:"id"`
	Name       string   `json:"name"`
	Company    string   `json:"company"`
	JobTitle   string   `json:"job_title,omitempty"`
	Email      string   `json:"email"`
	WebsiteURL string   `json:"website_url,omitempty"`
	About      string   `json:"about"`
	Note       string   `json:"note,omitempty"`
	Timezone   string   `json:"timezone,omitempty"`
	Sessions   []spoken `json:"sessions,omitempty"`
	SessionIDs []string `json:"session_ids,omitempty"`
	AdminURL   string   `json:"admin_url,omitempty"`
}

func getSpeaker(ctx context.Context, c *call, a *arguments) (any, error) {
	id := a.needed("speaker_id", a.id)
	path, err := c.in(ctx, a, "")
	if err != nil {
		return nil, err
	}
	var r struct {
		person
		JobTitle   string   `json:"job_title"`
		WebsiteURL string   `json:"website_url"`
		About      string   `json:"about"`
		SessionIDs []string `json:"session_ids"`
		AdminURL   string   `json:"admin_url"`
	}
	if err := c.get(ctx, readContacts, path+"/speakers/"+id, &r); err != nil {
		return nil, err
	}
	out := speaker{ID: r.ID, Name: r.Name, Company: r.Company, JobTitle: r.JobTitle, Email: r.Email, WebsiteURL: r.WebsiteURL,
		About: c.server.full(r.About, "see REST getSpeaker"), AdminURL: r.AdminURL}
	if !c.may(ctx, readSessions) {
		out.SessionIDs, out.Note = r.SessionIDs, "What these sessions are needs a key with the scope read:sessions."
		return out, nil
	}
	zone, note := c.zone(ctx)
	out.Timezone, out.Note = zone.String(), note
	out.Sessions, err = c.sessionsOf(ctx, path, id, zone)
	return out, err
}

// sessionsOf are the sessions and submissions of one person, by start; nobody is on more than a page of them.
func (c *call) sessionsOf(ctx context.Context, path, id string, zone *time.Location) ([]spoken, error) {
	body := byStart(1, 100)
	body.Filters = map[string]any{"contact_id": id}
	var page list[session]
	if err := c.post(ctx, readSessions, path+"/sessions/search", body, &page); err != nil {
		return nil, err
	}
	all := make([]spoken, len(page.Results))
	for i, s := range page.Results {
		all[i] = spoken{s.ID, s.FriendlyID, s.Title, s.Status, s.IsAbstract, wall(s.StartsAt, zone), s.Room}
	}
	return all, nil
}
