package people

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"slices"
	"time"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/csv"
	"lectern/models/store"
)

// errImportEnded is the answer to a worker whose import was cancelled or taken over.
var errImportEnded = store.Outdated("The import was cancelled.")

// importAttempts is how often an import is tried again when others take or merge its addresses at the same moment.
const importAttempts = 3

// makeImport reads the file of an import and writes all its rows.
func (e *AtEvent) makeImport(ctx context.Context, i *ContactImport, run *models.Run) error {
	file, fields, err := e.openImport(ctx, i)
	if err != nil {
		return err
	}
	plan, err := e.plan(ctx, i.Mapping, file, fields)
	if err != nil {
		return err
	}
	if err := e.tellImport(ctx, i, map[string]any{"total": len(plan.rows)}); err != nil { // before the long transaction
		return err
	}
	stop := e.beat(ctx, i, run)
	defer stop()
	return e.commitPlan(ctx, i, plan, run, stop, func(tx *store.Tx) error {
		return store.Changed(runningImport(tx, i).
			Select("state", "done", "total", "created", "updated", "skipped", "failed", "finished_at", "claimed_until").
			Updates(i), errImportEnded)
	})
}

func runningImport(tx *store.Tx, i *ContactImport) *gorm.DB {
	return tx.Model(&ContactImport{}).Where("id = ? AND state = ?", i.ID, ImportRunning)
}

// tellImport stores the progress of an import at work. It answers errImportEnded if it is no longer at work.
func (e *AtEvent) tellImport(ctx context.Context, i *ContactImport, columns map[string]any) error {
	return e.p.Write(ctx, func(tx *store.Tx) error {
		columns["claimed_until"] = store.At(tx.Now.Add(importClaim))
		return store.Changed(runningImport(tx, i).UpdateColumns(columns), errImportEnded)
	})
}

// beat stores the progress every second and ends the import if somebody cancelled it.
func (e *AtEvent) beat(ctx context.Context, i *ContactImport, run *models.Run) (stop func()) {
	ctx, end := context.WithCancel(ctx)
	over := make(chan struct{})
	go func() {
		defer close(over)
		for store.Rest(ctx, importBeat) == nil {
			if err := e.tellImport(ctx, i, map[string]any{"done": run.Written()}); errors.Is(err, errImportEnded) {
				run.Cancel()
			}
		}
	}()
	return func() { end(); <-over }
}

// commitPlan writes a plan's rows in one transaction with one line of activity; the state done is written last. New
// people are emitted, others are not.
func (e *AtEvent) commitPlan(ctx context.Context, i *ContactImport, plan *importPlan, run *models.Run, before func(),
	done func(*store.Tx) error) error {
	w := &importWriter{Programme: e.p, ContactImport: i, plan: plan, run: run, people: e.p.Everyone()}
	var err error
	for range importAttempts {
		run.Wrote(0)
		err = e.p.Store().WriteStaged(ctx, w.bring, func(tx *store.Tx) error {
			if err := w.place(tx); err != nil {
				return err
			}
			before()
			return done(tx)
		})
		if !errors.Is(err, errTaken) && !errors.Is(err, errMovedOn) { // who has an address is another one meanwhile
			break
		}
	}
	if err == nil && i.Created >= importMany && !e.p.Store().Embedded() {
		// Autovacuum does so within a minute. Until then PostgreSQL would scan all contacts for each row of another
		// file.
		e.p.Store().Analyze(ctx, "contacts", "event_contacts", "contact_values")
	}
	return err
}

// importMany is from how many new people on the tables are analyzed.
const importMany = 1000

// ImportContacts imports a file of people at once, as whoever waits for it: the columns are taken as UploadContacts
// does, and checkOnly writes nothing. It answers Invalid, by the field file, for what csv.Open refuses, and by
// columns for a file that does not tell who is who. What it returns has the import's counts, but for checkOnly.
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
	fields, err := e.importFields(ctx)
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
	return check, e.commitPlan(ctx, i, plan, models.NewRun(end), func() {}, func(tx *store.Tx) error {
		return tx.Create(i).Error
	})
}

// importRate is about how many people are written in a second, to estimate how long an import takes.
const importRate = 5000

// Takes estimates how long the transaction of an import takes.
func (c *ImportCheck) Takes(policy ImportPolicy) time.Duration {
	rows := c.Create + c.Effects[policy].People
	return time.Duration((rows+importRate-1)/importRate) * time.Second
}
