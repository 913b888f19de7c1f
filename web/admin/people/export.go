package people

import (
	"io"
	"strings"

	"lectern/models"
	"lectern/models/csv"
	"lectern/models/people"
	"lectern/web/admin/visit"
)

// csvQuery returns the query of the list's export: with the columns that are shown, or with all fields.
func (r *roster) csvQuery(columns []rosterColumn, all bool) string {
	query := visit.Listing{Query: unsegmented(r.l.Query)}
	if all {
		query.Query.Del("columns")
		return query.With("fields", "all")
	}
	return query.With("columns", strings.Join(keysOfColumns(columns), ","))
}

// exportContacts answers with all people of a list as CSV: their names, addresses and companies with the columns of the
// list, or every field, which can be imported again.
func exportContacts(v *visit.Visit, r *roster) error {
	name := "contacts"
	if v.Event != nil {
		name = v.Event.Slug + "-people"
	} else {
		r.directory = v.Exportable()
	}
	day := v.Options.Now().UTC().Format("2006-01-02")
	columns := r.exported(v.Query("fields") == "all")
	v.NoteExport(name, columnNames(columns))
	return v.SendWritten(name+"-"+day+".csv", visit.CSVType, func(out io.Writer) error { return r.writeCSV(out, columns) })
}

// exported returns the columns of the file: those that identify people, then those of the list, or all fields.
func (r *roster) exported(all bool) (columns []rosterColumn) {
	shown, _ := r.columns()
	known := map[string]bool{"first_name": true, "last_name": true, "email": true, "company_name": true}
	for _, f := range r.fields {
		if known[f.Key] || all && (r.Event != nil || !f.Part.OfEvent()) {
			columns = append(columns, rosterColumn{f.Key, f.Label, f})
		}
	}
	if all {
		return columns
	}
	for _, c := range shown {
		if !known[c.key] {
			columns = append(columns, c)
		}
	}
	return columns
}

// columnNames returns the columns' headers in the file. Columns that an import would take for fields of people are
// renamed.
func columnNames(columns []rosterColumn) (names []string) {
	for _, c := range columns {
		switch c.key {
		case roleColumn:
			c.name = "Roles in sessions"
		case travelColumn:
			c.name = "Travel so far"
		}
		names = append(names, c.name)
	}
	return names
}

func (r *roster) writeCSV(out io.Writer, columns []rosterColumn) error {
	w := csv.NewWriter(out)
	w.Write(columnNames(columns))
	err := people.In(r.directory).Each(r.UserContext(), r.filter(), r.order(), func(people []*models.Person) error {
		facts, err := r.facts(columns, people)
		if err != nil {
			return err
		}
		for _, x := range people {
			row := make([]string, len(columns))
			for i, c := range columns {
				row[i] = facts.text(c, x)
			}
			if err := w.Write(row); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return w.Flush()
}
