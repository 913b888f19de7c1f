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

// RetryAfter is how long to wait for a database that cannot serve, in seconds.
const RetryAfter = "5"
