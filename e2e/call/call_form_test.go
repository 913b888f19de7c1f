package call

import (
	"testing"

	. "lectern/e2e/drive"
)

// TestAFormIsBuilt starts a call, asks a question under a condition, moves what is asked, and tries it as speakers
// would.
func TestAFormIsBuilt(t *testing.T) {
	OnlyLong(t)
	Journey(t, func(t *testing.T, s *Site) {
		w := s.Owner()
		made := s.Run("apikey", "create", "--event", "harbour", "--name", "k", "--scopes", "all")
		event, key := made["event_id"].(string), made["key"].(string)
		for _, name := range []string{"Talk", "Workshop"} {
			s.Ok(key, "POST", "/v1/event/"+event+"/formats/create", `{"name": "`+name+`"}`)
		}
		w.Follow("Form and window")
		w.Sees("No call for papers yet")
		w.Accessible("call-empty")
		w.Press("Start a call")
		w.Sees("The form is there.", "Have you given this talk before?", "Asked of nobody: this event has no track to choose.")
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
		w.Follow("Texts and limits")
		w.Fill("Heading", "Tell us what lasts")
		w.Press("Save texts and limits")
		w.Sees("Texts and limits are saved.")
		w.Accessible("call-texts")
		w.Follow("When it is open")
		w.Fill("Opens", "2020-01-01T09:00")
		w.Fill("Closes", "2049-12-31T23:59")
		w.Press("Save when it is open")
		w.Sees("Open until 31 December 2049, 23:59")
		w.Accessible("call-window")
		w.Follow("Access codes")
		w.Press("Make code")
		w.Sees("0", "Any time")
	})
}
