package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	gojson "github.com/goccy/go-json"
	mcpgo "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

type callKey struct{}

// call is one HTTP request: its credential, and what was read of its event.
type call struct {
	server    *Server
	key       string // "" for none
	sent      bool   // the caller sent the key
	version   string // of the protocol, from a header
	badHeader bool   // an Authorization that is no bearer token, or an empty credential
	requestID string

	once     sync.Once
	event    eventRow
	eventErr error

	keyOnce sync.Once
	own     ownKey
	keyErr  error

	text    string     // the JSON that answers the current message
	quoted  []byte     // text as a JSON string
	refused *toolError // the protocol's error in place of a result
}

// newCall takes the credential of a request: x-access-token, else a bearer token, else the fallback. The fallback never
// replaces a header that is there but invalid.
func (s *Server) newCall(header http.Header) *call {
	c := &call{server: s, requestID: header.Get("x-request-id"),
		version: header.Get(server.HeaderKeyProtocolVersion)}
	authorization, authorized := header["Authorization"]
	if values, given := header["X-Access-Token"]; given {
		c.key = strings.TrimSpace(values[0])
	} else if authorized {
		if scheme, token, _ := strings.Cut(authorization[0], " "); strings.EqualFold(scheme, "bearer") {
			c.key = strings.TrimSpace(token)
		}
	} else {
		c.key = s.options.FallbackKey
		return c
	}
	c.sent, c.badHeader = c.key != "", c.key == ""
	return c
}

// authenticated answers an error unless a key was sent. The REST API decides whether the key is valid.
func (c *call) authenticated() error {
	message := "No API key was sent."
	if c.badHeader {
		message = "The credential header holds no API key."
	} else if c.key != "" {
		return nil
	}
	return newError("UnauthorizedError", message, http.StatusUnauthorized, keyHint)
}

// restTimeout limits a REST call. A client that disconnects ends nothing.
const restTimeout = 20 * time.Second

// maxAnswer limits what is read of a REST answer, in bytes.
const maxAnswer = 16 << 20

// get, post and put call the REST API below the event that the arguments name by its id or slug, or below the key's
// only event. put needs the scope that writes sessions.
func (c *call) get(ctx context.Context, a *arguments, scope, path string, into any) error {
	return c.below(ctx, a, scope, http.MethodGet, path, nil, into)
}

func (c *call) post(ctx context.Context, a *arguments, scope, path string, body, into any) error {
	return c.below(ctx, a, scope, http.MethodPost, path, body, into)
}

func (c *call) put(ctx context.Context, a *arguments, path string, body, into any) error {
	return c.below(ctx, a, writeSessions, http.MethodPut, path, body, into)
}

func (c *call) below(ctx context.Context, a *arguments, scope, method, path string, body, into any) error {
	event, err := c.eventOf(ctx, a)
	if err != nil {
		return err
	}
	return c.ask(ctx, scope, method, "/v1/event/"+event+path, body, into)
}

// ask calls the REST API with the scope that the call needs, and decodes the answer.
func (c *call) ask(ctx context.Context, scope, method, path string, body, into any) error {
	if scope != "" {
		if err := c.authenticated(); err != nil {
			return err
		}
	}
	var content bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&content).Encode(body); err != nil {
			return err
		}
	}
	limited, cancel := context.WithTimeout(ctx, restTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(limited, method, c.server.options.API+path, &content)
	if err != nil {
		return err
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if scope != "" {
		req.Header.Set("x-access-token", c.key)
	}
	if c.requestID != "" {
		req.Header.Set("x-request-id", c.requestID)
	}
	res, err := c.server.options.Client.Do(req)
	if err != nil {
		return c.unreachable(ctx, scope, method, err)
	}
	defer res.Body.Close()
	var raw bytes.Buffer
	raw.Grow(int(min(max(res.ContentLength, 0), maxAnswer)) + bytes.MinRead)
	if _, err := raw.ReadFrom(io.LimitReader(res.Body, maxAnswer)); err != nil {
		return c.unreachable(ctx, scope, method, err)
	}
	if res.StatusCode != http.StatusOK {
		return refusal(scope, method, res, raw.Bytes())
	}
	answer := raw.Bytes()
	if whole, ok := into.(*json.RawMessage); ok {
		*whole = answer
		return nil
	}
	if err := gojson.Unmarshal(answer, into); err != nil {
		slog.Error("the REST API's answer is not understood", "request_id", c.requestID, "error", err.Error())
		return newError("UpstreamError", "The REST API's answer is not understood.", http.StatusBadGateway,
			unsureHint(scope, method))
	}
	return nil
}

func (c *call) unreachable(ctx context.Context, scope, method string, err error) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return newError("CancelledError", "The request was cancelled.", 499, "Call again if you still need the answer.")
	}
	slog.Error("the REST API cannot be reached", "request_id", c.requestID, "error", err.Error())
	return newError("UpstreamError", "The REST API could not be reached.", http.StatusBadGateway,
		unsureHint(scope, method))
}

