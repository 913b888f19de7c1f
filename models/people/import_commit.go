package people

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"slices"
	"time"

	"lectern/models"
	"lectern/models/csv"
	"lectern/models/store"
)

// importAttempts is how often an import is tried when others take or merge its addresses at the same moment.
const importAttempts = 3

// makeImport reads the file of an import and writes all its rows.
func (e *AtEvent) makeImport(ctx context.Context, i *ContactImport, run *store.Run, lease *store.Lease,
	keep func() (stop func())) error {
	stop := keep()
	defer stop()
	file, fields, err := e.openImport(ctx, i)
	if err != nil {
		return err
	}
	plan, err := e.plan(ctx, i.Mapping, file, fields)
	if err != nil {
		return err
	}
	if err := lease.Write(ctx, map[string]any{"total": len(plan.rows)}); err != nil { // before the long transaction
		return err
	}
	stop()
	return e.commitPlan(ctx, i, plan, run, keep, func(tx *store.Tx) error {
		return lease.EndWithin(tx, map[string]any{"state": i.State, "done": i.Done, "total": i.Total, "created": i.Created,
			"updated": i.Updated, "skipped": i.Skipped, "failed": i.Failed, "finished_at": i.FinishedAt})
	})
}

// commitPlan writes a plan's rows in one transaction, which ends with done. It records one activity for the import and
// emits new people, not changed ones. During each attempt it holds what keep acquires, until it calls done.
func (e *AtEvent) commitPlan(ctx context.Context, i *ContactImport, plan *importPlan, run *store.Run,
	keep func() (stop func()), done func(*store.Tx) error) error {
	w := &importWriter{Programme: e.p, ContactImport: i, plan: plan, run: run, people: e.p.WholeOrganization()}
	stop := func() {}
	defer func() { stop() }()
	held := func(do func(*store.Tx) error) func(*store.Tx) error {
		return func(tx *store.Tx) error {
			stop()
			stop = keep()
			return do(tx)
		}
	}
	var err error
	for range importAttempts {
		run.Wrote(0)
		err = e.p.Store().WriteStaged(ctx, held(w.bring), held(func(tx *store.Tx) error {
			if err := w.place(tx); err != nil {
				return err
			}
			stop()
			return done(tx)
		}))
		if !errors.Is(err, models.ErrTaken) && !errors.Is(err, errMovedOn) { // the owner of an address changed meanwhile
			break
		}
	}
	if err == nil && i.Created >= importMany {
		e.p.Store().AnalyzeNow(ctx, "contacts", "event_contacts", "contact_values")
	}
	return err
}

// importMany is the number of new people from which the tables are analyzed afterwards.
const importMany = 1000

// ImportContacts imports a file of people while the caller waits, with the columns that UploadContacts would choose;
// with checkOnly it writes nothing. It answers Invalid, by the field file, for what csv.Open refuses, and by columns
// for a file that does not identify people. Without checkOnly the result has the import's counts.
func (e *AtEvent) ImportContacts(ctx context.Context, name string, content io.ReadSeeker, policy ImportPolicy,
	checkOnly bool) (*ImportCheck, error) {
	if !slices.Contains(ImportPolicies, policy) {
		return nil, store.Invalidf("policy", "must be fill, overwrite or skip")
	}
	file, err := openTable(content, csv.Reading{})
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	size, err := io.Copy(sum, content)
	if err != nil {
		return nil, err
	}
	fields, err := e.p.Directory().Fields(ctx)
	if err != nil {
		return nil, err
	}
	i, err := e.newImport(ctx, models.FileName(name), file, fields)
	if err != nil {
		return nil, err
	}
	i.SHA256, i.Size, i.Policy = hex.EncodeToString(sum.Sum(nil)), size, policy
	check, plan, err := e.foresee(ctx, i, file, fields)
	if err != nil || checkOnly {
		return check, err
	}
	ctx, end := context.WithTimeout(ctx, importLimit)
	defer end()
	i.StartedAt = new(e.p.Store().Now())
	return check, e.commitPlan(ctx, i, plan, store.NewRun(end), func() func() { return func() {} }, func(tx *store.Tx) error {
		return tx.Create(i).Error
	})
}

// importRate is roughly how many people are written in a second, to estimate how long an import takes.
const importRate = 5000

// Takes estimates how long the transaction of an import takes.
func (c *ImportCheck) Takes(policy ImportPolicy) time.Duration {
	rows := c.Create + c.Effects[policy].People
	return time.Duration((rows+importRate-1)/importRate) * time.Second
}
