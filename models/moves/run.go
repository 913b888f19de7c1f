package moves

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/fetch"
	"lectern/models/store"
)

const (
	// limit is how long one piece of work on a move may take.
	limit = 6 * time.Hour
	// lease is how long a worker may be silent before another one takes over its move.
	lease = 30 * time.Second
	// mostDeaths is how often a move is resumed whose worker died, as the move itself may be the cause.
	mostDeaths = 3
)

// Release puts the moves of an earlier process back into the queue. Only with SQLite, which one process serves, is it
// known at start that all earlier workers are dead.
func Release(ctx context.Context, s *models.Store) error {
	return store.ReleaseLeases(ctx, s.Store, &Move{})
}

// Run works at the move that has waited longest, or one whose worker died: a repeated move makes nothing twice, so it
// resumes where it ended. It reads other systems through a copy of web. It tells whether there was a move, and returns
// faults of ours.
func Run(ctx context.Context, s *models.Store, web *fetch.Client) (worked bool, err error) {
	m, err := claim(ctx, s)
	if m == nil {
		return false, err
	}
	w := &worker{store: s, move: m, fetch: new(*web), lease: store.LeaseOf(s.Store, &Move{}, m.ID, m.ClaimedUntil, lease,
		"state = ? AND claims = ?", m.State, m.Claims)}
	if m.Deaths > mostDeaths {
		return true, w.end(ctx, map[string]any{"state": Stopped, "stopped_in": m.State,
			"reason": "The server ended in the middle of it several times, which may be the fault of what is moved."})
	}
	return true, w.work(ctx)
}

// claim takes a move that waits, or whose worker is dead.
func claim(ctx context.Context, s *models.Store) (*Move, error) {
	waits := func(db *gorm.DB) *gorm.DB {
		return db.Where("state IN ? AND (claimed_until IS NULL OR claimed_until < ?)", atWork, s.Now())
	}
	return store.NextInLine(ctx, s.Store, waits, func(tx *store.Tx, m *Move) error {
		if m.Deaths++; m.ClaimedUntil == nil {
			m.Deaths = 0
		}
		m.Claims, m.ClaimedUntil = m.Claims+1, new(store.At(tx.Now.Add(lease)))
		return tx.Model(m).Select("claims", "deaths", "claimed_until").Updates(m).Error
	})
}

// worker works at one move.
type worker struct {
	store    *models.Store
	fetch    *fetch.Client
	p        *models.Programme
	move     *Move // as it was claimed
	mu       sync.Mutex
	progress map[string]any          // progress that is not written yet
	give     context.CancelCauseFunc // cancels the work
	lease    *store.Lease
}

// errNoOrganizer ends work whose actor no longer organizes the event.
var errNoOrganizer = &store.Error{Kind: store.Invalid,
	Message: "Who asked for it organizes this event no more. Somebody who does can go on with it."}

// errNoOwner ends work on an archive whose actor is no longer an owner.
var errNoOwner = &store.Error{Kind: store.Invalid,
	Message: "Who asked for it is no owner any more. An owner can go on with it."}

func (w *worker) work(ctx context.Context) error {
	event, err := w.store.EventBy(ctx, w.move.EventID)
	if store.KindOf(err) == store.NotFound { // the event is gone, and the move with it
		return nil
	}
	if err != nil {
		return err
	}
	reach, err := w.store.ReachOfMember(ctx, w.move.OrganizationID, w.move.ActorID)
	if err != nil {
		return err
	}
	if !reach.Organizes(event.ID) {
		return w.stop(ctx, ctx, errNoOrganizer)
	}
	if kind := KindOf(w.move.Kind); kind != nil && kind.IsEvent {
		owns, err := w.isOwners(ctx)
		if err != nil {
			return err
		}
		if !owns {
			return w.stop(ctx, ctx, errNoOwner)
		}
	}
	w.p = w.store.Programme(event, store.By{Door: store.ImportDoor, ActorID: w.move.ActorID, ActorName: w.move.ActorName,
		RequestID: w.move.ID}).Reaching(reach)
	working, end := context.WithTimeout(ctx, limit)
	defer end()
	working, give := context.WithCancelCause(working)
	w.give = give
	stop := w.lease.Keep(working, w.news, func() { give(store.ErrTaken) })
	done, err := works[w.move.State](w, working)
	give(nil)
	stop()
	switch {
	case err == nil:
		return w.end(ctx, done)
	case ctx.Err() != nil: // the process ends; another one goes on
		return w.end(ctx, map[string]any{})
	case errors.Is(err, store.ErrTaken), errors.Is(context.Cause(working), store.ErrTaken):
		return w.lease.LetGo(ctx)
	}
	return errors.Join(w.stop(ctx, working, err), ours(err))
}

