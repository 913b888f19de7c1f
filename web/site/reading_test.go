package site_test

import (
	"encoding/json"
	"fmt"
	"html"
	"image/color"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/embed"
	"lectern/models/look"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// squeezed returns a page without the space between its words and elements.
func squeezed(page string) string { return strings.Join(strings.Fields(page), " ") }

// TestEachFilterSaysHowManySessionsItsValuesLeave narrows by format, level and tag: a value counts what it would leave
// beside all other kinds, and one that is off does not vanish for one of its own kind.
func TestEachFilterSaysHowManySessionsItsValuesLeave(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, ids := open(f), map[string]string{}
		for _, of := range []struct {
			family models.Family
			names  []string
		}{{models.Formats, []string{"Talk", "Workshop"}}, {models.Levels, []string{"Easy", "Deep"}},
			{models.Tags, []string{"Ink", "Ropes", "Unused"}}} {
			for _, name := range of.names {
				ids[name] = modelstest.Must(f.Programme().CreateMetadata(t.Context(), of.family,
					models.NewMetadata{Name: name}))(t).ID
			}
		}
		for _, s := range []struct {
			title, format, level string
			tags                 []string
		}{{"First.", "Talk", "Easy", []string{ids["Ink"]}}, {"Second.", "Talk", "Deep", []string{ids["Ink"], ids["Ropes"]}},
			{"Third.", "Workshop", "Deep", []string{ids["Ropes"]}}} {
			d.change(t, d.talk(t, s.title, models.SessionInput{FormatID: store.Some(ids[s.format]),
				LevelID: store.Some(ids[s.level]), TagIDs: &s.tags}), public)
		}
		for query, want := range map[string]struct{ sessions, counts string }{
			"":                             {"First. Second. Third.", "Talk 2 Workshop 1 Easy 1 Deep 2 Ink 2 Ropes 2"},
			"format=Talk":                  {"First. Second.", "Talk 2 Workshop 1 Easy 1 Deep 1 Ink 2 Ropes 1"},
			"level=Deep":                   {"Second. Third.", "Talk 1 Workshop 1 Easy 1 Deep 2 Ink 1 Ropes 2"},
			"tag=Ink&tag=Ropes&level=Easy": {"First.", "Talk 1 Workshop 0 Easy 1 Deep 2 Ink 1 Ropes 0"},
			"format=Workshop&tag=Ink":      {"", "Talk 2 Workshop 0 Easy 0 Deep 0 Ink 0 Ropes 1"},
		} {
			for name, id := range ids {
				query = strings.ReplaceAll(query, "="+name, "="+id)
			}
			for _, at := range []string{"/agenda/2027-05-20", "/sessions", "/itinerary"} {
				page := d.get(t, d.home+at+"?"+query)
				var counts, shown []string
				for _, o := range regexp.MustCompile(`<span dir="auto">([^<]*)</span><em>(\d+)</em>`).FindAllStringSubmatch(page, -1) {
					counts = append(counts, o[1], o[2])
				}
				for _, title := range []string{"First.", "Second.", "Third."} {
					if strings.Contains(page, `dir="auto">`+title+`</a>`) {
						shown = append(shown, title)
					}
				}
				if got := strings.Join(counts, " "); got != want.counts || strings.Join(shown, " ") != want.sessions {
					t.Errorf("%s?%s shows %q and counts %q", at, query, shown, got)
				}
			}
		}
	})
}

