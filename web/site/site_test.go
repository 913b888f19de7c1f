package site_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"lectern/models"
	"lectern/models/embed"
	"lectern/models/modelstest"
	"lectern/models/store"
	"lectern/web/site"
)

const base = "https://conference.example.org"

// door is the public site of a store, with the address of the event's pages.
type door struct {
	*modelstest.Fixture
	app  *fiber.App
	home string
}

func open(f *modelstest.Fixture) *door {
	d := &door{f, fiber.New(fiber.Config{Immutable: true}), "/events/" + f.Event.Slug}
	site.Register(d.app, f.Store, site.Options{BaseURL: base, Now: f.Clock.Now,
		Address: func(c *fiber.Ctx) string { return c.IP() }})
	return d
}

// ask requests an address with some headers, names and values in turn.
func (d *door) ask(t *testing.T, address string, headers ...string) (*http.Response, string) {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, address, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response := modelstest.Must(d.app.Test(r, -1))(t)
	defer response.Body.Close()
	return response, string(modelstest.Must(io.ReadAll(response.Body))(t))
}

// get returns the body of an address, which must answer 200.
func (d *door) get(t *testing.T, address string) string {
	t.Helper()
	response, body := d.ask(t, address)
	if response.StatusCode != http.StatusOK {
		t.Fatalf("%s answers %d %s", address, response.StatusCode, body)
	}
	return body
}

// has checks that what is read somewhere has all parts.
func has(t *testing.T, where, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%s lacks %q", where, part)
		}
	}
}

// lacks checks that what is read somewhere has none of the parts.
func lacks(t *testing.T, where, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(text, part) {
			t.Errorf("%s has %q", where, part)
		}
	}
}

// shows returns the body of an address that must have all parts.
func (d *door) shows(t *testing.T, address string, parts ...string) (body string) {
	t.Helper()
	body = d.get(t, address)
	has(t, address, body, parts...)
	return body
}

// hides gets an address whose body must have none of the parts.
func (d *door) hides(t *testing.T, address string, parts ...string) {
	t.Helper()
	lacks(t, address, d.get(t, address), parts...)
}

// answers asks for an address that must answer with a status, and with none of the parts.
func (d *door) answers(t *testing.T, address string, status int, parts ...string) {
	t.Helper()
	response, body := d.ask(t, address)
	modelstest.Want(t, address+" answers", response.StatusCode, status)
	lacks(t, address, body, parts...)
}

// moves asks for an address that must lead to another one for good.
func (d *door) moves(t *testing.T, address, to string) {
	t.Helper()
	response, _ := d.ask(t, address)
	modelstest.Want(t, address+" answers", response.StatusCode, http.StatusMovedPermanently)
	modelstest.Want(t, address+" leads to", response.Header.Get("Location"), to)
}

// speaker returns the last part of the address of the first speaker on the page of speakers.
func (d *door) speaker(t *testing.T) string {
	t.Helper()
	home := d.home + "/speakers"
	_, rest, _ := strings.Cut(d.get(t, home), `href="`+home+`/`)
	end, _, _ := strings.Cut(rest, `"`)
	return end
}

// at returns a moment of a conference's first day.
func at(clock string) store.Time {
	day, err := time.Parse("2006-01-02 15:04", "2027-05-20 "+clock)
	if err != nil {
		panic(err)
	}
	return store.At(day)
}

// talk makes a session from ten to eleven, as its fields say.
func (d *door) talk(t *testing.T, title string, in models.SessionInput) *models.Session {
	t.Helper()
	if !in.StartsAt.Set {
		in.StartsAt, in.EndsAt = store.Some(at("10:00")), store.Some(at("11:00"))
	}
	return modelstest.Must(d.Programme().CreateSession(t.Context(), models.NewSession{Title: title, SessionInput: in}))(t)
}

func (d *door) change(t *testing.T, s *models.Session, c models.SessionChange) {
	t.Helper()
	modelstest.Must(d.Programme().UpdateSession(t.Context(), s.ID, c))(t)
}

var public = models.SessionChange{IsPublic: new(true), PublishOverride: true}

// feeds returns the addresses of all feeds of the event and of a session.
func (d *door) feeds(s *models.Session) []string {
	event := d.home
	feeds := []string{event + "/schedule.xml", event + "/schedule.json", event + "/calendar.ics",
		event + "/sessions/" + s.ID + ".ics"}
	if s.TrackID != nil {
		feeds = append(feeds, event+"/tracks/"+*s.TrackID+".ics")
	}
	if s.RoomID != nil {
		feeds = append(feeds, event+"/rooms/"+*s.RoomID+".ics")
	}
	return feeds
}

// plain returns a feed without the marks that its format makes of long lines and quotes.
func plain(body string) string {
	return strings.NewReplacer("\r\n ", "", `\,`, ",", "&#39;", "'", "&#34;", `"`).Replace(body)
}

