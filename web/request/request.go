// Package request is what every door does with a request, whichever it is: its id,
// where it comes from, its body, its rate and the tag of its answer.
package request

import "context"

// IDKey is where the id of a request is kept in fiber's locals.
type IDKey struct{}

// ID is the id of the request that ctx belongs to: fiber's Context, or one in which
// IDKey was put; "" when it has none.
func ID(ctx context.Context) string {
	id, _ := ctx.Value(IDKey{}).(string)
	return id
}

// EndingKey is where the context of a request keeps the channel of Ending.
type EndingKey struct{}

// Ending is closed once the process begins to end: a request that only waits should answer then. It is nil, and never
// ready, where the request is none of a server.
func Ending(ctx context.Context) <-chan struct{} {
	ending, _ := ctx.Value(EndingKey{}).(<-chan struct{})
	return ending
}

// RetryAfter is how long to wait for a database that cannot serve, in seconds.
const RetryAfter = "5"
