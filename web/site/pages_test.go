package site_test

import (
	"cmp"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/embed"
	"lectern/models/look"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/store"
	"lectern/models/tasks"
)

// published makes a public programme of two days, in which everything private is marked MARKER.
func published(t *testing.T, f *modelstest.Fixture) (d *door, shown, unplaced *models.Session, room, track string) {
	t.Helper()
	ctx := t.Context()
	d = open(f)
	row := func(family models.Family, name string) string {
		return modelstest.RowOf(t, f.Programme(), family, name).ID
	}
	room, track = row(models.Rooms, "Hall"), row(models.Tracks, "Web")
	secret := models.SessionInput{RoomID: store.Some(row(models.Rooms, "MARKER room")),
		TrackID: store.Some(row(models.Tracks, "MARKER track")), Description: new("<p>MARKER</p>")}
	shown = d.talk(t, "Zürich & <b>you</b>", models.SessionInput{RoomID: store.Some(room), TrackID: store.Some(track),
		FormatID: store.Some(row(models.Formats, "Talk")), LevelID: store.Some(row(models.Levels, "Beginners")),
		TagIDs: &[]string{row(models.Tags, "Deep")}, Description: new("<p>Shown text</p>"),
		CustomFields: &models.AnswersInput{{Key: "MARKER", Value: "MARKER"}}})
	f.Speaker(t, f.Event, shown.ID, models.NewContact{FirstName: "Ada", LastName: "Čapek", Email: "MARKER@example.org",
		Phone: "MARKER", CompanyName: "Harbour Inc", JobTitle: "Pilot", TravelNotes: "MARKER", LogisticsNotes: "MARKER",
		About: "<p>Sails <i>far</i></p>", WebsiteURL: "https://ada.example.org/"})
	unplaced = d.talk(t, "Without a time", models.SessionInput{StartsAt: store.Null[store.Time](),
		EndsAt: store.Null[store.Time]()})
	hidden := d.talk(t, "MARKER not public", secret)
	f.Speaker(t, f.Event, hidden.ID, models.NewContact{FirstName: "MARKER", LastName: "Hidden", About: "<p>MARKER</p>"})
	declined, withdrawn := d.talk(t, "Public once", secret), d.talk(t, "Public before",
		secret) // calendars keep their titles
	modelstest.Must(f.Programme().CreateSession(ctx, models.NewSession{Title: "MARKER abstract", IsAbstract: true,
		SessionInput: secret}))(t)
	for _, s := range []*models.Session{shown, unplaced, declined, withdrawn} {
		d.change(t, s, public)
	}
	d.change(t, declined, models.SessionChange{SessionInput: models.SessionInput{Status: new(models.Declined)}})
	d.change(t, withdrawn, models.SessionChange{SessionInput: models.SessionInput{Status: new(models.Withdrawn)}})
	d.change(t, modelstest.Must(f.Programme().CreateSession(ctx, models.NewSession{Title: "Sunday talk",
		SessionInput: models.SessionInput{
			StartsAt: store.Some(store.At(at("10:00").AddDate(0, 0, 1))), EndsAt: store.Some(store.At(at("10:30").AddDate(0, 0,
				1)))}}))(t), public)
	return d, shown, unplaced, room, track
}

// visited returns the addresses of all public pages and feeds of an event.
func (d *door) visited(shown *models.Session) (all []string) {
	base := d.home
	for _, at := range []string{"", "/agenda", "/agenda/2027-05-20", "/agenda/2027-05-21", "/agenda?view=list",
		"/agenda?q=ada", "/sessions", "/sessions/s-1-zurich-b-you-b", "/itinerary", "/speakers", "/speakers?view=photos",
		"/my", "/my?my=1,2,3,4,5", "/my.ics?my=1,2,3,4,5", "/print/2027-05-20", "/print/2027-05-20?paper=a3", "/feeds",
		"/changes", "/sitemap.xml", "/look.css"} {
		all = append(all, base+at)
	}
	return append(all, d.feeds(shown)...)
}

