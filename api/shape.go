package api

import (
	"context"
	"reflect"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/markup"
	"lectern/models/store"
)

// sessionField is a field of a session that a search may request.
type sessionField struct {
	name string
	from string // the field of a session that it is made from
	of   func(*models.Session) any
}

// embeddedIDs are the fields that replace embedded rows when a search expands none.
var embeddedIDs = []sessionField{
	{"track_id", "track", func(s *models.Session) any { return s.TrackID }},
	{"room_id", "room", func(s *models.Session) any { return s.RoomID }},
	{"format_id", "format", func(s *models.Session) any { return s.FormatID }},
	{"level_id", "level", func(s *models.Session) any { return s.LevelID }},
	{"tag_ids", "tags", func(s *models.Session) any {
		return store.Map(s.Tags, func(t *models.Tag) string { return t.ID })
	}},
	{"participant_ids", "participants", func(s *models.Session) any {
		return store.Map(s.Participants, func(p *models.Participant) string { return p.ContactID })
	}},
}

// embeddedNames are the fields with only the names of embedded rows.
var embeddedNames = []sessionField{
	{"track_name", "track", func(s *models.Session) any {
		return nameOf(s.Track, func(t *models.Track) string { return t.Name })
	}},
	{"room_name", "room", func(s *models.Session) any {
		return nameOf(s.Room, func(r *models.Room) string { return r.Name })
	}},
	{"format_name", "format", func(s *models.Session) any {
		return nameOf(s.Format, func(f *models.Format) string { return f.Name })
	}},
	{"level_name", "level", func(s *models.Session) any {
		return nameOf(s.Level, func(l *models.Level) string { return l.Name })
	}},
	{"tag_names", "tags", func(s *models.Session) any {
		return store.Map(s.Tags, func(t *models.Tag) string { return t.Name })
	}},
	{"participant_names", "participants", func(s *models.Session) any {
		return store.Map(s.Participants, func(p *models.Participant) string { return p.FullName })
	}},
}

// scores are the fields that need a scope of their own. As in reviews, they are empty for drafts.
var scores = []sessionField{
	{"score", "score", func(s *models.Session) any {
		if s.Status == models.Draft {
			return nil
		}
		return points(s.Score)
	}},
	{"reviews", "reviews", func(s *models.Session) any {
		if s.Status == models.Draft {
			return 0
		}
		return s.Reviews
	}},
}

// gateField is the publish gate, which is read for a whole page at once.
var gateField = sessionField{"publish_gate", "content_state", func(*models.Session) any { return nil }}

// excerptLength is the maximum length of an excerpt, in characters.
const excerptLength = 200

// excerptField is the beginning of the description as plain text, for lists.
var excerptField = sessionField{"excerpt", "description", func(s *models.Session) any {
	text, length := markup.Excerpt(s.Description, excerptLength)
	return node{"text": text, "length": length}
}}

// plainFields are the fields of a session by default.
var plainFields = func() (fields []sessionField) {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[models.Session]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name != "-" {
			fields = append(fields, sessionField{name, name, func(s *models.Session) any {
				return reflect.ValueOf(s).Elem().FieldByIndex(f.Index).Interface()
			}})
		}
	}
	return fields
}()

// allFields are all that a search may request.
var allFields = slices.Concat(plainFields, embeddedIDs, embeddedNames, scores, []sessionField{gateField, excerptField})

func nameOf[T any](row *T, name func(*T) string) any {
	if row == nil {
		return nil
	}
	return name(row)
}

// shape lists the fields that a search answers; nil for the default ones.
type shape []sessionField

// shapeOf returns the fields that a search requests by name, else by what it expands.
func shapeOf(fields []string, expand any) (shape, error) {
	fields = slices.DeleteFunc(slices.Clone(fields), func(name string) bool { return name == "" })
	if len(fields) > 0 {
		return chosen(fields)
	}
	bare, scored, gated := expands(expand, "none"), expands(expand, "scores"), expands(expand, gateField.name)
	if !bare && !scored && !gated {
		return nil, nil
	}
	out := shape(slices.Clone(plainFields))
	if bare {
		for _, id := range embeddedIDs {
			out[slices.IndexFunc(out, func(f sessionField) bool { return f.name == id.from })] = id
		}
	}
	if scored {
		out = append(out, scores...)
	}
	if gated {
		out = append(out, gateField)
	}
	return out, nil
}

// expands reports whether a search expands something: given as a word, several words with commas, or a list.
func expands(expand any, what string) bool {
	switch e := expand.(type) {
	case string:
		return slices.Contains(strings.Split(e, ","), what)
	case []any:
		return slices.Contains(e, any(what))
	}
	return false
}

// chosen returns the fields with these names. It answers Invalid for an unknown name.
func chosen(names []string) (out shape, err error) {
	for _, name := range names {
		name = strings.TrimSpace(name)
		i := slices.IndexFunc(allFields, func(f sessionField) bool { return f.name == name })
		if i < 0 {
			all := store.Map(allFields, func(f sessionField) string { return f.name })
			return nil, invalid(store.FieldError{Field: "fields",
				Message: "has " + clip(name) + ", which is none of " + strings.Join(all, ", ")})
		}
		out = append(out, allFields[i])
	}
	return out, nil
}

// has reports whether one of these fields is requested.
func (f shape) has(names ...string) bool {
	return slices.ContainsFunc(f, func(field sessionField) bool { return slices.Contains(names, field.name) })
}

// spared returns what need not be read from the database.
func (f shape) spared() models.Spared {
	if f == nil {
		return models.Spared{Columns: models.Unkept}
	}
	spared := models.Spared{
		Participants: !f.reads("participants"), Composition: !f.reads("composition_status"), Tags: !f.reads("tags"),
		Rows: !slices.ContainsFunc(f, func(field sessionField) bool {
			return !strings.HasSuffix(field.name, "_id") && slices.Contains([]string{"track", "room", "format", "level"}, field.from)
		}),
	}
	for _, column := range append([]string{"description", "custom_fields"}, models.Unkept...) {
		if !f.reads(column) {
			spared.Columns = append(spared.Columns, column)
		}
	}
	return spared
}

// reads reports whether a requested field is made from one of these.
func (f shape) reads(names ...string) bool {
	return slices.ContainsFunc(f, func(field sessionField) bool { return slices.Contains(names, field.from) })
}

// may answers Forbidden for requested fields that the key may not read.
func (f shape) may(ctx context.Context, who *caller) error {
	if f.has("score", "reviews") && !who.key.Has(apikey.ReadReviews) {
		return who.lacks(ctx, apikey.ReadReviews)
	}
	return nil
}
