package site_test

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/arrival"
	"lectern/models/frab"
	"lectern/models/modelstest"
	"lectern/models/store"
)

var brussels = func() *time.Location {
	zone, err := time.LoadLocation("Europe/Brussels")
	if err != nil {
		panic(err)
	}
	return zone
}()

// programme is all that a published programme says, without its ids.
func programme(t *testing.T, p *models.Programme) (lines []string) {
	t.Helper()
	search := models.SessionSearch{Filter: models.SessionFilter{IsAbstract: new(false)}, Sort: models.ByTitle,
		Ascending: true}
	modelstest.Fine(t, p.EachSession(t.Context(), search, func(sessions []*models.Session) error {
		for _, s := range sessions {
			line := fmt.Sprintf("%s | %s | %v to %v", s.Title, s.Description, s.StartsAt, s.EndsAt)
			if s.Room != nil {
				line += " in " + s.Room.Name
				if s.Room.Capacity != nil {
					line += fmt.Sprint(" for ", *s.Room.Capacity)
				}
			}
			if s.Track != nil {
				line += " of " + s.Track.Name + " " + s.Track.Color
			}
			if s.Format != nil {
				line += " as " + s.Format.Name
			}
			for _, x := range s.Participants {
				line += fmt.Sprint(" with ", x.FullName, " ", x.Role)
			}
			lines = append(lines, line)
		}
		return nil
	}))
	rooms := map[string]string{}
	listed, _, err := p.ListMetadata(t.Context(), models.Rooms, "", store.Page{Size: 100})
	modelstest.Fine(t, err)
	for _, m := range listed {
		rooms[m.ID] = m.Name
	}
	for _, b := range modelstest.Must(p.Breaks(t.Context(), store.Time{}, store.Time{}))(t) {
		room := "everywhere"
		if b.RoomID != nil {
			room = rooms[*b.RoomID]
		}
		lines = append(lines, fmt.Sprint(b.Kind, " ", b.Title, " ", b.StartsAt, " to ", b.EndsAt, " ", room))
	}
	slices.Sort(lines)
	return lines
}

// publish makes all programme sessions public, of which each has its entry of calendars. It changes one by the operation,
// which the event learns from, and writes the others at once: the operations would be most of what these tests take.
func publish(t *testing.T, f *modelstest.Fixture) {
	t.Helper()
	all, _, err := f.Programme().SearchSessions(t.Context(), models.SessionSearch{Page: store.Page{Size: 1},
		Filter: models.SessionFilter{IsAbstract: new(false)}})
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	modelstest.Must(f.Programme().UpdateSession(t.Context(), all[0].ID, public))(t)
	for _, statement := range []string{
		"UPDATE sessions SET is_public = TRUE, published_at = updated_at WHERE NOT is_abstract AND NOT is_public",
		"INSERT INTO calendar_entries (session_id, event_id, title, starts_at, ends_at, track_id, room_id, sequence, is_cancelled, updated_at) " +
			"SELECT id, event_id, title, starts_at, ends_at, track_id, room_id, 0, FALSE, updated_at FROM sessions " +
			"WHERE is_public AND id NOT IN (SELECT session_id FROM calendar_entries)",
	} {
		modelstest.Exec(t, f.SQL, statement)
	}
}

// generated returns a schedule of n items in thirty rooms, on two days, on one of which clocks go back.
func generated(n int) *frab.Schedule {
	s := &frab.Schedule{Title: "Generated", Start: "2027-10-30", End: "2027-10-31"}
	for i := range 30 {
		room := frab.Room{Name: fmt.Sprintf("Hall %d & <more>", i)}
		if i%2 == 0 {
			room.Capacity = new(20 + i)
		}
		s.Rooms = append(s.Rooms, room)
		s.Tracks = append(s.Tracks, frab.Track{Name: fmt.Sprintf("Größe, 東京 %d", i), Color: fmt.Sprintf("#%06x", i*1000)})
	}
	roles := []string{"speaker", "moderator", "chairperson", ""}
	for i := range n {
		start := time.Date(2027, 10, 30+i%2, 0, 5*(i/60), 0, 0, brussels)
		e := frab.Event{Index: i + 1, Key: fmt.Sprint(i), ID: fmt.Sprint(i), Title: fmt.Sprintf(`Talk %d: "a; b, c\d" <é>`,
			i),
			Abstract: fmt.Sprintf("<p>Text of %d &amp; more</p>\n<ul><li>“one”</li></ul>", i), Type: []string{"", "talk",
				"workshop"}[i%3],
			Track: s.Tracks[i%30].Name, Start: start.UTC(), End: start.UTC().Add(time.Duration(5+i%3*25) * time.Minute)}
		if i%50 > 0 {
			e.Room = s.Rooms[i%30].Name
		}
		for k := range i % 4 {
			who := (i + k) % (n / 2)
			e.Persons = append(e.Persons, frab.Person{ID: fmt.Sprint(who), Name: fmt.Sprintf("Zoë O'Neil %d", who),
				Email: fmt.Sprintf("p%d@example.org", who), Role: roles[(i+k)%4]})
		}
		s.Events = append(s.Events, e)
	}
	for i := range 8 {
		b := frab.Break{Key: fmt.Sprint("b", i), Kind: []string{"break", "blocker"}[i%2], Title: fmt.Sprint("Break ", i),
			Start: time.Date(2027, 10, 30, 10+i, 0, 0, 0, time.UTC), End: time.Date(2027, 10, 30, 11+i, 0, 0, 0, time.UTC)}
		if b.AllRooms = i == 3; !b.AllRooms {
			b.Room = s.Rooms[i].Name
		}
		s.Breaks = append(s.Breaks, b)
	}
	return s
}

