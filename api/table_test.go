package api_test

import (
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/apikey"
)

// endpoint is one row of the contract's table, with a body that succeeds.
type endpoint struct {
	method, path string
	scope        apikey.Scope // "" of what any key may
	body         any
}

var families = []string{"tracks", "rooms", "tags", "formats", "levels"}

// endpoints are the contract's table, both aliases, and what was added to it since. {session}, {contact} and the names
// of families in braces stand for ids.
func endpoints() []endpoint {
	all := []endpoint{
		{"GET", "/v1/events", apikey.ReadEvents, nil},
		{"GET", "/v1/key", "", nil},
		{"GET", "/overview", apikey.ReadSessions, nil},
		{"GET", "/conflicts", apikey.ReadSessions, nil},
		{"GET", "/sessions/{session}/conflicts", apikey.ReadSessions, nil},
		{"POST", "/sessions/count", apikey.ReadSessions, `{"by": "status"}`},
		{"POST", "/sessions/search", apikey.ReadSessions, `{}`},
		{"POST", "/sessions", apikey.ReadSessions, `{}`},
		{"GET", "/sessions/{session}", apikey.ReadSessions, nil},
		{"PUT", "/sessions/{session}", apikey.WriteSessions, `{"capacity": 7}`},
		{"DELETE", "/sessions/{session}", apikey.WriteSessions, nil},
		{"POST", "/sessions/{session}/restore", apikey.WriteSessions, nil},
		{"POST", "/sessions/create", apikey.WriteSessions, `{"title": "New"}`},
		{"POST", "/sessions/bulk", apikey.WriteSessions, `{"operations": [{"action": "create", "data": {"title": "Bulk"}}]}`},
		{"GET", "/sessions/{session}/reviews", apikey.ReadReviews, nil},
		{"GET", "/breaks", apikey.ReadSessions, nil},
		{"GET", "/free?day=2026-12-01", apikey.ReadSessions, nil},
		{"GET", "/changes", "", nil},
		{"POST", "/speakers/search", apikey.ReadContacts, `{}`},
		{"POST", "/speakers", apikey.ReadContacts, `{}`},
		{"GET", "/speakers/{contact}", apikey.ReadContacts, nil},
		{"POST", "/contacts/search", apikey.WriteContacts, `{}`},
		{"GET", "/contacts/{contact}", apikey.WriteContacts, nil},
		{"POST", "/contacts/create", apikey.WriteContacts, `{"first_name": "New"}`},
		{"PUT", "/contacts/{contact}", apikey.WriteContacts, `{"job_title": "Changed"}`},
		{"GET", "/questions", apikey.ReadSessions, nil},
		{"GET", "/tasks", apikey.ReadSessions, nil},
		{"GET", "/deliverables", apikey.ReadSessions, nil},
		{"PUT", "/sessions/{session}/participants", apikey.WriteSessions, `{"participants": []}`},
	}
	for _, family := range families {
		all = append(all,
			endpoint{"GET", "/" + family, apikey.ReadMetadata, nil},
			endpoint{"POST", "/" + family, apikey.ReadMetadata, `{}`},
			endpoint{"POST", "/" + family + "/create", apikey.WriteMetadata, `{"name": "New"}`},
			endpoint{"GET", "/" + family + "/{" + family + "}", apikey.ReadMetadata, nil},
			endpoint{"PUT", "/" + family + "/{" + family + "}", apikey.WriteMetadata, `{"name": "Changed"}`},
			endpoint{"DELETE", "/" + family + "/{" + family + "}", apikey.WriteMetadata, nil})
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
