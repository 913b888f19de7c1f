package changes

import (
	"context"
	"slices"

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
	of := make(map[Kind]map[string]*Change)
	for _, c := range changes {
		if of[c.Kind] == nil {
			of[c.Kind] = map[string]*Change{}
		}
		of[c.Kind][c.ID] = c
	}
	for _, c := range of[Event] {
		c.Event, c.IsDeleted = p.Event(), false
	}
	for _, read := range []func(context.Context, *models.Programme, map[Kind]map[string]*Change) error{
		fillMetadata, fillBreaks, fillSpeakers, fillSessions,
	} {
		if err := read(ctx, p, of); err != nil {
			return err
		}
	}
	return nil
}

// ids returns the ids of some kinds, sorted.
func ids(of map[Kind]map[string]*Change, kinds ...Kind) (ids []string) {
	for _, kind := range kinds {
		for id := range of[kind] {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

func fillMetadata(ctx context.Context, p *models.Programme, of map[Kind]map[string]*Change) error {
	wanted := ids(of, Track, Room, Tag, Format, Level)
	if len(wanted) == 0 {
		return nil
	}
	var rows []*models.Metadata
	err := p.Read(ctx).Where("event_id = ? AND id IN ?", p.Event().ID, wanted).Find(&rows).Error
	for _, row := range rows {
		if c := of[Kind(row.Family.Singular())][row.ID]; c != nil {
			c.Metadata, c.IsDeleted = row, false
		}
	}
	return err
}

func fillBreaks(ctx context.Context, p *models.Programme, of map[Kind]map[string]*Change) error {
	wanted := ids(of, Break)
	if len(wanted) == 0 {
		return nil
	}
	var rows []*models.Break
	err := p.Read(ctx).Where("event_id = ? AND id IN ? AND deleted_at IS NULL", p.Event().ID, wanted).Find(&rows).Error
	for _, row := range rows {
		c := of[Break][row.ID]
		c.Break, c.IsDeleted = row, false
	}
	return err
}

func fillSpeakers(ctx context.Context, p *models.Programme, of map[Kind]map[string]*Change) error {
	wanted := ids(of, Speaker)
	if len(wanted) == 0 {
		return nil
	}
	rows, err := p.SpeakerRecords(ctx, wanted)
	for _, row := range rows {
		c := of[Speaker][row.ID]
		c.Speaker, c.IsDeleted = row, false
	}
	return err
}

func fillSessions(ctx context.Context, p *models.Programme, of map[Kind]map[string]*Change) error {
	wanted := ids(of, Session)
	if len(wanted) == 0 {
		return nil
	}
	rows, err := p.SessionsOf(ctx, wanted)
	for _, row := range rows {
		c := of[Session][row.ID]
		c.Session, c.IsDeleted = row, row.DeletedAt != nil
	}
	return err
}
