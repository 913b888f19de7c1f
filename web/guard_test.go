package web

import (
	"net/url"
	"testing"

	"lectern/models"
)

func TestAFormsFieldsAreThoseOfItsBody(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	s := d.session(models.NewSession{Title: "Tides", IsAbstract: true})
	b := d.as(models.Organizer)
	page := b.get(d.at("/sessions/"+s.ID+"?in=submissions&status=pending"), 200)
	token := fields(page).Get("updated_at")
	b.post(d.at("/sessions/"+s.ID+"/status?in=submissions&status=pending"), url.Values{"status": {"accept_queue"}, "updated_at": {token}}, 303)
	if got := d.stored(s.ID); got.Status != models.AcceptQueue {
		t.Errorf("the status is %s", got.Status)
	}
}

// stored is a session as it is now.
func (d *desk) stored(id string) *models.Session {
	d.t.Helper()
	s, err := d.Programme().Session(d.t.Context(), id)
	if err != nil {
		d.t.Fatal(err)
	}
	return s
}
