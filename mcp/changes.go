package mcp

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strconv"
)

// change holds the fields that tools read of a change of the REST API.
type change struct {
	Kind    string   `json:"kind"`
	ID      string   `json:"id"`
	Deleted bool     `json:"deleted"`
	At      *string  `json:"changed_at"`
	Session *session `json:"session"` // a deleted one too
	Data    struct { // the row of any kind, empty if it is deleted
		Title, Name string
		FullName    string `json:"full_name"`
	} `json:"data"`
}

// changeRow is a change in the answer of list_changes: the row as it is now.
type changeRow struct {
	Kind       string  `json:"kind"`
	ID         string  `json:"id"`
	Deleted    bool    `json:"deleted,omitempty"`
	FriendlyID string  `json:"friendly_id,omitempty"`
	Name       string  `json:"name,omitempty"`
	Status     string  `json:"status,omitempty"`
	ChangedAt  *string `json:"changed_at"`
	DeletedAt  *string `json:"deleted_at,omitempty"` // of a session
}

func (c *change) row() changeRow {
	row := changeRow{Kind: c.Kind, ID: c.ID, Deleted: c.Deleted, Name: cmp.Or(c.Data.Title, c.Data.FullName, c.Data.Name),
		ChangedAt: c.At}
	if s := c.Session; s != nil {
		row.FriendlyID, row.Name, row.Status, row.DeletedAt = s.FriendlyID, s.Title, s.Status, s.DeletedAt
	}
	return row
}

// changeList is the answer of list_changes.
type changeList struct {
	Note    string      `json:"note,omitempty"`
	Results []changeRow `json:"results"`
	Cursor  string      `json:"cursor"`
}

// fromStart is the cursor before all changes.
const fromStart = "start"

func listChanges(ctx context.Context, c *call, a *arguments) (any, error) {
	since := a.text("since")
	query := url.Values{"since": {since}, "limit": {strconv.Itoa(a.number("limit", 25, 100))}}
	switch since {
	case "":
		query.Set("since", "now")
	case fromStart:
		query.Del("since")
	}
	var page struct {
		Results []change `json:"results"`
		Cursor  string   `json:"cursor"`
		More    bool     `json:"more"`
	}
	if err := c.get(ctx, a, readSessions, "/changes?"+query.Encode(), &page); err != nil {
		return nil, pastHint(err)
	}
	out := &changeList{Results: make([]changeRow, len(page.Results)), Cursor: page.Cursor}
	for i, change := range page.Results {
		out.Results[i] = change.row()
	}
	switch {
	case since == "":
		out.Note = "Changes are told from now on: call again with since set to cursor."
	case page.More:
		out.Note = "There are more: call again with since set to cursor."
	}
	return out, nil
}

// pastHint rewords the error of list_changes if since is not a valid cursor, such as a time.
func pastHint(err error) error {
	e, ok := err.(*toolError)
	if !ok || e.argument != "since" && e.Status != http.StatusGone {
		return err
	}
	return newError(e.Name, e.Message, e.Status, "Call list_changes without since for a new cursor. Which submissions "+
		"and sessions changed after a time is told by list_submissions with created_since or updated_since, and by "+
		"search_schedule with updated_since. Since "+fromStart+" tells all, also people, rooms and what is gone, each with "+
		"its changed_at.")
}
