package server

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"

	"lectern/models/modelstest"
	"lectern/web/request"
)

func TestAddressesAreTheWordOfTrustedProxies(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		trusted   []string
		forwarded []string // lines of X-Forwarded-For
		want      string
	}{
		{nil, []string{"203.0.113.7"}, "127.0.0.1"},
		{[]string{"192.0.2.0/24"}, []string{"203.0.113.7"}, "127.0.0.1"},
		{[]string{"127.0.0.1"}, nil, "127.0.0.1"},
		{[]string{"127.0.0.1"}, []string{"198.51.100.1, 203.0.113.7"}, "203.0.113.7"},
		{[]string{"127.0.0.1"}, []string{"198.51.100.1", "203.0.113.7"}, "203.0.113.7"}, // a proxy that adds a line
		{[]string{"127.0.0.0/8", "192.0.2.1"}, []string{"198.51.100.1, 203.0.113.7, 192.0.2.1"}, "203.0.113.7"},
		{[]string{"127.0.0.1"}, []string{"198.51.100.1, 203.0.113.7, 192.0.2.1"}, "192.0.2.1"},
		{[]string{"127.0.0.1"}, []string{"198.51.100.1, 203.0.113.7:49152"}, "203.0.113.7"},
		{[]string{"127.0.0.1"}, []string{"[2001:db8::7]:443"}, "2001:db8::7"},
		{[]string{"127.0.0.1"}, []string{"2001:db8::7"}, "2001:db8::7"},
		{[]string{"127.0.0.1"}, []string{"::ffff:203.0.113.7"}, "203.0.113.7"},
		{[]string{"127.0.0.1"}, []string{"203.0.113.7, made up"}, "127.0.0.1"},
		{[]string{"127.0.0.1"}, []string{"203.0.113.7,"}, "127.0.0.1"},
		{[]string{"127.0.0.1", "203.0.113.0/24"}, []string{"203.0.113.7"}, "203.0.113.7"},
		{[]string{"127.0.0.1"}, []string{"203.0.113.7" + strings.Repeat(",127.0.0.1", 31)}, "203.0.113.7"},
		// too far to be believed
		{[]string{"127.0.0.1"}, []string{"203.0.113.7" + strings.Repeat(",127.0.0.1", 32)}, "127.0.0.1"},
		{[]string{"127.0.0.1"}, []string{strings.Repeat(",", 8000)}, "127.0.0.1"},
	} {
		app := newApp(&Options{TrustedProxies: x.trusted}, Process{}, nil)
		app.Get("/address", func(c *fiber.Ctx) error { return c.SendString(request.ParseProxies(x.trusted).AddressOf(c)) })
		var headers []string
		for _, line := range x.forwarded {
			headers = append(headers, "X-Forwarded-For", line)
		}
		if _, got := ask(t, listen(t, app), "GET", "/address", "", headers...); got != x.want {
			t.Errorf("%q behind %q comes from %s, want %s", x.forwarded, x.trusted, got, x.want)
		}
	}
}

func TestANetworkIsCountedAsOneAddress(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{"203.0.113.7": "203.0.113.7/32",
		"2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64", "fe80::1%eth0": "fe80::/64"} {
		modelstest.Want(t, address+" is counted as", request.Network(netip.MustParseAddr(address)).String(), want)
	}
}

// TestPackedBodiesAreNotOpened: a packed body of some kilobytes may open to
// gigabytes.
func TestPackedBodiesAreNotOpened(t *testing.T) {
	t.Parallel()
	app := newApp(&Options{}, Process{}, nil)
	app.Post("/length", func(c *fiber.Ctx) error {
		t.Errorf("%d bytes were opened", len(c.Body()))
		return nil
	})
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	w.Write(make([]byte, 1<<20))
	w.Close()
	for _, encoding := range [][]string{{"gzip"}, {"GZIP"}, {"br"}, {"deflate"}, {"identity, gzip"}, {"gzip, gzip"},
		{"identity", "gzip"}} {
		request := httptest.NewRequest("POST", "/length", bytes.NewReader(packed.Bytes()))
		request.Header["Content-Encoding"] = encoding
		response, err := app.Test(request, -1)
		if err != nil || response.StatusCode != http.StatusUnsupportedMediaType {
			t.Errorf("%s: %+v %v", encoding, response, err)
		}
	}
}

