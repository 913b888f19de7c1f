package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// programmeToPublish is a conference with three accepted sessions in one room: "Harbour logs", whose speaker got a
// letter; "Tides", whose letter is a draft; and "Opening", which is of no submission. It returns the way to its API.
func programmeToPublish(t *testing.T, s *site, w *window, office *postOffice) (event, key string,
	ids map[string]string) {
	t.Helper()
	made := s.run("apikey", "create", "--event", "harbour", "--name", "k", "--scopes", "all")
	event, key = "/v1/event/"+made["event_id"].(string), made["key"].(string)
	for _, x := range [][3]string{{"Harbour logs", "Ines Carvalho", "ines@example.org"}, {"Tides", "Mateo Quispe",
		"mateo@example.org"}} {
		w.follow("Submissions")
		w.follow("New submission")
		w.fill("Title", x[0])
		w.press("Somebody new")
		w.fill("Name", x[1])
		w.fill("E-mail", x[2])
		w.press("Add this person")
		w.sees(x[1])
		w.press("Create submission")
		w.sees("is created.")
		id := w.url()[strings.LastIndex(w.url(), "/")+1:]
		id, _, _ = strings.Cut(id, "?")
		s.ok(key, "PUT", event+"/sessions/"+id, `{"status": "accepted"}`)
		if office.count() == 0 {
			w.follow("Letters")
			w.follow("Send 1 letter…")
			w.press("Send 1 letter")
			w.press("Send now")
			w.follow("Sent")
			w.reloadsUntil("Ines Carvalho")
		}
	}
	w.follow("Submissions")
	w.follow("Accepted")
	for _, title := range []string{"Harbour logs", "Tides"} {
		w.tick("Select " + title)
	}
	w.press("Compose…")
	w.press("Each into its own")
	w.press("Compose 2 submissions")
	w.reloadsUntil("2 of 2 done")
	s.ok(key, "POST", event+"/sessions/create", `{"title": "Opening"}`)
	room := s.ok(key, "POST", event+"/rooms/create", `{"name": "Hall"}`)["id"].(string)
	ids = map[string]string{}
	found := s.ok(key, "POST", event+"/sessions/search", `{"filters": {"is_abstract": false}}`)["results"].([]any)
	for i, one := range found {
		x := one.(map[string]any)
		ids[x["title"].(string)] = x["id"].(string)
		s.ok(key, "PUT", event+"/sessions/"+x["id"].(string), fmt.Sprintf(
			`{"room_id": %q, "starts_at": "2027-05-20T%02d:00:00Z", "ends_at": "2027-05-20T%02d:40:00Z"}`, room, 9+i, 9+i))
	}
	return event, key, ids
}

// hears waits until what a receiver was told of a session is this: kinds with how often, by name.
func (r *receiver) hears(t *testing.T, id, want string) {
	t.Helper()
	got := ""
	within(patience, func() bool {
		got = r.kindsOf(t, id)
		return got == want
	})
	if got != want {
		t.Errorf("of a session was heard: %s; not %s", got, want)
	}
}

func (r *receiver) kindsOf(t *testing.T, id string) string {
	t.Helper()
	kinds := map[string]int{}
	for _, body := range r.wait(t, 0) {
		var told struct {
			Metadata struct{ Event string }
			Data     struct{ ID string }
		}
		if err := json.Unmarshal([]byte(body), &told); err != nil {
			t.Fatal(err)
		}
		if told.Data.ID == id {
			kinds[strings.TrimPrefix(told.Metadata.Event, "session.")]++
		}
	}
	var said []string
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		said = append(said, fmt.Sprint(kind, " ", kinds[kind]))
	}
	return strings.Join(said, ", ")
}

// TestAProgrammeIsPublishedAndReleased publishes what is ready, one of the held with a reason, takes one off again, and
// releases the agenda twice, with letters about what changed.
func TestAProgrammeIsPublishedAndReleased(t *testing.T) {
	journey(t, func(t *testing.T, s *site) {
		office := s.openPost()
		s.env = append(s.env, "LECTERN_WEBHOOK_ALLOW_NETS=127.0.0.0/8")
		w := s.owner()
		hook := newReceiver(t)
		s.run("webhook", "create", "--url", hook.URL)
		event, key, ids := programmeToPublish(t, s, w, office)

		w.follow("Publish")
		w.sees("Publish 1 session", "session.published", "Letter not sent", "Nobody to write to", "Harbour logs")
		w.accessible("publish")
		w.tick("Publish Harbour logs")
		if !w.scripts {
			w.press("Count again")
		}
		w.sees("Nothing is ticked")
		w.tick("Publish Harbour logs")
		if !w.scripts {
			w.press("Count again")
		}
		w.sees("Publish 1 session")
		w.press("Publish 1 session")
		w.reloadsUntil("1 of 1 done")
		w.sees("Public now")
		hook.hears(t, ids["Harbour logs"], "created 1, published 1, updated 1")
		hook.hears(t, ids["Tides"], "created 1, updated 1")
		hook.hears(t, ids["Opening"], "created 1, updated 1")
		for _, title := range []string{"Tides", "Opening"} {
			if s.ok(key, "GET", event+"/sessions/"+ids[title], "")["is_public"] != false {
				t.Errorf("%s is public", title)
			}
		}

		// What is held, with one reason.
		w.follow("Publish")
		w.tick("All 2 held")
		w.press("Publish those anyway…")
		w.sees("Publish 2 sessions anyway?", "Letter not sent: 1", "Nobody to write to: 1")
		w.accessible("publish-anyway")
		w.fill("Why anyway", "They know, by telephone")
		w.press("Publish 2 sessions anyway")
		w.reloadsUntil("2 of 2 done")
		w.sees("Reason: They know, by telephone")
		hook.hears(t, ids["Tides"], "created 1, published 1, updated 1")
		hook.hears(t, ids["Opening"], "created 1, published 1, updated 1")

		// Taken off again, which is told to nobody.
		w.visit(w.url()[:strings.Index(w.url(), "/batches/")] + "/sessions/" + ids["Opening"])
		w.press("Unpublish")
		w.sees("is not public any more. Nothing was sent.")
		w.follow("Publish…")
		w.sees("Nobody to write to", "Why anyway")
		w.follow("Cancel")

		w.follow("Publish")
		w.follow("Release a version…")
		w.sees("New", "Harbour logs", "Tides")
		w.accessible("versions")
		w.fill("Name", "First")
		w.press("Release version 1")
		w.sees("Version 1: First", "Version 1 is released. Nothing was sent.")
		w.accessible("version")
		w.follow("Versions of the agenda")
		w.sees("Nothing changed since version 1")
		s.ok(key, "PUT", event+"/sessions/"+ids["Harbour logs"],
			`{"starts_at": "2027-05-21T14:00:00Z", "ends_at": "2027-05-21T14:40:00Z"}`)
		w.reload()
		w.sees("Moved", "Harbour logs", "Release version 2")
		w.fill("Name", "Second")
		w.tick("Draft letters to the 1 person concerned")
		w.press("Release version 2")
		w.sees("Version 2 is released, and its letters are drafted. Nothing was sent.")
		w.follow("Look at its letters")
		w.sees("Ines Carvalho", "Moved: “Harbour logs”", "Fri 21 May")
		if n := office.count(); n != 1 {
			t.Errorf("%d letters arrived", n)
		}
		hook.hears(t, ids["Harbour logs"], "created 1, published 1, updated 2")
		hook.hears(t, ids["Tides"], "created 1, published 1, updated 1")
		hook.hears(t, ids["Opening"], "created 1, published 1, updated 1") // and nothing of the end of it
	})
}
