package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// pretalxServer serves the API of a pretalx with that many submissions, a fifth more people, and three reviews per
// submission.
type pretalxServer struct{ submissions int }

func (t pretalxServer) people() int { return t.submissions + t.submissions/5 }

// measureMoving moves a large conference from a pretalx, then again with nothing changed, and prints the process's peak
// memory: it reads page by page, so that memory must not grow with the conference.
func measureMoving(dialect, dir, binary string) {
	t, remove := newTarget(dialect, dir, binary)
	defer remove()
	from := pretalxServer{*moved}
	server := httptest.NewServer(from)
	defer server.Close()
	fmt.Printf("%-34s %10s %9s\n", fmt.Sprintf("%s, %d submissions", dialect, from.submissions), "s", "MB")
	for _, name := range []string{"move of all", "move with nothing changed"} {
		cmd := exec.Command(t.binary, "import", "pretalx", server.URL+"/large", "--event", "bench", "--token", "bench")
		cmd.Env = t.env
		began := time.Now()
		said, err := cmd.Output()
		if err != nil {
			os.Stderr.Write(err.(*exec.ExitError).Stderr)
		}
		check(err)
		peak := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss / 1024
		fmt.Printf("%-34s %10.2f %9d\n", name, time.Since(began).Seconds(), peak)
		keep(dialect, name+", memory", float64(peak))
		from.check(said)
	}
	fmt.Println()
}

// check makes sure that everything arrived.
func (t pretalxServer) check(said []byte) {
	type counted struct{ Created, Updated, Unchanged int }
	var report struct{ Abstracts, Contacts, Reviews counted }
	check(json.Unmarshal(said, &report))
	all := func(c counted) int { return c.Created + c.Updated + c.Unchanged }
	if all(report.Abstracts) != t.submissions || all(report.Contacts) != t.people() || all(report.Reviews) != 3*t.submissions {
		check(fmt.Errorf("not all of it came: %s", said))
	}
}

// list returns the rows of a list of the API.
func (t pretalxServer) list(name string) (rows int, row func(i int) string) {
	switch name {
	case "tracks":
		return 8, func(i int) string {
			return fmt.Sprintf(`{"id": %d, "name": {"en": "Track %[1]d"}, "color": "#2e8599"}`, i)
		}
	case "rooms":
		return 30, func(i int) string { return fmt.Sprintf(`{"id": %d, "name": {"en": "Room %[1]d"}, "capacity": 200}`, i) }
	case "submission-types":
		return 3, func(i int) string {
			return fmt.Sprintf(`{"id": %d, "name": {"en": "Type %[1]d"}, "default_duration": 30}`, i)
		}
	case "questions":
		return 2, func(i int) string {
			return fmt.Sprintf(`{"id": %d, "question": {"en": "Question %[1]d"}, "variant": "string", "target": %q}`, i,
				[]string{"submission", "speaker"}[i])
		}
	case "slots":
		start := time.Date(2027, 5, 20, 8, 0, 0, 0, time.UTC)
		return t.submissions / 10, func(i int) string {
			at := start.Add(time.Duration(i/30) * 30 * time.Minute)
			return fmt.Sprintf(`{"id": %d, "room": %d, "start": %q, "end": %q, "submission": "S%[1]d"}`, i, i%30,
				at.Format(time.RFC3339), at.Add(30*time.Minute).Format(time.RFC3339))
		}
	case "speakers":
		return t.people(), func(i int) string {
			return fmt.Sprintf(`{"code": "P%d", "name": "Ada Lovelace%[1]d", "email": "p%[1]d@example.org", "biography": %q,
				"answers": [{"question": 1, "answer": "Size %d"}]}`, i, strings.Repeat("Builds boats. ", 30), i%9)
		}
	case "submissions":
		return t.submissions, func(i int) string {
			state := []string{"submitted", "confirmed", "rejected"}[min(i*10/t.submissions, 2)]
			return fmt.Sprintf(`{"code": "S%d", "title": "On boats %[1]d", "speakers": ["P%[1]d", "P%d"], "submission_type": %d,
				"track": %d, "state": %q, "abstract": %q, "answers": [{"question": 0, "answer": "Answer %[1]d"}]}`, i,
				t.submissions+i%(t.people()-t.submissions), i%3, i%8, state, strings.Repeat("What became of them. ", 60))
		}
	case "reviews":
		return 3 * t.submissions, func(i int) string {
			return fmt.Sprintf(`{"id": %d, "submission": "S%d", "text": "I think %[1]d", "user": {"name": "R%[3]d",
				"email": "r%[3]d@example.org"}, "scores": [{"value": "%d", "category": {"id": 1, "name": {"en": "Fun"},
				"weight": "1"}}]}`, i, i/3, i%3*10+i/3%10, i%4)
		}
	}
	return 0, nil // the event has no tags
}

// ServeHTTP answers as a pretalx does, 50 rows a page.
func (t pretalxServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch name := path.Base(r.URL.Path); name {
	case "large":
		fmt.Fprint(w, `{"name": {"en": "Large"}, "slug": "large", "date_from": "2027-05-20", "date_to": "2027-05-23", "locale": "en"}`)
	case "wip":
		fmt.Fprint(w, `{"id": 1}`)
	default:
		rows, row := t.list(name)
		page, _ := strconv.Atoi(r.FormValue("page"))
		page = max(1, page)
		var some []string
		for i := 50 * (page - 1); i < min(rows, 50*page); i++ {
			some = append(some, row(i))
		}
		next := "null"
		if 50*page < rows {
			query := r.URL.Query()
			query.Set("page", strconv.Itoa(page+1))
			next = fmt.Sprintf("%q", "http://"+r.Host+r.URL.Path+"?"+query.Encode())
		}
		fmt.Fprintf(w, `{"count": %d, "next": %s, "results": [%s]}`, rows, next, strings.Join(some, ", "))
	}
}
