package server

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"lectern/models/apikey"
	"lectern/models/modelstest"
	"lectern/static"
)

func TestEveryAnswerHasTheHeadersOfItsGroup(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "sqlite")
	address, key := doors(t, f)
	event := "/v1/event/" + f.Event.ID
	poor := modelstest.NewKey(t, f, apikey.ReadEvents)
	api := http.Header{"Cache-Control": {"private, no-cache"}, "Vary": {"x-access-token"}}
	packed := http.Header{"Cache-Control": {"private, no-cache"}, "Vary": {"x-access-token, Accept-Encoding"}}
	page := http.Header{"Cache-Control": {"no-store"}, "Content-Security-Policy": {
		"default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'; img-src " +
			"'self' data:"}}
	file := http.Header{"Cache-Control": {"public, max-age=3600"}, "Vary": {"Accept-Encoding"}}
	for _, x := range []struct {
		method, path, key, body string
		status                  int
		want                    http.Header
	}{
		{"GET", "/v1/events", key, "", 200, api},
		{"HEAD", "/v1/events", key, "", 200, api},
		{"GET", event + "/tracks", key, "", 200, api},
		{"POST", event + "/sessions/search", key, `{}`, 200, api},
		{"POST", event + "/sessions/create", key, `{`, 400, api},
		{"GET", "/v1/events", "", "", 401, api},
		{"GET", event + "/tracks", poor, "", 403, api},
		{"GET", "/v1/nope", key, "", 404, api},
		{"GET", event + "/sessions/x", key, "", 404, api},
		{"PATCH", "/v1/events", key, "", 405, api},
		{"FOO", "/v1/events", key, "", 405, api},
		{"POST", event + "/sessions/create", key, strings.Repeat(" ", bodyLimit+1), 413, api},
		{"GET", "/v1/openapi.json", "", "", 200, packed},
		{"POST", "/mcp", "", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, 200, http.Header{"Cache-Control": {"no-store"}}},
		{"GET", "/mcp", "", "", 405, http.Header{"Cache-Control": {"no-store"}}},
		{"GET", "/static/app.css", "", "", 200, file},
		{"GET", "/static/app.css?" + static.Version(), "", "", 200, http.Header{
			"Cache-Control": {"public, max-age=31536000, immutable"}, "Vary": {"Accept-Encoding"}}},
		{"GET", "/static/app.css?of-another-version", "", "", 200, file},
		{"GET", "/static/vendor/inter/inter-latin-wght-normal.woff2", "", "", 200,
			http.Header{"Cache-Control": {"public, max-age=2592000"}}},
		{"GET", "/static/nope", "", "", 404, http.Header{"Cache-Control": {"no-store"}}},
		{"GET", "/docs/api-reference", "", "", 200, http.Header{"Cache-Control": {"no-cache"}, "Content-Security-Policy": {
			"default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"}}},
		{"GET", "/favicon.ico", "", "", 301, http.Header{"Cache-Control": {"public, max-age=86400"}}},
		{"GET", "/setup", "", "", 200, page},
		{"GET", "/admin/nope", "", "", 404, page},
		{"GET", "/nope", "", "", 404, page},
		{"GET", "/sign-out", "", "", 405, page},
		{"GET", "/healthz", "", "", 200, http.Header{"Cache-Control": {"no-store"}}},
	} {
		res, text := ask(t, address, x.method, x.path, x.body, "x-access-token", x.key)
		modelstest.Want(t, x.method+" "+x.path+" answers "+text, res.StatusCode, x.status)
		want := x.want.Clone()
		want.Set("X-Content-Type-Options", "nosniff")
		want.Set("Referrer-Policy", "same-origin")
		want.Set("Strict-Transport-Security", "max-age=31536000")
		for name := range want {
			modelstest.Want(t, x.method+" "+x.path+": "+name, fmt.Sprint(res.Header.Values(name)), fmt.Sprint(want.Values(name)))
		}
		if res.Header.Get("X-Request-Id") == "" {
			t.Errorf("%s %s has no id", x.method, x.path)
		}
	}
	for _, head := range []string{"GET /v1/events HTTP/1.1\r\n\r\n",
		"GET /v1/events HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n"} {
		answer, _ := send(t, address, head)
		for _, line := range []string{"HTTP/1.1 400 ", "Cache-Control: ", "Referrer-Policy: same-origin",
			"Strict-Transport-Security: max-age=31536000", "X-Content-Type-Options: nosniff"} {
			if !strings.Contains(answer, line) {
				t.Errorf("%q lacks %q:\n%s", head, line, answer)
			}
		}
	}
}

