// Package arrival brings into an event what comes from elsewhere: a schedule as a whole, or a conference of another
// system in parts. It can also undo what a move brought. It stands on top of the programme.
package arrival

import (
	"context"
	"encoding/json"
	"maps"

	"gorm.io/gorm/clause"

	"lectern/models"
	"lectern/models/frab"
	"lectern/models/store"
)

// Arrival brings a conference from another system, which identifies each of its rows and may bring the whole again
// later. It is an import in parts, each as large as the caller likes, made of the steps of Import.
//
// What the other system says of a field is stored as a hash. When a row comes again, a field is written only where the
// other system says something else than the last time: what staff changed here stays as long as the other side does not
// change. Where both changed, the other side wins and Summary.Replaced lists it, except for a status, which stays as it
// was decided here.
type Arrival struct {
	*importer
	seen map[arrived]bool // rows that came in this run
}

type arrived struct{ kind, key string }

// Begin begins an arrival, also one that brings a conference again.
func (in *Arrivals) Begin() *Arrival {
	a := &Arrival{in.importer(), map[arrived]bool{}}
	a.arrives = true
	return a
}

// Summary returns what came so far.
func (a *Arrival) Summary() Summary { return a.summary }

// Dates sets the event's days, such as 2027-05-20, if it has none and start is not "", and ends the arrival.
func (a *Arrival) Dates(ctx context.Context, start, end string) error {
	return a.finish(ctx, start, end)
}

// Breaks brings breaks; their Room is the key of a label.
func (a *Arrival) Breaks(ctx context.Context, all []frab.Break) error {
	for i := range all {
		a.seen[arrived{"break", all[i].Key}] = true
	}
	return a.importBreaks(ctx, all)
}

// FieldHashes holds a short hash of what another system said of each field of a row.
type FieldHashes map[string]string

// hashes hashes facts; it is empty for imports, which never compare them later.
func (i *importer) hashes(facts map[string]any) FieldHashes {
	said := FieldHashes{}
	if i.arrives {
		for name, fact := range facts {
			said[name] = HashOf(fact)
		}
	}
	return said
}

// HashOf returns the hash of a fact.
func HashOf(fact any) string {
	text, _ := json.Marshal(fact) // facts are plain values
	return store.HashKey(string(text))[:12]
}

// keep stores what was said of a row, if it differs from before.
func (i *importer) keep(tx *store.Tx, before FieldHashes, row imported) error {
	if before != nil && maps.Equal(before, row.Said) {
		return nil
	}
	return keepImported(tx, []imported{row})
}

// maker returns the id of the move if it made a row, else "".
func (i *importer) maker(isMade bool) string {
	if isMade {
		return i.move
	}
	return ""
}

// madeAnew keeps a row's made_by while its record is the same, and takes the new one if another record replaced it.
var madeAnew = clause.Assignment{Column: clause.Column{Name: "made_by"}, Value: clause.Expr{
	SQL: "CASE WHEN imported.record_id = excluded.record_id AND imported.made_by <> '' THEN imported.made_by " +
		"ELSE excluded.made_by END"}}

// broughtLast keeps the last brought_at if the new row has none.
var broughtLast = clause.Assignment{Column: clause.Column{Name: "brought_at"}, Value: clause.Expr{
	SQL: "coalesce(excluded.brought_at, imported.brought_at)"}}

func keepImported(tx *store.Tx, rows []imported) error {
	return tx.Clauses(clause.OnConflict{
		Columns:   []clause.Column{{Name: "event_id"}, {Name: "kind"}, {Name: "key"}},
		DoUpdates: append(clause.AssignmentColumns([]string{"record_id", "said"}), madeAnew, broughtLast),
	}).Create(&rows).Error
}

// Kind is a kind of rows that a room on top brings by its own operations.
type Kind string

const (
	Questions Kind = "question"
	Rounds    Kind = "round"
	People    Kind = "person" // what came of a person besides the contact
	Reviews   Kind = "review"
)

// ArrivedRow says what became of a row of the other system, and what was said of it.
type ArrivedRow struct {
	Key, RecordID string
	Said          FieldHashes
	IsMade        bool        // it was made this time, not found here
	At            *store.Time // when the record was last changed, where an undo needs to know
}

// Known returns those of the rows with these keys that came before.
func (a *Arrival) Known(ctx context.Context, kind Kind, keys []string) (map[string]ArrivedRow, error) {
	var rows []imported
	err := a.Read(ctx).Where("event_id = ? AND kind = ? AND key IN ?", a.Event().ID, kind, keys).Find(&rows).Error
	known := make(map[string]ArrivedRow, len(rows))
	for _, row := range rows {
		known[row.Key] = ArrivedRow{Key: row.Key, RecordID: row.RecordID, Said: row.Said, At: row.BroughtAt}
	}
	return known, err
}

