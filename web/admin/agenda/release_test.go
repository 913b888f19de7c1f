package agenda_test

import (
	"fmt"
	"testing"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/letters"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
)

func TestAnAgendaIsReleasedWithWhatChangedAndLetters(t *testing.T) {
	d := admintest.Open(t)
	hall, loft := d.Room("Hall"), d.Room("Loft")
	moved, gone := ofOne(d, "Moved", true), ofOne(d, "Gone", true)
	b := d.As(staff.Organizer)
	admintest.Wants(t, b.Get(d.At("/publish/versions"), 200), "No session is public and has a time.")
	for i, s := range []*models.Session{moved, gone} {
		inRoom(d, s, hall, 9+i)
		modelstest.First(d.Programme().Publish(t.Context(), s.ID, models.Publishing{}))(t)
	}
	admintest.Wants(t, b.Get(d.At("/publish"), 200), "No version of the agenda is released yet.")
	form := admintest.Fields(b.Get(d.At("/publish/versions"), 200))
	admintest.Wants(t, b.Page, "New", "Release version 1", "Draft letters to the 2 people concerned")
	admintest.Wants(t, b.Answer(d.At("/publish/versions"), form, 422), "Error:", "Name")
	admintest.Fill(form, "name", "First <draft>", "_token", admintest.Fields(b.Page).Get("_token"))
	admintest.Wants(t, b.Follow(b.Post(d.At("/publish/versions"), form, 303)), "Version 1: First &lt;draft&gt;",
		"Nothing was sent.", "Draft letters to 2 people")
	admintest.Wants(t, b.Get(d.At("/publish/versions"), 200), "Nothing changed since version 1, “First &lt;draft&gt;”.")
	late := admintest.Fill(admintest.Fields(b.Page), "name", "Late")
	b.Post(d.At("/publish/versions"), late, 422)

	inRoom(d, moved, loft, 14)
	modelstest.First(d.Programme().Unpublish(t.Context(), gone.ID))(t)
	form = admintest.Fields(b.Get(d.At("/publish/versions"), 200))
	admintest.Wants(t, b.Page, "Cancelled", "Moved", "<del", "Loft", "Release version 2")
	inRoom(d, moved, loft, 15)
	admintest.Fill(form, "name", "Second", "letters", "yes")
	_, stale := b.Post(d.At("/publish/versions"), form, 409)
	admintest.Wants(t, stale, "changed or released since you looked at it", `value="Second"`)
	form = admintest.Fill(admintest.Fields(stale), "letters", "yes", "body", "Dear {{nobody}}")
	admintest.Wants(t, b.Answer(d.At("/publish/versions"), form, 422), "no placeholder here")
	admintest.Fill(form, "body", letters.ChangesText.Body, "_token", admintest.Fields(b.Page).Get("_token"))
	admintest.Wants(t, b.Follow(b.Post(d.At("/publish/versions"), form, 303)),
		"its letters are drafted. Nothing was sent.", "Look at its letters")
	versions := modelstest.Must(agenda.Of(d.Programme()).Versions(t.Context()))(t)
	m := modelstest.Must(letters.Of(d.Programme()).MailingOf(t.Context(), versions[0].ID))(t)
	admintest.Wants(t, b.Get(d.At("/letters/mailings/"+m.ID), 200), "{{changes}}", "2 people")
	rows := modelstest.First(letters.Of(d.Programme()).MailingLetters(t.Context(), m.ID, "", store.Page{Size: 10}))(t)
	for _, row := range rows {
		modelstest.Want(t, fmt.Sprint(row.Letter), row.State, models.LetterDraft)
	}
	admintest.Wants(t, b.Get(d.At("/publish"), 200), "Version 2, “Second”")

	// Letters may be drafted afterwards, once.
	first := d.At("/publish/versions/" + versions[1].ID)
	letters := admintest.Fields(b.Get(first, 200))
	admintest.Wants(t, b.Follow(b.Post(first+"/letters", letters, 303)), "The letters are drafted.")
	admintest.Wants(t, b.Follow(b.Post(first+"/letters", letters, 303)), "2 people")
	d.As(staff.Reviewer).Get(first, 403)
}

func TestWhoHasNotBeenToldOfAChangeIsSaidUntilTheNextRelease(t *testing.T) {
	d := admintest.Open(t)
	hall, loft := d.Room("Hall"), d.Room("Loft")
	talk, quiet := ofOne(d, "Talk", true), ofOne(d, "Quiet", true)
	for i, s := range []*models.Session{talk, quiet} {
		inRoom(d, s, hall, 9+i)
		modelstest.First(d.Programme().Publish(t.Context(), s.ID, models.Publishing{}))(t)
	}
	b, record := d.As(staff.Organizer), d.At("/sessions/"+talk.ID)
	untold, release := "not been told", d.At("/publish/versions")
	move := func() string {
		form := admintest.Fill(admintest.Fields(b.Get(record, 200)), "room_id", loft)
		return b.Follow(b.Post(record+"/place", form, 303))
	}
	admintest.Lacks(t, move(), untold) // nothing was released yet
	admintest.Lacks(t, b.Get(d.At(""), 200), untold)
	inRoom(d, talk, hall, 9)
	modelstest.Must(letters.Of(d.Programme()).ReleaseAgenda(t.Context(), agenda.Release{Name: "First"}))(t)
	admintest.Lacks(t, b.Get(record, 200), untold)

	admintest.Wants(t, move(), "Room and time are saved.", "1 person has not been told that it moved",
		`<a href="`+release+`">`, "Release the change…")
	admintest.Lacks(t, b.Get(d.At("/sessions/"+quiet.ID), 200), untold)
	admintest.Wants(t, b.Get(d.At(""), 200), "person has not been told what changed since the agenda was released",
		"Look and release")
	admintest.Wants(t, b.Follow(b.Post(d.At("/sessions/"+quiet.ID+"/unpublish"), nil, 303)),
		"1 person has not been told that it left the agenda")
	admintest.Wants(t, b.Get(d.At(""), 200), "people have not been told what changed")
	admintest.Lacks(t, d.As(staff.Viewer).Get(record, 200), untold)
	admintest.Lacks(t, d.As(staff.Viewer).Get(d.At(""), 200), untold)

	modelstest.Must(letters.Of(d.Programme()).ReleaseAgenda(t.Context(), agenda.Release{Name: "Second"}))(t)
	admintest.Lacks(t, b.Get(record, 200), untold)
	admintest.Lacks(t, b.Get(d.At(""), 200), untold)
}
