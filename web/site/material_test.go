package site_test

import (
	"net/http"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/task"
)

// TestWhatStaffApproveStandsOnTheSessionsPage approves slides and a link of a session, and takes them back again.
func TestWhatStaffApproveStandsOnTheSessionsPage(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		d, shown, _, _, _ := published(t, f)
		ctx, tasks := t.Context(), task.Of(f.Programme())
		define := func(title string, kind task.Kind, public bool) *task.Task {
			return modelstest.Must(tasks.Create(ctx, task.Change{Title: &title, Kind: &kind, AskedOf: new(task.OfSession),
				IsPublic: &public}))(t)
		}
		slides, film, secret := define("Slides", task.File, true), define("Recording", task.Link, true), define("MARKER",
			task.File, false)
		upload := models.Upload{Name: "MARKER.pdf", Content: []byte("%PDF-1.7 slides")}
		for _, of := range []*task.Task{slides, secret} {
			modelstest.Fine(t, tasks.Upload(ctx, of.ID, shown.ID, upload))
		}
		modelstest.Fine(t, tasks.Link(ctx, film.ID, shown.ID, "https://video.example.org/watch?v=1"))
		at := d.home + "/sessions/s-1-zurich-b-you-b"
		d.hides(t, at, "Slides", "Recording")
		for _, of := range []*task.Task{slides, film, secret} {
			modelstest.Fine(t, tasks.Decide(ctx, of.ID, shown.ID, task.Approve, "", nil))
		}
		page := d.get(t, at)
		_, file, found := strings.Cut(page, `<a href="/events/`+f.Event.Slug+`/files/`)
		file, _, _ = strings.Cut(file, `"`)
		if !found || !strings.Contains(page, "PDF, 15 bytes") || !strings.Contains(page, `href="https://video.example.org/watch?v=1"`) ||
			!strings.Contains(page, "video.example.org") || strings.Contains(page, "MARKER") {
			t.Errorf("%s", page)
		}
		file = d.home + "/files/" + file
		answer, body := d.ask(t, file)
		if body != "%PDF-1.7 slides" || answer.Header.Get("Content-Disposition") != `attachment; filename=`+f.Event.Slug+`-s-1-slides.pdf` ||
			answer.Header.Get("X-Content-Type-Options") != "nosniff" || answer.Header.Get("Content-Type") != "application/octet-stream" {
			t.Errorf("%q %v", body, answer.Header)
		}
		for _, feed := range []string{"schedule.json", "schedule.xml"} {
			text := d.get(t, d.home+"/"+feed)
			has(t, feed, text, file, "https://video.example.org/watch?v=1")
			lacks(t, feed, text, "MARKER")
		}
		modelstest.Fine(t, tasks.Decide(ctx, slides.ID, shown.ID, task.Ask, "Larger letters", nil))
		d.answers(t, file, http.StatusNotFound) // changes are asked for
		modelstest.Fine(t, tasks.Decide(ctx, slides.ID, shown.ID, task.Approve, "", nil))
		d.change(t, modelstest.Must(f.Programme().Session(ctx, shown.ID))(t), models.SessionChange{IsPublic: new(false)})
		d.answers(t, file, http.StatusNotFound) // the session is not public
		d.change(t, modelstest.Must(f.Programme().Session(ctx, shown.ID))(t), public)
		modelstest.Must(tasks.Save(ctx, slides.ID, task.Change{IsPublic: new(false)}))(t)
		d.answers(t, file, http.StatusNotFound) // staff do not show it any more
	})
}
