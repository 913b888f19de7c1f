package api

import (
	"context"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/metadata"
	"lectern/models/store"
)

// Token is the concurrency token of a change.
type Token struct {
	UpdatedAt *store.Time `json:"updated_at,omitempty" required:"false" nullable:"false" doc:"The value last read; a stale one answers 409, leaving it out forces the write"`
}

// The bodies that change a row of each family: the fields to change.
type (
	LabelChange struct {
		Name  *string `json:"name,omitempty" required:"false" nullable:"false" doc:"1 to 255 characters"`
		Order *int    `json:"order,omitempty" nullable:"false" minimum:"0" doc:"The place in the family, from 0 on; leave it out unless you move the row"`
		Token
	}
	TrackChange struct {
		LabelChange
		Color *string `json:"color,omitempty" required:"false" nullable:"false" example:"#1F4E5F" doc:"A hex colour"`
	}
	RoomChange struct {
		LabelChange
		Capacity store.Optional[int] `json:"capacity" required:"false" minimum:"0" maximum:"1000000" doc:"0 to 1,000,000"`
	}
	TagChange    struct{ LabelChange }
	FormatChange struct {
		LabelChange
		DefaultMinutes store.Optional[int] `json:"default_minutes" required:"false" minimum:"1" maximum:"10080"`
	}
	LevelChange struct{ LabelChange }
)

func (c LabelChange) change() metadata.Change {
	return metadata.Change{Name: c.Name, Position: c.Order, UpdatedAt: c.UpdatedAt}
}

func (c TrackChange) change() metadata.Change {
	m := c.LabelChange.change()
	m.Color = c.Color
	return m
}

func (c RoomChange) change() metadata.Change {
	m := c.LabelChange.change()
	m.Capacity = c.Capacity
	return m
}

func (c FormatChange) change() metadata.Change {
	m := c.LabelChange.change()
	m.DefaultMinutes = c.DefaultMinutes
	return m
}

// tellIgnoredOfRows documents the fields that an update of a row accepts and ignores, so that a row can be sent back as
// it was read.
func (a *API) tellIgnoredOfRows() {
	for _, t := range []reflect.Type{reflect.TypeFor[TrackChange](), reflect.TypeFor[RoomChange](),
		reflect.TypeFor[TagChange](), reflect.TypeFor[FormatChange](), reflect.TypeFor[LevelChange]()} {
		a.ignore(t, "id", "event_id", "created_at")
	}
}

// ignore documents fields that a request may contain and that are ignored.
func (a *API) ignore(t reflect.Type, fields ...string) {
	properties := a.registry.SchemaFromRef(a.registry.Schema(t, true, "").Ref).Properties
	for _, field := range fields {
		properties[field] = &huma.Schema{Description: "Ignored", ReadOnly: true}
	}
}

// OfRow is the path of one row of a family.
type OfRow struct {
	InEvent
	ID string `path:"id" doc:"The row's id"`
}

type changeRowInput[C any] struct {
	OfRow
	Body C
}

type deleteRowInput struct {
	OfRow
	Reassign string `query:"reassign" doc:"The row that stands in its place, or none, with which breaks of a room are deleted too; needed where anything uses the row"`
}

// DeletedRow is the answer to deleting a row: its replacement, and how many live rows used it.
type DeletedRow struct {
	ID           string  `json:"id"`
	ReassignedTo *string `json:"reassigned_to"`
	metadata.Usage
}

// rowOperations returns the operations on one row of a family, which is changed by a C and read as an R.
func rowOperations[C interface{ change() metadata.Change }, R any](family models.Family,
	row func(*models.Metadata) R) []operation {
	path, name := event+"/"+string(family)+"/{id}", family.Singular()
	answer := func(m *models.Metadata, err error) (*R, error) {
		if err != nil {
			return nil, err
		}
		return new(row(m)), nil
	}
	return []operation{
		{"get" + titled(name), "GET", path, apikey.ReadMetadata, "Read one " + name, []int{404},
			on(func(ctx context.Context, who *caller, in *OfRow) (*R, error) {
				return answer(who.MetadataRow(ctx, family, in.ID))
			})},
		{"update" + titled(name), "PUT", path, apikey.WriteMetadata, "Change a " + name, []int{404, 409},
			on(func(ctx context.Context, who *caller, in *changeRowInput[C]) (*R, error) {
				return answer(metadata.Of(who.Programme).Update(ctx, family, in.ID, in.Body.change()))
			})},
		{"delete" + titled(name), "DELETE", path, apikey.WriteMetadata, "Delete a " + name, []int{404},
			on(func(ctx context.Context, who *caller, in *deleteRowInput) (*DeletedRow, error) {
				to := in.replacement()
				used, err := metadata.Of(who.Programme).Remove(ctx, family, in.ID, to)
				return &DeletedRow{in.ID, to.Value, used}, err
			})},
	}
}

// replacement returns the row that replaces the deleted one; unset, the row may be deleted only if unused.
func (in *deleteRowInput) replacement() store.Optional[string] {
	switch in.Reassign {
	case "":
		return store.Optional[string]{}
	case "none":
		return store.Null[string]()
	}
	return store.Some(in.Reassign)
}
