package mcp

import (
	"context"
	"net/http"
	"strings"
)

// captured is what capture_abstract answers.
type captured struct {
	updated
	Similar []similar `json:"similar,omitzero"` // empty where nothing is, and nil where nobody could look
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
	if answers := a.answers("custom_fields"); len(answers) > 0 {
		body["custom_fields"] = answers
	}
	track := a.text("track")
	path, err := c.in(ctx, a, "")
	if err != nil {
		return nil, err
	}
	if track, err = c.rowID(ctx, a, "tracks", "track", track); err != nil {
		return nil, err
	}
	if track != "" {
		body["track_id"] = track
	}
	var created captured
	alike := c.similar(ctx, path, title)
	err = c.post(ctx, writeSessions, path+"/sessions/create", body, &created)
	created.Similar = alike
	return &created, err
}

// updated is what update_submission answers.
type updated struct {
	ID         string `json:"id"`
	FriendlyID string `json:"friendly_id"`
	Title      string `json:"title"`
	Status     string `json:"status"`
	UpdatedAt  string `json:"updated_at"`
	AdminURL   string `json:"admin_url,omitempty"`
	Note       string `json:"note,omitempty"`
}

func updateSubmission(ctx context.Context, c *call, a *arguments) (any, error) {
	id := a.needed("submission_id", a.id)
	body := map[string]any{
		"status":      a.needed("status", func(name string) string { return a.oneOf(name, statuses) }),
		"updated_at":  a.needed("updated_at", a.text),
		"is_abstract": true, // which changes nothing, and is refused of a session
	}
	path, err := c.in(ctx, a, "/sessions/"+id)
	if err != nil {
		return nil, err
	}
	var changed struct {
		updated
		Composition composition `json:"composition_status"`
	}
	err = c.send(ctx, writeSessions, http.MethodPut, path, body, &changed)
	if e, refused := err.(*toolError); refused && strings.HasPrefix(e.Message, "is_abstract ") { // no argument of this tool
		err = &toolError{e.Name, id + " is a programme session, no submission.", e.Status,
			"schedule_session changes its place, updateSession of the REST API (get_openapi) and staff the rest."}
	}
	if e, refused := err.(*toolError); refused {
		e.Message = strings.Replace(e.Message, "changed this session", "changed this submission", 1)
	}
	if into := changed.Composition.Target; into != nil && changed.Status != "accepted" {
		changed.Note = "It is part of " + into.FriendlyID + ", which keeps its place and stays public if it is: see " +
			"get_submission. schedule_session takes its place away, updateSession of the REST API (get_openapi) hides it."
	}
	return &changed.updated, err
}
