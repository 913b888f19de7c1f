package api

import (
	"bufio"
	"context"
	"io"
	"reflect"
	"slices"
	"strings"

	gojson "github.com/goccy/go-json"

	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/store"
)

// sessionField is a field of a session that a search may ask for.
type sessionField struct {
	name string
	of   func(*models.Session) any
}

// embeddedIDs are the fields that stand for what is embedded, where a search asks for none of it.
var embeddedIDs = []struct {
	sessionField
	embedded string
}{
	{sessionField{"track_id", func(s *models.Session) any { return s.TrackID }}, "track"},
	{sessionField{"room_id", func(s *models.Session) any { return s.RoomID }}, "room"},
	{sessionField{"format_id", func(s *models.Session) any { return s.FormatID }}, "format"},
	{sessionField{"level_id", func(s *models.Session) any { return s.LevelID }}, "level"},
	{sessionField{"tag_ids", func(s *models.Session) any {
		return idsOf(s.Tags, func(t *models.Tag) string { return t.ID })
	}}, "tags"},
	{sessionField{"participant_ids", func(s *models.Session) any {
		return idsOf(s.Participants, func(p *models.Participant) string { return p.ContactID })
	}}, "participants"},
}

// scores are the fields that need a scope of their own. Of drafts they tell nothing, as reviews do.
var scores = []sessionField{
	{"score", func(s *models.Session) any {
		if s.Status == models.Draft {
			return nil
		}
		return points(s.Score)
	}},
	{"reviews", func(s *models.Session) any {
		if s.Status == models.Draft {
			return 0
		}
		return s.Reviews
	}},
}

// gateField is the publish gate, which is read for a whole page at once.
var gateField = sessionField{"publish_gate", func(*models.Session) any { return nil }}

// plainFields are those of a session as it is read without a word on it.
var plainFields = func() (fields []sessionField) {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[models.Session]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name != "-" {
			fields = append(fields, sessionField{name, func(s *models.Session) any {
				return reflect.ValueOf(s).Elem().FieldByIndex(f.Index).Interface()
			}})
		}
	}
	return fields
}()

func idsOf[T any](rows []T, id func(T) string) []string {
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = id(row)
	}
	return ids
}

// shape are the fields with which a search answers; nil for a session as it is.
type shape []sessionField

// shapeOf is what a search asks for by its fields, else by what it expands.
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
			out[slices.IndexFunc(out, func(f sessionField) bool { return f.name == id.embedded })] = id.sessionField
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

// expands tells whether a search expands something: by a word, several with commas, or a list.
func expands(expand any, what string) bool {
	switch e := expand.(type) {
	case string:
		return slices.Contains(strings.Split(e, ","), what)
	case []any:
		return slices.Contains(e, any(what))
	}
	return false
}

// chosen are the fields of these names. It answers Invalid for a name that there is not.
func chosen(names []string) (out shape, err error) {
	known := slices.Clone(plainFields)
	for _, id := range embeddedIDs {
		known = append(known, id.sessionField)
	}
	known = append(append(known, scores...), gateField)
	for _, name := range names {
		name = strings.TrimSpace(name)
		i := slices.IndexFunc(known, func(f sessionField) bool { return f.name == name })
		if i < 0 {
			all := make([]string, len(known))
			for i, f := range known {
				all[i] = f.name
			}
			return nil, invalid(store.FieldError{Field: "fields",
				Message: "has " + clip(name) + ", which is none of " + strings.Join(all, ", ")})
		}
		out = append(out, known[i])
	}
	return out, nil
}

// has reports whether one of these fields is asked for.
func (f shape) has(names ...string) bool {
	return slices.ContainsFunc(f, func(field sessionField) bool { return slices.Contains(names, field.name) })
}

