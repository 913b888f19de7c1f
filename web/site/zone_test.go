package site_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/embed"
	"lectern/models/metadata"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// TestEachPageSaysByWhichClockItsTimesAre asks each page that has times for another clock beside the event's, and for
// it alone: what is kept of one is never shown for the other, and links keep what was chosen.
func TestEachPageSaysByWhichClockItsTimesAre(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, _, _, _, _ := published(t, f)
		speaker := d.speaker(t)
		for _, at := range []string{"", "/agenda/2027-05-20", "/sessions", "/itinerary", "/sessions/s-1-zurich-b-you-b",
			"/speakers/" + speaker, "/my?my=1"} {
			sep := "?"
			if strings.Contains(at, "?") {
				sep = "&"
			}
			alone, _ := d.ask(t, d.home+at)
			here, there := d.get(t, d.home+at), d.get(t, d.home+at+sep+"tz=Asia/Taipei")
			again := d.get(t, d.home+at)
			for _, page := range []string{here, again} {
				if strings.Contains(page, "Taipei") || strings.Count(page, "Times in Brussels, CEST") != 1 ||
					strings.Count(page, `data-clock="Europe/Brussels" hidden`) != 1 {
					t.Errorf("%q does not say once by which clock it is", at)
				}
			}
			off := `<a href="` + strings.ReplaceAll(d.home+at, "&", "&amp;") + `">Only Brussels</a>`
			says(t, there, []string{"18:00 in Taipei", "Times in Brussels, CEST and Taipei, +6 h", off, "tz=Asia/Taipei",
				`datetime="2027-05-20T12:00:00+02:00"`}, nil)
			if other, _ := d.ask(t, d.home+at+sep+"tz=Asia/Taipei"); other.Header.Get("Etag") == alone.Header.Get("Etag") {
				t.Errorf("%q is the same by two clocks", at)
			}
			has(t, at+" by two clocks is a page of its own to search engines", there, `content="noindex"`,
				`rel="canonical" href="`+base+d.home+strings.TrimSuffix(at, "?my=1")+`"`)
			wrong := d.get(t, d.home+at+sep+"tz=Nowhere/<b>")
			has(t, at, wrong, "There is no such clock", `<details class="zones" open>`, `aria-invalid="true"`)
			lacks(t, at, wrong, "<b>\"")
			lacks(t, at+" carries a clock along that there is none of", wrong, "tz=Nowhere", `type="hidden" name="tz"`)
			for _, same := range []string{"Europe/Paris", "Brussels"} { // which show what the event's clock does
				page := d.get(t, d.home+at+sep+"tz="+same)
				lacks(t, at+" takes "+same+" for another clock", page, "There is no such clock", "Paris, ", "in Paris", "tz=")
			}
		}
		for _, at := range []string{"", "/speakers", "/feeds", "/changes"} { // what leads on keeps what was chosen
			d.shows(t, d.home+at+"?tz=Asia/Taipei&my=1", d.home+`/agenda?my=1&amp;tz=Asia/Taipei"`)
		}
	})
}

// TestWhatHasTimesAndNoSwitchNamesItsClockToo reads the index of speakers, and embeds as frames and as insets.
func TestWhatHasTimesAndNoSwitchNamesItsClockToo(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, _, _, _, _ := published(t, f)
		addresses := map[string]bool{d.home + "/speakers": true, d.home + "/speakers?view=photos": false}
		for _, kind := range embed.Kinds {
			e := d.embeds(t, embed.Change{Name: new("Here"), Kind: new(kind)})
			addresses["/embeds/"+e.ID] = kind != embed.Gallery
			addresses["/embeds/"+e.ID+".html"] = !kind.ShowsPeople()
		}
		for address, has := range addresses {
			modelstest.Want(t, fmt.Sprint(address, " names its clock: ", !has),
				strings.Count(d.get(t, address), ">Times in Brussels, CEST<"), map[bool]int{true: 1}[has])
		}
	})
}

