package main

import "fmt"

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
func measureResults(dialect, dir, binary string) {
	t, remove := newTarget(dialect, dir, binary)
	defer remove()
	t.reviewed(scored)
	t.serve()
	defer t.stop()
	b := t.signIn()
	results, ids, changed := "/admin/events/"+t.event+"/rounds/"+scoredRound+"/results", t.ids(true), 0
	change := func() {
		changed++
		t.send("PUT", "/sessions/"+ids[changed%len(ids)], fmt.Sprintf(`{"title": "Changed %d"}`, changed))
	}
	fmt.Printf("%-34s %10s %9s %9s\n", dialect+", results", "per s", "p50 ms", "p99 ms")
	b.measure([]measuredPage{
		{name: "page: results by mean", path: results},
		{"page: results after a change", results, change},
		{"page: results by title, after a change", results + "?sort=title&dir=asc", change},
		{"page: by spread, after a change", results + "?sort=spread&dir=desc", change},
		{"page: page 300, after a change", results + "?sort=mean&dir=desc&page=300", change},
	})
	fmt.Println()
}
