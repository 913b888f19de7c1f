package mcp_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"lectern/mcp"
	"lectern/models/modelstest"
)

// callOf is a tools/call.
func callOf(id int, tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id,
		tool, arguments)
}

// rpc is an answer.
type rpc struct {
	ID     any
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
	}
}

func TestAMessageWithoutAMethodIsNoRequest(t *testing.T) {
	d := one(t)
	for body, id := range map[string]string{
		`{"jsonrpc":"2.0","id":7}`: "7", `{"jsonrpc":"2.0","id":"a"}`: `"a"`, `{"jsonrpc":"2.0"}`: "null", `{}`: "null",
		`{"id":1,"params":{}}`:                 "1",
		`{"jsonrpc":"2.0","id":1,"method":""}`: "1", `{"jsonrpc":"2.0","id":1,"method":5}`: "1",
		`{"jsonrpc":"2.0","id":1,"method":null}`: "1",
		`{"jsonrpc":"2.0","id":{},"method":[]}`:  "null", `{"jsonrpc":"2.0","id":12345678901234567}`: "12345678901234567",
	} {
		status, _, answer := d.post(body)
		if want := `{"jsonrpc":"2.0","id":` + id + `,"error":{"code":-32600,`; status != 400 ||
			!strings.HasPrefix(answer, want) {
			t.Errorf("%s: %d %s", body, status, answer)
		}
		status, _, answer = d.post(`[{"jsonrpc":"2.0","id":1,"method":"ping"},` + body + `]`)
		if want := `[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":` + id +
			`,"error":{"code":-32600,`; status != 200 || !strings.HasPrefix(answer, want) {
			t.Errorf("in a batch %s: %d %s", body, status, answer)
		}
	}
}

func TestNoErrorOfTheToolsNamesATypeOfOurs(t *testing.T) {
	d := one(t)
	for _, value := range []string{"null", "3", "1.5", "true", `"x"`, "[]", "{}", "[[3]]", `{"name":3}`,
		`{"name":"list_events","arguments":3}`, `{"name":"get_submission","arguments":{"submission_id":[]}}`, "1e400"} {
		for _, body := range []string{
			value, `{"jsonrpc":` + value + `,"id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":` + value +
				`,"method":"tools/list"}`, `{"jsonrpc":"2.0","id":1,"method":` + value + `}`,
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + value + `}`,
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":` + value + `}`,
			`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":` + value + `}`, `{"jsonrpc":"2.0","id":1,"result":` +
				value + `}`, `{"jsonrpc":"2.0","method":` + value + `}`,
			callOf(1, "capture_abstract", value), callOf(1, "capture_abstract", `{"title":"T","custom_fields":`+value+`}`),
			callOf(1, "list_submissions", `{"limit":`+value+`}`),
		} {
			for _, sent := range []string{body, "[" + body + "]"} {
				_, _, answer := d.post(sent, "x-access-token", d.key)
				for _, ours := range []string{"Go struct", "json: ", "mcp.", "map[", "float64"} {
					if strings.Contains(answer, ours) {
						t.Errorf("%s: %s", sent, answer)
					}
				}
			}
		}
	}
}

func TestWholeNumbersOfArgumentsMayHaveAFraction(t *testing.T) {
	d := one(t)
	for range 3 {
		d.abstract("x")
	}
	_, _, answer := d.post(callOf(1, "list_submissions", `{"limit": 2.0, "page": 1e0}`), "x-access-token", d.key)
	if !strings.Contains(answer, `\"pageSize\":2`) {
		t.Error(answer)
	}
}

