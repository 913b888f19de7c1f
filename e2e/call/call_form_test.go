package call

import (
	"testing"

	. "lectern/e2e/drive"
)

// TestAFormIsBuilt starts a call, adds a question for one format, moves questions, and fills in the preview.
func TestAFormIsBuilt(t *testing.T) {
	OnlyLong(t)
	Journey(t, func(t *testing.T, s *Site) {
		w := s.Owner()
		path, key := s.Key()
		for _, name := range []string{"Talk", "Workshop"} {
			s.Ok(key, "POST", path+"/formats/create", `{"name": "`+name+`"}`)
		}
		w.Follow("Form and window")
		w.Press("Start a call")
		w.Sees("The form is there.", "Have you given this talk before?",
			"Asked of nobody: this event has no track to choose.")
		w.Accessible("call-form")
		w.Follow("Add a question to Your session")
		w.Fill("Question", "What do people need to bring?")
		w.Choose("Has to be answered", "Yes, before submitting")
		w.Press("For some formats")
		w.Tick("Workshop")
		w.Accessible("call-question")
		w.Press("Add question")
		w.Sees("“What do people need to bring?” is asked now.", "Only if you choose Workshop")
		w.Press("Move What do people need to bring? up")
		w.Sees("“What do people need to bring?” is number 4 of 5 now.")
		if w.Scripts {
			w.Drag("Have you given this talk before?", "Abstract") // into another part
			w.Sees("“Have you given this talk before?” is number 2 of 6 now.")
			w.Press("Undo")
			w.Sees("“Have you given this talk before?” is number 2 of 2 now.")
		}
		w.Follow("Remove Track")
		w.Press("Stop asking")
		w.Sees("“Track” is no longer asked.", "Can be asked as well")
		w.Follow("Preview")
		if w.Scripts {
			w.DoesNotSee("What do people need to bring?")
			w.Tick("Workshop")
			w.Sees("Asked because you chose Workshop", "What do people need to bring?")
			w.Fill("Title", "Four words")
			w.Tick("Talk")
			w.DoesNotSee("What do people need to bring?")
		} else {
			w.Sees("Only if you choose Workshop", "What do people need to bring?")
		}
		w.Accessible("call-preview")
	})
}
