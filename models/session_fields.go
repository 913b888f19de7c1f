package models

import (
	"encoding/json"
	"reflect"
	"slices"

	"lectern/models/store"
)

// SessionField is one field of a session. Queries, saving, applying an input, activity, the API's list of read-only
// fields, and the pages that edit, compare and export all follow the table SessionFields.
type SessionField struct {
	Name   string // of the column and in the API
	Label  string // a noun; "" for a field that no page names
	Kind   FieldKind
	Family Family // the family of the rows that it refers to

	// At points to the field in the record; nil for a field in rows of its own.
	At func(*Session) any
	// Input points to the field in a change; nil for a field that a change cannot have.
	Input func(*SessionChange) any

	use fieldUse
	// internal marks a field that the API does not show: a change of it alone moves no token and emits nothing.
	internal bool

	fact  func(*Session) any // the value as activity keeps it; nil for a field that is not compared
	clean func(*SessionChange, MetadataSet) error
	apply func(*Session, *SessionChange, MetadataSet)
}

// FieldKind says how a field's value is read and shown.
type FieldKind int

const (
	TextField FieldKind = iota
	HTMLField
	NumberField
	FlagField
	TimeField
	StatusField
	RowField // the id of a row of the family
	RowsField
	PeopleField
	AnswersField
)

type fieldUse int

const (
	read    fieldUse = 1 << iota // a column that queries read
	saved                        // a column that a change writes
	ignored                      // the API returns it, and ignores it in a change
	derived                      // computed by Index from the text and the people
)

