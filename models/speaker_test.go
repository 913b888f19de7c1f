package models_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/store"
)

func TestAPersonsSessionsAtTheEventsOneMaySee(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		room := modelstest.RowOf(t, p, models.Rooms, "Great hall")
		ada := participantNamed(t, p, "Ada")
		ada.Role = models.Moderator
		with := []models.Participation{ada}
		create := func(at *models.Programme, n models.NewSession) *models.Session {
			n.People = with
			return modelstest.Must(at.CreateSession(ctx, n))(t)
		}
		start := store.At(time.Date(2027, 5, 20, 9, 0, 0, 0, time.UTC))
		create(p, models.NewSession{Title: "Later", IsAbstract: true})
		first := create(p, models.NewSession{Title: "First", SessionInput: models.SessionInput{
			StartsAt: store.Some(start), RoomID: store.Some(room.ID)}})
		gone := create(p, models.NewSession{Title: "Gone"})
		modelstest.Must(p.DeleteSession(ctx, gone.ID))(t)
		create(f.Elsewhere(), models.NewSession{Title: "Elsewhere"})
		modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "Of others",
			People: []models.Participation{participantNamed(t, p, "Li")}}))(t)
		_, foreign := modelstest.ForeignOwner(t, f)

		said := func(events ...string) string {
			var all []string
			for _, a := range modelstest.Must(p.Directory().Appearances(ctx, ada.ContactID, events))(t) {
				all = append(all, fmt.Sprint(a.Title, " ", a.Room, " ", a.Role, " ", a.StartsAt != nil))
			}
			slices.Sort(all)
			return strings.Join(all, ", ")
		}
		here := "First Great hall moderator true, Later  moderator false"
		modelstest.Want(t, "here", said(f.Event.ID, foreign), here)
		modelstest.Want(t, "everywhere", said(f.Event.ID, f.Other.ID), "Elsewhere  moderator false, "+here)
		modelstest.Want(t, "nowhere", said(), "")
		stranger := f.Store.Programme(modelstest.Must(f.EventBy(ctx, foreign))(t), modelstest.Tester)
		modelstest.Want(t, "another organization sees",
			len(modelstest.Must(stranger.Directory().Appearances(ctx, ada.ContactID, []string{f.Event.ID}))(t)), 0)
		for _, id := range []string{ada.ContactID, "x", "\x00"} {
			modelstest.Answers(stranger.Contact(ctx, id))(t, "another organization's read", store.NotFound)
		}
		late := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "Decided", IsAbstract: true, People: with}))(t)
		modelstest.SetStatus(t, p, late.ID, models.Accepted)
		f.SetLetter(t, f.Event, late.ID, models.LetterSent) // to somebody else
		for _, a := range modelstest.Must(p.Directory().Appearances(ctx, ada.ContactID, []string{f.Event.ID}))(t) {
			modelstest.Want(t, a.Title+": the letter of somebody else", a.Letter, "")
		}
		modelstest.Exec(t, f.SQL, "UPDATE letters SET contact_id = '"+ada.ContactID+"'")
		for _, a := range modelstest.Must(p.Directory().Appearances(ctx, ada.ContactID, []string{f.Event.ID}))(t) {
			modelstest.Want(t, fmt.Sprintf("%s: letter %q at %v", a.Title, a.Letter, a.LetterAt),
				a.Letter == models.LetterSent && a.LetterAt != nil, a.SessionID == late.ID)
		}
		modelstest.Must(p.DeleteSession(ctx, late.ID))(t)
		parts := modelstest.Must(p.SpeakerParts(ctx, []string{ada.ContactID}))(t)
		modelstest.Want(t, "parts", fmt.Sprint(parts),
			"map["+ada.ContactID+":{[moderator] 1 1 "+first.ID+" [S-1 A-1] [First Later]}]")
		modelstest.Want(t, "speakers", modelstest.Must(f.Programme().SpeakerCount(ctx))(t), 2)
	})
}

func TestSpeakersFollowEachOtherAsInTheirList(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		names := []string{"Ada", "Bob", "Cid", "Dot"}
		speakers := map[string]models.Participation{}
		for i, name := range names {
			speakers[name] = participantNamed(t, p, name)
			if i != 2 { // Cid is on no session
				modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "T",
					People: []models.Participation{speakers[name]}}))(t)
			}
		}
		elsewhere := models.NewSession{Title: "T", People: []models.Participation{{New: &models.NewContact{FirstName: "Aeneas"}}}}
		modelstest.Must(f.Elsewhere().CreateSession(ctx, elsewhere))(t)
		nameOf := func(id string) string {
			for _, name := range names {
				if speakers[name].ContactID == id {
					return name
				}
			}
			return "nobody" + id
		}
		for _, c := range []struct{ of, text, want string }{
			{"Ada", "", "nobody Bob 1 3"}, {"Bob", "", "Ada Dot 2 3"}, {"Dot", "", "Bob nobody 3 3"}, {"Cid", "", "Bob Dot 0 3"},
			{"Bob", "works bo", "nobody nobody 1 1"}, {"Ada", "dot", "nobody Dot 0 1"},
		} {
			contact := modelstest.Must(p.Contact(ctx, speakers[c.of].ContactID))(t)
			place := modelstest.Must(people.In(p.Directory()).Neighbours(ctx, people.Filter{Text: c.text, Speaking: new(true)},
				"", contact))(t)
			modelstest.Want(t, c.of+" in "+c.text,
				fmt.Sprint(nameOf(place.Previous), " ", nameOf(place.Next), " ", place.Position, " ", place.Total), c.want)
		}
		statements := f.Statement.During(func() {
			contact := modelstest.Must(p.Contact(ctx, speakers["Bob"].ContactID))(t)
			modelstest.Must(people.In(p.Directory()).Neighbours(ctx, people.Filter{Text: "b", Speaking: new(true)}, "",
				contact))(t)
		})
		modelstest.Want(t, fmt.Sprint("statements ", statements), len(statements), 2)
	})
}
