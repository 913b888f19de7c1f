package call

import (
	"testing"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// TestStaffFillInTheFormForSomebody begins a proposal for somebody, is told what is missing, and submits it; then an
// answer is changed in the same form. The choices of a question are put in order on the way.
func TestStaffFillInTheFormForSomebody(t *testing.T) {
	OnlyLong(t)
	Journey(t, func(t *testing.T, s *Site) {
		w := s.Owner()
		made := s.Run("apikey", "create", "--event", "harbour", "--name", "k", "--scopes", "all")
		s.Ok(made["key"].(string), "POST", "/v1/event/"+made["event_id"].(string)+"/formats/create", `{"name": "Workshop"}`)
		w.Follow("Form and window")
		w.Press("Start a call")
		w.Follow("Add a question to You")
		w.Fill("Question", "What helps?")
		w.Choose("Answered with", "One of several choices")
		w.Fill("Choice 1", "A bed")
		w.Fill("Choice 2", "Travel")
		w.Press("Move choice 2 up")
		modelstest.Want(t, "the first choice", w.Value("Choice 1"), "Travel")
		w.Press("Add question")
		w.Follow("Add a proposal for somebody")
		w.Fill("Title", "Tides")
		w.Press("Somebody new")
		w.Fill("Name", "Ada Love")
		w.Fill("E-mail", "ada@example.org")
		w.Press("Add this person")
		w.Sees("Ada Love")
		w.Press("Go on to the form")
		w.Sees("is a draft of theirs now", "The form of the call for Ada Love")
		w.Tick("Workshop")
		w.Press("Submit for them")
		w.Sees("One thing before you can submit", "Submit as it is")
		w.Fill("Abstract", "Water goes up and down.")
		w.Press("Submit for them")
		w.Sees("It is submitted", "Submitted by Ada Love")
		w.Follow("Fill in the form")
		w.Tick("Travel")
		w.Press("Save answers")
		w.Sees("The answers are saved.", "What helps?", "Travel")
	})
}
