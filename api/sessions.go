package api

import (
	"context"

	"lectern/models"
)

type createSessionInput struct {
	InEvent
	IdempotencyKey string `header:"Idempotency-Key" maxLength:"200" doc:"Repeating the request with the same key within 24 hours returns the first answer"`
	Body           SessionCreate
}

// SessionCreate is the body of a create.
type SessionCreate struct{ models.NewSession }

func (a *API) createSession(ctx context.Context, who *caller, in *createSessionInput) (*models.Session, error) {
	return once(ctx, a, who, in.IdempotencyKey, "createSession", in.Body, func(ctx context.Context) (*models.Session, error) {
		return who.CreateSession(ctx, in.Body.NewSession)
	})
}

func (a *API) getSession(ctx context.Context, who *caller, in *OfSession) (*models.Session, error) {
	return who.Session(ctx, in.SessionID)
}

type updateSessionInput struct {
	OfSession
	Body SessionUpdate
}

// SessionUpdate is the body of an update: the fields to change. What a read
// returned beside them may be sent back and is ignored.
type SessionUpdate struct {
	models.SessionChange
	ReadOnly
}

type ReadOnly struct {
	ID                any `json:"id,omitempty" doc:"Ignored"`
	EventID           any `json:"event_id,omitempty" doc:"Ignored"`
	FriendlyID        any `json:"friendly_id,omitempty" doc:"Ignored"`
	CreatedAt         any `json:"created_at,omitempty" doc:"Ignored"`
	DeletedAt         any `json:"deleted_at,omitempty" doc:"Ignored"`
	AdminURL          any `json:"admin_url,omitempty" doc:"Ignored"`
	CompositionStatus any `json:"composition_status,omitempty" doc:"Ignored"`
	Participants      any `json:"participants,omitempty" doc:"Ignored"`
	Track             any `json:"track,omitempty" doc:"Ignored; send track_id"`
	Room              any `json:"room,omitempty" doc:"Ignored; send room_id"`
	Format            any `json:"format,omitempty" doc:"Ignored; send format_id"`
	Level             any `json:"level,omitempty" doc:"Ignored; send level_id"`
	Tags              any `json:"tags,omitempty" doc:"Ignored; send tag_ids"`
}

func (a *API) updateSession(ctx context.Context, who *caller, in *updateSessionInput) (*models.Session, error) {
	return who.UpdateSession(ctx, in.SessionID, in.Body.SessionChange)
}

// Deleted is the answer to a delete.
type Deleted struct {
	ID        string       `json:"id"`
	DeletedAt *models.Time `json:"deleted_at" nullable:"false"`
}

func (a *API) deleteSession(ctx context.Context, who *caller, in *OfSession) (*Deleted, error) {
	s, err := who.DeleteSession(ctx, in.SessionID)
	if err != nil {
		return nil, err
	}
	return &Deleted{s.ID, s.DeletedAt}, nil
}

func (a *API) restoreSession(ctx context.Context, who *caller, in *OfSession) (*models.Session, error) {
	return who.RestoreSession(ctx, in.SessionID)
}
