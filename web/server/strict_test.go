package server

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// dial opens a connection that ends with the test.
func dial(t testing.TB, address string) net.Conn {
	t.Helper()
	conn := modelstest.Must(net.Dial("tcp", address))(t)
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(time.Minute))
	return conn
}

// send writes a text as it is to a new connection and returns all that comes back
// until the server ends it, or for one answer only when it does not.
func send(t testing.TB, address, text string) (answers string, closed bool) {
	t.Helper()
	conn := dial(t, address)
	modelstest.Must(io.WriteString(conn, text))(t)
	piece := make([]byte, 64<<10)
	for {
		n, err := conn.Read(piece)
		answers += string(piece[:n])
		if err != nil {
			return answers, err == io.EOF
		}
		most := time.Minute
		if !strings.Contains(answers, "Connection: close") { // it may have said all
			most = time.Second
		}
		conn.SetReadDeadline(time.Now().Add(most))
	}
}

func TestRequestsThatOthersCouldReadInAnotherWayAreRefused(t *testing.T) {
	t.Parallel()
	app := newApp(&Options{}, Process{}, nil)
	app.All("/v1/x", func(c *fiber.Ctx) error { return c.SendString("reached\n") })
	address := listen(t, app)
	const smuggled = "GET /v1/x HTTP/1.1\r\nHost: x\r\n\r\n"
	for name, text := range map[string]string{
		"two ways to end": "POST /v1/x HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: " +
			"chunked\r\n\r\n0\r\n\r\n",
		"the other way round": "POST /v1/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: " +
			"5\r\n\r\n0\r\n\r\n",
		"two lengths":          "POST /v1/x HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na",
		"two lengths in one":   "POST /v1/x HTTP/1.1\r\nHost: x\r\nContent-Length: 1, 1\r\n\r\na",
		"a length with a sign": "POST /v1/x HTTP/1.1\r\nHost: x\r\nContent-Length: +1\r\n\r\na",
		"a negative length":    "POST /v1/x HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\na",
		"an empty length":      "POST /v1/x HTTP/1.1\r\nHost: x\r\nContent-Length: \r\n\r\na",
		"chunked twice": "POST /v1/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: " +
			"chunked\r\n\r\n0\r\n\r\n",
		"chunked and more":       "POST /v1/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
		"identity":               "POST /v1/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: identity\r\n\r\n",
		"chunked in HTTP/1.0":    "POST /v1/x HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
		"space before the colon": "POST /v1/x HTTP/1.1\r\nHost: x\r\nContent-Length : 1\r\n\r\na",
		"tab before the colon":   "POST /v1/x HTTP/1.1\r\nHost: x\r\nContent-Length\t: 1\r\n\r\na",
		"space in a name":        "GET /v1/x HTTP/1.1\r\nHost: x\r\nX Y: 1\r\n\r\n",
		"space before a name":    "GET /v1/x HTTP/1.1\r\n Host: x\r\n\r\n",
		"a folded field":         "GET /v1/x HTTP/1.1\r\nHost: x\r\nX-Y: 1\r\n 2\r\n\r\n",
		"folded by a tab":        "GET /v1/x HTTP/1.1\r\nHost: x\r\nX-Y: 1\r\n\t2\r\n\r\n",
		"no colon":               "GET /v1/x HTTP/1.1\r\nHost: x\r\nX\r\n\r\n",
		"no name":                "GET /v1/x HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n",
		"NUL in a field":         "GET /v1/x HTTP/1.1\r\nHost: x\r\nX: \x00\r\n\r\n",
		"a lone CR":              "GET /v1/x HTTP/1.1\r\nHost: x\r\nX: a\rb\r\n\r\n",
		"lone line feeds":        "GET /v1/x HTTP/1.1\r\nHost: x\nX: a\r\n\r\n",
		"an end of line feeds":   "GET /v1/x HTTP/1.1\r\nHost: x\n\n" + smuggled,
		"no host":                "GET /v1/x HTTP/1.1\r\n\r\n",
		"no host but others":     "GET /v1/x HTTP/1.1\r\nX: y\r\n\r\n",
		"two hosts":              "GET /v1/x HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n",
		"two hosts, one cased":   "GET /v1/x HTTP/1.1\r\nHost: x\r\nhOST: y\r\n\r\n",
		"HTTP/1.2":               "GET /v1/x HTTP/1.2\r\nHost: x\r\n\r\n",
		"HTTP/0.9":               "GET /v1/x\r\n\r\n",
		"HTTP/0.9 by name":       "GET /v1/x HTTP/0.9\r\nHost: x\r\n\r\n",
		"HTTP/2.0":               "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
		"HTTP/2.0 of a path":     "GET /v1/x HTTP/2.0\r\nHost: x\r\n\r\n",
		"another protocol":       "GET /v1/x SIP/1.1\r\nHost: x\r\n\r\n",
		"version in small":       "GET /v1/x http/1.1\r\nHost: x\r\n\r\n",
		"nothing of HTTP":        "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
	} {
		answers, closed := send(t, address, text+smuggled)
		if !strings.HasPrefix(answers, "HTTP/1.1 400 ") || !closed || strings.Contains(answers, "reached") {
			t.Errorf("%s: closed is %v\n%s", name, closed, answers)
		}
		if !strings.Contains(answers, "X-Request-Id: ") || !strings.Contains(answers, "Connection: close") {
			t.Errorf("%s: %s", name, answers)
		}
	}
	for name, text := range map[string]string{
		"HTTP/1.1":              "GET /v1/x HTTP/1.1\r\nHost: x\r\n\r\n",
		"HTTP/1.0":              "GET /v1/x HTTP/1.0\r\n\r\n",
		"HTTP/1.0 with a host":  "GET /v1/x HTTP/1.0\r\nHost: x\r\n\r\n",
		"space after the value": "GET /v1/x HTTP/1.1\r\nHost: x \r\nX:y\r\n\r\n",
		"an empty field":        "GET /v1/x HTTP/1.1\r\nHost: x\r\nX:\r\n\r\n",
		"chunked":               "POST /v1/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
		"a length":              "POST /v1/x HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\na",
	} {
		if answers, _ := send(t, address, text); !strings.HasPrefix(answers, "HTTP/1.1 200 ") {
			t.Errorf("%s: %s", name, answers)
		}
	}
}

