package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// lastMinute is the number of people who submit just before a call closes.
const lastMinute = 200

// measureCall writes a proposal to a call with many submissions, then has people submit theirs: first over ten seconds,
// then all at once. They have no passwords, and each has an address of their own, so that neither hashing nor rate
// limits are measured.
func (t *target) measureCall(string) {
	t.openCall()
	people := t.draft(2*lastMinute + 1)
	if t.dialect == "postgres" {
		execute(t.database, "VACUUM ANALYZE")
	}
	fmt.Printf("%-34s %10s %9s %9s\n", t.dialect+", the call", "per s", "p50 ms", "p99 ms")
	writer, people := people[0], people[1:]
	writer.measure([]measuredPage{{name: "page: form of a proposal", path: writer.proposal + "/edit"},
		{name: "page: check your answers", path: writer.proposal + "/check"}})
	writer.measureSaving()
	t.submitted("200 submit within 10 s", people[:lastMinute], 10*time.Second)
	t.submitted("200 submit in one instant", people[lastMinute:], 0)
	fmt.Println()
}

// openCall opens a call with limits for each person and for all, which every submission has to check.
func (t *target) openCall() {
	b, at := t.signIn(), "/admin/events/"+t.event+"/call"
	b.ask("POST", at+"/start", "_token="+b.token(b.ask("GET", at, "")))
	page := b.ask("GET", at+"/texts", "")
	form := b.hidden(page)
	for name, value := range map[string]string{"max_speakers": "3", "max_proposals": "3", "max_total": "100000",
		"agreement": "I will be there."} {
		form.Set(name, value)
	}
	b.ask("POST", at+"/texts", form.Encode())
	b.ask("POST", at+"/open", "_token="+form.Get("_token"))
}

// speaker is the browser of a speaker who has a draft.
type speaker struct {
	browser
	proposal string // its address
	form     url.Values
}

// draft has people begin a proposal and answer all questions.
func (t *target) draft(people int) []*speaker {
	start := "/events/" + t.event + "/call/start"
	all, forms := make([]*speaker, people), make([]url.Values, people)
	for i := range all {
		all[i] = &speaker{browser: browser{target: t, cookies: map[string]string{},
			address: fmt.Sprintf("10.1.%d.%d", i/250, 1+i%250)}}
		forms[i] = all[i].hidden(all[i].ask("GET", start, ""))
	}
	time.Sleep(2 * time.Second) // the server refuses forms that are filled in faster than a person could
	for i, s := range all {
		forms[i].Set("title", fmt.Sprintf("Proposal %d", i))
		forms[i].Set("name", fmt.Sprintf("Ada Lovelace%d", i))
		forms[i].Set("email", fmt.Sprintf("ada%d@example.org", i))
		s.ask("POST", start, forms[i].Encode())
		s.proposal = strings.TrimSuffix(s.location, "/edit")
		s.answer(s.ask("GET", s.location, ""))
	}
	return all
}

var (
	hiddenField = regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)"`)
	firstChoice = regexp.MustCompile(`(?s)name="(track|format)".*?value="([0-9a-f-]{36})"`)
)

// hidden returns the hidden fields of a page's form.
func (b *browser) hidden(page string) url.Values {
	form := url.Values{}
	for _, field := range hiddenField.FindAllStringSubmatch(page, -1) {
		form.Add(field[1], field[2])
	}
	if form.Get("_token") == "" {
		log.Fatal("the page has no form")
	}
	return form
}

// answer fills in the form of a page and saves it as its script does.
func (s *speaker) answer(page string) {
	s.form = s.hidden(page)
	s.form.Set("title", "A proposal of "+s.address)
	s.form.Set("biography", strings.Repeat("Writes software for harbours. ", 10))
	for _, choice := range firstChoice.FindAllStringSubmatch(page, -1) {
		s.form.Set(choice[1], choice[2])
	}
	s.save(0)
}

// save changes the abstract and saves it, as the script does while somebody types.
func (s *speaker) save(i int) {
	s.form.Set("description", strings.Repeat("Every ship is handed over, from captain to pilot. ", 20)+fmt.Sprint(i))
	var saved struct {
		UpdatedAt string `json:"updated_at"`
	}
	check(json.Unmarshal([]byte(s.ask("POST", s.proposal+"/save", s.form.Encode())), &saved))
	s.form.Set("updated_at", saved.UpdatedAt)
}

func (s *speaker) measureSaving() {
	r := &result{}
	for i := range pageRequests {
		r.time(func() { s.save(i + 1) })
	}
	r.print("a draft saves itself")
}

