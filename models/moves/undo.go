package moves

import (
	"context"

	"lectern/models/arrival"
	"lectern/models/call"
	"lectern/models/frab"
	"lectern/models/people"
	"lectern/models/reviews"
	"lectern/models/store"
)

// CanUndo reports whether the state and kind of the move allow undoing it.
func (m *Move) CanUndo() bool {
	if kind := KindOf(m.Kind); kind != nil && kind.IsEvent {
		return false
	}
	return m.State == Brought || m.State == Stopped && (m.StoppedIn == Bringing || m.StoppedIn == Undoing)
}

// Obstacles says why a move cannot be undone.
type Obstacles struct {
	By   *Move          // a later move that brought something, may be nil
	Rows []frab.Skipped // rows that the move made and were changed since, at most twenty of each kind
}

// Any reports whether the move cannot be undone.
func (h *Obstacles) Any() bool { return h.By != nil || len(h.Rows) > 0 }

// Obstacles returns what prevents undoing a move, and how many rows of each kind it made.
func (e *AtEvent) Obstacles(ctx context.Context, m *Move) (*Obstacles, map[string]int, error) {
	later, err := store.One[Move](e.p.Read(ctx).
		Where("event_id = ? AND id <> ? AND ended_at > ? AND kind <> ?", m.EventID, m.ID, m.EndedAt, archiveKind).
		Where("state = ? OR state = ? AND stopped_in IN ?", Brought, Stopped, []State{Bringing, Undoing}).
		Order("ended_at DESC"), nil)
	if err != nil {
		return nil, nil, err
	}
	var rows []frab.Skipped
	if m.StoppedIn != Undoing { // a resumed undo leaves changed rows by itself
		if rows, err = arrival.Of(e.p).Undo(m.ID).Changed(ctx); err != nil {
			return nil, nil, err
		}
	}
	made, err := arrival.Of(e.p).MadeBy(ctx, m.ID)
	return &Obstacles{later, rows}, made, err
}

// Undo begins to take back what a move made. It answers NotFound, Stale for a move that brought nothing or is undone,
// and Invalid where somebody changed something of it since, where a later move brought something, and while another one
// is writing.
func (e *AtEvent) Undo(ctx context.Context, id string) (*Move, error) {
	before, err := e.Move(ctx, id)
	if err != nil {
		return nil, err
	}
	held, _, err := e.Obstacles(ctx, before)
	if err != nil {
		return nil, err
	}
	return e.change(ctx, id, func(tx *store.Tx, m *Move) error {
		switch {
		case !m.CanUndo():
			return errElsewhere
		case held.By != nil:
			return &store.Error{Kind: store.Invalid, Message: "A later move brought something too. Undo that one first."}
		case len(held.Rows) > 0:
			return &store.Error{Kind: store.Invalid, Message: "Something of it was changed since, so it stays."}
		}
		m.again(Undoing)
		return e.alone(tx, m)
	})
}

// undo takes back what the move made, except what somebody changes meanwhile, which the report lists. Each step forgets
// what it took back, so an interrupted undo is resumed by running it again.
func (w *worker) undo(ctx context.Context) (map[string]any, error) {
	u := arrival.Of(w.p).Undo(w.move.ID)
	report := w.move.Report
	if report == nil {
		report = &StoredReport{}
	}
	u.Stayed = report.Stayed
	taken := map[string]any{}
	for _, step := range []struct {
		name string
		take func(context.Context) (int, error)
	}{
		{"reviews", u.Reviews}, {"sessions", u.Sessions}, {"breaks", u.Breaks}, {"people", w.takePeople(u)},
		{"questions", oneByOne(u, arrival.Questions, call.Of(w.p).TakeQuestionBack)},
		{"rounds", oneByOne(u, arrival.Rounds, reviews.Of(w.p).TakeBack)}, {"labels", u.Labels},
	} {
		n, err := step.take(ctx)
		if n > 0 {
			taken[step.name] = n
		}
		report = report.leaving(u.Stayed)
		w.keepProgress("report", report)
		if err != nil {
			return nil, err
		}
	}
	if err := u.Days(ctx, report.StartsOn, report.EndsOn); err != nil {
		return nil, err
	}
	return map[string]any{"state": Undone, "sealed_token": "", "report": report}, u.End(ctx, taken)
}

// each takes back rows of a kind in chunks. Rows that take does not return as gone stay.
func each(ctx context.Context, u *arrival.Undo, kind arrival.Kind,
	take func([]string) ([]string, error)) (n int, err error) {
	for {
		ids, err := u.Made(ctx, string(kind))
		if err != nil || len(ids) == 0 {
			return n, err
		}
		gone, err := take(ids)
		if n += len(gone); err != nil {
			return n, err
		}
		if err := u.Settle(ctx, string(kind), ids, gone); err != nil {
			return n, err
		}
	}
}

func (w *worker) takePeople(u *arrival.Undo) func(context.Context) (int, error) {
	return func(ctx context.Context) (int, error) {
		return each(ctx, u, "contact", func(ids []string) ([]string, error) {
			return people.Of(w.p).TakeBack(ctx, ids, func(tx *store.Tx, ids []string) ([]string, error) {
				return u.Free(tx, "contact", ids)
			})
		})
	}
}

// oneByOne takes back the rows of a kind one by one, except those that somebody changed.
func oneByOne(u *arrival.Undo, kind arrival.Kind, take func(ctx context.Context, id string,
	isFree func(*store.Tx, string) (bool, error)) error) func(context.Context) (int, error) {
	isFree := func(tx *store.Tx, id string) (bool, error) {
		free, err := u.Free(tx, string(kind), []string{id})
		return len(free) > 0, err
	}
	return func(ctx context.Context) (int, error) {
		return each(ctx, u, kind, func(ids []string) (gone []string, err error) {
			for _, id := range ids {
				switch err := take(ctx, id, isFree); {
				case err == nil || store.KindOf(err) == store.NotFound:
					gone = append(gone, id)
				case store.KindOf(err) != store.Invalid:
					return gone, err
				}
				u.Note()
			}
			return gone, nil
		})
	}
}
