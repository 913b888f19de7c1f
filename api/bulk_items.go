package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"

	"lectern/models"
	"lectern/models/store"
)

// doneTogether is how many consecutive creates, or updates, share one transaction at most. That takes less than a third
// of the time of one transaction each, and locks the event's counters for a few milliseconds only.
const doneTogether = 25

// bulkItem is an item of a request.
type bulkItem struct {
	Action string          `json:"action"`
	ID     string          `json:"id,omitempty"`
	Data   json.RawMessage `json:"data,omitempty"`
}

// bulkResults runs the items in order.
func (a *API) bulkResults(ctx context.Context, who *caller, key string, items []json.RawMessage) []ItemResult {
	results := make([]ItemResult, 0, len(items))
	for len(results) < len(items) {
		at := len(results)
		some := a.leading(ctx, who, items[at:min(len(items), at+doneTogether)])
		results = append(results, a.someResults(ctx, who, key, at, some, items[at:at+max(1, len(some.items))])...)
	}
	return results
}

// someResults runs consecutive items, the first of which has the index at. Items that must run alone split the others,
// so that all run in order.
func (a *API) someResults(
	ctx context.Context, who *caller, key string, at int, some together, items []json.RawMessage,
) (results []ItemResult) {
	if len(items) > 1 {
		ids, err := a.doTogether(ctx, who, key, at, some)
		// What may have been committed is not repeated, unless an idempotency key protects it.
		kind := store.KindOf(err)
		if err == nil || kind == store.Unavailable || kind == store.Unknown && key == "" {
			for i, item := range some.items {
				result := ItemResult{Index: at + i, Action: item.Action, Status: "success"}
				if err == nil {
					result.ID = ids[i]
				} else {
					result = result.failed(ctx, err)
				}
				results = append(results, result)
			}
			return results
		}
		if apart, found := errors.AsType[*models.ApartError](err); found {
			part := func(from, to int) {
				results = append(results, a.someResults(ctx, who, key, at+from, some.part(from, to), items[from:to])...)
			}
			done := 0
			for _, i := range apart.At {
				part(done, i)
				part(i, i+1)
				done = i + 1
			}
			part(done, len(items))
			return results
		}
	}
	for i, raw := range items { // each alone, so that each has its own error
		results = append(results, a.bulkItem(ctx, who, key, at+i, raw))
	}
	return results
}

// together are consecutive items of one action, with their decoded bodies.
type together struct {
	items   []bulkItem
	creates []models.NewSession
	updates []models.SessionUpdate // each of another session
}

// part returns the items from index from up to to.
func (t together) part(from, to int) together {
	t.items = t.items[from:to]
	if len(t.creates) > 0 {
		t.creates = t.creates[from:to]
	}
	if len(t.updates) > 0 {
		t.updates = t.updates[from:to]
	}
	return t
}

// leading returns the creates or updates at the beginning of items, up to the first faulty one.
func (a *API) leading(ctx context.Context, who *caller, items []json.RawMessage) (some together) {
	action := sentAction(items[0])
	for _, raw := range items {
		var item bulkItem
		if sentAction(raw) != action || a.decode(raw, &item, reflect.TypeFor[BulkOperation]()) != nil ||
			!a.join(ctx, who, &some, item) {
			break
		}
		some.items = append(some.items, item)
	}
	return some
}

// join adds an item's body to those before it, and reports whether it can be done together with them.
func (a *API) join(ctx context.Context, who *caller, some *together, item bulkItem) bool {
	switch item.Action {
	case "create":
		var body SessionCreate
		if a.decode(item.Data, &body, reflect.TypeFor[SessionCreate]()) != nil {
			return false
		}
		some.creates = append(some.creates, body.NewSession)
		return true
	case "update":
		var body SessionUpdate
		id, err := who.SessionID(ctx, item.ID)
		isThere := func(u models.SessionUpdate) bool { return u.ID == id }
		if err != nil || slices.ContainsFunc(some.updates, isThere) ||
			a.decode(item.Data, &body, reflect.TypeFor[SessionUpdate]()) != nil {
			return false
		}
		some.updates = append(some.updates, models.SessionUpdate{ID: id, SessionChange: body.SessionChange})
		return true
	}
	return false
}

// errAnswered says that one of the items was answered before.
var errAnswered = errors.New("one of the items was answered before")

