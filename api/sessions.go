package api

import (
	"context"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"lectern/models"
	"lectern/models/store"
)

type createSessionInput struct {
	InEvent
	IdempotencyKey string `header:"Idempotency-Key" maxLength:"200" doc:"Repeating the request with the same key within 24 hours returns the first answer"`
	Body           SessionCreate
}

// SessionCreate is the body of a create.
type SessionCreate struct{ models.NewSession }

func (a *API) createSession(ctx context.Context, who *caller, in *createSessionInput) (*models.Session, error) {
	create := func(ctx context.Context) (*models.Session, error) { return who.CreateSession(ctx, in.Body.NewSession) }
	return once(ctx, a, who, in.IdempotencyKey, "createSession", in.Body, create)
}

type getSessionInput struct {
	OfSession
	Expand string `query:"expand" doc:"publish_gate adds whether the session may be published, and what holds it; anything else adds nothing"`
}

func (a *API) getSession(ctx context.Context, who *caller, in *getSessionInput) (*models.GatedSession, error) {
	id, err := who.SessionID(ctx, in.SessionID)
	if err != nil {
		return nil, err
	}
	if in.Expand == "publish_gate" {
		return who.GatedSession(ctx, id)
	}
	s, err := who.Session(ctx, id)
	if err != nil {
		return nil, err
	}
	return &models.GatedSession{Session: *s}, nil
}

type updateSessionInput struct {
	OfSession
	Body SessionUpdate
}

// SessionUpdate is the body of an update: the fields to change. Other fields of a read may be sent back and are
// ignored.
type SessionUpdate struct{ models.SessionChange }

// tellIgnored documents the fields that an update accepts and ignores.
func (a *API) tellIgnored() {
	properties := a.registry.SchemaFromRef(a.registry.Schema(reflect.TypeFor[SessionUpdate](), true, "").Ref).Properties
	for _, field := range models.SessionFields {
		if !field.IsReadOnly() {
			continue
		}
		words := "Ignored"
		for _, sent := range []string{field.Name + "_id", strings.TrimSuffix(field.Name, "s") + "_ids"} {
			if properties[sent] != nil {
				words = "Ignored; send " + sent
			}
		}
		properties[field.Name] = &huma.Schema{Description: words, ReadOnly: true}
	}
	properties["publish_gate"] = &huma.Schema{Description: "Ignored", ReadOnly: true}
}

func (a *API) updateSession(ctx context.Context, who *caller, in *updateSessionInput) (*models.Session, error) {
	id, err := who.SessionID(ctx, in.SessionID)
	if err != nil {
		return nil, err
	}
	return who.UpdateSession(ctx, id, in.Body.SessionChange)
}

// Deleted is the answer to a delete.
type Deleted struct {
	ID        string      `json:"id"`
	DeletedAt *store.Time `json:"deleted_at" nullable:"false"`
}

func (a *API) deleteSession(ctx context.Context, who *caller, in *OfSession) (*Deleted, error) {
	id, err := who.SessionID(ctx, in.SessionID)
	if err != nil {
		return nil, err
	}
	s, err := who.DeleteSession(ctx, id)
	if err != nil {
		return nil, err
	}
	return &Deleted{s.ID, s.DeletedAt}, nil
}

func (a *API) restoreSession(ctx context.Context, who *caller, in *OfSession) (*models.Session, error) {
	id, err := who.SessionID(ctx, in.SessionID)
	if err != nil {
		return nil, err
	}
	return who.RestoreSession(ctx, id)
}
