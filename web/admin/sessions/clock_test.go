package sessions_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
)

func TestASessionsTimeThatComesTwiceIsAskedFor(t *testing.T) {
	admintest.Each(t, func(t *testing.T, d *admintest.Desk) {
		b := d.As(staff.Organizer)
		times := func(id string) string {
			s := d.Read(id)
			return s.StartsAt.String() + " " + s.EndsAt.String()
		}
		_, page := b.Send(d.At("/sessions/new"), 422, "title", "Night watch",
			"starts_at", "2027-03-28T02:30", "ends_at", "2027-10-31T02:45")
		admintest.Wants(t, page,
			`href="#starts_at">The start does not exist in Europe/Brussels, where the clocks go forward that day; take 28 Mar 2027, 03:00 or later.`,
			`href="#ends_at">The end comes twice that night in Europe/Brussels`, `value="2027-03-28T02:30"`,
			"The first, 02:45 CEST", "The second, 02:45 CET")
		admintest.Lacks(t, page, `name="starts_at_which"`)
		// The second half past two comes after the first quarter to three.
		form := admintest.Fill(admintest.Fields(page), "starts_at", "2027-10-31T02:30", "ends_at_which", "1")
		_, page = b.Post(d.At("/sessions/new"), form, 422)
		admintest.Wants(t, page, `href="#starts_at">The start comes twice`, `name="starts_at_which"`)
		form = admintest.Fill(admintest.Fields(page), "starts_at_which", "2")
		admintest.Wants(t, b.Answer(d.At("/sessions/new"), form, 422), `href="#ends_at"`)
		form = admintest.Fill(admintest.Fields(b.Text), "ends_at_which", "2")
		location, _ := b.Post(d.At("/sessions/new"), form, 303)
		id := location[strings.LastIndex(location, "/")+1:]
		if got := times(id); got != "2027-10-31T01:30:00.000Z 2027-10-31T01:45:00.000Z" {
			t.Fatal(got)
		}
		// Saved untouched, it stays the second; one choice moves one time.
		b.Send(location+"/edit", 303, "title", "Night watch 2")
		modelstest.Want(t, "the times", times(id), "2027-10-31T01:30:00.000Z 2027-10-31T01:45:00.000Z")
		b.Send(location+"/edit", 303, "starts_at_which", "1")
		modelstest.Want(t, "the times", times(id), "2027-10-31T00:30:00.000Z 2027-10-31T01:45:00.000Z")
		// Which of two does not matter to a time that comes once, or to none.
		b.Send(location+"/edit", 303, "starts_at", "2027-10-31T01:30", "ends_at", "")
		if s := d.Read(id); s.StartsAt.String() != "2027-10-30T23:30:00.000Z" || s.EndsAt != nil {
			t.Error(s.StartsAt, s.EndsAt)
		}
	})
}

func TestTwoMeaningsOfOneTimeClash(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	at := func(text string) store.Optional[store.Time] {
		return store.Optional[store.Time]{Set: true, Value: new(modelstest.Must(store.ParseTime(text))(t))}
	}
	s := d.Session(models.NewSession{Title: "Night watch",
		SessionInput: models.SessionInput{StartsAt: at("2027-10-31T08:00:00Z")}})
	path := d.At("/sessions/"+s.ID) + "/edit"
	form := admintest.Fields(b.Get(path, 200))
	d.Clock.Move(time.Second)
	modelstest.Must(d.Programme().UpdateSession(t.Context(), s.ID,
		models.SessionChange{SessionInput: models.SessionInput{StartsAt: at("2027-10-31T00:30:00Z")}}))(t)
	admintest.Fill(form, "starts_at", "2027-10-31T02:30", "starts_at_which", "2")
	_, page := b.Post(path, form, 409)
	admintest.Wants(t, page, "Sun 31 Oct 2027, 02:30 CEST", "Sun 31 Oct 2027, 02:30 CET")
	b.Post(path, admintest.Fields(page), 303) // mine
	modelstest.Want(t, "the starts at", d.Read(s.ID).StartsAt.String(), "2027-10-31T01:30:00.000Z")
}

func TestTwoMeaningsOfADeadlineClash(t *testing.T) {
	d, b, path := admintest.Windowed(t)
	form := admintest.Fields(b.Get(path, 200))
	d.Clock.Move(time.Second)
	first := store.Optional[store.Time]{Set: true, Value: new(modelstest.Must(store.ParseTime("2027-10-31T00:30:00Z"))(t))}
	modelstest.Must(d.Programme().UpdateEvent(t.Context(), models.EventChange{CFPClosesAt: first}))(t)
	admintest.Fill(form, "cfp_closes_at", "2027-10-31T02:30", "cfp_closes_at_which", "2")
	_, page := b.Post(path, form, 409)
	admintest.Wants(t, page, "Sun 31 Oct 2027, 02:30 CEST", "Sun 31 Oct 2027, 02:30 CET")
	b.Post(path, admintest.Fields(page), 303) // mine
	modelstest.Want(t, "the cfp closes at", d.Programme().Event().CFPClosesAt.String(), "2027-10-31T01:30:00.000Z")
}

// placeForm returns the fields of the form of room and time.
func placeForm(page string) url.Values {
	return admintest.Fields(regexp.MustCompile(`(?s)<form method="post" action="[^"]*/place.*?</form>`).FindString(page))
}

func TestRoomAndTimeHaveAFormOfTheirOwn(t *testing.T) {
	d := admintest.Open(t)
	hall, cellar := d.Room("Great hall"), d.Room("Cellar")
	other := d.Placed("Ropes", hall, "11:00", "12:00")
	s := d.Placed("Tides", cellar, "09:00", "09:45")
	tag := modelstest.RowOf(t, d.Programme(), models.Tags, "Sea").ID
	modelstest.Must(d.Programme().UpdateSession(t.Context(), s.ID, models.SessionChange{SessionInput: models.SessionInput{
		TagIDs: &[]string{tag}, CustomFields: &models.AnswersInput{{Key: "Boat", Value: "Yes"}}}}))(t)
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
	admintest.Wants(t, b.Undo(page), "Undone.", "09:00 to 09:45", "Cellar")

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