func TestPagesShowWhatIsPublicAlone(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		d, shown, _, room, _ := published(t, f)
		addresses := append(d.visited(shown), d.home+"/print/2027-05-20?room="+room)
		page := d.speaker(t)
		addresses = append(addresses, d.home+"/speakers/"+page)
		for _, address := range addresses {
			response, _ := d.ask(t, address)
			if response.StatusCode != http.StatusOK || response.Header.Get("Set-Cookie") != "" {
				t.Errorf("%s answers %d and sets %q", address, response.StatusCode, response.Header.Get("Set-Cookie"))
			}
		}
		for address, wants := range map[string][]string{
			d.home:                        {"20–21 May 2027", "See the programme"},
			d.home + "/agenda/2027-05-20": {"Zürich &amp; &lt;b&gt;you&lt;/b&gt;", "<bdi>Ada Čapek</bdi>", "1 session"},
			d.home + "/agenda/2027-05-21": {"Sunday talk"},
			d.home + "/sessions":          {"Shown text", "Without a time", "Time to be announced"},
			d.home + "/speakers":          {"Ada <b>Čapek</b>", ">C</h2>", "Pilot, Harbour Inc", "Thu\u00a012:00"},
			d.home + "/speakers/" + page:  {"Sails <i>far</i>", "ada.example.org", "Pilot, Harbour Inc"},
			d.home + "/my?my=1":           {"Zürich", "In your calendar", "/my.ics?my=1"},
			d.home + "/print/2027-05-20":  {"Zürich", "Ada Čapek"},
			d.home + "/itinerary":         {"Zürich", "Sunday talk", "Without a time", "Pilot, Harbour Inc"},
			d.home + "/sessions/s-1-zurich-b-you-b": {"Shown text", "Sails <i>far</i>", "12:00–13:00", "Brussels, CEST",
				"Beginners", "Deep", `"@type":"Event"`, "application/ld+json"},
		} {
			d.shows(t, address, wants...)
		}
	})
}

func TestAddressesOfSessionsLeadToOneAndSayWhatIsGone(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		d, shown, _, _, _ := published(t, f)
		canonical := d.home + "/sessions/s-1-zurich-b-you-b"
		for _, address := range []string{d.home + "/sessions/s-1", d.home + "/sessions/S-1-old-words", d.home + "/sessions/" +
			shown.ID,
			"/events/" + f.Event.ID + "/sessions/s-1-zurich-b-you-b"} {
			d.moves(t, address, canonical)
		}
		for _, address := range []string{d.home + "/sessions/s-3", d.home + "/sessions/s-99", d.home + "/sessions/x", d.home +
			"/agenda/2027-05-22",
			d.home + "/agenda/today", d.home + "/speakers/0000000000", d.home +
				"/print/2027-05-22", "/events/nowhere", "/events/nowhere/agenda"} {
			d.answers(t, address, http.StatusNotFound, "MARKER")
		}
		if body := d.get(t, d.home+"/my?my=1,99"); !strings.Contains(body, "1 session. ") || strings.Contains(body, "no longer") ||
			!strings.Contains(body, `<span data-schedule="address">What is starred stands in the address`) {
			t.Errorf("a schedule says:\n%s", body)
		}
		speaker := d.speaker(t)
		d.change(t, shown, models.SessionChange{IsPublic: new(false)})
		for query, say := range map[string]string{"my=1": "1 starred session is no longer in the programme.",
			"my=1,2": "1 session. 1 starred session is no", "my=1,4": "2 starred sessions are no", "my=3,99": "Nothing is starred yet",
			"lang=de&my=1": "1 vorgemerkter Vortrag ist nicht mehr"} {
			d.shows(t, d.home+"/my?"+query, say)
		}
		d.answers(t, canonical, http.StatusGone, "Zürich")
		page, _, _ := strings.Cut(speaker, "-")
		for _, name := range []string{speaker, page, page + "-other-words"} {
			response, body := d.ask(t, d.home+"/speakers/"+name, "Accept-Language", "de")
			if response.StatusCode != http.StatusGone || !strings.Contains(body, "gehört nicht mehr zum Programm") ||
				strings.Contains(body, "apek") {
				t.Errorf("who is public no more answers %d %s", response.StatusCode, body)
			}
		}
		for _, address := range d.visited(shown)[:12] {
			_, body := d.ask(t, address)
			lacks(t, address, body, "Ada", "Shown text")
		}
	})
}

