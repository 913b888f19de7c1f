package site_test

import (
	"encoding/json"
	"fmt"
	"image/color"
	"net/http"
	"net/url"
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

// embeds makes one of the fixture's event.
func (d *door) embeds(t *testing.T, c embed.Change) *embed.Embed {
	t.Helper()
	return modelstest.Must(embed.Of(d.Programme()).Create(t.Context(), c))(t)
}

func TestAnEmbedShowsWhatItsFiltersLeaveAndMayBeFramed(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		d, shown, _, _, track := published(t, f)
		home := `href="/events/` + f.Event.Slug
		for _, kind := range embed.Kinds {
			e := d.embeds(t, embed.Change{Name: new("Here"), Kind: new(kind), Filters: embed.Filters{"track": {track}}})
			for _, address := range []string{"", "?day=2027-05-20", ".html", ".json", ".xml", ".ics"} {
				if strings.HasPrefix(address, "?") && kind != embed.Agenda {
					continue
				}
				response, body := d.ask(t, "/embeds/"+e.ID+address)
				csp := response.Header.Get("Content-Security-Policy")
				if response.StatusCode != http.StatusOK || response.Header.Get("ETag") == "" ||
					response.Header.Get("Set-Cookie") != "" || !strings.Contains(body,
					"rich &amp;") && !strings.Contains(body, "rich &") &&
					!strings.Contains(body, "apek") {
					t.Fatalf("%s%s answers %d: %s", kind, address, response.StatusCode, body)
				}
				lacks(t, fmt.Sprint(kind, address, " tells"), body, "MARKER", "marker", "@example.org", "Sunday talk", "Without a time", "Harbour Inc",
					"Pilot", "Shown text")
				if again, _ := d.ask(t, "/embeds/"+e.ID+address, "If-None-Match", response.Header.Get("ETag")); again.StatusCode !=
					http.StatusNotModified {
					t.Errorf("%s%s asked again answers %d", kind, address, again.StatusCode)
				}
				if strings.HasPrefix(address, ".") {
					continue
				}
				if !strings.Contains(csp, "frame-ancestors *;") || !strings.Contains(body, `<base target="_blank"`) ||
					strings.Contains(body, "<header class=\"masthead") || strings.Contains(body, "data-star") ||
					strings.Contains(body, "<form") || !strings.Contains(body, home) {
					t.Errorf("%s%s: %s\n%s", kind, address, csp, body)
				}
			}
		}
		for _, address := range d.visited(shown) {
			response, _ := d.ask(t, address)
			lacks(t, address, response.Header.Get("Content-Security-Policy"), "ancestors *")
		}
	})
}

// holds asks for an embed that shows nothing: other sites may frame what it says instead, which nobody keeps.
func (d *door) holds(t *testing.T, at string, status int, wants ...string) string {
	t.Helper()
	response, body := d.ask(t, at, "Accept-Language", "es")
	if csp := response.Header.Get("Content-Security-Policy"); response.StatusCode != status || !strings.Contains(csp,
		"frame-ancestors *;") || response.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%.60s answers %d: %s, %s", at, response.StatusCode, csp, response.Header.Get("Cache-Control"))
	}
	for _, want := range append(wants, `<base target="_blank"`, `class="public embedded"`) {
		has(t, at, body, want)
		lacks(t, at, body, "masthead", "request-id")
	}
	return body
}

