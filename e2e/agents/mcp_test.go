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

// journey uses the tools at s with a key, and reads over the REST API of h what it captured and changed.
func (h *harbour) journey(t *testing.T, s *Site) {
	t.Helper()
	a := s.Agent(Keyed(h.key))
	events := a.Tool("list_events", nil)
	if Total(events) != 1 || events["results"].([]any)[0].(map[string]any)["slug"] != "harbour" {
		t.Fatalf("the events of the key: %v", events)
	}
	event := rows(events)[0]["id"]

	queue := a.Tool("list_submissions", map[string]any{"event_id": event, "status": []string{"accept_queue"}})
	modelstest.Want(t, "submissions in the accept queue", Total(queue), 2)
	made := a.Tool("capture_abstract", map[string]any{"title": "What the tide tables left out",
		"track": "Boats", "description": "<p>Notes</p>",
		"custom_fields": map[string]string{"length": "20 minutes"}})
	kept := h.Ok(h.key, "GET", h.path+"/sessions/"+made["id"].(string), "")
	if kept["title"] != "What the tide tables left out" || kept["is_abstract"] != true || kept["status"] != "pending" ||
		kept["friendly_id"] != made["friendly_id"] || kept["track"].(map[string]any)["name"] != "Boats" {
		t.Errorf("captured %v, kept %v", made, kept)
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
	modelstest.Want(t, "submissions after a refused abstract", Total(reader.Tool("list_submissions", nil)), before)
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

// wantSecret ends the server and checks that its log has none of the keys.
func wantSecret(s *Server, t *testing.T, keys ...string) {
	t.Helper()
	modelstest.Fine(t, s.Terminate(t))
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
		modelstest.Want(t, "agreed version", a.ProtocolVersion(), version)
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
	_, key := s.Conference()
	fallback := s.Run("apikey", "create", "--event", "harbour", "--name", "f", "--scopes", readingScopes)["key"].(string)
	s.Env = append(s.Env, "LECTERN_MCP_FALLBACK_KEY="+fallback)
	srv := s.Serve("serve")
	if answer := s.Agent(Keyed(fallback+"x")).Refused("list_events", nil, "UnauthorizedError",
		"x-access-token"); strings.Contains(answer, fallback) {
		t.Errorf("the fallback key is told: %s", answer)
	}
	without := s.Agent(nil)
	modelstest.Want(t, "without a header the fallback key is not used", Total(without.Tool("list_events", nil)), 1)
	without.Refused("capture_abstract", map[string]any{"title": "Mine"}, "ForbiddenError", "write:sessions")
	s.Agent(Keyed(key)).Tool("capture_abstract", map[string]any{"title": "Mine"})
	wantSecret(srv, t, fallback, key)
}

// TestManyAgentsAtOnceGetTheirOwnAnswers has each agent keep an abstract of its own, and find and read that one alone.
func TestManyAgentsAtOnceGetTheirOwnAnswers(t *testing.T) {
	const agents = 64
	Each(t, func(t *testing.T, s *Site) {
		path, key := s.Conference()
		s.Serve("serve")
		var all []*Agent
		for range agents {
			all = append(all, s.Agent(Keyed(key)))
		}
		var group sync.WaitGroup
		for i, a := range all {
			group.Go(func() {
				word := fmt.Sprintf("c%03dz", i)
				made, failed, err := a.Try("capture_abstract", map[string]any{"title": "Crate " + word})
				if failed || err != nil || made["title"] != "Crate "+word {
					t.Errorf("agent %d captured %v (%v)", i, made, err)
					return
				}
				found, failed, err := a.Try("list_submissions", map[string]any{"text": word})
				if failed || err != nil || Total(found) != 1 || rows(found)[0]["id"] != made["id"] {
					t.Errorf("agent %d found %v (%v)", i, found, err)
				}
				full, failed, err := a.Try("get_submission", map[string]any{"submission_id": made["id"]})
				if failed || err != nil || full["title"] != "Crate "+word {
					t.Errorf("agent %d read %v (%v)", i, full, err)
				}
			})
		}
		group.Wait()
		modelstest.Want(t, "abstracts kept", Total(s.Ok(key, "POST", path+"/sessions/search", `{}`)), agents)
	})
}
