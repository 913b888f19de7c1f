package mcp_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/apikey"
)

// ask sends a request and decodes its answer.
func (d *desk) ask(method, params string, headers ...string) object {
	d.t.Helper()
	_, _, body := d.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params), headers...)
	var v object
	if err := json.Unmarshal([]byte(body), &v); err != nil || v["id"] != 1.0 {
		d.t.Fatalf("%s %s: %v %s", method, params, err, body)
	}
	return v
}

func TestResourcesAreWhatToolsAnswer(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		talk := d.session("Tides & <ebbs>", models.SessionInput{StartsAt: d.at(15, 9, 0), EndsAt: d.at(15, 10, 0),
			Description: new("<p>One</p>")})
		d.session("Tomorrow", models.SessionInput{StartsAt: d.at(16, 9, 0)})
		proposal := d.abstract("Proposal")
		for uri, same := range map[string]struct {
			tool      string
			arguments object
		}{
			"lectern://overview":                       {"get_event_overview", nil},
			"lectern://session/" + talk.ID:             {"get_submission", object{"submission_id": talk.ID}},
			"lectern://session/" + talk.FriendlyID:     {"get_submission", object{"submission_id": talk.FriendlyID}},
			"lectern://session/" + proposal.FriendlyID: {"get_submission", object{"submission_id": proposal.ID}},
			"lectern://schedule/2027-05-15":            {"search_schedule", object{"day": "2027-05-15", "limit": 100}},
		} {
			want, _ := d.use(same.tool, same.arguments)
			answer := d.ask("resources/read", fmt.Sprintf(`{"uri":%q}`, uri), "x-access-token", d.key)
			got := fmt.Sprint(answer["result"].(object)["contents"])
			if got != fmt.Sprint([]any{object{"uri": uri, "mimeType": "application/json", "text": want}}) {
				t.Errorf("%s: %v, want %s", uri, answer, want)
			}
		}
	})
}

func TestResourcesHaveTheErrorsOfTheProtocol(t *testing.T) {
	d := one(t)
	blind := d.mint(apikey.ReadEvents)
	for _, c := range []struct {
		key, uri, version string
		code              float64
		message           string
	}{
		{d.key, "lectern://session/A-99", "", -32002, "no such session"},
		{d.key, "lectern://session/A-99", "2025-06-18", -32002, "no such session"},
		{d.key, "lectern://schedule/Saturday", "", -32602, "day must be a date"},
		{d.key, "lectern://session/a%20b", "", -32602, "must be an id"},
		{d.key, "lectern://nothing", "", -32002, "not found"},
		{"", "lectern://nothing", "", -32002, "not found"},
		{d.key, "lectern://session/a/b", "", -32002, "not found"},
		{d.key, "file:///etc/passwd", "", -32002, "not found"},
		{blind, "lectern://overview", "", -32600, "read:sessions"},
		{"nobody", "lectern://overview", "", -32600, "key"},
		{"", "lectern://overview", "", -32600, "No API key"},
		{d.key, "lectern://session/" + strings.Repeat("a", 200), "", -32600, "at most 200"},
	} {
		headers := []string{}
		if c.key != "" {
			headers = append(headers, "x-access-token", c.key)
		}
		if c.version != "" {
			headers = append(headers, "Mcp-Protocol-Version", c.version)
		}
		status, _, body := d.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":%q}}`,
			c.uri), headers...)
		var v struct {
			Error struct {
				Code    float64
				Message string
				Data    object
			}
		}
		if err := json.Unmarshal([]byte(body), &v); err != nil || v.Error.Code != c.code ||
			!strings.Contains(strings.ToLower(v.Error.Message), strings.ToLower(c.message)) {
			t.Errorf("%s: %d %s", c.uri, status, body)
		}
		if hint, _ := v.Error.Data["hint"].(string); status == 200 && hint == "" {
			t.Errorf("%s has no hint: %s", c.uri, body)
		}
	}
	// What was refused says nothing of the next message.
	_, _, batch := d.post(`[{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"lectern://session/A-99"}},`+
		`{"jsonrpc":"2.0","id":2,"method":"ping"}]`, "x-access-token", d.key)
	if !strings.Contains(batch, `"code":-32002`) || !strings.Contains(batch, `{"jsonrpc":"2.0","id":2,"result":{}}`) {
		t.Error(batch)
	}
}