func TestPagesOpenWhateverScriptTheirTitlesAreIn(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d := open(f)
		talk := d.talk(t, "百年 مرفأ", models.SessionInput{})
		f.Speaker(t, f.Event, talk.ID, models.NewContact{FirstName: "花子", LastName: "山田", Email: "hanako@example.org"})
		d.change(t, talk, public)
		_, sitemap := d.ask(t, d.home+"/sitemap.xml")
		found := 0
		for _, loc := range regexp.MustCompile(`<loc>[^<]*(/events/[^<]*%[^<]*)</loc>`).FindAllStringSubmatch(sitemap, -1) {
			found++
			d.answers(t, loc[1], http.StatusOK)
			d.moves(t, strings.ToLower(loc[1]), loc[1])
		}
		modelstest.Want(t, "addresses of other letters than Latin in "+sitemap, found, 2)
	})
}

func TestWhatIsEditedShowsEverywhereAtOnce(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		d, shown, _, _, _ := published(t, f)
		pages := []string{d.home, d.home + "/agenda", d.home + "/agenda/2027-05-20", d.home + "/agenda?view=list", d.home + "/sessions",
			d.home + "/itinerary", d.home + "/my?my=1", d.home + "/print/2027-05-20", d.home + "/schedule.json"}
		for _, address := range pages {
			d.get(t, address)
		}
		d.change(t, shown, models.SessionChange{Title: new("Another title")})
		for _, address := range pages {
			lacks(t, address, d.shows(t, address, "Another title"), "Zürich")
		}
		person := modelstest.Must(f.Programme().Session(t.Context(), shown.ID))(t).Participants[0]
		modelstest.Must(people.In(f.Programme().Directory()).Update(t.Context(), person.ContactID, people.Change{
			Values: map[string]string{"company_name": "Lighthouse Ltd", "about": "<p>Another life</p>"}}))(t)
		for _, address := range []string{d.home + "/speakers", d.home + "/speakers/" + d.speaker(t), d.home + "/itinerary"} {
			d.shows(t, address, "Lighthouse Ltd")
		}
	})
}

func TestACacheNeverMixesLanguagesAndAsksEachTime(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, _, _, _, _ := published(t, f)
		address := d.home + "/agenda/2027-05-20"
		tags := map[string]string{}
		for accepts, want := range map[string]string{"": "Thursday 20", "de-CH,de;q=0.9": "Donnerstag 20.", "fr": "Jeudi 20",
			"es": "Jueves 20", "ja": "Thursday 20"} {
			response, body := d.ask(t, address, "Accept-Language", accepts, "Accept-Encoding", "identity")
			if !strings.Contains(body, want) || !strings.Contains(response.Header.Get("Vary"), "Accept-Language") ||
				response.Header.Get("Cache-Control") != "public, max-age=0, must-revalidate" {
				t.Errorf("%q: varies by %q, kept %q, lacks %q", accepts, response.Header.Get("Vary"),
					response.Header.Get("Cache-Control"), want)
			}
			tags[accepts] = response.Header.Get("Etag")
		}
		if response, _ := d.ask(t, address, "Accept-Language", "de", "If-None-Match",
			tags[""]); response.StatusCode != http.StatusOK {
			t.Errorf("English was taken for German: %d", response.StatusCode)
		}
		if response, body := d.ask(t, address, "Accept-Language", "de", "If-None-Match",
			tags["de-CH,de;q=0.9"]); body != "" ||
			response.StatusCode != http.StatusNotModified {
			t.Errorf("the same answers %d", response.StatusCode)
		}
		response, body := d.ask(t, address+"?lang=de", "Accept-Language", "fr")
		if !strings.Contains(body, "Donnerstag 20.") || strings.Contains(response.Header.Get("Vary"), "Accept-Language") ||
			!strings.Contains(body, "/sessions/s-1-zurich-b-you-b?lang=de") {
			t.Errorf("?lang=de varies by %q", response.Header.Get("Vary"))
		}
		packed, _ := d.ask(t, address, "Accept-Encoding", "br")
		if packed.Header.Get("Content-Encoding") != "br" || packed.Header.Get("Etag") == tags[""] {
			t.Errorf("packed as %q with %q", packed.Header.Get("Content-Encoding"), packed.Header.Get("Etag"))
		}
	})
}

