package store

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
	if len(a.lines) < SeenSize {
		a.lines = append(a.lines, line)
	}
}

// keepAccess writes down who was refused since the last time: of nobody known, to the organization of this
// installation, and nothing before there is one. What could not be written is kept for the next time.
func (s *Store) KeepAccess(ctx context.Context) error {
	s.access.mu.Lock()
	lines := s.access.lines
	s.access.lines = nil
	s.access.mu.Unlock()
	if len(lines) == 0 {
		return nil
	}
	err := s.Write(ctx, func(tx *Tx) error {
		here, err := TheOrganization(tx.DB)
		if err != nil || here == nil {
			return err
		}
		for _, line := range lines {
			line.OrganizationID = cmp.Or(line.OrganizationID, here.ID)
		}
		return tx.CreateInBatches(lines, 100).Error
	})
	if err != nil {
		s.access.mu.Lock()
		defer s.access.mu.Unlock()
		s.access.lines = append(lines, s.access.lines...)
	}
	return err
}

// accessAge is how long the activity tells of sign-ins, and of who was refused.
const accessAge = 90 * 24 * time.Hour

// forgetAccess forgets what the activity tells of sign-ins that are long past.
func ForgetAccess(tx *Tx) error {
	return tx.Where("subject = ? AND created_at <= ?", access, At(tx.Now.Add(-accessAge))).Delete(&Activity{}).Error
}
