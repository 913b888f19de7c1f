// Package moving serves the pages where organizers bring a conference here from elsewhere: they say where it is, see
// what would come, bring it, read the report, and may take it back.
package moving

import (
	"context"
	"net/http"
	"strings"

	"lectern/models/csv"
	"lectern/models/moves"
	"lectern/models/staff"
	"lectern/models/store"
	pages "lectern/views/pages/moving"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

const (
	allMoves = visit.Event + "/moves"
	newMove  = allMoves + "/new"
	aMove    = allMoves + "/:move"
	// archives is where owners bring a whole event; the id of the event beside it follows.
	archives = "/admin/bring/"
)

// Routes are the addresses of moves.
var Routes = []visit.Address{
	visit.At(allMoves, visit.Organizer, listMoves, nil),
	visit.At(newMove, visit.Organizer, beginForm, begin),
	visit.At(aMove, visit.Organizer, visit.Found(move, showMove), nil),
	visit.At(aMove+"/columns", visit.Organizer, visit.Found(move, columnsForm), visit.Found(move, chooseColumns)),
	visit.At(aMove+"/faults.csv", visit.Organizer, visit.Found(move, faults), nil),
	visit.At(aMove+"/look", visit.Organizer, nil, acting((*moves.AtEvent).Look)),
	visit.At(aMove+"/bring", visit.Organizer, nil, acting((*moves.AtEvent).Bring)),
	visit.At(aMove+"/stop", visit.Organizer, nil, acting((*moves.AtEvent).Stop)),
	visit.At(aMove+"/undo", visit.Organizer, visit.Found(move, askUndo), visit.Found(move, undo)),
	visit.At(aMove+"/forget", visit.Organizer, nil, visit.Found(move, forget)),
	visit.At(archives+":beside", visit.Owner, visit.Found(beside, archiveForm), visit.Found(beside, beginArchive)),
}

// Uploads are the addresses of moves whose forms take files.
var Uploads = visit.Uploads{visit.TakesFile(newMove, csv.MaxBytes+visit.FormRoom),
	visit.TakesLarge(archives+":beside", moves.MaxArchive)}

// movesHere returns the event's moves.
func movesHere(v *visit.Visit) *moves.AtEvent {
	v.Section = v.At("/settings")
	return moves.Of(v.Programme)
}

// move reads the move of the path. Only owners see that of an archive.
func move(v *visit.Visit) (*moves.Move, error) {
	m, err := movesHere(v).Move(v.UserContext(), v.Params("move"))
	if err == nil && isEvent(m.Kind) && !isOwner(v) {
		return nil, store.NoSuch("move")
	}
	return m, err
}

// isEvent tells whether a kind of move brings an event of its own.
func isEvent(kind string) bool {
	k := moves.KindOf(kind)
	return k != nil && k.IsEvent
}

func isOwner(v *visit.Visit) bool { return v.User.RoleAt("") == staff.Owner }

func listMoves(v *visit.Visit) error {
	all, err := movesHere(v).All(v.UserContext())
	if err != nil {
		return err
	}
	p := pages.MovesPage{}
	for _, k := range moves.Kinds {
		if k.IsEvent {
			if isOwner(v) {
				p.Kinds = append(p.Kinds, pages.Kind{Label: k.Label, About: k.About, URL: archives + v.Event.ID})
			}
			continue
		}
		p.Kinds = append(p.Kinds, pages.Kind{Label: k.Label, About: k.About, URL: v.At("/moves/new?from=" + k.Name)})
	}
	for _, m := range all {
		if isEvent(m.Kind) && !isOwner(v) {
			continue
		}
		p.Before = append(p.Before, pages.Row{From: fromWhere(m), URL: v.At("/moves/" + m.ID), By: m.UserName,
			When: page.When(&m.CreatedAt, v.Event.Location()), Outcome: outcome(m), IsBad: m.State == moves.Stopped})
	}
	return visit.Show(v, http.StatusOK, "Bring your conference", pages.Moves, p)
}

// fromWhere names a move by its file, or by its system and address.
func fromWhere(m *moves.Move) string {
	if m.FileName != "" {
		return m.FileName
	}
	return labelOf(m) + ", " + strings.TrimPrefix(strings.TrimPrefix(m.Address, "https://"), "http://")
}

func labelOf(m *moves.Move) string {
	if k := moves.KindOf(m.Kind); k != nil {
		return k.Label
	}
	return m.Kind
}

// outcome says what became of a move, for the list of moves.
func outcome(m *moves.Move) string {
	switch m.State {
	case moves.Choosing:
		return "Its columns wait for you"
	case moves.Looked:
		return "Looked at, not brought yet"
	case moves.Brought:
		r := m.Report
		if r.Event != nil {
			if r.Event.Slug == "" {
				return "Became " + visit.Counted(int64(len(r.Event.All)), "event", "events")
			}
			return "Became “" + visit.Cut(r.Event.Name) + "”"
		}
		sessions := r.Abstracts
		if sessions.All() == 0 { // a schedule has no submissions
			sessions = r.Sessions
		}
		return visit.Counted(int64(sessions.Created), "session", "sessions") + " new, " +
			visit.Number(int64(sessions.Updated)) + " changed"
	case moves.Undone:
		return "Undone"
	case moves.Stopped:
		return map[moves.State]string{moves.Looking: "Could not be read", moves.Bringing: "Stopped in the middle",
			moves.Undoing: "Not wholly undone"}[m.StoppedIn]
	}
	return "At work"
}

// beginForm asks for the conference to bring; after names an earlier move whose choices fill the form.
func beginForm(v *visit.Visit) error {
	form := pages.BeginPage{Kind: v.Query("from")}
	if after := v.Query("after"); after != "" {
		m, err := movesHere(v).Move(v.UserContext(), after)
		if err != nil {
			return err
		}
		if isEvent(m.Kind) {
			return v.SeeInstead(archives + v.Event.ID + "?after=" + m.ID)
		}
		form = pages.BeginPage{Kind: m.Kind, Address: m.Address, EventThere: m.EventThere, As: m.Choices.As,
			AsSubmissions: m.Choices.AsSubmissions}
	}
	return beginPage(v, http.StatusOK, form)
}

func beginPage(v *visit.Visit, status int, p pages.BeginPage) error {
	movesHere(v)
	k := moves.KindOf(p.Kind)
	if k == nil || k.IsEvent {
		return v.See(v.At("/moves"), "")
	}
	p.Base, p.Action, p.About, p.AddressHint = v.At("/moves"), v.At("/moves/new"), k.About, k.Address
	p.Files, p.HasToken, p.IsTable, p.IsSchedule = strings.ReplaceAll(k.Files, ",", ", "), k.HasToken, k.IsTable, k.IsWhole
	return visit.Show(v, status, "From "+asWords(k.Label), pages.Begin, p)
}

// asWords puts a label into the middle of a sentence.
func asWords(label string) string {
	for _, article := range []string{"A ", "An "} {
		if rest, is := strings.CutPrefix(label, article); is {
			return strings.ToLower(article) + rest
		}
	}
	return label
}

func begin(v *visit.Visit) error {
	p := pages.BeginPage{Kind: v.Value("from"), Address: v.Value("address"), EventThere: v.Value("event_there"),
		As: v.Value("as"), AsSubmissions: v.Value("as_submissions") == "yes"}
	asked := moves.Asked{Kind: p.Kind, Address: p.Address, EventThere: p.EventThere, Token: v.FormValue("token"), As: p.As,
		AsSubmissions: p.AsSubmissions}
	file, given, err := v.File("file")
	if given {
		asked.File = &file
	}
	at := func(m *moves.Move) string { return v.At("/moves/" + m.ID) }
	var begun *moves.Move
	if err == nil {
		begun, err = visit.Made(v, func(ctx context.Context) (*moves.Move, error) { return movesHere(v).Begin(ctx, asked) },
			at)
	}
	if err != nil {
		return v.Again(err, func(status int) error { return beginPage(v, status, p) })
	}
	return v.See(at(begun), "")
}

// acting returns a handler that changes a move and shows it; a refusal is shown there as a notice.
func acting(do func(*moves.AtEvent, context.Context, string) (*moves.Move, error)) visit.Handler {
	return visit.Found(move, func(v *visit.Visit, m *moves.Move) error {
		_, err := do(movesHere(v), v.UserContext(), m.ID)
		return refusedOr(v, err, v.At("/moves/"+m.ID))
	})
}

func forget(v *visit.Visit, m *moves.Move) error {
	if err := movesHere(v).Forget(v.UserContext(), m.ID); err != nil {
		return refusedOr(v, err, v.At("/moves/"+m.ID))
	}
	return v.See(v.At("/moves"), "It is off the list.")
}

// refusedOr leads back, with a refusal as a notice.
func refusedOr(v *visit.Visit, err error, back string) error {
	if kind := store.KindOf(err); kind == store.Invalid || kind == store.Stale {
		return v.SeeRefusal(back, store.AsError(err).Message)
	}
	return v.Done(err, back, "")
}
