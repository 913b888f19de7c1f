package tasks

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/store"
)

// An event has at most mostTasks tasks, each with at most mostValues values per filter and instructions of
// maxInstructions characters.
const mostTasks, mostValues, maxInstructions = 100, 200, 4000

// Change is a partial change of a task; nil leaves a field alone. Kind and AskedOf can only be set for a new task:
// another owner or kind would orphan what was handed in.
type Change struct {
	Title, Instructions              *string
	Kind                             *Kind
	AskedOf                          *Whose
	DueAt                            **store.Time
	IsRequired, IsReminded, IsPublic *bool
	OnlyGiven                        *bool
	Filters                          *Filters
	PartID                           *string // "" for none
	FileKinds                        *[]call.FileKind
	MaxBytes                         **int
	UpdatedAt                        *store.Time // the value last read; nil forces the write
}

func (c *Change) apply(t *Task) {
	store.Put(&t.Title, c.Title)
	store.Put(&t.Instructions, c.Instructions)
	store.Put(&t.DueAt, c.DueAt)
	store.Put(&t.IsRequired, c.IsRequired)
	store.Put(&t.IsReminded, c.IsReminded)
	store.Put(&t.IsPublic, c.IsPublic)
	store.Put(&t.Filters, c.Filters)
	store.Put(&t.OnlyGiven, c.OnlyGiven)
	store.Put(&t.FileKinds, c.FileKinds)
	store.Put(&t.MaxBytes, c.MaxBytes)
	if c.PartID != nil {
		if t.PartID = c.PartID; *c.PartID == "" {
			t.PartID = nil
		}
	}
}

var (
	errStale = store.Outdated("Someone else changed this task since you read it. Read it again, then repeat your change.")
	errMany  = store.Invalidf("title", "is one too many: an event has up to %d tasks", mostTasks)
)

// New returns a new task with the defaults of the form, changed by c.
func (t *Tasks) New(c Change) *Task {
	task := &Task{EventID: t.p.Event().ID, Kind: Tick, AskedOf: OfSpeaker, IsRequired: true, IsReminded: true}
	store.Put(&task.Kind, c.Kind)
	store.Put(&task.AskedOf, c.AskedOf)
	c.apply(task)
	return task
}

// Create adds a task as the event's last one. Everybody who matches its filters has it from now on. It answers Invalid
// for a field that breaks its rule.
func (t *Tasks) Create(ctx context.Context, c Change) (*Task, error) {
	task := t.New(c)
	if err := t.check(ctx, task); err != nil {
		return nil, err
	}
	return task, t.p.Write(ctx, func(tx *store.Tx) error {
		if _, err := t.p.HoldEvent(tx); err != nil {
			return err
		}
		var there struct{ Tasks, Last int }
		if err := tx.Raw("SELECT count(*) AS tasks, coalesce(max(position), 0) AS last FROM tasks WHERE event_id = ?", task.EventID).
			Scan(&there).Error; err != nil {
			return err
		}
		if there.Tasks >= mostTasks {
			return errMany
		}
		task.ID, task.Position, task.CreatedAt, task.UpdatedAt = store.NewID(), there.Last+1, tx.Now, tx.Now
		if err := tx.Create(task).Error; err != nil {
			return err
		}
		return t.record(tx, task, "created", nil, task.facts())
	})
}

