package people

import (
	"context"
	"errors"
	"slices"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"lectern/models"
	"lectern/models/store"
)

const (
	// importLimit is how long the transaction of an import may take.
	importLimit = 10 * time.Minute
	// importClaim is how long a worker may be silent before its import counts as abandoned.
	importClaim = 20 * time.Second
)

// CheckImport returns what an import would do with each row of its file under each policy. It writes nothing. It
// answers NotFound, also when the file is no longer kept, and Invalid for a mapping that is no longer valid.
func (e *AtEvent) CheckImport(ctx context.Context, id string) (*ImportCheck, error) {
	leave, err := store.RunsOf(e.p.Store().Store).Alone(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	i, err := e.ContactImport(ctx, id)
	if err != nil {
		return nil, err
	}
	file, fields, err := e.openImport(ctx, i)
	if err != nil {
		return nil, err
	}
	check, _, err := e.foresee(ctx, i, file, fields)
	return check, err
}

// StartImport queues an import with its policy; RunImport carries it out. It answers NotFound, and Invalid for an
// unknown policy and for an import that was started, unless it ended without writing anything.
func (e *AtEvent) StartImport(ctx context.Context, id string, policy ImportPolicy) (*ContactImport, error) {
	return store.Make(ctx, e.p.Write, func(tx *store.Tx) (*ContactImport, error) {
		i, err := e.heldImport(tx, id)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(ImportPolicies, policy) {
			return nil, store.Invalidf("policy", "must be one of those on the page")
		}
		if !i.CanStart() {
			return nil, errImportOver
		}
		i.State, i.Policy, i.Message, i.Done, i.Total = ImportWaiting, policy, "", 0, 0
		i.UserID, i.UserName, i.FinishedAt, i.StartedAt = e.p.By().ActorID, e.p.By().ActorName, nil, nil
		return i, tx.Model(i).Select("state", "policy", "message", "done", "total", "user_id", "user_name", "started_at",
			"finished_at").Updates(i).Error
	})
}

func (e *AtEvent) heldImport(tx *store.Tx, id string) (*ContactImport, error) {
	return store.OneByID[ContactImport](tx.Lock().Where("event_id = ?", e.p.Event().ID), id, errNoImport)
}

// CancelImport ends an import before its commit, so that nothing is written. It answers NotFound, and Invalid for one
// that is over.
func (e *AtEvent) CancelImport(ctx context.Context, id string) error {
	if _, err := e.ContactImport(ctx, id); err != nil {
		return err
	}
	store.RunsOf(e.p.Store().Store).Cancel(id) // stops a run in this process at once
	return e.p.Write(ctx, func(tx *store.Tx) error {
		i, err := e.heldImport(tx, id)
		if err != nil || i.State == ImportCancelled { // perhaps its worker did that
			return err
		}
		if !i.IsOpen() {
			return store.Invalidf("import", "was over before it could be cancelled")
		}
		return tx.Model(i).UpdateColumns(map[string]any{"state": ImportCancelled, "finished_at": tx.Now, "claimed_until": nil}).
			Error
	})
}

// cutShort is the message of an import whose process died.
const cutShort = "The server stopped in the middle of it. Nothing was imported; start it again."

// AbandonImports ends the imports whose process is dead: those whose claim ran out, and on SQLite with starting, when
// the only process starts, all that are running.
func AbandonImports(ctx context.Context, s *models.Store, starting bool) error {
	dead := func() clause.Expression {
		if starting && s.Embedded() {
			return clause.Expr{SQL: "state = ?", Vars: []any{ImportRunning}}
		}
		return clause.Expr{SQL: "state = ? AND claimed_until < ?", Vars: []any{ImportRunning, s.Now()}}
	}
	var found int64
	if err := s.Read(ctx).Model(&ContactImport{}).Where(dead()).Count(&found).Error; err != nil || found == 0 {
		return err
	}
	return s.Write(ctx, func(tx *store.Tx) error {
		return tx.Model(&ContactImport{}).Where(dead()).UpdateColumns(map[string]any{
			"state": ImportFailed, "message": cutShort, "finished_at": tx.Now, "claimed_until": nil}).Error
	})
}

// RunImport carries out the oldest queued import: all its rows in one transaction, as the person who started it. If ctx
// ends before the commit, the import is queued again. It reports whether there was an import, and returns internal
// errors.
func RunImport(ctx context.Context, s *models.Store) (worked bool, err error) {
	if err := AbandonImports(ctx, s, false); err != nil {
		return false, err
	}
	i, err := claimImport(ctx, s)
	if i == nil {
		return false, err
	}
	event, err := s.EventBy(ctx, i.EventID)
	if err != nil {
		return true, err
	}
	reach, err := s.ReachOfMember(ctx, i.OrganizationID, i.UserID)
	if err != nil {
		return true, err
	}
	e := Of(s.Programme(event, store.By{Door: "admin", ActorID: i.UserID, ActorName: i.UserName,
		RequestID: i.ID}).Reaching(reach))
	working, end := context.WithTimeout(ctx, importLimit)
	defer end()
	run := store.RunsOf(s.Store).Begin(i.ID, end)
	defer store.RunsOf(s.Store).Over(i.ID)
	lease := store.LeaseOf(s.Store, &ContactImport{}, i.ID, i.ClaimedUntil, importClaim,
		"state = ? AND started_at = ?", ImportRunning, i.StartedAt)
	err = e.makeImport(working, i, run, lease, func() (stop func()) {
		return lease.Keep(working, func() map[string]any { return map[string]any{"done": run.Written()} }, end)
	})
	if err == nil || errors.Is(err, store.ErrTaken) {
		return true, nil
	}
	return true, errors.Join(endImport(ctx, s, lease, run, err), store.Ours(err))
}

// claimImport claims the oldest queued import, if there is one.
func claimImport(ctx context.Context, s *models.Store) (*ContactImport, error) {
	waits := func(db *gorm.DB) *gorm.DB { return db.Where("state = ?", ImportWaiting) }
	return store.NextInLine(ctx, s.Store, waits, func(tx *store.Tx, i *ContactImport) error {
		i.State, i.StartedAt, i.ClaimedUntil = ImportRunning, &tx.Now, new(store.At(tx.Now.Add(importClaim)))
		return tx.Model(i).Select("state", "started_at", "claimed_until").Updates(i).Error
	})
}

// endImport stores why an import failed, unless it was cancelled.
func endImport(ctx context.Context, s *models.Store, lease *store.Lease, run *store.Run, cause error) error {
	columns := map[string]any{"state": ImportFailed,
		"message": "Something went wrong on our side. Nothing was imported."}
	switch e := store.AsError(cause); {
	case run.IsCancelled():
		columns["state"], columns["message"] = ImportCancelled, ""
	case ctx.Err() != nil: // the process is shutting down
		columns["state"], columns["message"] = ImportWaiting, ""
	case e != nil:
		columns["message"] = e.Message + " Nothing was imported."
	}
	if columns["state"] != ImportWaiting {
		columns["finished_at"] = s.Now()
	}
	if err := lease.End(ctx, columns); !errors.Is(err, store.ErrTaken) {
		return err
	}
	return nil
}
