package archive

import (
	"errors"
	"io"
	"strconv"
	"strings"

	"gorm.io/gorm"

	"lectern/models/csv"
)

// called maps the ids of records to names for people.
type called map[string]string

// naming are the tables whose records have names, with the SQL for the name.
var naming = []struct{ table, name string }{
	{"users", "name"}, {"files", "name"}, {"contacts", "full_name"}, {"sourcing_stages", "name"}, {"metadata", "name"},
	{"call_parts", "title"}, {"call_questions", "label"}, {"call_codes", "code"}, {"review_rounds", "name"},
	{"tasks", "title"}, {"sessions", "friendly_id || ' ' || title"}, {"agenda_versions", "name"}, {"mailings", "subject"},
}

// namesOf reads the names of records.
func namesOf(db *gorm.DB, whose scope) (called, error) {
	names := called{}
	for _, of := range naming {
		var rows []struct{ ID, Name string }
		err := whose.rows(db.Table(of.table), tableOf(of.table)).Select("id, " + of.name + " AS name").Scan(&rows).Error
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			names[row.ID] = row.Name
		}
	}
	return names, nil
}

// writeSheet writes rows for a spreadsheet: their columns, with the record's name after each id.
func (n called) writeSheet(w io.Writer, columns []column, each func(func(row) error) (int, error)) (int, error) {
	sheet := csv.NewWriter(w)
	var head []string
	named := make([]bool, len(columns))
	for i, c := range columns {
		name, is := strings.CutSuffix(c.name, "_id")
		named[i] = is && at(columns, name) < 0
		if head = append(head, c.name); named[i] {
			head = append(head, name)
		}
	}
	sheet.Write(head)
	rows, err := each(func(one row) error {
		cells := make([]string, 0, len(head))
		for i, v := range one {
			cell := cellOf(v)
			if cells = append(cells, cell); named[i] {
				cells = append(cells, n[cell])
			}
		}
		return sheet.Write(cells)
	})
	return rows, errors.Join(err, sheet.Flush())
}

func cellOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}
