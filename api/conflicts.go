package api

import (
	"cmp"
	"context"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/store"
)

// Conflict is a collision as seen from one of its sessions.
type Conflict struct {
	Kind    models.Need      `json:"kind" enum:"room,person,away,seats,plenary" doc:"What is taken twice: a room or a person; a person is away; the room has too few seats; something stands beside what is plenary"`
	ID      string           `json:"id" doc:"Of the room, the person, or the plenary session or break"`
	Name    string           `json:"name" doc:"Its name"`
	From    store.Time       `json:"from" doc:"When the overlap begins; for away and seats, the start of the session"`
	Until   store.Time       `json:"until" doc:"When it ends; for away and seats, the end of the session"`
	Session ConflictSession  `json:"session" doc:"The session that was asked about; in the list of all, the one of the two that begins later"`
	With    *ConflictSession `json:"with" doc:"The other session; null where there is none"`
}

// ConflictSession is a session that collides.
type ConflictSession struct {
	ID         string      `json:"id"`
	FriendlyID string      `json:"friendly_id"`
	Title      string      `json:"title"`
	StartsAt   *store.Time `json:"starts_at" nullable:"false"`
	EndsAt     *store.Time `json:"ends_at"`
	Room       *string     `json:"room" doc:"Its name"`
}

func conflictSession(s *models.Session) *ConflictSession {
	if s == nil {
		return nil
	}
	c := &ConflictSession{ID: s.ID, FriendlyID: s.FriendlyID, Title: s.Title, StartsAt: s.StartsAt, EndsAt: s.EndsAt}
	if s.Room != nil {
		c.Room = &s.Room.Name
	}
	return c
}

// conflictPage returns a page of all conflicts.
func conflictPage(all []models.Conflict, page store.Page) *list[Conflict] {
	first := min(page.Offset(), len(all))
	out := &list[Conflict]{[]Conflict{}, page.Of(int64(len(all)))}
	for _, c := range all[first:min(first+page.Size, len(all))] {
		switch {
		case c.Need == models.NeedsPresence: // only organizers may see when somebody is away
			c.From = *c.Of.StartsAt
			c.Until = *cmp.Or(c.Of.EndsAt, c.Of.StartsAt)
		case c.Need == models.NeedsPlenary && c.With != nil:
			plenary := c.With
			if c.Of.IsPlenary {
				plenary = c.Of
			}
			c.ID, c.Name = plenary.ID, plenary.Title
		}
		out.Results = append(out.Results, Conflict{c.Need, c.ID, c.Name, c.From, c.Until, *conflictSession(c.Of),
			conflictSession(c.With)})
	}
	return out
}

type listConflictsInput struct {
	InEvent
	Paging
}

func (a *API) listConflicts(ctx context.Context, who *caller, in *listConflictsInput) (*list[Conflict], error) {
	found, err := agenda.Of(who.Programme).Conflicts(ctx)
	if err != nil {
		return nil, err
	}
	return conflictPage(found.All, in.page()), nil
}

type listSessionConflictsInput struct {
	OfSession
	Paging
}

func (a *API) listSessionConflicts(ctx context.Context, who *caller,
	in *listSessionConflictsInput) (*list[Conflict], error) {
	id, err := who.SessionID(ctx, in.SessionID)
	if err != nil {
		return nil, err
	}
	found, err := who.SessionConflicts(ctx, id)
	return conflictPage(found, in.page()), err
}

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
