package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"lectern/api"
	"lectern/models"
	"lectern/models/modelstest"
)

// door is the API on a fixture's store, asked without a network.
type door struct {
	*modelstest.Fixture
	serve fasthttp.RequestHandler
	key   string // of the event under test, with all scopes
}

// each runs test against the API on both databases.
func each(t *testing.T, test func(t *testing.T, d *door)) {
	t.Helper()
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) { test(t, open(t, f, api.Options{})) })
}

func open(t testing.TB, f *modelstest.Fixture, options api.Options) *door {
	t.Helper()
	options.BaseURL = modelstest.BaseURL
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
		c.Locals(api.RequestIDKey{}, "request-1")
		c.Set("x-request-id", "request-1")
		return c.Next()
	})
	api.New(app, f.Store, options)
	d := &door{Fixture: f, serve: app.Handler()}
	d.key = d.mint(t, f.Event, models.Scopes...)
	return d
}

// mint makes a key of an event.
func (d *door) mint(t testing.TB, event *models.Event, scopes ...models.Scope) string {
	t.Helper()
	_, value, err := d.Store.Programme(event, modelstest.Tester).
		CreateAPIKey(context.Background(), models.NewAPIKey{Name: "key", Scopes: scopes})
	if err != nil {
		t.Fatal(err)
	}
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
func (a *answer) object() map[string]any {
	a.t.Helper()
	var m map[string]any
	a.into(&m)
	return m
}

// path returns an address below the event under test.
func (d *door) path(rest string) string { return "/v1/event/" + d.Event.ID + rest }

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
		raw, err := json.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
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
