package mcp_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	mcpgo "github.com/mark3labs/mcp-go/mcp"

	"lectern/api"
	"lectern/mcp"
	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/modelstest"
)

type object = map[string]any

// desk is a tool server over the REST API of a fixture, both over HTTP.
type desk struct {
	*modelstest.Fixture
	t       *testing.T
	address string // of the tools
	calls   *recorder
	key     string // with all scopes
}

// recorder keeps which REST calls were made.
type recorder struct {
	http.RoundTripper
	mu    sync.Mutex
	paths []string
	keys  []string
}

func (r *recorder) RoundTrip(q *http.Request) (*http.Response, error) {
	r.mu.Lock()
	r.paths = append(r.paths, q.Method+" "+q.URL.Path)
	r.keys = append(r.keys, q.Header.Get("x-access-token"))
	r.mu.Unlock()
	return r.RoundTripper.RoundTrip(q)
}

func (r *recorder) during(f func()) []string {
	r.mu.Lock()
	before := len(r.paths)
	r.mu.Unlock()
	f()
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.paths[before:]
}

func each(t *testing.T, test func(t *testing.T, d *desk)) {
	t.Helper()
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) { test(t, open(t, f, mcp.Options{})) })
}

// one runs a test whose subject has nothing to do with the database.
func one(t *testing.T) *desk {
	t.Parallel()
	return open(t, modelstest.Open(t, "sqlite"), mcp.Options{})
}

func open(t *testing.T, f *modelstest.Fixture, options mcp.Options) *desk {
	t.Helper()
	app := fiber.New(fiber.Config{Immutable: true, CaseSensitive: true, DisableStartupMessage: true})
	api.New(app, f.Store, api.Options{BaseURL: modelstest.BaseURL, Now: f.Clock.Now})
	listener := modelstest.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	go app.Listener(listener)
	connections := &http.Transport{}
	t.Cleanup(func() { connections.CloseIdleConnections(); app.ShutdownWithTimeout(time.Second) })
	d := &desk{Fixture: f, t: t, calls: &recorder{RoundTripper: connections}}
	if options.API == "" {
		options.API = "http://" + listener.Addr().String()
	}
	options.Client = &http.Client{Transport: d.calls}
	options.PublicURL = "http://127.0.0.1"
	server := modelstest.Must(mcp.New(options))(t)
	tools := httptest.NewServer(server)
	t.Cleanup(tools.Close)
	d.address = tools.URL
	d.key = d.mint(apikey.Scopes...)
	return d
}

func (d *desk) mint(scopes ...apikey.Scope) string {
	d.t.Helper()
	_, key, err := apikey.Of(d.Programme()).Create(d.t.Context(), apikey.New{Name: "key", Scopes: scopes})
	modelstest.Fine(d.t, err)
	return key
}

// as returns the desk of a caller with another key, "" for none.
func (d *desk) as(key string) *desk {
	other := *d
	other.key = key
	return &other
}

// session makes a session of the programme, and abstract a submission, with what is given of them at most once.
func (d *desk) session(title string, in ...models.SessionInput) *models.Session {
	d.t.Helper()
	return d.create(false, title, in)
}

func (d *desk) abstract(title string, in ...models.SessionInput) *models.Session {
	d.t.Helper()
	return d.create(true, title, in)
}

func (d *desk) create(isAbstract bool, title string, in []models.SessionInput) *models.Session {
	d.t.Helper()
	n := models.NewSession{Title: title, IsAbstract: isAbstract}
	if len(in) > 0 {
		n.SessionInput = in[0]
	}
	return modelstest.Must(d.Programme().CreateSession(d.t.Context(), n))(d.t)
}

// change changes a session or submission.
func (d *desk) change(id string, c models.SessionChange) *models.Session {
	d.t.Helper()
	return modelstest.Must(d.Programme().UpdateSession(d.t.Context(), id, c))(d.t)
}

// row makes a row of metadata and returns its id.
func (d *desk) row(family models.Family, name string) string {
	d.t.Helper()
	return modelstest.RowOf(d.t, d.Programme(), family, name).ID
}

// client is an agent's: initialized, with headers.
func (d *desk) client(headers map[string]string) *client.Client {
	d.t.Helper()
	c := modelstest.Must(client.NewStreamableHttpClient(d.address, transport.WithHTTPHeaders(headers)))(d.t)
	d.t.Cleanup(func() { c.Close() })
	var hello mcpgo.InitializeRequest
	hello.Params.ProtocolVersion = mcpgo.LATEST_LEGACY_PROTOCOL_VERSION
	hello.Params.ClientInfo = mcpgo.Implementation{Name: "test", Version: "1"}
	modelstest.Must(c.Initialize(d.t.Context(), hello))(d.t)
	return c
}