func TestSpeakersAreFoundByAnyPartOfTheirNames(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d := open(f)
		talk := d.talk(t, "Talk", models.SessionInput{})
		for _, name := range [][2]string{{"Ada", "Čapek"}, {"花子", "山田"}, {"Jörg", "de Vries"}} {
			f.Speaker(t, f.Event, talk.ID, models.NewContact{FirstName: name[0], LastName: name[1], CompanyName: "Harbour"})
		}
		d.change(t, talk, public)
		home := d.home + "/speakers"
		for query, want := range map[string]string{"": "Ada Jörg 花子", "capek": "Ada", "CAPEK+ada": "Ada",
			"jorg+vries": "Jörg", "山": "花子", "harbour": "", "ada+jorg": ""} {
			for _, view := range []string{"", "&view=photos"} {
				page, found := d.get(t, home+"?q="+query+view), []string{}
				for name, shown := range map[string]string{"Ada": "Čapek</", "Jörg": "Vries</", "花子": "山田</"} {
					if strings.Contains(page, shown) || strings.Contains(page, `<h2 dir="auto">`+name) {
						found = append(found, name)
					}
				}
				slices.Sort(found)
				if got := strings.Join(found, " "); got != want || (want == "") != strings.Contains(page,
					"Nobody here has that name.") {
					t.Errorf("%q%s finds %q", query, view, got)
				}
			}
		}
		page := d.get(t, home+"?view=photos")
		for _, initial := range []string{"A", "J", "花"} { // where there is no photo
			has(t, "nobody has the initial "+initial, page, `<span class="portrait none" aria-hidden="true">`+initial+`</span>`)
		}
		who := modelstest.Must(f.Programme().Session(t.Context(), talk.ID))(t).Participants[0]
		modelstest.Must(f.Programme().Directory().SetPhoto(t.Context(), who.ContactID, face(t, color.White)))(t)
		if page := d.get(t, home+"?view=photos"); !strings.Contains(page, `<img class="portrait" src="/photos/`) ||
			strings.Count(page, "portrait none") != 2 {
			t.Errorf("the photo is not there in place of the initial:\n%s", page)
		}
	})
}

func TestASessionThatIsComposedShowsItsParts(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, _ := lived(t, f)
		page := squeezed(d.get(t, d.home+"/sessions?q=composed"))
		_, rest, _ := strings.Cut(page, `<h3><a href="`)
		at, _, _ := strings.Cut(rest, `"`)
		page = squeezed(d.get(t, at))
		has(t, at, page, `<h2>Parts</h2><ol class="parts"><li><span dir="auto">One half</span>`,
			`<li><span dir="auto">The other half</span>`)
		if strings.Contains(d.get(t, d.home+"/sessions/s-1-zurich-b-you-b"), `class="parts"`) {
			t.Error("a session that is not composed has parts")
		}
	})
}

// TestPeopleStandWithWhatTheyDo reads where lines have room for it: the agenda as a list, and paper.
func TestPeopleStandWithWhatTheyDo(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, _, _, _, _ := published(t, f)
		for _, at := range []string{"/agenda/2027-05-20?view=list", "/print/2027-05-20", "/print/2027-05-20?paper=a3"} {
			page := d.get(t, d.home+at)
			has(t, at, page, "<bdi>Ada Čapek</bdi>, <bdi>Pilot, Harbour Inc</bdi>")
		}
	})
}

// TestEachCardHasAStar counts the sessions of each page that has some, and what stars them.
func TestEachCardHasAStar(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, _, _, _, _ := published(t, f)
		d.change(t, d.talk(t, "Beside", models.SessionInput{}), public)
		for at, stars := range map[string]int{"": 3, "/agenda/2027-05-20": 2, "/sessions": 4, "/itinerary": 4,
			"/sessions/s-1-zurich-b-you-b": 2, "/my?my=1,2": 2} {
			modelstest.Want(t, at+" has", strings.Count(d.get(t, d.home+at), "data-star"), stars)
		}
	})
}

// TestOnesScheduleMissesNothingThatItShows takes the time from a starred session, and another one off the programme.
func TestOnesScheduleMissesNothingThatItShows(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, shown, unplaced, _, _ := published(t, f)
		at := d.home + "/my?my=1,2"
		d.change(t, shown, models.SessionChange{SessionInput: models.SessionInput{StartsAt: store.Null[store.Time](),
			EndsAt: store.Null[store.Time]()}})
		lacks(t, at, d.shows(t, at, "2 sessions."), "no longer in")
		d.change(t, unplaced, models.SessionChange{IsPublic: new(false)})
		d.shows(t, at, "no longer in", "1 session.")
	})
}

