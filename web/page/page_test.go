package page

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"

	"lectern/models/modelstest"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/layouts"
	"lectern/web/request"
)

// question is a page of strangers: a form with one field.
func question(p layouts.Page, name string) templ.Component {
	form := templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		io.WriteString(w, `<form method="post">`)
		components.Token(p.Token).Render(ctx, w)
		components.Input(components.Field{Name: "name", Label: "Name", Value: name, Fault: p.Faults.Of("name")}).
			Render(ctx, w)
		_, err := io.WriteString(w, `</form>`)
		return err
	})
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		return layouts.Plain(p).Render(templ.WithChildren(ctx, form), w)
	})
}

// stranger is a browser that nobody is signed in with.
type stranger struct {
	t       testing.TB
	app     *fiber.App
	cookies map[string]string
}

// site serves a form and some answers to strangers.
func site(t testing.TB, headers Headers) *stranger {
	f := modelstest.Open(t, "sqlite")
	s := New(f.Store, Options{
		BaseURL: "http://127.0.0.1", Key: []byte(strings.Repeat("k", 32)), Now: f.Clock.Now, Door: "site", Home: "/ask",
		Headers: headers,
		Address: func(*fiber.Ctx) string { return "192.0.2.1" },
	})
	app := fiber.New(fiber.Config{Immutable: true})
	app.Use(func(c *fiber.Ctx) error {
		c.Locals(request.IDKey{}, "request-1")
		return c.Next()
	})
	made := 0
	app.Get("/ask", s.Handler(func(v *Visit) error { return v.Show(question(v.Page("Ask"), "")) }))
	app.Post("/ask", s.Handler(func(v *Visit) error {
		name := v.Value("name")
		err := error(nil)
		if name == "" {
			err = store.Invalidf("name", "must not be empty")
		} else {
			err = v.Once(func(context.Context) (string, error) { made++; return "/ask?made=" + string(rune('0'+made)), nil })
		}
		if err == nil {
			return v.See("/ask?made="+string(rune('0'+made)), name+" is made.")
		}
		if err := v.KeepFaults(err); err != nil {
			return err
		}
		return v.Render(http.StatusUnprocessableEntity, question(v.Page("Ask"), name))
	}))
	app.Get("/late", s.Handler(func(v *Visit) error {
		ctx := v.UserContext()
		v.end() // its time is over
		v.RestartDeadline(time.Hour)
		until, _ := v.UserContext().Deadline()
		if ctx.Err() == nil || v.UserContext().Err() != nil || time.Until(until) < time.Minute {
			t.Errorf("there is time until %s", until)
		}
		own := v.UserContext()
		t.Cleanup(func() {
			if own.Err() == nil {
				t.Error("the time of its own outlasts the answer")
			}
		})
		return NoRoute(http.StatusRequestTimeout)
	}))
	app.Get("/none", s.Handler(func(*Visit) error { return NoPage }))
	app.Get("/panic", s.Handler(func(*Visit) error { panic("secret of the house") }))
	return &stranger{t: t, app: app, cookies: map[string]string{}}
}

func (s *stranger) do(method, path string, form url.Values, status int) (*http.Response, string) {
	s.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for name, value := range s.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	res := modelstest.Must(s.app.Test(r, -1))(s.t)
	body, _ := io.ReadAll(res.Body)
	if res.StatusCode != status {
		s.t.Fatalf("%s %s: %d, want %d\n%s", method, path, res.StatusCode, status, body)
	}
	for _, c := range res.Cookies() {
		s.cookies[c.Name] = c.Value
		if c.MaxAge < 0 {
			delete(s.cookies, c.Name)
		}
	}
	return res, string(body)
}

func (s *stranger) has(page string, texts ...string) {
	s.t.Helper()
	for _, text := range texts {
		if !strings.Contains(page, text) {
			s.t.Errorf("the page lacks %q:\n%s", text, page)
		}
	}
}

