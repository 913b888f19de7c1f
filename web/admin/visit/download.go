package visit

import (
	"io"
	"os"
	"strings"

	"lectern/models/store"

	"github.com/gofiber/fiber/v2"
)

// CSVType is the media type of a CSV file.
const CSVType = "text/csv; charset=utf-8"

// NoteExport writes to the security log that people's data was downloaded: which file, and its columns if it is a
// table.
func (v *Visit) NoteExport(of string, columns []string) {
	facts := map[string]any{"of": of}
	if len(columns) > 0 {
		facts["columns"] = strings.Join(columns, ", ")
	}
	v.Store.Note(store.Incident{Event: store.PeopleExported, By: v.By(), OrganizationID: v.User.OrganizationID, Facts: facts})
}

// SendWritten answers with a file of any size to save. It is written to a temporary file first, so that a slow download
// does not hold the database.
func (v *Visit) SendWritten(name, mediaType string, write func(io.Writer) error) error {
	file, err := os.CreateTemp("", "lectern-*")
	if err != nil {
		return err
	}
	answer, size := &passing{file}, int64(0)
	if err = write(file); err == nil {
		size, err = file.Seek(0, io.SeekCurrent)
	}
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		answer.Close()
		return err
	}
	v.Set(fiber.HeaderContentType, mediaType)
	v.Set(fiber.HeaderContentDisposition, `attachment; filename="`+name+`"`)
	return v.SendStream(answer, int(size))
}

// passing is a temporary file that deletes itself when it is closed.
type passing struct{ *os.File }

func (p *passing) Close() error {
	err := p.File.Close()
	os.Remove(p.Name())
	return err
}
