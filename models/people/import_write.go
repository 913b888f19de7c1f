package people

import (
	"maps"
	"slices"

	"lectern/models"
	"lectern/models/outbox"
	"lectern/models/store"
)

// importWriter is an import in progress. It writes to staging tables first and locks people as late as possible,
// because others who want them wait until the commit.
type importWriter struct {
	*models.Programme
	*ContactImport
	plan    *importPlan
	run     *store.Run
	people  *models.Directory
	changed map[string]bool // ids of the known people who change
	moved   int             // how many of them get another address
	renamed []string        // ids of those who get another name, which sessions contain
	steps   int             // rows staged so far
	match   *importMatch
	// activity and emissions are the names of the tables to which these are written.
	activity, emissions string
}

// bring finds the people of all rows and stages their changes.
func (w *importWriter) bring(tx *store.Tx) (err error) {
	w.Created, w.Updated, w.Failed, w.Total = 0, 0, w.plan.failed, len(w.plan.rows)
	w.changed, w.moved, w.renamed, w.steps = map[string]bool{}, 0, nil, 0
	if w.match, err = w.plan.match(tx.DB, w.Programme); err != nil {
		return err
	}
	w.Failed += len(w.match.faults)
	if err := w.begin(tx); err != nil {
		return err
	}
	if err := w.tellNew(tx, w.match); err != nil {
		return err
	}
	return w.tellKnown(tx, w.match)
}

// place moves the staged rows to the real tables and counts them.
func (w *importWriter) place(tx *store.Tx) error {
	if err := w.carryOver(tx, w.match); err != nil {
		return err
	}
	if err := models.ReindexSessions(tx, w.renamed); err != nil {
		return err
	}
	if err := w.touchProgrammes(tx); err != nil {
		return err
	}
	for id := range w.changed {
		if w.match.unseen[id] { // to the importer they are new
			w.Created++
		} else {
			w.Updated++
		}
	}
	w.Skipped = len(w.plan.rows) - w.Created - w.Updated - len(w.match.faults) + w.plan.repeats
	w.Done, w.State, w.FinishedAt, w.ClaimedUntil = w.Total, ImportFinished, &tx.Now, nil
	return w.Record(tx, store.Change{Subject: "contact_import", ID: w.ContactImport.ID, Action: "imported",
		After: map[string]any{
			"file": w.Name, "people_created": w.Created, "people_updated": w.Updated, "rows_skipped": w.Skipped,
			"rows_failed": w.Failed}})
}

// touchProgrammes raises the version of all events with something public if known people changed: they may be on any of
// the events' pages.
func (w *importWriter) touchProgrammes(tx *store.Tx) error {
	if len(w.changed) == 0 {
		return nil
	}
	var public []string
	if err := tx.Model(&models.Session{}).Distinct("event_id").Where("is_public AND deleted_at IS NULL AND event_id IN "+
		"(SELECT id FROM events WHERE organization_id = ?)", w.Event().OrganizationID).Pluck("event_id", &public).Error; err != nil {
		return err
	}
	for _, event := range public {
		models.Touch(tx, event)
	}
	return nil
}

// advance reports progress, in rows; moving the staged rows takes about a quarter of the time.
func (w *importWriter) advance(rows int) {
	w.steps = min(w.steps+rows, w.Total) // rows read anew were counted before
	w.run.Wrote(w.steps * 3 / 4)
}

// tellNew stages, records and emits new people.
func (w *importWriter) tellNew(tx *store.Tx, m *importMatch) error {
	for some := range slices.Chunk(m.fresh, importChunk) {
		for _, r := range some {
			r.id = store.NewID()
		}
		w.Created += len(some)
		if err := w.stageChanges(tx, w.fresh(tx, some)); err != nil {
			return err
		}
		w.advance(len(some))
	}
	return nil
}

// tellKnown stages and records changes of known people.
func (w *importWriter) tellKnown(tx *store.Tx, m *importMatch) error {
	ids := slices.Sorted(maps.Keys(m.known))
	if w.Policy == ImportSkip {
		ids = slices.DeleteFunc(ids, func(id string) bool { return !m.unseen[id] })
	}
	return w.tellSome(tx, m, ids)
}

// tellSome stages and records the changes of the known people with these ids.
func (w *importWriter) tellSome(tx *store.Tx, m *importMatch, ids []string) error {
	for some := range slices.Chunk(ids, importChunk) {
		people, err := w.people.PeopleFrom(w.people.Seen(tx.DB), tx.DB, some)
		if err != nil {
			return err
		}
		changes, err := w.changes(tx, people, m, len(some))
		if err != nil {
			return err
		}
		for _, c := range changes {
			w.changed[c.After.ID] = true
		}
		if err := w.stageChanges(tx, changes); err != nil {
			return err
		}
		w.advance(len(some))
	}
	return nil
}

// stageChanges stages changes of people, with their activity and emissions.
func (w *importWriter) stageChanges(tx *store.Tx, rows []models.ContactChange) error {
	staged, err := w.people.Stage(tx, w.ContactImport.ID, rows)
	if err != nil {
		return err
	}
	if err := w.stage(tx, staged); err != nil {
		return err
	}
	if err := store.InsertInto(tx, w.activity, staged.Lines); err != nil {
		return err
	}
	return outbox.EmitInto(tx, w.emissions, staged.Emitted)
}

// share locks what the rows refer to, tags and own fields, against deletion. It answers Stale for a tag that was
// deleted since the file was read.
func (w *importWriter) share(tx *store.Tx) error {
	change := Change{Values: map[string]string{}}
	for _, f := range w.plan.fields {
		change.Values[f.Key] = ""
	}
	if _, _, err := In(w.people).prepare(tx, change); err != nil {
		return err
	}
	at, tags := w.plan.index("tags"), map[string]bool{}
	if at < 0 {
		return nil
	}
	var there []string
	if err := tx.Model(&models.Metadata{}).Where("event_id = ? AND family = ?", w.Event().ID, models.Tags).Pluck("id",
		&there).Error; err != nil {
		return err
	}
	for _, id := range there {
		tags[id] = true
	}
	if slices.ContainsFunc(w.plan.rows, func(r *importRow) bool {
		return slices.ContainsFunc(store.Lines(r.values[at]), func(id string) bool { return !tags[id] })
	}) {
		return errTagGone
	}
	return nil
}

var errTagGone = store.Outdated("A tag that the file has was deleted meanwhile. Check the file again.")

// fresh returns the new people of rows.
func (w *importWriter) fresh(tx *store.Tx, rows []*importRow) []models.ContactChange {
	return store.Map(rows, func(r *importRow) models.ContactChange {
		return models.ContactChange{After: w.plan.fresh(w.Programme, r, tx.Now)}
	})
}

// changes returns what the policy changes about people. It answers errMovedOn if fewer than want were found, because
// somebody was merged into another, and if somebody without an address was given one.
func (w *importWriter) changes(tx *store.Tx, people []*models.Person, m *importMatch,
	want int) (changes []models.ContactChange, err error) {
	if len(people) < want {
		return nil, errMovedOn
	}
	for _, before := range people {
		if m.named[before.ID] && before.Email != "" {
			return nil, errMovedOn
		}
		if after, _ := w.plan.applied(w.Programme, m, w.Policy, before, tx.Now); after != nil {
			changes = append(changes, models.ContactChange{Before: before, After: after})
		}
	}
	return changes, nil
}
