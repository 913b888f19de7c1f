package models

import (
	"cmp"
	"context"
	"sync"
	"time"
)

// accessLines keep, in memory, who was refused, until keepAccess writes it down.
type accessLines struct {
	mu    sync.Mutex
	lines []*Activity
}

// note keeps a line of activity, if there is room.
func (a *accessLines) note(line *Activity) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.lines) < seenSize {
		a.lines = append(a.lines, line)
	}
}

// keepAccess writes down who was refused since the last time. What could not be
// written is kept for the next.
func (s *Ground) keepAccess(ctx context.Context) error {
	s.access.mu.Lock()
	lines := s.access.lines
	s.access.lines = nil
	s.access.mu.Unlock()
	err := s.writeAccess(ctx, lines)
	if err != nil {
		s.access.mu.Lock()
		defer s.access.mu.Unlock()
		s.access.lines = append(lines, s.access.lines...)
	}
	return err
}

// writeAccess writes lines of activity. One of nobody known belongs to the
// organization of this installation, and to none before there is one.
func (s *Ground) writeAccess(ctx context.Context, lines []*Activity) error {
	if len(lines) == 0 {
		return nil
	}
	return s.write(ctx, func(tx *Tx) error {
		var here []string
		err := tx.Model(&Organization{}).Order("created_at, id").Limit(1).Pluck("id", &here).Error
		if err != nil || len(here) == 0 {
			return err
		}
		for _, line := range lines {
			line.OrganizationID = cmp.Or(line.OrganizationID, here[0])
		}
		return tx.CreateInBatches(lines, 100).Error
	})
}

// accessAge is how long the activity tells of sign-ins, and of who was refused.
const accessAge = 90 * 24 * time.Hour

// forgetAccess forgets what the activity tells of sign-ins that are long past.
func forgetAccess(tx *Tx) error {
	return tx.Where("subject = ? AND created_at <= ?", access, At(tx.now.Add(-accessAge))).Delete(&Activity{}).Error
}