var proof = regexp.MustCompile(`name="_token" value="([^"]*)"`)

func TestAStrangersFormNeedsNoSignIn(t *testing.T) {
	t.Parallel()
	s := site(t, Private)
	_, page := s.do("GET", "/ask", nil, 200)
	form := url.Values{"_token": {proof.FindStringSubmatch(page)[1]}}
	_, page = s.do("POST", "/ask", form, 422)
	s.has(page, "Name must not be empty.")
	form.Set("name", "Ada")
	res, _ := s.do("POST", "/ask", form, 303)
	_, page = s.do("GET", res.Header.Get("Location"), nil, 200)
	s.has(page, "Ada is made.")
	// Sent again as it was, it leads to what it made; with other content it asks.
	res, _ = s.do("POST", "/ask", form, 303)
	modelstest.Want(t, "leads to", res.Header.Get("Location"), "/ask?made=1")
	form.Set("name", "Grace")
	_, page = s.do("POST", "/ask", form, 409)
	s.has(page, "This form was sent before", "Go to what it made", "Send it again", `value="Grace"`)
}

func TestAFormOfAnotherBrowserIsNotTaken(t *testing.T) {
	t.Parallel()
	s := site(t, Private)
	_, page := s.do("GET", "/ask", nil, 200)
	form := url.Values{"_token": {proof.FindStringSubmatch(page)[1]}, "name": {"Ada"}}
	s.cookies = map[string]string{}
	_, page = s.do("POST", "/ask", form, 403)
	s.has(page, "This form cannot be used any more", `href="/ask">Go to the start`)
	if strings.Contains(page, "Ada") {
		t.Error("another browser's text is shown")
	}
	s.do("POST", "/ask", url.Values{"name": {"Ada"}}, 403)
}

func TestHeadersBelongToAGroupOfRoutes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		headers       Headers
		cache, frames string
		form          bool
	}{
		"private":  {Private, "no-store", "frame-ancestors 'none'", true},
		"public":   {Public, "public, max-age=0, must-revalidate", "frame-ancestors 'none'", false},
		"embedded": {Embedded, "public, max-age=0, must-revalidate", "frame-ancestors *", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := site(t, c.headers)
			if !c.form { // what another page has to say to this browser waits for a page that may say it
				s.cookies[noticeCookie] = "waits"
			}
			res, page := s.do("GET", "/ask", nil, 200)
			modelstest.Want(t, "the cache is told", res.Header.Get("Cache-Control"), c.cache)
			if got := res.Header.Get("Content-Security-Policy"); !strings.Contains(got, c.frames+";") {
				t.Errorf("frames are told %q", got)
			}
			if proven := len(proof.FindStringSubmatch(page)[1]) > 0; proven != c.form ||
				(res.Header.Get("Set-Cookie") != "") != c.form {
				t.Errorf("a proof is there: %t; the cookie is %q", proven, res.Header.Get("Set-Cookie"))
			}
			if res, _ := s.do("GET", "/none", nil, 404); res.Header.Get("Cache-Control") != "no-store" || !strings.Contains(
				res.Header.Get("Content-Security-Policy"), c.frames+";") {
				t.Error("a problem may be kept, or is framed by others than a page")
			}
		})
	}
}

func TestAPanicSaysNothingOfItself(t *testing.T) {
	t.Parallel()
	s := site(t, Private)
	_, page := s.do("GET", "/panic", nil, 500)
	s.has(page, "Something went wrong on our side", "request-1", "Try again")
	if strings.Contains(page, "secret of the house") {
		t.Error("the panic is shown")
	}
}

func TestWhatArrivedLateIsAnsweredAllTheSame(t *testing.T) {
	t.Parallel()
	s := site(t, Private)
	_, body := s.do("GET", "/late", nil, http.StatusRequestTimeout)
	s.has(body, "It did not arrive in time", "Nothing was changed")
}