func TestOverTheLimitAndInAFaultTheHeadersAreTheSame(t *testing.T) {
	t.Parallel()
	f := modelstest.OpenAt(t, modelstest.Database(t, "sqlite"))
	key := modelstest.NewKey(t, f, apikey.Scopes...)
	address := listen(t, New(&Options{BaseURL: "http://lectern.test", Reads: 1}, f.Store, Process{Key: make([]byte, 32)}))
	check := func(status int) {
		t.Helper()
		res, text := ask(t, address, "GET", "/v1/events", "", "x-access-token", key)
		if res.StatusCode != status || res.Header.Get("Cache-Control") != "private, no-cache" ||
			res.Header.Get("Vary") != "x-access-token" || res.Header.Get("Referrer-Policy") != "same-origin" {
			t.Errorf("%d %v %s", res.StatusCode, res.Header, text)
		}
		modelstest.Want(t, "over plain http HSTS is", res.Header.Get("Strict-Transport-Security"), "")
	}
	check(200)
	check(429)
	f.Store.Close()
	if res, _ := ask(t, address, "GET", "/v1/events", "", "x-access-token", key); res.StatusCode < 500 ||
		res.Header.Get("Cache-Control") != "private, no-cache" || res.Header.Get("Vary") != "x-access-token" {
		t.Errorf("%d %v", res.StatusCode, res.Header)
	}
}

func TestFilesAreSentAgainOnlyWhenTheyChanged(t *testing.T) {
	t.Parallel()
	address := listen(t, appOver(modelstest.Open(t, "sqlite")))
	for _, path := range []string{"/static/app.css", "/static/vendor/swagger-ui/swagger-ui-bundle.js",
		"/static/vendor/inter/inter-latin-wght-normal.woff2", "/docs/api-reference", "/v1/openapi.json"} {
		var tags []string
		plain, whole := ask(t, address, "GET", path, "")
		for _, encoding := range []string{"identity", "gzip", "br", "gzip, deflate, br, zstd"} {
			res, body := ask(t, address, "GET", path, "", "Accept-Encoding", encoding)
			tag := res.Header.Get("ETag")
			if res.StatusCode != 200 || len(tag) < 22 || (res.Header.Get("Content-Encoding") == "") != (body == whole) ||
				res.Header.Get("Content-Type") != plain.Header.Get("Content-Type") {
				t.Errorf("%s as %s: %d %v", path, encoding, res.StatusCode, res.Header)
			}
			if len(body) > len(whole) || bytes.Equal([]byte(tag), []byte(`""`)) {
				t.Errorf("%s as %s has %d bytes of %d", path, encoding, len(body), len(whole))
			}
			tags = append(tags, tag)
			for known, status := range map[string]int{tag: 304, "W/" + strings.TrimPrefix(tag, "W/"): 304, `"a", ` + tag + `, "b"`: 304, "*": 304,
				`"a"`: 200, "": 200, `"` + tag: 200} {
				for _, method := range []string{"GET", "HEAD"} {
					res, body := ask(t, address, method, path, "", "Accept-Encoding", encoding, "If-None-Match", known)
					if res.StatusCode != status || (status == 304) &&
						(body != "" || res.Header.Get("ETag") != tag || res.Header.Get("Cache-Control") == "") {
						t.Errorf("%s %s for %s: %d %v", method, path, known, res.StatusCode, res.Header)
					}
				}
			}
		}
		if strings.HasSuffix(path, ".js") && (tags[0] == tags[1] || tags[1] == tags[2] || tags[2] != tags[3]) {
			t.Errorf("%s: %v", path, tags)
		}
	}
}