func TestFeedsHavePublicSessionsAlone(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		d, shown, _, _, web := published(t, f)
		d.change(t, shown, models.SessionChange{Title: new("Shown talk")}) // no format writes it in another way
		secretRoom := modelstest.RowOf(t, f.Programme(), models.Rooms, "MARKER attic").ID
		secretTrack := modelstest.RowOf(t, f.Programme(), models.Tracks, "MARKER line").ID
		secret := models.SessionInput{RoomID: store.Some(secretRoom), TrackID: store.Some(secretTrack),
			Description: new("<p>MARKER</p>")}
		hidden := d.talk(t, "MARKER not public", secret)
		for title, c := range map[string]models.SessionChange{
			"MARKER declined":  {SessionInput: models.SessionInput{Status: new(models.Declined)}},
			"MARKER withdrawn": {SessionInput: models.SessionInput{Status: new(models.Withdrawn)}},
			"MARKER unplaced": {SessionInput: models.SessionInput{StartsAt: store.Null[store.Time](),
				EndsAt: store.Null[store.Time]()}},
		} {
			c.IsPublic, c.PublishOverride = public.IsPublic, true
			d.change(t, d.talk(t, title, secret), c)
		}
		abstract := modelstest.Must(f.Programme().CreateSession(t.Context(), models.NewSession{Title: "MARKER abstract",
			IsAbstract: true, SessionInput: models.SessionInput{StartsAt: store.Some(at("10:00"))}}))(t)
		d.change(t, abstract, public)

		for _, address := range d.feeds(shown) {
			body := plain(d.get(t, address))
			if strings.Contains(strings.ToUpper(body), "MARKER") || strings.Contains(body, "@example.org") {
				t.Errorf("%s tells what is nobody's business: %s", address, body)
			}
			has(t, address, body, "Shown talk", "Shown text", "Ada Čapek")
		}
		for _, address := range []string{"/sessions/" + hidden.ID, "/sessions/" + abstract.ID, "/rooms/" + secretRoom,
			"/tracks/" + secretTrack, "/sessions/x", "/rooms/" + web} {
			d.answers(t, d.home+address+".ics", http.StatusNotFound)
		}
		for _, address := range []string{"/events/" + f.Other.Slug + "/schedule.xml", "/events/nothing/schedule.json",
			"/events/" + f.Other.Slug + "/sessions/" + shown.ID + ".ics"} {
			d.answers(t, address, http.StatusNotFound)
		}
	})
}

func TestAFeedIsLiveAndWhoHasItIsToldSo(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		d := open(f)
		s := d.talk(t, "First title", models.SessionInput{})
		d.change(t, s, public)
		for _, address := range d.feeds(s) {
			response, body := d.ask(t, address)
			tag := response.Header.Get("ETag")
			modelstest.Want(t, address+" tells its time in a second in which it may change",
				response.Header.Get("Last-Modified"), "")
			f.Clock.Move(time.Second)
			whole, _ := d.ask(t, address)
			modified := whole.Header.Get("Last-Modified")
			if strings.Contains(address, "schedule") && modified == "" {
				t.Errorf("%s tells no time", address)
			}
			if tag == "" || response.Header.Get("Cache-Control") != "public, max-age=0, must-revalidate" ||
				response.Header.Get("Access-Control-Allow-Origin") != "*" {
				t.Errorf("%s answers %v", address, response.Header)
			}
			same := func(headers ...string) bool {
				response, body := d.ask(t, address, headers...)
				modelstest.Want(t, fmt.Sprint(address, " answers ", response.StatusCode, " ", body),
					response.StatusCode == http.StatusNotModified, body == "")
				return response.StatusCode == http.StatusNotModified
			}
			if !same("If-None-Match", tag) || !same("If-None-Match", "W/"+tag+`, "x"`) || same("If-None-Match", `"x"`) {
				t.Errorf("%s goes by no tag", address)
			}
			if modified != "" && (!same("If-Modified-Since", modified) ||
				same("If-Modified-Since", "Mon, 02 Jan 2006 15:04:05 GMT") ||
				same("If-None-Match", `"x"`, "If-Modified-Since", modified)) {
				t.Errorf("%s goes by no time", address)
			}
			f.Clock.Move(time.Minute)
			d.change(t, s, models.SessionChange{Title: new("Title of " + address)})
			if same("If-None-Match", tag) || modified != "" && same("If-Modified-Since", modified) {
				t.Errorf("%s is the same after a change", address)
			}
			if now := plain(d.get(t, address)); now == body || !strings.Contains(now, "Title of "+address) {
				t.Errorf("%s says %s", address, now)
			}
		}
		modelstest.Want(t, "by its id the event has another feed", d.get(t, "/events/"+f.Event.ID+"/schedule.xml"),
			d.get(t, d.home+"/schedule.xml"))
	})
}

