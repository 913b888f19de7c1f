package chaos

import (
	"encoding/json"
	"fmt"
)

// beside writes what stands beside sessions, in a site that asks for it: people, and rows of metadata. Nobody audits
// that but the mirror.
func (w *writer) beside() {
	switch n := w.random.IntN(4); {
	case !w.writesBeside:
	case n == 0 || len(w.tracks) == 0:
		w.tracks = append(w.tracks, w.row("tracks")...)
	case n == 1:
		w.send("PUT", "/tracks/"+w.tracks[w.random.IntN(len(w.tracks))], map[string]any{"name": w.word()}, "")
	case n == 2 && len(w.people) > 0:
		w.send("PUT", "/contacts/"+w.people[w.random.IntN(len(w.people))], map[string]any{"last_name": w.word()}, "")
	default:
		for _, id := range w.row("rooms") {
			w.send("DELETE", "/rooms/"+id, nil, "")
		}
	}
}

// word is one that was not there before.
func (w *writer) word() string { return fmt.Sprintf("%s-%d", w.name, w.random.Uint32()) }

// row makes a row of a family and returns its id, none where nobody knows.
func (w *writer) row(family string) []string {
	var row struct{ ID string }
	got := w.send("POST", "/"+family+"/create", map[string]any{"name": w.word()}, "")
	if got.outcome() != acknowledged || json.Unmarshal(got.body, &row) != nil {
		return nil
	}
	return []string{row.ID}
}

// join puts one of the writer's people on a session that was created and not changed since: a second change under one
// title would look like an event that came twice.
func (w *writer) join(r *record) {
	person := map[string]any{"email": fmt.Sprintf("%s-%d@harbour.test", w.name, w.random.IntN(4)), "first_name": w.name,
		"last_name": "New"}
	got := w.send("PUT", "/sessions/"+r.id+"/participants", map[string]any{"participants": []any{person}}, "")
	var answer struct{ Participants []struct{ ID string } }
	if w.concluded(r, "session.updated", *r.known, got) && json.Unmarshal(got.body, &answer) == nil {
		for _, p := range answer.Participants {
			w.people = append(w.people, p.ID)
		}
	}
}
