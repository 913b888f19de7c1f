package admin

import (
	"io"
	"os"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/models/csv"
)

// csvQuery is the query of an export of the list: with the columns that are shown, or all fields.
func (r *roster) csvQuery(columns []rosterColumn, all bool) string {
	query := listing{query: unsegmented(r.l.query)}
	if all {
		query.query.Del("columns")
		return query.with("fields", "all")
	}
	return query.with("columns", strings.Join(keysOfColumns(columns), ","))
}

// exportContacts answers with all people of a list as CSV: their names, addresses and companies with the columns of
// the list, or with every field, which can be imported again. They are written to a file first: who downloads slowly
// must not hold the database.
func exportContacts(v *visit) error {
	r, err := v.roster()
	if err != nil {
		return err
	}
	file, err := os.CreateTemp("", "lectern-*.csv")
	if err != nil {
		return err
	}
	answer := &passing{file}
	size, err := r.writeCSV(file, r.exported(v.Query("fields") == "all"))
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		answer.Close()
		return err
	}
	name := "contacts"
	if v.event != nil {
		name = v.event.Slug + "-people"
	}
	day := v.w.options.Now().UTC().Format("2006-01-02")
	v.Set(fiber.HeaderContentType, "text/csv; charset=utf-8")
	v.Set(fiber.HeaderContentDisposition, `attachment; filename="`+name+"-"+day+`.csv"`)
	return v.SendStream(answer, int(size))
}

// exported are the columns of a file: those by which people are known, then those of the list, or all fields.
func (r *roster) exported(all bool) (columns []rosterColumn) {
	shown, _ := r.columns()
	known := map[string]bool{"first_name": true, "last_name": true, "email": true, "company_name": true}
	for _, f := range r.fields {
		if known[f.Key] || all && (r.event != nil || !f.Part.OfEvent()) {
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

func (r *roster) writeCSV(file *os.File, columns []rosterColumn) (size int64, err error) {
	head := make([]string, len(columns))
	for i, c := range columns {
		head[i] = c.name
	}
	w := csv.NewWriter(file)
	w.Write(head)
	err = r.directory.Each(r.ctx(), r.filter(), r.order(), func(people []*models.Person) error {
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
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		return 0, err
	}
	return file.Seek(0, io.SeekCurrent)
}
