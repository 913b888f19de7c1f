package api_test

import (
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
	"lectern/models/tasks"
)

// TestTasksAndWhatIsDeliveredAreRead hands slides in for one of two sessions, and reads who owes what.
func TestTasksAndWhatIsDeliveredAreRead(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		ctx, handle := t.Context(), tasks.Of(d.Programme())
		accepted := models.SessionInput{Status: new(models.Accepted)}
		session := func(title string) *models.Session {
			s := modelstest.Must(d.Programme().CreateSession(ctx, models.NewSession{Title: title, SessionInput: accepted}))(t)
			d.Speaker(t, d.Event, s.ID, models.NewContact{FirstName: "Ada " + title})
			return s
		}
		tides := session("Tides")
		session("Ebb")
		due := store.At(d.Clock.Now().Add(time.Hour))
		slides := modelstest.Must(handle.Create(ctx, tasks.Change{Title: new("Slides"), Kind: new(tasks.File),
			AskedOf: new(tasks.OfSession), DueAt: new(&due)}))(t)
		modelstest.Must(handle.Create(ctx, tasks.Change{Title: new("Bio")}))(t)
		modelstest.Must(tasks.Of(d.Elsewhere()).Create(ctx, tasks.Change{Title: new("Leak")}))(t)
		for _, text := range []string{"one", "two"} {
			modelstest.Fine(t, handle.Upload(ctx, slides.ID, tides.ID,
				models.Upload{Name: "tides.pdf", Content: []byte("%PDF-" + text)}))
		}
		rows := d.do(t, "GET", d.path("/tasks"), nil).want(200).results()
		if len(rows) != 2 || rows[0]["title"] != "Slides" || rows[0]["asked_of"] != "session" || rows[0]["due_at"] != due.String() {
			t.Errorf("%v", rows)
		}
		count := func(query string, want int) []object {
			t.Helper()
			rows := d.do(t, "GET", d.path("/deliverables"+query), nil).want(200).results()
			modelstest.Want(t, "rows of "+query, len(rows), want)
			return rows
		}
		count("", 4)
		count("?pageSize=3&page=2", 1)
		count("?task="+slides.ID, 2)
		count("?session="+tides.ID, 1)
		count("?session="+tides.FriendlyID, 1)
		for _, session := range []string{"S-99", "nonsense", "%00", store.NewID()} {
			d.do(t, "GET", d.path("/deliverables?session="+session), nil).wantError(404, "NotFoundError")
		}
		count("?state=open", 3)
		count("?late=true", 0)
		row := count("?state=done", 1)[0]
		versions := row["versions"].([]any)
		if row["session"].(object)["friendly_id"] != "S-1" || row["contact"] != nil || len(versions) != 2 {
			t.Errorf("%v", row)
		}
		latest := versions[0].(object)
		file := latest["file"].(object)
		address := file["url"].(string)
		if latest["number"] != 2.0 || file["name"] != "tides.pdf" || !strings.HasPrefix(address, modelstest.BaseURL+tasks.Downloads) {
			t.Errorf("%v", latest)
		}
		token := strings.TrimPrefix(address, modelstest.BaseURL+tasks.Downloads)
		if f := modelstest.Must(tasks.FileAt(ctx, d.Store, token))(t); f.Name != "tides.pdf" {
			t.Errorf("%+v", f)
		}
		for what, forged := range map[string]string{"cut": token[:len(token)-4], "empty": "", "other": strings.Repeat("A", len(token))} {
			modelstest.Answers(tasks.FileAt(ctx, d.Store, forged))(t, what, store.NotFound)
		}
		d.Clock.Move(11 * time.Minute)
		modelstest.Answers(tasks.FileAt(ctx, d.Store, token))(t, "too late", store.NotFound)
		d.Clock.Move(time.Hour)
		count("?late=true", 1)
		d.do(t, "GET", d.path("/deliverables?state=forged"), nil).wantError(400, "ValidationError", "state")
		if rows := d.elsewhere(t).do(t, "GET", d.elsewhere(t).path("/deliverables"), nil).want(200).results(); len(rows) != 0 {
			t.Errorf("%v", rows)
		}
	})
}