// Contacts returns the contacts' ids of people who came, by their keys.
func (a *Arrival) Contacts(ctx context.Context, keys []string) (map[string]string, error) {
	return a.ids(ctx, "contact", keys)
}

// Submissions returns the ids of submissions that came, by their keys.
func (a *Arrival) Submissions(ctx context.Context, keys []string) (map[string]string, error) {
	return a.ids(ctx, "abstract", keys)
}

func (a *Arrival) ids(ctx context.Context, kind Kind, keys []string) (map[string]string, error) {
	known, err := a.Known(ctx, kind, keys)
	ids := make(map[string]string, len(known))
	for key, row := range known {
		ids[key] = row.RecordID
	}
	return ids, err
}

// Keep stores what became of at most a hundred rows that other operations brought.
func (a *Arrival) Keep(ctx context.Context, kind Kind, brought ...ArrivedRow) error {
	if len(brought) == 0 {
		return nil
	}
	rows := make([]imported, len(brought))
	for i, b := range brought {
		rows[i] = imported{a.Event().ID, string(kind), b.Key, b.RecordID, b.Said, a.maker(b.IsMade), b.At}
	}
	return a.Write(ctx, func(tx *store.Tx) error { return keepImported(tx, rows) })
}

// Claim stores recordID for a row if its present record is still known ("" for none), and returns the record that the
// row has then: another one's if that was faster.
func (a *Arrival) Claim(ctx context.Context, kind Kind, key, known, recordID string) (string, error) {
	return store.Make(ctx, a.Write, func(tx *store.Tx) (string, error) {
		row := imported{a.Event().ID, string(kind), key, recordID, FieldHashes{}, a.move, nil}
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

// Replaced reports fields that staff had changed and that the other system overwrote.
func (a *Arrival) Replaced(id, title, fields string) {
	a.summary.Replaced = append(a.summary.Replaced, replacedFields(id, title, fields))
}

// Skip reports something that cannot come, and why.
func (a *Arrival) Skip(id, title, reason string) {
	a.summary.Skipped = append(a.summary.Skipped, frab.Skipped{ID: id, Title: title, Reason: reason})
}

// Still marks submissions as present in the other system although they do not come in this run.
func (a *Arrival) Still(keys []string) {
	for _, key := range keys {
		a.seen[arrived{"abstract", key}], a.seen[arrived{"session", key}] = true, true
	}
}

// Arrivals is the handle for bringing things into one event.
type Arrivals struct{ p *models.Programme }

// Of returns the arrivals of a programme.
func Of(p *models.Programme) *Arrivals { return &Arrivals{p} }

// Rows are the structs of this package's tables; a test compares them with the schema.
var Rows = map[string]any{"imported": imported{}}

// MadeBy counts by kind the rows that a move made and that still count as its own; metadata by family.
func (in *Arrivals) MadeBy(ctx context.Context, move string) (map[string]int, error) {
	var rows []struct {
		Kind string
		N    int
	}
	err := in.p.Read(ctx).Raw(`SELECT i.kind, count(*) AS n FROM imported i WHERE i.event_id = ? AND i.made_by = ?
		AND i.kind <> 'metadata' GROUP BY i.kind
		UNION ALL SELECT m.family, count(*) FROM imported i JOIN metadata m ON m.event_id = i.event_id AND m.id = i.record_id
		WHERE i.event_id = ? AND i.made_by = ? AND i.kind = 'metadata' GROUP BY m.family`,
		in.p.Event().ID, move, in.p.Event().ID, move).Scan(&rows).Error
	made := make(map[string]int, len(rows))
	for _, row := range rows {
		made[row.Kind] = row.N
	}
	return made, err
}

// CountAllRuns corrects the counts of a resumed move: what an earlier run of it made counts as created, not as unchanged.
func (s *Summary) CountAllRuns(made map[string]int) {
	s.Sessions.CountAllRuns(made["session"])
	s.Abstracts.CountAllRuns(made["abstract"])
	s.Contacts.CountAllRuns(made["contact"])
	s.Breaks.CountAllRuns(made["break"])
	for family, created := range s.labels() {
		*created = max(*created, made[string(family)])
	}
}

// CountAllRuns counts made rows as created in all, taking the difference from those unchanged.
func (c *Counts) CountAllRuns(made int) {
	if more := made - c.Created; more > 0 {
		c.Created = made
		c.Unchanged = max(0, c.Unchanged-more)
	}
}
