package agenda_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
)

// breakFormOn returns the fields of the form of a break on a page.
func breakFormOn(page string) url.Values {
	return admintest.Fields(regexp.MustCompile(`(?s)<form class="form" method="post" action="[^"]*/agenda/breaks/.*?</form>`).
		FindString(page))
}

// breaksNow lists the breaks of the event as text: kind, title, time in the event's zone and room.
func breaksNow(d *admintest.Desk) string {
	all := modelstest.Must(d.Programme().Breaks(d.T.Context(), store.Time{}, store.Time{}))(d.T)
	names := map[string]string{}
	for _, room := range modelstest.First(d.Programme().ListMetadata(d.T.Context(), models.Rooms, "", store.Page{}))(d.T) {
		names[room.ID] = " " + room.Name
	}
	var words []string
	for _, b := range all {
		zone := d.Programme().Event().Location()
		text := string(b.Kind) + " " + b.Title + " " + b.StartsAt.In(zone).Format("2 Jan 15:04") + "-" +
			b.EndsAt.In(zone).Format("15:04")
		if b.RoomID != nil {
			text += names[*b.RoomID]
		}
		words = append(words, text)
	}
	return strings.Join(words, ", ")
}

func TestABreakHasAForm(t *testing.T) {
	d := admintest.Open(t)
	hall, cellar := d.Room("Great hall"), d.Room("Cellar")
	b, base := d.As(staff.Organizer), d.At("/agenda/breaks")
	page := b.Get(base+"/new?day=2027-05-21&start=12:30&room="+cellar, 200)
	admintest.Wants(t, page, "New break", `value="2027-05-21T12:30"`, `value="2027-05-21T13:30"`, "All rooms",
		"Add to the agenda")
	form := breakFormOn(page)
	modelstest.Want(t, "the form has", form.Get("room_id"), cellar)
	admintest.Fill(form, "title", " ", "ends_at", "2027-05-21T12:00")
	_, page = b.Post(base+"/new", form, 422)
	admintest.Wants(t, page, `href="#title"`, `href="#ends_at"`, `value="2027-05-21T12:30"`)
	form = admintest.Fill(breakFormOn(page), "title", "Lunch <b>", "ends_at", "2027-05-21T13:15")
	location, _ := b.Post(base+"/new", form, 303)
	if !strings.HasSuffix(location, "/agenda?day=2027-05-21") {
		t.Errorf("it leads to %s", location)
	}
	modelstest.Want(t, "there is", breaksNow(d), "break Lunch <b> 21 May 12:30-13:15 Cellar")
	if again, _ := b.Post(base+"/new", form, 303); again != location { // sent twice it is made once
		t.Errorf("sent again it leads to %s", again)
	}
	lunch := modelstest.Must(d.Programme().Breaks(t.Context(), store.Time{}, store.Time{}))(t)[0]
	at := base + "/" + lunch.ID
	page = b.Get(at, 200)
	admintest.Wants(t, page, "Lunch &lt;b&gt;", "Copy to all rooms", "Delete")
	form, stale := breakFormOn(page), breakFormOn(page)
	admintest.Fill(form, "kind", "blocker", "title", "Sound check", "starts_at", "2027-05-21T12:00")
	b.Post(at, form, 303)
	modelstest.Want(t, "there is", breaksNow(d), "blocker Sound check 21 May 12:00-13:15 Cellar")
	// What comes late is offered beside the other.
	admintest.Fill(stale, "title", "Tea", "room_id", hall)
	admintest.Wants(t, b.Answer(at, stale, 409), "while you were editing", "Sound check", "Tea")
	b.Post(at+"/copy", nil, 303)
	if got := breaksNow(d); !strings.Contains(got, "Great hall") || !strings.Contains(got, "Cellar") {
		t.Errorf("there is %s", got)
	}
	admintest.Wants(t, b.Get(d.At("/activity"), 200), "Sound check", "Breaks")
	b.Post(at+"/delete", nil, 303)
	admintest.Wants(t, b.Get(d.At("/activity"), 200), "is out of the agenda.", "Undo",
		"/agenda/breaks/"+lunch.ID+"/restore")
	b.Get(at, 404)
	b.Post(at+"/restore", nil, 303)
	admintest.Wants(t, b.Get(at, 200), "Sound check", "is back in the agenda.")

	viewer := d.As(staff.Viewer)
	admintest.Lacks(t, viewer.Get(at, 200), "Copy to all rooms", ">Save<", ">Delete<")
	viewer.Get(base+"/new", 403)
	viewer.Post(at, form, 403)
	viewer.Post(at+"/delete", nil, 403)
	viewer.Post(at+"/copy", nil, 403)
}

func TestABreakInAnHourThatComesTwiceOrNever(t *testing.T) {
	d := admintest.Open(t)
	modelstest.Must(d.Programme().UpdateEvent(t.Context(), models.EventChange{Timezone: new("Europe/Lisbon")}))(t)
	b, base := d.As(staff.Organizer), d.At("/agenda/breaks")
	form := admintest.Fill(breakFormOn(b.Get(base+"/new", 200)), "title", "Night", "starts_at", "2027-10-31T01:30",
		"ends_at", "2027-10-31T03:00")
	_, page := b.Post(base+"/new", form, 422)
	admintest.Wants(t, page, "comes twice", "The first, 01:30", "The second, 01:30")
	form = admintest.Fill(breakFormOn(page), "starts_at_which", "2")
	b.Post(base+"/new", form, 303)
	all := modelstest.Must(d.Programme().Breaks(t.Context(), store.Time{}, store.Time{}))(t)
	if len(all) != 1 || all[0].StartsAt.String() != "2027-10-31T01:30:00.000Z" {
		t.Errorf("%+v", all)
	}
	form = admintest.Fill(breakFormOn(b.Get(base+"/new", 200)), "title", "Never", "starts_at", "2027-03-28T01:30",
		"ends_at", "2027-03-28T03:00")
	admintest.Wants(t, b.Answer(base+"/new", form, 422), "does not exist in Europe/Lisbon")
}
