package site

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// schedule has two days, two rooms and two tracks.
const schedule = `<schedule><conference><title>Harbour</title></conference>
<day index="1" date="2027-05-20"><room name="Hall">
	<event id="1"><date>2027-05-20T09:00:00+01:00</date><duration>00:30</duration><room>Hall</room><title>Opening</title>
		<track>People</track><persons><person id="1">Ines Carvalho</person></persons></event>
	<event id="2"><date>2027-05-20T10:00:00+01:00</date><duration>00:40</duration><room>Hall</room><title>Harbour logs</title>
		<description>&lt;p&gt;Ink that lasts.&lt;/p&gt;</description><track>Systems</track>
		<persons><person id="1">Ines Carvalho</person></persons></event>
</room><room name="Loft">
	<event id="3"><date>2027-05-20T10:20:00+01:00</date><duration>00:40</duration><room>Loft</room><title>Tides</title>
		<track>People</track><persons><person id="2">Mateo Quispe</person></persons></event>
	<event id="4"><date>2027-05-20T14:00:00+01:00</date><duration>00:40</duration><room>Loft</room><title>Night watch</title>
		<track>Systems</track><persons><person id="2">Mateo Quispe</person></persons></event>
	<event id="5"><date>2027-05-20T15:00:00+01:00</date><duration>00:40</duration><room>Loft</room><title>Not yet said</title>
		<track>Systems</track><persons><person id="3">Nobody Yet</person></persons></event>
</room></day>
<day index="2" date="2027-05-21"><room name="Hall">
	<event id="6"><date>2027-05-21T10:00:00+01:00</date><duration>00:40</duration><room>Hall</room><title>Closing</title>
		<track>People</track><persons><person id="1">Ines Carvalho</person></persons></event>
</room></day></schedule>`

// base is the path of the event's public pages.
const base = "/events/harbour"

// published serves a site with the programme, and publishes all sessions but "Not yet said".
func published(s *Site) { s.T.Helper(); publishes(s, schedule) }

// publishes serves a site with a schedule, and publishes all sessions but "Not yet said".
func publishes(s *Site, schedule string) {
	s.T.Helper()
	event, key := s.Conference()
	s.Run("import", File(s.T, "schedule.xml", schedule), "--event", "harbour")
	s.Serve("serve")
	for page, more := 1, true; more; page++ {
		found := s.Ok(key, "POST", event+"/sessions/search", fmt.Sprintf(`{"pageSize": 100, "page": %d}`, page))
		more = page*100 < Total(found)
		for _, one := range found["results"].([]any) {
			if session := one.(map[string]any); session["title"] != "Not yet said" {
				s.Ok(key, "PUT", event+"/sessions/"+session["id"].(string), `{"is_public": true, "publish_override": true}`)
			}
		}
	}
}

// get requests a page of the event without a browser.
func get(t *testing.T, s *Site, path string) (status int, body string) {
	t.Helper()
	response := modelstest.Must(http.Get(s.Base + base + path))(t)
	defer response.Body.Close()
	return response.StatusCode, string(modelstest.Must(io.ReadAll(response.Body))(t))
}

// TestAStrangerReadsAProgramme finds talks, keeps two, carries them away, and reads on in another language, by another
// clock and about a speaker.
func TestAStrangerReadsAProgramme(t *testing.T) {
	Journey(t, func(t *testing.T, s *Site) {
		published(s)
		w := s.Window()
		w.Visit(base)
		w.Sees("Harbour", "See the programme", "Opening")
		w.DoesNotSee("Not yet said")
		w.Accessible("site-start")
		w.Follow("See the programme")
		w.Sees("Opening", "Harbour logs", "Tides", "Night watch")
		w.DoesNotSee("Not yet said", "Closing")
		w.Accessible("site-agenda")
		for _, size := range [][2]int{{1280, 400}, {390, 500}} {
			w.Resize(size[0], size[1])
			findsATalk(w)
		}
		w.Follow("Friday 21") // which is narrowed to the track as well
		w.Sees("No session of this day has all of that.")
		w.Follow("Clear all")
		w.Sees("Closing")
		w.DoesNotSee("Harbour logs")
		w.Follow("Thursday 20")
		keepsTwo(w)
		carriesThemAway(s, w)
		readsOn(w)
	})
}

