package reviews

import (
	"fmt"
	"strings"
	"testing"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// TestQueuesAreCommittedAndAMistakeIsUndone goes from queues to decisions and back, while somebody else moves things
// by the API, and a webhook hears of it.
func TestQueuesAreCommittedAndAMistakeIsUndone(t *testing.T) {
	OnlyLong(t)
	Journey(t, func(t *testing.T, s *Site) {
		office := s.OpenPost()
		s.Env = append(s.Env, "LECTERN_WEBHOOK_ALLOW_NETS=127.0.0.0/8")
		w := s.Owner()
		made := s.Run("apikey", "create", "--event", "harbour", "--name", "k", "--scopes", "all")
		event, key := "/v1/event/"+made["event_id"].(string), made["key"].(string)
		w.Follow("Submissions")
		w.Follow("New submission")
		w.Fill("Title", "Harbour logs")
		for _, person := range [][2]string{{"Ines Carvalho", "ines@example.org"}, {"Plum", ""}} {
			w.Press("Somebody new")
			w.Fill("Name", person[0])
			w.Fill("E-mail", person[1])
			w.Press("Add this person")
			w.Sees(person[0])
		}
		w.Press("Create submission")
		w.Sees("A-1 is created.")
		record := w.URL()
		submit := func(title, status string) string {
			return s.Ok(key, "POST", event+"/sessions/create",
				fmt.Sprintf(`{"title": %q, "is_abstract": true, "status": %q}`,
					title, status))["id"].(string)
		}
		change := func(id, status string) {
			s.Ok(key, "PUT", event+"/sessions/"+id, fmt.Sprintf(`{"status": %q}`, status))
		}
		w.Press("To accept queue")
		w.Sees("It is in the accept queue now.")
		submit("Tides", "accept_queue")
		ropes, knots := submit("Ropes", "decline_queue"), submit("Knots", "decline_queue")
		submit("Buoys", "decline_queue")
		hook := NewReceiver(t)
		s.Run("webhook", "create", "--url", hook.URL)

		w.Follow("Decisions")
		w.Sees("Accept queue", "2 submissions", "Decline queue", "3 submissions")
		w.Accessible("decisions")
		w.Press("Look at all 5")
		w.Sees("Commit 5 decisions", "Harbour logs", "2 accepted, 3 declined.", "letter drafted",
			"person will see it in their place",
			"person cannot be written to", "Plum", "Nobody on it")
		w.Accessible("commit")
		opened := w.URL()
		change(ropes, "accept_queue")
		change(knots, "withdrawn")
		w.Tick("Commit Buoys") // and now it is left out
		if !w.Scripts {
			w.Press("Count again")
		}
		w.Sees("Left out by you")
		Within(Patience, func() bool { return strings.Contains(w.Text(), "Commit 2 decisions") })
		w.Sees("Commit 2 decisions")
		w.Visit(opened)
		w.Sees("Left out by you", "Changed since you opened this",
			"API key “k” moved it from decline queue to accept queue at",
			"Withdrawn", "Knots")
		w.Press("Include as accepted")
		w.Sees("Commit 3 decisions", "3 accepted, 0 declined.")
		w.Accessible("commit-changed")
		w.Press("Commit 3 decisions")
		w.ReloadsUntil("3 decisions committed")
		w.Sees("5 of 5 done", "statuses changed", "Still in their queue.", "letters sent")
		w.Accessible("committed")
		modelstest.Want(t, "the webhook heard", hook.Heard(t, 8), "decision.committed 3, session.updated 5")
		w.Follow("Look at the letters")
		w.Sees("Ines Carvalho", "Plum")
		w.Follow("Send 1 letter…")
		w.Press("Send 1 letter")
		w.Press("Send now")
		w.Follow("Sent")
		w.ReloadsUntil("Ines Carvalho")

		// It was a mistake.
		w.Visit(record)
		w.Follow("Undo the decision…")
		w.Sees("Undo the decision on A-1?", "1 person was told of it, or may have been.",
			"Not decided: back to accept queue")
		w.Accessible("undo-decision")
		w.Tick("Declined")
		w.Fill("Why", "The wrong row")
		w.Press("Undo the decision")
		w.Sees("The decision is undone. It is declined now. 1 letter is drafted.")
		w.Press("5 entries. Last:")
		w.Sees("undid the decision", "The wrong row")
		w.Follow("Letters")
		w.Follow("Ines Carvalho")
		w.Sees("about “Harbour logs”", "could not find a place for it")
		w.Visit(record)
		w.Follow("Undo the decision…")
		w.Press("Undo the decision")
		w.Sees("The decision is undone. It is pending now.") // what it was before the decision was one too
		modelstest.Want(t, "the webhook heard", hook.Heard(t, 11), "decision.committed 4, session.updated 7")
		modelstest.Want(t, "letters arrived", office.Count(), 1)

		w.Visit(opened)
		w.Follow("Undo these decisions…")
		w.Sees("Undo 3 decisions?")
		w.Press("Undo 3 decisions")
		w.ReloadsUntil("2 of 3 done")
		w.Sees("was changed since, so nothing is undone here", "Accepted → Accept queue")
		modelstest.Want(t, "the webhook heard", hook.Heard(t, 13), "decision.committed 4, session.updated 9")
	})
}