// SessionFields are all fields of a session, in the order in which pages show them.
var SessionFields = sound([]*SessionField{
	required(SessionField{Name: "title", Label: "Title"}, func(s *Session) *string { return &s.Title },
		func(c *SessionChange) **string { return &c.Title }, limited(store.CleanName, store.MaxTitle)),
	required(SessionField{Name: "status", Label: "Status", Kind: StatusField},
		func(s *Session) *Status { return &s.Status }, func(c *SessionChange) **Status { return &c.Status }, cleanStatus),
	{Name: "is_public", Label: "Public", Kind: FlagField, use: read | saved,
		At: func(s *Session) any { return &s.IsPublic }, fact: func(s *Session) any { return s.IsPublic },
		Input: func(c *SessionChange) any { return &c.IsPublic }}, // applied by Publish
	{Name: "content_state", Label: "Content", Kind: StatusField, use: read | saved, internal: true,
		At: func(s *Session) any { return &s.ContentState }, fact: func(s *Session) any { return s.ContentState },
		Input: func(c *SessionChange) any { return &c.ContentState }}, // applied by setContent
	rowField(Tracks, "Track", func(s *Session) **string { return &s.TrackID },
		func(c *SessionChange) *store.Optional[string] { return &c.TrackID }),
	rowField(Rooms, "Room", func(s *Session) **string { return &s.RoomID },
		func(c *SessionChange) *store.Optional[string] { return &c.RoomID }),
	nullable(SessionField{Name: "starts_at", Label: "Start", Kind: TimeField},
		func(s *Session) **store.Time { return &s.StartsAt },
		func(c *SessionChange) *store.Optional[store.Time] { return &c.StartsAt }, nil),
	nullable(SessionField{Name: "ends_at", Label: "End", Kind: TimeField},
		func(s *Session) **store.Time { return &s.EndsAt },
		func(c *SessionChange) *store.Optional[store.Time] { return &c.EndsAt }, nil),
	rowField(Formats, "Format", func(s *Session) **string { return &s.FormatID },
		func(c *SessionChange) *store.Optional[string] { return &c.FormatID }),
	rowField(Levels, "Level", func(s *Session) **string { return &s.LevelID },
		func(c *SessionChange) *store.Optional[string] { return &c.LevelID }),
	{Name: "tag_ids", Label: "Tags", Kind: RowsField, Family: Tags,
		fact: func(s *Session) any { return tagIDs(s) }, Input: func(c *SessionChange) any { return &c.TagIDs },
		clean: (*SessionChange).cleanTags, apply: (*Session).applyTags},
	{Name: "participants", Label: "People", Kind: PeopleField, use: ignored,
		At:    func(s *Session) any { return &s.Participants },
		fact:  func(s *Session) any { return peopleFacts(s.Participants) },
		Input: func(c *SessionChange) any { return &c.People }}, // set by then to locked people
	required(SessionField{Name: "description", Label: "Description", Kind: HTMLField},
		func(s *Session) *string { return &s.Description },
		func(c *SessionChange) **string { return &c.Description }, limited(store.CleanHTML, store.MaxDescription)),
	nullable(SessionField{Name: "capacity", Label: "Capacity", Kind: NumberField},
		func(s *Session) **int { return &s.Capacity },
		func(c *SessionChange) *store.Optional[int] { return &c.Capacity }, cleanCapacity),
	required(SessionField{Name: "is_plenary", Label: "Plenary", Kind: FlagField},
		func(s *Session) *bool { return &s.IsPlenary },
		func(c *SessionChange) **bool { return &c.IsPlenary }, cleanFlag),
	{Name: "custom_fields", Label: "Answers", Kind: AnswersField, use: read | saved,
		At: func(s *Session) any { return &s.CustomFields }, fact: func(s *Session) any { return s.CustomFields },
		Input: func(c *SessionChange) any { return &c.CustomFields },
		clean: (*SessionChange).cleanAnswers, apply: (*Session).applyAnswers},

	{Name: "id", use: read | ignored, At: func(s *Session) any { return &s.ID }},
	{Name: "event_id", use: read | ignored, At: func(s *Session) any { return &s.EventID }},
	{Name: "number", use: read, At: func(s *Session) any { return &s.Number }},
	{Name: "friendly_id", use: read | ignored, At: func(s *Session) any { return &s.FriendlyID }},
	{Name: "is_abstract", use: read, At: func(s *Session) any { return &s.IsAbstract },
		Input: func(c *SessionChange) any { return &c.IsAbstract }},
	{Name: "composed_into", use: read | saved, At: func(s *Session) any { return &s.ComposedInto }},
	{Name: "is_linked", use: read | saved, At: func(s *Session) any { return &s.IsLinked }},
	{Name: "part_order", use: read | saved, At: func(s *Session) any { return &s.PartOrder }},
	{Name: "part_minutes", use: read | saved, At: func(s *Session) any { return &s.PartMinutes }},
	{Name: "parts_minutes", At: func(s *Session) any { return &s.PartsMinutes }}, // no column: only the agenda selects it
	{Name: "created_at", use: read | ignored, At: func(s *Session) any { return &s.CreatedAt }},
	{Name: "updated_at", use: read | saved, At: func(s *Session) any { return &s.UpdatedAt },
		Input: func(c *SessionChange) any { return &c.UpdatedAt }},
	{Name: "deleted_at", use: read | saved | ignored, At: func(s *Session) any { return &s.DeletedAt }},
	{Name: "published_at", use: read | saved, At: func(s *Session) any { return &s.PublishedAt }}, // set by update
	{Name: "score", use: read, At: func(s *Session) any { return &s.Score }},
	{Name: "reviews", use: read, At: func(s *Session) any { return &s.Reviews }},
	// Search, the longest column of all, is only matched and written, like the two others here.
	{Name: "title_key", use: saved | derived, At: func(s *Session) any { return &s.TitleKey }},
	{Name: "search", use: saved | derived, At: func(s *Session) any { return &s.Search }},
	{Name: "is_alone", use: saved | derived, At: func(s *Session) any { return &s.IsAlone }},
	// Embedded rows have no column.
	{Name: "track", use: ignored, At: func(s *Session) any { return &s.Track }},
	{Name: "room", use: ignored, At: func(s *Session) any { return &s.Room }},
	{Name: "format", use: ignored, At: func(s *Session) any { return &s.Format }},
	{Name: "level", use: ignored, At: func(s *Session) any { return &s.Level }},
	{Name: "tags", use: ignored, At: func(s *Session) any { return &s.Tags }},
	{Name: "composition_status", use: ignored, At: func(s *Session) any { return &s.CompositionStatus }},
	{Name: "admin_url", use: ignored, At: func(s *Session) any { return &s.AdminURL }},
})

// sound panics at start if the table is faulty: a field that is there twice, has a label without a value, or is cleaned
// but never applied.
func sound(table []*SessionField) []*SessionField {
	for i, f := range table {
		twice := slices.ContainsFunc(table[:i], func(of *SessionField) bool { return of.Name == f.Name })
		if twice || (f.fact != nil) != (f.Label != "") || (f.clean != nil) != (f.apply != nil) ||
			f.apply != nil && f.Input == nil {
			panic("models: the field " + f.Name + " of sessions is there twice, or only by half")
		}
	}
	return table
}

var (
	readFields, readColumns = fieldsFor(read)
	savedFields, _          = fieldsFor(saved)
)

