package admin

import (
	"net/url"
	"regexp"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
)

// placeForm are the fields of the small form of room and time.
func placeForm(page string) url.Values {
	return fields(regexp.MustCompile(`(?s)<form method="post" action="[^"]*/place.*?</form>`).FindString(page))
}

func TestRoomAndTimeHaveAFormOfTheirOwn(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	hall, cellar := d.room("Great hall"), d.room("Cellar")
	other := d.placed("Ropes", hall, "11:00", "12:00")
	s := d.placed("Tides", cellar, "09:00", "09:45")
	tag := modelstest.Must(d.Programme().CreateMetadata(t.Context(), models.Tags, models.NewMetadata{Name: "Sea"}))(t).ID
	_, err := d.Programme().UpdateSession(t.Context(), s.ID, models.SessionChange{SessionInput: models.SessionInput{
		TagIDs: &[]string{tag}, CustomFields: &models.AnswersInput{{Key: "Boat", Value: "Yes"}}}})
	modelstest.Fine(t, err)
	b, record := d.as(staff.Organizer), d.at("/sessions/"+s.ID)
	page := b.get(record+"?in=sessions&status=accepted", 200)
	wants(t, page, "Change room or time", "/static/clock.js")
	lacks(t, page, "It is public", `<details class="place" open`)
	form := placeForm(page)
	stale := placeForm(page)
	form.Set("room_id", hall)
	form.Set("starts_at", "2027-05-20T11:30")
	form.Set("ends_at", "2027-05-20T12:15")
	page = b.follow(b.post(record+"/place", form, 303))
	wants(t, page, "Room and time are saved.", "Great hall</bdi> also has", "11:00 to 12:00, while this is 11:30 to 12:15.", "Undo")
	lacks(t, page, "Visitors")
	now := d.read(s.ID)
	if *now.RoomID != hall || len(now.Tags) != 1 || len(now.CustomFields) != 1 || now.Title != "Tides" {
		t.Errorf("it became %+v", now)
	}
	undo := fields(regexp.MustCompile(`(?s)<form class="undo".*?</form>`).FindString(page))
	wants(t, b.follow(b.post(record+"/put-back", undo, 303)), "Undone.", "09:00 to 09:45", "Cellar")

	// What comes late is offered beside the other, and what cannot be is told at its field.
	stale.Set("room_id", hall)
	_, page = b.post(record+"/place", stale, 409)
	wants(t, page, "while you were editing")
	form = placeForm(b.get(record, 200))
	form.Set("starts_at", "2027-05-20T10:00")
	_, page = b.post(record+"/place", form, 422)
	wants(t, page, `<details class="place" open`, `value="2027-05-20T10:00"`, `href="#ends_at"`)

	// Of a public session it says who sees it.
	_, err = d.Programme().UpdateSession(t.Context(), s.ID,
		models.SessionChange{IsPublic: new(true), PublishOverride: true})
	modelstest.Fine(t, err)
	page = b.get(record, 200)
	wants(t, page, "It is public: visitors see the new time at once.")
	form = placeForm(page)
	form.Set("starts_at", "2027-05-20T08:00")
	wants(t, b.follow(b.post(record+"/place", form, 303)), "Visitors see them now.", "08:00 to 09:45")

	abstract := d.session(models.NewSession{Title: "Nets", IsAbstract: true})
	lacks(t, b.get(d.at("/sessions/"+abstract.ID), 200), "Change room or time")
	viewer := d.as(staff.Viewer)
	lacks(t, viewer.get(record, 200), "Change room or time")
	viewer.post(record+"/place", form, 403)
	lacks(t, viewer.get(d.at("/sessions/"+other.ID), 200), "/static/clock.js")
}
