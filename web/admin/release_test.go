package admin

import (
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
)

// release is a version of an agenda with one session more.
func (d *desk) release(p *models.Programme) string {
	d.t.Helper()
	ctx := d.t.Context()
	s := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "Quiet talk", SessionInput: models.SessionInput{
		StartsAt: store.Some(store.At(d.Clock.Now()))}}))(d.t)
	if _, _, err := p.Publish(ctx, s.ID, models.Publishing{Reason: "Quiet"}); err != nil {
		d.t.Fatal(err)
	}
	return modelstest.Must(p.ReleaseAgenda(ctx, models.Release{Name: "Quiet version"}))(d.t).ID
}

func TestAnAgendaIsReleasedWithWhatChangedAndLetters(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	hall, loft := d.room("Hall"), d.room("Loft")
	moved, gone := d.ofOne("Moved", true), d.ofOne("Gone", true)
	b := d.as(staff.Organizer)
	wants(t, b.get(d.at("/publish/versions"), 200), "No session is public and has a time.")
	for i, s := range []*models.Session{moved, gone} {
		d.inRoom(s, hall, 9+i)
		_, _, err := d.Programme().Publish(t.Context(), s.ID, models.Publishing{})
		modelstest.Fine(t, err)
	}
	wants(t, b.get(d.at("/publish"), 200), "No version of the agenda is released yet.")
	form := fields(b.get(d.at("/publish/versions"), 200))
	wants(t, b.page, "New", "Release version 1", "Draft letters to the 2 people concerned")
	_, again := b.post(d.at("/publish/versions"), form, 422)
	wants(t, again, "Error:", "Name")
	form.Set("name", "First <draft>")
	form.Set("_token", fields(b.page).Get("_token"))
	wants(t, b.follow(b.post(d.at("/publish/versions"), form, 303)), "Version 1: First &lt;draft&gt;",
		"Nothing was sent.", "Draft letters to 2 people")
	wants(t, b.get(d.at("/publish/versions"), 200), "Nothing changed since version 1, “First &lt;draft&gt;”.")
	late := fields(b.page)
	late.Set("name", "Late")
	b.post(d.at("/publish/versions"), late, 422)

	d.inRoom(moved, loft, 14)
	_, _, err := d.Programme().Unpublish(t.Context(), gone.ID)
	modelstest.Fine(t, err)
	form = fields(b.get(d.at("/publish/versions"), 200))
	wants(t, b.page, "Cancelled", "Moved", "<del", "Loft", "Release version 2")
	d.inRoom(moved, loft, 15)
	form.Set("name", "Second")
	form.Set("letters", "yes")
	_, stale := b.post(d.at("/publish/versions"), form, 409)
	wants(t, stale, "changed or released since you looked at it", `value="Second"`)
	form = fields(stale)
	form.Set("letters", "yes")
	form.Set("body", "Dear {{nobody}}")
	_, bad := b.post(d.at("/publish/versions"), form, 422)
	wants(t, bad, "no placeholder here")
	form.Set("body", models.ChangesText.Body)
	form.Set("_token", fields(b.page).Get("_token"))
	wants(t, b.follow(b.post(d.at("/publish/versions"), form, 303)), "its letters are drafted. Nothing was sent.",
		"Look at its letters")
	versions := modelstest.Must(d.Programme().AgendaVersions(t.Context()))(t)
	m := modelstest.Must(d.Programme().MailingOf(t.Context(), versions[0].ID))(t)
	wants(t, b.get(d.at("/letters/mailings/"+m.ID), 200), "{{changes}}", "2 people")
	rows, _, err := d.Programme().MailingLetters(t.Context(), m.ID, "", store.Page{Size: 10})
	modelstest.Fine(t, err)
	for _, row := range rows {
		if row.State != models.LetterDraft {
			t.Errorf("%+v", row.Letter)
		}
	}
	wants(t, b.get(d.at("/publish"), 200), "Version 2, “Second”")

	// Letters may be drafted afterwards, once.
	first := d.at("/publish/versions/" + versions[1].ID)
	letters := fields(b.get(first, 200))
	wants(t, b.follow(b.post(first+"/letters", letters, 303)), "The letters are drafted.")
	wants(t, b.follow(b.post(first+"/letters", letters, 303)), "2 people")
	b.get("/admin/events/"+d.Other.ID+"/publish/versions/"+versions[0].ID, 404)
	d.as(staff.Reviewer).get(first, 403)
}

func TestWhoHasNotBeenToldOfAChangeIsSaidUntilTheNextRelease(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	hall, loft := d.room("Hall"), d.room("Loft")
	talk, quiet := d.ofOne("Talk", true), d.ofOne("Quiet", true)
	for i, s := range []*models.Session{talk, quiet} {
		d.inRoom(s, hall, 9+i)
		_, _, err := d.Programme().Publish(t.Context(), s.ID, models.Publishing{})
		modelstest.Fine(t, err)
	}
	b, record := d.as(staff.Organizer), d.at("/sessions/"+talk.ID)
	untold, release := "not been told", d.at("/publish/versions")
	move := func() string {
		form := fields(b.get(record, 200))
		form.Set("room_id", loft)
		return b.follow(b.post(record+"/place", form, 303))
	}
	lacks(t, move(), untold) // nothing was released yet
	lacks(t, b.get(d.at(""), 200), untold)
	d.inRoom(talk, hall, 9)
	modelstest.Must(d.Programme().ReleaseAgenda(t.Context(), models.Release{Name: "First"}))(t)
	lacks(t, b.get(record, 200), untold)

	wants(t, move(), "Room and time are saved.", "1 person has not been told that it moved", `<a href="`+release+`">`,
		"Release the change…")
	lacks(t, b.get(d.at("/sessions/"+quiet.ID), 200), untold)
	wants(t, b.get(d.at(""), 200), "person has not been told what changed since the agenda was released",
		"Look and release")
	wants(t, b.follow(b.post(d.at("/sessions/"+quiet.ID+"/unpublish"), nil, 303)),
		"1 person has not been told that it left the agenda")
	wants(t, b.get(d.at(""), 200), "people have not been told what changed")
	lacks(t, d.as(staff.Viewer).get(record, 200), untold)
	lacks(t, d.as(staff.Viewer).get(d.at(""), 200), untold)

	modelstest.Must(d.Programme().ReleaseAgenda(t.Context(), models.Release{Name: "Second"}))(t)
	lacks(t, b.get(record, 200), untold)
	lacks(t, b.get(d.at(""), 200), untold)
}
