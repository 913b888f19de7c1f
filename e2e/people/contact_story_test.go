package people

import (
	"fmt"
	"strings"
	"testing"

	. "lectern/e2e/drive"
)

// talkOf is a submission, and the key that reads it.
type talkOf struct{ key, event, id string }

// tidied goes on after an import of people. It returns a submission of somebody who is merged away.
func tidied(t *testing.T, s *Site, w *Window, bring func(string)) talkOf {
	t.Helper()
	bring("Vorname,Nachname,E-Mail\nJürgen,Groß 3,person.3@example.org\nJürgen,Groß 4,person.4@example.org\n" +
		"Jürgen,Groß 5,person.5@example.org\n")
	w.Press("Import")
	w.ReloadsUntil("3 people are new, 0 changed")
	var talk talkOf
	talk.event, talk.key = s.Key()
	talk.id = s.Ok(talk.key, "POST", talk.event+"/sessions/create", `{"title": "Tides", "is_abstract": true}`)["id"].(string)
	w.Visit(Admin(talk.event) + "/sessions/" + talk.id)
	search(w, "person.3@", "Jürgen Groß 3")
	w.Press("Add Jürgen Groß 3")
	w.Sees("Jürgen Groß 3 is on A-1 now.")

	w.Follow("Contacts")
	w.Follow("Pairs that look alike")
	w.Sees("3 pairs.")
	for _, n := range []string{"3", "4", "5"} {
		w.Tick("Merge Jürgen Groß " + n + " into Jürgen Groß " + n)
	}
	w.Press("Merge the ticked pairs…")
	w.Press("Merge 3 pairs")
	w.Sees("3 pairs are merged.")
	find := func(name, of string) {
		t.Helper()
		w.Fill("Search", name)
		w.Press("Search")
		w.Sees("1 of " + of)
		w.Follow(name)
	}
	w.Follow("All contacts")
	find("Kenji Sato", "197")
	w.Follow("Merge with…")
	w.Fill("Search", "bruno")
	w.Press("Search")
	w.Follow("Compare with Bruno Silva")
	w.Press("Merge into Kenji Sato")
	w.Sees("“Bruno Silva” is merged into “Kenji Sato”.")

	w.Follow("Speakers")
	w.Follow("Everybody")
	find("Kenji Sato", "196")
	w.Fill("Hotel", "Pensão do Cais")
	w.Press("Save travel")
	w.Sees("Saved.")
	w.Press("Place on the board")
	w.Sees("Kenji Sato is on the board now, in Idea.")
	w.Follow("Idea")
	w.Press("Move to Won")
	w.Sees("Kenji Sato is in Won now.")

	w.Follow("Contacts")
	find("Jürgen Groß 100", "196")
	w.Follow("Erase this person…")
	w.Press("Erase this person")
	w.Sees("Erased person")
	return talk
}

// survives checks that the API shows the person into whom a speaker was merged.
func survives(t *testing.T, s *Site, talk talkOf) {
	t.Helper()
	found := s.Ok(talk.key, "POST", talk.event+"/speakers/search", `{}`)
	speakers, _ := found["results"].([]any)
	if len(speakers) != 1 {
		t.Fatalf("the speakers are %v", found)
	}
	speaker := speakers[0].(map[string]any)
	shown := fmt.Sprint(s.Ok(talk.key, "GET", talk.event+"/sessions/"+talk.id, "")["participants"])
	if speaker["full_name"] != "Jürgen Groß 3" || speaker["email"] != "person3@example.org" ||
		!strings.Contains(shown, speaker["id"].(string)) {
		t.Errorf("the speaker is %v on a session with %s", speaker, shown)
	}
}