// TestClocksAreNamedByWhatAPageShows has sessions before and after clocks go forward in Brussels, unlike Taipei's.
func TestClocksAreNamedByWhatAPageShows(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d := open(f)
		modelstest.Must(f.Programme().UpdateEvent(t.Context(), models.EventChange{Timezone: new("Europe/Brussels")}))(t)
		var last *models.Session
		for day, title := range map[int]string{27: "Before.", 28: "After."} {
			start := time.Date(2027, 3, day, 10, 0, 0, 0, brussels)
			last = d.talk(t, title, models.SessionInput{StartsAt: store.Some(store.At(start)),
				EndsAt: store.Some(store.At(start.Add(time.Hour)))})
			d.change(t, last, public)
		}
		clocks := func(of map[string]string) {
			t.Helper()
			for at, want := range of {
				d.shows(t, d.home+at, want)
			}
		}
		clocks(map[string]string{"/sessions": "Times in Brussels<",
			"/sessions?tz=Asia/Taipei":          "Times in Brussels and Taipei<",
			"/agenda/2027-03-27?tz=Asia/Taipei": "Times in Brussels, CET and Taipei, +7 h<",
			"/agenda/2027-03-28?tz=Asia/Taipei": "Times in Brussels, CEST and Taipei, +6 h<",
			"/sessions?q=after":                 "Times in Brussels, CEST<", "/sessions?q=before": "Times in Brussels, CET<",
			"/print/2027-03-27": "Times in Brussels, CET."})
		modelstest.Must(f.Programme().UpdateEvent(t.Context(), models.EventChange{Timezone: new("UTC")}))(t)
		clocks(map[string]string{"/sessions": "Times in UTC<", "/sessions?lang=de&tz=Asia/Taipei": "Taipeh, +8 Std."})
	})
}

// TestAnEveningYieldsToTheNextMorning moves the clock through a night of work until noon, with breakfast and talks.
func TestAnEveningYieldsToTheNextMorning(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d := open(f)
		modelstest.Must(f.Programme().UpdateEvent(t.Context(), models.EventChange{Timezone: new("Europe/Brussels")}))(t)
		of := func(day, hour, minute int) store.Time {
			return store.At(time.Date(2027, 5, day, hour, minute, 0, 0, brussels))
		}
		for _, s := range [][2]store.Time{{of(20, 20, 0), of(21, 12, 0)}, {of(21, 11, 0), of(21, 12, 0)}} {
			d.change(t, d.talk(t, "Work", models.SessionInput{StartsAt: store.Some(s[0]), EndsAt: store.Some(s[1])}), public)
		}
		opens := func(day string, at ...store.Time) {
			t.Helper()
			for _, now := range at {
				f.Clock.Move(now.Sub(f.Clock.Now()))
				page := squeezed(d.get(t, d.home+"/agenda"))
				has(t, fmt.Sprint("at ", now, " the agenda does not open on ", day), page, day+`" aria-current="page"`)
			}
		}
		opens("2027-05-20", of(20, 21, 0), of(21, 0, 30), of(21, 6, 0), of(21, 8, 30))
		opens("2027-05-21", of(21, 9, 0), of(21, 11, 30), of(21, 13, 0))
		modelstest.Must(agenda.Of(f.Programme()).AddBreak(t.Context(), models.NewBreak{Kind: models.Pause, Title: "Breakfast",
			StartsAt: of(21, 8, 0), EndsAt: of(21, 9, 0)}))(t)
		opens("2027-05-20", of(21, 5, 30))
		opens("2027-05-21", of(21, 6, 30), of(21, 8, 30))
	})
}