func TestAnEmbedOfPeopleTellsProgramsOfPeople(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, shown, unplaced, room, track := published(t, f)
		f.Speaker(t, f.Event, unplaced.ID, models.NewContact{FirstName: "Bo", LastName: "Ek"})
		type told struct {
			Event    string
			Speakers []struct {
				Name, Company, Biography string
				SortName                 string `json:"sort_name"`
				URL                      string
				Sessions                 []struct{ GUID, Title, Start, End, Room, Track, Role, URL string }
			}
		}
		read := func(at string) (out told) {
			modelstest.Fine(t, json.Unmarshal([]byte(d.get(t, at)), &out))
			return out
		}
		for _, kind := range []embed.Kind{embed.Speakers, embed.Gallery} {
			all := d.embeds(t, embed.Change{Name: new("All"), Kind: new(kind), ShowsCompanies: new(true),
				ShowsDescriptions: new(true)})
			page, data := d.get(t, "/embeds/"+all.ID), read("/embeds/"+all.ID+".json")
			if len(data.Speakers) != 2 || data.Event != f.Event.Name {
				t.Fatalf("%+v", data)
			}
			ada, bo := data.Speakers[0], data.Speakers[1]
			if ada.Name != "Ada Čapek" || ada.SortName != "Čapek, Ada" || ada.Company != "Harbour Inc" ||
				!strings.Contains(ada.Biography, "Sails") || !strings.Contains(page, strings.TrimPrefix(ada.URL, base)) ||
				len(bo.Sessions) != 1 || bo.Sessions[0].Title != "Without a time" || bo.Sessions[0].Start != "" {
				t.Errorf("%+v", data.Speakers)
			}
			if s := ada.Sessions[0]; len(ada.Sessions) != 1 || s.GUID != shown.ID || s.Room != "Hall" || s.Track != "Web" ||
				s.Start != at("10:00").In(f.Event.Location()).Format(time.RFC3339) || s.Role != "speaker" ||
				!strings.HasPrefix(s.URL, base+d.home+"/sessions/s-") {
				t.Errorf("%+v", ada.Sessions)
			}
			d.shows(t, "/embeds/"+all.ID+".xml", `<speakers event="`+f.Event.Name, "<name>Bo Ek</name>", "<title>Without a time</title>",
				`guid="`+shown.ID+`"`)
			some := d.embeds(t, embed.Change{Name: new("Some"), Kind: new(kind),
				Filters: embed.Filters{"track": {track}, "room": {room}}})
			left := read("/embeds/" + some.ID + ".json").Speakers
			if len(left) != 1 || left[0].Name != "Ada Čapek" || left[0].Company+left[0].Biography != "" {
				t.Errorf("within its filters and fields it tells of %+v", left)
			}
		}
	})
}

func TestAnEmbedIsShownAsItSaysUntilItIsEnded(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, shown, _, _, _ := published(t, f)
		embeds := embed.Of(f.Programme())
		e := d.embeds(t, embed.Change{Name: new("Here"), Kind: new(embed.Sessions), Language: new("de"),
			ShowsDescriptions: new(true), ShowsCompanies: new(true)})
		at := "/embeds/" + e.ID
		response, body := d.ask(t, at+"?lang=fr", "Accept-Language", "es")
		says(t, body,
			[]string{`<html lang="de"`, "Shown text", "Pilot, Harbour Inc", "Sunday talk", "Without a time", "Zum Programm"},
			nil)
		lacks(t, "a language of its own varies", response.Header.Get("Vary"), "Accept-Language")
		// What staff change is there with the next request, of the programme and of the embed alike.
		d.change(t, shown, models.SessionChange{Title: new("Another title")})
		d.shows(t, at, "Another title")
		modelstest.Fine(t, embeds.Save(t.Context(), e.ID, embed.Change{ShowsDescriptions: new(false)}))
		d.hides(t, at, "Shown text")
		// Who asks is written down beside; our own preview is nobody.
		asked := func() *store.Time {
			modelstest.Fine(t, f.KeepSeen(t.Context()))
			return modelstest.Must(embeds.Embed(t.Context(), e.ID))(t).LastAskedAt
		}
		other := d.embeds(t, embed.Change{Name: new("Unasked"), Kind: new(embed.Agenda)})
		d.ask(t, "/embeds/"+other.ID, "Sec-Fetch-Site", "same-origin")
		if asked() == nil || modelstest.Must(embeds.Embed(t.Context(), other.ID))(t).LastAskedAt != nil {
			t.Error("when it was asked for is not told")
		}
		modelstest.Fine(t, embeds.Save(t.Context(), e.ID, embed.Change{IsOn: new(false)}))
		t.Log("it is off")
		for _, end := range []string{"", ".html", ".json", ".xml", ".ics"} {
			d.answers(t, at+end, http.StatusGone, "Another title")
		}
		d.holds(t, at, http.StatusGone, "Die Veranstalter zeigen es hier nicht mehr.",
			`href="/events/`+f.Event.Slug+`?lang=de"`, "Zum Programm")
		for _, bad := range []string{"unknown", e.ID + "x", url.PathEscape("' OR 1=1"), e.EventID, strings.Repeat("a", 900)} {
			if body := d.holds(t, "/embeds/"+bad, http.StatusNotFound, "Aquí no hay ningún programa", `<html lang="es"`); strings.Contains(
				body, "/events/") || strings.Contains(body, "<footer") {
				t.Errorf("%s leads somewhere", bad)
			}
		}
		d.holds(t, "/embeds/"+other.ID+"?day=2027-01-01&lang=fr", http.StatusNotFound, "Il n’y a pas de programme",
			`href="/events/`+f.Event.Slug+`?lang=fr"`)
	})
}

