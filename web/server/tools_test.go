package server

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"lectern/models/apikey"
	"lectern/models/modelstest"
	"lectern/models/seed"
)

// listen serves app until the test ends.
func listen(t testing.TB, app *fiber.App) string {
	t.Helper()
	address, _ := listenBounded(t, app, &Options{})
	return address
}

// TestACallInProcessIsMadeForItsCaller follows a request from a connection through a
// handler of net/http into the app itself, which ends when the handler gives it up.
func TestACallInProcessIsMadeForItsCaller(t *testing.T) {
	t.Parallel()
	app := newApp(&Options{}, Process{}, nil)
	ended, asked := make(chan error, 1), make(chan string, 1)
	app.Get("/inner", func(c *fiber.Ctx) error {
		asked <- c.Context().RemoteIP().String() + " " + c.Get("x-request-id") + " " + c.Get("x-access-token")
		<-c.UserContext().Done()
		ended <- c.UserContext().Err()
		return nil
	})
	client := &http.Client{Transport: &inProcess{func() fasthttp.RequestHandler { return app.Handler() }}}
	app.All("/outer", adapt(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		inner, err := http.NewRequestWithContext(ctx, "GET", "http://lectern/inner", nil)
		if err != nil {
			t.Error(err)
			return
		}
		inner.Header.Set("x-request-id", r.Header.Get("x-request-id"))
		inner.Header.Set("x-access-token", r.Header.Get("x-access-token"))
		go func() {
			modelstest.Want(t, "the inner request is", <-asked, "127.0.0.1 request-0001 k")
			cancel()
		}()
		if _, err := client.Do(inner); err == nil {
			t.Error("the call in process ended well")
		}
	}), nil))
	outer := modelstest.Must(http.NewRequest("POST", "http://"+listen(t, app)+"/outer", nil))(t)
	outer.Header.Set("x-request-id", "request-0001")
	outer.Header.Set("x-access-token", "k")
	res := modelstest.Must((&http.Client{Timeout: modelstest.Patience}).Do(outer))(t)
	res.Body.Close()
	if err := <-ended; err != context.Canceled {
		t.Error(err)
	}
}

func TestACallInProcessIsLikeOneFromOutside(t *testing.T) {
	t.Parallel()
	app := newApp(&Options{}, Process{}, nil)
	app.All("/echo", func(c *fiber.Ctx) error {
		c.Set("x-method", c.Method())
		c.Set("x-query", c.Query("q"))
		return c.Status(418).Send(c.Body())
	})
	inside := &http.Client{Transport: &inProcess{app.Handler}}
	outside := "http://" + listen(t, app)
	for _, body := range []string{"", "x", strings.Repeat("é", 10_000)} {
		for client, base := range map[*http.Client]string{inside: "http://lectern", http.DefaultClient: outside} {
			res := modelstest.Must(client.Post(base+"/echo?q=a%20b", "text/plain", strings.NewReader(body)))(t)
			got, err := io.ReadAll(res.Body)
			res.Body.Close()
			if err != nil || string(got) != body || res.StatusCode != 418 || res.Header.Get("x-method") != "POST" ||
				res.Header.Get("x-query") != "a b" || res.Header.Get("x-request-id") == "" {
				t.Errorf("%s: %d %v %d bytes %v", base, res.StatusCode, res.Header, len(got), err)
			}
		}
	}
	if res, err := inside.Get("http://lectern/nowhere"); err != nil || res.StatusCode != 404 {
		t.Errorf("%v %v", res, err)
	}
}

// BenchmarkTool is a tool's call beside the REST search it makes, both in process.
func BenchmarkTool(b *testing.B) {
	f := modelstest.Open(b, "sqlite")
	ctx := context.Background()
	programme := f.Programme()
	modelstest.Fine(b, seed.Fill(ctx, programme, 1000, 100))
	key := modelstest.NewKey(b, f, apikey.Scopes...)
	slog.SetDefault(slog.New(slog.DiscardHandler))
	handler := New(&Options{BaseURL: "http://127.0.0.1"}, f.Store, Process{}).Handler()
	for name, c := range map[string]struct{ path, body string }{
		"rest": {"/v1/event/" + f.Event.ID + "/sessions/search", `{"filters": {"is_abstract": true}}`},
		"tool": {"/mcp",
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_submissions","arguments":{"event_id":"` +
				f.Event.ID + `"}}}`},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				request := fasthttp.Request{}
				request.Header.SetMethod("POST")
				request.SetRequestURI(c.path)
				request.Header.SetHost("127.0.0.1")
				request.Header.SetContentType("application/json")
				request.Header.Set("x-access-token", key)
				request.SetBodyString(c.body)
				var ctx fasthttp.RequestCtx
				ctx.Init(&request, nil, nil)
				handler(&ctx)
				if ctx.Response.StatusCode() != 200 || bytes.Contains(ctx.Response.Body(), []byte("isError")) {
					b.Fatalf("%d %s", ctx.Response.StatusCode(), ctx.Response.Body())
				}
			}
		})
	}
}