func TestResourcesAndPromptsAreTheirSnapshots(t *testing.T) {
	d := one(t)
	for name, method := range map[string]string{"resources": "resources/list",
		"resource_templates": "resources/templates/list", "prompts": "prompts/list"} {
		wantSnapshot(t, name, d.ask(method, "{}")["result"])
	}
}

func TestListsOfResourcesAreWhatAKeyCanRead(t *testing.T) {
	d := one(t)
	for key, reads := range map[string]int{"": 1, d.key: 1, d.mint(apikey.ReadSessions): 1, d.mint(apikey.ReadEvents): 0} {
		var headers []string
		if key != "" {
			headers = []string{"x-access-token", key}
		}
		fixed := d.ask("resources/list", "{}", headers...)["result"].(object)["resources"].([]any)
		open := d.ask("resources/templates/list", "{}", headers...)["result"].(object)["resourceTemplates"].([]any)
		if len(fixed) != reads || len(open) != 2*reads {
			t.Errorf("%q: %v %v", key, fixed, open)
		}
	}
}

func TestPromptsNameToolsThatAreThere(t *testing.T) {
	d := one(t)
	tools := map[string]bool{}
	for _, tool := range d.ask("tools/list", "{}")["result"].(object)["tools"].([]any) {
		tools[tool.(object)["name"].(string)] = true
	}
	verbs := []string{"get", "list", "search", "schedule", "update", "capture"}
	for _, c := range []struct{ name, arguments, has, lacks string }{
		{"prepare_review", `{}`, "list_submissions", "“"},
		{"prepare_review", `{"track":"Sea\nand sand"}`, "track “Sea and sand” matters", "{"},
		{"prepare_review", `{"since":"2027-01-31"}`, "after 2027-01-31 matters", "{"},
		{"prepare_review", `{"track":"{since}"}`, "track “{since}” matters", "after"},
		{"fill_day", `{"day":"2027-05-15"}`, "agenda of 2027-05-15", "“"},
		{"fill_day", `{"day":"2027-05-15","room":"Hall","track":"Sea"}`, "room “Hall”", "{"},
		{"check_ready", `{}`, "under held_by, what", "{"},
		{"check_ready", `{"day":"2027-05-15"}`, "Only 2027-05-15", "{"},
	} {
		answer := d.ask("prompts/get", fmt.Sprintf(`{"name":%q,"arguments":%s}`, c.name, c.arguments))
		words := answer["result"].(object)["messages"].([]any)[0].(object)["content"].(object)["text"].(string)
		if !strings.Contains(words, c.has) || strings.Contains(words, c.lacks) || strings.Contains(words, "\n\n\n") {
			t.Errorf("%s %s: %s", c.name, c.arguments, words)
		}
		for _, word := range strings.FieldsFunc(words, func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') }) {
			verb, _, isName := strings.Cut(word, "_")
			if isName && slices.Contains(verbs, verb) && !tools[word] {
				t.Errorf("%s names %s, which is no tool", c.name, word)
			}
		}
	}
	for params, message := range map[string]string{`{"name":"fill_day"}`: "day is required",
		`{"name":"nothing"}`: "not found"} {
		e, _ := d.ask("prompts/get", params)["error"].(object)
		if e == nil || e["code"] != -32602.0 || !strings.Contains(e["message"].(string), message) {
			t.Errorf("%s: %v", params, e)
		}
	}
	if listed := d.ask("prompts/list", "{}")["result"].(object)["prompts"].([]any); len(listed) != 3 {
		t.Errorf("%v", listed)
	}
}