// TestFeedsAreFoundFromEachPage follows what pages name as other forms of themselves, and the page that explains them.
func TestFeedsAreFoundFromEachPage(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, _, _, room, track := published(t, f)
		for _, at := range []string{"", "/agenda", "/sessions", "/sessions/s-1-zurich-b-you-b", "/speakers",
			"/changes", "/feeds", "/my"} {
			page := d.get(t, d.home+at)
			for _, link := range []string{`type="text/calendar" title="Calendar" href="` + d.home + `/calendar.ics"`,
				`type="application/xml" title="schedule.xml" href="` + d.home + `/schedule.xml"`,
				`type="application/json" title="schedule.json" href="` + d.home + `/schedule.json"`} {
				has(t, at, page, `<link rel="alternate" `+link+`>`)
			}
			has(t, at, page, `href="`+d.home+`/feeds"`)
		}
		feeds := d.get(t, d.home+"/feeds")
		for _, at := range []string{"/calendar.ics", "/schedule.json", "/schedule.xml", "/tracks/" + track + ".ics",
			"/rooms/" + room + ".ics"} {
			has(t, "the page of feeds", feeds, `<a href="`+base+d.home+at+`"`, `<span class="mono">`+base+d.home+at)
			d.get(t, d.home+at)
		}
		lacks(t, "the page of feeds names a room of nothing public", feeds, "MARKER")
	})
}

// TestSearchEnginesAreToldWhatIsTheSameInOtherWords asks which pages they may show: those that the sitemap has.
func TestSearchEnginesAreToldWhatIsTheSameInOtherWords(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, _, _, room, _ := published(t, f)
		home, noindex := d.home, `<meta name="robots" content="noindex">`
		e := d.embeds(t, embed.Change{Name: new("Here"), Kind: new(embed.Agenda)})
		for at, hidden := range map[string]bool{"": false, "/agenda/2027-05-20": false, "/sessions": false,
			"/speakers": false, "/agenda/2027-05-20?lang=de": false, "/sessions/s-1-zurich-b-you-b?utm_source=x": false,
			"/agenda?q=a": true, "/sessions?room=" + room: true, "/itinerary?tz=Asia/Taipei": true, "/my?my=1": true,
			"/print/2027-05-20": true, "/sessions/s-1-zurich-b-you-b?my=1": true} {
			modelstest.Want(t, at+" may be listed", strings.Contains(d.get(t, home+at), noindex), hidden)
		}
		has(t, "an embed may be listed", d.get(t, "/embeds/"+e.ID), noindex)
		robots := d.get(t, "/robots.txt")
		for _, rule := range []string{"User-agent: *", "Disallow: /admin", "Disallow: /v1/", "Disallow: /events/*/place",
			"Disallow: /events/*?*my=", "Disallow: /events/*?*format=", "Disallow: /embeds/",
			"Sitemap: " + base + "/sitemap.xml"} {
			has(t, "robots.txt", robots, rule+"\n")
		}
		modelstest.Fine(t, look.Of(f.Programme()).Save(t.Context(),
			look.Change{Menu: look.Menu{look.Itinerary: {IsOff: true}}}))
		sitemap := d.get(t, home+"/sitemap.xml")
		all := regexp.MustCompile(`<loc>([^<]*)</loc>`).FindAllStringSubmatch(sitemap, -1)
		for _, loc := range all {
			if page := d.get(t, strings.TrimPrefix(loc[1], base)); strings.Contains(page, noindex) ||
				!strings.Contains(page, `<link rel="canonical" href="`+loc[1]+`">`) {
				t.Errorf("%s is in the sitemap and not what it is called", loc[1])
			}
		}
		if len(all) < 8 || !strings.Contains(sitemap, home+"/changes<") || strings.Contains(sitemap, "s-3") ||
			strings.Contains(sitemap, "itinerary") {
			t.Errorf("the sitemap has %d pages: %s", len(all), sitemap)
		}
	})
}

