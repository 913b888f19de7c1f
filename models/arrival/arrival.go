package arrival

import (
	"context"
	"encoding/json"
	"maps"

	"gorm.io/gorm/clause"

	"lectern/models/frab"
	"lectern/models/store"
)

// Arrival is a conference that moves here from another system, which says what each of its rows is and may bring the
// whole again later. It is an import in parts, each as large as its caller likes, with the steps of Import.
//
// What the other system says of a field is kept as a hash. Brought again, a field is written only where the other
// system says something else than the last time: what staff changed here stays as long as the other side stays too.
// Where both changed, the other side wins and Summary.Replaced tells, except for a status, which stays as it was
// decided here.
type Arrival struct {
	*importer
	seen map[arrived]bool // in this run
}

type arrived struct{ kind, key string }

// Begin begins one, or brings one again.
func (in *Arrivals) Begin() *Arrival {
	a := &Arrival{in.importer(), map[arrived]bool{}}
	a.arrives = true
	return a
}

// Summary tells what came so far.
func (a *Arrival) Summary() Summary { return a.summary }

// Dates gives the event its days when it has none, and ends the arrival. Days are written as 2027-05-20; "" is none.
func (a *Arrival) Dates(ctx context.Context, start, end string) error {
	return a.finish(ctx, start, end)
}

// Breaks brings breaks, whose rooms are keys of labels.
func (a *Arrival) Breaks(ctx context.Context, all []frab.Break) error {
	for i := range all {
		a.seen[arrived{"break", all[i].Key}] = true
	}
	return a.importBreaks(ctx, all)
}

// Said is what another system said of a row, as a short hash for each field.
type Said map[string]string

// saying is what facts say; nothing where nobody compares it later.
func (i *importer) saying(facts map[string]any) Said {
	said := Said{}
	if i.arrives {
		for name, fact := range facts {
			said[name] = Saying(fact)
		}
	}
	return said
}

// Saying is the hash of a fact.
func Saying(fact any) string {
	text, _ := json.Marshal(fact) // facts are plain values
	return store.HashKey(string(text))[:12]
}

// keep writes down what a row was said to be, unless that is what was said before.
func (i *importer) keep(tx *store.Tx, before Said, row imported) error {
	if before != nil && maps.Equal(before, row.Said) {
		return nil
	}
	return keepImported(tx, []imported{row})
}

// maker is the move if it made a row.
func (i *importer) maker(isMade bool) string {
	if isMade {
		return i.move
	}
	return ""
}

// madeAnew leaves a row to the move that made its record, and gives it to the one that made another in its place.
var madeAnew = clause.Assignment{Column: clause.Column{Name: "made_by"}, Value: clause.Expr{
	SQL: "CASE WHEN imported.record_id = excluded.record_id AND imported.made_by <> '' THEN imported.made_by " +
		"ELSE excluded.made_by END"}}

// broughtLast keeps when a record was brought of one that is met once more.
var broughtLast = clause.Assignment{Column: clause.Column{Name: "brought_at"}, Value: clause.Expr{
	SQL: "coalesce(excluded.brought_at, imported.brought_at)"}}

func keepImported(tx *store.Tx, rows []imported) error {
	return tx.Clauses(clause.OnConflict{
		Columns:   []clause.Column{{Name: "event_id"}, {Name: "kind"}, {Name: "key"}},
		DoUpdates: append(clause.AssignmentColumns([]string{"record_id", "said"}), madeAnew, broughtLast),
	}).Create(&rows).Error
}

// Kind is what a room on top brings by its own operations.
type Kind string

const (
	Questions Kind = "question"
	Rounds    Kind = "round"
	People    Kind = "person" // what came of somebody beside the contact
	Reviews   Kind = "review"
)

// Brought is what became of a row of the other system, and what was said of it.
type Brought struct {
	Key, RecordID string
	Said          Said
	IsMade        bool        // this time, and not met
	At            *store.Time // when the record was last changed, of what an undo asks that
}

// Known are the rows of these keys that came before.
func (a *Arrival) Known(ctx context.Context, kind Kind, keys []string) (map[string]Brought, error) {
	return a.known(ctx, string(kind), keys)
}

func (a *Arrival) known(ctx context.Context, kind string, keys []string) (map[string]Brought, error) {
	var rows []imported
	err := a.Read(ctx).Where("event_id = ? AND kind = ? AND key IN ?", a.Event().ID, kind, keys).Find(&rows).Error
	known := make(map[string]Brought, len(rows))
	for _, row := range rows {
		known[row.Key] = Brought{Key: row.Key, RecordID: row.RecordID, Said: row.Said, At: row.BroughtAt}
	}
	return known, err
}

// Contacts are the ids of people who came, by their keys.
func (a *Arrival) Contacts(ctx context.Context, keys []string) (map[string]string, error) {
	return a.ids(ctx, "contact", keys)
}

// Submissions are the ids of submissions that came, by their keys.
func (a *Arrival) Submissions(ctx context.Context, keys []string) (map[string]string, error) {
	return a.ids(ctx, "abstract", keys)
}

func (a *Arrival) ids(ctx context.Context, kind string, keys []string) (map[string]string, error) {
	known, err := a.known(ctx, kind, keys)
	ids := make(map[string]string, len(known))
	for key, row := range known {
		ids[key] = row.RecordID
	}
	return ids, err
}

// Keep writes down what became of at most a hundred rows that other operations have brought.
func (a *Arrival) Keep(ctx context.Context, kind Kind, brought ...Brought) error {
	if len(brought) == 0 {
		return nil
	}
	rows := make([]imported, len(brought))
	for i, b := range brought {
		rows[i] = imported{a.Event().ID, string(kind), b.Key, b.RecordID, b.Said, a.maker(b.IsMade), b.At}
	}
	return a.Write(ctx, func(tx *store.Tx) error { return keepImported(tx, rows) })
}

// Claim writes down what became of a row, in place of what was known, "" for nothing, and returns what stands: where
// another was faster, that is its record.
func (a *Arrival) Claim(ctx context.Context, kind Kind, key, known, recordID string) (string, error) {
	return store.Make(ctx, a.Write, func(tx *store.Tx) (string, error) {
		row := imported{a.Event().ID, string(kind), key, recordID, Said{}, a.move, nil}
		if err := tx.Clauses(clause.OnConflict{
			Columns:   []clause.Column{{Name: "event_id"}, {Name: "kind"}, {Name: "key"}},
			Where:     clause.Where{Exprs: []clause.Expression{clause.Expr{SQL: "imported.record_id = ?", Vars: []any{known}}}},
			DoUpdates: append(clause.AssignmentColumns([]string{"record_id"}), madeAnew),
		}).Create(&row).Error; err != nil {
			return "", err
		}
		var stands string
		err := tx.Model(&imported{}).Where("event_id = ? AND kind = ? AND key = ?", a.Event().ID, kind, key).
			Pluck("record_id", &stands).Error
		return stands, err
	})
}

// Replaced tells of something that staff had changed and the other system says otherwise now, which stands.
func (a *Arrival) Replaced(id, title, fields string) {
	a.summary.Replaced = append(a.summary.Replaced, replacedFields(id, title, fields))
}

// Skip tells of something that cannot come, and why.
func (a *Arrival) Skip(id, title, reason string) {
	a.summary.Skipped = append(a.summary.Skipped, frab.Skipped{ID: id, Title: title, Reason: reason})
}

// Still notes submissions that the other system has, although they do not come in this run.
func (a *Arrival) Still(keys []string) {
	for _, key := range keys {
		a.seen[arrived{"abstract", key}], a.seen[arrived{"session", key}] = true, true
	}
}
