package models

import (
	"cmp"
	"context"
	"strings"
	"time"

	"lectern/models/store"
)

// OutgoingLetter is one attempt to send a letter, claimed by this process, with all that sending needs.
type OutgoingLetter struct {
	Letter
	Email, Name string
	EventSlug   string
	// the session of the abstract, or the one it was composed into, once that has a time
	ScheduledID, ScheduledTitle, Room string
	StartsAt, EndsAt                  *store.Time
	Sequence                          int  // of its calendar entry
	InTrash                           bool // the abstract is
}

// LetterClaim is how long a process may take for an attempt. A letter without a result by then becomes unknown: it may
// have arrived, so it is never sent again automatically.
const LetterClaim = 2 * time.Minute

// letterPauses are the waits before further attempts after temporary failures. After the last attempt the letter
// failed.
var letterPauses = []time.Duration{5 * time.Minute, 30 * time.Minute, 2 * time.Hour}

// LetterQueue describes the queue of letters of all organizations.
type LetterQueue struct {
	Waiting int64         // to be handed to the mail server
	Overdue time.Duration // how long the first of them has been due
}

// LetterQueue returns the state of the queue. It reads only waiting letters, by their index.
func (s *Store) LetterQueue(ctx context.Context) (LetterQueue, error) {
	var row struct {
		Waiting int64
		First   *store.Time
	}
	err := s.Read(ctx).Table("letters").Where("state = 'queued'").
		Select("count(*) AS waiting, min(due_at) AS first").Scan(&row).Error
	q := LetterQueue{Waiting: row.Waiting}
	if row.First != nil {
		q.Overdue = max(0, s.Now().Sub(row.First.Time))
	}
	return q, err
}

// ClaimLetter claims the letter that has been due longest, or returns nil if none is due. host is the right side of its
// Message-ID, which stays the same for all its attempts. A letter to somebody without an address fails here, and one
// whose abstract was deleted after it was sent off becomes a draft again.
func (s *Store) ClaimLetter(ctx context.Context, host string) (*OutgoingLetter, error) {
	return store.Make(ctx, s.Write, func(tx *store.Tx) (*OutgoingLetter, error) {
		l, err := store.One[Letter](tx.SkipLocked().Where("state = 'queued' AND due_at <= ?", tx.Now).Order("due_at, id"), nil)
		if l == nil || err != nil {
			return nil, err
		}
		out := &OutgoingLetter{}
		if err := tx.Raw(`SELECT c.email, c.full_name AS name, e.slug AS event_slug, s.id AS scheduled_id,
			s.title AS scheduled_title, s.starts_at, s.ends_at, r.name AS room, coalesce(x.sequence, 0) AS sequence,
			a.deleted_at IS NOT NULL AS in_trash FROM events e
			LEFT JOIN contacts c ON c.organization_id = e.organization_id AND c.id = ?
			LEFT JOIN sessions a ON a.event_id = e.id AND a.id = ?
			LEFT JOIN sessions s ON s.event_id = e.id AND s.id = coalesce(a.composed_into, a.id) AND s.deleted_at IS NULL
			LEFT JOIN calendar_entries x ON x.session_id = s.id
			LEFT JOIN metadata r ON r.id = s.room_id WHERE e.id = ?`,
			l.ContactID, l.SessionID, l.EventID).Scan(out).Error; err != nil {
			return nil, err
		}
		if l.ToEmail != "" {
			out.Email, out.Name = l.ToEmail, cmp.Or(l.ToName, out.Name)
		}
		if out.InTrash {
			l.State, l.DueAt, l.UpdatedAt = LetterDraft, nil, tx.Now
			out.Letter = *l
			return out, tx.Model(l).Select("state", "due_at", "updated_at").Updates(l).Error
		}
		if l.MessageID == "" {
			l.MessageID = l.ID + "@" + host
		}
		l.State, l.SentTo, l.DueAt, l.UpdatedAt = LetterSending, out.Email, nil, tx.Now
		l.Attempts++
		l.ClaimedUntil = new(store.At(tx.Now.Add(LetterClaim)))
		if out.Email == "" {
			l.State, l.ClaimedUntil, l.Answer = LetterFailed, nil, "There is no e-mail address to send it to"
		}
		if err := tx.Model(l).Select("state", "message_id", "sent_to", "attempts", "due_at", "claimed_until", "answer",
			"updated_at").Updates(l).Error; err != nil {
			return nil, err
		}
		if out.Letter = *l; l.State == LetterSending && l.Kind == LetterAccepted {
			err = out.takeAlong(tx, host)
		}
		return out, err
	})
}

// LetterEnd is the result of an attempt.
type LetterEnd struct {
	State LetterState // LetterSent, LetterFailed, LetterUnknown, or LetterQueued to be tried again
	// Answer is a code of the mail server and our own words. It names nobody.
	Answer string
	// Barred says that nothing can be sent at all: the mail server refuses our sign-in or is not the expected one. With
	// LetterQueued the attempt does not count, and the letter stays due.
	Barred bool
}

