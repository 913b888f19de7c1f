package moves_test

import (
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/moves"
	"lectern/models/staff"
	"lectern/models/store"
)

// ofOneEvent returns the programme for an organizer of this event alone.
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
		m := lookedAt(t, f, moves.Of(asker(f)), met)
		modelstest.Want(t, "people here", m.Preview.People.Here, 1)
		modelstest.Must(moves.Of(ofOneEvent(t, f)).Bring(t.Context(), m.ID))(t)
		if m = worked(t, f, m.ID); m.State != moves.Brought || m.UserName != "Ada" || m.ActorName != "Bo" {
			t.Fatalf("%s %s %+v", m.State, m.Reason, m)
		}
		modelstest.Want(t, "it went on with the reach of who began it",
			modelstest.RowsOf(t, f, "SELECT count(*) FROM event_contacts WHERE guest_since IS NOT NULL"), 1)
	})
}

func TestAMoveOfSomebodyWhoOrganizesNoMoreStops(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		gone := moves.Of(f.Store.Programme(f.Event, store.By{Door: "admin", ActorID: store.NewID(), ActorName: "Cy"}))
		m := modelstest.Must(gone.Begin(t.Context(), moves.Asked{Kind: "schedule", File: file("a.xml", scheduleOf(2))}))(t)
		stops(t, f, m.ID, "organizes this event no more")
		modelstest.Must(moves.Of(asker(f)).Look(t.Context(), m.ID))(t)
		ends(t, f, m.ID, moves.Looked)
	})
}

// TestGuestsOfAMoveLeaveWithIt imports a person whom another event knows, who is a guest here because of the import.
func TestGuestsOfAMoveLeaveWithIt(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		var known []*models.Contact
		for _, name := range []string{"ada", "bo"} {
			known = append(known, modelstest.Contact(t, f.Elsewhere(), name, name+"@example.org"))
		}
		e := moves.Of(ofOneEvent(t, f))
		content := "Title,Speakers,E-mail,Biography\nTides,Ada Ng,ada@example.org,Sails\nShips,Bo Li,bo@example.org,\n"
		m := lookedAt(t, f, e, content)
		modelstest.Must(e.Bring(t.Context(), m.ID))(t)
		if m = worked(t, f, m.ID); m.State != moves.Brought || m.Report.Contacts.Created != 2 {
			t.Fatalf("%s: %s %+v", m.State, m.Reason, m.Report)
		}
		here := func() int { return countOf(t, f, "event_contacts WHERE event_id = '"+f.Event.ID+"'") }
		modelstest.Want(t, "people here", here(), 2)
		f.Clock.Move(time.Minute)
		// What others do with them elsewhere keeps nobody here; a session that somebody gives them here does.
		modelstest.Must(f.Elsewhere().CreateSession(t.Context(), models.NewSession{Title: "Elsewhere",
			People: []models.Participation{{ContactID: known[0].ID, Role: models.Speaking}}}))(t)
		modelstest.Must(f.Programme().CreateSession(t.Context(), models.NewSession{Title: "Here",
			People: []models.Participation{{ContactID: known[1].ID, Role: models.Speaking}}}))(t)
		modelstest.Must(e.Undo(t.Context(), m.ID))(t)
		ends(t, f, m.ID, moves.Undone)
		if n := modelstest.RowsOf(t, f, "SELECT count(*) FROM contacts"); here() != 1 || n != 2 {
			t.Errorf("%d are here, of %d people", here(), n)
		}
		modelstest.Want(t, "people at the other event",
			modelstest.RowsOf(t, f, "SELECT count(*) FROM event_contacts WHERE event_id = '"+f.Other.ID+"'"), 2)
		modelstest.WantSound(t, f)
	})
}
