package models

import (
	"fmt"
	"slices"
	"strings"

	"lectern/models/outbox"
	"lectern/models/store"
)

// change is a session before and after a change; before is nil for a new one.
type change struct{ before, after *Session }

// action is the reason for a change. Fields that differ are always recorded as activity and emitted as session.updated
// or session.published, unless the action says otherwise.
type action struct {
	name       string              // of an activity of its own; "" for none
	details    map[string]any      // of that activity
	emits      outbox.EmissionType // emitted instead of the update
	noEmission bool                // emits nothing
	quiet      bool                // emits nothing, and records only texts that it overwrites: a load has one record for all
	noRecord   bool                // emits and records nothing: a draft that saves itself
}

var (
	creating  = action{name: "created", emits: outbox.SessionCreated}
	updating  = action{}
	deleting  = action{name: "deleted", emits: outbox.SessionDeleted}
	restoring = action{name: "restored"}
	detaching = action{name: "detached"}
	linking   = action{name: "linked"}
	hiding    = action{noEmission: true}
	loading   = action{quiet: true}
	drafting  = action{noRecord: true}
)

// sessionDifference is a change with the fields that differ, none for a new session.
type sessionDifference struct {
	change
	was, is map[string]any
}

// moves reports whether the change deletes or restores the session.
func (c change) moves() bool { return (c.before.DeletedAt == nil) != (c.after.DeletedAt == nil) }

// commit saves changed sessions, records and emits the changes, and copies a linked text. Nothing else writes sessions,
// except for what follows from other rows: deleted metadata, reviews and contacts' names. The caller has locked the
// sessions. A change without a difference writes nothing.
func (p *Programme) commit(tx *store.Tx, a action, rows ...change) error {
	var added []*Session
	var changed []sessionDifference
	all := make([]sessionDifference, len(rows))
	for i, c := range rows {
		if all[i].change = c; c.before == nil {
			added = append(added, c.after)
			continue
		}
		all[i].was, all[i].is = store.Changes(c.before.Facts(), c.after.Facts())
		changed = append(changed, all[i])
	}
	if err := p.insert(tx, added...); err != nil {
		return err
	}
	if err := p.update(tx, changed); err != nil {
		return err
	}
	var telling recording
	for _, c := range all {
		if c.after.IsAbstract && !a.quiet {
			if err := p.decide(tx, c.change); err != nil {
				return err
			}
		}
		if err := p.recordChange(tx, &telling, a, c); err != nil {
			return err
		}
	}
	if err := telling.write(tx); err != nil {
		return err
	}
	for _, c := range rows {
		if err := p.carryText(tx, a, c); err != nil {
			return err
		}
	}
	return p.enter(tx, rows...)
}

// carryText copies title and description to the one linked abstract, even if that is deleted: after a restore both must
// have the same text.
func (p *Programme) carryText(tx *store.Tx, a action, c change) error {
	if c.before == nil || !c.after.SharesText() || (c.before.SharesText() && c.after.sameText(c.before)) {
		return nil
	}
	source, err := p.Linked(tx, c.after.ID)
	if err != nil || source == nil {
		return err
	}
	after := new(*source)
	after.Title, after.Description = c.after.Title, c.after.Description
	return p.commit(tx, action{quiet: a.quiet}, change{source, after})
}

// insert numbers and inserts sessions with their tags and participants. It locks the event's counters, so all other
// locks must be taken before.
func (p *Programme) insert(tx *store.Tx, sessions ...*Session) error {
	if len(sessions) == 0 {
		return nil
	}
	abstracts := 0
	for _, s := range sessions {
		if s.IsAbstract {
			abstracts++
		}
	}
	// The versions change in the same statement, without Touch.
	var last eventCounters
	if err := tx.Raw(`UPDATE event_counters SET last_abstract = last_abstract + ?, last_session = last_session + ?,
		sessions_version = ?, rows_version = ? WHERE event_id = ? RETURNING last_abstract, last_session`,
		abstracts, len(sessions)-abstracts, tx.Version, tx.Version, p.event.ID).Scan(&last).Error; err != nil {
		return err
	}
	number := map[bool]int{true: last.LastAbstract - abstracts, false: last.LastSession - len(sessions) + abstracts}
	for _, s := range sessions {
		number[s.IsAbstract]++
		p.identify(s, number[s.IsAbstract], tx.Now)
	}
	if err := tx.Later().CreateInBatches(sessions, tx.InsertRows()).Error; err != nil {
		return err
	}
	return p.insertLinks(tx, sessions...)
}

// identify gives s its ids, and empty values their defaults, as a new row of this event.
func (p *Programme) identify(s *Session, number int, now store.Time) {
	s.ID, s.EventID, s.Number = store.NewID(), p.event.ID, number
	s.FriendlyID = friendlyID(s.IsAbstract, number)
	if s.CreatedAt.IsZero() {
		s.CreatedAt = now
	}
	s.UpdatedAt = s.CreatedAt
	s.AdminURL = p.adminURL("sessions", s.ID)
	if s.CompositionStatus.Role == "" {
		s.CompositionStatus.Role = "standalone"
	}
	if s.ContentState == "" {
		s.ContentState = ContentDraft
	}
	if s.Tags == nil {
		s.Tags = []*Tag{}
	}
	if s.Participants == nil {
		s.Participants = []*Participant{}
	}
	if s.CustomFields == nil {
		s.CustomFields = Answers{}
	}
	s.Index()
}