// Save applies a partial change. It answers NotFound for a task of another event, Invalid for a field that breaks its
// rule, and Stale for an outdated token. What was handed in stays, even by owners who no longer match the filters. An
// empty change writes nothing.
func (t *Tasks) Save(ctx context.Context, id string, c Change) (*Task, error) {
	wanted, err := t.Task(ctx, id)
	if err != nil {
		return nil, err
	}
	c.apply(wanted)
	if err := t.check(ctx, wanted); err != nil {
		return nil, err
	}
	return store.Make(ctx, t.p.Write, func(tx *store.Tx) (*Task, error) {
		task, err := t.holdTask(tx, id, c.UpdatedAt)
		if err != nil {
			return nil, err
		}
		before := task.facts()
		if task.IsPublic || wanted.IsPublic {
			models.Touch(tx, task.EventID)
		}
		wanted.Position, wanted.CreatedAt = task.Position, task.CreatedAt
		was, is := store.Changes(before, wanted.facts())
		if len(is) == 0 {
			return task, nil
		}
		wanted.UpdatedAt = tx.Now.Following(task.UpdatedAt)
		if err := tx.Save(wanted).Error; err != nil {
			return nil, err
		}
		if _, moved := is["due_at"]; moved { // reminders start again
			if err := tx.Model(&Deliverable{}).Where("task_id = ?", id).UpdateColumn("reminded_days", nil).Error; err != nil {
				return nil, err
			}
		}
		return wanted, t.record(tx, wanted, "updated", was, is)
	})
}

// Delete deletes a task with everything handed in for it; the files are removed 30 days later. It answers NotFound, and
// Stale when the token (nil for none) is outdated.
func (t *Tasks) Delete(ctx context.Context, id string, token *store.Time) error {
	return t.p.Write(ctx, func(tx *store.Tx) error {
		task, err := t.holdTask(tx, id, token)
		if err != nil {
			return err
		}
		if err := tx.Delete(task).Error; err != nil {
			return err
		}
		if task.IsPublic {
			models.Touch(tx, task.EventID)
		}
		return t.record(tx, task, "deleted", task.facts(), nil)
	})
}

// Move puts a task at a position among the event's, counted from 0. It answers NotFound.
func (t *Tasks) Move(ctx context.Context, id string, to int) error {
	return t.p.Write(ctx, func(tx *store.Tx) error {
		if _, err := t.p.HoldEvent(tx); err != nil {
			return err
		}
		var ids []string
		if err := tx.Model(&Task{}).Where("event_id = ?", t.p.Event().ID).Order("position, id").Pluck("id", &ids).Error; err != nil {
			return err
		}
		at := slices.Index(ids, id)
		if at < 0 {
			return errNoTask
		}
		ids = slices.Delete(ids, at, at+1)
		for i, id := range slices.Insert(ids, max(0, min(to, len(ids))), id) {
			if err := tx.Model(&Task{}).Where("event_id = ? AND id = ?", t.p.Event().ID, id).UpdateColumn("position", i+1).Error; err != nil {
				return err
			}
		}
		return nil
	})
}

// holdTask returns a task with its row locked. It answers Stale for an outdated token.
func (t *Tasks) holdTask(tx *store.Tx, id string, token *store.Time) (*Task, error) {
	task, err := store.OneByID[Task](tx.Lock().Where("event_id = ?", t.p.Event().ID), id, errNoTask)
	if err == nil && token != nil && !token.Equal(task.UpdatedAt.Time) {
		err = errStale
	}
	return task, err
}

// facts returns the fields of a task that can change, for the activity.
func (t *Task) facts() map[string]any {
	return map[string]any{"title": t.Title, "instructions": t.Instructions, "kind": string(t.Kind),
		"asked_of": string(t.AskedOf), "is_required": t.IsRequired, "is_reminded": t.IsReminded, "is_public": t.IsPublic,
		"only_given": t.OnlyGiven, "due_at": store.Fact(t.DueAt), "part": store.Fact(t.PartID),
		"max_bytes": store.Fact(t.MaxBytes), "file_kinds": fmt.Sprint(t.FileKinds), "filters": fmt.Sprintf("%+v", t.Filters)}
}

// record adds a change of a task to the activity.
func (t *Tasks) record(tx *store.Tx, of *Task, action string, was, is map[string]any) error {
	facts := map[string]any{"title": of.Title}
	maps.Copy(facts, is)
	return t.p.Record(tx, store.Change{Subject: "task", ID: of.ID, Action: action, Before: was, After: facts})
}
