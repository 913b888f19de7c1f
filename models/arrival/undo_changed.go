package arrival

import (
	"context"
	"slices"
	"strings"

	"gorm.io/gorm"

	"lectern/models/frab"
	"lectern/models/store"
)

// changing is a condition for rows of some kinds that somebody other than the move changed or built on. In its SQL, x
// is the row, i its row in imported, and @move the move.
type changing struct {
	kinds       []string
	table, name string
	on          string // joins x to i; "" means by its id
	where       string
	taking      string // what keeps x once everything else is taken back; "" for nothing
	reason      string
}

var changed = []*changing{
	{kinds: []string{"session", "abstract"}, table: "sessions", name: "x.title",
		where: bySomebody + ` OR x.deleted_at IS NOT NULL OR x.is_public
		OR EXISTS (SELECT 1 FROM letters l WHERE l.session_id = x.id)
		OR EXISTS (SELECT 1 FROM sessions s WHERE s.event_id = x.event_id AND s.composed_into = x.id AND NOT EXISTS
			(SELECT 1 FROM imported o WHERE o.made_by = @move AND o.made_by <> ''
			AND o.kind = 'abstract' AND o.record_id = s.id))
		OR EXISTS (SELECT 1 FROM reviews r WHERE r.event_id = x.event_id AND r.session_id = x.id AND NOT ` +
			asBrought("r") + ")",
		reason: "was changed, reviewed, written about or published here"},
	{kinds: []string{"review"}, table: "reviews", on: reviewKey("x") + " = i.record_id AND x.event_id = i.event_id",
		name: "(SELECT s.title FROM sessions s WHERE s.id = x.session_id)", where: "NOT " + asBrought("x"),
		reason: "has a review that was changed here"},
	{kinds: []string{"contact"}, table: "contacts", name: "x.full_name",
		where: "CASE WHEN " + isGuest + " THEN " + bySomebodyHere + ` OR EXISTS (SELECT 1 FROM letters l
			WHERE l.contact_id = x.id AND l.event_id = @event)
			ELSE ` + bySomebody + " OR EXISTS (SELECT 1 FROM letters l WHERE l.contact_id = x.id) END",
		reason: "was changed or written to here"},
	{kinds: []string{"break"}, table: "agenda_breaks", name: "x.title",
		where: bySomebody + " OR x.deleted_at IS NOT NULL", reason: "was changed here"},
	{kinds: []string{"metadata"}, table: "metadata", name: "x.name", where: bySomebody, reason: "was changed here"},
	{kinds: []string{"question"}, table: "call_questions", name: "x.label",
		where: "i.brought_at IS NULL OR x.updated_at <> i.brought_at OR EXISTS (" + answeredBy + ` AND NOT EXISTS (SELECT 1
			FROM imported o WHERE o.event_id = s.event_id AND o.kind IN ('session', 'abstract') AND o.record_id = s.id))
		OR EXISTS (SELECT 1 FROM speaker_answers a WHERE a.question_id = x.id AND NOT EXISTS (SELECT 1
			FROM imported o WHERE o.event_id = x.event_id AND o.kind = 'contact' AND o.record_id = a.contact_id))`,
		taking: "EXISTS (" + answeredBy + ") OR EXISTS (SELECT 1 FROM speaker_answers a WHERE a.question_id = x.id)",
		reason: "was changed or answered here"},
	{kinds: []string{"round"}, table: "review_rounds", name: "x.name", where: bySomebody + ` OR EXISTS (SELECT 1
			FROM reviews r WHERE r.event_id = x.event_id AND r.round_id = x.id AND NOT ` + asBrought("r") + `)
		OR EXISTS (SELECT 1 FROM round_reviewers r WHERE r.round_id = x.id)
		OR EXISTS (SELECT 1 FROM review_assignments r WHERE r.round_id = x.id AND NOT EXISTS (SELECT 1 FROM imported o
			WHERE o.event_id = r.event_id AND o.kind = 'review' AND o.made_by <> '' AND o.record_id = ` + reviewKey("r") + "))",
		taking: "EXISTS (SELECT 1 FROM review_assignments r WHERE r.round_id = x.id)",
		reason: "was changed or reviewed in here"},
}

