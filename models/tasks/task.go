// Package tasks holds what speakers deliver between acceptance and the stage: tasks that staff define once, and what
// each session or person hands in for them. It stands on top of the programme and its call.
package tasks

import (
	"cmp"
	"context"
	"slices"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/field"
	"lectern/models/store"
)

// Tasks is the handle for staff of one event's tasks.
type Tasks struct{ actor }

// Of returns the tasks of a programme.
func Of(p *models.Programme) *Tasks { return &Tasks{actor{p: p}} }

// Task is something that staff ask of speakers. Its filters are queried anew each time, so whoever joins later has it
// too; staff can give it to others besides.
type Task struct {
	ID           string          `gorm:"primaryKey" json:"id"`
	EventID      string          `json:"-"`
	Title        string          `json:"title"`
	Instructions string          `json:"instructions" doc:"Text, with line breaks"`
	Kind         Kind            `json:"kind" enum:"tick,form,file,link"`
	AskedOf      Whose           `json:"asked_of" enum:"speaker,session" doc:"Whether each speaker has it, or each session"`
	DueAt        *store.Time     `json:"due_at" doc:"null for no date"`
	IsRequired   bool            `json:"is_required"`
	IsReminded   bool            `json:"is_reminded" doc:"People are written to before and after it is due"`
	Filters      Filters         `json:"filters" gorm:"serializer:json" doc:"What is accepted, narrowed by these"`
	OnlyGiven    bool            `json:"only_given" doc:"Whom staff gave it have it, and nobody else, whatever the filters say"`
	PartID       *string         `json:"-"` // of a form: the section of the call's form whose questions of each speaker it asks
	FileKinds    []call.FileKind `json:"file_kinds" nullable:"false" gorm:"serializer:json" doc:"Of a file; none for all"`
	MaxBytes     *int            `json:"max_bytes" doc:"Of a file; null for 20 MB"`
	IsPublic     bool            `json:"is_public" doc:"What is approved stands on the session's public page"`
	Position     int             `json:"order"`
	CreatedAt    store.Time      `json:"created_at"`
	UpdatedAt    store.Time      `json:"updated_at"` // the token
}

// Kind is what a task asks to hand in.
type Kind string

const (
	Tick Kind = "tick" // that something was done
	Form Kind = "form" // answers to questions of the call that are asked of each speaker
	File Kind = "file"
	Link Kind = "link" // an address on the web
)

// kinds are all kinds, in the order of the form.
var kinds = []Kind{Tick, Form, File, Link}

// HasVersions reports whether the task can be handed in repeatedly, and is checked by staff.
func (k Kind) HasVersions() bool { return k == File || k == Link }

// Whose says whether each speaker or each session has a task.
type Whose string

const (
	OfSpeaker Whose = "speaker" // each person for themselves
	OfSession Whose = "session" // any person of the session, for all
)

// Filters narrow who has a task. An empty list narrows nothing, except that without statuses only accepted sessions
// count.
type Filters struct {
	Roles    []models.Role   `json:"roles,omitempty"`
	Statuses []models.Status `json:"statuses,omitempty"` // as speakers hear of them: accepted, pending
	Formats  []string        `json:"formats,omitempty"`  // ids, as in the following fields
	Tracks   []string        `json:"tracks,omitempty"`
	Levels   []string        `json:"levels,omitempty"`
	Tags     []string        `json:"tags,omitempty"`
}

// Rows are the structs of this package's tables, by name.
var Rows = map[string]any{"tasks": &Task{}, "deliverables": &Deliverable{}, "deliverable_versions": &Version{},
	"deliverable_comments": &Comment{}}

var errNoTask = store.NoSuch("task")

// All returns the event's tasks in their order.
func (t *Tasks) All(ctx context.Context) ([]*Task, error) {
	all := []*Task{}
	return all, t.p.Read(ctx).Where("event_id = ?", t.p.Event().ID).Order("position, id").Find(&all).Error
}

// Task returns a task of the event. It answers NotFound.
func (t *Tasks) Task(ctx context.Context, id string) (*Task, error) {
	return store.OneByID[Task](t.p.Read(ctx).Where("event_id = ?", t.p.Event().ID), id, errNoTask)
}

// Question returns the task's file as a question of the call's form, whose rules it shares.
func (t *Task) Question() *call.Question {
	return &call.Question{Key: "file", Type: field.File, FileKinds: t.FileKinds, MaxBytes: t.MaxBytes}
}

// byDue orders by due date, those without one last.
func byDue(a, b *store.Time) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	return cmp.Compare(a.UnixMilli(), b.UnixMilli())
}

// Row is the deliverables of one owner, by the columns of a table; nil for tasks that the owner does not have.
type Row []*Deliverable

// First returns any deliverable of the row, which tells whose row it is.
func (r Row) First() *Deliverable {
	for _, d := range r {
		if d != nil {
			return d
		}
	}
	return nil
}

