package agents

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// journey is what an agent does that has the tools at s and a key, and nothing
// else; what it made is looked for over the REST API of h.
func (h *harbour) journey(t *testing.T, s *Site) {
	t.Helper()
	a := s.Agent(Keyed(h.key))
	events := a.Tool("list_events", nil)
	if Total(events) != 1 || events["results"].([]any)[0].(map[string]any)["slug"] != "harbour" {
		t.Fatalf("the events of the key: %v", events)
	}
	event := rows(events)[0]["id"]

	queue := a.Tool("list_submissions", map[string]any{"event_id": event, "status": []string{"accept_queue"}})
	if Total(queue) != 2 || strings.Contains(fmt.Sprint(queue), "Not yours") ||
		strings.Contains(fmt.Sprint(queue), "Pumps") {
		t.Fatalf("the accept queue: %v", queue)
	}
	for _, row := range rows(queue) {
		full := a.Tool("get_submission", map[string]any{"submission_id": row["id"]})
		if full["title"] != row["title"] || full["description"] != "What "+row["title"].(string)+" taught us." ||
			!strings.Contains(fmt.Sprint(full["custom_fields"]), "30 minutes") {
			t.Errorf("a submission in full: %v", full)
		}
	}

	saturday := a.Tool("get_schedule", map[string]any{"day": "2027-05-15"})
	modelstest.Want(t, "Saturday", fmt.Sprint(column(saturday, "title"), column(saturday,
		"starts_at")), "[Night watch Queues that forget nothing] [2027-05-15T00:30 2027-05-15T11:00]")
	modelstest.Want(t, "who speaks where", fmt.Sprintf("%v in %v", rows(saturday)[1]["speakers"],
		rows(saturday)[1]["room"]), "[Ada Lovelace] in Great Hall")
	if speakers := a.Tool("search_speakers", map[string]any{"query": "lovelace"}); Total(speakers) != 1 {
		t.Errorf("speakers: %v", speakers)
	}
	tracks := a.Tool("list_tracks", nil)
	modelstest.Want(t, "tracks", fmt.Sprint(column(tracks, "name")), "[Boats Systems]")

	made := a.Tool("capture_abstract", map[string]any{"title": "What the tide tables left out",
		"track": rows(tracks)[0]["id"], "description": "<p>Notes</p>",
		"custom_fields": map[string]string{"length": "20 minutes"}})
	kept := h.Ok(h.key, "GET", h.path+"/sessions/"+made["id"].(string), "")
	if kept["title"] != "What the tide tables left out" || kept["is_abstract"] != true || kept["status"] != "pending" ||
		kept["friendly_id"] != made["friendly_id"] || kept["track"].(map[string]any)["name"] != "Boats" {
		t.Errorf("captured %v, kept %v", made, kept)
	}
	modelstest.Want(t, "what is on",
		fmt.Sprint(column(a.Tool("search_schedule", map[string]any{"room": "Great Hall", "at": "2027-05-15T11:30"}),
			"title")), "[Queues that forget nothing]")
	placed := a.Tool("schedule_session", map[string]any{"session_id": "S-1", "starts_at": "2027-05-15T11:30"})
	if got := fmt.Sprint(placed["conflicts"]); !strings.Contains(got, "Great Hall also has") ||
		a.Tool("get_event_overview", nil)["conflicts"] != 1.0 {
		t.Errorf("a session where another is: %v", placed)
	}
	moved := a.Tool("update_submission", map[string]any{"submission_id": made["friendly_id"], "status": "accept_queue",
		"updated_at": kept["updated_at"]})
	if got := h.Ok(h.key, "GET", h.path+"/sessions/"+made["friendly_id"].(string), ""); got["status"] != "accept_queue" ||
		got["updated_at"] != moved["updated_at"] {
		t.Errorf("moved %v, kept %v", moved, got)
	}

	if operation := a.Tool("get_openapi", map[string]any{"section": "createSession"}); operation["method"] != "POST" {
		t.Errorf("createSession: %v", operation)
	}

	reader := s.Agent(map[string]string{"Authorization": "Bearer " + h.reader})
	before := Total(reader.Tool("list_submissions", nil))
	reader.Refused("capture_abstract", map[string]any{"title": "Mine"}, "ForbiddenError", "write:sessions")
	if after := Total(reader.Tool("list_submissions", nil)); after != before {
		t.Errorf("a refused abstract was kept: %d, before %d", after, before)
	}
	for _, answer := range []string{
		a.Refused("get_submission", map[string]any{"submission_id": h.foreign}, "NotFoundError", "list_submissions"),
		a.Refused("list_submissions", map[string]any{"event_id": h.foreignEvent}, "ForbiddenError", "one event only"),
		s.Agent(nil).Refused("list_submissions", nil, "UnauthorizedError", "x-access-token"),
		s.Agent(Keyed(h.key[:len(h.key)-1]+"!")).Refused("list_events", nil, "UnauthorizedError", "revoked"),
	} {
		if strings.Contains(answer, "Not yours") || strings.Contains(answer, h.key[:20]) {
			t.Errorf("an answer tells too much: %s", answer)
		}
	}
	if operations := s.Agent(nil).Tool("get_openapi", nil); len(operations["operations"].([]any)) < 20 {
		t.Errorf("without a key: %v", operations)
	}
}