// bySomebody holds if the activity has a change of x that neither the move made nor a later one that was undone.
const bySomebody = `EXISTS (SELECT 1 FROM activity a WHERE a.subject_id = x.id AND a.request_id <> @move
	AND NOT EXISTS (SELECT 1 FROM moves m WHERE m.id = a.request_id AND m.event_id = @event AND m.state = 'undone'))`

// bySomebodyHere is bySomebody within the event's activity.
var bySomebodyHere = strings.Replace(bySomebody, "WHERE ", "WHERE a.event_id = @event AND ", 1)

// isGuest holds if person x is a guest at the event: changes that others made to them do not matter then.
const isGuest = `EXISTS (SELECT 1 FROM event_contacts h WHERE h.event_id = @event AND h.contact_id = x.id
	AND h.guest_since IS NOT NULL)`

// answeredBy selects sessions with an answer to question x, or with text like its key, which errs on the safe side.
const answeredBy = `SELECT 1 FROM sessions s WHERE s.event_id = x.event_id
	AND CAST(s.custom_fields AS text) LIKE '%"' || x.key || '"%'`

// reviewKey returns SQL for the record_id of a review.
func reviewKey(of string) string {
	return of + ".session_id || '/' || " + of + ".user_id || '/' || " + of + ".round_id"
}

// asBrought returns SQL that holds if the move made a review and nobody changed it since.
func asBrought(of string) string {
	return `EXISTS (SELECT 1 FROM imported o WHERE o.made_by = @move AND o.made_by <> '' AND o.kind = 'review'
		AND o.record_id = ` + reviewKey(of) + " AND o.brought_at = " + of + ".updated_at)"
}

// changedShown is how many rows of each kind Changed returns.
const changedShown = 20

// changedRow is a row that somebody changed.
type changedRow struct{ RecordID, Key, Name string }

// Changed returns rows that the move made and somebody changed since, at most twenty of each kind.
func (u *Undo) Changed(ctx context.Context) (all []frab.Skipped, err error) {
	for _, c := range changed {
		var rows []changedRow
		if err := u.changed(u.Read(ctx), c, c.where).Limit(changedShown).Scan(&rows).Error; err != nil {
			return nil, err
		}
		for _, row := range rows {
			all = append(all, frab.Skipped{ID: row.Key, Title: row.Name, Reason: c.reason})
		}
	}
	return all, nil
}

// changed selects the rows that the move made, of the kinds of c, for which a condition holds.
func (u *Undo) changed(db *gorm.DB, c *changing, where string) *gorm.DB {
	on := c.on
	if on == "" {
		on = "x.id = i.record_id"
	}
	args := map[string]any{"event": u.Event().ID, "move": u.move, "kinds": c.kinds}
	return db.Table("imported i").Select("i.record_id, i.key, "+c.name+" AS name").Joins("JOIN "+c.table+" x ON "+on).
		Where("i.event_id = @event AND i.made_by = @move AND i.kind IN @kinds AND ("+where+")", args).Order("name, i.key")
}

// Free returns those of the locked rows of a kind that nobody changed, and which may be deleted. The others stay.
func (u *Undo) Free(tx *store.Tx, kind string, ids []string) ([]string, error) {
	return u.free(tx.DB, kind, ids)
}

func (u *Undo) free(db *gorm.DB, kind string, ids []string) ([]string, error) {
	c := changed[slices.IndexFunc(changed, func(c *changing) bool { return slices.Contains(c.kinds, kind) })]
	where := c.where
	if c.taking != "" {
		where += " OR " + c.taking
	}
	var rows []changedRow
	if err := u.changed(db, c, where).Where("i.record_id IN ?", ids).Scan(&rows).Error; err != nil {
		return nil, err
	}
	u.staying = nil // the transaction may be retried
	stays := make(map[string]bool, len(rows))
	for _, row := range rows {
		stays[row.RecordID] = true
		u.staying = append(u.staying, frab.Skipped{ID: row.Key, Title: row.Name, Reason: c.reason})
	}
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return stays[id] }), nil
}

// Note adds what stayed to Stayed, once the transaction is committed.
func (u *Undo) Note() { u.Stayed, u.staying = append(u.Stayed, u.staying...), nil }