// TestSitemapsAreFoundOnceSomethingIsPublic has a call, and later a session without a time.
func TestSitemapsAreFoundOnceSomethingIsPublic(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		d := open(f)
		here := base + d.home
		hidden := d.talk(t, "MARKER", models.SessionInput{})
		d.answers(t, d.home+"/sitemap.xml", http.StatusNotFound)
		has := func(lacks string, pages ...string) {
			t.Helper()
			sitemap := d.get(t, d.home+"/sitemap.xml")
			for _, page := range pages {
				has(t, "the sitemap", sitemap, "<loc>"+here+page+"</loc>")
			}
			index := d.get(t, "/sitemap.xml")
			if strings.Contains(sitemap, lacks) || !strings.Contains(index, "<loc>"+here+"/sitemap.xml</loc>") ||
				strings.Count(index, "<loc>") != 1 {
				t.Errorf("the sitemap has %q, or no other one leads to it: %s", lacks, index)
			}
		}
		d.hides(t, "/sitemap.xml", "<loc>")
		modelstest.Must(f.Programme().UpdateEvent(t.Context(), models.EventChange{
			CFPOpensAt: store.Some(store.At(f.Clock.Now()))}))(t)
		has("/sessions", "", "/call")
		d.change(t, hidden, models.SessionChange{Title: new("Some time"), IsPublic: new(true), PublishOverride: true,
			SessionInput: models.SessionInput{StartsAt: store.Null[store.Time](), EndsAt: store.Null[store.Time]()}})
		has("MARKER", "", "/call", "/agenda", "/sessions", "/changes", "/sessions/s-1-some-time")
	})
}

func TestPagesSayWhatTheyShowInTheWordsOfSearchEngines(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, _, _, _, _ := published(t, f)
		data := func(at string) (data map[string]any) {
			t.Helper()
			d.data(t, d.home+at, &data)
			modelstest.Want(t, at+" has the terms of", data["@context"], any("https://schema.org"))
			return data
		}
		if e := data(""); e["@type"] != "Event" || e["name"] != f.Event.Name || e["url"] != base+d.home {
			t.Errorf("the event is %v", e)
		}
		s := data("/sessions/s-1-zurich-b-you-b")
		if s["@type"] != "Event" || s["name"] != "Zürich & <b>you</b>" ||
			s["startDate"] != "2027-05-20T12:00:00+02:00" ||
			s["endDate"] != "2027-05-20T13:00:00+02:00" || s["description"] != "Shown text" ||
			s["eventStatus"] != "https://schema.org/EventScheduled" ||
			s["url"] != base+d.home+"/sessions/s-1-zurich-b-you-b" {
			t.Errorf("the session is %v", s)
		}
		if whole, is := s["superEvent"].(map[string]any); !is || whole["url"] != base+d.home {
			t.Errorf("the session is part of %v", s["superEvent"])
		}
		people, _ := s["performer"].([]any)
		if len(people) != 1 {
			t.Fatalf("%v speak", s["performer"])
		}
		ada := people[0].(map[string]any)
		if ada["@type"] != "Person" || ada["name"] != "Ada Čapek" || ada["jobTitle"] != "Pilot" || ada["email"] != nil {
			t.Errorf("who speaks is %v", ada)
		}
		if p := data(strings.TrimPrefix(ada["url"].(string), base+d.home)); p["name"] != "Ada Čapek" ||
			p["url"] != ada["url"] {
			t.Errorf("the speaker is %v", p)
		}
	})
}

