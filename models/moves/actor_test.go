package moves_test

import (
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/moves"
	"lectern/models/staff"
	"lectern/models/store"
)

// ofOneEvent is the programme as somebody who organizes it alone has it.
func ofOneEvent(t *testing.T, f *modelstest.Fixture) *models.Programme {
	t.Helper()
	u := modelstest.Hire(t, f, f.Hire(t, "owner", staff.Owner), staff.Invitation{Email: "bob@example.org",
		Role: staff.Viewer, Roles: map[string]staff.Role{f.Event.ID: staff.Organizer}})
	return f.Store.Programme(f.Event, store.By{Door: "admin", ActorID: u.ID, ActorName: "Bo"})
}

const met = "Title,Speakers,E-mail,Biography\nTides,Ada Ng,ada@example.org,Sails\n"

func TestWhoGoesOnWithAMoveHasTheirOwnReach(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		modelstest.Must(f.Elsewhere().CreateContact(t.Context(), models.NewContact{FirstName: "Ada", LastName: "Ng",
			Email: "ada@example.org"}))(t)
		m := begin(t, f, moves.Asked{Kind: "sheet", File: file("a.csv", met)})
		modelstest.Must(moves.Of(asker(f)).Choose(t.Context(), m.ID, m.Choices.Held))(t)
		if m = worked(t, f, m.ID); m.Preview.People.Here != 1 {
			t.Fatalf("%s %s %+v", m.State, m.Reason, m.Preview)
		}
		modelstest.Must(moves.Of(ofOneEvent(t, f)).Bring(t.Context(), m.ID))(t)
		if m = worked(t, f, m.ID); m.State != moves.Brought || m.UserName != "Ada" || m.ActorName != "Bo" {
			t.Fatalf("%s %s %+v", m.State, m.Reason, m)
		}
		if n := modelstest.RowsOf(t, f, "SELECT count(*) FROM event_contacts WHERE guest_since IS NOT NULL"); n != 1 {
			t.Error("it went on with the reach of who began it")
		}
	})
}

func TestAMoveOfSomebodyWhoOrganizesNoMoreStops(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		gone := moves.Of(f.Store.Programme(f.Event, store.By{Door: "admin", ActorID: store.NewID(), ActorName: "Cy"}))
		m := modelstest.Must(gone.Begin(t.Context(), moves.Asked{Kind: "schedule", File: file("a.xml", scheduleOf(2))}))(t)
		if m = worked(t, f, m.ID); m.State != moves.Stopped || !strings.Contains(m.Reason, "organizes this event no more") {
			t.Fatalf("%s %s", m.State, m.Reason)
		}
		modelstest.Must(moves.Of(asker(f)).Look(t.Context(), m.ID))(t)
		if m = worked(t, f, m.ID); m.State != moves.Looked {
			t.Errorf("%s %s", m.State, m.Reason)
		}
	})
}
