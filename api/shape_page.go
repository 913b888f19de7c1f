package api

import (
	"bufio"
	"io"
	"slices"
	"strings"

	gojson "github.com/goccy/go-json"

	"lectern/models"
	"lectern/models/store"
)

// tellShape describes the results of a search: a session of which any field may be missing, with the additional fields
// that a search may request.
func (d *document) tellShape() {
	found := plain(d.schemas["Session"]).(node)
	properties := found["properties"].(node)
	delete(found, "required")
	properties["publish_gate"].(node)["description"] = "Only where a search expands publish_gate or has it in fields"
	d.schemas["FoundSession"] = found
	d.property("ListSession", "results")["items"] = node{"$ref": schemas + "FoundSession"}
	for _, field := range slices.Concat(embeddedIDs, embeddedNames) {
		of := node{"type": []any{"string", "null"}, "description": "Only where a search has it in fields"}
		if strings.HasSuffix(field.name, "s") {
			of["type"], of["items"] = "array", node{"type": "string"}
		}
		if slices.ContainsFunc(embeddedIDs, func(id sessionField) bool { return id.name == field.name }) {
			of["description"] = "Only where a search expands none or has it in fields"
		}
		properties[field.name] = of
	}
	const asked = "Only where a search expands scores or has it in fields"
	properties["score"] = node{"type": []any{"number", "null"}, "format": "double", "description": asked}
	properties["reviews"] = node{"type": "integer", "format": "int64", "description": asked}
	d.schemas["Excerpt"] = node{"type": "object", "required": []any{"text", "length"}, "properties": node{
		"text":   node{"type": "string", "description": "The first 200 characters of the description as text, on one line"},
		"length": node{"type": "integer", "format": "int64", "description": "How many characters it has in all"},
	}}
	properties["excerpt"] = node{"$ref": schemas + "Excerpt"}
}

// sessionPage is a page of sessions in the requested shape. The document describes it as list[*models.Session].
type sessionPage struct {
	Results    any              `json:"results"`
	Pagination store.Pagination `json:"pagination"`
}

// rawRows are results that are already encoded.
type rawRows [][]byte

func (f shape) page(sessions []*models.KeptSession, pagination store.Pagination) (*sessionPage, error) {
	if len(sessions) > 0 && sessions[0].JSON == nil {
		return &sessionPage{f.rows(sessionsOf(sessions)), pagination}, nil
	}
	rows, name := make(rawRows, len(sessions)), f.String()
	for i, s := range sessions {
		rows[i] = s.JSON
		if f == nil {
			continue
		}
		var err error
		if rows[i], err = s.Shaped(name, f.encode); err != nil {
			return nil, err
		}
	}
	return &sessionPage{rows, pagination}, nil
}

// String returns a text that differs for different shapes.
func (f shape) String() string {
	var out strings.Builder
	for _, field := range f {
		out.WriteString(field.name + " ")
	}
	return out.String()
}

// encode writes a page itself if its results are already encoded.
func (p *sessionPage) encode(w io.Writer) (done bool, err error) {
	rows, done := p.Results.(rawRows)
	if !done {
		return false, nil
	}
	pagination, err := gojson.Marshal(p.Pagination)
	if err != nil {
		return true, err
	}
	out := bufio.NewWriter(w)
	out.WriteString(`{"results":[`)
	for i, row := range rows {
		if i > 0 {
			out.WriteByte(',')
		}
		out.Write(row)
	}
	out.WriteString(`],"pagination":`)
	out.Write(pagination)
	out.WriteString("}\n")
	return true, out.Flush() // Flush returns any earlier error
}

// sessionsOf returns the sessions in kept.
func sessionsOf(kept []*models.KeptSession) []*models.Session {
	return store.Map(kept, func(s *models.KeptSession) *models.Session { return s.Session })
}

func (f shape) rows(sessions []*models.Session) []map[string]any {
	return store.Map(sessions, f.row)
}

func (f shape) row(s *models.Session) map[string]any {
	row := make(map[string]any, len(f))
	for _, field := range f {
		row[field.name] = field.of(s)
	}
	return row
}

func (f shape) encode(s *models.Session) ([]byte, error) { return gojson.Marshal(f.row(s)) }

// gated returns a page of sessions with their publish gates, which have the same order.
func (f shape) gated(sessions []*models.Session, gates []*models.PublishGate,
	pagination store.Pagination) *sessionPage {
	rows := f.rows(sessions)
	for i := range gates {
		rows[i][gateField.name] = gates[i]
	}
	return &sessionPage{rows, pagination}
}
