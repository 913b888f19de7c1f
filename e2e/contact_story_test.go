package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// talkOf is a submission, and the key that reads it.
type talkOf struct{ key, event, id string }

// tidied goes on where an import of people has ended. It returns a submission of somebody who is merged away.
func tidied(t *testing.T, s *site, w *window, bring func(string)) talkOf {
	t.Helper()
	bring("Vorname,Nachname,E-Mail\nJürgen,Groß 3,person.3@example.org\nJürgen,Groß 4,person.4@example.org\n" +
		"Jürgen,Groß 5,person.5@example.org\n")
	w.press("Import")
	w.reloadsUntil("3 people are new, 0 changed")
	made := s.run("apikey", "create", "--event", "harbour", "--name", "k", "--scopes", "all")
	talk := talkOf{key: made["key"].(string), event: "/v1/event/" + made["event_id"].(string)}
	talk.id = s.ok(talk.key, "POST", talk.event+"/sessions/create", `{"title": "Tides", "is_abstract": true}`)["id"].(string)
	w.visit("/admin/events/" + made["event_id"].(string) + "/sessions/" + talk.id)
	w.search("person.3@", "Jürgen Groß 3")
	w.press("Add Jürgen Groß 3")
	w.sees("Jürgen Groß 3 is on A-1 now.")

	w.follow("Contacts")
	w.follow("Pairs that look alike")
	w.sees("3 pairs.")
	for _, n := range []string{"3", "4", "5"} {
		w.tick("Merge Jürgen Groß " + n + " into Jürgen Groß " + n)
	}
	w.press("Merge the ticked pairs…")
	w.press("Merge 3 pairs")
	w.sees("3 pairs are merged.")
	find := func(name, of string) {
		t.Helper()
		w.fill("Search", name)
		w.press("Search")
		w.sees("1 of " + of)
		w.follow(name)
	}
	w.follow("All contacts")
	find("Kenji Sato", "196")
	w.follow("Merge with…")
	w.fill("Search", "bruno")
	w.press("Search")
	w.follow("Compare with Bruno Silva")
	w.press("Merge into Kenji Sato")
	w.sees("“Bruno Silva” is merged into “Kenji Sato”.")

	w.follow("Speakers")
	w.follow("Everybody")
	find("Kenji Sato", "195")
	w.fill("Hotel", "Pensão do Cais")
	w.press("Save travel")
	w.sees("Saved.")
	w.press("Place on the board")
	w.sees("Kenji Sato is on the board now, in Idea.")
	w.follow("Idea")
	w.press("Move to Won")
	w.sees("Kenji Sato is in Won now.")

	w.follow("Contacts")
	find("Jürgen Groß 100", "195")
	w.follow("Erase this person…")
	w.press("Erase this person")
	w.sees("Erased person")
	return talk
}

// survives wants the one into whom a speaker was merged wherever the API shows them.
func survives(t *testing.T, s *site, talk talkOf) {
	t.Helper()
	found := s.ok(talk.key, "POST", talk.event+"/speakers/search", `{}`)
	speakers, _ := found["results"].([]any)
	if len(speakers) != 1 {
		t.Fatalf("the speakers are %v", found)
	}
	speaker := speakers[0].(map[string]any)
	shown := fmt.Sprint(s.ok(talk.key, "GET", talk.event+"/sessions/"+talk.id, "")["participants"])
	if speaker["full_name"] != "Jürgen Groß 3" || speaker["email"] != "person3@example.org" ||
		!strings.Contains(shown, speaker["id"].(string)) {
		t.Errorf("the speaker is %v on a session with %s", speaker, shown)
	}
}