func TestSessionsAreNarrowedByWordsAndLabels(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		d, _, _, room, track := published(t, f)
		address := d.home + "/agenda/2027-05-20"
		for query, found := range map[string]bool{"q=zurich": true, "q=capek+ada": true, "q=nothing": false, "track=" +
			track: true,
			"room=" + room + "&track=" + track: true, "track=" + room: false, "q=%00%ff": false, "tag=x&tag=y": false,
			"q=" + strings.Repeat("z", 2000): false, "q=zurich" + strings.Repeat("+", 2000): true, "tz=Asia/Taipei": true, "tz=nowhere": true,
			"my=1,1,x,-3,99999999999999999999": true,
			"view=list":                        true, "lang=xx": true} {
			response, body := d.ask(t, address+"?"+query)
			if shows := strings.Contains(body, "Zürich"); response.StatusCode != http.StatusOK || shows != found {
				t.Errorf("%.40s answers %d, shows it %t", query, response.StatusCode, shows)
			}
		}
		for _, at := range []string{address, d.home + "/sessions", d.home + "/speakers"} {
			for length, said := range map[int]bool{100: false, 101: true, 3000: true} {
				body := d.get(t, at+"?lang=de&q="+strings.Repeat("z", length))
				if strings.Contains(body, "Gesucht wird nach den ersten 100 Zeichen") != said ||
					strings.Contains(body, strings.Repeat("z", 101)) || !strings.Contains(body, `value="`+strings.Repeat("z", 100)) {
					t.Errorf("%s says of %d characters that some are left out: %t", at, length, !said)
				}
			}
		}
		d.shows(t, address+"?tz=Asia/Taipei", "18:00 in Taipei")
		d.shows(t, address+"?my=1", `class="star on"`, "/sessions/s-1-zurich-b-you-b?my=1")
		d.shows(t, address+"?q=ada&my=1", `"`+address+`?lang=fr&amp;my=1&amp;q=ada"`)
		body := strings.Join(strings.Fields(d.get(t, address+"?my=1&q=ada&track="+track+"&view=list")), " ")
		if other := `2027-05-21?my=1&amp;q=ada&amp;track=` + track + `&amp;view=list">Friday 21<span>0 sessions<`; !strings.Contains(body,
			other) || !strings.Contains(body, `Thursday 20<span>1 session<`) {
			t.Error("another day loses what was asked for")
		}
	})
}

func TestWhatIsSearchedForIsQuotedAsTheLanguageDoes(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, _, _, _, _ := published(t, f)
		for lang, wants := range map[string][]string{"en": {"“xyz”", "No session has all of that."},
			"de": {"„xyz“", "Kein Vortrag hat all das."}, "fr": {"« xyz »", "Aucune session ne réunit tout cela."},
			"es": {"«xyz»", "Ninguna sesión cumple todo eso."}} {
			d.shows(t, d.home+"/sessions?q=xyz&lang="+lang, wants...)
		}
		d.shows(t, d.home, "<title>"+f.Event.Name+"</title>")
	})
}

