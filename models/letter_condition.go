package models

import (
	"context"
	"time"

	"lectern/models/store"
)

// LettersCountedUpTo is how far letters are counted that wait or were lost: more is more.
const LettersCountedUpTo = 1000

// LetterCondition is how the sending of letters does, those of all organizations. It costs the same however many
// wait: nothing is counted beyond LettersCountedUpTo, so that Waiting and Lost are one more where there are more.
type LetterCondition struct {
	LastSent *store.Time
	Waiting  int64
	Overdue  time.Duration // how long the first of them could have gone
	PutOff   string        // what the mail server answered to one that waits to be tried again; it names nobody
	Lost     int64         // of the last day: refused, or nobody knows
	Reason   string        // of the latest of those; it names nobody
}

// LetterCondition tells how the sending of letters does.
func (s *Store) LetterCondition(ctx context.Context) (c LetterCondition, err error) {
	now := s.Now()
	var row struct {
		LastSent *store.Time
		Waiting  int64
		First    *store.Time
		PutOff   string
		Lost     int64
		Reason   string
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
	c = LetterCondition{LastSent: row.LastSent, Waiting: row.Waiting, PutOff: row.PutOff, Lost: row.Lost, Reason: row.Reason}
	if row.First != nil {
		c.Overdue = max(0, now.Sub(row.First.Time))
	}
	return c, err
}
