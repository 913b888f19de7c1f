package api

import (
	"context"

	"lectern/models"
)

// The rows of the five families: what a session shows of them, and when they
// were made and changed.
type (
	TrackRow struct {
		models.Track
		Stamps
	}
	RoomRow struct {
		models.Room
		Stamps
	}
	TagRow struct {
		models.Tag
		Stamps
	}
	FormatRow struct {
		models.Format
		Stamps
	}
	LevelRow struct {
		models.Level
		Stamps
	}
)

type Stamps struct {
	CreatedAt models.Time `json:"created_at"`
	UpdatedAt models.Time `json:"updated_at"`
}

func stampsOf(m *models.Metadata) Stamps { return Stamps{m.CreatedAt, m.UpdatedAt} }

// metadataOperations are the same three for each family.
func (a *API) metadataOperations() []operation {
	var all []operation
	for _, family := range models.Families {
		switch family {
		case models.Tracks:
			all = append(all, familyOperations(a, family, func(m *models.Metadata) TrackRow { return TrackRow{m.AsTrack(), stampsOf(m)} })...)
		case models.Rooms:
			all = append(all, familyOperations(a, family, func(m *models.Metadata) RoomRow { return RoomRow{m.AsRoom(), stampsOf(m)} })...)
		case models.Tags:
			all = append(all, familyOperations(a, family, func(m *models.Metadata) TagRow { return TagRow{models.Tag{Label: m.Label()}, stampsOf(m)} })...)
		case models.Formats:
			all = append(all, familyOperations(a, family, func(m *models.Metadata) FormatRow { return FormatRow{m.AsFormat(), stampsOf(m)} })...)
		case models.Levels:
			all = append(all, familyOperations(a, family, func(m *models.Metadata) LevelRow { return LevelRow{models.Level{Label: m.Label()}, stampsOf(m)} })...)
		}
	}
	return all
}

type listMetadataInput struct {
	InEvent
	Paging
}

type createMetadataInput struct {
	InEvent
	Body models.NewMetadata
}

func familyOperations[R any](a *API, family models.Family, row func(*models.Metadata) R) []operation {
	page := func(ctx context.Context, who *caller, text string, page models.Page) (*list[R], error) {
		rows, pagination, err := who.ListMetadata(ctx, family, text, page)
		out := &list[R]{make([]R, len(rows)), pagination}
		for i, m := range rows {
			out.Results[i] = row(m)
		}
		return out, err
	}
	base, name := event+"/"+string(family), family.Singular()
	plural := string([]byte{name[0] - 32}) + name[1:] + "s" // Tracks, Rooms, …
	return []operation{
		{"list" + plural, "GET", base, models.ReadMetadata, "List the event's " + string(family), []int{400},
			on(func(ctx context.Context, who *caller, in *listMetadataInput) (*list[R], error) {
				return page(ctx, who, "", in.page())
			})},
		{"search" + plural, "POST", base, models.ReadMetadata, "Search the event's " + string(family) + " by name", nil,
			on(func(ctx context.Context, who *caller, in *textSearchInput) (*list[R], error) {
				return page(ctx, who, in.Body.text(), in.Body.or(in.Paging))
			})},
		{"create" + plural[:len(plural)-1], "POST", base + "/create", models.WriteMetadata, "Create a " + name, nil,
			on(func(ctx context.Context, who *caller, in *createMetadataInput) (*R, error) {
				m, err := who.CreateMetadata(ctx, family, in.Body)
				if err != nil {
					return nil, err
				}
				return new(row(m)), nil
			})},
	}
}