// TestTheStartOfAnEventIsItsCallThenBothThenItsProgramme goes through the year of an event, whose staff gave its pages
// other names and said where it is.
func TestTheStartOfAnEventIsItsCallThenBothThenItsProgramme(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d := open(f)
		modelstest.Fine(t, look.Of(f.Programme()).Save(t.Context(), look.Change{Venue: new("Harbour hall"),
			City:  new("Lisbon"),
			Intro: new("<p>Welcome aboard</p>"), Menu: look.Menu{look.Agenda: {Name: "Plan"}, look.Speakers: {IsOff: true}}}))
		now := f.Clock.Now()
		modelstest.Must(f.Programme().UpdateEvent(t.Context(), models.EventChange{StartsOn: store.Some("2027-05-20"),
			EndsOn: store.Some("2027-05-21"), CFPOpensAt: store.Some(store.At(now.Add(-time.Hour))),
			CFPClosesAt: store.Some(store.At(now.Add(72 * time.Hour)))}))(t)
		call, programme := `href="`+d.home+`/call">Call for papers</a>`, `href="`+d.home+`/agenda">See the programme</a>`
		stands := func(state string, hasCall, hasProgramme bool) {
			t.Helper()
			page := squeezed(d.get(t, d.home))
			says(t, page, []string{`<p class="lede" dir="auto">20–21 May 2027, Harbour hall, Lisbon</p>`, "Welcome aboard"}, nil)
			if strings.Contains(page, call) != hasCall || strings.Contains(page, programme) != hasProgramme ||
				strings.Contains(page, ">Plan</a>") != hasProgramme || strings.Contains(page, d.home+"/speakers") {
				t.Errorf("%s: the start leads elsewhere:\n%s", state, page)
			}
			if both := regexp.MustCompile(`button big primary`).FindAllString(page, -1); len(both) > 1 {
				t.Errorf("%s: two things come first", state)
			}
		}
		stands("call", true, false)
		d.change(t, d.talk(t, "Shown", models.SessionInput{}), public)
		stands("both", true, true)
		f.Clock.Move(100 * time.Hour)
		stands("programme", false, true)
	})
}

func TestADeletedSessionIsGoneAndWhatNeverWasPublicIsNowhere(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		d, shown, unplaced, _, _ := published(t, f)
		hidden := d.talk(t, "MARKER draft", models.SessionInput{})
		old := d.home + "/sessions/s-1-zurich-b-you-b"
		d.answers(t, old, http.StatusOK, "MARKER")
		d.change(t, shown, models.SessionChange{Title: new("Another name")})
		d.moves(t, old, d.home+"/sessions/s-1-another-name")
		for _, s := range []*models.Session{shown, hidden} {
			modelstest.Must(f.Programme().DeleteSession(t.Context(), s.ID))(t)
		}
		d.answers(t, old, http.StatusGone, "MARKER")
		d.answers(t, d.home+"/sessions/"+shown.ID, http.StatusGone, "MARKER")
		d.answers(t, d.home+"/sessions/"+hidden.ID, http.StatusNotFound, "MARKER")
		modelstest.Must(f.Programme().RestoreSession(t.Context(), shown.ID))(t)
		d.answers(t, d.home+"/sessions/s-1-another-name", http.StatusOK, "MARKER")
		f.Speaker(t, f.Event, unplaced.ID, models.NewContact{FirstName: "Grace"})
		grace := regexp.MustCompile(d.home + `/speakers/\w+-grace`).FindString(d.get(t, d.home+"/speakers"))
		for _, off := range []struct {
			how  string
			take func()
		}{
			{"declined", func() {
				d.change(t, unplaced, models.SessionChange{SessionInput: models.SessionInput{Status: new(models.Declined)}})
			}},
			{"not public", func() { d.change(t, unplaced, models.SessionChange{IsPublic: new(false)}) }},
			{"deleted", func() { modelstest.Must(f.Programme().DeleteSession(t.Context(), unplaced.ID))(t) }},
		} {
			d.answers(t, d.home+"/sessions/s-2-without-a-time", http.StatusOK, "MARKER")
			off.take()
			t.Log("it is", off.how)
			for _, at := range []string{d.home + "/sessions/s-2-without-a-time", d.home + "/sessions/" + unplaced.ID, grace} {
				d.answers(t, at, http.StatusGone, "Grace")
			}
			if off.how == "deleted" {
				modelstest.Must(f.Programme().RestoreSession(t.Context(), unplaced.ID))(t)
			}
			back := public
			back.Status = new(models.Accepted)
			d.change(t, unplaced, back)
		}
	})
}