// TestASessionOfDaysLeavesTheGridOfADay has an exhibition of three days beside talks, and then a night that is longer
// than a grid.
func TestASessionOfDaysLeavesTheGridOfADay(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d := open(f)
		room := func(name string) store.Optional[string] {
			return store.Some(modelstest.RowOf(t, f.Programme(), models.Rooms, name).ID)
		}
		of := func(day, hour int) store.Optional[store.Time] {
			return store.Some(store.At(time.Date(2027, 5, day, hour, 0, 0, 0, time.UTC)))
		}
		add := func(title, in string, from, to store.Optional[store.Time]) {
			t.Helper()
			d.change(t, d.talk(t, title, models.SessionInput{RoomID: room(in), StartsAt: from, EndsAt: to}), public)
		}
		add("Exhibition", "Foyer", of(20, 9), of(23, 18))
		add("Talk", "Hall", of(20, 10), of(20, 12))
		at := d.home + "/agenda/2027-05-20"
		page := d.get(t, at)
		if marks := strings.Count(page, `class="mark `); !strings.Contains(page, "r2 n36") || marks != 6 {
			t.Errorf("the grid of nine to twelve has %d half hours:\n%s", marks, page)
		}
		add("Night", "Cellar", of(20, 20), of(21, 19))
		page = d.get(t, at)
		if marks := strings.Count(page, `class="mark `); !strings.Contains(page, "r134 n154") || marks < 47 || marks > 48 {
			t.Errorf("the grid of a day and a night has %d half hours:\n%s", marks, page)
		}
	})
}

// TestTheAgendaOpensOnTheDayThatGoesOn moves the clock through an event of two days with one between, of which the first
// goes on after midnight.
func TestTheAgendaOpensOnTheDayThatGoesOn(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d := open(f)
		modelstest.Must(f.Programme().UpdateEvent(t.Context(), models.EventChange{Timezone: new("Europe/Brussels"),
			StartsOn: store.Some("2027-03-26"), EndsOn: store.Some("2027-03-29")}))(t)
		of := func(day, hour, minute int) time.Time { return time.Date(2027, 3, day, hour, minute, 0, 0, brussels) }
		for _, s := range []struct {
			title    string
			from, to time.Time
		}{
			{"Exhibition.", of(26, 10, 0), of(29, 18, 0)}, {"Night.", of(26, 23, 0), of(27, 1, 0)},
			{"Morning.", of(27, 9, 0), of(27, 10, 0)}, // clocks go forward in the night after: 28 March has 23 hours
			{"Dance.", of(27, 23, 30), of(28, 4, 0)}, {"End.", of(29, 9, 0), of(29, 10, 0)},
		} {
			d.change(t, d.talk(t, s.title, models.SessionInput{StartsAt: store.Some(store.At(s.from)),
				EndsAt: store.Some(store.At(s.to))}), public)
		}
		for _, c := range []struct {
			name string
			now  time.Time
			day  string
			line bool
		}{
			{"long before", of(1, 12, 0), "2027-03-26", false}, {"on its first day", of(26, 12, 0), "2027-03-26", true},
			{"after midnight, while the evening goes on", of(27, 0, 30), "2027-03-26", true},
			{"once it is over", of(27, 1, 0), "2027-03-27", false},
			{"during the second day", of(27, 9, 30), "2027-03-27", true},
			{"at night, the clocks went forward", of(28, 3, 30), "2027-03-27", true},
			{"between two days", of(28, 12, 0), "2027-03-29", false},
			{"on the evening of the last", of(29, 22, 0), "2027-03-29", false},
			{"afterwards", of(31, 12, 0), "2027-03-26", false},
		} {
			f.Clock.Move(c.now.Sub(f.Clock.Now()))
			page := strings.Join(strings.Fields(d.get(t, d.home+"/agenda")), " ")
			has(t, c.name+": the agenda does not open on "+c.day, page, `/agenda/`+c.day+`" aria-current="page"`)
			modelstest.Want(t, c.name+": a line says where the time is", strings.Contains(page, `id="now"`), c.line)
		}
	})
}

