package agenda_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/modelstest"
	"lectern/models/seed"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
)

func unplaced(d *admintest.Desk, title string, in models.SessionInput) *models.Session {
	in.Status = new(models.Accepted)
	return d.Session(models.NewSession{Title: title, SessionInput: in})
}

func TestPlacesAreSuggestedSeenAppliedAndUndone(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	admintest.Wants(t, b.Get(d.At("/agenda/suggest"), 200), "Every accepted session has a room and a start.")
	tides := unplaced(d, "Tides & <moons>", models.SessionInput{})
	unplaced(d, "Crowd", models.SessionInput{Capacity: store.Some(300)})
	admintest.Wants(t, b.Get(d.At("/agenda/suggest"), 200), "Suggest places for 2", "The event has no dates yet",
		d.At("/settings"))
	d.Days("2027-05-20", "2027-05-21")
	loft := d.Add(d.Programme(), models.Rooms, models.NewMetadata{Name: "Rope Loft", Capacity: new(40)})
	d.Foreign(models.NewSession{Title: "Secret plan", SessionInput: models.SessionInput{Status: new(models.Accepted)}})
	admintest.Wants(t, b.Get(d.At("/agenda/suggest"), 200), "2 accepted sessions have no room or no start.",
		"Thursday 20 May", "Friday 21 May", `value="09:00"`)
	form := admintest.Fields(b.Text)
	modelstest.Want(t, "days", len(form["days"]), 2)

	// A rule that is broken is said at its field, and nothing that was typed is lost.
	wrong := url.Values{"_token": form["_token"], "from": {"10:00"}, "until": {"09:00"}, "step": {"5"}, "gap": {"x"},
		"minutes": {"30"}}
	_, again := b.Post(d.At("/agenda/suggest"), wrong, 422)
	admintest.Wants(t, again, "Must be 1 to 31", "Must be between 0 and 120", `value="10:00"`)

	form.Set("step", "15")
	address, _ := b.Post(d.At("/agenda/suggest"), form, 303)
	preview := b.Get(address, 200)
	admintest.Wants(t, preview, "Places for 1 of 2", "Without a place", "No room holds 300", "Tides &amp; &lt;moons&gt;",
		"09:00 to 09:30", "Rope Loft", "40 seats", "Place 1 session", "session.updated", "Nothing has moved yet")
	admintest.Lacks(t, preview, "Secret plan")
	if s := d.Read(tides.ID); s.StartsAt != nil {
		t.Error("it was moved by looking")
	}
	admintest.Wants(t, b.Get(d.At("/agenda/suggest?again="+address[strings.LastIndex(address, "/")+1:]), 200),
		`value="15" selected`)
	viewer := d.As(staff.Viewer)
	viewer.Get(address, 403)
	viewer.Post(address, admintest.Fields(preview), 403)

	batch, _ := b.Post(address, admintest.Fields(preview), 303)
	admintest.Wants(t, b.Get(batch, 200), "Place sessions as suggested", "1 of 2 done", "No room holds 300", "Rope Loft",
		"Undo", "Back to the agenda")
	admintest.Lacks(t, b.Text, "Retry the failed ones")
	s := d.Read(tides.ID)
	if s.RoomID == nil || *s.RoomID != loft.ID || s.StartsAt == nil {
		t.Errorf("it is at %v", s.StartsAt)
	}
	if again, _ := b.Post(address, admintest.Fields(preview), 303); again != batch { // sent again it is the same
		t.Errorf("sent again it leads to %s, not to %s", again, batch)
	}
	admintest.Wants(t, b.Follow(b.Post(strings.Split(batch, "?")[0]+"/undo", url.Values{"back": {"agenda"}}, 303)),
		"1 session is as it was.")
	if s = d.Read(tides.ID); s.RoomID != nil {
		t.Error("it is still there")
	}
}

func TestSuggestionsAreDiscarded(t *testing.T) {
	d := admintest.Open(t)
	d.Days("2027-05-20", "2027-05-20")
	d.Room("Hall")
	s := unplaced(d, "S", models.SessionInput{})
	b := d.As(staff.Organizer)
	address, _ := b.Post(d.At("/agenda/suggest"), admintest.Fields(b.Get(d.At("/agenda/suggest"), 200)), 303)
	preview := b.Get(address, 200)
	modelstest.Must(d.Programme().UpdateSession(t.Context(), s.ID, models.SessionChange{Title: new("Renamed")}))(t)
	admintest.Wants(t, b.Get(address, 200), "Renamed", "Changed since, so it stays as it is", "1</b>")
	admintest.Lacks(t, b.Text, "Place 1 session")
	admintest.Wants(t, b.Follow(b.Post(address+"/discard", admintest.Fields(preview), 303)),
		"The suggestions were discarded. Nothing has moved.")
	b.Get(address, 404)
	b.Post(address+"/discard", admintest.Fields(preview), 404)
}

func TestTheRestOfManySuggestionsIsTold(t *testing.T) {
	d := admintest.Open(t)
	d.Days("2027-05-20", "2027-05-20")
	d.Room("Hall")
	modelstest.Fine(t, seed.Fill(t.Context(), d.Programme(), 5*agenda.MaxSuggested/2+10, 1)) // of which two fifths are sessions
	modelstest.Exec(t, d.SQL, fmt.Sprintf("UPDATE sessions SET starts_at = NULL, ends_at = NULL, room_id = NULL, "+
		"status = CASE WHEN number <= %d THEN 'accepted' ELSE 'declined' END WHERE is_abstract = false", agenda.MaxSuggested+2))
	b := d.As(staff.Organizer)
	form := b.Get(d.At("/agenda/suggest"), 200)
	admintest.Wants(t, form, "Suggest places for 2,002",
		"2,000 are placed at a time: apply those, then come back for the rest.")
	admintest.Wants(t, b.Follow(b.Post(d.At("/agenda/suggest"), admintest.Fields(form), 303)),
		"2 more sessions wait for a place. These are the first 2,000: apply them, then suggest places for the rest.")
}
