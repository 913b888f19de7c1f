package call

import (
	"testing"
	"time"

	. "lectern/e2e/drive"
)

// chooses gives a file with this content to the task of the page. A script sends it at once.
func chooses(w *Window, name, content string) {
	w.T.Helper()
	w.Attach("file", name, content)
	if !w.Scripts {
		w.Press("Upload")
	}
}

// TestASpeakerDoesTheirTasks has Ingrid find what is asked of her in her place, hand slides in twice with a mistake
// between, say something about them, and tick off the rest.
func TestASpeakerDoesTheirTasks(t *testing.T) {
	OnlyLong(t)
	Journey(t, func(t *testing.T, s *Site) {
		s.OpenPost()
		s.Owner()
		s.OpenCall()
		ingrid := s.Window()
		ingrid.Visit("/events/harbour/call/start")
		ingrid.Fill("Title", "Harbour pilots")
		ingrid.Fill("Your name", "Ingrid Sørlie")
		ingrid.Fill("E-mail address", "ingrid@example.org")
		time.Sleep(2 * time.Second) // as long as a person takes
		ingrid.Press("Start")
		ingrid.Sees("Your draft is kept")
		s.AskForSlides()
		ingrid.Follow("My proposals")
		ingrid.Sees("Tasks (2)", "2 of 2 open", "Due tomorrow,", "PDF, up to 20 MB")
		ingrid.Accessible("place-with-tasks")

		ingrid.Follow("Your slides")
		ingrid.Sees("Due tomorrow,", "The file is checked by its content, not by its name.")
		ingrid.Accessible("task-file")
		chooses(ingrid, "first.pdf", "%PDF-1.7 first")
		ingrid.Sees("Handed in. Thank you.", "first.pdf", "Latest")
		chooses(ingrid, "second.pdf", "PK\x03\x04 an archive")
		ingrid.Sees("second.pdf was not taken", "its content is something else", "what you handed in before is untouched")
		ingrid.Accessible("task-file-refused")
		chooses(ingrid, "second.pdf", "%PDF-1.7 second")
		ingrid.Sees("Handed in. Thank you.", "first.pdf", "second.pdf")
		ingrid.DoesNotSee("was not taken")
		ingrid.Fill("Write a comment", "The last page still moves.")
		ingrid.Press("Send")
		ingrid.Sees("Your comment is sent.", "The last page still moves.")
		ingrid.Accessible("task-thread")

		ingrid.Follow("Tasks (1)")
		ingrid.Sees("1 of 2 open", "Handed in")
		ingrid.Accessible("tasks")
		ingrid.Follow("Photo and biography")
		ingrid.Press("I have done this")
		ingrid.Sees("It is kept that you have done this.")
		ingrid.Follow("Tasks")
		ingrid.Sees("All done")
	})
}
