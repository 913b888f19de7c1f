package task

import (
	"database/sql"
	"slices"

	"gorm.io/gorm"

	"lectern/models"
)

// SessionOf is a session whose people may have tasks, with what tasks are narrowed by.
type SessionOf struct {
	ID, FriendlyID, Title string
	TrackID, ComposedInto *string
	titleKey, search      string // as it is sorted, and searched once it was
	format, level         *string
	status                models.Status
	standsFor             bool // submissions that are composed into it, which have its tasks
	tags                  []string
}

// PersonOf is somebody who has tasks.
type PersonOf struct {
	ID, FullName, NameKey string
	HasAddress            bool
	search                string   // the name as it is searched, once it was
	tracks                []string // of the sessions by which they have tasks
}

// seat is a person on a session.
type seat struct {
	session *SessionOf
	person  *PersonOf
	role    models.Role
}

// seatsThere are those of an event by whom tasks can be had. Who was erased has none, nor who said that they do not come.
const seatsThere = `SELECT s.id, s.friendly_id, s.title, s.title_key, s.track_id, s.composed_into, s.format_id, s.level_id, s.status,
		NOT s.is_abstract AND EXISTS (SELECT 1 FROM sessions a WHERE a.composed_into = s.id AND a.deleted_at IS NULL),
		x.contact_id, x.role, c.full_name, c.name_key, c.email <> ''
	FROM sessions s JOIN participants x ON x.session_id = s.id JOIN contacts c ON c.id = x.contact_id
	WHERE s.event_id = @event AND s.deleted_at IS NULL
		AND c.erased_at IS NULL AND NOT EXISTS (SELECT 1 FROM participations n
			WHERE n.session_id = x.session_id AND n.contact_id = x.contact_id AND n.answer = 'no')`

// seatsOf are those of an event by which some tasks can be had, or any could for nil, and that a condition keeps, "" for
// all, in the order of their sessions; with the tags of sessions where one of the tasks is narrowed by them.
func seatsOf(db *gorm.DB, eventID string, tasks []*Task, given givenTo, condition string, values ...any) ([]seat, error) {
	db = db.Session(&gorm.Session{})
	heard := "s.status IN @statuses"
	switch {
	case tasks == nil:
		heard = "s.status IN @heard"
	case len(given) > 0:
		heard = "(" + heard + " OR s.status IN @heard AND " + isGiven + ")"
	}
	values = append(values, sql.Named("event", eventID), sql.Named("statuses", statusesOf(tasks)), sql.Named("heard", heardOf))
	rows, err := db.Raw(seatsThere+" AND "+heard+condition+" ORDER BY s.id, x.position, x.contact_id", values...).Rows()
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []seat
	sessions, people := map[string]*SessionOf{}, map[string]*PersonOf{}
	for rows.Next() {
		var s SessionOf
		var p PersonOf
		var role models.Role
		if err := rows.Scan(&s.ID, &s.FriendlyID, &s.Title, &s.titleKey, &s.TrackID, &s.ComposedInto, &s.format, &s.level, &s.status, &s.standsFor,
			&p.ID, &role, &p.FullName, &p.NameKey, &p.HasAddress); err != nil {
			return nil, err
		}
		if sessions[s.ID] == nil {
			sessions[s.ID] = &s
		}
		if people[p.ID] == nil {
			people[p.ID] = &p
		}
		all = append(all, seat{sessions[s.ID], people[p.ID], role})
	}
	if err := rows.Err(); err != nil || !slices.ContainsFunc(tasks, func(t *Task) bool { return len(t.Filters.Tags) > 0 }) {
		return all, err
	}
	var tagged []struct{ SessionID, TagID string }
	err = db.Table("session_tags").Select("session_id, tag_id").Where("event_id = ?", eventID).Scan(&tagged).Error
	for _, row := range tagged {
		if s := sessions[row.SessionID]; s != nil {
			s.tags = append(s.tags, row.TagID)
		}
	}
	return all, err
}

