package admin

import (
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
)

func TestASessionIsMarkedPlenaryAndWhatStandsBesideItIsAConflict(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	hall, loft := d.room("Hall"), d.room("Loft")
	opening, talk := d.session(models.NewSession{Title: "Opening"}), d.session(models.NewSession{Title: "Talk"})
	d.inRoom(opening, hall, 9)
	d.inRoom(talk, loft, 9)
	b := d.as(staff.Organizer)
	record := d.at("/sessions/" + opening.ID)
	form := fields(b.get(record, 200))
	form["is_plenary"] = []string{"true", "false"} // the box, and what stands behind it
	wants(t, b.follow(b.post(record+"/place", form, 303)), "Room and time are saved.", "Nothing may be beside this",
		"S-2", "Nothing stands beside it", `name="is_plenary" value="true" checked`)
	if !modelstest.Must(d.Programme().Session(t.Context(), opening.ID))(t).IsPlenary {
		t.Error("it is not plenary")
	}
	wants(t, b.get(d.at("/sessions/"+talk.ID), 200), "Nothing may be beside")
	page := b.get(d.at("/agenda?day=2027-05-20"), 200)
	wants(t, page, "Nothing may be beside “Opening”, and S-2 is", "Plenary: Opening")
	wants(t, b.get(d.at("/sessions?needs=plenary"), 200), "Opening", "Talk")
	wants(t, b.get(d.at(""), 200), "sessions are not alone where nothing may be beside")

	form = fields(b.get(record, 200))
	form["is_plenary"] = []string{"false"}
	wants(t, b.follow(b.post(record+"/place", form, 303)), "Room and time are saved.")
	lacks(t, b.get(d.at("/agenda?day=2027-05-20"), 200), "Nothing may be beside", "Plenary")

	// The editor has the box too, and leaves it as it was.
	form = fields(b.get(record+"/edit", 200))
	form["is_plenary"] = []string{"true", "false"}
	b.follow(b.post(record+"/edit", form, 303))
	wants(t, b.get(record, 200), "Nothing stands beside it", "plenary")
}

func TestABreakIsMarkedPlenary(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	hall, loft := d.room("Hall"), d.room("Loft")
	talk := d.session(models.NewSession{Title: "Talk"})
	d.inRoom(talk, loft, 12)
	b := d.as(staff.Organizer)
	form := fields(b.get(d.at("/agenda/breaks/new?day=2027-05-20"), 200))
	form.Set("title", "Lunch")
	form.Set("room_id", hall)
	form.Set("starts_at", "2027-05-20T14:00")
	form.Set("ends_at", "2027-05-20T15:00")
	form["is_plenary"] = []string{"true", "false"}
	page := b.follow(b.post(d.at("/agenda/breaks/new"), form, 303))
	wants(t, page, "Lunch", "Nothing may be beside “Lunch”, and S-1 is")
}
