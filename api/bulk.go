package api

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"lectern/models/store"
)

const maxOperations = 100

// BulkRequest is up to 100 operations, applied in order.
type BulkRequest struct {
	Operations []BulkOperation `json:"operations" maxItems:"100" nullable:"false"`
}

// BulkOperation is one item of a bulk request.
type BulkOperation struct {
	Action string `json:"action" enum:"create,update,delete"`
	ID     string `json:"id,omitempty" nullable:"true" doc:"The session, for update and delete"`
	Data   any    `json:"data,omitempty" doc:"The fields, for create (as SessionCreate) and update (as SessionUpdate)"`
}

// BulkCreate, BulkUpdate and BulkDelete are the forms of a BulkOperation, used only in the document.
type (
	BulkCreate struct {
		Action string        `json:"action"`
		Data   SessionCreate `json:"data"`
	}
	BulkUpdate struct {
		Action string        `json:"action"`
		ID     string        `json:"id" doc:"Session id, or its friendly id"`
		Data   SessionUpdate `json:"data"`
	}
	BulkDelete struct {
		Action string `json:"action"`
		ID     string `json:"id" doc:"Session id, or its friendly id"`
	}
)

// BulkResult is the answer to a bulk request: a result for each operation, in order.
type BulkResult struct {
	BatchID string       `json:"batch_id"`
	Results []ItemResult `json:"results" nullable:"false"`
	Stats   BulkStats    `json:"stats"`
}

// BulkStats counts the results.
type BulkStats struct {
	Total     int `json:"total"`
	Succeeded int `json:"succeeded"`
	Failed    int `json:"failed"`
}

// ItemResult is the outcome of one operation.
type ItemResult struct {
	Index  int        `json:"index" doc:"Position in the request, from 0"`
	Action string     `json:"action" doc:"As it was sent"`
	Status string     `json:"status" enum:"success,error"`
	ID     string     `json:"id,omitempty" doc:"On success"`
	Error  *ItemError `json:"error,omitempty" doc:"On error"`
}

// ItemError says why one operation failed.
type ItemError struct {
	Code    string             `json:"code" enum:"validation_error,publish_gate,not_found,conflict,internal_error"`
	Message string             `json:"message"`
	Details []store.FieldError `json:"details,omitempty" nullable:"false"`
}

type bulkInput struct {
	InEvent
	IdempotencyKey string `header:"Idempotency-Key" maxLength:"200" doc:"Repeating the request with the same key within 24 hours does no operation twice"`
	// The body is decoded item by item, because one bad item must not fail the batch.
	RawBody []byte
}

func (a *API) bulkSessions(ctx context.Context, who *caller, in *bulkInput) (*BulkResult, error) {
	items, err := bulkItems(in.RawBody)
	if err != nil {
		return nil, err
	}
	run := func(ctx context.Context) *BulkResult {
		result := &BulkResult{BatchID: store.NewID(), Results: a.bulkResults(ctx, who, in.IdempotencyKey, items)}
		for _, item := range result.Results {
			if result.Stats.Total++; item.Status == "success" {
				result.Stats.Succeeded++
			} else {
				result.Stats.Failed++
			}
		}
		return result
	}
	if in.IdempotencyKey == "" {
		return run(ctx), nil
	}
	// Each item keeps its own answer, so a batch that was cut short continues where it ended. The answer to the whole
	// batch is kept last.
	whole := json.RawMessage(in.RawBody)
	known, err := answered[BulkResult](ctx, a, who, in.IdempotencyKey, "bulkSessions", whole)
	if known != nil || err != nil {
		return known, err
	}
	result := run(ctx)
	if slices.ContainsFunc(result.Results, func(item ItemResult) bool { return item.Error != nil && item.Error.Code == notServed }) {
		return result, nil // if the batch is sent again, these items are retried, and the others answer as before
	}
	kept, err := once(ctx, a, who, in.IdempotencyKey, "bulkSessions", whole, func(context.Context) (*BulkResult, error) {
		return result, nil
	})
	if kind := store.KindOf(err); kind == store.Unavailable || kind == store.Unknown {
		return result, nil // the results, no error: each item's answer is kept on its own
	}
	return kept, err
}

// bulkItems reads the envelope of the request; faults within an item are left to that item.
func bulkItems(body []byte) ([]json.RawMessage, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil || fields == nil {
		return nil, invalid(store.FieldError{Field: "body", Message: "is not a JSON object"})
	}
	raw := fields["operations"]
	delete(fields, "operations")
	if len(fields) > 0 {
		return nil, invalid(store.Map(slices.Sorted(maps.Keys(fields)), func(name string) store.FieldError {
			return store.FieldError{Field: name, Message: "is not a field of this request"}
		})...)
	}
	var items []json.RawMessage
	if len(raw) == 0 || raw[0] != '[' || json.Unmarshal(raw, &items) != nil {
		return nil, invalid(store.FieldError{Field: "operations", Message: "must be an array"})
	}
	if len(items) > maxOperations {
		message := fmt.Sprintf("has %d items; at most %d are allowed", len(items), maxOperations)
		return nil, invalid(store.FieldError{Field: "operations", Message: message})
	}
	return items, nil
}

// decode validates raw against the schema of a documented type and reads it into v, with the same errors as for a
// request body.
func (a *API) decode(raw json.RawMessage, v any, documented reflect.Type) error {
	var parsed any
	err := error(nil)
	if len(raw) > 0 {
		err = unmarshal(raw, &parsed)
	}
	found := &huma.ValidateResult{}
	if err == nil {
		schema, path := a.registry.Schema(documented, true, ""), huma.NewPathBuffer(make([]byte, 0, 64), 0)
		path.Push("body")
		huma.Validate(a.registry, schema, path, huma.ModeWriteToServer, parsed, found)
		for _, null := range a.nulls(schema, parsed) {
			found.Errors = append(found.Errors, &huma.ErrorDetail{Location: null.Field, Message: null.Message})
		}
	}
	if err == nil && len(found.Errors) == 0 {
		if err = unmarshal(raw, v); err == nil {
			return nil
		}
	}
	if err != nil {
		found.Errors = append(found.Errors, &huma.ErrorDetail{Location: "body", Message: err.Error()})
	}
	answer := humaError("", http.StatusBadRequest, "", found.Errors)
	return &store.Error{Kind: store.Invalid, Message: strings.TrimSpace(answer.Message), Fields: answer.Details}
}
