package api_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"lectern/api"
	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/modelstest"
	"lectern/models/store"
	"lectern/web/request"
)

// door is the API on a fixture's store, asked without a network.
type door struct {
	*modelstest.Fixture
	event *models.Event // whose paths are asked
	serve fasthttp.RequestHandler
	key   string // sent unless a request brings its own; of the event, with all scopes
}

// object is any JSON object.
type object = map[string]any

// each runs test against the API on both databases.
func each(t *testing.T, test func(t *testing.T, d *door)) {
	t.Helper()
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) { test(t, open(t, f, api.Options{})) })
}

func open(t testing.TB, f *modelstest.Fixture, options api.Options) *door {
	t.Helper()
	options.BaseURL, options.Now = modelstest.BaseURL, f.Clock.Now
	app := fiber.New(fiber.Config{
		Immutable: true, CaseSensitive: true, BodyLimit: 2 << 20,
		ErrorHandler: func(c *fiber.Ctx, err error) error {
			var e *fiber.Error
			if errors.As(err, &e) {
				return api.Fail(c, e.Code)
			}
			return api.Fail(c, http.StatusInternalServerError)
		},
	})
	app.Use(func(c *fiber.Ctx) error {
		c.Locals(request.IDKey{}, "request-1")
		c.Set("x-request-id", "request-1")
		return c.Next()
	})
	api.New(app, f.Store, options)
	d := &door{Fixture: f, event: f.Event, serve: app.Handler()}
	d.key = d.mint(t, f.Event, apikey.Scopes...)
	return d
}

// elsewhere is the same API asked for the other event with a key of its own.
func (d *door) elsewhere(t testing.TB) *door {
	return &door{Fixture: d.Fixture, event: d.Other, serve: d.serve, key: d.mint(t, d.Other, apikey.Scopes...)}
}

// mint makes a key of an event.
func (d *door) mint(t testing.TB, event *models.Event, scopes ...apikey.Scope) string {
	t.Helper()
	_, value, err := apikey.Of(d.Store.Programme(event, modelstest.Tester)).
		Create(t.Context(), apikey.New{Name: "key", Scopes: scopes})
	modelstest.Fine(t, err)
	return value
}

// answer is what came back.
type answer struct {
	t      testing.TB
	status int
	header func(string) string
	raw    []byte
}

// want fails the test unless the answer has the status.
func (a *answer) want(status int) *answer {
	a.t.Helper()
	if a.status != status {
		a.t.Fatalf("status %d, want %d: %s", a.status, status, a.raw)
	}
	return a
}

// wantError fails the test unless the answer is an error of this status and
// name whose message and details mention all parts.
func (a *answer) wantError(status int, name string, parts ...string) *answer {
	a.t.Helper()
	a.want(status)
	var body struct{ Error, Message, RequestID string }
	a.into(&body)
	if body.Error != name || body.Message == "" {
		a.t.Fatalf("error %q, want %q: %s", body.Error, name, a.raw)
	}
	for _, part := range parts {
		if !strings.Contains(string(a.raw), part) {
			a.t.Fatalf("the error does not mention %q: %s", part, a.raw)
		}
	}
	return a
}

func (a *answer) into(v any) {
	a.t.Helper()
	if err := json.Unmarshal(a.raw, v); err != nil {
		a.t.Fatalf("%v: %s", err, a.raw)
	}
}

// object is the answer as plain JSON.
func (a *answer) object() object {
	a.t.Helper()
	var m object
	a.into(&m)
	return m
}

// results are the rows of a list, whose envelope must hold nothing else.
func (a *answer) results() []object {
	a.t.Helper()
	var envelope struct {
		Results    []object `json:"results"`
		Pagination object   `json:"pagination"`
	}
	decoder := json.NewDecoder(strings.NewReader(string(a.raw)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&envelope); err != nil || envelope.Results == nil || len(envelope.Pagination) != 4 {
		a.t.Fatalf("not the envelope {results, pagination}: %s", a.raw)
	}
	return envelope.Results
}

// wantField fails the test unless the answer is a 400 that names the field.
func (a *answer) wantField(field string) *answer {
	a.t.Helper()
	a.wantError(400, "ValidationError")
	var body struct{ Details []store.FieldError }
	a.into(&body)
	for _, detail := range body.Details {
		if detail.Field == field && detail.Message != "" {
			return a
		}
	}
	a.t.Fatalf("no detail names the field %q: %s", field, a.raw)
	return a
}

// path returns an address below the event.
func (d *door) path(rest string) string { return "/v1/event/" + d.event.ID + rest }

// create makes a session and returns it.
func (d *door) create(t testing.TB, fields object) object {
	t.Helper()
	return d.do(t, "POST", d.path("/sessions/create"), fields).want(200).object()
}

// get reads a session.
func (d *door) get(t testing.TB, id any) object {
	t.Helper()
	return d.do(t, "GET", d.path("/sessions/"+id.(string)), nil).want(200).object()
}

// put updates a session.
func (d *door) put(t testing.TB, id, body any) *answer {
	t.Helper()
	return d.do(t, "PUT", d.path("/sessions/"+id.(string)), body)
}

// search returns the results of a session search.
func (d *door) search(t testing.TB, body any) []object {
	t.Helper()
	return d.do(t, "POST", d.path("/sessions/search"), body).want(200).results()
}

// titles are the titles of a session search, in their order.
func (d *door) titles(t testing.TB, body any) []string {
	t.Helper()
	return pluck(d.search(t, body), "title")
}

// row makes a metadata row and returns its id.
func (d *door) row(t testing.TB, family, name string) string {
	t.Helper()
	return d.do(t, "POST", d.path("/"+family+"/create"), object{"name": name}).want(200).object()["id"].(string)
}

// speaker puts a new contact on a session and returns its id.
func (d *door) speaker(t testing.TB, session any, n models.NewContact) string {
	t.Helper()
	return d.Speaker(t, d.event, session.(string), n)
}

func pluck(rows []object, field string) []string {
	return store.Map(rows, func(row object) string { return row[field].(string) })
}

// wantEqual fails the test unless both read the same as JSON.
func wantEqual(t testing.TB, got, want any) {
	t.Helper()
	g, _ := json.Marshal(got)
	w, _ := json.Marshal(want)
	if string(g) != string(w) {
		t.Fatalf("got  %s\nwant %s", g, w)
	}
}

// do sends a request with the full key; body is JSON text, or a value to be
// marshalled, or nil. Headers come in pairs and may replace the key.
func (d *door) do(t testing.TB, method, path string, body any, headers ...string) *answer {
	t.Helper()
	var ctx fasthttp.RequestCtx
	request := &ctx.Request
	request.Header.SetMethod(method)
	request.SetRequestURI(path)
	request.Header.Set("x-access-token", d.key)
	switch b := body.(type) {
	case nil:
	case string:
		request.Header.SetContentType("application/json")
		request.SetBodyString(b)
	default:
		raw := modelstest.Must(json.Marshal(b))(t)
		request.Header.SetContentType("application/json")
		request.SetBody(raw)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	d.serve(&ctx)
	response := &ctx.Response
	return &answer{t: t, status: response.StatusCode(), raw: append([]byte(nil), response.Body()...),
		header: func(name string) string { return string(response.Header.Peek(name)) }}
}
