package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/proto"
)

// pictures is where the pictures of README and docs are.
const pictures = "../docs/pictures"

// TestPicturesOfTheDemo takes the pictures of README and docs, for `make pictures`.
func TestPicturesOfTheDemo(t *testing.T) {
	if os.Getenv("LECTERN_PICTURES") == "" {
		t.Skip("make pictures takes them")
	}
	s := newSite(t, "")
	srv := s.serve("demo")
	who := regexp.MustCompile(`as (\S+) with the password (\S+)`)
	var said strings.Builder
	for !who.MatchString(said.String()) {
		line, err := srv.stdout.ReadString('\n')
		if err != nil {
			t.Fatalf("the demo names no owner: %s", said.String())
		}
		said.WriteString(line)
	}
	owner := who.FindStringSubmatch(said.String())
	w := s.window()
	w.base = srv.base
	w.visit("/sign-in")
	w.fill("E-mail address", owner[1])
	w.fill("Password", owner[2])
	w.press("Sign in")
	if err := os.MkdirAll(pictures, 0o755); err != nil {
		t.Fatal(err)
	}

	w.resize(1440, 900)
	w.picture("dashboard")
	w.follow("Submissions")
	w.picture("submissions")
	w.scheme("dark")
	w.picture("submissions-dark")
	w.scheme("light")
	first := w.all("td.name a")
	if len(first) == 0 {
		t.Fatal("the demo has no submissions")
	}
	w.visit(strings.TrimPrefix(w.href("td.name a"), srv.base))
	w.picture("submission")
	w.resize(390, 844)
	w.picture("submission-phone")
	w.resize(1440, 900)
	for _, page := range []string{"Triage", "Letters", "Agenda", "Publish", "Sessions"} {
		w.follow(page)
		w.picture(strings.ToLower(page))
	}
	w.follow("Speakers")
	w.picture("speakers")
	w.visit(strings.TrimPrefix(w.href("td.name a"), srv.base))
	w.picture("person")
	open, err := js[string](w, `() => [...document.querySelectorAll(".switcher a")]
		.find(a => a.textContent.includes("Small Craft")).getAttribute("href").split("/").pop()`)
	w.check(err, "the event whose call is open")
	w.visit("/admin/events/" + open + "/call")
	w.picture("call-form")
	w.visit("/events/" + open + "/call")
	w.picture("call")
}

// href is where the first element that a selector finds leads.
func (w *window) href(selector string) string {
	w.t.Helper()
	address, err := js[string](w, `(s) => document.querySelector(s).href`, selector)
	w.check(err, selector)
	return address
}

// picture keeps what the window shows.
func (w *window) picture(name string) {
	w.t.Helper()
	_, err := js[bool](w, `() => document.fonts.ready.then(() => true)`)
	w.check(err, name)
	quality := 82
	shot, err := proto.PageCaptureScreenshot{Format: proto.PageCaptureScreenshotFormatWebp, Quality: &quality}.Call(w.page)
	w.check(err, name)
	w.check(os.WriteFile(filepath.Join(pictures, name+".webp"), shot.Data, 0o644), name)
}
