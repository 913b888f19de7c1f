package chaos

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"syscall"
	"time"
)

// request is one to the API, below the event's address.
type request struct {
	method, path string
	body         any
	once         string // its Idempotency-Key
	limit        time.Duration
}

// reply is what came back.
type reply struct {
	status int // 0: nothing, or an answer that was cut short
	body   []byte
	err    error
}

func (r reply) String() string { return fmt.Sprintf("%d %.200s %v", r.status, r.body, r.err) }

// outcome is what the one who asked for a write may conclude.
func (r reply) outcome() outcome {
	switch {
	case r.status == http.StatusOK:
		return acknowledged
	case r.status >= 400 && r.status < 500, r.status == http.StatusServiceUnavailable,
		errors.Is(r.err, syscall.ECONNREFUSED):
		return refused
	}
	return unheard
}

// isOfThisTry tells whether a refusal says nothing of a try before it: it did not come as far as looking whether
// the same was asked before.
func (r reply) isOfThisTry() bool {
	return r.status == http.StatusRequestTimeout || r.status == http.StatusServiceUnavailable
}

// fault is what a replica must not answer, whatever is broken. A database that is
// away is a 503, or a 504 in the midst of a commit; one that ends hangs up, or says that it heard too little.
func (r reply) fault(at *replica) string {
	switch r.status {
	case 0, http.StatusOK, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return ""
	case http.StatusRequestTimeout:
		if at.ending.Load() {
			return ""
		}
	}
	var said struct{ Error, Message string }
	json.Unmarshal(r.body, &said)
	return fmt.Sprintf("%d %s: %s", r.status, said.Error, said.Message)
}

// ask sends a request to a replica.
func (s *site) ask(at *replica, r request) reply {
	ctx, cancel := context.WithTimeout(s.ctx, r.limit)
	defer cancel()
	var content []byte
	if r.body != nil {
		var err error
		if content, err = json.Marshal(r.body); err != nil {
			return reply{err: err}
		}
	}
	address := at.base.Load().(string) + "/v1/event/" + s.event + r.path
	message, err := http.NewRequestWithContext(ctx, r.method, address, bytes.NewReader(content))
	if err != nil {
		return reply{err: err}
	}
	message.Header.Set("x-access-token", s.key)
	message.Header.Set("content-type", "application/json")
	if r.once != "" {
		message.Header.Set("Idempotency-Key", r.once)
	}
	response, err := s.client.Do(message)
	if err != nil {
		return reply{err: err}
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return reply{err: err}
	}
	return reply{status: response.StatusCode, body: answer}
}

// row is a session as the API returns it.
type row struct {
	ID          string  `json:"id"`
	FriendlyID  string  `json:"friendly_id"`
	Title       string  `json:"title"`
	Description string  `json:"description"`
	Status      string  `json:"status"`
	Capacity    int     `json:"capacity"`
	IsPublic    bool    `json:"is_public"`
	UpdatedAt   string  `json:"updated_at"`
	DeletedAt   *string `json:"deleted_at"`
}

func (r *row) content() content {
	return content{Title: r.Title, Description: r.Description, Status: r.Status, Capacity: r.Capacity,
		Public: r.IsPublic, Deleted: r.DeletedAt != nil}
}

// readAll reads every session there is back through the API, deleted ones too.
func (s *site) readAll() (rows []*row) {
	s.Helper()
	search := map[string]any{"filters": map[string]any{"include_deleted": true},
		"sort": map[string]any{"order": "createdAt", "sort": "asc"}}
	for _, raw := range s.all("POST", "/sessions/search", search) {
		var found row
		s.check(json.Unmarshal(raw, &found))
		rows = append(rows, &found)
	}
	return rows
}

// all are the rows of a list.
func (s *site) all(method, path string, body any) (rows []json.RawMessage) {
	s.Helper()
	for number, pages := 1, 1; number <= pages; number++ {
		var page struct {
			Results    []json.RawMessage
			Pagination struct{ TotalPages int }
		}
		s.check(json.Unmarshal(s.shows(method, fmt.Sprintf("%s?page=%d&pageSize=100", path, number), body), &page))
		rows, pages = append(rows, page.Results...), page.Pagination.TotalPages
	}
	return rows
}

// shows is what the API shows at a path.
func (s *site) shows(method, path string, body any) json.RawMessage {
	s.Helper()
	got := s.ask(s.replicas[0], request{method: method, path: path, body: body, limit: time.Minute})
	if got.status != http.StatusOK {
		s.Fatalf("reading back: %s", got)
	}
	return bytes.TrimSpace(got.body)
}
