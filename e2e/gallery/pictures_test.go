package gallery

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/proto"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// pictures is the directory of the pictures in README and docs.
const pictures = "../../docs/pictures"

// TestPicturesOfTheDemo takes the pictures of README and docs, for `make pictures`.
func TestPicturesOfTheDemo(t *testing.T) {
	if os.Getenv("LECTERN_PICTURES") == "" {
		t.Skip("make pictures takes them")
	}
	s := NewSite(t, "")
	srv := s.Serve("demo")
	who := regexp.MustCompile(`as (\S+) with the password (\S+)`)
	var said strings.Builder
	for !who.MatchString(said.String()) {
		line, err := srv.Stdout.ReadString('\n')
		if err != nil {
			t.Fatalf("the demo names no owner: %s", said.String())
		}
		said.WriteString(line)
	}
	owner := who.FindStringSubmatch(said.String())
	w := s.Window()
	w.Base = srv.Base
	w.Visit("/sign-in")
	w.Fill("E-mail address", owner[1])
	w.Fill("Password", owner[2])
	w.Press("Sign in")
	modelstest.Fine(t, os.MkdirAll(pictures, 0o755))

	w.Resize(1440, 900)
	picture(w, "dashboard")
	event := regexp.MustCompile(`/admin/events/[^/"?]+`).FindString(w.HTML())
	w.Follow("Submissions")
	picture(w, "submissions")
	first := w.All("td.name a")
	if len(first) == 0 {
		t.Fatal("the demo has no submissions")
	}
	w.Visit(strings.TrimPrefix(w.Href("td.name a"), srv.Base))
	picture(w, "submission")
	for _, page := range []string{"Triage", "Letters", "Agenda", "Publish", "Sessions"} {
		w.Follow(page)
		picture(w, strings.ToLower(page))
	}
	w.Follow("Speakers")
	picture(w, "speakers")
	w.Visit(strings.TrimPrefix(w.Href("td.name a"), srv.Base))
	picture(w, "person")
	w.Press("Their place")
	w.Press("Copy a link")
	place := regexp.MustCompile(`/events/[a-z0-9-]+/place/link/[A-Za-z0-9_-]+`).FindString(w.HTML())
	stranger := s.Window() // the browser of whom it is given
	stranger.Base = srv.Base
	stranger.Resize(1440, 900)
	stranger.Visit(place)
	stranger.Press("Open my place")
	picture(stranger, "place")
	w.Follow("Tasks")
	picture(w, "tasks")
	w.Follow("Reviews")
	w.Follow("Review rounds")
	picture(w, "rounds")
	w.Follow("Security")
	picture(w, "security")
	w.Follow("Status")
	picture(w, "status")
	w.Visit(event + "/moves/new")
	picture(w, "bring")
	open, err := JS[string](w, `() => [...document.querySelectorAll(".switcher a")]
		.find(a => a.textContent.includes("Small Craft")).getAttribute("href").match(/events\/([^/?]+)/)[1]`)
	w.Check(err, "the event whose call is open")
	w.Visit("/admin/events/" + open + "/call")
	picture(w, "call-form")
	w.Visit("/events/" + open + "/call")
	picture(w, "call")
	w.Visit("/events/tideline-2027/agenda")
	picture(w, "public-agenda")
	w.Visit("/events/tideline-2027/sessions/s-12")
	picture(w, "public-session")
	w.Visit("/events/tideline-2027/speakers?view=photos")
	picture(w, "public-speakers")
	w.Resize(390, 844)
	w.Scheme("dark")
	w.Visit("/events/tideline-2027/agenda")
	picture(w, "public-agenda-phone")
}

// picture writes what the window shows to a file.
func picture(w *Window, name string) {
	w.T.Helper()
	_, err := JS[bool](w, `() => document.fonts.ready.then(() => true)`)
	w.Check(err, name)
	if strings.Contains(w.Text(), "There is nothing here") {
		w.T.Fatalf("%s would show that there is nothing at %s", name, w.URL())
	}
	quality := 82
	shot, err := proto.PageCaptureScreenshot{Format: proto.PageCaptureScreenshotFormatWebp, Quality: &quality}.Call(w.Page)
	w.Check(err, name)
	w.Check(os.WriteFile(filepath.Join(pictures, name+".webp"), shot.Data, 0o644), name)
}
