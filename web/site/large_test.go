package site_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/arrival"
	"lectern/models/frab"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// largeRooms, largeDay and largeNext are how many rooms an event has that is larger than any we know, and how many
// sessions there are on each of its days.
const largeRooms, largeDay, largeNext = 30, 1800, 200

// large returns the programme of a large event: thirty rooms that are full from morning to night, a speaker on thirty
// sessions, titles as long as they may be, and Arabic beside English.
func large() *frab.Schedule {
	s := &frab.Schedule{Title: "Large", Start: "2027-05-20", End: "2027-05-21"}
	for i := range largeRooms {
		s.Rooms = append(s.Rooms, frab.Room{Name: fmt.Sprintf("Room %d", i+1), Capacity: new(50 + i)})
		s.Tracks = append(s.Tracks, frab.Track{Name: fmt.Sprintf("Track %d", i+1), Color: "#225588"})
	}
	text := "<p>" + strings.Repeat("What this is about, in a sentence or two. ", 10) + "</p>"
	for i := range largeDay + largeNext {
		day, slot := 20+i/largeDay, i%largeDay/largeRooms
		start := time.Date(2027, 5, day, 7, 15*slot, 0, 0, brussels)
		e := frab.Event{Index: i + 1, Key: fmt.Sprint(i), ID: fmt.Sprint(i), Title: fmt.Sprintf("Talk %d on something", i),
			Abstract: text, Type: "talk", Room: s.Rooms[i%largeRooms].Name, Track: s.Tracks[i%largeRooms].Name,
			Start: start.UTC(), End: start.UTC().Add(15 * time.Minute)}
		switch i {
		case 0:
			e.Title = strings.Repeat("A title that has no end. ", 12)[:255]
		case 1:
			e.Title = strings.Repeat("W", 255)
		case 2:
			e.Title = "محاضرة about ships"
		}
		e.Persons = []frab.Person{{ID: fmt.Sprint(i / 2), Name: fmt.Sprintf("Zoë Neil-%d", i/2)}}
		if i%60 == 7 {
			e.Persons = append(e.Persons, frab.Person{ID: "all", Name: "Ana Everywhere"})
		}
		s.Events = append(s.Events, e)
	}
	return s
}

// largePages are the pages of such an event with how many sessions or people are on each, and how many bytes each of
// these may take. Where many are starred each link carries them all.
var largePages = []struct {
	at           string
	shown, bytes int
}{
	{"", 5, 300}, {"/agenda/2027-05-20", largeDay, 650}, {"/agenda/2027-05-20?view=list", largeDay, 650},
	{"/agenda/2027-05-21", largeNext, 650}, {"/agenda/2027-05-20?q=zoe&tz=Asia/Taipei", largeDay, 800},
	{"/sessions", 150, 1400}, {"/sessions?day=2027-05-21", 150, 1400}, {"/itinerary", 270, 800}, {"/speakers", largePeople, 400},
	{"/speakers?view=photos", largePeople, 600},
	{"/my?my=" + strings.Join(numbers(300), ","), 300, 4600}, {"/print/2027-05-20", largeDay, 250}, {"/feeds", 60, 400},
	{"/changes", 0, 0}, {"/schedule.json", largeDay + largeNext, 1400}, {"/schedule.xml", largeDay + largeNext, 1300},
	{"/calendar.ics", largeDay + largeNext, 1100}, {"/sitemap.xml", largeDay + largeNext + largePeople, 200},
	{"/sessions/s-7-talk-6-on-something", 36, 500}, {"/agenda/2027-05-20/picture.png", 0, 40_000},
}

// largePeople is how many people are on its sessions.
const largePeople = (largeDay+largeNext)/2 + 1

// frameBytes is what a page takes without any session.
const frameBytes = 30_000

func numbers(n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprint(i+1))
	}
	return all
}