func TestADayOfOddTimesHasEachSessionInItsPlace(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, _, _, sessions := conference(t, f) // in Lisbon, with the night on which clocks go back
		body := d.get(t, d.home+"/agenda/2027-10-31")
		has(t, "the second hour is not told from the first", body, "Of the second hour", "01:30", "T01:30:00Z")
		body = d.shows(t, d.home+"/agenda/2027-05-20", "Over midnight", "Lunch", "東京", "No room yet", "Zoë")
		lacks(t, "the day has what was cancelled", body, "Cancelled, with")
		d.answers(t, d.home+"/sessions/"+sessions["Cancelled, with a; reason\\"].ID, http.StatusGone)
	})
}

func TestAnEventWithoutAnythingPublicSaysSo(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		d := open(f)
		hidden := d.talk(t, "MARKER", models.SessionInput{
			RoomID:  store.Some(modelstest.RowOf(t, f.Programme(), models.Rooms, "Hall").ID),
			TrackID: store.Some(modelstest.RowOf(t, f.Programme(), models.Tracks, "Web").ID)})
		for address, want := range map[string]string{d.home: "nothing to see here yet", d.home + "/agenda": "is not public yet"} {
			lacks(t, address, d.shows(t, address, want), "MARKER")
		}
		none := func(addresses ...string) {
			t.Helper()
			for _, address := range addresses {
				response, body := d.ask(t, address)
				if response.StatusCode != http.StatusNotFound || strings.Contains(body, "MARKER") ||
					response.Header.Get("Cache-Control") == "public, max-age=0, must-revalidate" {
					t.Errorf("%s answers %d", address, response.StatusCode)
				}
			}
		}
		none(append(d.feeds(hidden), d.home+"/speakers", d.home+"/sessions/s-1", d.home+"/itinerary")...)
		declined := public
		declined.Status = new(models.Declined)
		d.change(t, hidden, declined)
		none(d.feeds(hidden)...)
	})
}

// TestWhatAnEventGoesWithoutNothingLeadsTo takes each page away, then all lists of sessions at once.
func TestWhatAnEventGoesWithoutNothingLeadsTo(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, shown, unplaced, room, _ := published(t, f)
		addresses := append(d.visited(shown), d.home+"/sessions/s-"+strconv.Itoa(unplaced.Number)+"-without-a-time",
			d.home+"/print/2027-05-20?room="+room)
		for _, kind := range []embed.Kind{embed.Speakers, embed.Gallery} {
			of := d.embeds(t, embed.Change{Name: new("Here"), Kind: new(kind), ShowsCompanies: new(true)})
			addresses = append(addresses, "/embeds/"+of.ID)
		}
		places := map[look.Page]string{look.Schedule: "my"}
		for _, p := range look.Pages {
			places[p] = cmp.Or(places[p], string(p))
		}
		lists := []look.Page{look.Agenda, look.Sessions, look.Itinerary}
		for _, off := range append([][]look.Page{lists}, slices.Collect(slices.Chunk(look.Pages, 1))...) {
			menu := look.Menu{}
			for _, p := range look.Pages {
				menu[p] = look.Entry{IsOff: slices.Contains(off, p)}
			}
			modelstest.Fine(t, look.Of(f.Programme()).Save(t.Context(), look.Change{Menu: menu}))
			named := 0
			for _, address := range addresses {
				response, body := d.ask(t, address)
				for _, p := range off {
					at := regexp.MustCompile(d.home + "/" + places[p] + `(/20[0-9-]*)?([?#"<][^ ]*)`)
					if lead := at.FindString(body); lead != "" || p == look.Speakers && strings.Contains(body, d.home+"/speakers/") {
						t.Errorf("without %s %s leads to %s", off, address, lead)
					}
					if p == look.Schedule && (strings.Contains(body, "data-star") || strings.Contains(body, "my=")) {
						t.Errorf("%s stars for a schedule that there is not", address)
					}
				}
				if response.StatusCode == http.StatusOK && strings.Contains(body, "apek") {
					named++
				}
			}
			if named < 8 {
				t.Errorf("without %s %d pages name who speaks", off, named)
			}
		}
	})
}