// wantSecret ends the server and looks for keys in its log.
func wantSecret(s *Server, t *testing.T, keys ...string) {
	t.Helper()
	if err := s.Terminate(t); err != nil {
		t.Fatalf("SIGTERM: %v", err)
	}
	log := s.Log.String()
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
	Each(t, func(t *testing.T, s *Site) {
		h := newHarbour(t, s)
		h.journey(t, s)
		wantSecret(h.Server, t, h.key, h.reader)
	})
}

func TestEachProtocolVersionIsSpoken(t *testing.T) {
	t.Parallel()
	s := NewSite(t, "")
	_, key := s.Conference()
	s.Serve("serve")
	for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"} {
		a := s.Agent(Keyed(key), client.WithProtocolVersion(version))
		if listed, err := a.ListTools(t.Context(), mcp.ListToolsRequest{}); err != nil || len(listed.Tools) != 16 {
			t.Errorf("%s: %v %v", version, listed, err)
		}
		modelstest.Want(t, version+": no event", Total(a.Tool("list_events", nil)), 1)
		if got := a.ProtocolVersion(); got != version {
			t.Errorf("asked for %s, agreed on %s", version, got)
		}
	}
}

func TestToolsAloneServeARESTAPIElsewhere(t *testing.T) {
	t.Parallel()
	h := newHarbour(t, NewSite(t, ""))
	alone := BareSite(t, "")
	alone.Env = append(alone.Env, "LECTERN_MCP_API_URL="+h.Site.Base)
	tools := alone.Serve("mcp")
	h.journey(t, alone)
	wantSecret(tools, t, h.key, h.reader)
	if kept, err := os.ReadDir(alone.Data); err != nil || len(kept) > 0 {
		t.Errorf("a server of tools alone keeps %v (%v)", kept, err)
	}
	if _, stderr, err := NewSite(t, "").Try("", "mcp"); err == nil || !strings.Contains(stderr, "LECTERN_MCP_API_URL") {
		t.Errorf("tools alone without an API: %v %s", err, stderr)
	}
}

func TestFallbackKeyServesCallersWithoutCredentialOnly(t *testing.T) {
	t.Parallel()
	s := NewSite(t, "")
	path, key := s.Conference()
	fallback := s.Run("apikey", "create", "--event", "harbour", "--name", "f", "--scopes", readingScopes)["key"].(string)
	s.Env = append(s.Env, "LECTERN_MCP_FALLBACK_KEY="+fallback)
	srv := s.Serve("serve")
	for name, headers := range map[string]map[string]string{
		"an empty header":            {"x-access-token": ""},
		"a key with a typo":          Keyed(fallback + "x"),
		"an empty bearer token":      {"Authorization": "Bearer "},
		"a bearer that is no key":    {"Authorization": "Bearer nobody"},
		"another scheme":             {"Authorization": "Basic YTpi"},
		"a bad header, a good token": {"x-access-token": "nobody", "Authorization": "Bearer " + key},
	} {
		if answer := s.Agent(headers).Refused("list_events", nil, "UnauthorizedError",
			"x-access-token"); strings.Contains(answer, fallback) {
			t.Errorf("%s: the fallback key is told: %s", name, answer)
		}
	}
	without := s.Agent(nil)
	modelstest.Want(t, "without a header the fallback key is not used", Total(without.Tool("list_events", nil)), 1)
	without.Refused("capture_abstract", map[string]any{"title": "Mine"}, "ForbiddenError", "write:sessions")
	s.Agent(Keyed(key)).Tool("capture_abstract", map[string]any{"title": "Mine"})
	if kept := s.Ok(key, "POST", path+"/sessions/search", `{}`); Total(kept) != 1 {
		t.Errorf("captured %d abstracts, want the one with a key", Total(kept))
	}
	wantSecret(srv, t, fallback, key)
}

func TestManyAgentsAtOnceGetTheirOwnAnswers(t *testing.T) {
	const agents = 64
	Each(t, func(t *testing.T, s *Site) {
		path, key := s.Conference()
		s.Serve("serve")
		var operations []string
		for i := range agents {
			operations = append(operations,
				fmt.Sprintf(`{"action": "create", "data": {"title": "Crate c%03dz", "is_abstract": true}}`, i))
		}
		s.Ok(key, "POST", path+"/sessions/bulk", `{"operations": [`+strings.Join(operations, ",")+`]}`)
		var all []*Agent
		for range agents {
			all = append(all, s.Agent(Keyed(key)))
		}
		start := make(chan struct{})
		var group sync.WaitGroup
		for i, a := range all {
			group.Go(func() {
				<-start
				title := fmt.Sprintf("Crate c%03dz", i)
				found, failed, err := a.Try("list_submissions", map[string]any{"text": fmt.Sprintf("c%03dz", i)})
				if failed || err != nil || Total(found) != 1 || rows(found)[0]["title"] != title {
					t.Errorf("agent %d found %v (%v)", i, found, err)
					return
				}
				full, failed, err := a.Try("get_submission", map[string]any{"submission_id": rows(found)[0]["id"]})
				if failed || err != nil || full["title"] != title {
					t.Errorf("agent %d read %v (%v)", i, full, err)
				}
				made, failed, err := a.Try("capture_abstract", map[string]any{"title": title + " again"})
				if failed || err != nil || made["title"] != title+" again" {
					t.Errorf("agent %d captured %v (%v)", i, made, err)
				}
			})
		}
		close(start)
		group.Wait()
		if kept := s.Ok(key, "POST", path+"/sessions/search", `{"filters": {"text": "again"}}`); Total(kept) != agents {
			t.Errorf("%d abstracts were kept, want %d", Total(kept), agents)
		}
	})
}
