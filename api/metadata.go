package api

import (
	"context"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/metadata"
	"lectern/models/store"
)

// The rows of the five families: the fields shown in a session, and when they were created and changed.
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
	CreatedAt store.Time `json:"created_at"`
	UpdatedAt store.Time `json:"updated_at"`
}

// The bodies that create a row of each family. Fields of other families are refused.
type (
	NewLabel struct {
		Name string `json:"name" doc:"1 to 255 characters; equal names are allowed"`
	}
	NewTrack struct {
		NewLabel
		Color *string `json:"color,omitempty" required:"false" nullable:"false" example:"#1F4E5F" doc:"A hex colour, chosen when left out"`
	}
	NewRoom struct {
		NewLabel
		Capacity *int `json:"capacity,omitempty" required:"false" nullable:"false" minimum:"0" maximum:"1000000" doc:"0 to 1,000,000"`
	}
	NewTag    struct{ NewLabel }
	NewFormat struct {
		NewLabel
		DefaultMinutes *int `json:"default_minutes,omitempty" required:"false" nullable:"false" minimum:"1" maximum:"10080" doc:"1 to 10,080"`
	}
	NewLevel struct{ NewLabel }
)

func (n NewLabel) input() models.NewMetadata { return models.NewMetadata{Name: n.Name} }

func (n NewTrack) input() models.NewMetadata { return models.NewMetadata{Name: n.Name, Color: n.Color} }

func (n NewRoom) input() models.NewMetadata {
	return models.NewMetadata{Name: n.Name, Capacity: n.Capacity}
}

func (n NewFormat) input() models.NewMetadata {
	return models.NewMetadata{Name: n.Name, DefaultMinutes: n.DefaultMinutes}
}

func stampsOf(m *models.Metadata) Stamps { return Stamps{m.CreatedAt, m.UpdatedAt} }

func trackRow(m *models.Metadata) TrackRow   { return TrackRow{m.AsTrack(), stampsOf(m)} }
func roomRow(m *models.Metadata) RoomRow     { return RoomRow{m.AsRoom(), stampsOf(m)} }
func tagRow(m *models.Metadata) TagRow       { return TagRow{models.Tag{Label: m.Label()}, stampsOf(m)} }
func formatRow(m *models.Metadata) FormatRow { return FormatRow{m.AsFormat(), stampsOf(m)} }
func levelRow(m *models.Metadata) LevelRow {
	return LevelRow{models.Level{Label: m.Label()}, stampsOf(m)}
}

// metadataOperations returns the operations on the five families, which are alike.
func (a *API) metadataOperations() []operation {
	return slices.Concat(
		familyOperations[NewTrack](models.Tracks, trackRow), rowOperations[TrackChange](models.Tracks, trackRow),
		familyOperations[NewRoom](models.Rooms, roomRow), rowOperations[RoomChange](models.Rooms, roomRow),
		familyOperations[NewTag](models.Tags, tagRow), rowOperations[TagChange](models.Tags, tagRow),
		familyOperations[NewFormat](models.Formats, formatRow), rowOperations[FormatChange](models.Formats, formatRow),
		familyOperations[NewLevel](models.Levels, levelRow), rowOperations[LevelChange](models.Levels, levelRow))
}

type listMetadataInput struct {
	InEvent
	Paging
}

type createMetadataInput[N any] struct {
	InEvent
	Body N
}

// familyOperations returns the operations on one family, whose rows are created from an N and read as an R.
func familyOperations[N interface{ input() models.NewMetadata }, R any](family models.Family,
	row func(*models.Metadata) R) []operation {
	page := func(rows []*models.Metadata, pagination store.Pagination, err error) (*list[R], error) {
		out := &list[R]{make([]R, len(rows)), pagination}
		for i, m := range rows {
			out.Results[i] = row(m)
		}
		return out, err
	}
	base, name := event+"/"+string(family), family.Singular()
	return []operation{
		{"list" + titled(string(family)), "GET", base, apikey.ReadMetadata, "List the event's " + string(family), nil,
			on(func(ctx context.Context, who *caller, in *listMetadataInput) (*list[R], error) {
				return page(who.ListMetadata(ctx, family, "", in.page()))
			})},
		{"search" + titled(string(family)), "POST", base, apikey.ReadMetadata,
			"Search the event's " + string(family) + " by name",
			nil,
			on(func(ctx context.Context, who *caller, in *textSearchInput) (*list[R], error) {
				search := who.ListMetadata
				if in.Body.near() {
					search = who.MetadataNear
				}
				return page(search(ctx, family, in.Body.text(), in.Body.or(in.Paging)))
			})},
		{"create" + titled(name), "POST", base + "/create", apikey.WriteMetadata, "Create a " + name, nil,
			on(func(ctx context.Context, who *caller, in *createMetadataInput[N]) (*R, error) {
				m, err := who.CreateMetadata(ctx, family, in.Body.input())
				if err != nil {
					return nil, err
				}
				return new(row(m)), nil
			})},
	}
}

// titled returns a word with a capital, as in the names of operations.
func titled(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

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

// ignore documents fields that an update accepts and ignores, so that what was read can be sent back.
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
	Reassign string `query:"reassign" doc:"The row that takes its place, or none; needed where anything uses the row. With none, the breaks of a room are deleted too"`
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