func TestTheSiteLeadsToACallWhileItIsOpenOrWillBe(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d := open(f)
		now := f.Clock.Now()
		before, after := store.Some(store.At(now.Add(-time.Hour))), store.Some(store.At(now.Add(49*time.Hour)))
		none := store.Optional[store.Time]{Set: true}
		for _, c := range []struct {
			name          string
			opens, closes store.Optional[store.Time]
			says          string // "" where nothing leads to it
		}{
			{"no call", none, none, ""},
			{"it will open", after, none, "It opens on"},
			{"it is open", before, none, "It is open."},
			{"it closes", before, after, "It is open until"},
			{"nobody said when it opened", none, after, "It is open until"},
			{"it is closed", none, before, ""},
		} {
			modelstest.Must(f.Programme().UpdateEvent(t.Context(),
				models.EventChange{CFPOpensAt: c.opens, CFPClosesAt: c.closes}))(t)
			page := d.get(t, d.home)
			if leads := strings.Contains(page, "/call"); leads != (c.says != "") || !strings.Contains(page, c.says) {
				t.Errorf("%s: the page leads to it: %v; looking for %q", c.name, leads, c.says)
			}
		}
	})
}

func TestEachPageNamesItsOwnAddressInEachLanguage(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, _, _, _, _ := published(t, f)
		for _, at := range []string{"", "/agenda/2027-05-20", "/sessions", "/sessions/s-1-zurich-b-you-b", "/itinerary", "/speakers",
			"/changes", "/feeds"} {
			want := []string{`<link rel="canonical" href="` + base + d.home + at + `">`}
			for _, lang := range []string{"en", "de", "fr", "es"} {
				want = append(want, `<link rel="alternate" hreflang="`+lang+`" href="`+base+d.home+at+"?lang="+lang+`">`)
			}
			want = append(want, `<link rel="alternate" hreflang="x-default" href="`+base+d.home+at+`">`)
			page := d.get(t, d.home+at)
			for _, link := range append(want, `href="`+d.home+`/itinerary"`) {
				has(t, at, page, link)
			}
			german := `<link rel="canonical" href="` + base + d.home + at + `?lang=de">`
			d.shows(t, d.home+at+"?lang=de", german)
		}
	})
}

func TestPicturesOfOtherHostsAreLinks(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d := open(f)
		const at = "https://pictures.example/a.png?b=1&amp;c"
		s := d.talk(t, "Tides", models.SessionInput{Description: new(`<p>See <img src="` + at + `" alt="A tide"> and ` +
			`<img src="https://pictures.example/b.svg"></p>`)})
		f.Speaker(t, f.Event, s.ID, models.NewContact{FirstName: "Ada", About: `<p><img src="` + at + `" alt="Ada"></p>`})
		modelstest.Must(f.Programme().UpdateSession(t.Context(), s.ID, public))(t)
		for _, address := range []string{"/sessions/s-1-tides", "/sessions"} {
			body := d.shows(t, d.home+address, `<a href="`+at+`" rel="nofollow noopener noreferrer">A tide</a>`,
				`<a href="https://pictures.example/b.svg" rel="nofollow noopener noreferrer">Picture</a>`)
			lacks(t, address+" loads a picture of another host", body, "<img src=\"https:")
		}
	})
}

func TestTheIndexOfSpeakersStandsAsEditorsSetIt(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		d := open(f)
		s := d.talk(t, "Tides", models.SessionInput{})
		for _, name := range [][2]string{{"Anna", "van der Čapek"}, {"田辺", "由紀"}, {"Bo", "Czerny"}, {"Cleo", "Van Damme"}} {
			f.Speaker(t, f.Event, s.ID, models.NewContact{FirstName: name[0], LastName: name[1]})
		}
		d.change(t, s, public)
		page, from := d.get(t, d.home+"/speakers"), 0
		for _, want := range []string{">C</h2>", "Anna van der <b>Čapek</b>", "Bo <b>Czerny</b>", ">V</h2>", "Cleo <b>Van Damme</b>",
			">田</h2>", "<b>田辺 由紀</b>"} {
			at := strings.Index(page[from:], want)
			if at < 0 {
				t.Fatalf("it has no %q where that belongs: %s", want, page[from:])
			}
			from += at
		}
	})
}

