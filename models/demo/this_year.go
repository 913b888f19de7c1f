package demo

import (
	"context"
	"time"

	"lectern/models"
	"lectern/models/store"
)

// These are days of this year's call, counted back from today.
const (
	callOpens, callCloses = 58, 12
	decided               = 5 // when the first decisions are committed
)

var labels = map[models.Family][]models.NewMetadata{
	models.Tracks: {
		{Name: "Keeping it running", Color: new("#1F7A9C"), Wanted: new(14)},
		{Name: "Data that outlives us", Color: new("#C2502E"), Wanted: new(12)},
		{Name: "People and pagers", Color: new("#2E8049"), Wanted: new(12)},
		{Name: "Design for year ten", Color: new("#7458B0"), Wanted: new(12)},
		{Name: "Safe harbour", Color: new("#A86A08"), Wanted: new(10)},
		{Name: "Small and slow", Color: new("#3B5FC0"), Wanted: new(10)},
	},
	models.Rooms: {
		{Name: "Great Hall", Capacity: new(420)}, {Name: "Chart Room", Capacity: new(120)},
		{Name: "Rope Loft", Capacity: new(80)}, {Name: "Signal Tower", Capacity: new(60)},
		{Name: "Net Shed", Capacity: new(32)},
	},
	models.Tags: {
		{Name: "case study"}, {Name: "live demo"}, {Name: "hands-on"}, {Name: "first-time speaker"}, {Name: "postmortem"},
		{Name: "open source"}, {Name: "recorded"},
	},
	models.Formats: {
		{Name: "Keynote", DefaultMinutes: new(50)}, {Name: "Talk", DefaultMinutes: new(30), Wanted: new(44)},
		{Name: "Lightning talk", DefaultMinutes: new(10), Wanted: new(12)},
		{Name: "Workshop", DefaultMinutes: new(110), Wanted: new(9)},
		{Name: "Panel", DefaultMinutes: new(50)}, {Name: "Night watch", DefaultMinutes: new(150)},
		{Name: "Social", DefaultMinutes: new(180)},
	},
	models.Levels: {{Name: "For everyone"}, {Name: "Some experience"}, {Name: "Deep water"}},
}

// thisYear is the conference in half a year: its call is closed, its reviews are nearly done, its first sessions are
// placed.
func (s *story) thisYear(e *edition) {
	e.found(place{"Tideline", lisbon, thursday(s.today.AddDate(0, 0, 26*7)), 2}, 61, labels)
	s.invitePeople(e)
	e.openCall(s.daysAgo(callOpens, 9, 45), s.daysAgo(callOpens, 10, 0), s.lastMinute(callCloses), nil)
	s.at(s.daysAgo(50, 9, 0), "keeping a reviewer to this year", s.only(e, &s.staff.Zofia))
	s.inviteSomebody(e)
	s.welcomePeople(e)
	e.call(entriesOf(callText))
	s.blindRound(e)
	e.invited(entriesOf(programmeText))
	s.source(e)
	s.deliver(e)
}

// thursday returns the first Thursday from a day on.
func thursday(day time.Time) time.Time { return day.AddDate(0, 0, (11-int(day.Weekday()))%7) }

// invited makes sessions that nobody submitted: an organizer enters and places them.
func (e *edition) invited(entries []*entry) {
	for i, x := range entries {
		e.at(e.daysAgo(30-2*i, 11, 7*i), "entering "+x.title, func(ctx context.Context) error {
			p := e.by(e.staff.Beatriz)
			n, err := e.input(x, nil)
			if err != nil {
				return err
			}
			if err := e.enter(ctx, p, x, n); err != nil {
				return err
			}
			if x.state == "trash" {
				_, err = p.DeleteSession(ctx, x.row.ID)
				return err
			}
			return e.settle(ctx, p, x, x.row)
		})
		if x.state == "published" {
			e.at(e.daysAgo(8, 14, i), "publishing "+x.title, func(ctx context.Context) error {
				_, err := e.by(e.staff.Beatriz).UpdateSession(ctx, x.row.ID,
					models.SessionChange{IsPublic: new(true), PublishOverride: true})
				return err
			})
		}
	}
}

// lastHour tells the changes that are delivered when the demonstration starts, one of each kind.
func (s *story) lastHour(e *edition) {
	minute := 60
	soon := func(what string, do func(ctx context.Context, p *models.Programme) error) {
		minute -= 2
		s.at(s.minutesAgo(minute), what, func(ctx context.Context) error { return do(ctx, e.by(s.staff.Beatriz)) })
	}
	change := func(title string, session bool, c models.SessionChange) {
		soon("changing "+title, func(ctx context.Context, p *models.Programme) error {
			id := e.entries[title].row.ID
			if session {
				id = e.entries[title].session.ID
			}
			_, err := p.UpdateSession(ctx, id, c)
			return err
		})
	}
	to := func(status models.Status) models.SessionChange {
		return models.SessionChange{SessionInput: models.SessionInput{Status: &status}}
	}
	change("Restoring a backup in front of an audience", false, to(models.Accepted))
	change("Як ми перенесли архів порту за одну зиму", false, to(models.AcceptQueue))
	change("My framework in ten minutes", false, to(models.Declined))
	for _, title := range []string{"A format is a promise", "Pagers people can live with", "Reading query plans aloud",
		"A compiler older than its maintainer", "Screen reader first", "Four thousand metres, four bars",
		"Streets without names", "Deleting a million lines", "Paying maintainers, on time"} {
		change(title, true, models.SessionChange{IsPublic: new(true)})
	}
	change("Screen reader first", true, models.SessionChange{Title: new("Screen reader first, screen last")})
	change("Moving forty years of ledgers on a Sunday", true,
		models.SessionChange{SessionInput: models.SessionInput{Capacity: store.Some(32)}})
	var spare *models.Session
	soon("entering a spare talk", func(ctx context.Context, p *models.Programme) (err error) {
		spare, err = p.CreateSession(ctx, models.NewSession{Title: "Spare talk, in case of fog"})
		return err
	})
	soon("entering it twice", func(ctx context.Context, p *models.Programme) error {
		twice, err := p.CreateSession(ctx, models.NewSession{Title: spare.Title})
		if err == nil {
			_, err = p.DeleteSession(ctx, twice.ID)
		}
		return err
	})
	s.at(s.minutesAgo(4), "a review of today", func(ctx context.Context) error {
		return e.by(s.staff.Zofia).GiveReview(ctx, s.staff.Zofia, e.entries["Letters from the database"].row.ID,
			models.Opinion{Score: 4, Comment: "I answer one of those paragraphs every morning. Let her show twenty of them."})
	})
}
