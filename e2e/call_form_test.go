package e2e

import "testing"

// TestAFormIsBuilt starts a call, asks a question under a condition, moves what is asked, and tries it as speakers
// would.
func TestAFormIsBuilt(t *testing.T) {
	journey(t, func(t *testing.T, s *site) {
		w := s.owner()
		made := s.run("apikey", "create", "--event", "harbour", "--name", "k", "--scopes", "all")
		event, key := made["event_id"].(string), made["key"].(string)
		for _, name := range []string{"Talk", "Workshop"} {
			s.ok(key, "POST", "/v1/event/"+event+"/formats/create", `{"name": "`+name+`"}`)
		}
		w.follow("Form and window")
		w.sees("No call for papers yet")
		w.accessible("call-empty")
		w.press("Start a call")
		w.sees("The form is there.", "Have you given this talk before?", "Asked of nobody: this event has no track to choose.")
		w.accessible("call-form")
		w.follow("Add a question to Your session")
		w.fill("Question", "What do people need to bring?")
		w.choose("Has to be answered", "Yes, before submitting")
		w.tick("Workshop")
		w.accessible("call-question")
		w.press("Add question")
		w.sees("“What do people need to bring?” is asked now.", "Only if you choose Workshop")
		w.press("Move What do people need to bring? up")
		w.sees("“What do people need to bring?” is number 4 of 5 now.")
		if w.scripts {
			w.drag("Have you given this talk before?", "Abstract") // into another part
			w.sees("“Have you given this talk before?” is number 2 of 6 now.")
			w.press("Undo")
			w.sees("“Have you given this talk before?” is number 2 of 2 now.")
		}
		w.follow("Remove Track")
		w.press("Stop asking")
		w.sees("“Track” is no longer asked.", "Can be asked as well")
		w.follow("Preview")
		if w.scripts {
			w.doesNotSee("What do people need to bring?")
			w.tick("Workshop")
			w.sees("Asked because you chose Workshop", "What do people need to bring?")
			w.fill("Title", "Four words")
			w.tick("Talk")
			w.doesNotSee("What do people need to bring?")
		} else {
			w.sees("Only if you choose Workshop", "What do people need to bring?")
		}
		w.accessible("call-preview")
		w.follow("Texts and limits")
		w.fill("Heading", "Tell us what lasts")
		w.fill("Opens", "2020-01-01T09:00")
		w.fill("Closes", "2049-12-31T23:59")
		w.press("Save texts and limits")
		w.sees("Texts and limits are saved.", "Open until 31 December 2049, 23:59")
		w.accessible("call-texts")
		w.follow("Access codes")
		w.press("Make code")
		w.sees("0", "Any time")
	})
}