// works are the functions for each state. They return the columns of the result.
var works = map[State]func(*worker, context.Context) (map[string]any, error){
	Looking: (*worker).look, Bringing: (*worker).bring, Undoing: (*worker).undo}

func (w *worker) look(ctx context.Context) (map[string]any, error) {
	c, err := w.open(ctx)
	if err != nil {
		return nil, err
	}
	preview, err := c.look(ctx, w.p, func(so *StoredPreview) { w.keepProgress("preview", so) })
	if err != nil {
		return nil, err
	}
	return map[string]any{"state": Looked, "preview": preview}, nil
}

func (w *worker) bring(ctx context.Context) (map[string]any, error) {
	c, err := w.open(ctx)
	if err != nil {
		return nil, err
	}
	report, err := c.bring(ctx, w.p, func(so *StoredReport) { w.keepProgress("report", so) })
	if err != nil {
		return nil, err
	}
	if report.Event == nil {
		if err := w.countAllRuns(ctx, &report.Report); err != nil {
			return nil, err
		}
	}
	return map[string]any{"state": Brought, "report": report, "sealed_token": ""}, nil
}

// open opens the conference from the address or the stored file.
func (w *worker) open(ctx context.Context) (conference, error) {
	kind := KindOf(w.move.Kind)
	if kind == nil {
		return nil, store.Invalidf("kind", "is not known")
	}
	o := &opening{p: w.p, move: w.move, worker: w, fetch: w.fetch}
	var err error
	if !kind.IsEvent {
		if o.content, err = content(ctx, w.store, w.move); err != nil {
			return nil, err
		}
	}
	if w.move.SealedToken != "" {
		if o.token, err = w.store.Unseal(w.move.SealedToken, w.move.ID); err != nil {
			return nil, store.Invalidf("token", "cannot be opened with the secret key of this server. Begin again")
		}
	}
	c, err := kind.open(ctx, o)
	if err != nil && store.KindOf(err) == 0 && ctx.Err() == nil {
		return nil, notOpened{err}
	}
	return c, err
}

// keepProgress keeps progress until it is written.
func (w *worker) keepProgress(column string, how any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.progress = map[string]any{column: how}
}

// news returns progress to be written, once.
func (w *worker) news() map[string]any {
	w.mu.Lock()
	defer w.mu.Unlock()
	columns := w.progress
	if w.progress = nil; columns == nil {
		return nil
	}
	columns["updated_at"] = w.store.Now()
	row, err := rowOf(columns)
	if err != nil {
		slog.Warn("cannot say how far a move is", "move", w.move.ID, "error", err.Error())
	}
	return row
}

// end writes how the work ended, unless the move was stopped meanwhile.
func (w *worker) end(ctx context.Context, columns map[string]any) error {
	row, err := w.ended(columns)
	if err != nil {
		return err
	}
	if err := w.lease.End(ctx, row); !errors.Is(err, store.ErrTaken) {
		return err
	}
	return w.lease.LetGo(ctx)
}

// endWithin ends the move within a transaction of its work. It answers store.ErrTaken for a stopped move.
func (w *worker) endWithin(tx *store.Tx, columns map[string]any) error {
	row, err := w.ended(columns)
	if err != nil {
		return err
	}
	return w.lease.EndWithin(tx, row)
}

// ended encodes columns for the database, with the end time if the state changes.
func (w *worker) ended(columns map[string]any) (map[string]any, error) {
	if columns["updated_at"] = w.store.Now(); columns["state"] != nil {
		columns["ended_at"] = w.store.Now()
	}
	return rowOf(columns)
}

// stop records why work ended early, and its progress.
func (w *worker) stop(ctx, working context.Context, cause error) error {
	columns := map[string]any{"state": Stopped, "stopped_in": w.move.State, "reason": reasonOf(cause)}
	if errors.Is(working.Err(), context.DeadlineExceeded) {
		columns["reason"] = "It took longer than six hours, and was ended."
	}
	if kind := store.KindOf(cause); kind == store.Unavailable || kind == store.Unknown {
		return nil // the database is away; another worker resumes once the lease is over
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for column, how := range w.progress {
		columns[column] = how
	}
	return w.end(ctx, columns)
}
