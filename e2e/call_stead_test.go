package e2e

import "testing"

// TestStaffFillInTheFormForSomebody begins a proposal for somebody, is told what is missing, and submits it; then an
// answer is changed in the same form. The choices of a question are put in order on the way.
func TestStaffFillInTheFormForSomebody(t *testing.T) {
	journey(t, func(t *testing.T, s *site) {
		w := s.owner()
		made := s.run("apikey", "create", "--event", "harbour", "--name", "k", "--scopes", "all")
		s.ok(made["key"].(string), "POST", "/v1/event/"+made["event_id"].(string)+"/formats/create", `{"name": "Workshop"}`)
		w.follow("Form and window")
		w.press("Start a call")
		w.follow("Add a question to You")
		w.fill("Question", "What helps?")
		w.choose("Answered with", "One of several choices")
		w.fill("Choice 1", "A bed")
		w.fill("Choice 2", "Travel")
		w.press("Move choice 2 up")
		if got := w.value("Choice 1"); got != "Travel" {
			t.Errorf("the first choice is %q", got)
		}
		w.press("Add question")
		w.follow("Add a proposal for somebody")
		w.fill("Title", "Tides")
		w.press("Somebody new")
		w.fill("Name", "Ada Love")
		w.fill("E-mail", "ada@example.org")
		w.press("Add this person")
		w.sees("Ada Love")
		w.press("Go on to the form")
		w.sees("is a draft of theirs now", "The form of the call for Ada Love")
		w.tick("Workshop")
		w.press("Submit for them")
		w.sees("One thing before you can submit", "Submit as it is")
		w.fill("Abstract", "Water goes up and down.")
		w.press("Submit for them")
		w.sees("It is submitted", "Submitted by Ada Love")
		w.follow("Fill in the form")
		w.tick("Travel")
		w.press("Save answers")
		w.sees("The answers are saved.", "What helps?", "Travel")
	})
}
