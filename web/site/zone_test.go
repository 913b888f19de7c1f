package site_test

import (
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/metadata"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// TestEachPageSaysByWhichClockItsTimesAre asks each page that has times for another clock beside the event's, and for
// it alone: what is kept of one is never shown for the other, and links keep what was chosen.
func TestEachPageSaysByWhichClockItsTimesAre(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, _, _, _, _ := published(t, f)
		home := "/events/" + f.Event.Slug
		_, rest, _ := strings.Cut(d.get(t, home+"/speakers"), `href="`+home+`/speakers/`)
		speaker, _, _ := strings.Cut(rest, `"`)
		for _, at := range []string{"", "/agenda/2027-05-20", "/sessions", "/itinerary", "/sessions/s-1-zurich-b-you-b",
			"/speakers/" + speaker, "/my?my=1"} {
			sep := "?"
			if strings.Contains(at, "?") {
				sep = "&"
			}
			alone, _ := d.ask(t, home+at)
			here, there := d.get(t, home+at), d.get(t, home+at+sep+"tz=Asia/Taipei")
			again := d.get(t, home+at)
			for _, page := range []string{here, again} {
				if strings.Contains(page, "Taipei") || strings.Count(page, "Times in Brussels, CEST") != 1 ||
					strings.Count(page, `data-clock="Europe/Brussels" hidden`) != 1 {
					t.Errorf("%q does not say once by which clock it is", at)
				}
			}
			off := `<a href="` + strings.ReplaceAll(home+at, "&", "&amp;") + `">Only Brussels</a>`
			for _, want := range []string{"18:00 in Taipei", "Times in Brussels, CEST and Taipei, +6 h", off,
				"tz=Asia%2FTaipei",
				`datetime="2027-05-20T12:00:00+02:00"`} {
				if !strings.Contains(there, want) {
					t.Errorf("%q by two clocks lacks %q", at, want)
				}
			}
			if other, _ := d.ask(t, home+at+sep+"tz=Asia/Taipei"); other.Header.Get("Etag") == alone.Header.Get("Etag") {
				t.Errorf("%q is the same by two clocks", at)
			}
			if !strings.Contains(there, `content="noindex"`) ||
				!strings.Contains(there, `rel="canonical" href="`+base+home+strings.TrimSuffix(at, "?my=1")+`"`) {
				t.Errorf("%q by two clocks is a page of its own to search engines", at)
			}
			wrong := d.get(t, home+at+sep+"tz=Nowhere/<b>")
			if !strings.Contains(wrong, "There is no such clock") || !strings.Contains(wrong, `<details class="zones" open>`) ||
				!strings.Contains(wrong, `aria-invalid="true"`) ||
				strings.Contains(wrong, "<b>\"") {
				t.Errorf("%q does not say that there is no such clock", at)
			}
		}
		for _, at := range []string{"", "/speakers", "/feeds", "/changes"} { // what leads on keeps what was chosen
			if page := d.get(t, home+at+"?tz=Asia/Taipei&my=1"); !strings.Contains(page,
				home+`/agenda?my=1&amp;tz=Asia%2FTaipei"`) {
				t.Errorf("%q loses the clock", at)
			}
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
		home := "/events/" + f.Event.Slug
		for _, c := range []struct {
			name string
			now  time.Time
			day  string
		}{
			{"long before", of(1, 12, 0), "2027-03-26"}, {"on its first day", of(26, 12, 0), "2027-03-26"},
			{"after midnight, while the evening goes on", of(27, 0, 30), "2027-03-26"},
			{"once it is over", of(27, 1, 0), "2027-03-27"}, {"during the second day", of(27, 9, 30), "2027-03-27"},
			{"at night, the clocks went forward", of(28, 3, 30), "2027-03-27"},
			{"between two days", of(28, 12, 0), "2027-03-29"}, {"on the evening of the last", of(29, 22, 0),
				"2027-03-29"},
			{"afterwards", of(31, 12, 0), "2027-03-26"},
		} {
			f.Clock.Move(c.now.Sub(f.Clock.Now()))
			page := strings.Join(strings.Fields(d.get(t, home+"/agenda")), " ")
			if !strings.Contains(page, `/agenda/`+c.day+`" aria-current="page"`) {
				t.Errorf("%s: the agenda does not open on %s", c.name, c.day)
			}
			goesOn := c.day == "2027-03-26" && c.now.Day() == 27
			if line := strings.Contains(page, `id="now"`); goesOn && !line {
				t.Errorf("%s: no line says where the time is", c.name)
			}
		}
	})
}

// TestSessionsThatBeginTogetherStandAsStaffOrderedTheRooms reorders the rooms: each list follows with the next request.
func TestSessionsThatBeginTogetherStandAsStaffOrderedTheRooms(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		d := open(f)
		talks := map[string]string{}
		for _, room := range []string{"Zebra", "Ape", "Mole"} {
			id := modelstest.Must(f.Programme().CreateMetadata(t.Context(), models.Rooms,
				models.NewMetadata{Name: room}))(t).ID
			talks[room] = id
		}
		for _, room := range []string{"Mole", "", "Ape", "Zebra"} {
			in := models.SessionInput{}
			if room != "" {
				in.RoomID = store.Some(talks[room])
			}
			d.change(t, d.talk(t, "In "+room+".", in), public)
		}
		home := "/events/" + f.Event.Slug
		stand := func(order ...string) {
			t.Helper()
			for _, at := range []string{"/agenda/2027-05-20?view=list", "/agenda/2027-05-20", "/sessions", "/itinerary",
				"/my?my=1,2,3,4", "/print/2027-05-20"} {
				page, last := d.get(t, home+at), -1
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
