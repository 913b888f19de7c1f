package api_test

import (
	"testing"

	"lectern/api"
	"lectern/models"
	"lectern/models/modelstest"
)

// fuzzed opens the API on SQLite with a few rows to find and to change.
func fuzzed(f *testing.F) (d *door, session string) {
	f.Helper()
	d = open(f, modelstest.Open(f, "sqlite"), api.Options{})
	a := d.create(f, object{"title": "Queues 100%", "is_abstract": true, "description": "<p>日本語 \"quoted\"</p>",
		"track_id": d.row(f, "tracks", "Web")})
	d.speaker(f, a["id"], models.NewContact{FirstName: "Ada"})
	s := d.create(f, object{"title": "Talk", "starts_at": "2026-11-21T10:00:00Z"})
	return d, s["id"].(string)
}

// wantSound fails unless the answer is a success or names the fault.
func wantSound(t *testing.T, got *answer) {
	t.Helper()
	switch got.status {
	case 200:
	case 400:
		if e := got.object(); e["error"] != "ValidationError" && e["error"] != "PublishGateError" || e["message"] == "" {
			t.Errorf("%s", got.raw)
		}
	case 409:
		got.wantError(409, "ConflictError")
	default:
		t.Errorf("status %d: %s", got.status, got.raw)
	}
}

func FuzzSearchBody(f *testing.F) {
	for _, seed := range []string{
		`{}`, `null`, `[]`, ``, `{"filters": {"text": "100%"}}`,
		`{"filters": {"text": "\" OR \"", "status": ["pending"], "is_abstract": true}}`,
		`{"sort": {"order": "startsAt", "sort": "asc"}, "page": 2, "pageSize": 1}`, `{"filters": {"text": "\u0000"}}`,
		`{"filters": {"created_at": {"after": "2026-11-21T09:30:00Z"}, "track_id": ["x"]}, "expand": ["track"]}`,
		`{"page": 1e30}`, "{\"filters\": {\"text\": \"\xff\"}}",
	} {
		f.Add(seed)
	}
	d, _ := fuzzed(f)
	f.Fuzz(func(t *testing.T, body string) {
		got := d.do(t, "POST", d.path("/sessions/search"), body)
		wantSound(t, got)
		if got.status == 200 {
			got.results()
		}
	})
}

func FuzzUpdateBody(f *testing.F) {
	for _, seed := range []string{
		`{}`, `null`, `{"title": "New"}`, `{"title": "\u0000"}`, `{"is_public": true, "publish_override": true}`,
		`{"updated_at": "2026-11-21T09:30:00Z"}`,
		`{"custom_fields": {"a": "b"}, "tag_ids": []}`, `{"starts_at": null, "ends_at": null}`,
		`{"starts_at": "2026-11-21T10:00:00+02:00", "capacity": 1e3}`,
		`{"description": "<p onclick=x>y</p><script>"}`, `{"status": "declined", "id": {}}`, "{\"title\": \"\xff\"}",
	} {
		f.Add(seed)
	}
	d, session := fuzzed(f)
	f.Fuzz(func(t *testing.T, body string) {
		got := d.put(t, session, body)
		wantSound(t, got)
		if got.status == 200 { // what was kept reads the same, and can be sent back
			wantEqual(t, d.get(t, session), got.object())
			wantEqual(t, d.put(t, session, got.object()).want(200).object(), got.object())
		}
	})
}
