package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// agent is an MCP client that knows nothing but an address and its headers.
type agent struct {
	t *testing.T
	*client.Client
}

// agent connects to the tool interface of the running server, in the newest
// version of the protocol unless options say otherwise.
func (s *site) agent(headers map[string]string, options ...client.ClientOption) *agent {
	s.t.Helper()
	way, err := transport.NewStreamableHTTP(s.base+"/mcp", transport.WithHTTPHeaders(headers))
	if err != nil {
		s.t.Fatal(err)
	}
	a := &agent{s.t, client.NewClient(way, options...)}
	s.t.Cleanup(func() { a.Close() })
	var hello mcp.InitializeRequest
	hello.Params.ClientInfo = mcp.Implementation{Name: "journey", Version: "1"}
	if err := a.Start(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	if _, err := a.Initialize(s.t.Context(), hello); err != nil {
		s.t.Fatal(err)
	}
	return a
}

// keyed are the headers of a caller with a key.
func keyed(key string) map[string]string { return map[string]string{"x-access-token": key} }

// try calls a tool and returns its one text, read as JSON, and whether it is an error.
func (a *agent) try(tool string, arguments map[string]any) (v map[string]any, failed bool, err error) {
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

// tool calls a tool that must succeed.
func (a *agent) tool(name string, arguments map[string]any) map[string]any {
	a.t.Helper()
	v, failed, err := a.try(name, arguments)
	if failed || err != nil {
		a.t.Fatalf("%s %v: %v %v", name, arguments, err, v)
	}
	return v
}

// refused calls a tool that must fail with error and a hint with these words,
// and returns the answer as text.
func (a *agent) refused(tool string, arguments map[string]any, name, hint string) string {
	a.t.Helper()
	v, failed, err := a.try(tool, arguments)
	if !failed || err != nil || v["error"] != name || !strings.Contains(fmt.Sprint(v["hint"]), hint) {
		a.t.Errorf("%s %v: failed is %v (%v), want %s with %q: %v", tool, arguments, failed, err, name, hint, v)
	}
	return fmt.Sprint(v)
}

// rows are the results of a collection.
func rows(v map[string]any) []map[string]any {
	var out []map[string]any
	for _, row := range v["results"].([]any) {
		out = append(out, row.(map[string]any))
	}
	return out
}

func column(v map[string]any, name string) (out []any) {
	for _, row := range rows(v) {
		out = append(out, row[name])
	}
	return out
}

// weekend is a published schedule: a talk on Friday, and two on Saturday of
// which the first starts half past midnight in Lisbon, which is Friday in UTC.
const weekend = `<?xml version="1.0" encoding="UTF-8"?>
<schedule><conference><title>Harbour</title><time_zone_name>Europe/Lisbon</time_zone_name></conference>
<day index="1" date="2027-05-14"><room name="Great Hall">
<event id="1"><date>2027-05-14T10:00:00+01:00</date><start>10:00</start><duration>00:30</duration><title>Friday's ferries</title><track>Boats</track></event>
</room></day>
<day index="2" date="2027-05-15"><room name="Great Hall">
<event id="2"><date>2027-05-15T11:00:00+01:00</date><start>11:00</start><duration>00:45</duration><title>Queues that forget nothing</title><track>Systems</track><persons><person id="7">Ada Lovelace</person></persons></event>
<event id="3"><date>2027-05-15T00:30:00+01:00</date><start>00:30</start><duration>00:20</duration><title>Night watch</title><track>Boats</track></event>
</room></day></schedule>`

const readingScopes = "read:events,read:sessions,read:contacts,read:metadata"

// harbour fills an installation: the schedule of a weekend, four submissions,
// and another event of the same organization with one, all served.
type harbour struct {
	*site
	*server
	path, key, reader string // reader is a key with all scopes but the writing ones
	foreign           string // the id of the other event's submission
	foreignEvent      string
}

func newHarbour(t *testing.T, s *site) *harbour {
	t.Helper()
	h := &harbour{site: s}
	h.path, h.key = s.conference()
	h.reader = s.run("apikey", "create", "--event", "harbour", "--name", "reader", "--scopes",
		readingScopes)["key"].(string)
	file := filepath.Join(t.TempDir(), "schedule.xml")
	if err := os.WriteFile(file, []byte(weekend), 0o600); err != nil {
		t.Fatal(err)
	}
	s.run("import", file, "--event", "harbour")
	s.run("event", "create", "--name", "Other", "--slug", "other", "--timezone", "UTC")
	other := s.run("apikey", "create", "--event", "other", "--name", "k", "--scopes", "all")
	h.server = s.serve("serve")
	for title, status := range map[string]string{"Forty year old code": "accept_queue", "Lamps and logs": "accept_queue",
		"Pumps": "pending", "Nets": "declined"} {
		s.ok(h.key, "POST", h.path+"/sessions/create",
			fmt.Sprintf(
				`{"title": %q, "is_abstract": true, "status": %q, "description": "<p>What <b>%s</b> taught us.</p>",
					"custom_fields": {"length": "30 minutes"}}`, title, status, title))
	}
	h.foreignEvent = other["event_id"].(string)
	h.foreign = s.ok(other["key"].(string), "POST", "/v1/event/"+h.foreignEvent+"/sessions/create",
		`{"title": "Not yours", "is_abstract": true, "status": "accept_queue"}`)["id"].(string)
	return h
}
