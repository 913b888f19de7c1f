package main

import (
	"fmt"
	"strings"
)

// measureWrites creates and updates sessions, one request after the other.
func (t *target) measureWrites(ids []string) {
	for _, write := range []struct {
		name, method, path string
		times              int
		body               func(int) string
	}{
		{"create, one at a time", "POST", "/sessions/create", 300, func(i int) string {
			return fmt.Sprintf(`{"title": "Measured %d", "is_abstract": true, "description": "<p>Some text</p>"}`, i)
		}},
		{"update, one at a time", "PUT", "/sessions/", 300, func(i int) string {
			return ids[i%len(ids)] + fmt.Sprintf(` {"title": "Changed %d"}`, i)
		}},
		{"bulk of 100 creates", "POST", "/sessions/bulk", 20, bulkOf100},
		{"bulk of 100 updates", "POST", "/sessions/bulk", 20, func(i int) string { return updatesOf(ids, i) }},
	} {
		r := t.sequence(write.times, write.method, write.path, write.body)
		r.print(write.name)
		keep(t.dialect, write.name, measurement{p50: r.percentile(0.5)})
	}
}

func bulkOf100(i int) string {
	var items []string
	for n := range 100 {
		items = append(items, fmt.Sprintf(`{"action": "create", "data": {"title": "Bulk %d %d", "is_abstract": true}}`, i, n))
	}
	return `{"operations": [` + strings.Join(items, ",") + `]}`
}

// updatesOf returns updates of the sessions' titles, texts and, in turn, statuses.
func updatesOf(ids []string, i int) string {
	statuses := []string{"pending", "accept_queue", "decline_queue", "withdrawn"}
	items := make([]string, len(ids))
	for n, id := range ids {
		items[n] = fmt.Sprintf(`{"action": "update", "id": %q, "data": {"title": "Bulk %d %d", "status": %q,
			"description": "<p>What it is about in draft %d, and whom it is for</p>"}}`, id, i, n, statuses[(i+n)%len(statuses)], i)
	}
	return `{"operations": [` + strings.Join(items, ",") + `]}`
}
