package api

import (
	"context"

	"lectern/models"
	"lectern/models/store"
)

// BreakRow is a row of the agenda that is not a session.
type BreakRow struct {
	ID        string           `json:"id"`
	EventID   string           `json:"event_id"`
	Kind      models.BreakKind `json:"kind" enum:"break,blocker" doc:"blocker = the room cannot be used"`
	Title     string           `json:"title"`
	StartsAt  store.Time       `json:"starts_at"`
	EndsAt    store.Time       `json:"ends_at"`
	RoomID    *string          `json:"room_id" doc:"null = all rooms"`
	IsPlenary bool             `json:"is_plenary" doc:"true = nothing stands beside it, in whichever room"`
	Stamps
}

func breakRow(b *models.Break) BreakRow {
	return BreakRow{ID: b.ID, EventID: b.EventID, Kind: b.Kind, Title: b.Title, StartsAt: b.StartsAt, EndsAt: b.EndsAt,
		RoomID: b.RoomID, IsPlenary: b.IsPlenary, Stamps: Stamps{b.CreatedAt, b.UpdatedAt}}
}

type listBreaksInput struct {
	InEvent
	Paging
}

func (a *API) listBreaks(ctx context.Context, who *caller, in *listBreaksInput) (*list[BreakRow], error) {
	all, err := who.Breaks(ctx, store.Time{}, store.Time{})
	rows := store.Map(all, breakRow)
	return pageOf(rows, in.page()), err
}
