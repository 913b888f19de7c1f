package call

import (
	"bytes"
	"html"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/gofiber/fiber/v2"

	"lectern/models/modelstest"
	"lectern/web/page"
	"lectern/web/request"
)

// stand serves the pages of the call and the place over a fixture whose call is open.
type stand struct {
	*modelstest.Fixture
	*modelstest.Called
	t    testing.TB
	app  *fiber.App
	mail *mailbox
}

// mailbox keeps what was sent.
type mailbox struct {
	mu   sync.Mutex
	sent []string // to, subject and text
}

func (m *mailbox) SendLater(to, subject, text string, ended func(error)) {
	m.mu.Lock()
	m.sent = append(m.sent, to+"\n"+subject+"\n"+text)
	m.mu.Unlock()
	ended(nil)
}

// placeAt is the place of somebody who speaks at the event.
const placeAt = "/events/conf/place"

// open is openOn for SQLite, in a test that runs beside others.
func open(t *testing.T) *stand {
	t.Helper()
	t.Parallel()
	return openOn(t, modelstest.Open(t, "sqlite"))
}

func openOn(t testing.TB, f *modelstest.Fixture) *stand {
	t.Helper()
	return openAt(t, f, "http://127.0.0.1")
}

// openAt is openOn for a public address.
func openAt(t testing.TB, f *modelstest.Fixture, public string) *stand {
	t.Helper()
	s := &stand{Fixture: f, Called: modelstest.OpenCall(t, f), t: t, mail: &mailbox{}}
	s.app = fiber.New(fiber.Config{Immutable: true, CaseSensitive: true, BodyLimit: 32 << 20, ReadBufferSize: 16 << 10})
	s.app.Use(func(c *fiber.Ctx) error {
		c.Locals(request.IDKey{}, "request-1")
		return c.Next()
	})
	New(s.app, f.Store, Options{Mail: s.mail, Options: page.Options{BaseURL: public, Now: f.Clock.Now,
		Key: []byte(strings.Repeat("k", 32)), Address: func(c *fiber.Ctx) string {
			return c.Get("x-test-address", "192.0.2.1")
		}}})
	return s
}

// browser keeps cookies between requests, as browsers do.
type browser struct {
	*stand
	cookies map[string]string
	page    string // the last one
	text    string // the last answer, be it a page or not
	vouches bool   // it says where a form comes from
}

func (s *stand) browser() *browser { return &browser{stand: s, cookies: map[string]string{}} }

// beside returns another tab of the same browser.
func (b *browser) beside() *browser { return &browser{stand: b.stand, cookies: b.cookies} }

var tokenPattern = regexp.MustCompile(`name="_token" value="([^"]+)"`)

func (b *browser) get(path string, status int) string {
	b.t.Helper()
	_, page := b.do(httptest.NewRequest("GET", path, nil), status)
	return page
}

// fields returns the hidden fields of the last page, as a browser would send them.
func (b *browser) fields() url.Values {
	b.t.Helper()
	form := url.Values{}
	for _, m := range hiddenPattern.FindAllStringSubmatch(b.page, -1) {
		form.Add(m[1], html.UnescapeString(m[2]))
	}
	return form
}

// fill sets fields of a form, names and values in turn, and returns it.
func fill(form url.Values, pairs ...string) url.Values {
	for i := 0; i < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	return form
}

var hiddenPattern = regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)"`)

// post sends a form with the token of the last page, and returns where it led to, and the page when it led nowhere.
func (b *browser) post(path string, form url.Values, status int) (location, page string) {
	b.t.Helper()
	if form == nil {
		form = url.Values{}
	}
	if m := tokenPattern.FindStringSubmatch(b.page); m != nil && form.Get("_token") == "" {
		form.Set("_token", m[1])
	}
	r := httptest.NewRequest("POST", path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, page := b.do(r, status)
	return res.Header.Get("Location"), page
}

// on opens a page, from which the next form is sent.
func (b *browser) on(path string) *browser {
	b.t.Helper()
	b.get(path, 200)
	return b
}

// answer posts a form and returns the page that answers it.
func (b *browser) answer(path string, form url.Values, status int) string {
	b.t.Helper()
	_, page := b.post(path, form, status)
	return page
}

// follow gets the page that a form led to.
func (b *browser) follow(location, _ string) string {
	b.t.Helper()
	return b.get(location, 200)
}

// send posts a form with a file.
func (b *browser) send(path string, form url.Values, field, name, content string, status int) (location, page string) {
	b.t.Helper()
	w, body := b.multipartOf(form, field, name, content)
	w.Close()
	r := httptest.NewRequest("POST", path, body)
	r.Header.Set("Content-Type", w.FormDataContentType())
	res, page := b.do(r, status)
	return res.Header.Get("Location"), page
}

// multipartOf writes a form with a file, whose end is missing until the writer is closed.
func (b *browser) multipartOf(form url.Values, field, name, content string) (*multipart.Writer, *bytes.Buffer) {
	b.t.Helper()
	body := &bytes.Buffer{}
	w := multipart.NewWriter(body)
	if form.Get("_token") == "" {
		form.Set("_token", tokenPattern.FindStringSubmatch(b.page)[1])
	}
	for key, values := range form {
		for _, value := range values {
			modelstest.Must(true, w.WriteField(key, value))(b.t)
		}
	}
	part := modelstest.Must(w.CreateFormFile(field, name))(b.t)
	modelstest.Must(part.Write([]byte(content)))(b.t)
	return w, body
}

// shown returns the page of an answer.
func shown(_, page string) string { return page }

// do sends a request, which must answer with a status, any for 0.
func (b *browser) do(r *http.Request, status int) (*http.Response, string) {
	b.t.Helper()
	for name, value := range b.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	if b.vouches {
		r.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	res := modelstest.Must(b.app.Test(r, -1))(b.t)
	defer res.Body.Close()
	for _, c := range res.Cookies() {
		if c.MaxAge < 0 {
			delete(b.cookies, c.Name)
		} else {
			b.cookies[c.Name] = c.Value
		}
	}
	body := string(modelstest.Must(io.ReadAll(res.Body))(b.t))
	if status != 0 && res.StatusCode != status {
		b.t.Fatalf("%s %s answers %d, not %d:\n%.1500s", r.Method, r.URL, res.StatusCode, status, body)
	}
	b.text = body
	if strings.Contains(res.Header.Get("Content-Type"), "html") {
		b.page = body
	}
	return res, body
}

// wants fails unless a page has all texts.
func wants(t testing.TB, page string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(page, text) {
			t.Errorf("the page does not say %q:\n%.3000s", text, page)
		}
	}
}

func lacks(t testing.TB, page string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(page, text) {
			t.Errorf("the page says %q", text)
		}
	}
}
