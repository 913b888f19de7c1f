package mcp

import (
	"context"
	"slices"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// anyKey is the scope of a call that needs a key but no scope.
const anyKey = "any key"

// ownKey is what the REST API says of the request's key.
type ownKey struct {
	Event  eventRow `json:"event"`
	Scopes []string `json:"scopes"`
}

// theKey returns the key of the request, read once.
func (c *call) theKey(ctx context.Context) (ownKey, error) {
	c.keyOnce.Do(func() { c.keyErr = c.get(ctx, anyKey, "/v1/key", &c.own) })
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
