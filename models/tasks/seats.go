package tasks

import (
	"cmp"
	"database/sql"
	"slices"
	"strings"

	"gorm.io/gorm"

	"lectern/models"
)

// owner is a session or a person that has deliverables. has holds them by the tasks of a board, nil where it lacks one.
type owner struct {
	ID    string
	key   string // its name in the form for sorting
	place int    // its index among those that were read; for people on a board, by name
	has   []*Deliverable
}

// SessionOf is a session whose people may have tasks, with the fields that filters of tasks use.
type SessionOf struct {
	owner
	FriendlyID, Title     string
	TrackID, ComposedInto *string
	search                string // cache of searched
	format, level         *string
	status                models.Status
	standsFor             bool // it is composed of submissions, which have its tasks
	tags                  []string
}

// PersonOf is somebody who has tasks.
type PersonOf struct {
	owner
	FullName   string
	HasAddress bool
	search     string      // cache of searched
	tracks     []string    // of the sessions for which they have tasks
	alone      []*PersonOf // just this person, shared by all deliverables of their own
}

// seat is a person on a session.
type seat struct {
	session  *SessionOf
	person   *PersonOf
	role     models.Role
	position int // in the session
}

// seating are the seats that may have tasks, those of a session together and in their order.
type seating struct {
	seats    []seat
	sessions map[string]*SessionOf
	people   map[string]*PersonOf
}

// owner returns the owner of a deliverable, nil if it has no seat.
func (all *seating) owner(d *Deliverable) *owner {
	if d.SessionID != nil {
		if s := all.sessions[*d.SessionID]; s != nil {
			return &s.owner
		}
	} else if p := all.people[*d.ContactID]; p != nil {
		return &p.owner
	}
	return nil
}

// sessionsHeard selects the sessions of an event that can have tasks: by status, or because something was given to them
// or to somebody on them. Two queries, because with one condition the database would read every session.
const (
	sessionsHeard = sessionsOf + "s.status IN @statuses UNION ALL " + sessionsOf + `s.status IN @others AND s.id IN (
		SELECT session_id FROM deliverables WHERE event_id = @event AND is_given AND session_id IS NOT NULL
		UNION ALL SELECT p.session_id FROM deliverables g
			JOIN participants p ON p.event_id = g.event_id AND p.contact_id = g.contact_id
			WHERE g.event_id = @event AND g.is_given)`
	sessionsOf = `SELECT s.id, s.track_id, s.composed_into, s.format_id, s.level_id, s.status, s.is_abstract,
		s.friendly_id, s.title, s.title_key FROM sessions s WHERE s.event_id = @event AND s.deleted_at IS NULL AND `
)

// seatsThere selects the seats of those sessions, without people who were erased or declined to come.
const seatsThere = `SELECT s.id, s.track_id, s.composed_into, s.format_id, s.level_id, s.status,
		NOT s.is_abstract AND s.id IN (SELECT a.composed_into FROM sessions a
			WHERE a.event_id = @event AND a.composed_into IS NOT NULL AND a.deleted_at IS NULL),
		x.contact_id, x.role, x.position, c.email <> '', {names}
	FROM (` + sessionsHeard + `) s JOIN participants x ON x.event_id = @event AND x.session_id = s.id
		JOIN contacts c ON c.id = x.contact_id
	WHERE c.erased_at IS NULL AND (x.session_id, x.contact_id) NOT IN (SELECT n.session_id, n.contact_id
			FROM participations n WHERE n.event_id = @event AND n.answer = 'no')`

// seatSearch selects seats.
type seatSearch struct {
	eventID   string
	tasks     []*Task // only seats that can have one of these; nil for any possible task
	unnamed   bool    // without names, for counting
	condition string  // SQL, "" for all
	values    []any   // of the condition
}

