package api

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"lectern/models"
	"lectern/models/store"
)

// once runs an operation, or returns its first answer if the request repeats an Idempotency-Key.
func once[T any](
	ctx context.Context, a *API, who *caller, key, operation string, body any, run func(context.Context) (*T, error),
) (*T, error) {
	if key == "" {
		return run(ctx)
	}
	request, err := onceOf(who, key, operation, body)
	if err != nil {
		return nil, err
	}
	kept, _, err := a.store.Once(ctx, request, func(ctx context.Context) (string, error) {
		out, err := run(ctx)
		if err != nil {
			return "", err
		}
		answer, err := json.Marshal(out)
		return string(answer), err
	})
	if e := store.AsError(err); e != nil && e.Kind == store.Unknown {
		return nil, fmt.Errorf("%w: %w", &store.Error{Kind: e.Kind, Message: e.Message + onceMore}, err)
	}
	if err != nil {
		return nil, err
	}
	return answerTo[T](request, kept)
}

// onceMore tells a client how to go on when the outcome of a request with an Idempotency-Key is unknown.
const onceMore = " With its Idempotency-Key it may be sent again as it is: it is done once."

// answered returns the first answer to a request, or nil if there is none yet.
func answered[T any](ctx context.Context, a *API, who *caller, key, operation string, body any) (*T, error) {
	request, err := onceOf(who, key, operation, body)
	if err != nil {
		return nil, err
	}
	kept, err := a.store.Answered(ctx, request)
	if kept == nil || err != nil {
		return nil, err
	}
	return answerTo[T](request, kept)
}

// answerTo reads a kept answer, unless it belongs to another request.
func answerTo[T any](request store.Once, kept *store.KeptAnswer) (*T, error) {
	if kept.Request != request.Request {
		return nil, invalid(store.FieldError{Field: "Idempotency-Key", Message: "was used for another request before"})
	}
	var out T
	return &out, json.Unmarshal([]byte(kept.Answer), &out)
}

func onceOf(who *caller, key, operation string, body any) (store.Once, error) {
	request, err := json.Marshal(body)
	if err != nil {
		return store.Once{}, err
	}
	sum := sha256.Sum256(append([]byte(operation+"\n"), request...))
	return models.OnceByKey(who.key.ID, key, hex.EncodeToString(sum[:]))
}
