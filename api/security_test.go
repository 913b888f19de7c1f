package api_test

import (
	"strings"
	"testing"

	"lectern/models/apikey"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestRefusalsOfKeysAreRecorded(t *testing.T) {
	limited(t, 6, 6, func(t *testing.T, d *door) {
		reader := d.mint(t, d.Event, apikey.ReadMetadata)
		d.Log.Lines()
		ask := func(key, method, path string, status int) {
			t.Helper()
			d.do(t, method, path, nil, "x-access-token", key).want(status)
		}
		ask("", "GET", "/v1/events", 401) // of a probe, nothing is told
		ask("lct_guess", "GET", "/v1/events", 401)
		ask(reader, "GET", d.path("/sessions/"+nobody), 403)
		ask(reader, "DELETE", d.path("/sessions/"+nobody), 403)
		ask(reader, "GET", "/v1/event/"+d.Other.ID+"/tracks", 403)
		for range 6 {
			ask(reader, "GET", d.path("/tracks"), 200)
		}
		ask(reader, "GET", d.path("/tracks"), 429)
		for range 58 {
			d.do(t, "GET", "/v1/events", nil, "x-access-token", "")
		}
		ask("lct_guess", "GET", "/v1/events", 429)

		var got []string
		for _, line := range d.Log.Lines() {
			if strings.Contains(line, reader) || strings.Contains(line, "lct_") || !strings.Contains(line, "door=api") ||
				!strings.Contains(line, "request_id=request-1") {
				t.Errorf("a line is %s", line)
			}
			got = append(got, strings.Split(line, " ")[0]+" "+after(line, "of="))
		}
		want := []string{"event=api_key_refused ", "event=denied scope read:sessions", "event=denied scope write:sessions",
			"event=denied event",
			"event=throttled requests", "event=throttled api_key_refused"}
		modelstest.WantAll(t, "the log has", got, want)
		modelstest.Fine(t, d.KeepSeen(t.Context()))
		entries, _, err := d.Organization(d.Event.OrganizationID, store.By{}).
			SecurityLog(t.Context(), store.SecurityFilter{Events: []store.SecurityEvent{store.Denied, store.APIKeyRefused,
				store.Throttled}}, store.Page{})
		if err != nil || len(entries) != len(want) || entries[1].SubjectName != "key" || entries[1].Door != "api" {
			t.Errorf("%d lines of activity: %v", len(entries), err)
		}
	})
}

// after returns what follows a part of a line.
func after(line, part string) string {
	_, rest, _ := strings.Cut(line, part)
	return rest
}
