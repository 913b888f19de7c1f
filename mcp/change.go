package mcp

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// captured is the answer of capture_abstract.
type captured struct {
	updated
	Similar []mentioned `json:"similar,omitzero"` // empty for none, nil if they could not be read
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
	answers := a.answers("custom_fields")
	track := a.text("track")
	if _, err := c.eventOf(ctx, a); err != nil { // so that a wrong key or event costs no further calls
		return nil, err
	}
	track, err := c.rowID(ctx, a, "tracks", "track", track)
	if err != nil {
		return nil, err
	}
	if track != "" {
		body["track_id"] = track
	}
	answers, note := c.answersByKey(ctx, a, answers)
	if len(answers) > 0 {
		body["custom_fields"] = answers
	}
	var created captured
	alike := c.similar(ctx, a, title)
	err = c.post(ctx, a, writeSessions, "/sessions/create", body, &created)
	created.Similar, created.Note = alike, note
	return &created, err
}

// answersByKey returns answers by the keys of the call's questions, which may be given by their words instead, and a
// sentence on those that answer no question. The sentence is "" if there are none, if the call has no questions, and if
// they cannot be read.
func (c *call) answersByKey(ctx context.Context, a *arguments,
	answers map[string]string) (map[string]string, string) {
	var page list[struct {
		Key   string `json:"key"`
		Label string `json:"label"`
	}]
	if len(answers) == 0 || !c.may(ctx, readSessions) ||
		c.get(ctx, a, readSessions, "/questions?pageSize=100", &page) != nil || len(page.Results) == 0 {
		return answers, ""
	}
	keys, meant := []string{}, map[string]string{} // by the folded words or key
	for _, q := range page.Results {
		keys, meant[fold(q.Label)] = append(keys, q.Key), q.Key
	}
	for _, key := range keys {
		meant[fold(key)] = key
	}
	byKey, unknown := map[string]string{}, []string{}
	for _, given := range slices.Sorted(maps.Keys(answers)) {
		key := meant[fold(strings.TrimSpace(given))]
		_, isKey := answers[key]
		if _, taken := byKey[key]; key == "" || taken || isKey && key != given { // or a second answer to one question
			key, unknown = given, append(unknown, bound(given, shortTitle, "cut"))
		}
		byKey[key] = answers[given]
	}
	if len(unknown) == 0 {
		return byKey, ""
	}
	some := func(keys []string) []string { return andMore(keys[:min(len(keys), maxRows)], len(keys)) }
	return byKey, "No question of the call has the key " + strings.Join(some(unknown), " or ") + ", which is kept; " +
		"the keys are " + enumerate(some(keys)) + "."
}

// updated is the answer of update_submission.
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
		"is_abstract": true, // changes nothing, and is refused for a session
	}
	path := "/sessions/" + id
	var changed struct {
		updated
		Composition composition `json:"composition_status"`
	}
	if err := c.put(ctx, a, path, body, &changed); err != nil {
		return nil, c.notUpdated(ctx, a, id, err)
	}
	if into := changed.Composition.Target; into != nil && changed.Status != "accepted" {
		changed.Note = "It is part of " + into.FriendlyID + ", which keeps its place and stays public if it is: see " +
			"get_submission. schedule_session takes its place away, updateSession of the REST API (get_openapi) hides it."
	}
	if changed.Status == "accepted" && c.may(ctx, readSessions) {
		changed.Note = c.heldNote(ctx, a, path)
	}
	return &changed.updated, nil
}

// heldNote says what would hold the publication of a session with an accepted submission, such as a letter that its
// people have not been sent; "" for nothing, and if that cannot be read.
func (c *call) heldNote(ctx context.Context, a *arguments, path string) string {
	var s session
	if c.get(ctx, a, readSessions, path+"?expand=publish_gate", &s) != nil {
		return ""
	}
	return strings.Join(s.heldBy(), " ")
}

// notUpdated rewords the error that a submission was not changed.
func (c *call) notUpdated(ctx context.Context, a *arguments, id string, err error) error {
	e, refused := err.(*toolError)
	switch {
	case !refused:
	case e.argument == "is_abstract": // no argument of this tool
		return newError(e.Name, id+" is a programme session, no submission.", e.Status,
			"schedule_session changes its place, updateSession of the REST API (get_openapi) and staff the rest.")
	case e.Status == http.StatusConflict:
		e.Message = "Someone else changed this submission since you read it. Read it again, then repeat your change."
	case e.Status == http.StatusNotFound && c.may(ctx, readSessions):
		var s session
		if c.get(ctx, a, readSessions, "/sessions/"+id, &s) == nil && s.DeletedAt != nil {
			return s.isDeleted()
		}
	}
	return err
}

// restoreHint says how a deleted session or submission can be restored.
const restoreHint = "restoreSession of the REST API (get_openapi) brings it back, and so do staff, from the Trash."

// isDeleted returns the error for a deleted session or submission.
func (s *session) isDeleted() error {
	return newError("NotFoundError", s.FriendlyID+" is deleted.", http.StatusNotFound, restoreHint)
}
