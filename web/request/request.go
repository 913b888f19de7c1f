// Package request holds what every door does with a request: its id, the address it comes from, its body, its rate
// and the ETag of its answer.
package request

import "context"

// IDKey is the key of a request's id in fiber's locals.
type IDKey struct{}

// ID returns the id of the request that ctx belongs to (fiber's Context, or one that holds IDKey), "" where there
// is none.
func ID(ctx context.Context) string {
	id, _ := ctx.Value(IDKey{}).(string)
	return id
}

// EndingKey is the key in a request's context of the channel that Ending returns.
type EndingKey struct{}

// Ending returns a channel that is closed once the process begins to shut down: a request that only waits should
// answer then. It is nil, which blocks for ever, for requests outside of a server.
func Ending(ctx context.Context) <-chan struct{} {
	ending, _ := ctx.Value(EndingKey{}).(<-chan struct{})
	return ending
}

// RetryAfter is how many seconds a client should wait when the database cannot serve.
const RetryAfter = "5"
