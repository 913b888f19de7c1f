package mcp

import (
	"context"
	"slices"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// anyKey stands for the scope of a call that needs a key and no scope.
const anyKey = "any key"

// ownKey is what a key tells of itself.
type ownKey struct {
	Event  eventRow `json:"event"`
	Scopes []string `json:"scopes"`
}

// theKey is the key of the request, asked for once.
func (c *call) theKey(ctx context.Context) (ownKey, error) {
	c.keyOnce.Do(func() { c.keyErr = c.get(ctx, anyKey, "/v1/key", &c.own) })
	return c.own, c.keyErr
}

// may tells whether the key has scopes. What is not known may be tried.
func (c *call) may(ctx context.Context, scopes ...string) bool {
	key, err := c.theKey(ctx)
	return err != nil ||
		!slices.ContainsFunc(scopes, func(scope string) bool { return !slices.Contains(key.Scopes, scope) })
}

// listOwn leaves in a list of the tools those that the key of the request can use. Without a key it is the whole
// interface; calling another tool still says which scope is missing. What tools answer is told to who takes it.
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