// TestSessionsThatBeginTogetherStandAsStaffOrderedTheRooms reorders the rooms: each list follows with the next request.
func TestSessionsThatBeginTogetherStandAsStaffOrderedTheRooms(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		d := open(f)
		talks := map[string]string{}
		for _, room := range []string{"Zebra", "Ape", "Mole"} {
			id := modelstest.RowOf(t, f.Programme(), models.Rooms, room).ID
			talks[room] = id
		}
		for _, room := range []string{"Mole", "", "Ape", "Zebra"} {
			in := models.SessionInput{}
			if room != "" {
				in.RoomID = store.Some(talks[room])
			}
			d.change(t, d.talk(t, "In "+room+".", in), public)
		}
		stand := func(order ...string) {
			t.Helper()
			for _, at := range []string{"/agenda/2027-05-20?view=list", "/agenda/2027-05-20", "/sessions", "/itinerary",
				"/my?my=1,2,3,4", "/print/2027-05-20"} {
				page, last := d.get(t, d.home+at), -1
				for _, title := range order {
					here := strings.Index(page, ">In "+title+".<")
					if here < last || here < 0 {
						t.Errorf("%s: %q is out of order", at, title)
					}
					last = here
				}
			}
		}
		stand("Zebra", "Ape", "Mole", "")
		modelstest.Fine(t, metadata.Of(f.Programme()).Move(t.Context(), models.Rooms, talks["Mole"], 0))
		stand("Mole", "Zebra", "Ape", "")
	})
}

// TestTimesSayWhichDayAndWhichHourTheyAre reads of a session that takes three days, and of two that begin at 01:30 of
// the night in which clocks go back.
func TestTimesSayWhichDayAndWhichHourTheyAre(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, hall, _, _ := conference(t, f) // in Lisbon, with what begins the second time
		moment := func(day, hour, minute int) store.Optional[store.Time] {
			return store.Some(store.At(time.Date(2027, 10, day, hour, minute, 0, 0, time.UTC)))
		}
		first := d.talk(t, "Of the first hour", models.SessionInput{RoomID: store.Some(hall), StartsAt: moment(31, 0, 30),
			EndsAt: moment(31, 0, 50)})
		d.change(t, first, public)
		long := d.talk(t, "Exhibition", models.SessionInput{RoomID: store.Some(hall), StartsAt: moment(25, 9, 0),
			EndsAt: moment(27, 17, 0)})
		d.change(t, long, public)
		beside := d.talk(t, "Beside it", models.SessionInput{StartsAt: moment(25, 10, 0), EndsAt: moment(25, 10, 30)})
		d.change(t, beside, public)
		number, next := strings.TrimPrefix(long.FriendlyID, "S-"), strings.TrimPrefix(beside.FriendlyID, "S-")
		for path, all := range map[string][]string{
			"/agenda/2027-10-31":                    {">01:30 WEST<", ">01:30 WET<", ">01:00 WEST <", ">01:00 WET <"},
			"/itinerary":                            {">01:30 WEST<small>until 01:50 WEST<", ">01:30 WET<small>until 02:30<", "until Wednesday 27 October, 18:00", "56 h"},
			"/sessions/s-" + number + "-exhibition": {">10:00 – Wednesday 27 October, 18:00<", "56 h"},
			"/print/2027-10-25?room=" + hall:        {"10:00", " – Wednesday 27 October, 18:00"},
			"/my?my=" + number + "," + next:         {"Overlaps: “Exhibition” ends on Wednesday 27 October at 18:00."},
		} {
			page := d.shows(t, d.home+path, all...)
			lacks(t, path+" tells of three days as of one", page, "3360 min", "until 18:00")
		}
		page := d.home + "/sessions/s-" + number + "-exhibition"
		before := d.shared(t, page)
		d.change(t, long, models.SessionChange{SessionInput: models.SessionInput{EndsAt: moment(26, 17, 0)}})
		if d.shared(t, page) == before {
			t.Error("the picture of a session does not tell on which day it ends")
		}
		modelstest.Must(f.Programme().UpdateEvent(t.Context(), models.EventChange{Timezone: new("Antarctica/Troll")}))(t)
		if page := d.get(t, d.home+"/itinerary"); !strings.Contains(page, ">02:30 UTC+2<") { // clocks go back by two hours
			t.Error("an hour that a night has twice at Troll has no letters")
		}
	})
}
