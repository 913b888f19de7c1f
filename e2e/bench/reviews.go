package main

import (
	"database/sql"
	"fmt"
	"log"
	"regexp"
	"strings"

	_ "github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite"
)

// Each reviewer reviews five of six submissions.
const (
	reviewedSubmissions = 30_000
	reviewers           = 4
)

// twoRounds makes 100,000 reviews of an event's submissions with their results, and a second round with other results.
var twoRounds = []string{
	`INSERT INTO reviews (event_id, round_id, session_id, user_id, state, points, comment, answers, created_at, updated_at)
		SELECT s.event_id, s.event_id, s.id, u.id, 'given', 100 * (1 + (s.number * 13 + u.n * 7) % 5),
			'What somebody thinks of it, in a line.',
			'{}', s.created_at, s.created_at
		FROM sessions s, (SELECT id, row_number() OVER (ORDER BY id) AS n FROM users WHERE role = 'reviewer') u
		WHERE s.is_abstract AND (s.number + u.n) % 6 < 5`,
	`INSERT INTO review_rounds (id, event_id, name, gives_all, is_blind, created_at, updated_at)
		SELECT '00000000-0000-7000-8000-000000000001', id, 'Second look', false, false, created_at, created_at FROM events`,
	`INSERT INTO review_results (event_id, round_id, session_id, answered, scored, mean, variance)
		SELECT event_id, round_id, session_id, count(*), count(*), (2 * sum(points) + count(*)) / (2 * count(*)),
			(count(*) * sum(points * points) - sum(points) * sum(points)) / (count(*) * count(*))
		FROM reviews GROUP BY event_id, round_id, session_id`,
	`INSERT INTO review_results (event_id, round_id, session_id, assigned, answered, scored, mean, variance)
		SELECT event_id, '00000000-0000-7000-8000-000000000001', session_id, 3, 3, scored, 600 - mean, variance
		FROM review_results WHERE mean <= 450`,
	`UPDATE sessions SET (score, reviews) = (SELECT max(mean), coalesce(max(scored), 0) FROM review_results
		WHERE session_id = sessions.id AND round_id = sessions.event_id)`,
	`UPDATE sessions SET status = CASE WHEN number % 10 < 7 THEN 'pending' WHEN number % 10 = 7 THEN 'accepted'
		WHEN number % 10 = 8 THEN 'accept_queue' ELSE 'decline_queue' END WHERE is_abstract`,
	`UPDATE metadata SET wanted = 300 WHERE family IN ('tracks', 'formats')`,
}

// reviewed fills the event with submissions, and by statements with reviews.
func reviewed(statements []string) func(*target, string) {
	return func(t *target, dir string) {
		seeded(reviewedSubmissions*5/3, 5000)(t, dir)
		for i := range reviewers {
			t.hire(fmt.Sprintf("Reviewer %d", i), fmt.Sprintf("reviewer%d@example.org", i), "reviewer")
		}
		t.fill(statements)
	}
}

// fill runs statements on the database, then ANALYZE.
func (t *target) fill(statements []string) {
	db, analyze := t.sql()
	defer db.Close()
	for _, statement := range append(statements, analyze) {
		_, err := db.Exec(statement)
		check(err)
	}
}

// sql returns the open database, and its statement for ANALYZE.
func (t *target) sql() (db *sql.DB, analyze string) {
	driver, analyze, address := "pgx", "VACUUM ANALYZE", t.database
	if path, embedded := strings.CutPrefix(t.database, "sqlite://"); embedded {
		driver, analyze, address = "sqlite", "ANALYZE", "file:"+path
	}
	db, err := sql.Open(driver, address)
	check(err)
	return db, analyze
}

// measureTriage goes through the submissions of a large call by keys, as a member of the committee does: each time a
// submission is moved and the next one is shown.
func (t *target) measureTriage(string) {
	b := t.signIn()
	triage := "/admin/events/" + t.event + "/triage"
	fmt.Printf("%-34s %10s %9s %9s\n", t.dialect+", triage", "per s", "p50 ms", "p99 ms")
	b.measure([]measuredPage{{name: "page: triage, nothing changed", path: triage}})
	for _, order := range []struct{ name, query string }{
		{"by score", ""}, {"by a round", "?sort=round&round=00000000-0000-7000-8000-000000000001"},
		{"by score, of a track", "?track=" + t.track(b)},
	} {
		b.sort(order.name, triage, order.query)
	}
}

