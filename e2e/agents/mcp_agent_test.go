package agents

import (
	"fmt"
	"testing"

	. "lectern/e2e/drive"
)

// rows returns the results of a collection.
func rows(v map[string]any) []map[string]any {
	var out []map[string]any
	for _, row := range v["results"].([]any) {
		out = append(out, row.(map[string]any))
	}
	return out
}

// column returns a field of each row, in order.
func column(v map[string]any, name string) []any {
	out := []any{}
	for _, row := range rows(v) {
		out = append(out, row[name])
	}
	return out
}

// weekend is a published schedule: a talk on Friday, and two on Saturday of
// which the first starts half past midnight in Lisbon, which is Friday in UTC.
const weekend = `<?xml version="1.0" encoding="UTF-8"?>
<schedule><conference><title>Harbour</title><time_zone_name>Europe/Lisbon</time_zone_name></conference>
<day index="1" date="2027-05-14"><room name="Great Hall">
<event id="1"><date>2027-05-14T10:00:00+01:00</date><start>10:00</start><duration>00:30</duration><title>Friday's ferries</title><track>Boats</track></event>
</room></day>
<day index="2" date="2027-05-15"><room name="Great Hall">
<event id="2"><date>2027-05-15T11:00:00+01:00</date><start>11:00</start><duration>00:45</duration><title>Queues that forget nothing</title><track>Systems</track><persons><person id="7">Ada Lovelace</person></persons></event>
<event id="3"><date>2027-05-15T00:30:00+01:00</date><start>00:30</start><duration>00:20</duration><title>Night watch</title><track>Boats</track></event>
</room></day></schedule>`

const readingScopes = "read:events,read:sessions,read:contacts,read:metadata"

// harbour is a served installation with the schedule of a weekend, four submissions, and another event of the same
// organization with one submission.
type harbour struct {
	*Site
	*Server
	path, key, reader string // reader is a key with all scopes but the writing ones
	foreign           string // the id of the other event's submission
	foreignEvent      string
}

func newHarbour(t *testing.T, s *Site) *harbour {
	t.Helper()
	h := &harbour{Site: s}
	h.path, h.key = s.Conference()
	h.reader = s.Run("apikey", "create", "--event", "harbour", "--name", "reader", "--scopes",
		readingScopes)["key"].(string)
	s.Run("import", File(s.T, "schedule.xml", weekend), "--event", "harbour")
	s.Run("event", "create", "--name", "Other", "--slug", "other", "--timezone", "UTC")
	other := s.Run("apikey", "create", "--event", "other", "--name", "k", "--scopes", "all")
	h.Server = s.Serve("serve")
	for title, status := range map[string]string{"Forty year old code": "accept_queue", "Lamps and logs": "accept_queue",
		"Pumps": "pending", "Nets": "declined"} {
		s.Ok(h.key, "POST", h.path+"/sessions/create",
			fmt.Sprintf(
				`{"title": %q, "is_abstract": true, "status": %q, "description": "<p>What <b>%s</b> taught us.</p>",
					"custom_fields": {"length": "30 minutes"}}`, title, status, title))
	}
	h.foreignEvent = other["event_id"].(string)
	h.foreign = s.Ok(other["key"].(string), "POST", "/v1/event/"+h.foreignEvent+"/sessions/create",
		`{"title": "Not yours", "is_abstract": true, "status": "accept_queue"}`)["id"].(string)
	return h
}
