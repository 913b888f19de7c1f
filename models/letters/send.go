package letters

import (
	"context"
	"strings"
	"time"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// Hold is how long letters wait in the queue, so that somebody can change their mind.
const Hold = time.Minute

// whole selects drafts that nothing holds back: they have a text and an address, and are not sent with another letter.
const whole = `letters.state = 'draft' AND letters.missing = '' AND letters.subject <> '' AND letters.body <> ''
	AND ` + hasAddress + ` AND ` + byItself

// hasAddress selects letters whose recipient has an address by now.
const hasAddress = `EXISTS (SELECT 1 FROM contacts c WHERE c.id = letters.contact_id AND c.email <> '')`

// amongRows adapts a condition on letters for letterRows, which joins contacts: looking each up again would take most
// of the time of counting thousands.
func amongRows(which string) string {
	return strings.ReplaceAll(which, hasAddress, "coalesce(contacts.email, '') <> ''")
}

// byItself selects letters that are not sent with another one.
const byItself = "(letters.carried_by IS NULL OR NOT EXISTS (" + models.LetterCarrier + "letters.carried_by))"

// ready selects drafts of current decisions on live abstracts that can be sent; readyFree those of mailings.
const (
	ready     = whole + " AND " + models.LetterOfDecision
	readyFree = whole + " AND letters.kind = 'free'"
)

// atOnce selects letters that skip Hold.
const atOnce = "letters.kind IN ('note', 'call', 'invitation')"

var errOtherNumber = store.Outdated(
	"There is another number of letters to send by now. Look at them again, then send them.")

// SendLetter queues one letter: a ready draft, a failed letter, or an unknown one. It answers Stale for any other.
func (ls *Letters) SendLetter(ctx context.Context, id string) error {
	_, err := ls.queue(ctx, "letters_sent_off", "letters.id = ? AND (("+ready+") OR ("+readyFree+") OR ("+resendable+"))",
		1, id)
	return err
}

// resendable selects letters that may be sent again: failed ones, also after the address was corrected, and unknown
// ones one at a time; letters of decisions only while their decision still holds.
const resendable = `letters.state IN ('failed', 'unknown') AND ` + byItself + ` AND (` + models.LetterOfDecision + ` OR letters.kind IN ('free', 'note', 'call'))
	AND (letters.to_email <> '' OR ` + hasAddress + `)`

// RetryLetters queues all failed letters, but no unknown ones, and returns how many. It answers Stale unless there are
// as many as expected.
func (ls *Letters) RetryLetters(ctx context.Context, expected int64) (int64, error) {
	return ls.queue(ctx, "letters_retried", resendable+" AND letters.state = 'failed'", expected)
}

func (ls *Letters) queue(ctx context.Context, action, which string, expected int64, values ...any) (int64, error) {
	return store.Make(ctx, ls.p.Write, func(tx *store.Tx) (int64, error) {
		return ls.queueIn(tx, action, expected, which, values...)
	})
}

// queueIn queues letters. It answers Stale, and queues none, unless there are as many as expected.
func (ls *Letters) queueIn(tx *store.Tx, action string, expected int64, which string, values ...any) (int64, error) {
	done := models.ChangeLetters(tx, map[string]any{"state": models.LetterQueued, "attempts": 0, "answer": "",
		"due_at": store.At(tx.Now.Add(Hold)), "updated_at": tx.Now},
		"letters.event_id = ? AND ("+which+")", append([]any{ls.p.Event().ID}, values...)...)
	if done.Error == nil && done.RowsAffected != expected {
		return 0, errOtherNumber
	}
	return done.RowsAffected, ls.recordActivity(tx, action, done)
}

// recordActivity records in the activity what was done with letters.
func (ls *Letters) recordActivity(tx *store.Tx, action string, done *gorm.DB) error {
	if done.Error != nil || done.RowsAffected == 0 {
		return done.Error
	}
	models.Touch(tx, ls.p.Event().ID)
	return ls.p.Record(tx, store.Change{Subject: "event", ID: ls.p.Event().ID, Action: action,
		After: map[string]any{"letters": done.RowsAffected}})
}

// HoldLetters turns queued letters that were not tried yet back into drafts, all or the one with this id, and returns
// how many. A letter that a process has claimed is sent.
func (ls *Letters) HoldLetters(ctx context.Context, id string) (int64, error) {
	return store.Make(ctx, ls.p.Write, func(tx *store.Tx) (int64, error) {
		done := models.ChangeLetters(tx, map[string]any{"state": models.LetterDraft, "due_at": nil, "answer": "",
			"updated_at": tx.Now},
			"event_id = ? AND state = 'queued' AND attempts = 0 AND NOT "+atOnce+" AND ? IN ('', id)", ls.p.Event().ID, id)
		return done.RowsAffected, ls.recordActivity(tx, "letters_held_back", done)
	})
}

// PauseLetters stops queued letters until ResumeLetters and returns how many. Letters being sent go on.
func (ls *Letters) PauseLetters(ctx context.Context) (int64, error) {
	return ls.setDue(ctx, "letters_paused", "due_at IS NOT NULL", func(*store.Tx) any { return nil })
}

// ResumeLetters resumes paused letters, and returns how many.
func (ls *Letters) ResumeLetters(ctx context.Context) (int64, error) {
	return ls.setDue(ctx, "letters_resumed", "due_at IS NULL", func(tx *store.Tx) any { return tx.Now })
}

// SendLettersNow ends the Hold of queued letters and returns how many.
func (ls *Letters) SendLettersNow(ctx context.Context) (int64, error) {
	return ls.setDue(ctx, "letters_sent_off", "due_at IS NOT NULL AND attempts = 0",
		func(tx *store.Tx) any { return tx.Now })
}

func (ls *Letters) setDue(ctx context.Context, action, which string, due func(*store.Tx) any) (int64, error) {
	return store.Make(ctx, ls.p.Write, func(tx *store.Tx) (int64, error) {
		done := models.ChangeLetters(tx, map[string]any{"due_at": due(tx), "updated_at": tx.Now},
			"event_id = ? AND state = 'queued' AND "+which, ls.p.Event().ID)
		return done.RowsAffected, ls.recordActivity(tx, action, done)
	})
}