func TestADayThatStandsByItselfHasACapital(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, _, _, _, _ := published(t, f)
		speaker := d.speaker(t)
		for at, wants := range map[string][2]string{
			"/itinerary":                     {`">Jeudi 20 mai <span>`, `">Jueves, 20 de mayo <span>`},
			"/sessions/s-1-zurich-b-you-b":   {"<dt>Jeudi 20 mai</dt>", "<dt>Jueves, 20 de mayo</dt>"},
			"/speakers/" + speaker:           {"<small>Jeudi 20 mai</small>", "<small>Jueves, 20 de mayo</small>"},
			"/print/2027-05-20":              {`"day">Jeudi 20 mai<`, `"day">Jueves, 20 de mayo<`},
			"/agenda/2027-05-20?ignored=yes": {"<title>Programme, jeudi 20 mai", "<title>Programa, jueves, 20 de mayo"},
		} {
			for i, language := range []string{"fr", "es"} {
				if _, body := d.ask(t, d.home+at, "Accept-Language", language); !strings.Contains(body, wants[i]) {
					t.Errorf("%s in %s lacks %q", at, language, wants[i])
				}
			}
		}
	})
}

func TestTheCalendarOfOnesOwnScheduleIsCalledThat(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, _, _, _, _ := published(t, f)
		modelstest.Want(t, "the calendar speaks another language than the page",
			strings.Count(d.get(t, d.home+"/my?my=1&lang=de"), d.home+"/my.ics?my=1&amp;lang=de"), 2)
		for language, name := range map[string]string{"?my=1": "My schedule", "?my=1&lang=de": "Mein Plan", "?my=1&lang=xx": "My schedule"} {
			if body := plain(d.get(t, d.home+"/my.ics"+language)); !strings.Contains(body, "X-WR-CALNAME:"+f.Event.Name+" · "+name+"\r\n") {
				t.Errorf("%s is called otherwise: %s", language, body)
			}
		}
		d.shows(t, d.home+"/calendar.ics", "X-WR-CALNAME:"+f.Event.Name+"\r\n")
	})
}

func TestTheSheetOfADoorLeadsToItsRoom(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, _, _, room, _ := published(t, f)
		at := d.home + "/agenda/2027-05-20?room=" + room
		door := d.get(t, d.home+"/print/2027-05-20?room="+room)
		has(t, "the sheet leads nowhere", door, `class="qr" role="img" aria-label="`+base+at+`"`, "<span>"+base+at+"</span>")
		if there := d.get(t, at); !strings.Contains(there, "Zürich") || strings.Contains(d.get(t, d.home+"/print/2027-05-20"), "qr") {
			t.Error("the room has no programme there, or a day has a code too")
		}
	})
}

// Who prints a day in a language goes on in it: on larger paper, and to the sheets of doors.
func TestPaperKeepsItsLanguage(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, _, _, _, _ := published(t, f)
		sheet := d.get(t, d.home+"/print/2027-05-20?lang=fr")
		for _, m := range regexp.MustCompile(`href="([^"]*/print/[^"]*)"`).FindAllStringSubmatch(sheet, -1) {
			if !strings.Contains(m[1], "lang=fr") {
				t.Errorf("%s leaves the language", m[1])
			}
		}
		has(t, "there is no larger paper, or no door", sheet, "lang=fr&amp;paper=a3", "lang=fr&amp;room=")
	})
}

