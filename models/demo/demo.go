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
	"math/rand/v2"

	"lectern/models"
	"lectern/models/apikey"
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
