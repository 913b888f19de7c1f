package api_test

import (
	"strings"
	"testing"

	"lectern/models"
)

// endpoint is one row of the contract's table, with a body that succeeds.
type endpoint struct {
	method, path string
	scope        models.Scope // "" of what any key may
	body         any
}

var families = []string{"tracks", "rooms", "tags", "formats", "levels"}

// endpoints are the contract's table, both aliases, and what was added to it since. {session}, {contact} and the names
// of families in braces stand for ids.
func endpoints() []endpoint {
	all := []endpoint{
		{"GET", "/v1/events", models.ReadEvents, nil},
		{"GET", "/v1/key", "", nil},
		{"GET", "/overview", models.ReadSessions, nil},
		{"GET", "/conflicts", models.ReadSessions, nil},
		{"GET", "/sessions/{session}/conflicts", models.ReadSessions, nil},
		{"POST", "/sessions/count", models.ReadSessions, `{"by": "status"}`},
		{"POST", "/sessions/search", models.ReadSessions, `{}`},
		{"POST", "/sessions", models.ReadSessions, `{}`},
		{"GET", "/sessions/{session}", models.ReadSessions, nil},
		{"PUT", "/sessions/{session}", models.WriteSessions, `{"capacity": 7}`},
		{"DELETE", "/sessions/{session}", models.WriteSessions, nil},
		{"POST", "/sessions/{session}/restore", models.WriteSessions, nil},
		{"POST", "/sessions/create", models.WriteSessions, `{"title": "New"}`},
		{"POST", "/sessions/bulk", models.WriteSessions, `{"operations": [{"action": "create", "data": {"title": "Bulk"}}]}`},
		{"GET", "/sessions/{session}/reviews", models.ReadReviews, nil},
		{"GET", "/breaks", models.ReadSessions, nil},
		{"GET", "/free?day=2026-12-01", models.ReadSessions, nil},
		{"GET", "/changes", "", nil},
		{"POST", "/speakers/search", models.ReadContacts, `{}`},
		{"POST", "/speakers", models.ReadContacts, `{}`},
		{"GET", "/speakers/{contact}", models.ReadContacts, nil},
		{"POST", "/contacts/search", models.WriteContacts, `{}`},
		{"GET", "/contacts/{contact}", models.WriteContacts, nil},
		{"POST", "/contacts/create", models.WriteContacts, `{"first_name": "New"}`},
		{"PUT", "/contacts/{contact}", models.WriteContacts, `{"job_title": "Changed"}`},
		{"GET", "/tasks", models.ReadSessions, nil},
		{"GET", "/deliverables", models.ReadSessions, nil},
		{"PUT", "/sessions/{session}/participants", models.WriteSessions, `{"participants": []}`},
	}
	for _, family := range families {
		all = append(all,
			endpoint{"GET", "/" + family, models.ReadMetadata, nil},
			endpoint{"POST", "/" + family, models.ReadMetadata, `{}`},
			endpoint{"POST", "/" + family + "/create", models.WriteMetadata, `{"name": "New"}`},
			endpoint{"GET", "/" + family + "/{" + family + "}", models.ReadMetadata, nil},
			endpoint{"PUT", "/" + family + "/{" + family + "}", models.WriteMetadata, `{"name": "Changed"}`},
			endpoint{"DELETE", "/" + family + "/{" + family + "}", models.WriteMetadata, nil})
	}
	return all
}

// ids are what stands for "session", "contact" and the families in the path of an endpoint.
type ids map[string]string

// every name is the same id.
func every(id string) ids {
	all := ids{"session": id, "contact": id}
	for _, family := range families {
		all[family] = id
	}
	return all
}

// rows are of the event, made anew.
func (d *door) rows(t testing.TB) ids {
	t.Helper()
	session := d.create(t, object{"title": "Secret of the event"})["id"].(string)
	all := ids{"session": session, "contact": d.speaker(t, session, models.NewContact{FirstName: "Secret", LastName: "P"})}
	for _, family := range families {
		all[family] = d.row(t, family, "Secret "+family)
	}
	return all
}

// ask sends the endpoint's request for these ids.
func (d *door) ask(t testing.TB, e endpoint, of ids, headers ...string) *answer {
	t.Helper()
	path := e.path
	for name, id := range of {
		path = strings.ReplaceAll(path, "{"+name+"}", id)
	}
	if !strings.HasPrefix(path, "/v1/") {
		path = d.path(path)
	}
	return d.do(t, e.method, path, e.body, headers...)
}

// fingerprint is everything an event shows, to prove that nothing changed.
func (d *door) fingerprint(t testing.TB) string {
	t.Helper()
	all := string(d.do(t, "POST", d.path("/sessions/search"), `{"filters": {"include_deleted": true}, "pageSize": 100}`).
		want(200).raw)
	all += string(d.do(t, "POST", d.path("/contacts/search"), `{"pageSize": 100}`).want(200).raw)
	for _, family := range families {
		all += string(d.do(t, "GET", d.path("/"+family+"?pageSize=100"), nil).want(200).raw)
	}
	return all
}

// unchanged fails the test when requests change what either event shows, or
// emit anything.
func (d *door) unchanged(t testing.TB, requests func()) {
	t.Helper()
	other := d.elsewhere(t)
	before, committed := d.fingerprint(t)+other.fingerprint(t), d.Committed.Load()
	requests()
	if after := d.fingerprint(t) + other.fingerprint(t); after != before {
		t.Fatalf("something was written:\nbefore %s\nafter  %s", before, after)
	}
	if d.Committed.Load() != committed {
		t.Fatal("something was emitted")
	}
}
