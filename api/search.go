package api

import (
	"context"
	"encoding/json"

	"github.com/danielgtaylor/huma/v2"

	"lectern/models"
	"lectern/models/store"
)

type searchSessionsInput struct {
	InEvent
	Paging
	Fields []string `query:"fields" nullable:"false" maxItems:"100" doc:"As in the body, with commas between"`
	Body   SessionSearch
}

// SessionSearch is the body of a session search.
type SessionSearch struct {
	Filters *SessionFilters `json:"filters,omitempty"`
	Sort    *SessionSort    `json:"sort,omitempty"`
	Expand  any             `json:"expand,omitempty" doc:"none = track_id, room_id, format_id, level_id, tag_ids and participant_ids stand in place of what is embedded; scores = the mean score and the number of reviews too, with the scope read:reviews; publish_gate = whether each may be published, and what holds it; anything else changes nothing"`
	Fields  []string        `json:"fields,omitempty" required:"false" maxItems:"100" doc:"The answer has these fields alone, even where others are described as always there: fields of a session, the ids that expand none has, names alone (track_name, tag_names and the like), score, reviews, publish_gate, and excerpt, the beginning of the description as text. What is not asked for is not read"`
	BodyPaging
}

// SessionSort is the order of the results; without it they are sorted by updatedAt, newest first.
type SessionSort struct {
	Order *string `json:"order,omitempty" enum:"createdAt,updatedAt,startsAt,title,friendlyId,status" doc:"What to sort by, default updatedAt"`
	Sort  *string `json:"sort,omitempty" enum:"asc,desc" doc:"Direction, default desc; unscheduled sessions come last in both"`
}

// SessionFilters narrow the results; all given filters must match.
type SessionFilters struct {
	Status         oneOrMany[models.Status] `json:"status,omitempty" required:"false" doc:"Any of these statuses"`
	IsAbstract     *bool                    `json:"is_abstract,omitempty" doc:"true = submissions, false = programme sessions"`
	Text           *string                  `json:"text,omitempty" maxLength:"200" doc:"Words that must all match, in any order: each is part of the title, the description's text, the friendly id or a participant's name, whatever the case and accents. Words in double quotes stay together. A friendly id finds its record, first when no sort is given"`
	IncludeDeleted *bool                    `json:"include_deleted,omitempty" doc:"Also soft-deleted sessions"`
	Track          oneOrMany[string]        `json:"track,omitempty" required:"false" doc:"Any of these tracks, by id or name, whatever the case and accents"`
	TrackID        oneOrMany[string]        `json:"track_id,omitempty" required:"false" doc:"Any of these tracks"`
	Room           oneOrMany[string]        `json:"room,omitempty" required:"false" doc:"Any of these rooms, by id or name, whatever the case and accents"`
	RoomID         oneOrMany[string]        `json:"room_id,omitempty" required:"false" doc:"Any of these rooms"`
	Format         oneOrMany[string]        `json:"format,omitempty" required:"false" doc:"Any of these formats, by id or name, whatever the case and accents"`
	FormatID       oneOrMany[string]        `json:"format_id,omitempty" required:"false" doc:"Any of these formats"`
	Level          oneOrMany[string]        `json:"level,omitempty" required:"false" doc:"Any of these levels, by id or name, whatever the case and accents"`
	LevelID        oneOrMany[string]        `json:"level_id,omitempty" required:"false" doc:"Any of these levels"`
	Tag            oneOrMany[string]        `json:"tag,omitempty" required:"false" doc:"Any of these tags, by id or name, whatever the case and accents"`
	TagID          oneOrMany[string]        `json:"tag_id,omitempty" required:"false" doc:"Any of these tags"`
	ComposedInto   *string                  `json:"composed_into,omitempty" doc:"The parts of this session, by its id or label: the submissions that it is composed of"`
	Without        []string                 `json:"without,omitempty" required:"false" maxItems:"5" enum:"track,room,format,level,tag" doc:"Has none of these"`
	Needs          *models.Need             `json:"needs,omitempty" enum:"away,room,person,seats,plenary,dropped,accept_queue,decline_queue,letter,session,place,people" doc:"What staff have to do about it: room, person = its room or somebody on it is taken twice; away = somebody on it is away; seats = its room has too few; plenary = it is beside what is plenary, or is plenary itself with something beside it; dropped = it is public, and a submission of it was declined or withdrawn, until that one is taken out or the session unpublished; accept_queue, decline_queue = its acceptance or decline waits to be committed; letter = a submission that was accepted, and its people were not told; session = a submission that was accepted, and is in no session; place = it lacks a room or a start; people = it lacks participants"`
	IsPublic       *bool                    `json:"is_public,omitempty"`
	Scheduled      *bool                    `json:"scheduled,omitempty" doc:"true = has a start"`
	ContactID      oneOrMany[string]        `json:"contact_id,omitempty" required:"false" doc:"Any of these people is a participant"`
	Speaker        *string                  `json:"speaker,omitempty" maxLength:"200" doc:"A participant, by contact id or by words of the name"`
	Day            *string                  `json:"day,omitempty" doc:"Starts on this date, YYYY-MM-DD, in the event's time zone"`
	At             *store.Time              `json:"at,omitempty" doc:"Takes place at this moment; a session without an end does so at its start alone"`
	StartsAfter    *store.Time              `json:"starts_after,omitempty"`
	StartsBefore   *store.Time              `json:"starts_before,omitempty"`
	CreatedAt      *TimeRange               `json:"created_at,omitempty"`
	UpdatedAt      *TimeRange               `json:"updated_at,omitempty"`

	// The spellings that another service's clients use.
	IsAbstractAlias *bool      `json:"isAbstract,omitempty" doc:"Same as is_abstract"`
	CreatedAtAlias  *TimeRange `json:"createdAt,omitempty" doc:"Same as created_at"`
	UpdatedAtAlias  *TimeRange `json:"updatedAt,omitempty" doc:"Same as updated_at"`
}

