package task

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// Board is what all people and sessions of an event have to deliver, and how far they are.
type Board struct {
	Tasks    []*Task
	All      []*Deliverable // by the tasks' order, then by their owners' names
	Sessions map[string]*SessionOf
	People   map[string]*PersonOf
	Now      store.Time
	asked    map[string]bool // deliverables whose last comment is a speaker's
	had      map[string][]had
}

// had is a participant by whom a session or a person has a task.
type had struct {
	Owner, ContactID string
	TrackID          *string
}

// SessionOf is a session with a task of its own.
type SessionOf struct {
	ID, FriendlyID, Title string
	TrackID, ComposedInto *string
	People                []string `gorm:"-"` // ids of those by whom it has tasks
}

// PersonOf is somebody who has tasks.
type PersonOf struct {
	ID, FullName, NameKey string
	HasAddress            bool
	tracks                map[string]bool // of the sessions by which they have tasks
}

// Board is that of the event, in a number of statements that goes by its tasks alone.
func (t *Tasks) Board(ctx context.Context) (*Board, error) {
	tasks, err := t.All(ctx)
	if err != nil {
		return nil, err
	}
	return t.boardOf(t.p.Read(ctx), tasks, Wanted{})
}

// boardOf is the board of some tasks: of all who have them, or of what one session has itself with what it is made of, or
// of what one person has of their own and of sessions, as wanted says.
func (t *Tasks) boardOf(db *gorm.DB, tasks []*Task, w Wanted) (*Board, error) {
	db = db.Session(&gorm.Session{})
	b := &Board{Tasks: tasks, Sessions: map[string]*SessionOf{}, People: map[string]*PersonOf{}, Now: t.p.Now(),
		asked: map[string]bool{}, had: map[string][]had{}}
	if len(tasks) == 0 {
		return b, nil
	}
	var kept []*Deliverable
	if err := w.narrow(db.Where("event_id = ?", t.p.Event().ID), "session_id", "contact_id").Find(&kept).Error; err != nil {
		return nil, err
	}
	byOwner := map[[2]string]*Deliverable{}
	for _, d := range kept {
		byOwner[[2]string{d.TaskID, d.OwnerID()}] = d
	}
	for _, task := range tasks {
		if w.SessionID != "" && task.AskedOf == OfSpeaker {
			continue
		}
		if err := b.add(db, task, byOwner, w); err != nil {
			return nil, err
		}
	}
	if err := t.fill(db, b); err != nil {
		return nil, err
	}
	slices.SortStableFunc(b.All, func(x, y *Deliverable) int {
		return cmp.Or(cmp.Compare(x.Task.Position, y.Task.Position), cmp.Compare(b.nameKey(x), b.nameKey(y)))
	})
	return b, t.fillAsked(db, b)
}

// add puts the deliverables of a task on the board: of all who have it, and what was handed in by who has it no more.
func (b *Board) add(db *gorm.DB, task *Task, kept map[[2]string]*Deliverable, w Wanted) error {
	rows, err := b.hadBy(db, task, w)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, row := range rows {
		if !seen[row.Owner] {
			seen[row.Owner] = true
			d := kept[[2]string{task.ID, row.Owner}]
			if d == nil {
				d = task.untouched(row.Owner)
			}
			d.Task = task
			b.All = append(b.All, d)
		}
		if b.People[row.ContactID] == nil {
			b.People[row.ContactID] = &PersonOf{ID: row.ContactID, tracks: map[string]bool{}}
		}
		if row.TrackID != nil {
			b.People[row.ContactID].tracks[*row.TrackID] = true
		}
		if task.AskedOf == OfSession {
			s := b.Sessions[row.Owner]
			if s == nil {
				s = &SessionOf{ID: row.Owner}
				b.Sessions[row.Owner] = s
			}
			if !slices.Contains(s.People, row.ContactID) {
				s.People = append(s.People, row.ContactID)
			}
		}
	}
	return nil
}

// fill gives the sessions and the people of a board their names.
func (t *Tasks) fill(db *gorm.DB, b *Board) error {
	var sessions []*SessionOf
	if len(b.Sessions) > 0 {
		query := few(db.Table("sessions"), "id", slices.Collect(maps.Keys(b.Sessions))).Select("id, friendly_id, title, track_id, composed_into")
		if err := query.Where("event_id = ?", t.p.Event().ID).Scan(&sessions).Error; err != nil {
			return err
		}
	}
	for _, s := range sessions {
		if of := b.Sessions[s.ID]; of != nil {
			s.People = of.People
			b.Sessions[s.ID] = s
		}
	}
	var people []*PersonOf
	query := few(db.Table("contacts c"), "c.id", slices.Collect(maps.Keys(b.People)))
	if err := query.Joins("JOIN event_contacts e ON e.contact_id = c.id").
		Select("c.id, c.full_name, c.name_key, c.email <> '' AS has_address").
		Where("e.event_id = ?", t.p.Event().ID).Scan(&people).Error; err != nil {
		return err
	}
	for _, p := range people {
		if of := b.People[p.ID]; of != nil {
			p.tracks = of.tracks
			b.People[p.ID] = p
		}
	}
	return nil
}