// track returns the id of the event's first track.
func (t *target) track(b *browser) string {
	found := regexp.MustCompile(`triage\?track=([0-9a-f-]{36})`).FindStringSubmatch(b.ask("GET", "/admin/events/"+t.event+"/triage", ""))
	if found == nil {
		log.Fatal("triage shows no track")
	}
	return found[1]
}

var (
	readToken = regexp.MustCompile(`name="updated_at" value="([^"]+)"`)
	keyForm   = regexp.MustCompile(`method="post" action="([^"]+/triage/[0-9a-f-]{36}[^"]*)"`)
)

// sort moves submissions to the two queues in turn, and measures the key, the next record, and both together.
func (b *browser) sort(name, triage, query string) {
	keys, next, both := &result{}, &result{}, &result{}
	page := b.ask("GET", triage+query, "")
	for i := range pageRequests {
		form := keyForm.FindStringSubmatch(page)
		if form == nil {
			log.Fatal("triage has no keys")
		}
		action := strings.ReplaceAll(form[1], "&amp;", "&")
		body := "_token=" + b.token(page) + "&updated_at=" + readToken.FindStringSubmatch(page)[1] +
			"&to=" + []string{"accept_queue", "decline_queue"}[i%2]
		both.time(func() {
			keys.time(func() { b.ask("POST", action, body) })
			next.time(func() { page = b.ask("GET", b.location, "") })
		})
	}
	keys.print("key, " + name)
	next.print("the next record, " + name)
	both.print("both, " + name)
}

const scoredRound = "00000000-0000-7000-8000-000000000002"

// scored makes 100,000 reviews in a round of its own, with their results.
var scored = []string{
	`INSERT INTO review_rounds (id, event_id, name, gives_all, is_blind, created_at, updated_at)
		SELECT '` + scoredRound + `', id, 'Scored', false, false, created_at, created_at FROM events`,
	`INSERT INTO reviews (event_id, round_id, session_id, user_id, state, points, comment, answers, created_at, updated_at)
		SELECT s.event_id, '` + scoredRound + `', s.id, u.id, 'given', 100 * (1 + (s.number * 13 + u.n * 7) % 5), 'A line.', '{}',
			s.created_at, s.created_at
		FROM sessions s, (SELECT id, row_number() OVER (ORDER BY id) AS n FROM users WHERE role = 'reviewer') u
		WHERE s.is_abstract AND (s.number + u.n) % 6 < 5`,
	`INSERT INTO review_assignments (event_id, round_id, session_id, user_id, created_at)
		SELECT event_id, round_id, session_id, user_id, created_at FROM reviews WHERE round_id = '` + scoredRound + `'`,
	`INSERT INTO review_results (event_id, round_id, session_id, assigned, answered, scored, mean, variance)
		SELECT event_id, round_id, session_id, count(*), count(*), count(*), (2 * sum(points) + count(*)) / (2 * count(*)),
			(count(*) * sum(points * points) - sum(points) * sum(points)) / (count(*) * count(*))
		FROM reviews WHERE round_id = '` + scoredRound + `' GROUP BY event_id, round_id, session_id`,
}

// measureResults measures the results of a large round, also after a change, when all is counted anew.
func (t *target) measureResults(string) {
	b := t.signIn()
	results, change := "/admin/events/"+t.event+"/rounds/"+scoredRound+"/results", t.changes(t.ids(true))
	fmt.Printf("%-34s %10s %9s %9s\n", t.dialect+", results", "per s", "p50 ms", "p99 ms")
	b.measure([]measuredPage{
		{name: "page: results by mean", path: results},
		{"page: results after a change", results, change},
		{"page: results by title, after a change", results + "?sort=title&dir=asc", change},
		{"page: by spread, after a change", results + "?sort=spread&dir=desc", change},
		{"page: page 300, after a change", results + "?sort=mean&dir=desc&page=300", change},
	})
}
