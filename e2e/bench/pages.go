package main

import (
	"fmt"
	"log"
	"os"
	"os/exec"
	"regexp"
	"strings"

	"github.com/valyala/fasthttp"
)

const pageRequests = 200

// measurePages measures the pages that staff have open all day, one request after the other, signed in as
// one user.
func (t *target) measurePages() {
	b := t.signIn()
	base := "/admin/events/" + t.event
	list := b.ask("GET", base+"/submissions", "")
	record := regexp.MustCompile(`class="title" href="([^"?]+)`).FindStringSubmatch(list)
	track := regexp.MustCompile(`<select class="select" name="track"[^>]*>.*?<option value="([^"]{36})"`).
		FindStringSubmatch(list)
	if record == nil || track == nil {
		log.Fatal("the list of submissions shows no record or no track")
	}
	change := t.changes([]string{record[1][strings.LastIndex(record[1], "/")+1:]})
	b.measure([]measuredPage{
		{name: "page: dashboard", path: base},
		{"page: dashboard after a change", base, change},
		{name: "page: submissions", path: base + "/submissions"},
		{name: "page: submissions, a track and a word", path: base + "/submissions?q=a&status=pending&track=" + track[1]},
		{name: "page: sessions by start", path: base + "/sessions"},
		{name: "page: one submission", path: record[1]},
	})
}

// changes returns a function that changes the title of a session, of these ids in turn.
func (t *target) changes(ids []string) func() {
	changed := 0
	return func() {
		changed++
		t.send("PUT", "/sessions/", fmt.Sprintf(`%s {"title": "Changed %d"}`, ids[changed%len(ids)], changed))
	}
}

// measuredPage is a page; before, if set, runs ahead of each request and is not measured.
type measuredPage struct {
	name, path string
	before     func()
}

// measure requests the pages one after the other.
func (b *browser) measure(pages []measuredPage) {
	for _, page := range pages {
		r, size := &result{}, 0
		b.ask("GET", page.path, "")
		for range pageRequests {
			if page.before != nil {
				page.before()
			}
			r.time(func() { size = len(b.ask("GET", page.path, "")) })
		}
		r.print(page.name)
		keep(b.dialect, page.name, r.percentile(0.5))
		keep(b.dialect, page.name+", HTML", float64(size)/1000)
		fmt.Printf("%-34s %10d bytes\n", "", size)
	}
}

// signIn creates an owner and signs them in.
func (t *target) signIn() *browser {
	t.hire("Bench", "bench@example.org", "owner")
	b := &browser{target: t, cookies: map[string]string{}}
	token := b.token(b.ask("GET", "/sign-in", ""))
	b.ask("POST", "/sign-in", "_token="+token+"&email=bench%40example.org&password=correct+horse+battery")
	return b
}

// hire creates a member of the staff; all have the same password.
func (t *target) hire(name, email, role string) {
	cmd := exec.Command(t.binary, "user", "create", "--email", email, "--name", name, "--role", role)
	cmd.Env, cmd.Stderr, cmd.Stdin = t.env, os.Stderr, strings.NewReader("correct horse battery\n")
	check(cmd.Run())
}

// browser is the browser of a person; its cookies hold their login.
type browser struct {
	*target
	cookies  map[string]string
	location string // address that the last answer redirected to, "" for none
	address  string // the person's address in X-Forwarded-For; "" for our own
}

func (b *browser) ask(method, path, form string) string {
	const kind = "application/x-www-form-urlencoded"
	body := b.target.ask(method, b.base+path, kind, form, func(request *fasthttp.Request, response *fasthttp.Response) {
		if response == nil {
			for name, value := range b.cookies {
				request.Header.SetCookie(name, value)
			}
			if b.address != "" {
				request.Header.Set("X-Forwarded-For", b.address)
			}
			return
		}
		b.location = strings.TrimPrefix(string(response.Header.Peek("Location")), b.base)
		for key, value := range response.Header.Cookies() {
			var c fasthttp.Cookie
			check(c.ParseBytes(value))
			b.cookies[string(key)] = string(c.Value())
		}
	})
	return string(body)
}
