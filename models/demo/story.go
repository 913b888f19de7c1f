package demo

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
)

// story is what people did, in order of time: each moment sets the store's clock and does one thing.
type story struct {
	db      *models.Store
	today   time.Time // midnight, in UTC
	now     time.Time
	random  *rand.Rand
	moments []moment
	staff   Staff
	people  map[string]string // ids of contacts, by their names in texts
	display string            // id of the active endpoint
}

type moment struct {
	at   time.Time
	what string
	do   func(context.Context) error
}

// at adds a moment; what names it if it fails.
func (s *story) at(at time.Time, what string, do func(context.Context) error) {
	s.moments = append(s.moments, moment{at, what, do})
}

// daysAgo returns a time on a past day, in UTC.
func (s *story) daysAgo(days, hour, minute int) time.Time {
	return s.today.AddDate(0, 0, -days).Add(time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute)
}

// lisbon is the time zone of this year's conferences.
const lisbon = "Europe/Lisbon"

// lastMinute returns the last minute of a past day, on the clock of this year's conferences.
func (s *story) lastMinute(days int) time.Time {
	at, err := time.LoadLocation(lisbon)
	if err != nil {
		panic(err) // zones are embedded in the binary
	}
	day := s.today.AddDate(0, 0, -days)
	return time.Date(day.Year(), day.Month(), day.Day(), 23, 59, 0, 0, at)
}

// minutesAgo returns a time in the last hours.
func (s *story) minutesAgo(n int) time.Time { return s.now.Add(-time.Duration(n) * time.Minute) }

func midnight(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// tell runs all moments in order.
func (s *story) tell(ctx context.Context) error {
	clock := s.db.Options.Now
	defer func() { s.db.Options.Now = clock }()
	slices.SortStableFunc(s.moments, func(a, b moment) int { return a.at.Compare(b.at) })
	for _, m := range s.moments {
		s.db.Options.Now = func() time.Time { return m.at }
		if err := m.do(ctx); err != nil {
			return fmt.Errorf("%s: %w", m.what, err)
		}
	}
	return nil
}

// as returns a member of staff acting in the admin.
func as(u *staff.User) store.By { return store.By{Door: "admin", ActorID: u.ID, ActorName: u.Name} }
