package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

const readingScopes = "read:events,read:sessions,read:contacts,read:metadata"

// agent is an MCP client that knows nothing but an address and its headers.
type agent struct {
	t *testing.T
	*client.Client
}

// agent connects to the tool interface of the running server.
func (s *site) agent(headers map[string]string) *agent {
	s.t.Helper()
	c, err := client.NewStreamableHttpClient(s.base+"/mcp", transport.WithHTTPHeaders(headers))
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { c.Close() })
	a := &agent{s.t, c}
	if err := a.connect(); err != nil {
		s.t.Fatal(err)
	}
	return a
}

func (a *agent) connect() error {
	var hello mcp.InitializeRequest
	hello.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
	hello.Params.ClientInfo = mcp.Implementation{Name: "journey", Version: "1"}
	_, err := a.Initialize(a.t.Context(), hello)
	return err
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
	h.reader = s.run("apikey", "create", "--event", "harbour", "--name", "reader", "--scopes", readingScopes)["key"].(string)
	file := filepath.Join(t.TempDir(), "schedule.xml")
	if err := os.WriteFile(file, []byte(weekend), 0o600); err != nil {
		t.Fatal(err)
	}
	s.run("import", file, "--event", "harbour")
	s.run("event", "create", "--name", "Other", "--slug", "other", "--timezone", "UTC")
	other := s.run("apikey", "create", "--event", "other", "--name", "k", "--scopes", "all")
	h.server = s.serve("serve")
	for title, status := range map[string]string{"Forty year old code": "accept_queue", "Lamps and logs": "accept_queue", "Pumps": "pending", "Nets": "declined"} {
		s.ok(h.key, "POST", h.path+"/sessions/create", fmt.Sprintf(`{"title": %q, "is_abstract": true, "status": %q, "description": "<p>What <b>%s</b> taught us.</p>", "custom_fields": {"length": "30 minutes"}}`, title, status, title))
	}
	h.foreignEvent = other["event_id"].(string)
	h.foreign = s.ok(other["key"].(string), "POST", "/v1/event/"+h.foreignEvent+"/sessions/create", `{"title": "Not yours", "is_abstract": true, "status": "accept_queue"}`)["id"].(string)
	return h
}

// journey is what an agent does that has the tools at s and a key, and nothing
// else; what it made is looked for over the REST API of h.
func (h *harbour) journey(t *testing.T, s *site) {
	t.Helper()
	a := s.agent(keyed(h.key))
	events := a.tool("list_events", nil)
	if total(events) != 1 || events["results"].([]any)[0].(map[string]any)["slug"] != "harbour" {
		t.Fatalf("the events of the key: %v", events)
	}
	event := rows(events)[0]["id"]

	queue := a.tool("list_submissions", map[string]any{"event_id": event, "status": []string{"accept_queue"}})
	if total(queue) != 2 || strings.Contains(fmt.Sprint(queue), "Not yours") || strings.Contains(fmt.Sprint(queue), "Pumps") {
		t.Fatalf("the accept queue: %v", queue)
	}
	for _, row := range rows(queue) {
		full := a.tool("get_submission", map[string]any{"submission_id": row["id"]})
		if full["title"] != row["title"] || full["description"] != "What "+row["title"].(string)+" taught us." || !strings.Contains(fmt.Sprint(full["custom_fields"]), "30 minutes") {
			t.Errorf("a submission in full: %v", full)
		}
	}

	saturday := a.tool("get_schedule", map[string]any{"day": "2027-05-15"})
	if got := fmt.Sprint(column(saturday, "title"), column(saturday, "starts_at")); got != "[Night watch Queues that forget nothing] [2027-05-15T00:30:00+01:00 2027-05-15T11:00:00+01:00]" {
		t.Errorf("Saturday is %s", got)
	}
	if got := fmt.Sprintf("%v in %v", rows(saturday)[1]["speakers"], rows(saturday)[1]["room"]); got != "[Ada Lovelace] in Great Hall" {
		t.Errorf("who speaks where: %s", got)
	}
	if speakers := a.tool("search_speakers", map[string]any{"query": "lovelace"}); total(speakers) != 1 {
		t.Errorf("speakers: %v", speakers)
	}
	tracks := a.tool("list_tracks", nil)
	if got := fmt.Sprint(column(tracks, "name")); got != "[Boats Systems]" {
		t.Errorf("tracks: %s", got)
	}

	made := a.tool("capture_abstract", map[string]any{"title": "What the tide tables left out", "track": rows(tracks)[0]["id"], "description": "<p>Notes</p>", "custom_fields": map[string]string{"length": "20 minutes"}})
	kept := h.ok(h.key, "GET", h.path+"/sessions/"+made["id"].(string), "")
	if kept["title"] != "What the tide tables left out" || kept["is_abstract"] != true || kept["status"] != "pending" || kept["friendly_id"] != made["friendly_id"] || kept["track"].(map[string]any)["name"] != "Boats" {
		t.Errorf("captured %v, kept %v", made, kept)
	}
	if operation := a.tool("get_openapi", map[string]any{"section": "createSession"}); operation["method"] != "POST" {
		t.Errorf("createSession: %v", operation)
	}

	reader := s.agent(map[string]string{"Authorization": "Bearer " + h.reader})
	before := total(reader.tool("list_submissions", nil))
	reader.refused("capture_abstract", map[string]any{"title": "Mine"}, "ForbiddenError", "write:sessions")
	if after := total(reader.tool("list_submissions", nil)); after != before {
		t.Errorf("a refused abstract was kept: %d, before %d", after, before)
	}
	for _, answer := range []string{
		a.refused("get_submission", map[string]any{"submission_id": h.foreign}, "NotFoundError", "list_submissions"),
		a.refused("list_submissions", map[string]any{"event_id": h.foreignEvent}, "ForbiddenError", "one event only"),
		s.agent(nil).refused("list_submissions", nil, "UnauthorizedError", "x-access-token"),
		s.agent(keyed(h.key[:len(h.key)-1]+"!")).refused("list_events", nil, "UnauthorizedError", "revoked"),
	} {
		if strings.Contains(answer, "Not yours") || strings.Contains(answer, h.key[:20]) {
			t.Errorf("an answer tells too much: %s", answer)
		}
	}
	if operations := s.agent(nil).tool("get_openapi", nil); len(operations["operations"].([]any)) < 20 {
		t.Errorf("without a key: %v", operations)
	}
}