func TestWhatIsNotReadIsNotTheNextRequest(t *testing.T) {
	t.Parallel()
	app := newApp(&Options{}, Process{}, nil)
	app.All("/v1/unread", func(c *fiber.Ctx) error { return c.SendString("unread\n") })
	app.All("/v1/x", func(c *fiber.Ctx) error { return c.SendString("smuggled\n") })
	address := listen(t, app)
	const smuggled = "GET /v1/x HTTP/1.1\r\nHost: x\r\n\r\n"
	filler := strings.Repeat("a", smallBody)
	for name, text := range map[string]string{
		"of a length": fmt.Sprintf("POST /v1/unread HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s%s", len(filler)+
			len(smuggled), filler, smuggled),
		"chunked": fmt.Sprintf(
			"POST /v1/unread HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n",
			len(smuggled), smuggled),
	} {
		if answers, closed := send(t, address, text); !closed || !strings.Contains(answers, "unread\n") ||
			strings.Contains(answers, "smuggled") {
			t.Errorf("%s: closed is %v\n%s", name, closed, answers)
		}
	}
	// One that has been read whole leaves the connection to the next.
	text := "POST /v1/unread HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n" + strings.Repeat("a", 100) + smuggled
	if answers, _ := send(t, address, text); !strings.Contains(answers, "unread\n") ||
		!strings.Contains(answers, "smuggled\n") {
		t.Error(answers)
	}
}

// doors serves the whole app over a store, behind https, and makes a key with all scopes.
func doors(t testing.TB, f *modelstest.Fixture) (address, key string) {
	t.Helper()
	return listen(t, New(&Options{BaseURL: "https://lectern.test"}, f.Store, Process{Key: make([]byte, 32)})),
		modelstest.NewKey(t, f, apikey.Scopes...)
}