// findsATalk searches and filters, opens a talk and goes back to where it stands.
func findsATalk(w *Window) {
	w.T.Helper()
	w.Visit(base + "/agenda")
	w.Fill("Search titles and speakers", "quispe")
	w.Leaves("search", func() { w.Keys(input.Enter) })
	w.Sees("Tides", "Night watch")
	w.DoesNotSee("Harbour logs")
	w.Follow("Clear all")
	w.Sees("Harbour logs")
	w.Press("Track")
	w.Tick("Systems")
	if w.Scripts {
		w.Press("Show 2 sessions")
	} else {
		w.Press("Show")
	}
	w.Sees("Harbour logs", "Night watch")
	w.DoesNotSee("Tides")
	list := w.URL()
	w.Aim(ByRole, "a", "Night watch") // which scrolls there
	at, err := JS[float64](w, `() => scrollY`)
	w.Check(err, "scroll")
	if at == 0 {
		w.T.Fatal("the talk is in view without scrolling, so Back cannot be seen to keep the place")
	}
	w.Follow("Night watch")
	w.Path(base + "/sessions/s-")
	w.Sees("Night watch", "Mateo Quispe", "14:00–14:40", "Loft")
	w.Back()
	w.Path(list)
	w.WaitFor(fmt.Sprintf(`Math.abs(scrollY - %f) < 3`, at))
	w.Follow("Night watch")
	w.Path(base + "/sessions/s-")
	w.Follow("Thursday 20 May") // which a script has lead back to the list as it was
	if !w.Scripts {
		w.Sees("Opening")
		w.Visit(list)
		return
	}
	w.Path(list)
	w.DoesNotSee("Opening")
	w.WaitFor(fmt.Sprintf(`Math.abs(scrollY - %f) < 3`, at))
}

// keepsTwo stars two talks: in the browser, or in the address where no script runs.
func keepsTwo(w *Window) {
	w.T.Helper()
	for _, title := range []string{"Harbour logs", "Tides"} {
		if w.Scripts {
			w.Touch("Star: " + title)
		} else {
			w.Follow("Star: " + title)
		}
	}
	if w.Scripts {
		w.Press("Starred 2")
		w.DoesNotSee("Night watch", "Opening")
		w.Sees("Harbour logs", "Tides")
		w.Accessible("site-agenda-starred")
		w.Press("Starred 2")
		w.Sees("Night watch", "Opening")
		w.WaitFor(`document.getElementById("my-schedule").textContent.includes("(2)")`)
		if strings.Contains(w.URL(), "my=") {
			w.T.Errorf("the address %s carries what the browser keeps", w.URL())
		}
		w.Reload()
		w.WaitFor(`document.querySelectorAll("[data-star][aria-pressed=true]").length === 2`)
	} else if !strings.Contains(w.URL(), "my=") {
		w.T.Errorf("the address %s does not carry what is starred", w.URL())
	}
}

// carriesThemAway opens the schedule, and takes it to a calendar and to another device.
func carriesThemAway(s *Site, w *Window) {
	w.T.Helper()
	w.Follow("My schedule")
	w.Sees("2 sessions", "Overlaps: “Harbour logs” ends at 10:40.", "Download once")
	w.DoesNotSee("Night watch")
	w.Accessible("site-my-schedule")
	subscribe := w.Href(`a[href^="webcal:"]`)
	response, err := http.Get("http" + strings.TrimPrefix(subscribe, "webcal"))
	w.Check(err, subscribe)
	defer response.Body.Close()
	feed, err := io.ReadAll(response.Body)
	w.Check(err, subscribe)
	if response.StatusCode != 200 || strings.Count(string(feed), "BEGIN:VEVENT") != 2 {
		w.T.Errorf("%s answers %d:\n%s", subscribe, response.StatusCode, feed)
	}
	link := w.Value("Link to this schedule")
	other := s.Window()
	other.Visit(strings.TrimPrefix(link, s.Base))
	other.Sees("Harbour logs", "Tides", "Overlaps")
	if w.Scripts {
		keepsItsOwn(w, other)
	} else {
		w.Sees("What is starred stands in the address")
		w.DoesNotSee("Kept in this browser", "shared schedule")
	}
	w.Follow("Deutsch")
	w.Sees("Mein Plan", "Harbour logs", "20. Mai")
	w.Follow("English")
	w.Sees("My schedule", "Harbour logs")
}

