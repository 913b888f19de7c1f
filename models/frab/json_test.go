package frab

import (
	"strings"
	"testing"
	"time"
)

// Schedules in the dialects of frab and pretalx: numbers or texts, null, names under three keys, rooms by their names.
const foreign = ` {"schedule": {"version": "1", "base_url": "https://example.org", "conference": {
	"acronym": "dune", "title": "Dune Days", "start": "2027-05-20", "end": "2027-05-21", "daysCount": 2,
	"timeslot_duration": "00:05", "time_zone_name": "Europe/Amsterdam",
	"rooms": [{"name": "Main", "guid": null, "capacity": 120}, {"name": "Empty", "capacity": null}],
	"tracks": [{"name": "Sand", "color": "#aa3300"}],
	"days": [{"index": 1, "date": "2027-05-20", "day_start": "2027-05-20T04:00:00+02:00", "rooms": {
		"Side": [{"id": 2, "guid": "g2", "date": "2027-05-20T12:00:00+02:00", "start": "12:00", "duration": 45,
			"title": "Numbers", "track": null, "type": "talk", "persons": [{"id": 7, "public_name": "Ada Ng"},
			{"code": "ABC", "name": "Bo"}, {"id": 8, "full_public_name": "Cy"}], "links": [{"url": "x"}], "do_not_record": false}],
		"Main": [{"id": "1", "guid": "g1", "start": "10:00", "duration": "00:30", "title": "First", "subtitle": "and last",
			"abstract": "<p>A</p>", "description": "", "track": "Sand", "room": "Main", "language": {"en": "x"}, "persons": []},
			{"id": 3, "guid": "g3", "start": "11:00", "title": "No length"}]}}]}}} `

func TestJSONIsReadAsXMLIs(t *testing.T) {
	t.Parallel()
	s := must(Parse(strings.NewReader(foreign), time.UTC))(t)
	equal(t, "title", s.Title, "Dune Days")
	equal(t, "days", s.Start+" "+s.End, "2027-05-20 2027-05-21")
	equal(t, "rooms", names(s.Rooms), []string{"Main", "Empty", "Side"})
	equal(t, "capacity", *s.Rooms[0].Capacity, 120)
	equal(t, "tracks", s.Tracks, []Track{{"Sand", "#aa3300"}})
	equal(t, "events", len(s.Events), 2)
	first, second := s.Events[0], s.Events[1]
	equal(t, "first", first.Title+" "+first.Subtitle+" "+first.Abstract+" "+first.Track+" "+first.Room,
		"First and last <p>A</p> Sand Main")
	equal(t, "start", first.Start, time.Date(2027, 5, 20, 8, 0, 0, 0, time.UTC))
	equal(t, "second", second.Title+" "+second.Key+" "+second.ID+" "+second.Room, "Numbers g2 2 Side")
	equal(t, "length", second.End.Sub(second.Start), 45*time.Minute)
	equal(t, "people", second.Persons, []Person{{ID: "7", Name: "Ada Ng"}, {ID: "ABC", Name: "Bo"}, {ID: "8", Name: "Cy"}})
	equal(t, "skipped", s.Skipped, []Skipped{{Index: 2, ID: "3", GUID: "g3", Title: "No length", Reason: "no duration"}})
}

func TestJSONThatIsNoScheduleIsRefused(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		`{`:                             "ends in the middle",
		`{"schedule": {"conference": 1`: "ends in the middle",
		`{"conference": {}}`:            `no "schedule"`,
		`{"schedule": {}}`:              "no event",
		`{"schedule": []}`:              "byte",
		`{"schedule": {}} {}`:           "follows the end",
		`{"schedule": {"conference": {"days": [{"rooms": {"a": [{"title": {}}]}}]}}} x`: "follows the end",
		"{" + strings.Repeat(`"a": {`, 20_000):                                          "byte",
	} {
		_, err := Parse(strings.NewReader(file), time.UTC)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %v", file, err)
		}
	}
}