func TestAnEmbedHasColoursOfItsOwn(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, _, _, _, _ := published(t, f)
		ours := look.Change{Brand: new("#884400"), Paper: new("#FFF8EF")}
		modelstest.Fine(t, look.Of(f.Programme()).Save(t.Context(), ours))
		embeds, sheet := embed.Of(f.Programme()), regexp.MustCompile(`href="([^"]*look\.css[^"]*)"`)
		styles := func(at string) (page, css string) {
			page = d.get(t, at)
			found := sheet.FindStringSubmatch(page)
			if found == nil {
				t.Fatal(page)
			}
			response, css := d.ask(t, found[1])
			if response.StatusCode != http.StatusOK || !strings.Contains(response.Header.Get("Cache-Control"), "immutable") {
				t.Errorf("%s answers %d, kept %q", found[1], response.StatusCode, response.Header.Get("Cache-Control"))
			}
			return page, css
		}
		e := d.embeds(t, embed.Change{Name: new("Here"), Kind: new(embed.Agenda)})
		at := "/embeds/" + e.ID
		if page, css := styles(at); !strings.Contains(css, "#884400") || strings.Contains(page, "data-theme") {
			t.Error("without a colour of its own it has not the event's: " + css)
		}
		modelstest.Fine(t, embeds.Save(t.Context(), e.ID, embed.Change{Accent: new("#006644"), Ground: new(embed.Dark)}))
		page, css := styles(at)
		if !strings.Contains(css, "#006644") || strings.Contains(css, "#884400") || !strings.Contains(css, "#FFF8EF") ||
			!strings.Contains(page, `data-theme="dark"`) {
			t.Errorf("its colours are %s in\n%s", css, page)
		}
		// One that cannot be read is moved, as the event's is.
		modelstest.Fine(t, embeds.Save(t.Context(), e.ID, embed.Change{Accent: new("#FFFF00"), Ground: new(embed.Light)}))
		if page, css := styles(at); !strings.Contains(css, "--brand:light-dark(#FFFF00") || strings.Contains(css,
			"--brandtext:light-dark(#FFFF00") || !strings.Contains(page, `data-theme="light"`) {
			t.Error("a colour that cannot be read is text: " + css)
		}
		d.hides(t, d.home, at, "data-theme")
		modelstest.Fine(t, embeds.Delete(t.Context(), e.ID, nil))
		t.Log("it is deleted")
		for _, end := range []string{"", ".html", ".json", ".xml", ".ics", "/look.css"} {
			d.answers(t, at+end, http.StatusNotFound, "Zürich")
		}
	})
}

