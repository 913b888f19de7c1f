package desk_test

import (
	"net/url"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/web/admin/admintest"
	"lectern/web/admin/visit"
)

func TestThePaletteFindsTracksRoomsEventsAndThingsToDo(t *testing.T) {
	d := admintest.Open(t)
	d.Session(models.NewSession{Title: "Tides", IsAbstract: true})
	d.Session(models.NewSession{Title: "潮の話", IsAbstract: true})
	room, err := d.Programme().CreateMetadata(t.Context(), models.Rooms, models.NewMetadata{Name: "Harbour hall"})
	modelstest.Fine(t, err)
	track := modelstest.RowOf(t, d.Programme(), models.Tracks, "Ships")
	modelstest.RowOf(t, d.Elsewhere(), models.Rooms, "Harbour attic")
	d.Session(models.NewSession{Title: "한국 강", IsAbstract: true})
	organizer, viewer := d.As(staff.Organizer), d.As(staff.Viewer)
	for text, want := range map[string]string{"a1": ">Tides<", "A1": ">Tides<", "%E6%BD%AE": "潮", "%EA%B0%95": "한국",
		"hall+harbour": "/sessions?room=" + room.ID, "ships": "/sessions?track=" + track.ID} {
		admintest.Wants(t, viewer.Get(d.At("/find?q="+text), 200), want)
	}
	admintest.Lacks(t, viewer.Get(d.At("/find?q=harbour"), 200), "attic")
	admintest.Wants(t, organizer.Get(d.At("/find?q=submission+new"), 200), d.At("/submissions/new"))
	admintest.Wants(t, organizer.Get(d.At("/find?q=import"), 200), d.At("/imports"))
	admintest.Lacks(t, viewer.Get(d.At("/find?q=new"), 200), "/submissions/new", "/imports")
	admintest.Wants(t, viewer.Get(d.At("/find?q=x"), 200), "Type two letters")
	// Other events, by who has a role there; and staff are invited by owners.
	other, owner := strings.ToLower(d.Other.Name), d.As(staff.Owner)
	admintest.Wants(t, owner.Get(d.At("/find?q="+url.QueryEscape(other)), 200), "/admin/events/"+d.Other.ID)
	only := d.Hire("only here", staff.Viewer, false, map[string]staff.Role{d.Event.ID: staff.Organizer})
	_, _, page := only.Try("GET", d.At("/find?q="+url.QueryEscape(other)), nil)
	admintest.Lacks(t, page, d.Other.ID)
	admintest.Wants(t, owner.Get(d.At("/find?q=invite"), 200), visit.StaffPath+"/invite")
	admintest.Lacks(t, organizer.Get(d.At("/find?q=invite"), 200), visit.StaffPath+"/invite")
}

func TestThePaletteForgivesATypingError(t *testing.T) {
	d := admintest.Open(t)
	s := d.Session(models.NewSession{Title: "Harbours", IsAbstract: true})
	d.Speaker(t, d.Event, s.ID, models.NewContact{FirstName: "Anna", LastName: "Kowalska", Email: "anna@example.org"})
	d.Foreign(models.NewSession{Title: "Harbours elsewhere"})
	modelstest.RowOf(t, d.Programme(), models.Rooms, "Great hall")
	b := d.As(staff.Viewer)
	near := "Close to it:"
	for text, want := range map[string]string{"harbuors": ">Harbours<", "kowalksa+anna": ">Anna Kowalska<",
		"graet+hall": ">Great hall<", "submisions+export": d.At("/submissions.csv")} {
		page := b.Get(d.At("/find?q="+text), 200)
		admintest.Wants(t, page, near, want)
		admintest.Lacks(t, page, "elsewhere")
	}
	admintest.Lacks(t, b.Get(d.At("/find?q=harbours"), 200), near)
	admintest.Wants(t, b.Get(d.At("/find?q=harxuors"), 200), "Nothing found for")
	admintest.Wants(t, b.Get(d.At("/find?q=haal"), 200), "Nothing found for")
	admintest.Lacks(t, b.Get(d.At("/find?q=imprt+poeple"), 200), d.At("/imports")) // two errors, and not theirs to do
}

func TestWhoSeesOnlyWhatARoundAssignsFindsNoRooms(t *testing.T) {
	t.Parallel()
	d := admintest.OpenBlind(t, "sqlite", true)
	modelstest.RowOf(t, d.Programme(), models.Rooms, "Harbour hall")
	admintest.Wants(t, d.As(staff.Viewer).Get(d.At("/find?q=hall"), 200), "Harbour hall")
	admintest.Lacks(t, d.Ada.Get(d.At("/find?q=hall"), 200), "Harbour")
	admintest.Lacks(t, d.Ada.Get(d.At("/find?q=export"), 200), ".csv")
}

// The help of “?” has the keys of what one may do: scores for who reviews, and steps with their undo for organizers.
func TestTheHelpOfTheKeysIsForWhoPressesThem(t *testing.T) {
	t.Parallel()
	d := admintest.OpenBlind(t, "sqlite", true)
	help := func(page string) string {
		keys := admintest.Between(page, `id="keys"`, "</dialog>")
		return keys
	}
	scores, steps := []string{"<kbd>1</kbd> to <kbd>5</kbd>", "On a scorecard"}, []string{"<kbd>z</kbd>", "<kbd>x</kbd>"}
	blind := help(d.Ada.Get(d.Queue(""), 200))
	admintest.Wants(t, blind, append(scores, "<kbd>?</kbd>")...)
	admintest.Lacks(t, blind, steps...)
	reviewer := help(d.As(staff.Reviewer).Get(d.At("/submissions"), 200))
	admintest.Wants(t, reviewer, scores...)
	admintest.Lacks(t, reviewer, steps...)
	organizer := help(d.Olga.Get(d.At("/submissions"), 200))
	admintest.Wants(t, organizer, append(scores, steps...)...)
	viewer := help(d.As(staff.Viewer).Get(d.At("/submissions"), 200))
	admintest.Lacks(t, viewer, append(scores, steps...)...)
}