// changedColumns returns the columns in which any of the sessions differs from before, and the values of all sessions
// in these columns, by id, as a JSON array. Indexes on other columns need not be updated.
func changedColumns(rows []change) (columns []string, values string, err error) {
	indexed := slices.ContainsFunc(rows, func(c change) bool {
		return !c.before.sameText(c.after) || !samePeople(c.before.Participants, c.after.Participants)
	})
	all := make([]map[string]any, len(rows))
	for i, c := range rows {
		if all[i] = map[string]any{"id": c.after.ID}; indexed {
			c.after.Index()
		}
	}
	for _, f := range savedFields {
		differs := func(c change) bool { return !reflect.DeepEqual(f.At(c.before), f.At(c.after)) }
		if f.use&derived != 0 && !indexed || f.use&derived == 0 && !slices.ContainsFunc(rows, differs) {
			continue
		}
		columns = append(columns, f.Name)
		for i, c := range rows {
			all[i][f.Name] = f.At(c.after)
		}
	}
	text, err := json.Marshal(all)
	return columns, string(text), err
}

// fieldsFor returns the fields of a use and their names.
func fieldsFor(use fieldUse) (fields []*SessionField, names []string) {
	for _, f := range SessionFields {
		if f.use&use != 0 {
			fields, names = append(fields, f), append(names, f.Name)
		}
	}
	return fields, names
}

// Field returns the field with this name, which must exist.
func Field(name string) *SessionField {
	return SessionFields[slices.IndexFunc(SessionFields, func(f *SessionField) bool { return f.Name == name })]
}

// IsEdited reports whether a change can set the field.
func (f *SessionField) IsEdited() bool { return f.apply != nil }

// IsReadOnly reports whether the API returns the field but ignores it in a change.
func (f *SessionField) IsReadOnly() bool { return f.use&ignored != 0 }

// IsPlain reports whether pages show the field as plain text.
func (f *SessionField) IsPlain() bool {
	return f.IsEdited() && f.Kind == TextField && f.Name != "title"
}

// Value returns the session's value: a string, Status, int, bool, ids of rows, Answers, a moment as the API writes it,
// or nil.
func (f *SessionField) Value(s *Session) any { return f.fact(s) }

// rule normalises a value, or answers Invalid for one that breaks the rule.
type rule[T any] func(field string, value T, refs MetadataSet) (T, error)

// required declares a field that always has a value.
func required[T any](f SessionField, at func(*Session) *T, in func(*SessionChange) **T, clean rule[T]) *SessionField {
	f.use = read | saved
	f.At, f.fact = func(s *Session) any { return at(s) }, func(s *Session) any { return *at(s) }
	f.Input = func(c *SessionChange) any { return in(c) }
	f.clean = func(c *SessionChange, refs MetadataSet) error {
		if *in(c) == nil {
			return nil
		}
		value, err := clean(f.Name, **in(c), refs)
		*in(c) = &value
		return err
	}
	f.apply = func(s *Session, c *SessionChange, _ MetadataSet) {
		if value := *in(c); value != nil {
			*at(s) = *value
		}
	}
	return &f
}

// nullable declares a field that may be empty; an empty text is null.
func nullable[T comparable](f SessionField, at func(*Session) **T, in func(*SessionChange) *store.Optional[T],
	clean rule[T]) *SessionField {
	f.use = read | saved
	f.At, f.fact = func(s *Session) any { return at(s) }, func(s *Session) any { return store.Fact(*at(s)) }
	f.Input = func(c *SessionChange) any { return in(c) }
	f.clean = func(c *SessionChange, refs MetadataSet) error {
		if in(c).Value == nil || clean == nil {
			return nil
		}
		value, err := clean(f.Name, *in(c).Value, refs)
		if in(c).Value = &value; any(value) == "" {
			in(c).Value = nil
		}
		return err
	}
	f.apply = func(s *Session, c *SessionChange, _ MetadataSet) { *at(s) = in(c).Or(*at(s)) }
	return &f
}

// limited returns the rule of a text with a limit in characters.
func limited(clean func(field, text string, limit int) (string, error), limit int) rule[string] {
	return func(field, value string, _ MetadataSet) (string, error) { return clean(field, value, limit) }
}

// rowField declares a field that refers to a metadata row by id.
func rowField(family Family, label string, at func(*Session) **string,
	in func(*SessionChange) *store.Optional[string]) *SessionField {
	name := family.Singular() + "_id"
	return nullable(SessionField{Name: name, Label: label, Kind: RowField, Family: family}, at, in,
		func(field, id string, refs MetadataSet) (string, error) { return id, refs.check(family, field, &id) })
}

// Facts returns the fields that a change can set, by the names of the API.
func (s *Session) Facts() map[string]any {
	facts := make(map[string]any, len(SessionFields))
	for _, f := range SessionFields {
		if f.fact != nil {
			facts[f.Name] = f.fact(s)
		}
	}
	return facts
}
