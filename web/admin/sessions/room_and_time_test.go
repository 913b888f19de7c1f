package sessions_test

import (
	"net/url"
	"regexp"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/web/admin/admintest"
)

// placeForm are the fields of the small form of room and time.
func placeForm(page string) url.Values {
	return admintest.Fields(regexp.MustCompile(`(?s)<form method="post" action="[^"]*/place.*?</form>`).FindString(page))
}

func TestRoomAndTimeHaveAFormOfTheirOwn(t *testing.T) {
	d := admintest.Open(t)
	hall, cellar := d.Room("Great hall"), d.Room("Cellar")
	other := d.Placed("Ropes", hall, "11:00", "12:00")
	s := d.Placed("Tides", cellar, "09:00", "09:45")
	tag := modelstest.RowOf(t, d.Programme(), models.Tags, "Sea").ID
	_, err := d.Programme().UpdateSession(t.Context(), s.ID, models.SessionChange{SessionInput: models.SessionInput{
		TagIDs: &[]string{tag}, CustomFields: &models.AnswersInput{{Key: "Boat", Value: "Yes"}}}})
	modelstest.Fine(t, err)
	b, record := d.As(staff.Organizer), d.At("/sessions/"+s.ID)
	page := b.Get(record+"?in=sessions&status=accepted", 200)
	admintest.Wants(t, page, "Change room or time", "/static/times.js")
	admintest.Lacks(t, page, "It is public", `<details class="place" open`)
	form := placeForm(page)
	stale := placeForm(page)
	admintest.Fill(form, "room_id", hall, "starts_at", "2027-05-20T11:30", "ends_at", "2027-05-20T12:15")
	page = b.Follow(b.Post(record+"/place", form, 303))
	admintest.Wants(t, page, "Room and time are saved.", "Great hall</bdi> also has",
		"11:00 to 12:00, while this is 11:30 to 12:15.", "Undo")
	admintest.Lacks(t, page, "Visitors")
	now := d.Read(s.ID)
	if *now.RoomID != hall || len(now.Tags) != 1 || len(now.CustomFields) != 1 || now.Title != "Tides" {
		t.Errorf("it became %+v", now)
	}
	undo := admintest.Fields(regexp.MustCompile(`(?s)<form class="undo".*?</form>`).FindString(page))
	admintest.Wants(t, b.Follow(b.Post(record+"/put-back", undo, 303)), "Undone.", "09:00 to 09:45", "Cellar")

	// What comes late is offered beside the other, and what cannot be is told at its field.
	stale.Set("room_id", hall)
	admintest.Wants(t, b.Answer(record+"/place", stale, 409), "while you were editing")
	form = admintest.Fill(placeForm(b.Get(record, 200)), "starts_at", "2027-05-20T10:00")
	_, page = b.Post(record+"/place", form, 422)
	admintest.Wants(t, page, `<details class="place" open`, `value="2027-05-20T10:00"`, `href="#ends_at"`)

	// Of a public session it says who sees it.
	modelstest.Must(d.Programme().UpdateSession(t.Context(), s.ID,
		models.SessionChange{IsPublic: new(true), PublishOverride: true}))(t)
	page = b.Get(record, 200)
	admintest.Wants(t, page, "It is public: visitors see the new time at once.")
	form = admintest.Fill(placeForm(page), "starts_at", "2027-05-20T08:00")
	admintest.Wants(t, b.Follow(b.Post(record+"/place", form, 303)), "Visitors see them now.", "08:00 to 09:45")

	abstract := d.Session(models.NewSession{Title: "Nets", IsAbstract: true})
	admintest.Lacks(t, b.Get(d.At("/sessions/"+abstract.ID), 200), "Change room or time")
	viewer := d.As(staff.Viewer)
	admintest.Lacks(t, viewer.Get(record, 200), "Change room or time")
	viewer.Post(record+"/place", form, 403)
	admintest.Lacks(t, viewer.Get(d.At("/sessions/"+other.ID), 200), "/static/times.js")
}
