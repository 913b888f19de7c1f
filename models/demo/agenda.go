package demo

import (
	"context"
	"maps"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/store"
)

// compose makes sessions of accepted submissions and places them, two of them on top of others, with one speaker in two
// rooms at once. Those with the place "somewhere" stay unplaced; some wait to be composed.
func (e *edition) compose(entries []*entry) {
	byTitle := store.ByKey(entries, func(x *entry) string { return x.title })
	n := 0
	for _, x := range entries {
		if x.place == "" {
			continue
		}
		n++
		into, joins := strings.CutPrefix(x.place, "with ")
		e.at(e.daysAgo(3, 10, 4*n), "composing "+x.title, func(ctx context.Context) (err error) {
			target := ""
			if joins {
				target = byTitle[into].session.ID
			}
			x.session, err = e.by(e.staff.Tomas).Compose(ctx, []string{x.row.ID}, target)
			return err
		})
		e.at(e.daysAgo(2, 14, 3*n), "placing "+x.title, func(ctx context.Context) error {
			return e.settle(ctx, e.by(e.staff.Tomas), x, x.session)
		})
		if n <= 6 {
			e.at(e.daysAgo(1, 16, n), "publishing "+x.title, func(ctx context.Context) error {
				_, err := e.by(e.staff.Beatriz).UpdateSession(ctx, x.session.ID, models.SessionChange{IsPublic: new(true)})
				return err
			})
		}
	}
	e.at(e.daysAgo(1, 16, 50), "timing the parts", func(ctx context.Context) error {
		return e.timeParts(ctx, byTitle)
	})
	e.at(e.daysAgo(1, 17, 0), "detaching", func(ctx context.Context) error {
		p, s := e.by(e.staff.Beatriz), byTitle["Clocks, of both kinds"].session
		if _, err := p.Detach(ctx, s.ID); err != nil {
			return err
		}
		_, err := p.UpdateSession(ctx, s.ID, models.SessionChange{Title: new("Clocks and calendars")})
		return err
	})
	e.entries = byTitle
}

// timeParts sets the minutes of the parts of a session that has several.
func (e *edition) timeParts(ctx context.Context, byTitle map[string]*entry) error {
	p := e.by(e.staff.Tomas)
	for _, title := range slices.Sorted(maps.Keys(byTitle)) {
		into, joins := strings.CutPrefix(byTitle[title].place, "with ")
		if !joins {
			continue
		}
		c := models.Composition{Into: byTitle[into].session.ID}
		sources, err := p.Sources(ctx, c.Into)
		if err != nil {
			return err
		}
		for _, s := range sources {
			c.Parts = append(c.Parts, models.Part{AbstractID: s.ID, Minutes: new(5)})
		}
		if _, err := p.ComposeParts(ctx, c); err != nil {
			return err
		}
	}
	return nil
}
