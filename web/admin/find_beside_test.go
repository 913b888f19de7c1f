package admin

import (
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
)

func TestThePaletteFindsTracksRoomsEventsAndThingsToDo(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	d.session(models.NewSession{Title: "Tides", IsAbstract: true})
	d.session(models.NewSession{Title: "潮の話", IsAbstract: true})
	room, err := d.Programme().CreateMetadata(t.Context(), models.Rooms, models.NewMetadata{Name: "Harbour hall"})
	if err != nil {
		t.Fatal(err)
	}
	track, err := d.Programme().CreateMetadata(t.Context(), models.Tracks, models.NewMetadata{Name: "Ships"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Elsewhere().CreateMetadata(t.Context(), models.Rooms, models.NewMetadata{Name: "Harbour attic"}); err != nil {
		t.Fatal(err)
	}
	organizer, viewer := d.as(staff.Organizer), d.as(staff.Viewer)
	for text, want := range map[string]string{"a1": ">Tides<", "A1": ">Tides<", "%E6%BD%AE": "潮",
		"hall+harbour": "/sessions?room=" + room.ID, "ships": "/sessions?track=" + track.ID} {
		wants(t, viewer.get(d.at("/find?q="+text), 200), want)
	}
	lacks(t, viewer.get(d.at("/find?q=harbour"), 200), "attic")
	wants(t, organizer.get(d.at("/find?q=submission+new"), 200), d.at("/submissions/new"))
	wants(t, organizer.get(d.at("/find?q=import"), 200), d.at("/imports"))
	lacks(t, viewer.get(d.at("/find?q=new"), 200), "/submissions/new", "/imports")
	wants(t, viewer.get(d.at("/find?q=x"), 200), "Type two letters")
}

func TestThePaletteForgivesATypingError(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	s := d.session(models.NewSession{Title: "Harbours", IsAbstract: true})
	d.Speaker(t, d.Event, s.ID, models.NewContact{FirstName: "Anna", LastName: "Kowalska", Email: "anna@example.org"})
	modelstest.Must(d.Elsewhere().CreateSession(t.Context(), models.NewSession{Title: "Harbours elsewhere"}))(t)
	modelstest.Must(d.Programme().CreateMetadata(t.Context(), models.Rooms, models.NewMetadata{Name: "Great hall"}))(t)
	b := d.as(staff.Viewer)
	near := "Close to it:"
	for text, want := range map[string]string{"harbuors": ">Harbours<", "kowalksa+anna": ">Anna Kowalska<",
		"graet+hall":        ">Great hall<",
		"submisions+export": d.at("/submissions.csv")} {
		page := b.get(d.at("/find?q="+text), 200)
		wants(t, page, near, want)
		lacks(t, page, "elsewhere")
	}
	lacks(t, b.get(d.at("/find?q=harbours"), 200), near)
	wants(t, b.get(d.at("/find?q=harxuors"), 200), "Nothing found for")
	wants(t, b.get(d.at("/find?q=haal"), 200), "Nothing found for")
	lacks(t, b.get(d.at("/find?q=imprt+poeple"), 200), d.at("/imports")) // two errors, and not theirs to do
}

func TestWhoSeesOnlyWhatARoundAssignsFindsNoRooms(t *testing.T) {
	t.Parallel()
	d := openBlind(t, "sqlite", true)
	if _, err := d.Programme().CreateMetadata(t.Context(), models.Rooms, models.NewMetadata{Name: "Harbour hall"}); err != nil {
		t.Fatal(err)
	}
	wants(t, d.as(staff.Viewer).get(d.at("/find?q=hall"), 200), "Harbour hall")
	lacks(t, d.ada.get(d.at("/find?q=hall"), 200), "Harbour")
	lacks(t, d.ada.get(d.at("/find?q=export"), 200), ".csv")
}
