package drive

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"lectern/models/modelstest"
)

// Agent is an MCP client that knows only an address and its headers.
type Agent struct {
	t *testing.T
	*client.Client
}

// Agent connects to the tools of the running server, in the newest version of the protocol unless options
// say otherwise.
func (s *Site) Agent(headers map[string]string, options ...client.ClientOption) *Agent {
	s.T.Helper()
	way := modelstest.Must(transport.NewStreamableHTTP(s.Base+"/mcp", transport.WithHTTPHeaders(headers)))(s.T)
	a := &Agent{s.T, client.NewClient(way, options...)}
	s.T.Cleanup(func() { a.Close() })
	var hello mcp.InitializeRequest
	hello.Params.ClientInfo = mcp.Implementation{Name: "journey", Version: "1"}
	modelstest.Fine(s.T, a.Start(s.T.Context()))
	modelstest.Must(a.Initialize(s.T.Context(), hello))(s.T)
	return a
}

// Keyed returns the headers of a client with an API key.
func Keyed(key string) map[string]string { return map[string]string{"x-access-token": key} }

// Try calls a tool. It returns the answer's only text, parsed as JSON, and whether it is an error.
func (a *Agent) Try(tool string, arguments map[string]any) (v map[string]any, failed bool, err error) {
	var request mcp.CallToolRequest
	request.Params.Name, request.Params.Arguments = tool, arguments
	result, err := a.CallTool(a.t.Context(), request)
	if err != nil {
		return nil, false, err
	}
	if len(result.Content) != 1 {
		return nil, false, fmt.Errorf("%s answered %d blocks", tool, len(result.Content))
	}
	text := result.Content[0].(mcp.TextContent).Text
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return nil, false, fmt.Errorf("%s answered %q: %w", tool, text, err)
	}
	return v, result.IsError, nil
}

// Tool calls a tool that must succeed.
func (a *Agent) Tool(name string, arguments map[string]any) map[string]any {
	a.t.Helper()
	v, failed, err := a.Try(name, arguments)
	if failed || err != nil {
		a.t.Fatalf("%s %v: %v %v", name, arguments, err, v)
	}
	return v
}

// Refused calls a tool that must fail with an error of this name and a hint that contains these words. It returns
// the answer as text.
func (a *Agent) Refused(tool string, arguments map[string]any, name, hint string) string {
	a.t.Helper()
	v, failed, err := a.Try(tool, arguments)
	if !failed || err != nil || v["error"] != name || !strings.Contains(fmt.Sprint(v["hint"]), hint) {
		a.t.Errorf("%s %v: failed is %v (%v), want %s with %q: %v", tool, arguments, failed, err, name, hint, v)
	}
	return fmt.Sprint(v)
}