// EndLetter stores the result of an attempt. If its claim has run out, the letter stays unknown unless the result is
// that it was sent. A letter to be tried again waits as letterPauses say.
func (s *Store) EndLetter(ctx context.Context, attempt *OutgoingLetter, end LetterEnd) error {
	return s.Write(ctx, func(tx *store.Tx) error {
		l, err := store.One[Letter](tx.Lock().Where("id = ? AND attempts = ? AND message_id = ?", attempt.ID, attempt.Attempts,
			attempt.MessageID), nil)
		if l == nil || err != nil {
			return err // it was deleted, or sent again meanwhile
		}
		if l.State != LetterSending && (l.State != LetterUnknown || end.State != LetterSent) {
			return nil
		}
		was := l.State
		l.State, l.Answer, l.ClaimedUntil, l.UpdatedAt = end.State, end.Answer, nil, tx.Now
		switch end.State {
		case LetterSent:
			l.SentAt = &tx.Now
		case LetterQueued:
			l.putOff(end, tx.Now)
		}
		if l.EventID != nil {
			Touch(tx, *l.EventID)
		}
		if l.Kind == LetterAccepted {
			if err := l.endAlong(tx, was); err != nil {
				return err
			}
		}
		return tx.Model(l).Select("state", "body", "answer", "attempts", "claimed_until", "due_at", "sent_at", "updated_at").
			Updates(l).Error
	})
}

// putOff reschedules a letter after a temporary failure.
func (l *Letter) putOff(end LetterEnd, now store.Time) {
	switch {
	case l.SessionID != nil && !l.IsCurrent:
		l.State = LetterSuperseded
	case l.Kind == LetterInvitation && !l.makesInvitation(): // its link is lost
		l.State = LetterFailed
	case end.Barred:
		l.DueAt, l.Attempts = &now, l.Attempts-1
	case l.Attempts > len(letterPauses):
		l.State = LetterFailed
	default:
		l.DueAt = new(store.At(now.Add(letterPauses[l.Attempts-1])))
	}
}

// AbandonLetters makes letters unknown whose claim ended without a result, and returns how many there were.
func (s *Store) AbandonLetters(ctx context.Context) (int64, error) {
	return store.Make(ctx, s.Write, func(tx *store.Tx) (int64, error) {
		var ids []string
		if err := tx.Raw(`UPDATE letters SET state = 'unknown', claimed_until = NULL, updated_at = ?, answer = ?
			WHERE id IN (?) RETURNING coalesce(event_id, '')`, tx.Now,
			"Lectern was cut off while it sent this letter. It may have arrived",
			LockLetters(tx, "state = 'sending' AND claimed_until < ?", tx.Now)).Scan(&ids).Error; err != nil {
			return 0, err
		}
		for _, id := range ids {
			if id != "" {
				Touch(tx, id)
			}
		}
		return int64(len(ids)), nil
	})
}

// HostOf returns the part of an address after its last @, or "localhost".
func HostOf(address string) string {
	host := strings.TrimRight(address[strings.LastIndexByte(address, '@')+1:], "> ")
	if host == "" {
		return "localhost"
	}
	return host
}

// LettersCountedUpTo bounds the counts of LetterCondition.
const LettersCountedUpTo = 1000

// LetterCondition describes how sending letters goes, for all organizations. Reading it costs the same however many
// letters wait: Waiting and Lost are counted up to LettersCountedUpTo and are one more if there are more.
type LetterCondition struct {
	LastSent *store.Time
	Waiting  int64
	Overdue  time.Duration // how long the first of them has been due
	PutOff   string        // the mail server's answer to a letter that will be tried again; it names nobody
	Lost     int64         // in the last day: refused or unknown
	Reason   string        // the answer of the latest of those; it names nobody
}

// LetterCondition returns how sending letters goes.
func (s *Store) LetterCondition(ctx context.Context) (c LetterCondition, err error) {
	now := s.Now()
	var row struct {
		LetterCondition
		First *store.Time
	}
	err = s.Read(ctx).Raw(`SELECT (SELECT sent_at FROM letters WHERE state = 'sent' AND sent_at IS NOT NULL
			ORDER BY sent_at DESC LIMIT 1) AS last_sent,
		w.waiting, w.first, coalesce(w.put_off, '') AS put_off,
		(SELECT count(*) FROM (SELECT 1 FROM letters WHERE state IN ('failed', 'unknown') AND updated_at > ? LIMIT ?) x) AS lost,
		coalesce((SELECT answer FROM letters WHERE state IN ('failed', 'unknown') AND updated_at > ?
			ORDER BY updated_at DESC LIMIT 1), '') AS reason
		FROM (SELECT count(*) AS waiting, min(due_at) AS first, max(answer) AS put_off FROM (
			SELECT due_at, answer FROM letters WHERE state = 'queued' AND due_at IS NOT NULL ORDER BY due_at LIMIT ?) y) w`,
		store.At(now.Add(-24*time.Hour)), LettersCountedUpTo+1, store.At(now.Add(-24*time.Hour)), LettersCountedUpTo+1).
		Scan(&row).Error
	if c = row.LetterCondition; row.First != nil {
		c.Overdue = max(0, now.Sub(row.First.Time))
	}
	return c, err
}
