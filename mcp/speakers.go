package mcp

import (
	"context"
	"fmt"
	"time"
	"unicode/utf8"
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
	query := a.text("query")
	if utf8.RuneCountInString(query) > maxSearch {
		a.fail(badArgument("query", "must have at most %d characters", maxSearch))
	}
	body.narrow("text", query)
	var page list[struct {
		person
		About string `json:"about"`
	}]
	if err := c.post(ctx, a, readContacts, "/speakers/search", body, &page); err != nil {
		return nil, err
	}
	out := &list[speakerRow]{Results: make([]speakerRow, len(page.Results)), Pagination: page.Pagination}
	limit := c.server.listText(len(page.Results))
	for i, r := range page.Results {
		about := oneLine(r.About)
		out.Results[i] = speakerRow{r.ID, r.Name, r.Company, r.Email,
			excerpt(about, utf8.RuneCountInString(about), limit, "see get_speaker"), nil}
	}
	if out.sayMore(); query != "" && page.Pagination.TotalResults == 0 {
		near := c.nearPeople(ctx, a, query)
		out.say(near)
		out.say("Nobody who is on a session or submission matches. People who are on none are found by searchContacts of " +
			"the REST API (get_openapi), with a key that has write:contacts, and by staff in the admin.")
		if near == "" {
			out.say("Try one word of the name alone, the company, or words of a title in list_submissions: a name may be written in " +
				"another script.")
		}
	}
	c.addSessions(ctx, a, out)
	return out, nil
}

// addSessions adds each person's sessions and submissions, if the key may read them. If they cannot be read it adds a
// note instead.
func (c *call) addSessions(ctx context.Context, a *arguments, out *list[speakerRow]) {
	if len(out.Results) == 0 || !c.may(ctx, readSessions) {
		return
	}
	ids, at := make([]string, len(out.Results)), map[string]int{}
	for i, r := range out.Results {
		ids[i], at[r.ID] = r.ID, i
	}
	on, err := c.titlesOf(ctx, a, ids)
	if err != nil {
		out.say("Their sessions could not be read now; get_speaker tells those of one person.")
		return
	}
	for _, s := range on {
		for _, id := range s.People {
			if i, here := at[id]; here {
				row := &out.Results[i]
				row.Sessions = append(row.Sessions, s.FriendlyID+" "+bound(s.Title, shortTitle, "see get_speaker"))
			}
		}
	}
	shareTitles(out.Results)
}

// fewTitles is how many titles each person of a page may have, and pageOfTitles how many all may have together if they
// are few people, so that a page of 25 rows stays below 3,000 tokens.
const fewTitles, pageOfTitles = 3, 25

// shareTitles cuts the longest lists of titles if there are too many together, and notes where the rest is.
func shareTitles(people []speakerRow) {
	total, room := 0, max(pageOfTitles, fewTitles*len(people))
	for _, p := range people {
		total += len(p.Sessions)
	}
	if total <= room {
		return
	}
	most := room / len(people)
	for i := range people {
		if p := &people[i]; len(p.Sessions) > most {
			p.Sessions = append(p.Sessions[:most], fmt.Sprintf("%d more, see get_speaker", len(p.Sessions)-most))
		}
	}
}

// titled holds the fields of a session or submission in a person's list.
type titled struct {
	FriendlyID string   `json:"friendly_id"`
	Title      string   `json:"title"`
	IsAbstract bool     `json:"is_abstract"`
	People     []string `json:"participant_ids"`
}

// titlesOf returns all sessions, followed by the submissions, of some people.
func (c *call) titlesOf(ctx context.Context, a *arguments, ids []string) (sessions []titled, err error) {
	body := search{Page: 1, PageSize: 100, Filters: map[string]any{"contact_id": ids},
		Sort:   map[string]string{"order": "friendlyId", "sort": "asc"},
		Fields: []string{"friendly_id", "title", "is_abstract", "participant_ids"}}
	var submissions []titled
	for last := 1; body.Page <= last; body.Page++ {
		var page list[titled]
		if err := c.post(ctx, a, readSessions, "/sessions/search", body, &page); err != nil {
			return nil, err
		}
		for _, s := range page.Results {
			if s.IsAbstract {
				submissions = append(submissions, s)
			} else {
				sessions = append(sessions, s)
			}
		}
		last = page.Pagination.TotalPages
	}
	return append(sessions, submissions...), nil
}

// spoken is a session or submission in the answer of get_speaker.
type spoken struct {
	ID         string  `json:"id"`
	FriendlyID string  `json:"friendly_id"`
	Title      string  `json:"title"`
	Status     string  `json:"status"`
	IsAbstract bool    `json:"is_abstract"`
	Role       string  `json:"role"`
	StartsAt   *string `json:"starts_at,omitempty"`
	EndsAt     *string `json:"ends_at,omitempty"`
	Room       *string `json:"room,omitempty"`
}

// speaker is the answer of get_speaker.
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

// aboutOnward continues a long text about a person.
type aboutOnward struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	About string `json:"about"`
}

func getSpeaker(ctx context.Context, c *call, a *arguments) (any, error) {
	id, offset := a.needed("speaker_id", a.id), a.offset()
	var r struct {
		person
		JobTitle   string   `json:"job_title"`
		WebsiteURL string   `json:"website_url"`
		About      string   `json:"about"`
		SessionIDs []string `json:"session_ids"`
		AdminURL   string   `json:"admin_url"`
	}
	if err := c.get(ctx, a, readContacts, "/speakers/"+id, &r); err != nil {
		return nil, err
	}
	if r.About = paragraphs(r.About); offset > 0 {
		return &aboutOnward{r.ID, r.Name, c.server.from(r.About, offset)}, endsBefore(offset, utf8.RuneCountInString(r.About))
	}
	out := speaker{ID: r.ID, Name: r.Name, Company: r.Company, JobTitle: r.JobTitle, Email: r.Email, WebsiteURL: r.WebsiteURL,
		About: c.server.from(r.About, 0), AdminURL: r.AdminURL}
	if !c.may(ctx, readSessions) {
		out.SessionIDs, out.Note = r.SessionIDs, "What these sessions are needs a key with the scope read:sessions."
		return out, nil
	}
	zone, note := c.zone(ctx)
	out.Timezone, out.Note = zone.String(), note
	sessions, err := c.sessionsOf(ctx, a, id, zone)
	out.Sessions = sessions
	return out, err
}

// roleOf returns the role of a person in a session.
func (s *session) roleOf(id string) string {
	for _, p := range s.Participants {
		if p.ID == id {
			return p.Role
		}
	}
	return ""
}

// spokenFields are the fields read of a person's sessions.
var spokenFields = []string{"id", "friendly_id", "title", "status", "is_abstract", "participants",
	"starts_at", "ends_at", "room_name"}

// sessionsOf returns the sessions and submissions of one person, by start; nobody has more than a page of them.
func (c *call) sessionsOf(ctx context.Context, a *arguments, id string, zone *time.Location) ([]spoken, error) {
	body := byStart(1, 100)
	body.Filters, body.Fields = map[string]any{"contact_id": id}, spokenFields
	page, err := c.sessions(ctx, a, body)
	if err != nil {
		return nil, err
	}
	all := make([]spoken, len(page.Results))
	for i, s := range page.Results {
		all[i] = spoken{s.ID, s.FriendlyID, s.Title, s.Status, s.IsAbstract, s.roleOf(id), wall(s.StartsAt, zone),
			wall(s.EndsAt, zone), s.RoomName}
	}
	return all, nil
}
