package demo

import (
	"context"
	"time"

	"lectern/models/apikey"
	"lectern/models/desk"
	"lectern/models/look"
	"lectern/models/staff"
	"lectern/models/store"
)

// house tells what staff set up around the programme: keys, endpoints and views of the lists.
func (s *story) house(e *edition, receiver string) {
	s.keys(e)
	s.views(e)
	s.endpoints(receiver)
	s.dress(e)
}

// dress sets where the conference is and how its public pages look.
func (s *story) dress(e *edition) {
	s.at(s.daysAgo(57, 15, 20), "saying how the public pages look", func(ctx context.Context) error {
		return look.Of(e.by(s.staff.Beatriz)).Save(ctx, look.Change{Venue: new("Gare Marítima de Alcântara"),
			City: new("Lisbon"), Address: new("Doca de Alcântara Norte, 1350-352 Lisboa"),
			Intro: new("<p>Two days by the water about what it takes to keep things running for decades: ships, software, " +
				"archives, and the people who look after them.</p>"),
			Brand: new("#C2502E"), Paper: new("#FBF8F1")})
	})
}

// keys makes API keys in each state.
func (s *story) keys(e *edition) {
	read := []apikey.Scope{apikey.ReadEvents, apikey.ReadSessions, apikey.ReadMetadata}
	for _, k := range []struct {
		name   string
		days   int // days since it was made
		valid  time.Duration
		scopes []apikey.Scope
		used   int // minutes since its last use; 0 for never
		revoke bool
	}{
		{name: "Website", days: 40, valid: 365 * 24 * time.Hour, scopes: read, used: 3},
		{name: "Displays in the foyer", days: 26, valid: 30 * 24 * time.Hour, scopes: read, used: 50},
		{name: "Agent of the programme committee", days: 20, scopes: append(read, apikey.ReadContacts)},
		{name: "Badge printer (old)", days: 45, scopes: apikey.Scopes, revoke: true},
		{name: "Rehearsal", days: 50, valid: 14 * 24 * time.Hour, scopes: apikey.Scopes},
	} {
		var value string
		s.at(s.daysAgo(k.days, 11, 0), "making the key "+k.name, func(ctx context.Context) (err error) {
			var key *apikey.Key
			key, value, err = apikey.Of(e.by(s.staff.Owner)).Create(ctx,
				apikey.New{Name: k.name, Scopes: k.scopes, ValidFor: k.valid})
			if err == nil && k.revoke {
				err = apikey.Of(e.by(s.staff.Owner)).Revoke(ctx, key.ID)
			}
			return err
		})
		if k.used > 0 {
			s.at(s.minutesAgo(k.used), "using the key "+k.name, func(ctx context.Context) error {
				_, err := apikey.In(s.db).Authenticate(ctx, value, store.By{Door: "api"})
				return err
			})
		}
	}
}

// views saves searches that staff use again and again.
func (s *story) views(e *edition) {
	for _, v := range []struct {
		of   func() *staff.User
		view desk.NewSavedView
	}{
		{func() *staff.User { return s.staff.Beatriz },
			desk.NewSavedView{Page: "submissions", Name: "To discuss", Query: "status=pending&sort=score", IsShared: true}},
		{func() *staff.User { return s.staff.Beatriz },
			desk.NewSavedView{Page: "submissions", Name: "Ready to commit", Query: "status=accept_queue", IsShared: true}},
		{func() *staff.User { return s.staff.Owner },
			desk.NewSavedView{Page: "submissions", Name: "First-time speakers", Query: "q=first"}},
		{func() *staff.User { return s.staff.Tomas },
			desk.NewSavedView{Page: "sessions", Name: "Without a place", Query: "needs=place", IsShared: true}},
	} {
		s.at(s.daysAgo(9, 10, 0), "keeping the view "+v.view.Name, func(ctx context.Context) error {
			_, err := desk.Of(e.by(v.of())).SaveView(ctx, v.of().ID, v.view)
			return err
		})
	}
}

// endpoints makes one active and one inactive endpoint. The first was off during the past, so that only the changes of
// the last hour are delivered.
func (s *story) endpoints(receiver string) {
	s.at(s.daysAgo(40, 12, 0), "adding endpoints", func(ctx context.Context) error {
		webhooks := s.db.Outbox.Webhooks(s.db.Organization(s.staff.Owner.OrganizationID, as(s.staff.Owner)))
		display, _, err := webhooks.CreateEndpoint(ctx, receiver)
		if err != nil {
			return err
		}
		badges, _, err := webhooks.CreateEndpoint(ctx, "https://badges.tideline.example/hooks/lectern")
		if err != nil {
			return err
		}
		for _, id := range []string{display.ID, badges.ID} {
			if err := webhooks.SetEndpointActive(ctx, id, false); err != nil {
				return err
			}
		}
		s.display = display.ID
		return nil
	})
	s.at(s.minutesAgo(75), "turning an endpoint on", func(ctx context.Context) error {
		for left := true; left; {
			n, err := s.db.Outbox.FanOut(ctx, false, 500)
			if err != nil {
				return err
			}
			left = n > 0
		}
		return s.db.Outbox.Webhooks(s.db.Organization(s.staff.Owner.OrganizationID, as(s.staff.Owner))).
			SetEndpointActive(ctx, s.display, true)
	})
}
