package lists

import (
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/csv"
	"lectern/models/reviews"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/toolbar"
	"lectern/web/admin/visit"
)

// export answers with all rows of a list as CSV. Only organizers get addresses, and the security log records that.
func export(v *visit.Visit, kind string) error {
	l, err := Valid(v, Of(v, kind))
	if err != nil {
		return err
	}
	columns, _, _ := columns(v, l)
	e, err := exporterOf(v, columns)
	if err != nil {
		return err
	}
	if e.addresses {
		v.NoteExport(v.Event.Slug+"-"+kind, e.head())
	}
	day := v.Options.Now().In(v.Event.Location()).Format("2006-01-02")
	return v.SendWritten(v.Event.Slug+"-"+kind+"-"+day+".csv", visit.CSVType, func(out io.Writer) error {
		return e.writeCSV(v, out, l)
	})
}

// exporter writes sessions as rows of a CSV file.
type exporter struct {
	columns []listColumn
	plain   []*models.SessionField
	zone    *time.Location
	rows    map[string]string // names of metadata rows by id
	own     map[string]int    // scores that this user gave
	sight   *reviews.Sight
	coming  map[string]string // whether people come, in words

	addresses bool // whether people's addresses are written besides their names
}

func exporterOf(v *visit.Visit, columns []toolbar.Column) (e *exporter, err error) {
	e = &exporter{zone: v.Event.Location(), sight: v.Sight(), addresses: v.May(staff.Organizer)}
	for _, c := range allColumns {
		if c.text != nil && slices.Contains(columns, c.Column) {
			e.columns = append(e.columns, c)
		}
	}
	for _, f := range EditedFields() {
		if f.IsPlain() {
			e.plain = append(e.plain, f)
		}
	}
	if e.own, err = ownScores(v, columns); err != nil {
		return nil, err
	}
	if shows(columns, "coming") {
		if e.coming, err = v.Programme.ComingOf(v.UserContext(), nil); err != nil {
			return nil, err
		}
	}
	e.rows, err = v.RowNames()
	return e, err
}

func (e *exporter) writeCSV(v *visit.Visit, out io.Writer, l List) error {
	w := csv.NewWriter(out)
	w.Write(e.head())
	if err := v.Programme.EachSession(v.UserContext(), l.Search(), func(rows []*models.Session) error {
		for _, s := range rows {
			if err := w.Write(e.row(s)); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	return w.Flush()
}

func (e *exporter) head() []string {
	head := []string{"Label", "Title"}
	for _, column := range e.columns {
		head = append(head, column.Name)
	}
	head = append(head, "Description", "Participants")
	if e.addresses {
		head = append(head, "E-mail addresses")
	}
	head = append(head, "Answers")
	for _, f := range e.plain {
		head = append(head, f.Label)
	}
	return head
}

func (e *exporter) row(s *models.Session) []string {
	row := []string{s.FriendlyID, s.Title}
	for _, column := range e.columns {
		row = append(row, column.text(e, s))
	}
	var addresses []string
	for _, person := range s.Participants {
		if person.Email != "" {
			addresses = append(addresses, person.Email)
		}
	}
	row = append(row, store.PlainText(s.Description), strings.Join(visit.Names(s.Participants), "; "))
	if e.addresses {
		row = append(row, strings.Join(addresses, "; "))
	}
	row = append(row, answersWords(e.sight.Shown(s.CustomFields)))
	for _, f := range e.plain {
		row = append(row, FieldText(f, s, e.zone))
	}
	return row
}

// textOf returns the function that writes a field of sessions as text.
func textOf(name string) func(*exporter, *models.Session) string {
	f := models.Field(name)
	return func(e *exporter, s *models.Session) string {
		switch value := f.Value(s).(type) {
		case nil:
			return ""
		case bool:
			return map[bool]string{true: "Yes", false: "No"}[value]
		case []string:
			return strings.Join(store.Map(value, func(id string) string { return e.rows[id] }), "; ")
		case string:
			if at, err := store.ParseTime(value); err == nil && f.Kind == models.TimeField {
				return e.moment(&at)
			}
		}
		return TextWords(f, FieldText(f, s, e.zone), e.rows, e.zone)
	}
}

func (e *exporter) moment(t *store.Time) string {
	if t == nil {
		return ""
	}
	return t.In(e.zone).Format("2006-01-02 15:04 MST")
}

func (e *exporter) score(s *models.Session) string {
	if s.Score == nil {
		return ""
	}
	return s.Score.String()
}

func (e *exporter) programme(s *models.Session) string {
	return map[bool]string{true: "Public", false: "Not public"}[s.IsPublic]
}

func (e *exporter) ownScore(s *models.Session) string {
	if own := e.own[s.ID]; own > 0 {
		return strconv.Itoa(own)
	}
	return ""
}
