package tasks_test

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/task"
	"lectern/web/admin/admintest"
)

func TestFilesAreTakenAlongAsOneArchive(t *testing.T) {
	d := admintest.Open(t)
	ctx, tasks := t.Context(), task.Of(d.Programme())
	b := d.As(staff.Organizer)
	admintest.Wants(t, b.Get(d.At("/tasks/files"), 200), "No files yet")
	b.Get(d.At("/tasks/files.zip"), 303)
	for _, title := range []string{"Tides", "Ebb <b>"} {
		s := d.Session(models.NewSession{Title: title, SessionInput: models.SessionInput{Status: new(models.Accepted)}})
		d.Speaker(t, d.Event, s.ID, models.NewContact{FirstName: "Ada"})
	}
	slides := modelstest.Must(tasks.Create(ctx, task.Change{Title: new("Slides"), Kind: new(task.File), AskedOf: new(task.OfSession)}))(t)
	board := modelstest.Must(tasks.Board(ctx))(t)
	for _, of := range board.All {
		modelstest.Fine(t,
			tasks.Upload(ctx, slides.ID, of.OwnerID(), models.Upload{Name: "deck.pdf", Content: []byte("%PDF-" + of.ID)}))
	}
	page := b.Get(d.At("/tasks/files"), 200)
	admintest.Wants(t, page, "Download 2 files", "deck.pdf", "Ebb &lt;b&gt;", "1 version", `<option value="room">`)
	admintest.Wants(t, b.Get(d.At("/tasks/files?q=tides"), 200), "Download 1 file (")
	admintest.Wants(t, b.Get(d.At("/tasks/files?show=finished"), 200), "No file is like that")
	answer := b.Get(d.At("/tasks/files.zip?by=session&q=tides"), 200)
	files := modelstest.Must(zip.NewReader(strings.NewReader(answer), int64(len(answer))))(t).File
	if len(files) != 1 || files[0].Name != "S-1 Tides/S-1 Tides - Slides - deck.pdf" {
		t.Errorf("%v", files)
	}
	answer = b.Get(d.At("/tasks/files.zip?by=forged"), 200)
	files = modelstest.Must(zip.NewReader(bytes.NewReader([]byte(answer)), int64(len(answer))))(t).File
	if len(files) != 2 || !strings.HasPrefix(files[0].Name, "Slides/") {
		t.Errorf("%v", files)
	}
	for _, role := range []staff.Role{staff.Reviewer, staff.Viewer} {
		d.As(role).Get(d.At("/tasks/files.zip"), 403)
	}
}
