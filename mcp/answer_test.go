package mcp_test

import (
	"encoding/json"
	"net/http"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"lectern/models"
	"lectern/models/modelstest"
)

// wantStructured holds an answer as JSON against its text, and against what the list of tools says of it; an error has
// a text alone.
func (d *desk) wantStructured(name, text string, result *mcpgo.CallToolResult) {
	d.t.Helper()
	if result.IsError {
		if result.StructuredContent != nil {
			d.t.Errorf("%s: an error answers %v", name, result.StructuredContent)
		}
		return
	}
	var said any
	if err := json.Unmarshal([]byte(text), &said); err != nil || !reflect.DeepEqual(said, result.StructuredContent) {
		d.t.Fatalf("%s: %v: the text is %.300s, and beside it is %.300v", name, err, text, result.StructuredContent)
	}
	if name == "get_openapi" {
		return
	}
	var tool struct{ OutputSchema any }
	modelstest.Fine(d.t, json.Unmarshal(modelstest.Must(os.ReadFile("testdata/"+name+".json"))(d.t), &tool))
	compiler := jsonschema.NewCompiler()
	modelstest.Fine(d.t, compiler.AddResource("tool.json", tool.OutputSchema))
	if err := compiler.MustCompile("tool.json").Validate(said); err != nil {
		d.t.Errorf("%s answers %.500s: %v", name, text, err)
	}
	known := tool.OutputSchema.(object)["properties"].(object)
	for field := range said.(object) {
		if known[field] == nil {
			d.t.Errorf("%s answers %s, which its schema does not know", name, field)
		}
	}
}

func TestOnlyNewerClientsGetAnswersAsJSON(t *testing.T) {
	d := one(t)
	const list, call = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_events","arguments":{}}}`
	for version, newer := range map[string]bool{"": false, "2024-11-05": false, "2025-03-26": false, "2025-06-18": true,
		"2025-11-25": true} {
		headers := []string{"x-access-token", d.key}
		if version != "" {
			headers = append(headers, "Mcp-Protocol-Version", version)
		}
		_, _, tools := d.post(list, headers...)
		_, _, events := d.post(call, headers...)
		if strings.Count(tools, `"outputSchema"`) != map[bool]int{true: 15}[newer] ||
			strings.Contains(events, `"structuredContent":{"`) != newer || !strings.Contains(events, `"text":"{\"results`) {
			t.Errorf("%q: %.500s\n%s", version, tools, events)
		}
		fits(t, "tools/list for "+version, tools, 4500)
	}
}

func TestEachMessageOfABatchHasItsOwnAnswer(t *testing.T) {
	d := one(t)
	d.row(models.Tracks, "Tides")
	d.row(models.Rooms, "Hall")
	_, _, body := d.post("["+callOf(1, "list_tracks", "{}")+","+callOf(2, "get_submission", `{"submission_id":"A-9"}`)+","+
		`{"jsonrpc":"2.0","id":3,"method":"ping"},`+callOf(4, "nothing", "{}")+","+callOf(5, "list_rooms", "{}")+"]",
		"x-access-token", d.key)
	var answers []struct{ ID int }
	var whole []json.RawMessage
	modelstest.Fine(t, json.Unmarshal([]byte(body), &answers))
	modelstest.Fine(t, json.Unmarshal([]byte(body), &whole))
	for i, want := range []string{`\"name\":\"Tides\"`, "NotFoundError", `"result":{}`, `"error"`, `\"name\":\"Hall\"`} {
		if answers[i].ID != i+1 || !strings.Contains(string(whole[i]), want) {
			t.Errorf("message %d is answered %s, want %s", i+1, whole[i], want)
		}
	}
}

// limited notes the time that calls of the REST API are left.
type limited struct {
	http.RoundTripper
	left []time.Duration
}

func (l *limited) RoundTrip(r *http.Request) (*http.Response, error) {
	until, _ := r.Context().Deadline()
	l.left = append(l.left, time.Until(until))
	return l.RoundTripper.RoundTrip(r)
}

func TestEachCallOfTheRESTAPIHasADeadline(t *testing.T) {
	d := one(t)
	calls := &limited{RoundTripper: d.calls.RoundTripper}
	d.calls.RoundTripper = calls
	d.tool("list_tracks", nil)
	for _, left := range calls.left {
		if left <= 0 || left > 20*time.Second {
			t.Errorf("a call has %s", left)
		}
	}
	if len(calls.left) == 0 {
		t.Error("nothing was asked")
	}
}
