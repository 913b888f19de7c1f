// Package demo is a demonstration: a foundation that holds a conference on software that lasts, with last year's
// programme, the one that is being decided now, and a day of short talks whose call is open, told as what its people
// did, day by day, until today.
//
// To show something more, add it to the file of its subject, as moments of the story: who, when, and the operation of
// models that staff would use. Texts are in call.txt, programme.txt, last_year.txt and small_craft.txt.
package demo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/staff"
	"lectern/models/store"
)

// Options are what a demonstration needs besides the store.
type Options struct {
	// Password is the password of all staff, at least 10 characters.
	Password string
	// Receiver is the address of the active webhook endpoint.
	Receiver string
}

// Made is what Fill returns: the event to begin with, and the staff.
type Made struct {
	Event *models.Event // the event that is being decided
	Staff Staff
}

// Fill makes the demonstration in an empty store, through the operations that staff use. Dates are relative to the
// store's clock, and equal within one day. Changes of the last hour remain to be delivered.
func Fill(ctx context.Context, db *models.Store, options Options) (*Made, error) {
	s := &story{db: db, today: midnight(db.Now().Time), now: db.Now().Time, random: rand.New(rand.NewPCG(20, 27))}
	next, last, small := &edition{story: s}, &edition{story: s}, &edition{story: s}
	s.hire(options.Password)
	s.thisYear(next)
	s.lastYear(last)
	s.smallCraft(small)
	s.house(next, cmp.Or(options.Receiver, "https://receiver.tideline.example/lectern"))
	s.lastHour(next)
	if err := s.tell(ctx); err != nil {
		return nil, err
	}
	if err := errors.Join(apikey.In(db).KeepUses(ctx), db.KeepSeen(ctx)); err != nil {
		return nil, err
	}
	event, err := db.EventBy(ctx, next.event.ID)
	if err != nil {
		return nil, err
	}
	return &Made{Event: event, Staff: s.staff}, db.Analyze(ctx)
}

// foundation makes the organization that holds the conferences.
func (s *story) foundation(ctx context.Context) (*store.Organization, error) {
	return store.Make(ctx, s.db.Write, func(tx *store.Tx) (*store.Organization, error) {
		return store.MakeOrganization(tx, "Tideline Foundation")
	})
}

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
