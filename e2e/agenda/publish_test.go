package agenda

import (
	"fmt"
	"strings"
	"testing"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// programmeToPublish makes three accepted sessions in one room: "Harbour logs", whose speaker got a
// letter; "Tides", whose letter is a draft; and "Opening", which is of no submission. It returns the way to its API.
func programmeToPublish(t *testing.T, s *Site, w *Window, office *PostOffice) (event, key string,
	ids map[string]string) {
	t.Helper()
	event, key = s.Key()
	for _, x := range [][3]string{{"Harbour logs", "Ines Carvalho", "ines@example.org"}, {"Tides", "Mateo Quispe",
		"mateo@example.org"}} {
		w.Follow("Submissions")
		w.Follow("New submission")
		w.Fill("Title", x[0])
		w.Press("Somebody new")
		w.Fill("Name", x[1])
		w.Fill("E-mail", x[2])
		w.Press("Add this person")
		w.Sees(x[1])
		w.Press("Create submission")
		w.Sees("is created.")
		id := w.URL()[strings.LastIndex(w.URL(), "/")+1:]
		id, _, _ = strings.Cut(id, "?")
		s.Ok(key, "PUT", event+"/sessions/"+id, `{"status": "accepted"}`)
		if office.Count() == 0 {
			w.Follow("Letters")
			w.Follow("Send 1 letter…")
			w.Press("Send 1 letter")
			w.Press("Send now")
			w.Follow("Sent")
			w.ReloadsUntil("Ines Carvalho")
		}
	}
	w.Follow("Submissions")
	w.Follow("Accepted")
	for _, title := range []string{"Harbour logs", "Tides"} {
		w.Tick("Select " + title)
	}
	w.Press("Compose…")
	w.Press("Each into its own")
	w.Press("Compose 2 submissions")
	w.ReloadsUntil("2 of 2 done")
	s.Ok(key, "POST", event+"/sessions/create", `{"title": "Opening"}`)
	room := s.Ok(key, "POST", event+"/rooms/create", `{"name": "Hall"}`)["id"].(string)
	ids = map[string]string{}
	found := s.Ok(key, "POST", event+"/sessions/search", `{"filters": {"is_abstract": false}}`)["results"].([]any)
	for i, one := range found {
		x := one.(map[string]any)
		ids[x["title"].(string)] = x["id"].(string)
		s.Ok(key, "PUT", event+"/sessions/"+x["id"].(string), fmt.Sprintf(
			`{"room_id": %q, "starts_at": "2027-05-20T%02d:00:00Z", "ends_at": "2027-05-20T%02d:40:00Z"}`, room, 9+i, 9+i))
	}
	return event, key, ids
}

// hears waits until a receiver heard this of a session: the events by name, with their counts.
func hears(r *Receiver, t *testing.T, id, want string) {
	t.Helper()
	got := ""
	Within(Patience, func() bool {
		got = strings.ReplaceAll(r.HeardOf(t, id), "session.", "")
		return got == want
	})
	modelstest.Want(t, "what was heard of a session", got, want)
}

// TestAProgrammeIsPublishedAndReleased publishes what is ready, then what is held with a reason, and releases the
// agenda twice, with letters about what changed.
func TestAProgrammeIsPublishedAndReleased(t *testing.T) {
	Journey(t, func(t *testing.T, s *Site) {
		office := s.OpenPost()
		s.Env = append(s.Env, "LECTERN_WEBHOOK_ALLOW_NETS=127.0.0.0/8")
		w := s.Owner()
		hook := NewReceiver(t)
		s.Run("webhook", "create", "--url", hook.URL)
		event, key, ids := programmeToPublish(t, s, w, office)

		w.Follow("Publish")
		w.Sees("Publish 1 session", "session.published", "Letter not sent", "Nobody to write to", "Harbour logs")
		w.Accessible("publish")
		w.Tick("Publish Harbour logs")
		if !w.Scripts {
			w.Press("Count again")
		}
		w.Sees("Nothing is ticked")
		w.Tick("Publish Harbour logs")
		if !w.Scripts {
			w.Press("Count again")
		}
		w.Sees("Publish 1 session")
		w.Press("Publish 1 session")
		w.ReloadsUntil("1 of 1 done")
		w.Sees("Public now")
		hears(hook, t, ids["Harbour logs"], "created 1, published 1, updated 1")
		hears(hook, t, ids["Tides"], "created 1, updated 1")
		hears(hook, t, ids["Opening"], "created 1, updated 1")
		for _, title := range []string{"Tides", "Opening"} {
			modelstest.Want(t, title+" is public", s.Ok(key, "GET", event+"/sessions/"+ids[title], "")["is_public"], false)
		}

		// What is held, with one reason.
		w.Follow("Publish")
		w.Tick("All 2 held")
		w.Press("Publish what is ticked anyway…")
		w.Sees("Publish 2 sessions anyway?", "Letter not sent: 1", "Nobody to write to: 1")
		w.Accessible("publish-anyway")
		w.Fill("Why anyway", "They know, by telephone")
		w.Press("Publish 2 sessions anyway")
		w.ReloadsUntil("2 of 2 done")
		w.Sees("Reason: They know, by telephone")
		hears(hook, t, ids["Tides"], "created 1, published 1, updated 1")
		hears(hook, t, ids["Opening"], "created 1, published 1, updated 1")

		w.Follow("Publish")
		w.Follow("Release a version…")
		w.Sees("New", "Harbour logs", "Tides")
		w.Accessible("versions")
		w.Fill("Name", "First")
		w.Press("Release version 1")
		w.Sees("Version 1: First", "Version 1 is released. Nothing was sent.")
		w.Accessible("version")
		w.Follow("Versions of the agenda")
		w.Sees("Nothing changed since version 1")
		s.Ok(key, "PUT", event+"/sessions/"+ids["Harbour logs"],
			`{"starts_at": "2027-05-21T14:00:00Z", "ends_at": "2027-05-21T14:40:00Z"}`)
		w.Reload()
		w.Sees("Moved", "Harbour logs", "Release version 2")
		w.Fill("Name", "Second")
		w.Tick("Draft letters to the 1 person concerned")
		w.Press("Release version 2")
		w.Sees("Version 2 is released, and its letters are drafted. Nothing was sent.")
		w.Follow("Look at its letters")
		w.Sees("Ines Carvalho", "Moved: “Harbour logs”", "Fri 21 May")
		modelstest.Want(t, "letters arrived", office.Count(), 1)
		hears(hook, t, ids["Harbour logs"], "created 1, published 1, updated 2")
		hears(hook, t, ids["Tides"], "created 1, published 1, updated 1")
	})
}
