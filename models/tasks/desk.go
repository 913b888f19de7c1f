package tasks

import (
	"context"
	"strings"

	"lectern/models"
	"lectern/models/store"
)

// Verdict is a decision of staff about a deliverable.
type Verdict string

const (
	Approve Verdict = "approve"
	Ask     Verdict = "ask" // for changes, with a comment
	Waive   Verdict = "waive"
	Reopen  Verdict = "reopen"
	Tell    Verdict = "done" // that it was done, on their behalf
)

// Decide carries out a verdict. seen is the id of the version that was looked at, "" for none: if another one came
// meanwhile it answers Stale; nil decides about whatever there is. Asking for changes needs words, which are mailed to
// the people and added to the thread; waiving needs a reason. It answers NotFound, Invalid for words, and Invalid for
// task where the verdict does not fit: only what was handed in can be approved or sent back.
func (t *Tasks) Decide(ctx context.Context, taskID, ownerID string, v Verdict, words string, seen *string) error {
	words, err := store.CleanText("words", words, maxWords)
	if err != nil {
		return err
	}
	return t.change(ctx, taskID, ownerID, func(tx *store.Tx, d *Deliverable) error {
		switch v {
		case Approve, Ask:
			return t.judge(tx, d, v, words, seen)
		case Waive:
			if words == "" {
				return store.Invalidf("words", "are empty. Say why it is not needed")
			}
			t.bringTo(tx, d, Waived, words)
		case Reopen:
			t.bringTo(tx, d, Open, "")
		case Tell:
			if d.Task.Kind.HasVersions() {
				return errNotTick
			}
			t.bringTo(tx, d, Done, "")
		default:
			return store.Invalidf("verdict", "must be approve, ask, waive, reopen or done")
		}
		return nil
	})
}

var errUnseen = store.Outdated("Meanwhile something else was handed in, so nothing was decided. Look at it, then decide.")

// judge approves what was handed in, or asks for changes.
func (t *Tasks) judge(tx *store.Tx, d *Deliverable, v Verdict, words string, seen *string) error {
	var latest []string
	if err := d.of(tx.Model(&Version{})).Order(latestFirst).Limit(1).Pluck("id", &latest).Error; err != nil {
		return err
	}
	if seen != nil && strings.Join(latest, "") != *seen {
		return errUnseen
	}
	if len(latest) == 0 && !(d.Task.Kind == Form && d.State != Open) {
		return store.Invalidf("task", "has nothing yet that could be checked")
	}
	if v == Approve {
		t.bringTo(tx, d, Approved, "")
		return nil
	}
	if words == "" {
		return store.Invalidf("words", "are empty. Say what is to be changed")
	}
	t.bringTo(tx, d, Changes, words)
	return t.say(tx, d, "taskchanges", words)
}

// Extend gives a deliverable a due date of its own, or with nil its task's again. Reminders start again. It answers
// NotFound.
func (t *Tasks) Extend(ctx context.Context, taskID, ownerID string, due *store.Time) error {
	return t.change(ctx, taskID, ownerID, func(_ *store.Tx, d *Deliverable) error {
		d.DueAt, d.RemindedDays = due, nil
		return nil
	})
}

// Upload hands in a file for the owner, without the hourly limit. It answers as SpeakerTasks.Upload does.
func (t *Tasks) Upload(ctx context.Context, taskID, ownerID string, u models.Upload) error {
	d, err := t.load(t.p.Read(ctx), taskID, ownerID)
	if err != nil {
		return err
	}
	if err := d.takesFile(u); err != nil {
		return err
	}
	return t.bring(ctx, taskID, ownerID, u)
}