func TestFeedsArePackedAsCallersTakeThem(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d := open(f)
		s := d.talk(t, "Long",
			models.SessionInput{Description: new("<p>" + strings.Repeat("Tides and harbours. ", 100) + "</p>")})
		d.change(t, s, public)
		f.Clock.Move(time.Second)
		e := d.embeds(t, embed.Change{Name: new("Here"), Kind: new(embed.Sessions), ShowsDescriptions: new(true)})
		for _, address := range append(d.feeds(s), "/embeds/"+e.ID+".json") {
			plain, whole := d.ask(t, address)
			for encoding, open := range map[string]func([]byte) ([]byte, error){
				"br":   func(b []byte) ([]byte, error) { return fasthttp.AppendUnbrotliBytes(nil, b) },
				"gzip": func(b []byte) ([]byte, error) { return fasthttp.AppendGunzipBytes(nil, b) },
			} {
				packed, body := d.ask(t, address, "Accept-Encoding", encoding)
				tag := packed.Header.Get("ETag")
				text, err := open([]byte(body))
				if err != nil || string(text) != whole || packed.Header.Get("Content-Encoding") != encoding ||
					len(body) > len(whole)/2 || tag == plain.Header.Get("ETag") ||
					!strings.Contains(packed.Header.Get("Vary"), "Accept-Encoding") ||
					packed.Header.Get("Content-Type") != plain.Header.Get("Content-Type") {
					t.Errorf("%s as %s: %v, %d of %d bytes, %v", address, encoding, err, len(body), len(whole), packed.Header)
				}
				again, body := d.ask(t, address, "Accept-Encoding", encoding, "If-None-Match", tag)
				if again.StatusCode != http.StatusNotModified || body != "" || again.Header.Get("Content-Encoding") != "" ||
					again.Header.Get("ETag") != tag {
					t.Errorf("%s as %s is the same, and answers %d %v", address, encoding, again.StatusCode, again.Header)
				}
				if other, _ := d.ask(t, address, "If-None-Match", tag); other.StatusCode != http.StatusOK {
					t.Errorf("%s as %s is taken for the whole one", address, encoding)
				}
			}
			if plain.Header.Get("Content-Encoding") != "" || !strings.Contains(plain.Header.Get("Vary"), "Accept-Encoding") {
				t.Errorf("%s is whole with %v", address, plain.Header)
			}
		}
	})
}

// TestWhatIsNotKeptIsPackedInHaste asks for a page that is kept, and for one that is made for who asks.
func TestWhatIsNotKeptIsPackedInHaste(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, _, _, _, _ := published(t, f)
		for query, level := range map[string]int{"": 6, "?q=a": 1, "?my=1": 1} {
			address := d.home + "/sessions" + query
			_, packed := d.ask(t, address, "Accept-Encoding", "br")
			modelstest.Want(t, fmt.Sprint(address, " is not packed at level ", level), packed,
				string(fasthttp.AppendBrotliBytesLevel(nil, []byte(d.get(t, address)), level)))
		}
	})
}

// TestOddRequestsAreUnderstood asks for packed answers in other words, by a short name in capitals, and for what is
// narrowed by a value that nothing has.
func TestOddRequestsAreUnderstood(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, _, _, _, _ := published(t, f)
		for accepted, want := range map[string]string{"gzip;q=1.0": "gzip", "gzip; q=0.5, identity": "gzip", "br;q=0.9": "br",
			"gzip, deflate, br": "br", "gzip;q=0": "", "identity": ""} {
			for _, at := range []string{"/agenda", "/schedule.json"} {
				response, _ := d.ask(t, d.home+at, "Accept-Encoding", accepted)
				modelstest.Want(t, at+" answers "+accepted+" with", response.Header.Get("Content-Encoding"), want)
			}
		}
		for _, at := range []string{"", "?lang=de", "/agenda?view=list", "/schedule.json", "/my.ics?my=1", "/files/x.pdf",
			"/look.css", "/call?code=A", "/place/Sign-In"} {
			d.moves(t, "/events/"+strings.ToUpper(f.Event.Slug)+at, d.home+at)
		}
		page := d.get(t, d.home+"/agenda/2027-05-20?track=forged&q=tide")
		has(t, "a forged track cannot be taken off", page, `<a class="chip" href="`+d.home+`/agenda/2027-05-20?q=tide"`)
	})
}

// TestASpeakersCalendarTellsWhatWasCancelled takes all that somebody speaks on off the programme.
func TestASpeakersCalendarTellsWhatWasCancelled(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		d, shown, _, _, _ := published(t, f)
		page, _, _ := strings.Cut(d.speaker(t), "-")
		calendar := d.home + "/speakers/" + page + ".ics"
		if before := d.get(t, calendar); strings.Contains(before, "STATUS:CANCELLED") || !strings.Contains(before, "Zürich") {
			t.Fatalf("%s has %s", calendar, before)
		}
		d.change(t, shown, models.SessionChange{IsPublic: new(false)})
		if after := d.get(t, calendar); strings.Count(after, "BEGIN:VEVENT") != 1 || !strings.Contains(after,
			"STATUS:CANCELLED") || strings.Contains(after, "Ada") {
			t.Errorf("%s has %s", calendar, after)
		}
		d.answers(t, d.home+"/speakers/ffffffffff.ics", http.StatusNotFound)
	})
}