// givenTo are the tasks and owners of deliverables that staff gave.
type givenTo map[[2]string]bool

// isGiven tells of a seat that something was given to its session or its person.
const isGiven = `(s.id IN (SELECT session_id FROM deliverables WHERE event_id = @event AND is_given AND session_id IS NOT NULL)
	OR x.contact_id IN (SELECT contact_id FROM deliverables WHERE event_id = @event AND is_given AND contact_id IS NOT NULL))`

// statusesOf are those of sessions by which any of some tasks is given.
func statusesOf(tasks []*Task) (all []models.Status) {
	for _, told := range Statuses {
		if slices.ContainsFunc(tasks, func(t *Task) bool { return slices.Contains(t.Filters.told(), told) }) {
			all = append(all, statuses[told]...)
		}
	}
	return all
}

// told are the statuses by which a task is given, as speakers hear of them.
func (f *Filters) told() []models.Status {
	if len(f.Statuses) == 0 {
		return Statuses[:1] // accepted
	}
	return f.Statuses
}

// isHadBy tells whether a task is had by a seat, by its person or by its session: whom staff gave it, or who fits.
func (t *Task) isHadBy(at seat, given givenTo) bool {
	if t.AskedOf == OfSession && at.session.standsFor {
		return false
	}
	return given[[2]string{t.ID, t.ownerOf(at)}] && slices.Contains(heardOf, at.session.status) ||
		!t.OnlyGiven && t.Filters.fit(at)
}

// fit tells whether the filters of a task keep a seat.
func (f *Filters) fit(at seat) bool {
	s := at.session
	has := func(ids []string, id *string) bool { return len(ids) == 0 || id != nil && slices.Contains(ids, *id) }
	hasStatus := slices.ContainsFunc(f.told(), func(told models.Status) bool { return slices.Contains(statuses[told], s.status) })
	return hasStatus && (len(f.Roles) == 0 || slices.Contains(f.Roles, at.role)) &&
		has(f.Formats, s.format) && has(f.Tracks, s.TrackID) && has(f.Levels, s.level) &&
		(len(f.Tags) == 0 || slices.ContainsFunc(s.tags, func(id string) bool { return slices.Contains(f.Tags, id) }))
}

// ownerOf is the id of who has a task by a seat.
func (t *Task) ownerOf(at seat) string {
	if t.AskedOf == OfSession {
		return at.session.ID
	}
	return at.person.ID
}

// people are the contacts by whom an owner has a task, in their order; of a session that is not there, or a person who
// has it no more, nobody.
func (t *Task) people(db *gorm.DB, ownerID string, given givenTo) ([]Person, error) {
	condition := " AND x.contact_id = @id"
	if t.AskedOf == OfSession {
		condition = " AND s.id = @id"
	}
	seats, err := seatsOf(db, t.EventID, []*Task{t}, given, condition, sql.Named("id", ownerID))
	var people []Person
	for _, at := range seats {
		who := Person{at.person.ID, at.person.FullName}
		if t.isHadBy(at, given) && !slices.Contains(people, who) {
			people = append(people, who)
		}
	}
	return people, err
}

// readDeliverables reads those of an event that a condition keeps, with what a board needs of them.
func readDeliverables(db *gorm.DB, eventID, condition string, values ...any) ([]*Deliverable, error) {
	rows, err := db.Session(&gorm.Session{}).Raw("SELECT id, task_id, session_id, contact_id, is_given, state, words, due_at, state_at, "+
		"reminded_at, reminded_days FROM deliverables WHERE event_id = @event"+condition, append([]any{sql.Named("event", eventID)}, values...)...).Rows()
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []*Deliverable
	for rows.Next() {
		d := &Deliverable{EventID: eventID}
		if err := rows.Scan(&d.ID, &d.TaskID, &d.SessionID, &d.ContactID, &d.IsGiven, &d.State, &d.Words, &d.DueAt, &d.StateAt,
			&d.RemindedAt, &d.RemindedDays); err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return all, rows.Err()
}
