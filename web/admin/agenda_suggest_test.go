package admin

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
)

// dates gives the event its days.
func (d *desk) dates(first, last string) {
	d.t.Helper()
	modelstest.Must(d.Programme().UpdateEvent(d.t.Context(), models.EventChange{StartsOn: store.Some(first),
		EndsOn: store.Some(last)}))(d.t)
}

func (d *desk) unplaced(title string, in models.SessionInput) *models.Session {
	in.Status = new(models.Accepted)
	return d.session(models.NewSession{Title: title, SessionInput: in})
}

func TestPlacesAreSuggestedSeenAppliedAndUndone(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	b := d.as(staff.Organizer)
	wants(t, b.get(d.at("/agenda/suggest"), 200), "Every accepted session has a room and a start.")
	tides := d.unplaced("Tides & <moons>", models.SessionInput{})
	d.unplaced("Crowd", models.SessionInput{Capacity: store.Some(300)})
	wants(t, b.get(d.at("/agenda/suggest"), 200), "Suggest places for 2", "The event has no dates yet", d.at("/settings"))
	d.dates("2027-05-20", "2027-05-21")
	loft := modelstest.Must(d.Programme().CreateMetadata(t.Context(), models.Rooms, models.NewMetadata{Name: "Rope Loft",
		Capacity: new(40)}))(t)
	modelstest.Must(d.Elsewhere().CreateSession(t.Context(), models.NewSession{Title: "Secret plan",
		SessionInput: models.SessionInput{Status: new(models.Accepted)}}))(t)
	page := b.get(d.at("/agenda/suggest"), 200)
	wants(t, page, "2 accepted sessions have no room or no start.", "Thursday 20 May", "Friday 21 May", `value="09:00"`)
	form := fields(page)
	if got := form["days"]; len(got) != 2 {
		t.Errorf("days %q", got)
	}

	// A rule that is broken is said at its field, and nothing that was typed is lost.
	wrong := url.Values{"_token": form["_token"], "from": {"10:00"}, "until": {"09:00"}, "step": {"5"}, "gap": {"x"},
		"minutes": {"30"}}
	_, again := b.post(d.at("/agenda/suggest"), wrong, 422)
	wants(t, again, "Must be 1 to 31", "Must be between 0 and 120", `value="10:00"`)

	form.Set("step", "15")
	address, _ := b.post(d.at("/agenda/suggest"), form, 303)
	preview := b.get(address, 200)
	wants(t, preview, "Places for 1 of 2", "Without a place", "No room holds 300", "Tides &amp; &lt;moons&gt;", "09:00 to 09:30",
		"Rope Loft", "40 seats", "Place 1 session", "session.updated", "Nothing has moved yet")
	lacks(t, preview, "Secret plan")
	if s := modelstest.Must(d.Programme().Session(t.Context(), tides.ID))(t); s.StartsAt != nil {
		t.Error("it was moved by looking")
	}
	wants(t, b.get(d.at("/agenda/suggest?again="+address[strings.LastIndex(address, "/")+1:]), 200), `value="15" selected`)
	viewer := d.as(staff.Viewer)
	viewer.get(address, 403)
	viewer.post(address, fields(preview), 403)

	batch, _ := b.post(address, fields(preview), 303)
	done := b.get(batch, 200)
	wants(t, done, "Place sessions as suggested", "1 of 2 done", "No room holds 300", "Rope Loft", "Undo", "Back to the agenda")
	lacks(t, done, "Retry the failed ones")
	s := modelstest.Must(d.Programme().Session(t.Context(), tides.ID))(t)
	if s.RoomID == nil || *s.RoomID != loft.ID || s.StartsAt == nil {
		t.Errorf("it is at %v", s.StartsAt)
	}
	if again, _ := b.post(address, fields(preview), 303); again != batch { // sent again it is the same
		t.Errorf("sent again it leads to %s, not to %s", again, batch)
	}
	wants(t, b.follow(b.post(strings.Split(batch, "?")[0]+"/undo", url.Values{"back": {"agenda"}}, 303)), "1 session is as it was.")
	if s = modelstest.Must(d.Programme().Session(t.Context(), tides.ID))(t); s.RoomID != nil {
		t.Error("it is still there")
	}
}

func TestSuggestionsAreDiscarded(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	d.dates("2027-05-20", "2027-05-20")
	d.room("Hall")
	s := d.unplaced("S", models.SessionInput{})
	b := d.as(staff.Organizer)
	address, _ := b.post(d.at("/agenda/suggest"), fields(b.get(d.at("/agenda/suggest"), 200)), 303)
	preview := b.get(address, 200)
	modelstest.Must(d.Programme().UpdateSession(t.Context(), s.ID, models.SessionChange{Title: new("Renamed")}))(t)
	stale := b.get(address, 200)
	wants(t, stale, "Renamed", "Changed since, so it stays as it is", "1</b>")
	lacks(t, stale, "Place 1 session")
	wants(t, b.follow(b.post(address+"/discard", fields(preview), 303)), "The suggestions were discarded. Nothing has moved.")
	b.get(address, 404)
	b.post(address+"/discard", fields(preview), 404)
}

func TestTheRestOfManySuggestionsIsTold(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	d.dates("2027-05-20", "2027-05-20")
	d.room("Hall")
	modelstest.Fine(t, d.Programme().Seed(t.Context(), 5*models.MaxSuggested/2+10, 1)) // of which two fifths are sessions
	modelstest.Exec(t, d.SQL(t), fmt.Sprintf("UPDATE sessions SET starts_at = NULL, ends_at = NULL, room_id = NULL, "+
		"status = CASE WHEN number <= %d THEN 'accepted' ELSE 'declined' END WHERE is_abstract = false", models.MaxSuggested+2))
	b := d.as(staff.Organizer)
	form := b.get(d.at("/agenda/suggest"), 200)
	wants(t, form, "Suggest places for 2,002", "2,000 are placed at a time: apply those, then come back for the rest.")
	wants(t, b.follow(b.post(d.at("/agenda/suggest"), fields(form), 303)),
		"2 more sessions wait for a place. These are the first 2,000: apply them, then suggest places for the rest.")
}
