package tasks

import (
	"cmp"
	"context"
	"slices"

	"lectern/models/store"
)

// Board is everything that people and sessions of an event have to deliver, and how far they are.
type Board struct {
	Tasks    []*Task
	All      []*Deliverable // in the order of tasks, then by the owners' names
	Sessions map[string]*SessionOf
	People   map[string]*PersonOf
	Now      store.Time
	places   map[string]int     // index of each task in Tasks, by id
	owners   map[Whose][]*owner // sorted by name
}

// Board returns the board of the event.
func (t *Tasks) Board(ctx context.Context) (*Board, error) {
	return t.whole(ctx, Wanted{})
}

// whole returns the board of all tasks, with at least the deliverables that w asks for.
func (t *Tasks) whole(ctx context.Context, w Wanted) (*Board, error) {
	tasks, err := t.All(ctx)
	if err != nil {
		return nil, err
	}
	return t.boardOf(ctx, tasks, w)
}

// boardOf returns the board of some tasks. If w names a session or a person, it holds at least theirs.
func (t *Tasks) boardOf(ctx context.Context, tasks []*Task, w Wanted) (*Board, error) {
	b := newBoard(tasks, t.p.Now())
	if len(tasks) == 0 {
		return b, nil
	}
	ofSeats, ofKept, values := w.conditions()
	var kept []*Deliverable
	var seats *seating
	var said []*Comment
	reads := store.Together(ctx)
	reads.Go(func() (err error) {
		kept, err = readDeliverables(t.p.Read(ctx),
			keptSearch{eventID: t.p.Event().ID, dated: w.dated, condition: ofKept, values: values})
		return err
	})
	reads.Go(func() (err error) {
		seats, err = seatsOf(t.p.Read(ctx),
			seatSearch{eventID: t.p.Event().ID, tasks: tasks, condition: ofSeats, values: values})
		return err
	})
	reads.Go(func() error {
		return t.p.Read(ctx).Select("task_id, session_id, contact_id, author_id").Where("event_id = ?", t.p.Event().ID).
			Order("created_at, id").Find(&said).Error
	})
	if err := reads.Wait(); err != nil {
		return nil, err
	}
	b.fill(seats, kept)
	b.fillAsked(said)
	return b, nil
}

func newBoard(tasks []*Task, now store.Time) *Board {
	return &Board{Tasks: tasks, Sessions: map[string]*SessionOf{}, People: map[string]*PersonOf{}, Now: now,
		places: map[string]int{}}
}

// fill puts the deliverables of all owners on the board.
func (b *Board) fill(all *seating, kept []*Deliverable) {
	rules := make([]rule, len(b.Tasks))
	for i, t := range b.Tasks {
		rules[i], b.places[t.ID] = t.rule(), i
	}
	b.People, b.Sessions = make(map[string]*PersonOf, len(all.people)), make(map[string]*SessionOf, len(all.sessions))
	for _, d := range kept {
		i, found := b.places[d.TaskID]
		if o := all.owner(d); o != nil && found {
			o.room(len(rules))[i] = d
		}
	}
	for _, at := range all.seats {
		if b.seat(rules, at) {
			b.People[at.person.ID], b.Sessions[at.session.ID] = at.person, at.session
			if at.session.TrackID != nil {
				at.person.tracks = append(at.person.tracks, *at.session.TrackID)
			}
		}
	}
	b.arrange()
}

// room returns the owner's slots for deliverables, one per task; it makes them on first use.
func (o *owner) room(tasks int) []*Deliverable {
	if o.has == nil {
		o.has = make([]*Deliverable, tasks)
	}
	return o.has
}

// seat puts the deliverables of a seat on the board, and tells whether there are any.
func (b *Board) seat(rules []rule, at seat) (has bool) {
	for i, r := range rules {
		mine := r.ownerOf(at).room(len(rules))
		d := mine[i]
		if !r.has(at, d != nil && d.IsGiven) {
			continue
		}
		if d == nil {
			d = r.untouched(&r.ownerOf(at).ID)
			mine[i] = d
		}
		has, d.isHad, d.Task = true, true, r.Task
		if r.AskedOf == OfSpeaker {
			d.by = at.person.alone
		} else if !slices.Contains(d.by, at.person) {
			d.by = append(d.by, at.person)
		}
	}
	return has
}

// arrange lists the deliverables in the order of tasks, then by the names of owners.
func (b *Board) arrange() {
	var people, sessions []*owner
	for _, p := range b.People {
		people = append(people, &p.owner)
	}
	for _, s := range b.Sessions {
		sessions = append(sessions, &s.owner)
	}
	slices.SortFunc(people, byName)
	slices.SortFunc(sessions, byName)
	for i, p := range people {
		p.place = i
	}
	b.owners = map[Whose][]*owner{OfSpeaker: people, OfSession: sessions}
	for i, t := range b.Tasks {
		for _, o := range b.owners[t.AskedOf] {
			if d := o.room(len(b.Tasks))[i]; d != nil && d.isHad {
				b.All = append(b.All, d)
			}
		}
	}
}

// byName orders owners by name.
func byName(x, y *owner) int {
	if by := cmp.Compare(x.key, y.key); by != 0 {
		return by
	}
	return cmp.Compare(x.ID, y.ID)
}

// fillAsked marks the deliverables in whose thread a speaker had the last word. The comments must be in order of time.
func (b *Board) fillAsked(said []*Comment) {
	all := seating{sessions: b.Sessions, people: b.People}
	for _, c := range said {
		of := &Deliverable{TaskID: c.TaskID, SessionID: c.SessionID, ContactID: c.ContactID}
		i, found := b.places[c.TaskID]
		if o := all.owner(of); o != nil && found && o.has[i] != nil {
			o.has[i].isAsked = !c.IsOfStaff()
		}
	}
}

// Owner returns the name of a deliverable's owner: the session's title or the person's name.
func (b *Board) Owner(d *Deliverable) string {
	if d.SessionID != nil {
		return b.Sessions[*d.SessionID].Title
	}
	return b.People[*d.ContactID].FullName
}

// Names returns the names of the people who have a deliverable.
func (b *Board) Names(d *Deliverable) (names []string) {
	for _, p := range d.by {
		names = append(names, p.FullName)
	}
	return names
}

// IsAsked reports whether the latest comment on a deliverable is by a speaker.
func (b *Board) IsAsked(d *Deliverable) bool { return d.isAsked }

// Preview returns the board of a task as filled in on a form, to show who would get it. id is the task's, so that
// owners to whom it was given count; "" for a new task. It answers Invalid for a field that breaks its rule.
func (t *Tasks) Preview(ctx context.Context, id string, c Change) (*Board, error) {
	task := t.New(c)
	task.ID = id
	if err := t.check(ctx, task); err != nil {
		return nil, err
	}
	return t.boardOf(ctx, []*Task{task}, Wanted{})
}

// OfSession returns the deliverables of a session and of the sources it is made of.
func (t *Tasks) OfSession(ctx context.Context, id string) (*Board, []*Deliverable, error) {
	return t.only(ctx, Wanted{SessionID: id})
}

// OfPerson returns the deliverables of a person: their own and those of their sessions.
func (t *Tasks) OfPerson(ctx context.Context, id string) (*Board, []*Deliverable, error) {
	return t.only(ctx, Wanted{ContactID: id})
}

func (t *Tasks) only(ctx context.Context, w Wanted) (*Board, []*Deliverable, error) {
	b, err := t.whole(ctx, w)
	if err != nil {
		return nil, nil, err
	}
	return b, b.Only(w), nil
}