// While a day lasts, the agenda opens on it, and a line says in words where the time is.
func TestTheAgendaSaysWhereTheTimeIs(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, shown, _, _, _ := published(t, f)
		d.hides(t, d.home+"/agenda/2027-05-20", `id="now"`)
		during := shown.StartsAt.Add(5 * time.Minute)
		f.Clock.Move(during.Sub(f.Clock.Now()))
		page := d.get(t, d.home+"/agenda/2027-05-20?lang=en")
		clock := during.In(f.Event.Location()).Format("15:04")
		if !regexp.MustCompile(`id="now"><span>` + clock + `<span class="said"> now in [^<]+</span></span>`).MatchString(page) {
			t.Errorf("no line says where the time is: %s", page[max(0, strings.Index(page, `id="now"`)):][:300])
		}
	})
}

// TestWhatStaffApproveStandsOnTheSessionsPage approves slides and a link of a session, and takes them back again.
func TestWhatStaffApproveStandsOnTheSessionsPage(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		d, shown, _, _, _ := published(t, f)
		ctx, handle := t.Context(), tasks.Of(f.Programme())
		define := func(title string, kind tasks.Kind, public bool) *tasks.Task {
			return modelstest.Must(handle.Create(ctx, tasks.Change{Title: &title, Kind: &kind, AskedOf: new(tasks.OfSession),
				IsPublic: &public}))(t)
		}
		slides, film, secret := define("Slides", tasks.File, true), define("Recording", tasks.Link, true), define("MARKER",
			tasks.File, false)
		upload := models.Upload{Name: "MARKER.pdf", Content: []byte("%PDF-1.7 slides")}
		for _, of := range []*tasks.Task{slides, secret} {
			modelstest.Fine(t, handle.Upload(ctx, of.ID, shown.ID, upload))
		}
		modelstest.Fine(t, handle.Link(ctx, film.ID, shown.ID, "https://video.example.org/watch?v=1"))
		at := d.home + "/sessions/s-1-zurich-b-you-b"
		d.hides(t, at, "Slides", "Recording")
		for _, of := range []*tasks.Task{slides, film, secret} {
			modelstest.Fine(t, handle.Decide(ctx, of.ID, shown.ID, tasks.Approve, "", nil))
		}
		page := d.get(t, at)
		_, file, found := strings.Cut(page, `<a href="/events/`+f.Event.Slug+`/files/`)
		file, _, _ = strings.Cut(file, `"`)
		if !found || !strings.Contains(page, "PDF, 15 bytes") || !strings.Contains(page, `href="https://video.example.org/watch?v=1"`) ||
			!strings.Contains(page, "video.example.org") || strings.Contains(page, "MARKER") {
			t.Errorf("%s", page)
		}
		file = d.home + "/files/" + file
		answer, body := d.ask(t, file)
		if body != "%PDF-1.7 slides" || answer.Header.Get("Content-Disposition") != `attachment; filename=`+f.Event.Slug+`-s-1-slides.pdf` ||
			answer.Header.Get("X-Content-Type-Options") != "nosniff" || answer.Header.Get("Content-Type") != "application/octet-stream" {
			t.Errorf("%q %v", body, answer.Header)
		}
		for _, feed := range []string{"schedule.json", "schedule.xml"} {
			text := d.get(t, d.home+"/"+feed)
			has(t, feed, text, file, "https://video.example.org/watch?v=1")
			lacks(t, feed, text, "MARKER")
		}
		modelstest.Fine(t, handle.Decide(ctx, slides.ID, shown.ID, tasks.Ask, "Larger letters", nil))
		d.answers(t, file, http.StatusNotFound) // changes are asked for
		modelstest.Fine(t, handle.Decide(ctx, slides.ID, shown.ID, tasks.Approve, "", nil))
		d.change(t, modelstest.Must(f.Programme().Session(ctx, shown.ID))(t), models.SessionChange{IsPublic: new(false)})
		d.answers(t, file, http.StatusNotFound) // the session is not public
		d.change(t, modelstest.Must(f.Programme().Session(ctx, shown.ID))(t), public)
		modelstest.Must(handle.Save(ctx, slides.ID, tasks.Change{IsPublic: new(false)}))(t)
		d.answers(t, file, http.StatusNotFound) // staff do not show it any more
	})
}
