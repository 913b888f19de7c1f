package main

import "fmt"

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

// measureTasks measures the pages about the deliverables of 1,000 speakers and eight tasks.
func measureTasks(dialect, dir, binary string) {
	t, remove := newTarget(dialect, dir, binary)
	defer remove()
	t.command(nil, "seed", "--event", "bench", "--sessions", "4000", "--contacts", "1000")
	t.fill(delivering)
	t.serve()
	defer t.stop()
	b, tasks := t.signIn(), "/admin/events/"+t.event+"/tasks"
	fmt.Printf("%-34s %10s %9s %9s\n", dialect+", tasks", "per s", "p50 ms", "p99 ms")
	b.measure([]measuredPage{
		{name: "page: deliverables", path: tasks},
		{name: "page: deliverables, late, page 30", path: tasks + "?show=late&page=30"},
		{name: "page: a person's deliverables", path: tasks + "?q=ada"},
		{name: "page: whom to remind", path: tasks + "/remind"},
	})
	fmt.Println()
}
