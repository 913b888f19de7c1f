package mcp_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"lectern/mcp"
	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestTransportManners(t *testing.T) {
	d := one(t)
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	const json = "application/json"
	for _, c := range []struct {
		name, method, body string
		headers            []string
		status             int
		answer             string
	}{
		{"ping", "POST", ping, []string{"Content-Type", json}, 200, `{"jsonrpc":"2.0","id":1,"result":{}}`},
		{"with a charset", "POST", ping, []string{"Content-Type", json + "; charset=utf-8"}, 200, `"result":{}`},
		{"a session id is ignored", "POST", ping, []string{"Content-Type", json, "Mcp-Session-Id", "x"}, 200, `"result":{}`},
		{"notification", "POST", `{"jsonrpc":"2.0","method":"notifications/initialized"}`,
			[]string{"Content-Type", json}, 202, ""},
		{"cancelled", "POST", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
			[]string{"Content-Type", json}, 202, ""},
		{"a response", "POST", `{"jsonrpc":"2.0","id":1,"result":{}}`, []string{"Content-Type", json}, 202, ""},
		{"GET", "GET", "", nil, 405, "POST"},
		{"DELETE", "DELETE", "", []string{"Mcp-Session-Id", "x"}, 405, "POST"},
		{"PUT", "PUT", ping, []string{"Content-Type", json}, 405, "POST"},
		{"no type", "POST", ping, nil, 415, "application/json"},
		{"text", "POST", ping, []string{"Content-Type", "text/plain"}, 415, "application/json"},
		{"own origin", "POST", ping, []string{"Content-Type", json, "Origin", "http://127.0.0.1"}, 200, "result"},
		{"a local page", "POST", ping, []string{"Content-Type", json, "Origin", "http://localhost:6274"}, 200, "result"},
		{"a foreign page", "POST", ping, []string{"Content-Type", json, "Origin", "http://evil.example"}, 403, "origin"},
		{"null origin", "POST", ping, []string{"Content-Type", json, "Origin", "null"}, 403, "origin"},
		{"a name that looks local", "POST", ping, []string{"Content-Type", json, "Origin", "http://localhost.evil.example"},
			403, "origin"},
		{"a foreign host name", "POST", ping, []string{"Content-Type", json, "Host", "evil.example"}, 403, "host name"},
		{"localhost", "POST", ping, []string{"Content-Type", json, "Host", "localhost:8080"}, 200, "result"},
		{"not JSON", "POST", `{"jsonrpc":`, []string{"Content-Type", json}, 400, "-32700"},
		{"empty", "POST", ``, []string{"Content-Type", json}, 400, "-32700"},
		{"no object", "POST", `"ping"`, []string{"Content-Type", json}, 400, "-32600"},
		{"no version", "POST", `{"id":1,"method":"ping"}`, []string{"Content-Type", json}, 200, "-32600"},
		{"unknown method", "POST", `{"jsonrpc":"2.0","id":"a","method":"nope"}`, []string{"Content-Type", json}, 200,
			`"id":"a","error":{"code":-32601`},
		{"unknown tool", "POST", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nope"}}`,
			[]string{"Content-Type", json}, 200, "-32602"},
		{"unknown protocol version", "POST", ping, []string{"Content-Type", json, "Mcp-Protocol-Version", "1999-01-01"}, 400,
			"Unsupported protocol version"},
		{"too large", "POST", `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", mcp.MaxBody) + `"}`,
			[]string{"Content-Type", json}, 413, "-32600"},
		{"batch", "POST", `[` + ping +
			`,{"jsonrpc":"2.0","method":"notifications/initialized"},{"jsonrpc":"2.0","id":2,"method":"nope"},7]`,
			[]string{"Content-Type", json}, 200,
			`[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"error":{"code":-32601`},
		{"batch of notifications", "POST", `[{"jsonrpc":"2.0","method":"notifications/initialized"}]`,
			[]string{"Content-Type", json}, 202, ""},
		{"empty batch", "POST", `[]`, []string{"Content-Type", json}, 400, "-32600"},
		{"long batch", "POST", `[` + strings.Repeat(ping+",", 50) + ping + `]`, []string{"Content-Type", json},
			400, "-32600"},
		{"batch in a version without", "POST", `[` + ping + `]`,
			[]string{"Content-Type", json, "Mcp-Protocol-Version", "2025-06-18"}, 400, "-32600"},
		{"broken batch", "POST", `[` + ping, []string{"Content-Type", json}, 400, "-32700"},
	} {
		status, header, answer := d.send(c.method, c.body, c.headers...)
		if status != c.status || !strings.Contains(answer, c.answer) {
			t.Errorf("%s: %d %s, want %d with %s", c.name, status, answer, c.status, c.answer)
		}
		if kind := header.Get("Content-Type"); answer != "" && kind != json {
			t.Errorf("%s: %s is answered as %s", c.name, answer, kind)
		}
		if status == 405 && header.Get("Allow") != "POST" {
			t.Errorf("%s: Allow %q", c.name, header.Get("Allow"))
		}
		modelstest.Want(t, c.name+": session id", header.Get("Mcp-Session-Id"), "")
	}
}

func TestProtocolVersions(t *testing.T) {
	d := one(t)
	for asked, want := range map[string]string{
		"2024-11-05": "2024-11-05", "2025-03-26": "2025-03-26", "2025-06-18": "2025-06-18", "2025-11-25": "2025-11-25",
		"2026-07-28": "2025-11-25", "1999-01-01": "2025-11-25",
	} {
		_, _, body := d.post(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + asked +
			`","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`)
		if !strings.Contains(body, `"protocolVersion":"`+want+`"`) {
			t.Errorf("%s: %s", asked, body)
		}
	}
	// The newest revision knows no initialize; its requests say all by themselves.
	status, _,
		body := d.post(
		`{"jsonrpc":"2.0","id":1,"method":"tools/list",
			"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`,
		"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/list", "Accept", "application/json, text/event-stream")
	if status != 200 || !strings.Contains(body, "list_submissions") {
		t.Errorf("%d %s", status, body)
	}
}

func TestManyAgentsAtOnce(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		d.abstract("x")
		var agents sync.WaitGroup
		for i := range 64 {
			agents.Go(func() {
				title := fmt.Sprint("Abstract ", i)
				status, _,
					body := d.post(fmt.Sprintf(
					`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"capture_abstract","arguments":{"title":%q}}}`, i,
					title), "x-access-token", d.key)
				if status != 200 || !strings.Contains(body, fmt.Sprintf(`"id":%d,`, i)) ||
					!strings.Contains(body, `\"title\":\"`+title+`\"`) {
					t.Errorf("%d: %d %s", i, status, body)
				}
			})
		}
		agents.Wait()
		_, page, err := d.Programme().SearchSessions(context.Background(),
			models.SessionSearch{Page: store.Page{Number: 1, Size: 1}})
		if err != nil || page.TotalResults != 65 {
			t.Errorf("%+v %v", page, err)
		}
	})
}