func TestWhatIsExportedIsImportedAsTheSameProgramme(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) { comesBack(t, f, generated(680)) })
}

// The published schedule of a large conference, where it lies beside the repository.
func TestFOSDEM2024ComesBackAsItWas(t *testing.T) {
	file, err := os.ReadFile("../../../shared/data/fosdem-2024.xml")
	if err != nil {
		t.Skip("the published schedule of FOSDEM 2024 is not part of this repository")
	}
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		comesBack(t, f, modelstest.Must(frab.Parse(bytes.NewReader(file), brussels))(t))
	})
}

func comesBack(t *testing.T, f *modelstest.Fixture, schedule *frab.Schedule) {
	ctx, d := t.Context(), open(f)
	modelstest.Must(f.Programme().UpdateEvent(ctx, models.EventChange{Timezone: new("Europe/Brussels")}))(t)
	modelstest.Must(arrival.Of(f.Programme()).Import(ctx, schedule, arrival.Options{}))(t)
	publish(t, f)
	want := programme(t, f.Programme())
	if len(want) != len(schedule.Events)+len(schedule.Breaks) {
		t.Fatalf("the programme has %d lines", len(want))
	}
	for _, name := range []string{"schedule.xml", "schedule.json"} {
		body := d.get(t, d.home+"/"+name)
		lacks(t, name+" tells addresses", body, "@example.org")
		keepFor(t, name, body)
		read := modelstest.Must(frab.Parse(strings.NewReader(body), time.UTC))(t)
		event := modelstest.Must(f.CreateEvent(ctx, models.NewEvent{Name: "Copy", Slug: strings.ReplaceAll(name, ".", "-"),
			Timezone: "Europe/Brussels"}))(t)
		copied := func() *models.Programme {
			return f.Store.Programme(modelstest.Must(f.EventBy(ctx, event.ID))(t), modelstest.Tester)
		}
		summary := modelstest.Must(arrival.Of(copied()).Import(ctx, read, arrival.Options{}))(t)
		if len(summary.Skipped) != 0 || summary.Sessions.Created != len(schedule.Events) ||
			summary.Breaks.Created != len(schedule.Breaks) {
			t.Errorf("%s: %+v", name, summary)
		}
		again := modelstest.Must(arrival.Of(copied()).Import(ctx, read, arrival.Options{}))(t)
		if again.Sessions.Unchanged != len(schedule.Events) || again.Breaks.Unchanged != len(schedule.Breaks) ||
			again.Contacts.Created != 0 {
			t.Errorf("%s once more: %+v", name, again)
		}
		got := programme(t, copied())
		for i := range max(len(got), len(want)) {
			if i >= len(got) || i >= len(want) || got[i] != want[i] {
				t.Fatalf("%s: %d lines, not %d; line %d is\n%.500v, not\n%.500v", name, len(got), len(want), i,
					append(got, "")[min(i, len(got))], append(want, "")[min(i, len(want))])
			}
		}
	}
	keepFor(t, "calendar.ics", d.get(t, d.home+"/calendar.ics"))
}

// keepFor keeps a feed for looking at, in the folder that LECTERN_FEEDS names.
func keepFor(t *testing.T, name, body string) {
	if folder := os.Getenv("LECTERN_FEEDS"); folder != "" {
		modelstest.Fine(t, os.WriteFile(folder+"/"+cmp.Or(strings.ReplaceAll(t.Name(), "/", "-"), "x")+"-"+name,
			[]byte(body), 0o644))
	}
}
