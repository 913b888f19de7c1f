package tasks_test

import (
	"net/url"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/task"
	"lectern/web/admin/admintest"
)

func TestATaskIsGivenToPeopleThatAreLookedFor(t *testing.T) {
	s := open(t)
	s.b.Get(s.At("/tasks/new"), 200)
	page := s.b.Follow(s.b.Post(s.At("/tasks/new"), url.Values{"title": {"Visa <i>"}, "kind": {"tick"}, "asked_of": {"speaker"},
		"only_given": {"yes"}}, 303))
	admintest.Wants(t, page, "“Visa &lt;i&gt;” is there. Choose who has it.", "Nobody has it but whom you choose here.",
		"Nobody was given it by hand.")
	visa := modelstest.Must(s.tasks.All(t.Context()))(t)[0]
	here := s.At("/tasks/" + visa.ID + "/give")
	admintest.Wants(t, s.b.Get(here+"?q=a", 200), "Type two letters or more.")
	admintest.Wants(t, s.b.Get(here+"?q=zz", 200), "Nobody at this event, and no session, matches “zz”.")
	admintest.Wants(t, s.b.Get(here+"?q=ada", 200), "Give it to Ada Marker")
	admintest.Wants(t, s.b.Get(here+"?q=tides", 200), "Give it to Tides", "everybody who is on it now")
	page = s.b.Follow(s.b.Post(here, url.Values{"owner": {s.ada}}, 303))
	admintest.Wants(t, page, "“Visa &lt;i&gt;” is given to 1 person.", "Take back from Ada Marker")
	admintest.Wants(t, s.b.Get(here+"?q=ada", 200), "Has it")
	admintest.Wants(t, s.b.Get(s.At("/tasks/"+visa.ID+"/edit"), 200), "Given to 1 by now.", "1 person gets it.",
		`value="yes" checked`)
	admintest.Wants(t, s.b.Get(s.At("/speakers/"+s.ada), 200), "gave “Visa &lt;i&gt;”")
	admintest.Wants(t, s.b.Follow(s.b.Post(here, url.Values{"owner": {s.tides.ID}}, 303)), "is given to 2 people.")
	page = s.b.Follow(s.b.Post(s.at(visa, s.ada)+"/take-back", url.Values{}, 303))
	admintest.Wants(t, page, "is taken back from Ada Marker.", "Take back from Bo")
	admintest.Lacks(t, page, "Take back from Ada Marker")
	s.b.Post(here, url.Values{"owner": {"nobody"}}, 303)
	admintest.Wants(t, s.b.Get(here, 200), "Nobody would have it")
}

func TestARecordGivesATask(t *testing.T) {
	s := open(t)
	admintest.Lacks(t, s.b.Get(s.At("/sessions/"+s.tides.ID), 200), `id="tasks-part"`)
	visa := s.define(task.Change{Title: new("Visa"), OnlyGiven: new(true)})
	deck := s.define(task.Change{Title: new("Deck"), AskedOf: new(task.OfSession),
		Filters: &task.Filters{Roles: []models.Role{models.Chairperson}}})
	session, person := s.At("/sessions/"+s.tides.ID), s.At("/speakers/"+s.cyd)
	admintest.Wants(t, s.b.Get(session, 200), "Give a task", "Visa", "Deck")
	form := url.Values{"owner": {s.tides.ID}, "back": {session}, "give-task": {deck.ID}}
	page := s.b.Follow(s.b.Post(s.At("/tasks/give"), form, 303))
	admintest.Wants(t, page, "“Deck” is given to 1 session.", "/tasks/"+deck.ID+"/"+s.tides.ID)
	page = s.b.Get(person, 200)
	admintest.Wants(t, page, "Give a task", "Visa")
	admintest.Lacks(t, page, "Deck")
	form = url.Values{"owner": {s.cyd}, "back": {person}, "give-task": {visa.ID}}
	page = s.b.Follow(s.b.Post(s.At("/tasks/give"), form, 303))
	admintest.Wants(t, page, "“Visa” is given to 1 person.", "/tasks/"+visa.ID+"/"+s.cyd)
	admintest.Lacks(t, page, "Give a task")
	form.Set("give-task", deck.ID)
	admintest.Wants(t, s.b.Follow(s.b.Post(s.At("/tasks/give"), form, 303)), "This is a task of each session.")
	form.Set("back", "https://elsewhere.example")
	s.b.Post(s.At("/tasks/give"), form, 403)
}
