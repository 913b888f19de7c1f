package moving

import (
	"net/http"

	"lectern/models/moves"
	"lectern/models/store"
	"lectern/views/layouts"
	pages "lectern/views/pages/moving"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// askUndo says what would be taken back, or what prevents that.
func askUndo(v *visit.Visit, m *moves.Move) error {
	here := v.At("/moves/" + m.ID)
	if !m.CanUndo() {
		return v.See(here, "")
	}
	held, made, err := movesHere(v).Obstacles(v.UserContext(), m)
	if err != nil {
		return err
	}
	if held.Any() {
		return showHeld(v, m, held)
	}
	p := layouts.ConfirmPage{Action: here + "/undo", Verb: "Undo the move", Cancel: here, Points: madeWords(made),
		Text: "This takes back what the move made, for good:",
		Last: "People whom another event knows stay, and so do tracks and rooms that something else uses. What was here " +
			"before and got something from there keeps it."}
	if len(p.Points) == 0 {
		p.Text = "The move made nothing that was not here before, so there is nothing to take back but " +
			"the note that it was made."
	}
	return v.Ask("Undo the move of "+fromWhere(m)+"?", p)
}

// madeWords counts what a move made, by kind.
func madeWords(made map[string]int) (points []string) {
	for _, of := range []struct{ kind, one, many string }{
		{"abstract", "submission", "submissions"}, {"session", "session", "sessions"}, {"contact", "person", "people"},
		{"break", "break", "breaks"}, {"question", "question of the form", "questions of the form"},
		{"review", "review", "reviews"}, {"tracks", "track", "tracks"}, {"rooms", "room", "rooms"},
		{"formats", "format", "formats"}, {"levels", "level", "levels"}, {"tags", "tag", "tags"},
	} {
		if n := made[of.kind]; n > 0 {
			points = append(points, visit.Counted(int64(n), of.one, of.many))
		}
	}
	return points
}

// showHeld says why a move cannot be undone.
func showHeld(v *visit.Visit, m *moves.Move, held *moves.Obstacles) error {
	p := pages.MovePage{Base: v.At("/moves"), Here: v.At("/moves/" + m.ID), Step: pages.StepImport, IsTable: m.HasRows(), About: fromWhere(m)}
	if held.By != nil {
		p.Facts = append(p.Facts, "A later move brought something too, "+fromWhere(held.By)+" of "+
			page.When(&held.By.CreatedAt, v.Event.Location())+". Undo that one first.")
	}
	if len(held.Rows) > 0 {
		p.Facts = append(p.Facts, "Somebody worked on what came, so nothing is taken back. Delete by hand what you "+
			"do not want.")
	}
	p.Lists = list("changed", "Changed since", "At most twenty of each kind are named.", held.Rows, len(held.Rows))
	return visit.Show(v, http.StatusOK, "This move cannot be undone", pages.Move, p)
}

func undo(v *visit.Visit, m *moves.Move) error {
	_, err := movesHere(v).Undo(v.UserContext(), m.ID)
	back := v.At("/moves/" + m.ID)
	if store.KindOf(err) == store.Invalid {
		back += "/undo"
	}
	return refusedOr(v, err, back)
}