// submitted has people submit their proposals, spread over a time, and counts the rows that this makes.
func (t *target) submitted(name string, people []*speaker, over time.Duration) {
	forms := make([]string, len(people))
	for i, s := range people {
		form := s.hidden(s.ask("GET", s.proposal+"/check", ""))
		form.Set("agreement", "yes")
		forms[i] = form.Encode()
	}
	kept := t.kept()
	spentBefore := t.spent()
	t.refused = new(atomic.Int32)
	r := &result{times: make([]time.Duration, len(people))}
	began := time.Now()
	var all sync.WaitGroup
	for i, s := range people {
		all.Go(func() {
			time.Sleep(over * time.Duration(i) / time.Duration(len(people)))
			pressed := time.Now()
			s.ask("POST", s.proposal+"/submit", forms[i])
			r.times[i] = time.Since(pressed)
		})
	}
	all.Wait()
	r.took = time.Since(began)
	r.print(name)
	fmt.Printf("%-34s %s, told 503: %d, %s\n", "", t.spent().since(spentBefore), t.refused.Load(), t.kept().since(kept))
	t.refused = nil
}

// kept counts the rows that submitting makes: the submissions, the emissions about them, and the letters that confirm
// them.
type kept struct{ submissions, events, letters int }

func (t *target) kept() (k kept) {
	db, _ := t.sql()
	defer db.Close()
	for _, x := range []struct {
		query string
		into  *int
	}{
		{`SELECT count(*) FROM sessions s JOIN proposals p ON p.session_id = s.id
			WHERE s.status = 'pending' AND p.submitted_at IS NOT NULL`, &k.submissions},
		{`SELECT count(DISTINCT e.resource_id) FROM emissions e JOIN proposals p ON p.session_id = e.resource_id
			WHERE e.type = 'session.updated'`, &k.events},
		{`SELECT count(*) FROM letters WHERE kind = 'call'`, &k.letters},
	} {
		check(db.QueryRow(x.query).Scan(x.into))
	}
	return k
}

func (k kept) since(before kept) string {
	return fmt.Sprintf("kept %d, told of %d, confirmed %d", k.submissions-before.submissions, k.events-before.events,
		k.letters-before.letters)
}

// delivering makes 1,000 accepted sessions with a speaker each and eight tasks, half of them done: files for sessions,
// ticks for people.
var delivering = []string{
	`UPDATE sessions SET status = 'pending' WHERE status = 'accepted'`,
	`UPDATE sessions SET status = 'accepted' WHERE NOT is_abstract AND deleted_at IS NULL AND id IN
		(SELECT session_id FROM participants) AND number <= (SELECT max(number) FROM (SELECT number FROM sessions WHERE NOT is_abstract
			AND deleted_at IS NULL AND id IN (SELECT session_id FROM participants) ORDER BY number LIMIT 1000) x)`,
	`INSERT INTO tasks (id, event_id, title, instructions, kind, asked_of, due_at, is_required, is_reminded, filters, file_kinds,
			is_public, position, created_at, updated_at)
		SELECT '00000000-0000-7000-8000-00000000010' || n, e.id, 'Task ' || n, '', CASE WHEN n < 4 THEN 'file' ELSE 'tick' END,
			CASE WHEN n < 4 THEN 'session' ELSE 'speaker' END, e.created_at, true, true, '{}', '[]', false, n, e.created_at, e.created_at
		FROM events e, (SELECT 0 AS n UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5
			UNION ALL SELECT 6 UNION ALL SELECT 7) x`,
	`INSERT INTO deliverables (id, event_id, task_id, session_id, state, words, by_name, state_at, updated_at)
		SELECT s.id || t.position, s.event_id, t.id, s.id, 'done', '', '', s.created_at, s.created_at FROM sessions s, tasks t
		WHERE t.asked_of = 'session' AND s.status = 'accepted' AND s.number % 2 = 0`,
	`INSERT INTO deliverables (id, event_id, task_id, contact_id, state, words, by_name, state_at, updated_at)
		SELECT c.contact_id || t.position, t.event_id, t.id, c.contact_id, 'done', '', '', t.created_at, t.created_at
		FROM (SELECT DISTINCT x.contact_id FROM participants x JOIN sessions s ON s.id = x.session_id WHERE s.status = 'accepted') c, tasks t
		WHERE t.asked_of = 'speaker' AND t.position % 2 = 0`,
}

func deliverables(t *target, dir string) {
	seeded(4000, 1000)(t, dir)
	t.fill(delivering)
}

// measureTasks measures the pages about the deliverables of 1,000 speakers and eight tasks.
func (t *target) measureTasks(string) {
	b, tasks := t.signIn(), "/admin/events/"+t.event+"/tasks"
	fmt.Printf("%-34s %10s %9s %9s\n", t.dialect+", tasks", "per s", "p50 ms", "p99 ms")
	b.measure([]measuredPage{
		{name: "page: deliverables", path: tasks},
		{name: "page: deliverables, late, page 30", path: tasks + "?show=late&page=30"},
		{name: "page: a person's deliverables", path: tasks + "?q=ada"},
		{name: "page: whom to remind", path: tasks + "/remind"},
	})
}