// keepsItsOwn has the schedule follow what a browser keeps, whatever the address says, and tells it from a shared one.
func keepsItsOwn(w, other *Window) {
	w.T.Helper()
	mine, shared := base+"/my?my=2,3", base+"/my?my=1,2"
	w.Sees("Kept in this browser")
	w.Visit(base + "/my")
	w.Path(mine)
	w.Sees("Kept in this browser", "2 sessions")
	w.Visit(shared)
	w.Sees("A shared schedule", "Opening", "My schedule (2)")
	w.WaitFor(`document.title.startsWith("A shared schedule")`)
	w.DoesNotSee("Kept in this browser")
	w.Accessible("site-shared-schedule")
	w.Follow("Back to mine")
	w.Path(mine)
	w.WaitFor(`document.title.startsWith("My schedule")`)
	w.Follow("Agenda")
	w.Touch("Star: Opening")
	w.Sees("My schedule (3)")
	w.Back() // to what was one's own
	w.Path(base + "/my?my=1,2,3")
	w.Sees("Kept in this browser", "3 sessions")
	w.Touch("Star: Opening")
	w.Path(mine)
	w.Sees("2 sessions", "My schedule (2)")

	other.Sees("A shared schedule")
	other.DoesNotSee("My schedule (")
	other.Touch("Add these to mine")
	other.Sees("My schedule (2)", "Kept in this browser")
	other.DoesNotSee("A shared schedule")
	other.Visit(shared)
	other.Leaves("Add these to mine", func() { other.Touch("Add these to mine") })
	other.Path(base + "/my?my=1,2,3")
	other.Sees("Kept in this browser", "3 sessions")
}

// readsOn sets another clock and looks at a speaker.
func readsOn(w *Window) {
	w.T.Helper()
	w.Follow("Agenda")
	w.Press("Times in Lisbon")
	w.Fill("The city of your clock", "Taipei")
	w.Press("Show my times too")
	w.Sees("17:00 in Taipei", "Times in Lisbon, WEST and Taipei, +7 h")
	w.Accessible("site-agenda-clocks")
	w.Follow("Only Lisbon")
	w.DoesNotSee("in Taipei")
	if w.Scripts {
		knowsTheClock(w)
	}
	w.Follow("Speakers")
	w.Sees("Carvalho", "Quispe")
	w.DoesNotSee("Nobody Yet")
	w.Accessible("site-speakers")
	w.Follow("Ines Carvalho")
	w.Sees("Opening", "Harbour logs", "Closing")
	w.Accessible("site-speaker")
	w.Follow("Harbour logs")
	w.Sees("Ink that lasts.", "10:00–10:40", "Add to calendar")
	w.Accessible("site-session")
}

// knowsTheClock reads where the browser's clock is another one: a link on each page shows its times too, and one takes
// them off.
func knowsTheClock(w *Window) {
	w.T.Helper()
	w.Check(proto.EmulationSetTimezoneOverride{TimezoneID: "Asia/Taipei"}.Call(w.Page), "Taipei")
	w.Reload()
	w.Follow("Show my times too")
	w.Sees("17:00 in Taipei", "Times in Lisbon, WEST and Taipei, +7 h")
	w.Follow("Harbour logs")
	w.Sees("10:00–10:40", "17:00 in Taipei", "Only Lisbon")
	w.Follow("Sessions")
	w.Sees("17:00 in Taipei")
	w.Follow("Only Lisbon")
	w.DoesNotSee("in Taipei")
	w.Sees("Show my times too")
	for _, zone := range []string{"Europe/London", "Europe/Lisbon"} { // whose clocks show the same
		w.Check(proto.EmulationSetTimezoneOverride{TimezoneID: zone}.Call(w.Page), zone)
		w.Visit(base + "/agenda")
		w.DoesNotSee("Show my times too")
	}
}
