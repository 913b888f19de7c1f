package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

// heard counts the events that a receiver got, once there are n of them and a moment has passed without another.
func (r *receiver) heard(t *testing.T, n int) string {
	t.Helper()
	bodies := r.wait(t, n)
	for more := true; more; more = len(bodies) > n { // what is one too many would arrive at once
		n = len(bodies)
		time.Sleep(300 * time.Millisecond)
		bodies = r.wait(t, n)
	}
	kinds := map[string]int{}
	for _, body := range bodies {
		var told struct{ Metadata struct{ Event string } }
		if err := json.Unmarshal([]byte(body), &told); err != nil {
			t.Fatal(err)
		}
		kinds[told.Metadata.Event]++
	}
	var said []string
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		said = append(said, fmt.Sprint(kind, " ", kinds[kind]))
	}
	return strings.Join(said, ", ")
}

// TestQueuesAreCommittedAndAMistakeIsUndone goes from queues to decisions and back, while somebody else moves things
// by the API, and a webhook hears of it.
func TestQueuesAreCommittedAndAMistakeIsUndone(t *testing.T) {
	journey(t, func(t *testing.T, s *site) {
		office := s.openPost()
		s.env = append(s.env, "LECTERN_WEBHOOK_ALLOW_NETS=127.0.0.0/8")
		w := s.owner()
		made := s.run("apikey", "create", "--event", "harbour", "--name", "k", "--scopes", "all")
		event, key := "/v1/event/"+made["event_id"].(string), made["key"].(string)
		w.follow("Submissions")
		w.follow("New submission")
		w.fill("Title", "Harbour logs")
		for _, person := range [][2]string{{"Ines Carvalho", "ines@example.org"}, {"Plum", ""}} {
			w.press("Somebody new")
			w.fill("Name", person[0])
			w.fill("E-mail", person[1])
			w.press("Add this person")
			w.sees(person[0])
		}
		w.press("Create submission")
		w.sees("A-1 is created.")
		record := w.url()
		submit := func(title, status string) string {
			return s.ok(key, "POST", event+"/sessions/create",
				fmt.Sprintf(`{"title": %q, "is_abstract": true, "status": %q}`,
					title, status))["id"].(string)
		}
		change := func(id, status string) {
			s.ok(key, "PUT", event+"/sessions/"+id, fmt.Sprintf(`{"status": %q}`, status))
		}
		w.press("To accept queue")
		w.sees("It is in the accept queue now.")
		submit("Tides", "accept_queue")
		ropes, knots := submit("Ropes", "decline_queue"), submit("Knots", "decline_queue")
		submit("Buoys", "decline_queue")
		hook := newReceiver(t)
		s.run("webhook", "create", "--url", hook.URL)

		w.follow("Decisions")
		w.sees("Accept queue", "2 submissions", "Decline queue", "3 submissions")
		w.accessible("decisions")
		w.press("Look at all 5")
		w.sees("Commit 5 decisions", "Harbour logs", "2 accepted, 3 declined.", "letter drafted",
			"person will see it in their place",
			"person cannot be written to", "Plum", "Nobody on it")
		w.accessible("commit")
		opened := w.url()
		change(ropes, "accept_queue")
		change(knots, "withdrawn")
		w.tick("Commit Buoys") // and now it is left out
		if !w.scripts {
			w.press("Count again")
		}
		w.sees("Left out by you")
		within(patience, func() bool { return strings.Contains(w.text(), "Commit 2 decisions") })
		w.sees("Commit 2 decisions")
		w.visit(opened)
		w.sees("Left out by you", "Changed since you opened this",
			"API key “k” moved it from decline queue to accept queue at",
			"Withdrawn", "Knots")
		w.press("Include as accepted")
		w.sees("Commit 3 decisions", "3 accepted, 0 declined.")
		w.accessible("commit-changed")
		w.press("Commit 3 decisions")
		w.reloadsUntil("3 decisions committed")
		w.sees("5 of 5 done", "statuses changed", "Still in their queue.", "letters sent")
		w.accessible("committed")
		if got := hook.heard(t, 8); got != "decision.committed 3, session.updated 5" {
			t.Errorf("the webhook heard %s", got)
		}
		w.follow("Look at the letters")
		w.sees("Ines Carvalho", "Plum")
		w.follow("Send 1 letter…")
		w.press("Send 1 letter")
		w.press("Send now")
		w.follow("Sent")
		w.reloadsUntil("Ines Carvalho")

		// It was a mistake.
		w.visit(record)
		w.follow("Undo the decision…")
		w.sees("Undo the decision on A-1?", "1 person was told of it, or may have been.",
			"Not decided: back to accept queue")
		w.accessible("undo-decision")
		w.tick("Declined")
		w.fill("Why", "The wrong row")
		w.press("Undo the decision")
		w.sees("The decision is undone. It is declined now. 1 letter is drafted.")
		w.press("5 entries. Last:")
		w.sees("undid the decision", "The wrong row")
		w.follow("Letters")
		w.follow("Ines Carvalho")
		w.sees("about “Harbour logs”", "could not find a place for it")
		w.visit(record)
		w.follow("Undo the decision…")
		w.press("Undo the decision")
		w.sees("The decision is undone. It is pending now.") // what it was before the decision was one too
		if got := hook.heard(t, 11); got != "decision.committed 4, session.updated 7" {
			t.Errorf("the webhook heard %s", got)
		}
		if n := office.count(); n != 1 {
			t.Errorf("%d letters arrived", n)
		}

		w.visit(opened)
		w.follow("Undo these decisions…")
		w.sees("Undo 3 decisions?")
		w.press("Undo 3 decisions")
		w.reloadsUntil("2 of 3 done")
		w.sees("was changed since, so nothing is undone here", "Accepted → Accept queue")
		if got := hook.heard(t, 13); got != "decision.committed 4, session.updated 9" {
			t.Errorf("the webhook heard %s", got)
		}
	})
}
