package admin

import (
	"io"
	"os"

	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/models/csv"
)

// exportContacts answers with all people of a list and every field of them as CSV, which can be imported again. They
// are written to a file first: who downloads slowly must not hold the database.
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
	size, err := r.writeCSV(file)
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

func (r *roster) writeCSV(file *os.File) (size int64, err error) {
	names := map[string]string{}
	if r.event != nil {
		if names, err = r.rowNames(); err != nil {
			return 0, err
		}
	}
	var fields []*models.ContactField
	var head []string
	for _, f := range r.fields {
		if r.event != nil || !f.Part.OfEvent() {
			fields, head = append(fields, f), append(head, f.Label)
		}
	}
	w := csv.NewWriter(file)
	w.Write(head)
	err = r.directory.Each(r.ctx(), r.filter(), func(people []*models.Person) error {
		for _, x := range people {
			row := make([]string, len(fields))
			for i, f := range fields {
				row[i] = cellText(f, x, names)
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