// TestTheOnlySessionIsGoneToo takes off all that was public of an event.
func TestTheOnlySessionIsGoneToo(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		d := open(f)
		only := d.talk(t, "Only", models.SessionInput{StartsAt: store.Null[store.Time](), EndsAt: store.Null[store.Time]()})
		d.change(t, only, public)
		d.get(t, d.home+"/sessions/s-1-only")
		d.change(t, only, models.SessionChange{IsPublic: new(false)})
		d.answers(t, d.home+"/sessions/s-1-only", http.StatusGone)
		d.hides(t, d.home, "0001")
	})
}

// TestWhatNobodyEverSawIsNotGone has a session of which somebody decided that it is public before it was accepted.
func TestWhatNobodyEverSawIsNotGone(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		d := open(f)
		early := d.talk(t, "Early", models.SessionInput{Status: new(models.Pending),
			StartsAt: store.Null[store.Time](), EndsAt: store.Null[store.Time]()})
		never := func(when string) {
			t.Helper()
			for _, path := range []string{"/sessions/s-1-early", "/agenda"} {
				if response, _ := d.ask(t, d.home+path); response.StatusCode == http.StatusGone {
					t.Errorf("%s, %s is gone", when, path)
				}
			}
			d.hides(t, d.home, "0001")
		}
		d.change(t, early, public)
		never("public and pending")
		d.change(t, early, models.SessionChange{IsPublic: new(false)})
		never("no longer public")
	})
}

// TestAnAgendaWithoutAnyTimeSaysSo publishes a session that has none yet: the agenda has no day, and offers none to be
// printed or narrowed.
func TestAnAgendaWithoutAnyTimeSaysSo(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d := open(f)
		bare := func(say string) {
			t.Helper()
			page := d.get(t, d.home+"/agenda")
			has(t, "the agenda", page, say)
			lacks(t, "the agenda", page, "January", "print-link", `role="search"`, "Times in")
		}
		bare("is not public yet")
		d.change(t, d.talk(t, "Some time", models.SessionInput{StartsAt: store.Null[store.Time](),
			EndsAt: store.Null[store.Time]()}), public)
		bare("No session has a time yet.")
		for _, at := range []string{"/sessions", "/itinerary", "/sessions/s-1-some-time", ""} {
			d.hides(t, d.home+at, "Times in")
		}
	})
}

// TestTheCalendarOfASharedScheduleFollowsChanges subscribes to two starred sessions: one moves, one is taken off.
func TestTheCalendarOfASharedScheduleFollowsChanges(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, shown, _, _, _ := published(t, f)
		other := d.talk(t, "Tides", models.SessionInput{})
		d.change(t, other, public)
		home, numbers := d.home, fmt.Sprint("1,", other.Number)
		page := d.get(t, home+"/my?my="+numbers)
		_, rest, _ := strings.Cut(page, `href="webcal://conference.example.org`)
		feed, _, _ := strings.Cut(rest, `"`)
		feed = html.UnescapeString(feed)
		if before := plain(d.get(t, feed)); strings.Count(before, "BEGIN:VEVENT") != 2 || !strings.Contains(before,
			"SUMMARY:Tides") {
			t.Fatalf("%s has %s", feed, before)
		}
		d.change(t, shown, models.SessionChange{Title: new("Moved"), SessionInput: models.SessionInput{
			StartsAt: store.Some(at("15:00")), EndsAt: store.Some(at("15:30"))}})
		d.change(t, other, models.SessionChange{IsPublic: new(false)})
		after := plain(d.get(t, feed))
		if !strings.Contains(after, "SUMMARY:Moved") || !strings.Contains(after, "T170000") &&
			!strings.Contains(after, "T150000Z") ||
			strings.Count(after, "STATUS:CANCELLED") != 1 || strings.Count(after, "BEGIN:VEVENT") != 2 {
			t.Errorf("the calendar did not follow: %s", after)
		}
	})
}

