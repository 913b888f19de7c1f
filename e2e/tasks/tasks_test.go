package tasks

import (
	"archive/zip"
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	. "lectern/e2e/drive"
)

// TestSlidesGoFromATaskToThePublicPage has staff ask for slides, a speaker hand in two versions, both talk about them, and
// everybody find the approved ones; who has handed in nothing is reminded.
func TestSlidesGoFromATaskToThePublicPage(t *testing.T) {
	Journey(t, func(t *testing.T, s *Site) {
		office := s.OpenPost()
		staff := s.Owner()
		s.Speaks("Harbour pilots", "Ingrid", "Sørlie", "ingrid@example.org")
		s.Speaks("Tide tables", "Noor", "Haddad", "noor@example.org")
		define(t, staff)

		ingrid := s.Window()
		ingrid.Visit("/events/harbour/place")
		ingrid.Fill("E-mail address", "ingrid@example.org")
		ingrid.Press("Send me a link")
		ingrid.Visit(office.Link(t, "ingrid@example.org", "Your place"))
		ingrid.Press("Open my place")
		ingrid.Sees("Tasks", "1 of 1 open", "Final slides", "Due tomorrow")
		ingrid.Accessible("place-with-tasks")
		ingrid.Follow("Final slides")
		ingrid.Accessible("task-empty")
		hand(ingrid, "pilots.pdf", "PK\x03\x04 no slides")
		ingrid.Sees("was not taken", "its content is something else")
		hand(ingrid, "pilots.pdf", "%PDF-1.7 first")
		ingrid.Sees("Handed in. Thank you.", "pilots.pdf", "Latest")
		ingrid.Fill("Write a comment", "Is the text large enough?")
		ingrid.Press("Send")
		ingrid.Sees("Your comment is sent.")

		check(t, staff)
		if text := office.Letter(t, "ingrid@example.org", "please change"); !strings.Contains(text, "Larger letters") {
			t.Errorf("%s", text)
		}
		ingrid.Reload()
		ingrid.Sees("Larger letters, please.")
		ingrid.Accessible("task-changes")
		hand(ingrid, "pilots.pdf", "%PDF-1.7 second")
		ingrid.Sees("Handed in. Thank you.")
		staff.Reload()
		staff.Press("Approve")
		staff.Sees("Approved")
		ingrid.Reload()
		ingrid.Sees("Approved")

		remind(t, staff, office)
		everybody := s.Window()
		everybody.Visit("/events/harbour/sessions/s-1")
		everybody.Sees("Materials", "Final slides", "PDF, 15 bytes")
		everybody.Accessible("session-with-materials")
		if got := fetched(everybody, `a[href*="/files/"]`); string(got) != "%PDF-1.7 second" {
			t.Errorf("everybody gets %q", got)
		}
		staff.Follow("Files")
		staff.Accessible("task-files")
		archive := fetchedFrom(staff, staff.Href(`a[href*="/tasks/files"]`)+".zip?by=person")
		files, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
		if err != nil || len(files.File) != 1 || files.File[0].Name != "Ingrid Sørlie/S-1 Harbour pilots - Final slides - pilots.pdf" {
			t.Errorf("%v %v", files, err)
		}
		travel(t, s, staff, ingrid)
	})
}

// travel has staff ask each speaker how they arrive, and one answer.
func travel(t *testing.T, s *Site, staff, ingrid *Window) {
	t.Helper()
	s.AskTravel()
	_, at, _ := strings.Cut(staff.Href(`a[href$="/tasks"]`), "/admin")
	staff.Visit("/admin" + at + "/list")
	staff.Follow("New task")
	staff.Fill("Title", "Your journey")
	staff.Choose("What they hand in", "A form: answers to questions of the call")
	staff.Choose("Who does it", "Each person, for themselves")
	staff.Choose("Section of the call’s form", "Travel")
	staff.Press("Make task")
	staff.Sees("Your journey", "0 of 2")
	ingrid.Visit("/events/harbour/place/tasks")
	ingrid.Follow("Your journey")
	ingrid.Fill("How do you arrive?", "By the night train")
	ingrid.Press("Save my answers")
	staff.Reload()
	staff.Sees("1 of 2")
}

// define makes the task, which is due tomorrow.
func define(t *testing.T, w *Window) {
	t.Helper()
	lisbon, err := time.LoadLocation("Europe/Lisbon")
	w.Check(err, "Lisbon")
	w.Follow("Tasks")
	w.Sees("No tasks yet")
	w.Accessible("tasks-none")
	w.Follow("New task")
	w.Fill("Title", "Final slides")
	w.Fill("Instructions", "Sixteen to nine.")
	w.Choose("What they hand in", "A file, in as many versions as it takes")
	w.Choose("Who does it", "Each session: any of its people does it")
	w.Fill("Due", time.Now().In(lisbon).AddDate(0, 0, 1).Format("2006-01-02")+"T18:00")
	w.Tick("Put on the session’s public page once approved")
	w.Accessible("task-form")
	w.Press("Make task")
	w.Sees("Final slides", "2")
	w.Accessible("tasks")
}

// hand uploads a file.
func hand(w *Window, name, content string) {
	w.T.Helper()
	w.Attach("file", name, content)
	if !w.Scripts {
		w.Press("Upload")
	}
}

// check has staff look at the first version, answer, and ask for another one.
func check(t *testing.T, w *Window) {
	t.Helper()
	w.Follow("Deliverables")
	w.Follow("To check")
	w.Sees("Harbour pilots", "Waits for an answer")
	w.DoesNotSee("Tide tables")
	w.Accessible("deliverables")
	w.Follow("S-1 Harbour pilots: Final slides")
	w.Sees("Is the text large enough?", "Ingrid Sørlie", "pilots.pdf")
	w.Accessible("deliverable")
	if got := fetched(w, `a[href*="/versions/"]`); string(got) != "%PDF-1.7 first" {
		t.Errorf("staff get %q", got)
	}
	w.Press("Ask for changes…")
	w.Fill("What is to be changed?", "Larger letters, please.")
	w.Press("Ask for changes")
	w.Sees("Changes asked", "Larger letters, please.")
}

// remind writes to who has handed in nothing.
func remind(t *testing.T, w *Window, office *PostOffice) {
	t.Helper()
	w.Follow("Tasks")
	w.Follow("Remind 1 person…")
	w.Sees("Noor Haddad: Final slides of “Tide tables”")
	w.Accessible("tasks-remind")
	w.Press("Remind 1 person")
	w.Sees("1 person is reminded.")
	text := office.Letter(t, "noor@example.org", "still open: Final slides")
	if !strings.Contains(text, "Final slides (Tide tables): due ") {
		t.Errorf("%s", text)
	}
}

// fetched is what a link of the page leads to, as the browser fetches it.
func fetched(w *Window, selector string) []byte {
	w.T.Helper()
	return fetchedFrom(w, w.Href(selector))
}

func fetchedFrom(w *Window, address string) []byte {
	w.T.Helper()
	request, err := http.NewRequest(http.MethodGet, address, nil)
	w.Check(err, address)
	cookies, err := w.Page.Cookies(nil)
	w.Check(err, "cookies")
	for _, c := range cookies {
		request.AddCookie(&http.Cookie{Name: c.Name, Value: c.Value})
	}
	answer, err := http.DefaultClient.Do(request)
	w.Check(err, address)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	w.Check(err, address)
	return body
}
