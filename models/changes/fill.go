package changes

import (
	"context"
	"errors"
	"maps"
	"slices"

	"gorm.io/gorm"

	"lectern/models"
)

// fill reads the rows that changed. It reads the programme again, after the changes: its versions select what is
// cached, and a cached row older than the change would stay with the client for good.
func (f *Feed) fill(ctx context.Context, changes []*Change) error {
	if len(changes) == 0 {
		return nil
	}
	p, err := f.p.Anew(ctx)
	if err != nil {
		return err
	}
	of := changed{}
	for _, c := range changes {
		if of[c.Kind] == nil {
			of[c.Kind] = map[string]*Change{}
		}
		of[c.Kind][c.ID] = c
	}
	for _, c := range of[Event] {
		c.Event, c.IsDeleted = p.Event(), false
	}
	rows := func(ids []string) *gorm.DB { return p.Read(ctx).Where("event_id = ? AND id IN ?", p.Event().ID, ids) }
	return errors.Join(
		put(of, func(ids []string) (all []*models.Metadata, err error) { return all, rows(ids).Find(&all).Error },
			func(row *models.Metadata) {
				if c := of[Kind(row.Family.Singular())][row.ID]; c != nil {
					c.Metadata, c.IsDeleted = row, false
				}
			}, Track, Room, Tag, Format, Level),
		put(of, func(ids []string) (all []*models.Break, err error) {
			return all, rows(ids).Where("deleted_at IS NULL").Find(&all).Error
		}, func(row *models.Break) {
			c := of[Break][row.ID]
			c.Break, c.IsDeleted = row, false
		}, Break),
		put(of, func(ids []string) ([]*models.SpeakerRecord, error) { return p.SpeakerRecords(ctx, ids) },
			func(row *models.SpeakerRecord) {
				c := of[Speaker][row.ID]
				c.Speaker, c.IsDeleted = row, false
			}, Speaker),
		put(of, func(ids []string) ([]*models.Session, error) { return p.SessionsOf(ctx, ids) },
			func(row *models.Session) {
				c := of[Session][row.ID]
				c.Session, c.IsDeleted = row, row.DeletedAt != nil
			}, Session))
}

// changed are changes by kind and id.
type changed map[Kind]map[string]*Change

// put reads the rows of some kinds, and has each put into its change.
func put[T any](of changed, read func(ids []string) ([]*T, error), into func(*T), kinds ...Kind) error {
	var ids []string
	for _, kind := range kinds {
		ids = slices.AppendSeq(ids, maps.Keys(of[kind]))
	}
	if len(ids) == 0 {
		return nil
	}
	slices.Sort(ids)
	rows, err := read(ids)
	for _, row := range rows {
		into(row)
	}
	return err
}
