package mcp

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// toolError is the answer of a failed tool: what happened and what to do next.
type toolError struct {
	Name    string `json:"error"`
	Message string `json:"message"`
	Status  int    `json:"status"`
	Hint    string `json:"hint"`

	argument string // the faulty argument, or one that names no row; "" for other errors
}

func newError(name, message string, status int, hint string) *toolError {
	return &toolError{Name: name, Message: message, Status: status, Hint: hint}
}

func (e *toolError) Error() string { return e.Message }

const keyHint = "Send an API key in the header x-access-token, or as Authorization: Bearer. Staff mint keys on the " +
	"API keys page of the admin."

// badArgument returns an error of the caller's that names the argument.
func badArgument(name, format string, args ...any) error {
	return newError("ValidationError", name+" "+fmt.Sprintf(format, args...)+".", http.StatusBadRequest,
		"Change the argument "+name+" and call again.")
}

// notFoundRow returns the error that no row has the given name.
func notFoundRow(family, argument, given string) error {
	e := newError("ValidationError", fmt.Sprintf("%s names no %s of this event: %q.", argument,
		strings.TrimSuffix(family, "s"), bound(given, 60, "cut")), http.StatusBadRequest, listHints[family])
	e.argument = argument
	return e
}

// listHints say how to find the names and ids of rows.
var listHints = map[string]string{
	"tracks":  "Call list_tracks for the ids and names of the tracks.",
	"rooms":   "Call list_rooms for the ids and names of the rooms.",
	"formats": "Call list_rooms with family formats for their ids and names.",
	"levels":  "Call list_rooms with family levels for their ids and names.",
	"tags":    "Call list_rooms with family tags for their ids and names.",
}

// idHints say how to find the ids that an argument takes.
var idHints = map[string]string{
	"event_id":      " list_events tells it.",
	"speaker_id":    " search_speakers finds it by a name.",
	"submission_id": " list_submissions finds a submission by its title, search_schedule a session.",
	"session_id":    " search_schedule finds a session by its title.",
}

// unsureHint says how to go on when it is unknown whether the call, which needs a scope, arrived.
func unsureHint(scope, method string) string {
	switch {
	case method == http.MethodPut:
		return "Look with get_submission whether the change was made before you call again."
	case scope == writeSessions:
		return "Try again in a moment. Before you capture an abstract once more, look with list_submissions whether it is there."
	}
	return "Try again in a moment."
}

// refusal turns an error of the REST API into one of the tool.
func refusal(scope, method string, res *http.Response, body []byte) error {
	var said struct {
		Error   string `json:"error"`
		Message string `json:"message"`
		Details []struct {
			Field   string `json:"field"`
			Message string `json:"message"`
		} `json:"details"`
	}
	if json.Unmarshal(body, &said) != nil || said.Error == "" {
		said.Error, said.Message = "UpstreamError", fmt.Sprintf("The REST API answered with status %d.", res.StatusCode)
	}
	e := newError(said.Error, said.Message, res.StatusCode, "Try again in a moment.")
	switch res.StatusCode {
	case http.StatusBadRequest:
		e.Hint = "Change the argument that the message is about and call again."
		if len(said.Details) > 0 {
			// The tool's arguments have the names of the API's fields, except for this prefix and suffix.
			field, _, _ := strings.Cut(said.Details[0].Field, "[")
			name := strings.TrimSuffix(strings.TrimPrefix(field, "filters."), "_id")
			e.argument, e.Message = name, name+" "+said.Details[0].Message+"."
			e.Hint = "Change the argument " + name + " and call again."
			if hint, known := listHints[name+"s"]; known {
				e.Hint = hint
			}
		}
	case http.StatusUnauthorized:
		e.Hint = "The key is unknown, expired or revoked. " + keyHint
	case http.StatusForbidden:
		if strings.Contains(said.Message, scope) {
			e.Hint = "The key lacks " + scope + "; ask staff for a key with that scope."
		} else {
			e.Hint = "The key reaches one event only; leave event_id out or take it from list_events."
		}
	case http.StatusNotFound:
		e.Hint = "Take the id or label from list_submissions or search_schedule, and event_id from list_events."
		if scope == readContacts {
			e.Hint = "Take the id from search_speakers, and event_id from list_events."
		}
	case http.StatusConflict:
		e.Hint = "Read it anew with get_submission, look whether the change is still right, and call again with its updated_at."
	case http.StatusTooManyRequests:
		e.Hint = "Wait " + res.Header.Get("Retry-After") + " seconds, then call again."
	default:
		if res.StatusCode >= 500 {
			e.Hint = unsureHint(scope, method)
		}
	}
	return e
}

// refuse makes err the protocol's error that answers the current message.
func (c *call) refuse(err error) error {
	c.refused = err.(*toolError)
	return err
}

// code returns the protocol's code of an error. Since version 2026-07-28, not found has the code of a wrong parameter.
func (e *toolError) code(version string) int {
	switch {
	case e.Status == http.StatusNotFound && !mcpgo.IsModernProtocol(version):
		return mcpgo.RESOURCE_NOT_FOUND
	case e.Status == http.StatusNotFound, e.Status == http.StatusBadRequest:
		return mcpgo.INVALID_PARAMS
	case e.Status == http.StatusTooManyRequests:
		return refusedForNow
	case e.Status >= 500:
		return mcpgo.INTERNAL_ERROR
	}
	return mcpgo.INVALID_REQUEST
}