// Table returns the tasks of people or those of sessions as columns, and a row by name for each owner that has one of
// the deliverables in some. With taskID, that task is the only column.
func (b *Board) Table(some []*Deliverable, of Whose, taskID string) (columns []*Task, rows []Row) {
	wanted := map[string]bool{}
	for _, d := range some {
		if d.Task.AskedOf == of {
			wanted[d.OwnerID()] = true
		}
	}
	var places []int
	for i, t := range b.Tasks {
		if t.AskedOf == of && (taskID == "" || t.ID == taskID) {
			columns, places = append(columns, t), append(places, i)
		}
	}
	for _, o := range b.owners[of] {
		if !wanted[o.ID] {
			continue
		}
		row := make(Row, len(places))
		for i, place := range places {
			if d := o.has[place]; d != nil && d.isHad {
				row[i] = d
			}
		}
		rows = append(rows, row)
	}
	return columns, rows
}

// statuses maps the statuses that a task's filter can have to those of sessions. Speakers do not learn of queued
// decisions before they are committed, so both queues count as pending.
var statuses = map[models.Status][]models.Status{
	models.Accepted: {models.Accepted},
	models.Pending:  {models.Pending, models.AcceptQueue, models.DeclineQueue},
}

// heardOf are all statuses of sessions that can have tasks; drafts, declined and withdrawn sessions have none.
var heardOf = slices.Concat(statuses[models.Accepted], statuses[models.Pending])

// Statuses are the statuses that a filter can have, in the order of the form.
var Statuses = []models.Status{models.Accepted, models.Pending}

// check normalizes a task, clears what does not belong to its kind, and answers Invalid for each faulty field: title,
// instructions, kind, asked_of, roles, statuses, formats, tracks, levels, tags, part, file_kinds, max_bytes.
func (t *Tasks) check(ctx context.Context, task *Task) error {
	var faults store.Faults
	task.Title = store.OneLine(task.Title)
	faults.Clean(store.CleanName, "title", &task.Title, store.MaxTitle)
	faults.Clean(store.CleanText, "instructions", &task.Instructions, maxInstructions)
	if !slices.Contains(kinds, task.Kind) {
		faults.Add(store.Invalidf("kind", "must be one of those in the list"))
	}
	if task.AskedOf != OfSpeaker && task.AskedOf != OfSession {
		faults.Add(store.Invalidf("asked_of", "must be speaker or session"))
	}
	if task.Kind == Form && task.AskedOf == OfSession {
		faults.Add(store.Invalidf("asked_of", "must be each speaker: a form asks people about themselves"))
	}
	if task.IsPublic = task.IsPublic && task.Kind.HasVersions(); task.IsPublic && task.AskedOf == OfSpeaker {
		faults.Add(store.Invalidf("is_public", "needs a task of the session, on whose page it stands"))
	}
	if task.Kind != File || task.FileKinds == nil {
		task.FileKinds = []call.FileKind{}
	}
	if task.Kind != File {
		task.MaxBytes = nil
	}
	faults.Add(task.Question().CheckFile())
	if err := t.checkFilters(ctx, &faults, task); err != nil {
		return err
	}
	if err := t.checkPart(ctx, &faults, task); err != nil {
		return err
	}
	return faults.Err()
}

// checkPart checks that the part of a Form task has questions for speakers, and clears it for other kinds.
func (t *Tasks) checkPart(ctx context.Context, faults *store.Faults, task *Task) error {
	if task.Kind != Form {
		task.PartID = nil
		return nil
	}
	parts, err := t.Parts(ctx)
	if err == nil && (task.PartID == nil || !slices.ContainsFunc(parts, func(p *call.Part) bool { return p.ID == *task.PartID })) {
		faults.Add(store.Invalidf("part", "must be a section of the call's form with questions that are asked of each speaker"))
	}
	return err
}

// Parts returns the sections of the call's form that have questions for each speaker.
func (t *Tasks) Parts(ctx context.Context) ([]*call.Part, error) {
	form, err := call.Of(t.p).Form(ctx)
	if store.KindOf(err) == store.NotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return form.Of(call.OfSpeaker).Parts, nil
}

func (t *Tasks) checkFilters(ctx context.Context, faults *store.Faults, task *Task) error {
	f := &task.Filters
	for _, role := range f.Roles {
		if !slices.Contains(models.ParticipantRoles, role) {
			faults.Add(store.Invalidf("roles", "name one that there is not"))
		}
	}
	for _, status := range f.Statuses {
		if statuses[status] == nil {
			faults.Add(store.Invalidf("statuses", "must be accepted or pending"))
		}
	}
	for _, n := range []struct {
		field  string
		family models.Family
		ids    *[]string
	}{{"formats", models.Formats, &f.Formats}, {"tracks", models.Tracks, &f.Tracks}, {"levels", models.Levels, &f.Levels},
		{"tags", models.Tags, &f.Tags}} {
		*n.ids = slices.Compact(slices.Sorted(slices.Values(*n.ids)))
		if len(*n.ids) == 0 {
			continue
		}
		rows, err := t.p.Family(ctx, n.family)
		if err != nil {
			return err
		}
		if len(*n.ids) > mostValues || slices.ContainsFunc(*n.ids, func(id string) bool {
			return !slices.ContainsFunc(rows, func(m *models.Metadata) bool { return m.ID == id })
		}) {
			faults.Add(store.Invalidf(n.field, "name one that this event has no more"))
		}
	}
	return nil
}