// TimeRange is a range of time, whose ends are both optional and exclusive.
type TimeRange struct {
	After  *store.Time `json:"after,omitempty"`
	Before *store.Time `json:"before,omitempty"`
}

func (a *API) searchSessions(ctx context.Context, who *caller, in *searchSessionsInput) (*sessionPage, error) {
	shape, err := shapeOf(append(in.Fields, in.Body.Fields...), in.Body.Expand)
	if err != nil {
		return nil, err
	}
	if err := shape.may(ctx, who); err != nil {
		return nil, err
	}
	q := in.Body.query(in.Paging)
	q.Spared = shape.spared()
	sessions, pagination, err := who.SearchKept(ctx, q)
	if err != nil {
		return nil, err
	}
	if !shape.has(gateField.name) {
		return shape.page(sessions, pagination)
	}
	gates, err := who.Gates(ctx, sessionsOf(sessions)...)
	return shape.gated(sessionsOf(sessions), gates, pagination), err
}

func (b *SessionSearch) query(paging Paging) models.SessionSearch {
	q := models.SessionSearch{Page: b.or(paging)}
	if s := b.Sort; s != nil {
		q.Ascending = s.Sort != nil && *s.Sort == "asc"
		if s.Order != nil {
			q.Sort = models.SortKey(*s.Order)
		}
	}
	if f := b.Filters; f != nil {
		q.Filter = f.filter()
	}
	return q
}

func (f *SessionFilters) filter() models.SessionFilter {
	out := models.SessionFilter{
		Statuses: f.Status, IsAbstract: either(f.IsAbstract, f.IsAbstractAlias), IsPublic: f.IsPublic, Scheduled: f.Scheduled,
		IncludeDeleted: f.IncludeDeleted != nil && *f.IncludeDeleted,
		Tracks:         f.Track, TrackIDs: f.TrackID, Rooms: f.Room, RoomIDs: f.RoomID, FormatIDs: f.FormatID,
		LevelIDs: f.LevelID, TagIDs: f.TagID, ContactIDs: f.ContactID, Formats: f.Format, Levels: f.Level, Tags: f.Tag,
		ComposedInto: textOf(f.ComposedInto), Speaker: textOf(f.Speaker), Text: textOf(f.Text),
		OnDay: textOf(f.Day), RunsAt: f.At,
		StartsAfter: f.StartsAfter, StartsBefore: f.StartsBefore,
	}
	for _, name := range f.Without {
		out.Without = append(out.Without, models.Family(name+"s"))
	}
	if f.Needs != nil {
		out.Needs = *f.Needs
	}
	if r := either(f.CreatedAt, f.CreatedAtAlias); r != nil {
		out.CreatedAfter, out.CreatedBefore = r.After, r.Before
	}
	if r := either(f.UpdatedAt, f.UpdatedAtAlias); r != nil {
		out.UpdatedAfter, out.UpdatedBefore = r.After, r.Before
	}
	return out
}

func textOf(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

func either[T any](a, b *T) *T {
	if a != nil {
		return a
	}
	return b
}

// oneOrMany is read from a string or an array of strings.
type oneOrMany[T ~string] []T

func (o *oneOrMany[T]) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		*o = make(oneOrMany[T], 1)
		return json.Unmarshal(b, &(*o)[0])
	}
	return json.Unmarshal(b, (*[]T)(o))
}

// Schema describes both forms.
func (oneOrMany[T]) Schema(huma.Registry) *huma.Schema {
	one := &huma.Schema{Type: huma.TypeString}
	if _, isStatus := any(T("")).(models.Status); isStatus {
		for _, status := range models.Statuses {
			one.Enum = append(one.Enum, string(status))
		}
	}
	return &huma.Schema{OneOf: []*huma.Schema{one, {Type: huma.TypeArray, Items: one, MaxItems: new(store.MaxTags)}}}
}