// doTogether runs all of these items, the first of which has the index at, or none. It keeps an answer for each item,
// as if each had run alone.
func (a *API) doTogether(ctx context.Context, who *caller, key string, at int, some together) ([]string, error) {
	ids := make([]string, len(some.items))
	do := func(ctx context.Context) (answers []string, err error) {
		var done []*models.Session
		if len(some.creates) > 0 {
			done, err = who.CreateSessions(ctx, some.creates)
		} else {
			done, err = who.UpdateSessions(ctx, some.updates)
		}
		answers = make([]string, len(done))
		for i, s := range done {
			answer, _ := json.Marshal(s.ID)
			ids[i], answers[i] = s.ID, string(answer)
		}
		return answers, err
	}
	if key == "" {
		_, err := do(ctx)
		return ids, err
	}
	requests := make([]store.Once, len(some.items))
	for i, item := range some.items {
		var err error
		if requests[i], err = onceOf(who, itemKey(key, at+i), "bulkItem", item); err != nil {
			return nil, err
		}
	}
	done, err := a.store.OnceEach(ctx, requests, do)
	if err == nil && !done {
		err = errAnswered
	}
	return ids, err
}

// itemKey returns the Idempotency-Key of an item. A header cannot contain a line break, so no single request has the
// same key.
func itemKey(key string, index int) string {
	if key == "" {
		return ""
	}
	return fmt.Sprintf("%s\nitem %d", key, index)
}

// bulkItem runs one operation exactly as the single request would.
func (a *API) bulkItem(ctx context.Context, who *caller, key string, index int, raw json.RawMessage) ItemResult {
	result := ItemResult{Index: index, Action: sentAction(raw), Status: "success"}
	var item bulkItem
	err := a.decode(raw, &item, reflect.TypeFor[BulkOperation]())
	if err == nil {
		var id *string
		id, err = once(ctx, a, who, itemKey(key, index), "bulkItem", item, func(ctx context.Context) (*string, error) {
			return a.apply(ctx, who, item.Action, item.ID, item.Data)
		})
		if err == nil {
			result.ID = *id
			return result
		}
	}
	return result.failed(ctx, err)
}

// failed returns the result with an error.
func (r ItemResult) failed(ctx context.Context, err error) ItemResult {
	answer := problem(ctx, err)
	r.Status, r.Error = "error", &ItemError{Code: itemCodes[answer.status], Message: answer.Message, Details: answer.Details}
	if answer.Name == gateHeld {
		r.Error.Code = "publish_gate"
	}
	return r
}

// sentAction returns the action of an item as sent, however faulty the item is; one that is not a string is returned as
// its JSON.
func sentAction(raw json.RawMessage) string {
	var item map[string]json.RawMessage
	if json.Unmarshal(raw, &item) != nil || string(item["action"]) == "null" {
		return ""
	}
	var action string
	if json.Unmarshal(item["action"], &action) != nil {
		return string(item["action"])
	}
	return action
}

// notServed is the code of an item that failed through no fault of the request.
const notServed = "internal_error"

var itemCodes = map[int]string{
	http.StatusBadRequest:          "validation_error",
	http.StatusNotFound:            "not_found",
	http.StatusConflict:            "conflict",
	http.StatusInternalServerError: notServed,
	http.StatusServiceUnavailable:  notServed,
	http.StatusGatewayTimeout:      notServed,
}

func (a *API) apply(ctx context.Context, who *caller, action, id string, data json.RawMessage) (*string, error) {
	var s *models.Session
	var err error
	if action != "create" {
		if id, err = who.SessionID(ctx, id); err != nil {
			return nil, err
		}
	}
	switch action {
	case "create":
		var body SessionCreate
		if err = a.decode(data, &body, reflect.TypeFor[SessionCreate]()); err == nil {
			s, err = who.CreateSession(ctx, body.NewSession)
		}
	case "update":
		var body SessionUpdate
		if err = a.decode(data, &body, reflect.TypeFor[SessionUpdate]()); err == nil {
			s, err = who.UpdateSession(ctx, id, body.SessionChange)
		}
	case "delete":
		s, err = who.DeleteSession(ctx, id)
	}
	if err != nil {
		return nil, err
	}
	return &s.ID, nil
}