// spared is what need not be read.
func (f shape) spared() models.Spared {
	if f == nil {
		return models.Spared{Columns: models.Unkept}
	}
	spared := models.Spared{
		Participants: !f.has("participants", "participant_ids"), Composition: !f.has("composition_status"),
		Tags: !f.has("tags", "tag_ids"), Rows: !f.has("track", "room", "format", "level"),
	}
	for _, column := range append([]string{"description", "custom_fields"}, models.Unkept...) {
		decidesGate := column == "content_state" && f.has(gateField.name)
		if !f.has(column) && !decidesGate {
			spared.Columns = append(spared.Columns, column)
		}
	}
	return spared
}

// may answers Forbidden for fields that the key may not read.
func (f shape) may(ctx context.Context, who *caller) error {
	if f.has("score", "reviews") && !who.key.Has(apikey.ReadReviews) {
		return who.lacks(ctx, apikey.ReadReviews)
	}
	return nil
}

// sessionPage is a page of sessions in their shape. The description has it as list[*models.Session].
type sessionPage struct {
	Results    any              `json:"results"`
	Pagination store.Pagination `json:"pagination"`
}

// keptRows are results of which each is made of JSON that is kept: of these fields, by their places, or of all.
type keptRows struct {
	sessions []*models.KeptSession
	fields   []int
}

func (f shape) page(sessions []*models.KeptSession, pagination store.Pagination) *sessionPage {
	isKept := len(sessions) == 0 || sessions[0].JSON != nil
	if fields, isPlain := f.places(); isPlain && isKept {
		return &sessionPage{keptRows{sessions, fields}, pagination}
	}
	return &sessionPage{f.rows(sessionsOf(sessions)), pagination}
}

// places are where the fields stand in the JSON of a session, if all do.
func (f shape) places() (places []int, isPlain bool) {
	for _, field := range f {
		i := slices.IndexFunc(plainFields, func(plain sessionField) bool { return plain.name == field.name })
		if i < 0 {
			return nil, false
		}
		if !slices.Contains(places, i) {
			places = append(places, i)
		}
	}
	return places, true
}

// encode writes a page in place of an encoder, if its results are kept.
func (p *sessionPage) encode(w io.Writer) (done bool, err error) {
	kept, done := p.Results.(keptRows)
	if !done {
		return false, nil
	}
	pagination, err := gojson.Marshal(p.Pagination)
	if err != nil {
		return true, err
	}
	out := bufio.NewWriter(w)
	out.WriteString(`{"results":[`)
	for i, s := range kept.sessions {
		if i > 0 {
			out.WriteByte(',')
		}
		kept.encode(out, s)
	}
	out.WriteString(`],"pagination":`)
	out.Write(pagination)
	out.WriteString("}\n")
	return true, out.Flush() // which tells what went wrong
}

func (k keptRows) encode(out *bufio.Writer, s *models.KeptSession) {
	if k.fields == nil {
		out.Write(s.JSON)
		return
	}
	for i, field := range k.fields {
		out.WriteByte("{,"[min(i, 1)])
		out.Write(s.JSONField(field))
	}
	out.WriteByte('}')
}

// sessionsOf are kept sessions as others are.
func sessionsOf(kept []*models.KeptSession) []*models.Session {
	sessions := make([]*models.Session, len(kept))
	for i, s := range kept {
		sessions[i] = s.Session
	}
	return sessions
}

func (f shape) rows(sessions []*models.Session) []map[string]any {
	rows := make([]map[string]any, len(sessions))
	for i, s := range sessions {
		rows[i] = make(map[string]any, len(f))
		for _, field := range f {
			rows[i][field.name] = field.of(s)
		}
	}
	return rows
}

// gated is a page of sessions with their publish gates, which are in their order.
func (f shape) gated(sessions []*models.Session, gates []*models.PublishGate,
	pagination store.Pagination) *sessionPage {
	rows := f.rows(sessions)
	for i := range gates {
		rows[i][gateField.name] = gates[i]
	}
	return &sessionPage{rows, pagination}
}