// seatsOf reads the seats of a search, with the sessions' tags if a task filters by tags.
func seatsOf(db *gorm.DB, q seatSearch) (*seating, error) {
	db = db.Session(&gorm.Session{})
	names := "s.friendly_id, s.title, s.title_key, c.full_name, c.name_key"
	if q.unnamed {
		names = "'', '', '', '', ''"
	}
	statuses := statusesOf(q.tasks)
	if q.tasks == nil {
		statuses = heardOf
	}
	others := slices.DeleteFunc(slices.Clone(heardOf), func(s models.Status) bool { return slices.Contains(statuses, s) })
	values := append(slices.Clone(q.values), sql.Named("event", q.eventID), sql.Named("statuses", statuses),
		sql.Named("others", others))
	rows, err := db.Raw(strings.Replace(seatsThere, "{names}", names, 1)+q.condition, values...).Rows()
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := &seating{sessions: map[string]*SessionOf{}, people: map[string]*PersonOf{}}
	var s SessionOf
	var p PersonOf
	var at seat
	for rows.Next() {
		if err := rows.Scan(&s.ID, &s.TrackID, &s.ComposedInto, &s.format, &s.level, &s.status, &s.standsFor,
			&p.ID, &at.role, &at.position, &p.HasAddress, &s.FriendlyID, &s.Title, &s.key, &p.FullName, &p.key); err != nil {
			return nil, err
		}
		all.add(s, p, at)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	slices.SortFunc(all.seats, inOrder)
	return all, all.fillTags(db, q.eventID, q.tasks)
}

// inOrder orders seats by session, then by position.
func inOrder(x, y seat) int {
	if by := cmp.Or(x.session.place-y.session.place, x.position-y.position); by != 0 {
		return by
	}
	return cmp.Compare(x.person.ID, y.person.ID)
}

// add adds a person's seat on a session.
func (all *seating) add(s SessionOf, p PersonOf, at seat) {
	if at.session = all.sessions[s.ID]; at.session == nil {
		at.session = new(s)
		at.session.place = len(all.sessions)
		all.sessions[s.ID] = at.session
	}
	if at.person = all.people[p.ID]; at.person == nil {
		at.person = new(p)
		at.person.alone = []*PersonOf{at.person}
		all.people[p.ID] = at.person
	}
	all.seats = append(all.seats, at)
}

// fillTags reads the sessions' tags if a task filters by them.
func (all *seating) fillTags(db *gorm.DB, eventID string, tasks []*Task) error {
	if !slices.ContainsFunc(tasks, func(t *Task) bool { return len(t.Filters.Tags) > 0 }) {
		return nil
	}
	var tagged []struct{ SessionID, TagID string }
	err := db.Table("session_tags").Select("session_id, tag_id").Where("event_id = ?", eventID).Scan(&tagged).Error
	for _, row := range tagged {
		if s := all.sessions[row.SessionID]; s != nil {
			s.tags = append(s.tags, row.TagID)
		}
	}
	return err
}

// statusesOf returns the statuses of sessions with which one of the tasks can be had.
func statusesOf(tasks []*Task) (all []models.Status) {
	for _, told := range Statuses {
		if slices.ContainsFunc(tasks, func(t *Task) bool { return slices.Contains(t.Filters.speakerStatuses(), told) }) {
			all = append(all, statuses[told]...)
		}
	}
	return all
}

// speakerStatuses returns the statuses for which a task is given, as speakers are told them; accepted by default.
func (f *Filters) speakerStatuses() []models.Status {
	if len(f.Statuses) == 0 {
		return Statuses[:1] // accepted
	}
	return f.Statuses
}

// rule is a task with the statuses of sessions that match its filters.
type rule struct {
	*Task
	heard []models.Status
}

func (t *Task) rule() rule { return rule{t, statusesOf([]*Task{t})} }

// has reports whether a seat's session or person has the task: because staff gave it, or because the filters match.
func (r rule) has(at seat, given bool) bool {
	if r.AskedOf == OfSession && at.session.standsFor {
		return false
	}
	return given && slices.Contains(heardOf, at.session.status) || !r.OnlyGiven && r.fits(at)
}

// fits reports whether the filters of the task match a seat.
func (r rule) fits(at seat) bool {
	f, s := &r.Filters, at.session
	has := func(ids []string, id *string) bool { return len(ids) == 0 || id != nil && slices.Contains(ids, *id) }
	return slices.Contains(r.heard, s.status) && (len(f.Roles) == 0 || slices.Contains(f.Roles, at.role)) &&
		has(f.Formats, s.format) && has(f.Tracks, s.TrackID) && has(f.Levels, s.level) &&
		(len(f.Tags) == 0 || slices.ContainsFunc(s.tags, func(id string) bool { return slices.Contains(f.Tags, id) }))
}

// ownerOf returns who has the task for a seat: the session or the person.
func (t *Task) ownerOf(at seat) *owner {
	if t.AskedOf == OfSession {
		return &at.session.owner
	}
	return &at.person.owner
}

// people returns the contacts who have a deliverable, in their order; nobody for a session that is gone, or a person
// who no longer has the task.
func (d *Deliverable) people(db *gorm.DB) ([]Person, error) {
	condition := " AND x.contact_id = @id"
	if d.SessionID != nil {
		condition = " AND s.id = @id"
	}
	all, err := seatsOf(db, seatSearch{eventID: d.EventID, tasks: []*Task{d.Task}, condition: condition,
		values: []any{sql.Named("id", d.OwnerID())}})
	if err != nil {
		return nil, err
	}
	var people []Person
	rule := d.Task.rule()
	for _, at := range all.seats {
		who := Person{at.person.ID, at.person.FullName}
		if rule.has(at, d.IsGiven) && !slices.Contains(people, who) {
			people = append(people, who)
		}
	}
	return people, nil
}