// ask sends one request and reads its answer.
func ask(t testing.TB, address, method, path, body string, headers ...string) (*http.Response, string) {
	t.Helper()
	conn := dial(t, address)
	fmt.Fprintf(conn, "%s %s HTTP/1.1\r\nHost: lectern.test\r\nConnection: close\r\n", method, path)
	if body != "" {
		fmt.Fprintf(conn, "Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	for i := 0; i+1 < len(headers); i += 2 {
		fmt.Fprintf(conn, "%s: %s\r\n", headers[i], headers[i+1])
	}
	fmt.Fprintf(conn, "\r\n%s", body)
	res, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	return res, string(text)
}

func TestAMethodThatAPathDoesNotTakeIsToldTheOthers(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "sqlite")
	address, key := doors(t, f)
	event := "/v1/event/" + f.Event.ID
	const browser = "text/html"
	for _, x := range []struct{ method, path, accept, allow, has string }{
		{"FOO", event + "/sessions/x", "", "DELETE, GET, HEAD, PUT", `"error":"MethodNotAllowedError"`},
		{"foo", event + "/tracks", "", "GET, HEAD, POST", `"error":"MethodNotAllowedError"`},
		{"PROPFIND", "/v1/events", browser, "GET, HEAD", `"error":"MethodNotAllowedError"`},
		{"PATCH", event + "/sessions/x/restore", "", "POST", `"error":"MethodNotAllowedError"`},
		{"POST", "/v1/openapi.json", "", "GET, HEAD", `"error":"MethodNotAllowedError"`},
		{"GET", "/mcp", "", "POST", `"code":-32600`},
		{"FOO", "/mcp", "", "POST", `"code":-32600`},
		{"DELETE", "/static/app.css", "", "GET, HEAD", `"error":"MethodNotAllowedError"`},
		{"FOO", "/static/app.css", "", "GET, HEAD", `"error":"MethodNotAllowedError"`},
		{"POST", "/docs/api-reference", "", "GET, HEAD", `"error":"MethodNotAllowedError"`},
		{"POST", "/healthz", "", "GET, HEAD", `"error":"MethodNotAllowedError"`},
		{"FOO", "/readyz", "", "GET, HEAD", `"error":"MethodNotAllowedError"`},
		{"DELETE", "/favicon.ico", "", "GET, HEAD", `"error":"MethodNotAllowedError"`},
		{"DELETE", "/sign-in", browser, "GET, HEAD, POST", "<html"},
		{"FOO", "/sign-out", "", "POST", `"error":"MethodNotAllowedError"`},
		{"DELETE", "/admin/account", browser, "GET, HEAD", "There is nothing to see here"},
		{"FOO", "/admin/events/" + f.Event.ID, browser, "GET, HEAD", "There is nothing to see here"},
	} {
		res, text := ask(t, address, x.method, x.path, "", "x-access-token", key, "Accept", x.accept)
		allowed := strings.Split(strings.Join(res.Header.Values("Allow"), ", "), ", ")
		slices.Sort(allowed)
		if id := res.Header.Get("x-request-id"); res.StatusCode != 405 || strings.Join(allowed, ", ") != x.allow ||
			!strings.Contains(text, x.has) || id == "" {
			t.Errorf("%s %s: %d, allowed are %v, %s", x.method, x.path, res.StatusCode, allowed, text)
		}
		if strings.Contains(x.has, "MethodNotAllowedError") &&
			!strings.Contains(text, `"request_id":"`+res.Header.Get("x-request-id")+`"`) {
			t.Errorf("%s %s: %s", x.method, x.path, text)
		}
	}
	for _, path := range []string{"/v1/nope", event + "/nope/nope", "/static/nope.css", "/nope", "/admin/nope"} {
		for _, method := range []string{"GET", "FOO", "HEAD"} {
			want := 404
			if method == "FOO" && strings.HasPrefix(path, "/static/") {
				want = 405
			}
			if res, _ := ask(t, address, method, path, "", "x-access-token", key); res.StatusCode != want {
				t.Errorf("%s %s: %d", method, path, res.StatusCode)
			}
		}
	}
	if res, text := ask(t, address, "FOO", event+"/tracks", ""); res.StatusCode != 401 {
		t.Errorf("without a key: %d %s", res.StatusCode, text)
	}
}

func TestHeadIsLikeGetWithoutABody(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "sqlite")
	address, key := doors(t, f)
	s := modelstest.Must(f.Programme().CreateSession(t.Context(), models.NewSession{Title: "T"}))(t)
	event := "/v1/event/" + f.Event.ID
	for _, path := range []string{
		"/v1/events", event + "/sessions/" + s.ID, event + "/sessions/" + store.NewID(), event + "/tracks", event +
			"/tracks?page=0", "/v1/nope", "/v1/openapi.json",
		"/static/app.css", "/static/vendor/inter/inter-latin-wght-normal.woff2", "/static/nope", "/docs/api-reference", "/favicon.ico",
		"/healthz", "/readyz", "/sign-in", "/admin/account", "/nope",
	} {
		for _, encoding := range []string{"identity", "gzip"} {
			get, body := ask(t, address, "GET", path, "", "x-access-token", key, "x-request-id", "request-1",
				"Accept-Encoding", encoding)
			head, none := ask(t, address, "HEAD", path, "", "x-access-token", key, "x-request-id", "request-1",
				"Accept-Encoding", encoding)
			for _, header := range []http.Header{get.Header, head.Header} {
				header.Del("Date")
				header.Del("Set-Cookie")
				if header.Get("Content-Length") == "0" { // fasthttp leaves it out of an answer to HEAD
					header.Del("Content-Length")
				}
			}
			if head.StatusCode != get.StatusCode || none != "" || max(0, head.ContentLength) != int64(len(body)) ||
				fmt.Sprint(head.Header) != fmt.Sprint(get.Header) {
				t.Errorf("%s\nGET  %d %d %v\nHEAD %d %d %v %s", path, get.StatusCode, len(body), get.Header, head.StatusCode,
					head.ContentLength, head.Header, none)
			}
		}
	}
}