func TestTheAnswersOfABatchAreBounded(t *testing.T) {
	d := one(t)
	var full, mixed []string
	for i := range 50 {
		full = append(full, callOf(i, "get_openapi", `{"section":"full"}`))
		mixed = append(mixed, callOf(i, "get_openapi", `{"section":"full"}`))
	}
	mixed[30] = callOf(30, "capture_abstract", `{"title":"Too late"}`)
	mixed[31] = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	mixed[32] = `{"jsonrpc":"2.0","id":32}`
	for name, messages := range map[string][]string{"full": full, "mixed": mixed} {
		_, _, body := d.post("["+strings.Join(messages, ",")+"]", "x-access-token", d.key)
		var answers []rpc
		modelstest.Fine(t, json.Unmarshal([]byte(body), &answers))
		if want := map[string]int{"full": 50, "mixed": 49}[name]; len(answers) != want || len(body) > 1<<20+50*300 {
			t.Errorf("%s: %d answers of %d bytes", name, len(answers), len(body))
		}
		whole := 0
		for i, a := range answers {
			if a.Error == nil {
				whole++
			} else if a.Error.Code != -32000 || !strings.Contains(a.Error.Message, "1 MiB") || a.ID == nil {
				t.Errorf("%s, answer %d: %+v %+v", name, i, a.ID, a.Error)
			}
		}
		if whole < 3 {
			t.Errorf("%s: only %d were answered", name, whole)
		}
	}
	// What got no answer was not done.
	if text := d.tool("list_submissions", nil)["results"]; fmt.Sprint(text) != "[]" {
		t.Errorf("made %v", text)
	}
	status, _, body := d.post("[" + strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"ping"},`, 49) +
		`{"jsonrpc":"2.0","id":1,"method":"ping"}]`)
	if status != 200 || strings.Contains(body, "error") {
		t.Errorf("small answers: %d %s", status, body)
	}
}

// gate is what a server counts without a key.
type gate struct {
	mu      sync.Mutex
	left    int
	counted map[string]int
}

func (g *gate) take(address string, n int) time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.counted[address] += n
	if g.left -= n; g.left < 0 {
		return 2500 * time.Millisecond
	}
	return 0
}

func TestMessagesThatNoKeyStandsForAreLimitedByAddress(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "sqlite")
	g := &gate{left: 1000, counted: map[string]int{}}
	d := open(t, f, mcp.Options{Keyless: g.take})
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for _, x := range []struct {
		name, body, key string
		counts          int
	}{
		{"without a key", callOf(1, "list_events", "{}"), "", 1},
		{"with one", callOf(1, "list_events", "{}"), d.key, 0},
		{"with a wrong one", callOf(1, "list_events", "{}"), "lct_wrong", 0}, // the REST API counts it
		{"of no tool", callOf(1, "nope", "{}"), "lct_wrong", 1},
		{"the description, with a wrong key", callOf(1, "get_openapi", "{}"), "lct_wrong", 1},
		{"the list, with a key", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, d.key, 1},
		{"a batch", "[" + ping + "," + callOf(2, "list_events", "{}") + "," + ping + "]", d.key, 2},
		{"no JSON", "{", "", 1},
	} {
		before := g.left
		headers := []string{}
		if x.key != "" {
			headers = []string{"x-access-token", x.key}
		}
		d.post(x.body, headers...)
		modelstest.Want(t, x.name, before-g.left, x.counts)
	}
	g.left = 2
	refused := func(body string, want string, headers ...string) {
		t.Helper()
		status, header, answer := d.post(body, headers...)
		var parsed rpc
		if err := json.Unmarshal([]byte(answer), &parsed); err != nil || status != 429 || header.Get("Retry-After") != "3" ||
			parsed.Error == nil || parsed.Error.Code != -32000 || fmt.Sprint(parsed.ID) != want {
			t.Errorf("%s: %d %v %s", body, status, header, answer)
		}
	}
	refused("["+ping+","+ping+","+ping+"]", "<nil>")
	refused(callOf(9, "get_openapi", "{}"), "9", "x-access-token", d.key)
	refused(`{"jsonrpc":"2.0","id":"x","method":"tools/list"}`, "x")
	if status, _, answer := d.post(callOf(1, "list_events", "{}"), "x-access-token", d.key); status != 200 ||
		strings.Contains(answer, "isError") {
		t.Errorf("with a key: %d %s", status, answer)
	}
}

func TestTheWorkOfAMessageGrowsNoFasterThanIt(t *testing.T) {
	server, err := mcp.New(mcp.Options{Client: &http.Client{Transport: descriptions{}}, API: "http://lectern",
		PublicURL: "http://127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	post := func(body string) {
		r := httptest.NewRequest("POST", "http://127.0.0.1/mcp", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("x-access-token", "k")
		server.ServeHTTP(httptest.NewRecorder(), r)
	}
	for name, x := range map[string]struct {
		n    int
		body func(n int) string
	}{
		"unknown arguments": {5_000, func(n int) string {
			fields := make([]string, n)
			for i := range fields {
				fields[i] = fmt.Sprintf(`"x%d":1`, i)
			}
			return callOf(1, "list_events", "{"+strings.Join(fields, ",")+"}")
		}},
		"statuses": {10_000, func(n int) string {
			return callOf(1, "list_submissions", `{"event_id":"e","status":[`+strings.Repeat(`"draft",`, n)+`"x"]}`)
		}},
		"answers": {5_000, func(n int) string {
			return callOf(1, "capture_abstract", `{"title":"T","custom_fields":{"a":"`+strings.Repeat("b", 20*n)+`"}}`)
		}},
		"nested": {2_000, func(n int) string {
			return callOf(1, "list_events", strings.Repeat(`{"a":`, n)+"1"+strings.Repeat("}", n))
		}},
		"lists":       {2_000, func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }},
		"a long name": {100_000, func(n int) string { return callOf(1, strings.Repeat("x", n), "{}") }},
		"a long id": {100_000, func(n int) string {
			return callOf(1, "get_submission", `{"event_id":"e","submission_id":"`+strings.Repeat("x", n)+`"}`)
		}},
		"text in tags": {12_000, func(n int) string {
			return callOf(1, "get_submission", `{"event_id":"tags","submission_id":"`+fmt.Sprint(n)+`"}`)
		}},
		"text in signs": {12_000, func(n int) string {
			return callOf(1, "get_submission", `{"event_id":"signs","submission_id":"`+fmt.Sprint(n)+`"}`)
		}},
		"text in lines": {12_000, func(n int) string {
			return callOf(1, "get_submission", `{"event_id":"lines","submission_id":"`+fmt.Sprint(n)+`"}`)
		}},
		"text in links": {3_000, func(n int) string {
			return callOf(1, "get_submission", `{"event_id":"links","submission_id":"`+fmt.Sprint(n)+`"}`)
		}},
	} {
		t.Run(name, func(t *testing.T) { modelstest.GrowsNoFaster(t, x.n, func(n int) { post(x.body(n)) }) })
	}
}

// descriptions answers with a session whose description is as long and as odd as
// the path says.
type descriptions struct{}

func (descriptions) RoundTrip(r *http.Request) (*http.Response, error) {
	parts := strings.Split(r.URL.Path, "/") // /v1/event/{kind}/sessions/{n}
	n, kind := 0, ""
	if len(parts) > 3 { // GET /v1/events comes by as well
		kind = parts[3]
	}
	fmt.Sscan(parts[len(parts)-1], &n)
	unit := map[string]string{"tags": "<b>x</b>", "signs": "a &gt; ", "lines": "<p>a</p>\n \n",
		"links": `<a href="http://a.example">x</a>`}[kind]
	w := httptest.NewRecorder()
	json.NewEncoder(w).Encode(object{"id": "x", "title": "T", "is_abstract": true, "description": strings.Repeat(unit, n)})
	return w.Result(), nil
}

func TestAnAnswerOfTheToolsRepeatsNothingLong(t *testing.T) {
	d := one(t)
	long := strings.Repeat("<", 100_000)
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"` + long + `"}`, `{"jsonrpc":"2.0","id":"` + long + `","method":"ping"}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + long + `"}}`,
	} {
		if status, _, answer := d.post(body); status != 400 || len(answer) > 1000 {
			t.Errorf("%.60s is answered %d with %d bytes", body, status, len(answer))
		}
	}
}