// TestTwoThousandSessionsAreNoMoreWorkThanTheyMustBe holds the pages of a large event to bounds that no machine
// changes: the statements that a page costs, which are as many as those of a small event, and its bytes.
func TestTwoThousandSessionsAreNoMoreWorkThanTheyMustBe(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, d := t.Context(), open(f)
		modelstest.Must(f.Programme().UpdateEvent(ctx, models.EventChange{Timezone: new("Europe/Brussels")}))(t)
		summary := modelstest.Must(arrival.Of(f.Programme()).Import(ctx, large(), arrival.Options{}))(t)
		if summary.Sessions.Created != largeDay+largeNext || summary.Contacts.Created != largePeople {
			t.Fatalf("%+v", summary)
		}
		publish(t, f)
		for i, page := range largePages {
			var response *http.Response
			var body string
			cost := len(f.Statement.During(func() { response, body = d.ask(t, d.home+page.at) }))
			most := 3
			if i == 0 { // which reads the agenda and the languages
				most = 14
			}
			if response.StatusCode != http.StatusOK || cost > most {
				t.Errorf("%s answers %d and costs %d statements", page.at, response.StatusCode, cost)
			}
			if again := len(f.Statement.During(func() { d.ask(t, d.home+page.at) })); again > 2 ||
				again > 1 && !strings.Contains(page.at, "?") {
				t.Errorf("%s costs %d statements when nothing has changed", page.at, again)
			}
			t.Logf("%.40s: %d bytes, %d statements", page.at, len(body), cost)
			if most := frameBytes + page.shown*page.bytes; len(body) > most && page.shown > 0 {
				t.Errorf("%.40s has %d bytes, more than %d", page.at, len(body), most)
			}
		}
		if f.Dialect() == "sqlite" { // their pages are made of what is kept, without any SQL
			d.readsLists(t, d.home)
		}
		d.change(t, d.talk(t, "One more", models.SessionInput{}), public)
		modelstest.Want(t, "a change costs the next page",
			len(f.Statement.During(func() { d.get(t, d.home+"/agenda/2027-05-20") })), 11)
		grid := d.shows(t, d.home+"/agenda/2027-05-20", `dir="auto">محاضرة about ships<`, strings.Repeat("W", 255),
			"A title that has no end. A ", "Room 30", "Talk 1799 on something")
		if n := strings.Count(grid, `<time class="mark`); n > 100 {
			t.Errorf("%d marks stand beside the grid", n)
		}
		speakers := d.get(t, d.home+"/speakers") // of whom on more than thirty the first times are named
		_, theirs, found := strings.Cut(speakers, "<b>Everywhere</b>")
		if theirs, _, _ = strings.Cut(theirs, "</li>"); !found || strings.Count(theirs, ":") > 4 {
			t.Error("somebody on thirty sessions has all of their times in the index")
		}
	})
}

// TestADayOfWhichClocksGoForwardIsAsLongAsItIs places what is in the night in which an hour is missing, and what ends
// on the day after.
func TestADayOfWhichClocksGoForwardIsAsLongAsItIs(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d := open(f)
		modelstest.Must(f.Programme().UpdateEvent(t.Context(), models.EventChange{Timezone: new("Europe/Brussels")}))(t)
		for i, at := range []struct{ from, to time.Time }{
			{time.Date(2027, 3, 28, 1, 30, 0, 0, brussels), time.Date(2027, 3, 28, 3, 30, 0, 0, brussels)},
			{time.Date(2027, 3, 28, 4, 0, 0, 0, brussels), time.Date(2027, 3, 28, 4, 30, 0, 0, brussels)},
			{time.Date(2027, 3, 28, 23, 0, 0, 0, brussels), time.Date(2027, 3, 29, 1, 0, 0, 0, brussels)},
		} {
			room := modelstest.RowOf(t, f.Programme(), models.Rooms, fmt.Sprint("Room ", i)).ID
			d.change(t, d.talk(t, fmt.Sprintf("Talk %d.", i), models.SessionInput{RoomID: store.Some(room),
				StartsAt: store.Some(store.At(at.from)), EndsAt: store.Some(store.At(at.to))}), public)
		}
		body := d.shows(t, d.home+"/agenda/2027-03-28", "c2 r2 n12", "c3 r20 n6", "c4 r248 n24", "01:30", "04:00", "23:00")
		lacks(t, "the day has the hour that is missing", body, ">02:00<", ">02:30<")
		d.answers(t, d.home+"/agenda/2027-03-29", http.StatusNotFound)
		d.shows(t, d.home+"/sessions/s-1-talk-0", "01:30–03:30", "60 min")
	})
}
