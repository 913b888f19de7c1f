package models

import (
	"context"
	"time"

	"gorm.io/gorm"

	"lectern/models/store"
)

// LetterHold is how long letters wait in the queue, so that somebody can change their mind.
const LetterHold = time.Minute

// whole selects drafts that nothing holds back: they have a text and an address, and are not sent with another
// letter.
const whole = `letters.state = 'draft' AND letters.missing = '' AND letters.subject <> '' AND letters.body <> ''
	AND EXISTS (SELECT 1 FROM contacts c WHERE c.id = letters.contact_id AND c.email <> '') AND ` + byItself

// byItself selects letters that are not sent with another one.
const byItself = "NOT EXISTS (" + carrier + "letters.carried_by)"

// ready selects drafts that can be sent: of current decisions on live abstracts; readyFree of mailings.
const (
	ready     = whole + " AND " + ofDecision
	readyFree = whole + " AND letters.kind = 'free'"

	ofDecision = `letters.is_current AND EXISTS
		(SELECT 1 FROM sessions s WHERE s.id = letters.session_id AND s.deleted_at IS NULL)`
)

// atOnce selects letters that are sent without LetterHold.
const atOnce = "letters.kind IN ('note', 'call', 'invitation')"

var errOtherNumber = store.Outdated(
	"There is another number of letters to send by now. Look at them again, then send them.")

// SendLetters is SendChosen of all drafts of decisions.
func (p *Programme) SendLetters(ctx context.Context, expected int64) (int64, error) {
	return p.SendChosen(ctx, LetterChoice{}, expected)
}

// SendLetter queues one letter: a ready draft, a failed letter, or an unknown one. It answers Stale for any other.
func (p *Programme) SendLetter(ctx context.Context, id string) error {
	_, err := p.queue(ctx, "letters_sent_off", "letters.id = ? AND (("+ready+") OR ("+readyFree+") OR ("+resendable+"))", 1, id)
	return err
}

// resendable selects letters that may be sent again after an attempt: failed ones, also after the address was
// corrected, and unknown ones one at a time; letters of decisions only while ready would hold.
const resendable = `letters.state IN ('failed', 'unknown') AND ` + byItself + ` AND (` + ofDecision + ` OR letters.kind IN ('free', 'note', 'call'))
	AND (letters.to_email <> '' OR EXISTS (SELECT 1 FROM contacts c WHERE c.id = letters.contact_id AND c.email <> ''))`

// RetryLetters queues all failed letters and returns how many; unknown ones are not among them. It answers Stale if
// there are not as many as expected.
func (p *Programme) RetryLetters(ctx context.Context, expected int64) (int64, error) {
	return p.queue(ctx, "letters_retried", resendable+" AND letters.state = 'failed'", expected)
}

func (p *Programme) queue(ctx context.Context, action, which string, expected int64, values ...any) (int64, error) {
	return store.Make(ctx, p.write, func(tx *store.Tx) (int64, error) {
		return p.line(tx, action, expected, which, values...)
	})
}

// line queues letters.
func (p *Programme) line(tx *store.Tx, action string, expected int64, which string, values ...any) (int64, error) {
	done := changeLetters(tx, map[string]any{"state": LetterQueued, "attempts": 0, "answer": "",
		"due_at": store.At(tx.Now.Add(LetterHold)), "updated_at": tx.Now},
		"letters.event_id = ? AND ("+which+")", append([]any{p.event.ID}, values...)...)
	if done.Error == nil && done.RowsAffected != expected {
		return 0, errOtherNumber
	}
	return done.RowsAffected, p.told(tx, action, done)
}

// told records what was done with letters.
func (p *Programme) told(tx *store.Tx, action string, done *gorm.DB) error {
	if done.Error != nil || done.RowsAffected == 0 {
		return done.Error
	}
	Touch(tx, p.event.ID)
	return p.record(tx, store.Change{Subject: "event", ID: p.event.ID, Action: action,
		After: map[string]any{"letters": done.RowsAffected}})
}

// HoldLetters makes drafts of queued letters that were not tried yet, all or the one with an id, and returns how
// many. A letter that a process has claimed is sent.
func (p *Programme) HoldLetters(ctx context.Context, id string) (int64, error) {
	return store.Make(ctx, p.write, func(tx *store.Tx) (int64, error) {
		done := changeLetters(tx, map[string]any{"state": LetterDraft, "due_at": nil, "answer": "", "updated_at": tx.Now},
			"event_id = ? AND state = 'queued' AND attempts = 0 AND NOT "+atOnce+" AND ? IN ('', id)", p.event.ID, id)
		return done.RowsAffected, p.told(tx, "letters_held_back", done)
	})
}

// PauseLetters holds queued letters until ResumeLetters and returns how many. Letters being sent go on.
func (p *Programme) PauseLetters(ctx context.Context) (int64, error) {
	return p.setDue(ctx, "letters_paused", "due_at IS NOT NULL", func(*store.Tx) any { return nil })
}

// ResumeLetters sends what was paused, and returns how many.
func (p *Programme) ResumeLetters(ctx context.Context) (int64, error) {
	return p.setDue(ctx, "letters_resumed", "due_at IS NULL", func(tx *store.Tx) any { return tx.Now })
}

// SendLettersNow ends the LetterHold of queued letters and returns how many there are.
func (p *Programme) SendLettersNow(ctx context.Context) (int64, error) {
	return p.setDue(ctx, "letters_sent_off", "due_at IS NOT NULL AND attempts = 0", func(tx *store.Tx) any { return tx.Now })
}

func (p *Programme) setDue(ctx context.Context, action, which string, due func(*store.Tx) any) (int64, error) {
	return store.Make(ctx, p.write, func(tx *store.Tx) (int64, error) {
		done := changeLetters(tx, map[string]any{"due_at": due(tx), "updated_at": tx.Now},
			"event_id = ? AND state = 'queued' AND "+which, p.event.ID)
		return done.RowsAffected, p.told(tx, action, done)
	})
}
