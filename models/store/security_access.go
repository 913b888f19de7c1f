package store

import (
	"cmp"
	"context"
	"sync"
	"time"
)

// accessLines keeps refusals in memory until KeepAccess writes them.
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

// KeepAccess writes the refusals since the last time. Those of nobody known go to the organization of this
// installation, and are dropped before there is one. What could not be written is kept for the next time.
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

// accessAge is how long the activity keeps refusals, and everything else that strangers can cause.
const accessAge = 90 * 24 * time.Hour

// strangersRows selects the activity that strangers can cause, in the words of the index activity_access.
const strangersRows = "subject = 'access' AND action NOT IN ('signed in', 'people exported', 'log exported')"

// forgottenAtOnce is how many lines of an organization's log one sweep deletes; the next sweeps delete the rest.
const forgottenAtOnce = 10000

// ForgetAccess deletes what strangers caused before accessAge, and of each organization's log what is older than its
// owners want it kept. The history of events stays, and so does who was erased, which a restored backup needs.
func ForgetAccess(tx *Tx) error {
	before := At(tx.Now.Add(-accessAge))
	if err := tx.Where(strangersRows+" AND created_at <= ?", before).Delete(&Activity{}).Error; err != nil {
		return err
	}
	var organizations []*Organization
	if err := tx.Where("log_days > 0").Order("id").Find(&organizations).Error; err != nil {
		return err
	}
	for _, o := range organizations {
		old := tx.Model(&Activity{}).Select("id").Where(securityRows, o.ID).
			Where("subject NOT IN ('event', 'contact') AND created_at <= ?", At(tx.Now.AddDate(0, 0, -o.LogDays))).
			Order("created_at, id").Limit(forgottenAtOnce)
		if err := tx.Where("id IN (?)", old).Delete(&Activity{}).Error; err != nil {
			return err
		}
	}
	return nil
}
