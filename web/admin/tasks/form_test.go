package tasks_test

import (
	"net/url"
	"testing"

	"lectern/models/cfp"
	"lectern/models/modelstest"
	"lectern/models/store"
	"lectern/models/task"
	"lectern/web/admin/admintest"
)

func TestAFormAsksForASectionOfTheCall(t *testing.T) {
	s := open(t)
	admintest.Wants(t, s.b.Get(s.At("/tasks/new"), 200), "has a question that is asked")
	form := url.Values{"title": {"About you"}, "kind": {"form"}, "asked_of": {"speaker"}, "is_required": {"yes"}}
	_, page := s.b.Post(s.At("/tasks/new"), form, 422)
	admintest.Wants(t, page, "Section of the call’s form must be a section", `value="form" selected`)
	call := cfp.Of(s.Programme())
	modelstest.Fine(t, call.Start(t.Context()))
	part := modelstest.Must(call.AddPart(t.Context(), cfp.PartInput{Title: "Travel"}))(t)
	modelstest.Must(call.AddQuestion(t.Context(), part.ID, cfp.QuestionInput{Label: "Which train?", Type: "text",
		AskedOf: cfp.OfSpeaker, Required: cfp.Optional}))(t)
	admintest.Wants(t, s.b.Get(s.At("/tasks/new"), 200), "Travel")
	admintest.Fill(form, "part", part.ID, "asked_of", "session")
	admintest.Wants(t, s.b.Answer(s.At("/tasks/new"), form, 422), "Who does it must be each speaker")
	admintest.Fill(form, "asked_of", "speaker", "max_bytes", "nonsense of another kind")
	admintest.Wants(t, s.b.Follow(s.b.Post(s.At("/tasks/new"), form, 303)), "A form · each person", "0 of 3")
	about := modelstest.Must(s.tasks.All(t.Context()))(t)[0]
	here := s.at(about, s.ada)
	admintest.Wants(t, s.b.Get(here, 200), "What Ada Marker answered", "/speakers/"+s.ada+"/answers", "Mark as done")
	modelstest.Fine(t, s.place(s.ada, "Ada Marker").Finish(t.Context(), about.ID, s.ada))
	admintest.Wants(t, s.b.Get(here, 200), "Said to be done by Ada Marker", `value="approve"`, "Ask for changes")
	admintest.Wants(t, s.do(here, "/decide", url.Values{"verdict": {"ask"}, "words": {"Which one back?"}}),
		"Changes asked")
	admintest.Wants(t, s.do(here, "/decide", url.Values{"verdict": {"done"}}), "It is marked as done.")
}

func TestATaskNamesNothingOfAnotherEvent(t *testing.T) {
	s := open(t)
	foreign := modelstest.Must(task.Of(s.Elsewhere()).Create(t.Context(), task.Change{Title: new("Leak")}))(t)
	s.b.Get(s.At("/tasks/new"), 200)
	form := url.Values{"title": {"Mine"}, "kind": {"tick"}, "asked_of": {"speaker"}, "tracks": {store.NewID()}}
	_, page := s.b.Post(s.At("/tasks/new"), form, 422)
	admintest.Wants(t, page, "Track name one that this event has no more", "Nobody can tell who gets it.")
	s.b.Get(s.At("/tasks/"+foreign.ID+"/"+s.ada), 404)
}
