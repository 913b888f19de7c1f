package archive

import (
	"context"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// Look reads all of an archive and writes nothing. It tells what would come, who of its people is here already, and
// what the event would be called. It answers Invalid, in words for people, for what Import refuses, as far as that can
// be seen without writing, and by the field slug where that is taken.
func (a *Archive) Look(ctx context.Context, s *models.Store, as Arrival) (*Arrived, error) {
	if err := a.Verify(ctx); err != nil {
		return nil, err
	}
	organization, err := store.TheOrganization(s.Read(ctx))
	if err != nil {
		return nil, err
	}
	in := &arriving{Archive: a, s: s, as: as, organization: organization, whose: map[string]string{},
		done: &Arrived{Of: map[string]int{}}}
	for _, t := range tables {
		if err := in.inChunks(ctx, t, func(lines []*line) error { return in.look(s.Read(ctx), t, lines) }); err != nil {
			return nil, err
		}
	}
	if a.Manifest.Event != nil && in.done.Event == nil {
		return nil, refused("The archive is not whole: %q has no row.", tableOf("events").data())
	}
	return in.done, nil
}

// Check answers Invalid, by the fields name and slug, for what an event cannot be called here.
func (as Arrival) Check(ctx context.Context, s *models.Store, a *Archive) error {
	return a.lines(ctx, tableOf("events"), func(l *line) error {
		_, err := as.event(s.Read(ctx), l)
		return err
	})
}

// look counts rows of a table.
func (in *arriving) look(db *gorm.DB, t *table, lines []*line) error {
	for _, l := range lines {
		in.done.comes(t, l)
		if err := t.harmless(l); err != nil {
			return err
		}
	}
	in.done.Rows += len(lines)
	in.tell(len(lines))
	switch {
	case t.name == "events":
		n, err := in.as.event(db, lines[0])
		in.done.Event = &models.Event{Name: n.Name, Slug: n.Slug, StartsOn: n.StartsOn, EndsOn: n.EndsOn}
		return err
	case t.name == "contacts" && in.organization != nil:
		here, err := peopleHere(db, in.organization.ID, lines)
		if err != nil {
			return err
		}
		for i, c := range here {
			if err := in.isOneOf(c, lines[i]); err != nil {
				return err
			}
		}
	}
	return nil
}