// wantSecret ends the server and looks for keys in its log.
func (s *server) wantSecret(t *testing.T, keys ...string) {
	t.Helper()
	if err := s.terminate(t); err != nil {
		t.Fatalf("SIGTERM: %v", err)
	}
	log := s.log.String()
	if !strings.Contains(log, "path=/mcp") {
		t.Errorf("the log does not know of the tools: %.300s", log)
	}
	for _, key := range keys {
		if strings.Contains(log, key) {
			t.Error("a key is in the log")
		}
	}
}

func TestAgentWorksWithToolsAlone(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		h := newHarbour(t, s)
		h.journey(t, s)
		h.wantSecret(t, h.key, h.reader)
	})
}

func TestToolsAloneServeARESTAPIElsewhere(t *testing.T) {
	t.Parallel()
	h := newHarbour(t, newSite(t, ""))
	alone := newSite(t, "")
	alone.env = append(alone.env, "LECTERN_MCP_API_URL="+h.site.base)
	tools := alone.serve("mcp")
	h.journey(t, alone)
	tools.wantSecret(t, h.key, h.reader)
	if kept, err := os.ReadDir(alone.data); err != nil || len(kept) > 0 {
		t.Errorf("a server of tools alone keeps %v (%v)", kept, err)
	}
	if _, stderr, err := newSite(t, "").try("", "mcp"); err == nil || !strings.Contains(stderr, "LECTERN_MCP_API_URL") {
		t.Errorf("tools alone without an API: %v %s", err, stderr)
	}
}

func TestFallbackKeyServesCallersWithoutCredentialOnly(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	path, key := s.conference()
	fallback := s.run("apikey", "create", "--event", "harbour", "--name", "f", "--scopes", readingScopes)["key"].(string)
	s.env = append(s.env, "LECTERN_MCP_FALLBACK_KEY="+fallback)
	srv := s.serve("serve")
	for name, headers := range map[string]map[string]string{
		"an empty header":            {"x-access-token": ""},
		"a key with a typo":          keyed(fallback + "x"),
		"an empty bearer token":      {"Authorization": "Bearer "},
		"a bearer that is no key":    {"Authorization": "Bearer nobody"},
		"another scheme":             {"Authorization": "Basic YTpi"},
		"a bad header, a good token": {"x-access-token": "nobody", "Authorization": "Bearer " + key},
	} {
		if answer := s.agent(headers).refused("list_events", nil, "UnauthorizedError", "x-access-token"); strings.Contains(answer, fallback) {
			t.Errorf("%s: the fallback key is told: %s", name, answer)
		}
	}
	without := s.agent(nil)
	if total(without.tool("list_events", nil)) != 1 {
		t.Error("without a header the fallback key is not used")
	}
	without.refused("capture_abstract", map[string]any{"title": "Mine"}, "ForbiddenError", "write:sessions")
	s.agent(keyed(key)).tool("capture_abstract", map[string]any{"title": "Mine"})
	if kept := s.ok(key, "POST", path+"/sessions/search", `{}`); total(kept) != 1 {
		t.Errorf("captured %d abstracts, want the one with a key", total(kept))
	}
	srv.wantSecret(t, fallback, key)
}

func TestManyAgentsAtOnceGetTheirOwnAnswers(t *testing.T) {
	const agents = 64
	each(t, func(t *testing.T, s *site) {
		path, key := s.conference()
		s.serve("serve")
		var operations []string
		for i := range agents {
			operations = append(operations, fmt.Sprintf(`{"action": "create", "data": {"title": "Crate c%03dz", "is_abstract": true}}`, i))
		}
		s.ok(key, "POST", path+"/sessions/bulk", `{"operations": [`+strings.Join(operations, ",")+`]}`)
		var all []*agent
		for range agents {
			all = append(all, s.agent(keyed(key)))
		}
		start := make(chan struct{})
		var group sync.WaitGroup
		for i, a := range all {
			group.Go(func() {
				<-start
				title := fmt.Sprintf("Crate c%03dz", i)
				found, failed, err := a.try("list_submissions", map[string]any{"text": fmt.Sprintf("c%03dz", i)})
				if failed || err != nil || total(found) != 1 || rows(found)[0]["title"] != title {
					t.Errorf("agent %d found %v (%v)", i, found, err)
					return
				}
				full, failed, err := a.try("get_submission", map[string]any{"submission_id": rows(found)[0]["id"]})
				if failed || err != nil || full["title"] != title {
					t.Errorf("agent %d read %v (%v)", i, full, err)
				}
				made, failed, err := a.try("capture_abstract", map[string]any{"title": title + " again"})
				if failed || err != nil || made["title"] != title+" again" {
					t.Errorf("agent %d captured %v (%v)", i, made, err)
				}
			})
		}
		close(start)
		group.Wait()
		if kept := s.ok(key, "POST", path+"/sessions/search", `{"filters": {"text": "again"}}`); total(kept) != agents {
			t.Errorf("%d abstracts were kept, want %d", total(kept), agents)
		}
	})
}