// data reads what a page says in the terms of search engines, and returns its text.
func (d *door) data(t *testing.T, address string, into any) string {
	t.Helper()
	_, rest, _ := strings.Cut(d.get(t, address), `<script type="application/ld+json">`)
	text, _, _ := strings.Cut(rest, `</script>`)
	modelstest.Fine(t, json.Unmarshal([]byte(text), into))
	return text
}

func TestSearchEnginesAreToldTheCityOnce(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, _, _, _, _ := published(t, f)
		type place struct {
			Name    string
			Address struct {
				Type            string `json:"@type"`
				StreetAddress   string
				AddressLocality string
			}
		}
		read := func(at string) (*place, string) {
			t.Helper()
			var data struct{ Location *place }
			text := d.data(t, at, &data)
			return data.Location, text
		}
		session := d.home + "/sessions/s-1-zurich-b-you-b"
		_, rest, _ := strings.Cut(d.get(t, d.home+"/sessions?q=sunday"), `<h3><a href="`)
		roomless, _, _ := strings.Cut(rest, `"`)
		if location, _ := read(d.home); location != nil {
			t.Errorf("nobody said where, and it is at %+v", location)
		}
		if location, _ := read(session); location.Name != "Hall" || location.Address.Type != "" {
			t.Errorf("of the place the room alone is known, and it is at %+v", location)
		}
		for _, of := range []struct{ venue, city, address, name, street, locality string }{
			{"Harbour hall", "Lisbon", "Rua 1", "Harbour hall", "Rua 1", "Lisbon"},
			{"Harbour hall", "Lisbon", "Rua 1, 1100 LISBON", "Harbour hall", "Rua 1, 1100 LISBON", ""},
			{"lisbon", "Lisbon", "", "", "", "Lisbon"},
			{"Harbour hall", "Bern", "Bernstrasse 1, Interbern", "Harbour hall", "Bernstrasse 1, Interbern", "Bern"},
			{"Harbour hall", "Bern", "Bernstrasse 1, Bern", "Harbour hall", "Bernstrasse 1, Bern", ""},
			{"", "Lisbon", "", "", "", "Lisbon"},
			{"Harbour hall", "", "", "Harbour hall", "", ""},
		} {
			modelstest.Fine(t, look.Of(f.Programme()).Save(t.Context(), look.Change{Venue: &of.venue, City: &of.city,
				Address: &of.address}))
			location, text := read(d.home)
			if a := location.Address; location.Name != of.name || a.StreetAddress != of.street ||
				a.AddressLocality != of.locality {
				t.Errorf("%+v is told as %s", of, text)
			}
			if in, _ := read(session); !strings.HasPrefix(in.Name, "Hall") || in.Address != location.Address {
				t.Errorf("%+v: a session is at %+v", of, in)
			}
			if in, _ := read(roomless); *in != *location {
				t.Errorf("%+v: a session without a room is at %+v", of, in)
			}
			if times := strings.Count(strings.ToLower(text), "lisbon"); of.city == "Lisbon" && times != 1 {
				t.Errorf("%+v names the city %d times: %s", of, times, text)
			}
			if head, _, _ := strings.Cut(d.get(t, d.home), "<nav"); strings.Contains(strings.ToLower(head), "lisbon, lisbon") {
				t.Errorf("%+v: the head of the page says it twice", of)
			}
		}
	})
}
