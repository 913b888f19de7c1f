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
	"strings"
	"sync"
	"time"

	gojson "github.com/goccy/go-json"
	"github.com/mark3labs/mcp-go/server"
)

type callKey struct{}

// call is one HTTP request: who asks, and what was learned of their event.
type call struct {
	server    *Server
	key       string // empty when there is none
	sent      bool   // the key, by the caller
	version   string // of the protocol, as a header names it
	badHeader bool   // an Authorization that is no bearer token, or an empty credential
	requestID string

	once     sync.Once
	event    eventRow
	eventErr error

	keyOnce sync.Once
	own     ownKey
	keyErr  error

	text    string     // the JSON that answers the message which is handled
	quoted  []byte     // it as a text of JSON
	refused *toolError // why the message has no result
}

// newCall takes the credential of a request: x-access-token, else a bearer token, else the fallback. A header
// that is there but useless is never replaced by the fallback.
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

// authenticated answers an error unless a key was sent. Whether it is a good one is for the REST API to say.
func (c *call) authenticated() error {
	message := "No API key was sent."
	if c.badHeader {
		message = "The credential header holds no API key."
	} else if c.key != "" {
		return nil
	}
	return newError("UnauthorizedError", message, http.StatusUnauthorized, keyHint)
}

// restTimeout ends a REST call when nothing else does. A client that goes away ends nothing.
const restTimeout = 20 * time.Second

// maxAnswer bounds what is read of a REST answer, in bytes.
const maxAnswer = 16 << 20

// get and post ask the REST API, which needs scope, and decode its answer.
func (c *call) get(ctx context.Context, scope, path string, into any) error {
	return c.ask(ctx, scope, http.MethodGet, path, nil, into)
}

func (c *call) post(ctx context.Context, scope, path string, body, into any) error {
	return c.send(ctx, scope, http.MethodPost, path, body, into)
}

// send is for what has a body.
func (c *call) send(ctx context.Context, scope, method, path string, body, into any) error {
	b, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return c.ask(ctx, scope, method, path, b, into)
}

func (c *call) ask(ctx context.Context, scope, method, path string, body []byte, into any) error {
	if scope != "" {
		if err := c.authenticated(); err != nil {
			return err
		}
	}
	limited, cancel := context.WithTimeout(ctx, restTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(limited, method, c.server.options.API+path, bytes.NewReader(body))
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

// theEvent is the event that the key reaches, asked for once a request.
func (c *call) theEvent(ctx context.Context) (eventRow, error) {
	c.once.Do(func() {
		var page list[eventRow]
		c.eventErr = c.get(ctx, readEvents, "/v1/events", &page)
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

// in returns the path of something below the event that the arguments name by its id or slug, or below the only one
// there is.
func (c *call) in(ctx context.Context, a *arguments, rest string) (string, error) {
	id := a.id("event_id")
	if a.err != nil {
		return "", a.err
	}
	if id == "" {
		event, err := c.theEvent(ctx)
		if err != nil {
			return "", c.withoutEvents(ctx, err)
		}
		id = event.ID
	} else if !uuidForm.MatchString(id) {
		if key, err := c.theKey(ctx); err == nil && strings.EqualFold(key.Event.Slug, id) {
			id = key.Event.ID
		}
	}
	return "/v1/event/" + id + rest, nil
}

// withoutEvents tells a key that may not list events how to go on: with the event that the key itself names.
func (c *call) withoutEvents(ctx context.Context, err error) error {
	if !isForbidden(err) {
		return err
	}
	e, which := *err.(*toolError), "event_id (GET /v1/key of the REST API tells it)"
	if key, err := c.theKey(ctx); err == nil {
		which = "event_id " + key.Event.ID + ", which is this key's event"
	}
	e.Hint = "Pass " + which + ", or ask staff for a key with the scope read:events, with which it can be left out."
	return &e
}

// isForbidden tells whether a key lacks a scope.
func isForbidden(err error) bool {
	e, ok := err.(*toolError)
	return ok && e.Status == http.StatusForbidden
}

// list is the envelope of every collection.
type list[T any] struct {
	Note       string     `json:"note,omitempty"`
	Results    []T        `json:"results"`
	Pagination pagination `json:"pagination"`
}

// say adds a sentence to what a reader has to know of the rows.
func (l *list[T]) say(note string) { l.Note = strings.TrimSpace(l.Note + " " + note) }

type pagination struct {
	CurrentPage  int `json:"currentPage"`
	PageSize     int `json:"pageSize"`
	TotalPages   int `json:"totalPages"`
	TotalResults int `json:"totalResults"`
}
