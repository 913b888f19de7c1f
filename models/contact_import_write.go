package models

import (
	"maps"
	"slices"

	"lectern/models/store"
)

// importWriter is an import in its transaction. It writes in two passes: what nobody waits for first, then, as late as
// can be, the rows of people, which others may want and wait for until the commit.
type importWriter struct {
	*Programme
	*ContactImport
	plan   *importPlan
	run    *importRun
	people *Directory
	read   map[string]personTokens // of those who change, as the first pass read them
	steps  int                     // rows that a pass is done with
}

// personTokens are those of a contact, and of their row for the event; zero where there is none.
type personTokens struct{ contact, here store.Time }

func (p *Person) tokens() (t personTokens) {
	if t.contact = p.UpdatedAt; p.Here != nil {
		t.here = p.Here.UpdatedAt
	}
	return t
}

func (w *importWriter) all(tx *store.Tx) error {
	w.Created, w.Updated, w.Failed, w.Total = 0, 0, w.plan.failed, len(w.plan.rows)
	w.read, w.steps = map[string]personTokens{}, 0
	m, err := w.plan.match(tx.DB, w.people.ID)
	if err != nil {
		return err
	}
	w.Failed += len(m.faults)
	for _, pass := range []func(*store.Tx, *importMatch) error{w.tell, w.store} {
		if err := pass(tx, m); err != nil {
			return err
		}
	}
	w.Skipped = len(w.plan.rows) - w.Created - w.Updated - len(m.faults) + w.plan.repeats
	w.Done, w.State, w.FinishedAt, w.ClaimedUntil = w.Total, ImportFinished, &tx.Now, nil
	return w.record(tx, store.Change{Subject: "contact_import", ID: w.ContactImport.ID, Action: "imported", After: map[string]any{
		"file": w.Name, "people_created": w.Created, "people_updated": w.Updated, "rows_skipped": w.Skipped,
		"rows_failed": w.Failed}})
}

// advance says how far the two passes are, in people.
func (w *importWriter) advance(rows int) {
	w.steps += rows
	w.run.count.Store(int64(w.steps / 2))
}

// tell records what will become of everybody, and emits who is new. It holds nobody, and remembers how it read them.
func (w *importWriter) tell(tx *store.Tx, m *importMatch) error {
	for some := range slices.Chunk(m.fresh, importChunk) {
		for _, r := range some {
			r.id = store.NewID()
		}
		w.Created += len(some)
		if err := w.people.tellContacts(tx, importingNew, differing(w.fresh(tx, some))); err != nil {
			return err
		}
		w.advance(len(some))
	}
	if w.Policy == ImportSkip {
		return nil
	}
	for some := range slices.Chunk(slices.Sorted(maps.Keys(m.known)), importChunk) {
		people, err := w.people.people(w.people.seen(tx.DB), tx.DB, some)
		if err != nil {
			return err
		}
		changes, err := w.changes(tx, people, m, len(some))
		if err != nil {
			return err
		}
		for _, c := range changes {
			w.read[c.before.ID] = c.before.tokens()
		}
		w.Updated += len(changes)
		if err := w.people.tellContacts(tx, importingKnown, differing(changes)); err != nil {
			return err
		}
		w.advance(len(some))
	}
	return nil
}

// store writes what was told, in the order of locks: those who are known by id, then new ones by address, then the
// sessions of those who have another name. It answers errMovedOn where somebody is not as they were told of.
func (w *importWriter) store(tx *store.Tx, m *importMatch) error {
	if err := w.share(tx); err != nil {
		return err
	}
	var renamed []string
	for some := range slices.Chunk(slices.Sorted(maps.Keys(w.read)), importChunk) {
		people, err := w.people.hold(tx, some...)
		if err != nil {
			return err
		}
		for _, before := range people {
			if before.tokens() != w.read[before.ID] {
				return errMovedOn
			}
		}
		changes, err := w.changes(tx, people, m, len(some))
		if err != nil {
			return err
		}
		names, err := w.people.storeContacts(tx, differing(changes))
		if err != nil {
			return err
		}
		renamed = append(renamed, names...)
		w.advance(len(some))
	}
	for some := range slices.Chunk(m.fresh, importChunk) {
		if _, err := w.people.storeContacts(tx, differing(w.fresh(tx, some))); err != nil {
			return err
		}
		w.advance(len(some))
	}
	return reindexSessions(tx, renamed)
}

// share keeps what the rows refer to from being deleted meanwhile: tags, and fields that the organization defines.
func (w *importWriter) share(tx *store.Tx) error {
	change := PersonChange{Values: map[string]string{}}
	for _, f := range w.plan.fields {
		change.Values[f.Key] = ""
	}
	_, _, err := w.people.prepare(tx, change)
	return err
}

// fresh are the people of rows whom nobody knows.
func (w *importWriter) fresh(tx *store.Tx, rows []*importRow) []personChange {
	changes := make([]personChange, len(rows))
	for i, r := range rows {
		changes[i] = personChange{after: w.plan.fresh(w.Programme, r, tx.Now)}
	}
	return changes
}

// changes are what the policy makes of people who were looked up; it answers errMovedOn where there are fewer of them
// now, because somebody was merged into another.
func (w *importWriter) changes(tx *store.Tx, people []*Person, m *importMatch, want int) (changes []personChange, err error) {
	if len(people) < want {
		return nil, errMovedOn
	}
	for _, before := range people {
		if after, _ := w.plan.applied(w.Programme, w.Policy, before, m.known[before.ID], tx.Now); after != nil {
			changes = append(changes, personChange{before, after})
		}
	}
	return changes, nil
}