func TestAnEmbedThatIsKeptCostsOneStatement(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		d, _, _, _, _ := published(t, f)
		for _, kind := range embed.Kinds {
			e := d.embeds(t, embed.Change{Name: new("Here"), Kind: new(kind), Accent: new("#006644")})
			for _, end := range []string{"", ".html", ".json", ".xml", ".ics"} {
				d.get(t, "/embeds/"+e.ID+end)
				statements := f.Statement.During(func() { d.get(t, "/embeds/"+e.ID+end) })
				if len(statements) != 1 || !strings.Contains(statements[0], "embeds.id") {
					t.Errorf("%s%s costs %d statements: %v", kind, end, len(statements), statements)
				}
			}
		}
	})
}

// TestEachFormOfAnEmbedHasTheFieldsThatAreTicked ticks one field at a time, and looks for each of them in each form.
func TestEachFormOfAnEmbedHasTheFieldsThatAreTicked(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, shown, _, _, track := published(t, f)
		who := modelstest.Must(f.Programme().Session(t.Context(), shown.ID))(t).Participants[0].ContactID
		photo := modelstest.Must(f.Programme().Directory().SetPhoto(t.Context(), who, face(t, color.White)))(t).PhotoPath()
		// What a form has of each field; all others have no place for it.
		const text, about, job = "Shown text", "Sails", "Harbour Inc"
		fields := map[string]embed.Change{"descriptions": {ShowsDescriptions: new(true)},
			"companies": {ShowsCompanies: new(true)}, "photos": {ShowsPhotos: new(true)}, "none": {}}
		whole := map[string][]string{"descriptions": {text, about}, "companies": {job}, "photos": {photo}}
		texts := map[string][]string{"descriptions": {text}}
		people := map[string][]string{"descriptions": {about}, "companies": {job}, "photos": {photo}}
		jobs, faces := map[string][]string{"companies": {job}}, map[string][]string{"companies": {job}, "photos": {photo}}
		atLength := map[string][]string{"descriptions": {text}, "companies": {job}}
		for kind, forms := range map[embed.Kind]map[string]map[string][]string{
			embed.Agenda:    {"": {}, ".html": {}, ".json": whole, ".xml": texts, ".ics": texts},
			embed.Sessions:  {"": atLength, ".html": atLength, ".json": whole, ".xml": texts, ".ics": texts},
			embed.Itinerary: {"": jobs, ".html": jobs, ".json": whole, ".xml": texts, ".ics": texts},
			embed.Speakers:  {"": jobs, ".html": jobs, ".json": people, ".xml": people, ".ics": texts},
			embed.Gallery:   {"": faces, ".html": faces, ".json": people, ".xml": people, ".ics": texts},
		} {
			for field, c := range fields {
				c.Name, c.Kind, c.Filters = new("Here"), new(kind), embed.Filters{"track": {track}}
				e := d.embeds(t, c)
				for end, has := range forms {
					body := plain(d.get(t, "/embeds/"+e.ID+end))
					for _, value := range []string{text, about, job, photo} {
						what := fmt.Sprint(kind, end, " with ", field, " has ", value)
						modelstest.Want(t, what, strings.Contains(body, value), slices.Contains(has[field], value))
					}
					lacks(t, fmt.Sprint(kind, end, " tells what its filter leaves out"), body, "Sunday talk", "MARKER")
				}
			}
		}
	})
}

func TestThePeopleOfAnEmbedHaveACalendarOfWhatTheySpeakAt(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, shown, _, _, _ := published(t, f)
		d.change(t, d.talk(t, "Nobody speaks", models.SessionInput{Status: new(models.Accepted)}), public)
		e := d.embeds(t, embed.Change{Name: new("Here"), Kind: new(embed.Gallery)})
		body := d.get(t, "/embeds/"+e.ID+".ics")
		has(t, "beside "+shown.Title+" the calendar has", body, "BEGIN:VEVENT", "/sessions/s-1-")
		lacks(t, "beside "+shown.Title+" the calendar has", body, "Nobody speaks")
	})
}