// useBy calls a tool with headers and returns the text of its one block.
func (d *desk) useBy(headers map[string]string, name string, arguments any) (text string, failed bool) {
	d.t.Helper()
	var call mcpgo.CallToolRequest
	call.Params.Name, call.Params.Arguments = name, arguments
	result, err := d.client(headers).CallTool(d.t.Context(), call)
	if err != nil {
		d.t.Fatalf("%s: %v", name, err)
	}
	if len(result.Content) != 1 {
		d.t.Fatalf("%s: not one block: %+v", name, result)
	}
	block, ok := result.Content[0].(mcpgo.TextContent)
	if !ok {
		d.t.Fatalf("%s: no text: %+v", name, result)
	}
	d.wantStructured(name, block.Text, result)
	return block.Text, result.IsError
}

func withKey(key string) map[string]string { return map[string]string{"x-access-token": key} }

// use is useBy with the desk's key.
func (d *desk) use(name string, arguments any) (text string, failed bool) {
	d.t.Helper()
	if d.key == "" {
		return d.useBy(nil, name, arguments)
	}
	return d.useBy(withKey(d.key), name, arguments)
}

// tool calls a tool and decodes its result.
func (d *desk) tool(name string, arguments any) object {
	d.t.Helper()
	text, failed := d.use(name, arguments)
	if failed {
		d.t.Fatalf("%s %v failed: %s", name, arguments, text)
	}
	return decode(d.t, text)
}

// wantNote checks the note of an answer, nil for none.
func (d *desk) wantNote(tool string, arguments object, want any) {
	d.t.Helper()
	modelstest.Want(d.t, fmt.Sprint("note of ", tool, arguments), d.tool(tool, arguments)["note"], want)
}

// errorsBy are the names of errors by their statuses.
var errorsBy = map[int]string{400: "ValidationError", 401: "UnauthorizedError", 403: "ForbiddenError",
	404: "NotFoundError", 409: "ConflictError", 502: "UpstreamError"}

// refused calls a tool that must fail with a status, and returns its message and its hint.
func (d *desk) refused(name string, arguments any, status int) (message, hint string) {
	d.t.Helper()
	text, failed := d.use(name, arguments)
	var e struct {
		Error, Message, Hint string
		Status               int
	}
	if err := json.Unmarshal([]byte(text), &e); err != nil || !failed || e.Error != errorsBy[status] ||
		e.Status != status || e.Message == "" || e.Hint == "" {
		d.t.Fatalf("%s %v: %v %s, want %d", name, arguments, failed, text, status)
	}
	return e.Message, e.Hint
}

// hint returns the hint of a refusal.
func (d *desk) hint(name string, arguments any, status int) string {
	d.t.Helper()
	_, hint := d.refused(name, arguments, status)
	return hint
}

// wantHint checks that the hint of a refusal has these words.
func (d *desk) wantHint(name string, arguments any, status int, words ...string) {
	d.t.Helper()
	has(d.t, d.hint(name, arguments, status), words...)
}

// has checks that a text has these words.
func has(t *testing.T, text any, words ...string) {
	t.Helper()
	for _, word := range words {
		if !strings.Contains(fmt.Sprint(text), word) {
			t.Errorf("%q is not in %v", word, text)
		}
	}
}

// is checks some fields of an answer: by their text where a text is wanted, else as JSON, where nil is also a field
// that is not there.
func is(t *testing.T, got, want object) {
	t.Helper()
	for field, value := range want {
		g, w := modelstest.Must(json.Marshal(got[field]))(t), modelstest.Must(json.Marshal(value))(t)
		if fmt.Sprint(got[field]) != value && !bytes.Equal(g, w) {
			t.Errorf("%s is %v, want %v: %v", field, got[field], value, got)
		}
	}
}

func decode(t *testing.T, text string) object {
	t.Helper()
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(text)); err != nil || compact.String() != text {
		t.Fatalf("not compact JSON (%v): %s", err, text)
	}
	var v object
	modelstest.Fine(t, json.Unmarshal([]byte(text), &v))
	return v
}

// rows are the results of a collection, which has its pagination block.
func rows(t *testing.T, v object) []object {
	t.Helper()
	for _, field := range []string{"currentPage", "pageSize", "totalPages", "totalResults"} {
		if _, ok := v["pagination"].(object)[field].(float64); !ok {
			t.Fatalf("no %s: %v", field, v)
		}
	}
	var out []object
	for _, row := range v["results"].([]any) {
		out = append(out, row.(object))
	}
	return out
}

// post sends a body as it is.
func (d *desk) post(body string, headers ...string) (int, http.Header, string) {
	d.t.Helper()
	return d.send("POST", body, append([]string{"Content-Type", "application/json"}, headers...)...)
}

func (d *desk) send(method, body string, headers ...string) (int, http.Header, string) {
	d.t.Helper()
	r := modelstest.Must(http.NewRequest(method, d.address, strings.NewReader(body)))(d.t)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
	}
	res := modelstest.Must(http.DefaultClient.Do(r))(d.t)
	defer res.Body.Close()
	b := modelstest.Must(io.ReadAll(res.Body))(d.t)
	return res.StatusCode, res.Header, string(b)
}
