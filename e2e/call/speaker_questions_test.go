package call

import (
	"testing"
	"time"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// TestEachSpeakerAnswersInTheirPlace has staff ask something of each speaker, Ingrid answer it on the way to submit, and
// staff read and correct it; nobody else does.
func TestEachSpeakerAnswersInTheirPlace(t *testing.T) {
	OnlyLong(t)
	Journey(t, func(t *testing.T, s *Site) {
		s.OpenPost()
		staff := s.Owner()
		s.OpenCall()
		staff.Visit("/admin")
		staff.Follow("Form and window")
		staff.Follow("Add a question to You")
		staff.Fill("Question", "What do you eat?")
		staff.Choose("Asked of", "Each speaker, for themselves")
		staff.Choose("Has to be answered", "Yes, before submitting")
		staff.Accessible("call-question-of-speakers")
		staff.Press("Add question")
		staff.Sees("is asked now", "asked of each speaker")

		ingrid := s.Window()
		ingrid.Visit("/events/harbour/call/start")
		ingrid.Fill("Title", "Harbour pilots")
		ingrid.Fill("Your name", "Ingrid Sørlie")
		ingrid.Fill("E-mail address", "ingrid@example.org")
		time.Sleep(2 * time.Second) // as long as a person takes
		ingrid.Press("Start")
		ingrid.Sees("About you", "1 answer of yours is needed.")
		ingrid.Fill("Abstract", "Every ship is handed over from a captain to a pilot.")
		ingrid.Tick("Systems")
		ingrid.Tick("Talk")
		ingrid.Accessible("proposal-with-own")
		ingrid.Press("Check my answers")
		ingrid.Sees("One thing still to answer", "“What do you eat?” has no answer yet")
		ingrid.Accessible("own-answers")
		ingrid.Fill("What do you eat?", "Everything but herring")
		ingrid.Press("Save and check my proposal")
		ingrid.Sees("Check your answers", "Everything but herring", "Only you and the organizers read this.")
		ingrid.Press("Submit proposal")
		ingrid.Sees("Tick that you agree")
		ingrid.Tick("I can be in Lisbon")
		ingrid.Press("Submit proposal")
		ingrid.Sees("Thank you, we have it.", "1 of 3 used")
		ingrid.Follow("My proposals")
		ingrid.Sees("About you.", "All is answered.")
		ingrid.Accessible("place-with-own")

		staff.Follow("Submissions")
		staff.Follow("Harbour pilots")
		staff.DoesNotSee("herring")
		staff.Visit("/admin")
		staff.Follow("Speakers")
		staff.Follow("Ingrid Sørlie")
		staff.Sees("What do you eat?", "Everything but herring")
		staff.Accessible("person-answers")
		staff.Follow("Fill in or change")
		staff.Fill("What do you eat?", "Herring too")
		staff.Press("Save answers")
		staff.Sees("The answers are saved.", "Herring too")
		ingrid.Follow("Change my answers")
		modelstest.Want(t, "she reads", ingrid.Value("What do you eat?"), "Herring too")
	})
}