// whole returns a schedule with everything that is written.
func whole() *Schedule {
	at := func(hour int) time.Time { return time.Date(2027, 10, 30, hour, 30, 0, 0, time.UTC) }
	const id = "01920000-0000-7000-8000-00000000000"
	return &Schedule{
		Title: `Ships & <"Sails">`, Acronym: "ships", Version: "1", URL: "https://example.org", Start: "2027-10-30",
		End:    "2027-10-31",
		Rooms:  []Room{{"Hall & more", id + "1", new(120)}, {"Attic", id + "2", nil}},
		Tracks: []Track{{"Größe, 東京", "#aa3300"}, {"Plain", ""}},
		Events: []Event{
			{Index: 1, Key: id + "3", GUID: id + "3", ID: "1", Title: "One: <b> & \"c\"", Abstract: "<p>A &amp; b</p>\n<p>c</p>",
				Type: "talk", Track: "Größe, 東京", Room: "Hall & more", URL: "https://example.org/1", Start: at(8), End: at(9),
				Persons: []Person{{GUID: id + "4", Name: "Zoë O'Neil", Role: "moderator"}, {GUID: id + "5", Name: "李小龙",
					Role: "speaker"}}},
			{Index: 2, Key: id + "6", GUID: id + "6", ID: "2", Title: "Nowhere", Start: at(23), End: at(23).Add(90 * time.Second)},
		},
		Breaks: []Break{
			{Key: id + "7", Kind: "blocker", Title: "Sound check", Room: "Attic", Start: at(6), End: at(7)},
			{Key: id + "8", Kind: "break", Title: "Lunch", AllRooms: true, Start: at(10), End: at(11)},
		},
	}
}

func TestWhatIsWrittenIsReadAsItWas(t *testing.T) {
	t.Parallel()
	brussels := must(time.LoadLocation("Europe/Brussels"))(t)
	s := whole()
	s.Zone = brussels
	asJSON := must(s.JSON())(t)
	for name, file := range map[string][]byte{"XML": s.XML(), "JSON": asJSON} {
		got, err := Parse(strings.NewReader(string(file)), time.UTC)
		if err != nil {
			t.Fatalf("%s: %v in\n%s", name, err, file)
		}
		byTitle := map[string]Event{}
		for _, e := range got.Events {
			e.Index = 0
			for i := range e.Persons {
				if e.Persons[i].ID == "" {
					t.Errorf("%s: %s has no number", name, e.Persons[i].Name)
				}
				e.Persons[i].ID = ""
			}
			byTitle[e.Title] = e
		}
		want := whole()
		equal(t, name+" title", got.Title, want.Title)
		equal(t, name+" days", got.Start+got.End, want.Start+want.End)
		equal(t, name+" rooms", got.Rooms, want.Rooms)
		equal(t, name+" tracks", got.Tracks, want.Tracks)
		equal(t, name+" skipped", len(got.Skipped), 0)
		for _, e := range want.Events {
			e.Index = 0
			equal(t, name+" "+e.Title, byTitle[e.Title], e)
		}
		breaks := map[string]Break{}
		for _, b := range got.Breaks {
			breaks[b.Title] = b
		}
		equal(t, name+" breaks", len(got.Breaks), len(want.Breaks))
		for _, b := range want.Breaks {
			equal(t, name+" "+b.Title, breaks[b.Title], b)
		}
	}
}

// Numbers stay the same from one export to the next, also when somebody is left out.
func TestNumbersStayAndAreEachOnesOwn(t *testing.T) {
	t.Parallel()
	var ids []string
	for i := range 2000 {
		ids = append(ids, strings.Repeat("x", i%7)+time.Duration(i).String())
	}
	all := numbered(append([]string{}, ids...), 1, 1<<31-2, map[int]bool{})
	some := numbered(append([]string{}, ids[500:]...), 1, 1<<31-2, map[int]bool{})
	seen := map[int]bool{}
	for id, n := range all {
		if seen[n] || n < 1 || some[id] != 0 && some[id] != n {
			t.Errorf("%s has %d, and %d", id, n, some[id])
		}
		seen[n] = true
	}
	if crowded := numbered([]string{"a", "b", "c"}, 5, 7, map[int]bool{}); crowded["a"]+crowded["b"]+crowded["c"] != 18 {
		t.Errorf("three of three numbers are %v", crowded)
	}
}