func TestBrowsersGetAPageForWhatNobodyAnswers(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "sqlite")
	site := "http://" + listen(t, appOver(f))
	const browser = "text/html,application/xhtml+xml,*/*;q=0.8"
	for _, x := range []struct {
		method, path, accept, body string
		status                     int
		kind, has                  string
	}{
		{"GET", "/nope", browser, "", 404, "text/html", "There is nothing here"},
		{"GET", "/join/xx", browser, "", 404, "text/html", "Go to the start"},
		{"GET", "/sign-out", browser, "", 405, "text/html", "Nothing was changed"},
		{"GET", "/theme", browser, "", 405, "text/html", "<html"},
		{"POST", "/sign-in", browser, strings.Repeat("a", bodyLimit+1), 413, "text/html", "too much at once"},
		{"GET", "/nope", "*/*", "", 404, "text/plain", "Not Found"},
		{"GET", "/v1/nope", browser, "", 401, "application/json", `"error"`},
		{"GET", "/v1/nope", "*/*", "", 401, "application/json", `"error"`},
		{"PUT", "/mcp", browser, "", 405, "application/json", "-32600"},
		{"POST", "/mcp", "*/*", strings.Repeat("a", bodyLimit+1), 413, "application/json", "larger than 1 MiB"},
		{"POST", "/mcp/more", browser, "", 404, "application/json", "the tools are at /mcp"},
		{"GET", "/favicon.ico", "image/*", "", 200, "image/svg", "<svg"},
	} {
		request := modelstest.Must(http.NewRequest(x.method, site+x.path, strings.NewReader(x.body)))(t)
		request.Header.Set("Accept", x.accept)
		response := modelstest.Must(http.DefaultClient.Do(request))(t)
		page, err := io.ReadAll(response.Body)
		response.Body.Close()
		if kind := response.Header.Get("Content-Type"); err != nil || response.StatusCode != x.status ||
			!strings.HasPrefix(kind, x.kind) || !strings.Contains(string(page), x.has) {
			t.Errorf("%s %s for %s: %d %s %v\n%s", x.method, x.path, x.accept, response.StatusCode, kind, err, page)
		}
	}
}

func TestNobodysPublicAddressIsExplainedInTheLanguageOfWhoReads(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "sqlite")
	site := listen(t, appOver(f))
	slug := f.Event.Slug
	for path, leads := range map[string]string{"/events": "", "/events/": "", "/embeds": "", "/embeds/x.json": "",
		"/events/nowhere": "", "/events/nowhere/agenda": "", "/events/nowhere/call": "", "/events/nowhere/schedule.xml": "",
		"/events/" + slug + "/nope": slug, "/events/" + slug + "/nope/nope": slug, "/events/" + slug + "/sessions/s-9": slug} {
		response, text := ask(t, site, "GET", path, "", "Accept", "text/html", "Accept-Language", "de")
		if response.StatusCode != http.StatusNotFound || !strings.Contains(text, `<html lang="de"`) ||
			!strings.Contains(text, "Hier ist nichts") || strings.Contains(text, `href=""`) ||
			strings.Contains(text, "There is") || (leads != "") != strings.Contains(text, `href="/events/`+slug) {
			t.Errorf("%s answers %d: %s", path, response.StatusCode, text)
		}
	}
}

func TestLongAddressesAreRead(t *testing.T) {
	t.Parallel()
	site, path := listen(t, newApp(&Options{}, Process{}, nil)), "/healthz?q="+strings.Repeat("a", 5000)
	response, _ := ask(t, site, "GET", path, "", "Referer", "http://"+site+path)
	modelstest.Want(t, "the status code", response.StatusCode, 200)
	modelstest.Want(t, "X-Content-Type-Options", response.Header.Get("X-Content-Type-Options"), "nosniff")
}

func TestWhatIsTooLargeToComeInIsAnsweredInJSON(t *testing.T) {
	t.Parallel()
	site := "http://" + listen(t, newApp(&Options{}, Process{}, nil))
	for _, x := range []struct {
		method, path, body string
		status             int
		has                string
	}{
		{"GET", "/v1/health?q=" + strings.Repeat("a", headerLimit), "", 431, `"error":"HeadersTooLargeError"`},
		{"POST", "/v1/x", strings.Repeat("a", bodyLimit+1), 413, `"error":"PayloadTooLargeError"`},
		{"POST", "/mcp", strings.Repeat("a", bodyLimit+1), 413, `"jsonrpc":"2.0","id":null,"error":{"code":-32600`},
	} {
		request := modelstest.Must(http.NewRequest(x.method, site+x.path, strings.NewReader(x.body)))(t)
		request.Header.Set("Expect", "100-continue") // who sends on is cut off before the answer
		client := &http.Client{Transport: &http.Transport{ExpectContinueTimeout: modelstest.Patience}}
		response := modelstest.Must(client.Do(request))(t)
		answer, err := io.ReadAll(response.Body)
		response.Body.Close()
		id := response.Header.Get("x-request-id")
		if err != nil || response.StatusCode != x.status || response.Header.Get("Content-Type") != "application/json" ||
			!strings.Contains(string(answer), x.has) || id == "" {
			t.Errorf("%s %.20s: %d %v %s %v", x.method, x.path, response.StatusCode, response.Header, answer, err)
		}
		if x.path != "/mcp" && !strings.Contains(string(answer), `"request_id":"`+id+`"`) {
			t.Errorf("%s does not name the request %s", answer, id)
		}
		client.CloseIdleConnections()
	}
}
