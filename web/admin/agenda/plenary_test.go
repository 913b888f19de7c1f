package agenda_test

import (
	"testing"

	"lectern/models"
	"lectern/models/staff"
	"lectern/web/admin/admintest"
)

func TestASessionIsMarkedPlenaryAndWhatStandsBesideItIsAConflict(t *testing.T) {
	d := admintest.Open(t)
	hall, loft := d.Room("Hall"), d.Room("Loft")
	opening, talk := d.Session(models.NewSession{Title: "Opening"}), d.Session(models.NewSession{Title: "Talk"})
	inRoom(d, opening, hall, 9)
	inRoom(d, talk, loft, 9)
	b := d.As(staff.Organizer)
	record := d.At("/sessions/" + opening.ID)
	form := admintest.Fields(b.Get(record, 200))
	form["is_plenary"] = []string{"true", "false"} // the box, and what stands behind it
	admintest.Wants(t, b.Follow(b.Post(record+"/place", form, 303)), "Room and time are saved.",
		"Nothing may be beside this", "S-2", "Nothing stands beside it", `name="is_plenary" value="true" checked`)
	if !d.Read(opening.ID).IsPlenary {
		t.Error("it is not plenary")
	}
	admintest.Wants(t, b.Get(d.At("/sessions/"+talk.ID), 200), "Nothing may be beside")
	page := b.Get(d.At("/agenda?day=2027-05-20"), 200)
	admintest.Wants(t, page, "Nothing may be beside “Opening”, and S-2 is", "Plenary: Opening")
	admintest.Wants(t, b.Get(d.At("/sessions?needs=plenary"), 200), "Opening", "Talk")
	admintest.Wants(t, b.Get(d.At(""), 200), "sessions are not alone where nothing may be beside")

	form = admintest.Fields(b.Get(record, 200))
	form["is_plenary"] = []string{"false"}
	admintest.Wants(t, b.Follow(b.Post(record+"/place", form, 303)), "Room and time are saved.")
	admintest.Lacks(t, b.Get(d.At("/agenda?day=2027-05-20"), 200), "Nothing may be beside", "Plenary")

	// The editor has the box too, and leaves it as it was.
	form = admintest.Fields(b.Get(record+"/edit", 200))
	form["is_plenary"] = []string{"true", "false"}
	b.Follow(b.Post(record+"/edit", form, 303))
	admintest.Wants(t, b.Get(record, 200), "Nothing stands beside it", "plenary")
}

func TestABreakIsMarkedPlenary(t *testing.T) {
	d := admintest.Open(t)
	hall, loft := d.Room("Hall"), d.Room("Loft")
	talk := d.Session(models.NewSession{Title: "Talk"})
	inRoom(d, talk, loft, 12)
	b := d.As(staff.Organizer)
	form := admintest.Fill(admintest.Fields(b.Get(d.At("/agenda/breaks/new?day=2027-05-20"), 200)), "title", "Lunch",
		"room_id", hall, "starts_at", "2027-05-20T14:00", "ends_at", "2027-05-20T15:00")
	form["is_plenary"] = []string{"true", "false"}
	page := b.Follow(b.Post(d.At("/agenda/breaks/new"), form, 303))
	admintest.Wants(t, page, "Lunch", "Nothing may be beside “Lunch”, and S-1 is")
}