// eventRow is an event of the events list.
type eventRow struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Slug     string `json:"slug"`
	Timezone string `json:"timezone"`
}

// theEvent returns the event that the key reaches, read once per request.
func (c *call) theEvent(ctx context.Context) (eventRow, error) {
	c.once.Do(func() {
		var page list[eventRow]
		c.eventErr = c.ask(ctx, readEvents, http.MethodGet, "/v1/events", nil, &page)
		if c.eventErr == nil && len(page.Results) == 0 {
			c.eventErr = newError("NotFoundError", "The key reaches no event.", http.StatusNotFound, keyHint)
		}
		if c.eventErr == nil {
			c.event = page.Results[0]
		}
	})
	return c.event, c.eventErr
}

var uuidForm = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

var idForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// eventOf returns the id of the event that the arguments mean, or the first fault of the arguments.
func (c *call) eventOf(ctx context.Context, a *arguments) (string, error) {
	id := a.id("event_id")
	if a.err != nil {
		return "", a.err
	}
	if id == "" {
		event, err := c.theEvent(ctx)
		if err != nil {
			return "", c.withoutEvents(ctx, err)
		}
		return event.ID, nil
	}
	if !uuidForm.MatchString(id) {
		if key, err := c.theKey(ctx); err == nil && strings.EqualFold(key.Event.Slug, id) {
			return key.Event.ID, nil
		}
	}
	return id, nil
}

// withoutEvents adds to the error of a key that may not list events how to go on: with the event that the key itself
// names.
func (c *call) withoutEvents(ctx context.Context, err error) error {
	lacks, refused := err.(*toolError)
	if !refused || lacks.Status != http.StatusForbidden {
		return err
	}
	e, which := *lacks, "event_id (GET /v1/key of the REST API tells it)"
	if key, err := c.theKey(ctx); err == nil {
		which = "event_id " + key.Event.ID + ", which is this key's event"
	}
	e.Hint = "Pass " + which + ", or ask staff for a key with the scope read:events, with which it can be left out."
	return &e
}

// list is the envelope of every collection.
type list[T any] struct {
	Note       string     `json:"note,omitempty"`
	Results    []T        `json:"results"`
	Pagination pagination `json:"pagination"`
}

// say adds a sentence to the note.
func (l *list[T]) say(note string) { l.Note = strings.TrimSpace(l.Note + " " + note) }

type pagination struct {
	CurrentPage  int `json:"currentPage"`
	PageSize     int `json:"pageSize"`
	TotalPages   int `json:"totalPages"`
	TotalResults int `json:"totalResults"`
}

// anyKey is the scope of a call that needs a key but no scope.
const anyKey = "any key"

// ownKey is what the REST API says of the request's key.
type ownKey struct {
	Event  eventRow `json:"event"`
	Scopes []string `json:"scopes"`
}

// theKey returns the key of the request, read once.
func (c *call) theKey(ctx context.Context) (ownKey, error) {
	c.keyOnce.Do(func() { c.keyErr = c.ask(ctx, anyKey, http.MethodGet, "/v1/key", nil, &c.own) })
	return c.own, c.keyErr
}

// may reports whether the key has scopes. If that cannot be read it returns true, so that the call is tried.
func (c *call) may(ctx context.Context, scopes ...string) bool {
	key, err := c.theKey(ctx)
	return err != nil ||
		!slices.ContainsFunc(scopes, func(scope string) bool { return !slices.Contains(key.Scopes, scope) })
}

// listOwn reduces a list of the tools to those that the request's key can use. Without a key it is complete; calling
// another tool still answers which scope is missing. Clients of older protocol versions get no output schemas.
func (s *Server) listOwn(ctx context.Context, _ any, _ *mcpgo.ListToolsRequest, result *mcpgo.ListToolsResult) {
	c := ctx.Value(callKey{}).(*call)
	result.Tools = slices.DeleteFunc(slices.Clone(result.Tools), func(t mcpgo.Tool) bool {
		return c.sent && !c.may(ctx, s.scopes[t.Name]...)
	})
	for i := range result.Tools {
		if c.version < structuredSince {
			result.Tools[i].RawOutputSchema = nil
		}
	}
}