// renew gives a session the next token if a field that the API shows differs, or if the change deletes or restores it;
// other changes keep the token. It reports whether there is anything to store.
func (c sessionDifference) renew(now store.Time) bool {
	s, before := c.after, c.before
	differs := len(shown(c.is)) > 0 || c.moves()
	if !differs && s.placedAs(before) && s.ContentState == before.ContentState {
		return false
	}
	if differs {
		s.UpdatedAt = now.Following(before.UpdatedAt)
	}
	switch {
	case s.IsPublic == before.IsPublic:
	case !s.IsPublic && before.Status != Accepted: // nobody saw it in public
		s.PublishedAt = nil
	case s.IsPublic || s.PublishedAt == nil: // when it ceased to be public, if nobody knows since when it was
		s.PublishedAt = new(s.UpdatedAt)
	}
	if s.CustomFields == nil {
		s.CustomFields = Answers{}
	}
	return true
}

// update stores changed sessions, however many, by one SQL statement.
func (p *Programme) update(tx *store.Tx, all []sessionDifference) error {
	var rows []change
	for _, c := range all {
		if c.renew(tx.Now) {
			rows = append(rows, c.change)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	Touch(tx, p.event.ID)
	columns, values, err := changedColumns(rows)
	if err != nil {
		return err
	}
	from, value, scope := "json_populate_recordset(NULL::sessions, ?)", "v.%s", "sessions.event_id"
	if p.Embedded() { // otherwise its planner reads all of the event's sessions, and all values for each
		from, value, scope = "json_each(?)", "v.value ->> '%s'", "+sessions.event_id"
	}
	set := store.Map(columns, func(column string) string { return column + " = " + fmt.Sprintf(value, column) })
	// No other write can come in between: the rows are locked, and SQLite has one writer.
	if err := tx.Later().Exec("UPDATE sessions SET "+strings.Join(set, ", ")+" FROM "+from+
		" AS v WHERE "+scope+" = ? AND sessions.id = "+fmt.Sprintf(value, "id"), values, p.event.ID).Error; err != nil {
		return err
	}
	return p.updateLinks(tx, rows)
}

// updateLinks saves tags and people if they differ. The set of speakers may change with them, and when a session is
// deleted or restored.
func (p *Programme) updateLinks(tx *store.Tx, rows []change) error {
	var linked, reseated []*Session
	for _, c := range rows {
		s, before := c.after, c.before
		sameTags := slices.EqualFunc(s.Tags, before.Tags, func(a, b *Tag) bool { return a.ID == b.ID })
		samePeople := samePeople(s.Participants, before.Participants)
		counts := c.moves() || s.IsAbstract && (s.Status == Draft) != (before.Status == Draft) // other counts have it now
		if counts {
			TouchRows(tx, p.event.ID)
		}
		if !samePeople || counts {
			TouchSpeakers(tx, p.event.ID)
		}
		if !sameTags || !samePeople {
			linked = append(linked, s)
		}
		if !samePeople && s.IsAbstract {
			reseated = append(reseated, s)
		}
	}
	if err := p.replaceLinks(tx, linked); err != nil {
		return err
	}
	for _, s := range reseated {
		if err := p.followPeople(tx, s); err != nil {
			return err
		}
		if err := p.Rescore(tx, s.ID); err != nil { // a participant's own review does not count
			return err
		}
	}
	return nil
}

// replaceLinks replaces the stored tags and people of sessions by their present ones.
func (p *Programme) replaceLinks(tx *store.Tx, sessions []*Session) error {
	if len(sessions) == 0 {
		return nil
	}
	ids := store.Map(sessions, func(s *Session) string { return s.ID })
	for _, table := range []string{"session_tags", "participants"} {
		if err := tx.Later().Exec("DELETE FROM "+table+" WHERE event_id = ? AND session_id ?", p.event.ID,
			store.AnyOf(ids)).Error; err != nil {
			return err
		}
	}
	return p.insertLinks(tx, sessions...)
}

type sessionTag struct{ EventID, SessionID, TagID string }

type participantRow struct {
	EventID, SessionID, ContactID string
	Role                          Role
	Position                      int
}

// insertLinks inserts the tags and participants of sessions.
func (p *Programme) insertLinks(tx *store.Tx, sessions ...*Session) error {
	var tags []sessionTag
	var people []participantRow
	for _, s := range sessions {
		for _, tag := range s.Tags {
			tags = append(tags, sessionTag{p.event.ID, s.ID, tag.ID})
		}
		for _, x := range s.Participants {
			people = append(people, participantRow{p.event.ID, s.ID, x.ContactID, x.Role, x.Position})
		}
	}
	if len(people) > 0 {
		TouchSpeakers(tx, p.event.ID)
	}
	if err := store.InsertInto(tx, "session_tags", tags); err != nil {
		return err
	}
	return store.InsertInto(tx, "participants", people)
}