// few narrows a query to some ids, where they are so few that naming them is less than reading all.
func few(db *gorm.DB, column string, ids []string) *gorm.DB {
	if len(ids) > 50 {
		return db
	}
	return db.Where(column+" IN ?", ids)
}

// fillAsked finds the deliverables in whose thread a speaker had the last word.
func (t *Tasks) fillAsked(db *gorm.DB, b *Board) error {
	var said []*Comment
	err := db.Select("task_id, session_id, contact_id, author_id").Where("event_id = ?", t.p.Event().ID).
		Order("created_at, id").Find(&said).Error
	for _, c := range said {
		of := Deliverable{SessionID: c.SessionID, ContactID: c.ContactID}
		b.asked[c.TaskID+of.OwnerID()] = !c.IsOfStaff()
	}
	return err
}

func (b *Board) nameKey(d *Deliverable) string {
	if d.SessionID != nil {
		return b.Sessions[*d.SessionID].Title
	}
	return b.People[*d.ContactID].NameKey
}

// Owner is what the owner of a deliverable is called.
func (b *Board) Owner(d *Deliverable) string {
	if d.SessionID != nil {
		return b.Sessions[*d.SessionID].Title
	}
	return b.People[*d.ContactID].FullName
}

// Names are the people by whom a deliverable is had.
func (b *Board) Names(d *Deliverable) (names []string) {
	for _, id := range b.contacts(d) {
		names = append(names, b.People[id].FullName)
	}
	return names
}

// contacts are the ids of the people by whom a deliverable is had.
func (b *Board) contacts(d *Deliverable) []string {
	if d.SessionID != nil {
		return b.Sessions[*d.SessionID].People
	}
	return []string{*d.ContactID}
}

// IsAsked tells whether a speaker had the last word in the thread of a deliverable.
func (b *Board) IsAsked(d *Deliverable) bool { return b.asked[d.TaskID+d.OwnerID()] }

// Preview is the board of a task as it would be with a change, or of one that would be made when id is "": who gets it.
// It answers Invalid for a field that breaks its rule, and NotFound.
func (t *Tasks) Preview(ctx context.Context, id string, c Change) (*Board, error) {
	task := t.New(c)
	if id != "" {
		var err error
		if task, err = t.Task(ctx, id); err != nil {
			return nil, err
		}
		c.apply(task)
	}
	if err := t.check(ctx, task); err != nil {
		return nil, err
	}
	return t.boardOf(t.p.Read(ctx), []*Task{task}, Wanted{})
}

// OfSession are the deliverables that a session or what it is made of has itself, and OfPerson those of a person of their own and of sessions.
func (t *Tasks) OfSession(ctx context.Context, id string) (*Board, []*Deliverable, error) {
	return t.only(ctx, Wanted{SessionID: id})
}

// OfPerson are the deliverables that somebody has of their own and of sessions.
func (t *Tasks) OfPerson(ctx context.Context, id string) (*Board, []*Deliverable, error) {
	return t.only(ctx, Wanted{ContactID: id})
}

func (t *Tasks) only(ctx context.Context, w Wanted) (*Board, []*Deliverable, error) {
	tasks, err := t.All(ctx)
	if err != nil {
		return nil, nil, err
	}
	b, err := t.boardOf(t.p.Read(ctx), tasks, w)
	if err != nil {
		return nil, nil, err
	}
	return b, b.Only(w), nil
}

// One is a deliverable of the event with all that was made of it. It answers NotFound.
func (t *Tasks) One(ctx context.Context, taskID, ownerID string) (*Sheet, error) {
	d, err := load(t.p.Read(ctx), t.p.Event().ID, taskID, ownerID, "")
	if err != nil {
		return nil, err
	}
	return sheet(ctx, t.p, d)
}

func (t *Tasks) staff() actor { return actor{p: t.p} }

// File is the file of a version. It answers NotFound.
func (t *Tasks) File(ctx context.Context, taskID, ownerID, versionID string) (*models.File, error) {
	return t.staff().file(ctx, taskID, ownerID, versionID)
}
