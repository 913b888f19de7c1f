package task

import (
	"cmp"
	"context"
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
	asked    map[[2]string]bool // tasks and owners in whose thread a speaker had the last word
}

// Board is that of the event.
func (t *Tasks) Board(ctx context.Context) (*Board, error) {
	tasks, err := t.All(ctx)
	if err != nil {
		return nil, err
	}
	return t.boardOf(t.p.Read(ctx), tasks, Wanted{})
}

// boardOf is the board of some tasks, with at least what one session or one person has of them where wanted names one.
func (t *Tasks) boardOf(db *gorm.DB, tasks []*Task, w Wanted) (*Board, error) {
	db = db.Session(&gorm.Session{})
	b := newBoard(tasks, t.p.Now())
	if len(tasks) == 0 {
		return b, nil
	}
	ofSeats, ofKept, values := w.conditions()
	kept, err := readDeliverables(db, t.p.Event().ID, ofKept, values...)
	if err != nil {
		return nil, err
	}
	given := given(kept)
	seats, err := seatsOf(db, t.p.Event().ID, tasks, given, ofSeats, values...)
	if err != nil {
		return nil, err
	}
	b.addAll(seats, kept, given)
	slices.SortFunc(b.All, func(x, y *Deliverable) int {
		if of := cmp.Compare(x.Task.Position, y.Task.Position); of != 0 || x.Task != y.Task {
			return cmp.Or(of, cmp.Compare(x.TaskID, y.TaskID))
		}
		if name := cmp.Compare(x.sortedBy, y.sortedBy); name != 0 {
			return name
		}
		return cmp.Compare(x.OwnerID(), y.OwnerID())
	})
	return b, t.fillAsked(db, b)
}

func newBoard(tasks []*Task, now store.Time) *Board {
	return &Board{Tasks: tasks, Sessions: map[string]*SessionOf{}, People: map[string]*PersonOf{}, Now: now,
		asked: map[[2]string]bool{}}
}

// addAll puts the deliverables of all tasks on the board, in their order.
func (b *Board) addAll(seats []seat, kept []*Deliverable, given givenTo) {
	byOwner := make(map[[2]string]*Deliverable, len(kept))
	for _, d := range kept {
		byOwner[[2]string{d.TaskID, d.OwnerID()}] = d
	}
	for _, task := range b.Tasks {
		b.add(task, seats, byOwner, given)
	}
}

// given are those of some deliverables that staff gave.
func given(kept []*Deliverable) givenTo {
	all := givenTo{}
	for _, d := range kept {
		if d.IsGiven {
			all[[2]string{d.TaskID, d.OwnerID()}] = true
		}
	}
	return all
}

// add puts the deliverables of a task on the board, of all who have it.
func (b *Board) add(task *Task, seats []seat, kept map[[2]string]*Deliverable, given givenTo) {
	mine := map[string]*Deliverable{}
	for _, at := range seats {
		if !task.isHadBy(at, given) {
			continue
		}
		b.People[at.person.ID], b.Sessions[at.session.ID] = at.person, at.session
		if at.session.TrackID != nil {
			at.person.tracks = append(at.person.tracks, *at.session.TrackID)
		}
		owner := task.ownerOf(at)
		d := mine[owner]
		if d == nil {
			if d = kept[[2]string{task.ID, owner}]; d == nil {
				d = task.untouched(owner)
			}
			d.Task, d.sortedBy, mine[owner] = task, at.person.NameKey, d
			if task.AskedOf == OfSession {
				d.sortedBy = at.session.titleKey
			}
			b.All = append(b.All, d)
		}
		if !slices.Contains(d.people, at.person.ID) {
			d.people = append(d.people, at.person.ID)
		}
	}
}

// fillAsked finds the deliverables in whose thread a speaker had the last word.
func (t *Tasks) fillAsked(db *gorm.DB, b *Board) error {
	var said []*Comment
	err := db.Select("task_id, session_id, contact_id, author_id").Where("event_id = ?", t.p.Event().ID).
		Order("created_at, id").Find(&said).Error
	for _, c := range said {
		of := Deliverable{SessionID: c.SessionID, ContactID: c.ContactID}
		b.asked[[2]string{c.TaskID, of.OwnerID()}] = !c.IsOfStaff()
	}
	return err
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
	for _, id := range d.people {
		names = append(names, b.People[id].FullName)
	}
	return names
}

// IsAsked tells whether a speaker had the last word in the thread of a deliverable.
func (b *Board) IsAsked(d *Deliverable) bool { return b.asked[[2]string{d.TaskID, d.OwnerID()}] }

// Preview is the board of a task as a form has it, who gets it: id is that of the task, whom it was given to count, or "" of
// a new one. It answers Invalid for a field that breaks its rule.
func (t *Tasks) Preview(ctx context.Context, id string, c Change) (*Board, error) {
	task := t.New(c)
	task.ID = id
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
