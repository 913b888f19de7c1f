package tasks_test

import (
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
	"lectern/models/tasks"
)

// reckoning computes what a board has to show in the simplest way: each task beside each seat.
type reckoning struct {
	tasks    []*tasks.Task
	statuses map[string]models.Status // of sessions
	seats    []reckonedSeat
	rows     map[[2]string]*tasks.Deliverable // by task and owner
}

type reckonedSeat struct {
	session, person string
	role            models.Role
	stays           bool
}

var heardAs = map[models.Status]models.Status{models.Accepted: models.Accepted, models.Pending: models.Pending,
	models.AcceptQueue: models.Pending, models.DeclineQueue: models.Pending}

// had returns all deliverables that somebody has.
func (r *reckoning) had() map[[2]string]*tasks.Deliverable {
	had := map[[2]string]*tasks.Deliverable{}
	for _, of := range r.tasks {
		for _, at := range r.seats {
			owner := at.person
			if of.AskedOf == tasks.OfSession {
				owner = at.session
			}
			key, heard := [2]string{of.ID, owner}, heardAs[r.statuses[at.session]]
			d := r.rows[key]
			if d == nil {
				d = &tasks.Deliverable{State: tasks.Open}
			}
			statuses := of.Filters.Statuses
			if len(statuses) == 0 {
				statuses = []models.Status{models.Accepted}
			}
			fits := slices.Contains(statuses, heard) &&
				(len(of.Filters.Roles) == 0 || slices.Contains(of.Filters.Roles, at.role))
			if at.stays && (d.IsGiven && heard != "" || !of.OnlyGiven && fits) {
				d.Task = of
				had[key] = d
			}
		}
	}
	return had
}

// fill makes sessions of any status, people on them, and rows of any state.
func (r *reckoning) fill(t *testing.T, f *modelstest.Fixture, random *rand.Rand) {
	p, now := f.Programme(), store.At(f.Clock.Now())
	var people, sessions []string
	for i := range 9 {
		who := models.NewContact{FirstName: fmt.Sprint("P", i)}
		people = append(people, modelstest.Must(p.CreateContact(t.Context(), who))(t).ID)
	}
	statuses := append(slices.Sorted(maps.Keys(heardAs)), models.Declined, models.Withdrawn)
	roles := []models.Role{models.Speaking, models.Moderator}
	for i := range 20 {
		id := accepted(t, p, fmt.Sprint("S", i), models.SessionInput{}, true).ID
		r.statuses[id] = statuses[random.Intn(len(statuses))]
		sessions = append(sessions, id)
		for _, n := range random.Perm(len(people))[:1+random.Intn(4)] {
			at := reckonedSeat{id, people[n], roles[random.Intn(2)], random.Intn(5) > 0}
			f.Join(t, f.Event, id, at.person, at.role)
			r.seats = append(r.seats, at)
		}
	}
	modelstest.Fine(t, p.Write(t.Context(), func(tx *store.Tx) error {
		for _, id := range sessions {
			modelstest.Fine(t, tx.Exec("UPDATE sessions SET status = ? WHERE id = ?", r.statuses[id], id).Error)
		}
		for _, at := range r.seats {
			if !at.stays {
				modelstest.Fine(t, tx.Exec("INSERT INTO participations "+
					"(session_id, event_id, contact_id, answer, reason, answered_at) VALUES (?, ?, ?, 'no', '', ?)", at.session, f.Event.ID, at.person, now).Error)
			}
		}
		return nil
	}))
	for _, of := range r.tasks {
		owners := people
		if of.AskedOf == tasks.OfSession {
			owners = sessions
		}
		for _, owner := range owners {
			r.keep(t, p, of, owner, random, now)
		}
	}
}

// keep makes the row of a deliverable, or none.
func (r *reckoning) keep(t *testing.T, p *models.Programme, of *tasks.Task, owner string, random *rand.Rand, now store.Time) {
	if random.Intn(3) == 0 {
		return
	}
	states := []tasks.State{tasks.Open, tasks.Done, tasks.Changes, tasks.Approved, tasks.Waived}
	d := &tasks.Deliverable{ID: store.NewID(), EventID: of.EventID, TaskID: of.ID, IsGiven: random.Intn(3) == 0,
		State: states[random.Intn(len(states))], StateAt: now, UpdatedAt: now}
	if random.Intn(3) == 0 {
		d.DueAt = new(store.At(now.Add(time.Duration(random.Intn(5)-2) * time.Hour)))
	}
	if d.SessionID = &owner; of.AskedOf == tasks.OfSpeaker {
		d.SessionID, d.ContactID = nil, &owner
	}
	r.rows[[2]string{of.ID, owner}] = d
	modelstest.Fine(t, p.Write(t.Context(), func(tx *store.Tx) error { return tx.Create(d).Error }))
}

func TestABoardIsWhatASimpleReckoningSays(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		handle, random := tasks.Of(f.Programme()), rand.New(rand.NewSource(7))
		r := &reckoning{statuses: map[string]models.Status{}, rows: map[[2]string]*tasks.Deliverable{}}
		yesterday := new(new(store.At(f.Clock.Now().Add(-24 * time.Hour))))
		for _, c := range []tasks.Change{
			{Title: new("Bio"), DueAt: yesterday}, slides, {Title: new("Given"), OnlyGiven: new(true)},
			{Title: new("Wait"), Filters: &tasks.Filters{Statuses: []models.Status{models.Pending}}},
			{Title: new("Moderate"), Filters: &tasks.Filters{Roles: []models.Role{models.Moderator}, Statuses: tasks.Statuses}},
		} {
			r.tasks = append(r.tasks, modelstest.Must(handle.Create(t.Context(), c))(t))
		}
		r.fill(t, f, random)
		r.compare(t, modelstest.Must(handle.Board(t.Context()))(t), r.had())
		for _, of := range r.tasks {
			alone := r.had()
			maps.DeleteFunc(alone, func(_ [2]string, d *tasks.Deliverable) bool { return d.Task != of })
			r.compare(t, modelstest.Must(handle.BoardOf(t.Context(), of))(t), alone)
		}
	})
}

// compare checks that a board has the same deliverables, and as many of each state.
func (r *reckoning) compare(t *testing.T, b *tasks.Board, had map[[2]string]*tasks.Deliverable) {
	counts := map[tasks.Show]int{}
	for _, d := range had {
		for _, show := range tasks.Shows {
			if show != tasks.Asked && b.Is(d, show) {
				counts[show]++
			}
		}
	}
	for _, show := range tasks.Shows {
		modelstest.Want(t, "on the board as "+string(show), b.Count(show, ""), counts[show])
	}
	for _, d := range b.All {
		want := had[[2]string{d.TaskID, d.OwnerID()}]
		if want == nil || d.State != want.State || d.IsGiven != want.IsGiven || (d.DueAt == nil) != (want.DueAt == nil) ||
			d.DueAt != nil && !d.DueAt.Equal(want.DueAt.Time) {
			t.Errorf("%s of %s is %+v in place of %+v", d.Task.Title, b.Owner(d), d, want)
		}
	}
	if len(b.All) != len(had) || len(had) == 0 {
		t.Errorf("%d on the board, %d reckoned", len(b.All), len(had))
	}
}
