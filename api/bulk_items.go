package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"

	"lectern/models"
	"lectern/models/store"
)

// createdTogether is how many creates that follow each other are made in one transaction at most. It takes less than a
// third of what one for each takes, and holds the event's counters for no more than some milliseconds.
const createdTogether = 25

// bulkItem is an item as it was sent.
type bulkItem struct {
	Action string          `json:"action"`
	ID     string          `json:"id,omitempty"`
	Data   json.RawMessage `json:"data,omitempty"`
}

// bulkResults does the items in their order.
func (a *API) bulkResults(ctx context.Context, who *caller, key string, items []json.RawMessage) []ItemResult {
	results := make([]ItemResult, 0, len(items))
	for len(results) < len(items) {
		at := len(results)
		creates, bodies := a.leadingCreates(items[at:min(len(items), at+createdTogether)])
		n := max(1, len(creates))
		if n > 1 {
			ids, err := a.createTogether(ctx, who, key, at, creates, bodies)
			// What may have been made is not made again, unless its key would tell.
			kind := store.KindOf(err)
			if err == nil || kind == store.Unavailable || kind == store.Unknown && key == "" {
				for i := range creates {
					result := ItemResult{Index: at + i, Action: "create", Status: "success"}
					if err == nil {
						result.ID = ids[i]
					} else {
						result = result.failed(ctx, err)
					}
					results = append(results, result)
				}
				continue
			}
		}
		for i, raw := range items[at : at+n] { // each by itself, so that each has its own error
			results = append(results, a.bulkItem(ctx, who, key, at+i, raw))
		}
	}
	return results
}

// leadingCreates are the creates that items begin with, as far as nothing is wrong with what was sent.
func (a *API) leadingCreates(items []json.RawMessage) (creates []bulkItem, bodies []models.NewSession) {
	for _, raw := range items {
		var item bulkItem
		var body SessionCreate
		if sentAction(raw) != "create" || a.decode(raw, &item, reflect.TypeFor[BulkOperation]()) != nil ||
			a.decode(item.Data, &body, reflect.TypeFor[SessionCreate]()) != nil {
			break
		}
		creates, bodies = append(creates, item), append(bodies, body.NewSession)
	}
	return creates, bodies
}

// errAnswered is of items of which one was answered before.
var errAnswered = errors.New("one of the items was answered before")

// createTogether makes all of these sessions, the first of them being the item at, or none. Each item's answer is kept as
// if it were made by itself.
func (a *API) createTogether(
	ctx context.Context, who *caller, key string, at int, creates []bulkItem, bodies []models.NewSession,
) ([]string, error) {
	ids := make([]string, len(bodies))
	create := func(ctx context.Context) ([]string, error) {
		made, err := who.CreateSessions(ctx, bodies)
		answers := make([]string, len(made))
		for i, s := range made {
			answer, _ := json.Marshal(s.ID)
			ids[i], answers[i] = s.ID, string(answer)
		}
		return answers, err
	}
	if key == "" {
		_, err := create(ctx)
		return ids, err
	}
	requests := make([]store.Once, len(creates))
	for i, item := range creates {
		var err error
		if requests[i], err = onceOf(who, itemKey(key, at+i), "bulkItem", item); err != nil {
			return nil, err
		}
	}
	done, err := a.store.OnceEach(ctx, requests, create)
	if err == nil && !done {
		err = errAnswered
	}
	return ids, err
}

// itemKey is the Idempotency-Key of an item. No header holds a line break, so no single request has it.
func itemKey(key string, index int) string {
	if key == "" {
		return ""
	}
	return fmt.Sprintf("%s\nitem %d", key, index)
}

// bulkItem does one operation exactly as the single request would.
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

// failed is the result with an error.
func (r ItemResult) failed(ctx context.Context, err error) ItemResult {
	answer := problem(ctx, err)
	r.Status, r.Error = "error", &ItemError{Code: itemCodes[answer.status], Message: answer.Message, Details: answer.Details}
	if answer.Name == gateHeld {
		r.Error.Code = "publish_gate"
	}
	return r
}

// sentAction is the action of an item as it was sent, however wrong the item is; one
// that is no string is shown as its JSON.
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

// notServed is the code of an item that we could not serve, whatever was sent.
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
