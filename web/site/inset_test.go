package site_test

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"image/color"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"
	"golang.org/x/net/html"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/embed"
	"lectern/models/look"
	"lectern/models/modelstest"
	"lectern/web/site"
)

// leads finds the addresses of links and pictures in HTML.
var leads = regexp.MustCompile(` (?:href|src)="([^"]*)"`)

// inset gets an embed as a part of a page, and checks that it is whole in itself.
func (d *door) inset(t *testing.T, e *embed.Embed, headers ...string) string {
	t.Helper()
	response, body := d.ask(t, "/embeds/"+e.ID+".html", headers...)
	if response.StatusCode != http.StatusOK || response.Header.Get("Access-Control-Allow-Origin") != "*" ||
		!strings.HasPrefix(response.Header.Get("Content-Type"), "text/html") {
		t.Fatalf("%s answers %d, %v: %s", e.Kind, response.StatusCode, response.Header, body)
	}
	lacks(t, string(e.Kind), strings.ToLower(body), "<!doctype", "<html", "<head", "<body", "<script", "<style", "<link", "<iframe", "<base",
		" style=", "/static/", "<form")
	for _, lead := range leads.FindAllStringSubmatch(body, -1) {
		if !strings.HasPrefix(lead[1], base+"/") {
			t.Errorf("%s leads to %s", e.Kind, lead[1])
		}
	}
	whole := xml.NewDecoder(strings.NewReader(body)) // every element ends within it
	whole.Strict, whole.AutoClose, whole.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	for depth := 0; ; {
		token, err := whole.Token()
		if err == io.EOF {
			modelstest.Want(t, fmt.Sprint(e.Kind, " ends within elements: ", body), depth, 0)
			break
		}
		modelstest.Fine(t, err)
		switch token.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		}
	}
	return body
}

// says checks which parts a text has and which it lacks.
func says(t *testing.T, body string, wants, leaks []string) {
	t.Helper()
	has(t, "it", body, wants...)
	lacks(t, "it", body, leaks...)
}

func TestAnInsetIsAPartOfAPageThatStandsAlone(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		d, shown, _, room, track := published(t, f)
		modelstest.Must(agenda.Of(f.Programme()).AddBreak(t.Context(), models.NewBreak{Kind: models.Pause, Title: "Coffee",
			StartsAt: at("08:00"), EndsAt: at("08:30"), RoomID: &room}))(t)
		who := modelstest.Must(f.Programme().Session(t.Context(), shown.ID))(t).Participants[0].ContactID
		modelstest.Must(f.Programme().Directory().SetPhoto(t.Context(), who, face(t, color.White)))(t)
		home := base + d.home
		for kind, of := range map[embed.Kind]struct{ wants, lacks []string }{
			embed.Agenda: {[]string{"Zürich &amp; &lt;b&gt;you&lt;/b&gt;", "Ada Čapek", ">Coffee<", "Sunday talk",
				"Hall", "Web"},
				[]string{"Shown text", "Without a time", "Harbour Inc", "<img"}},
			embed.Sessions: {[]string{"Ada Čapek", "Pilot, Harbour Inc", "<p dir=\"auto\">Shown text</p>", "Without a time"},
				[]string{"Coffee", "<img"}},
			embed.Itinerary: {[]string{"Pilot, Harbour Inc", "Without a time"}, []string{"Shown text", "Coffee"}},
			embed.Speakers:  {[]string{"Ada Čapek", "Pilot, Harbour Inc", "Zürich &amp;"}, []string{"<img", "Sails", "Sunday"}},
			embed.Gallery:   {[]string{"Ada Čapek", `<img src="` + base + "/"}, []string{"Sails", "Sunday talk"}},
		} {
			e := d.embeds(t, embed.Change{Name: new("Here"), Kind: new(kind), ShowsDescriptions: new(true),
				ShowsCompanies: new(true), ShowsPhotos: new(true)})
			says(t, d.inset(t, e), append(of.wants, `class="lectern lectern-`+string(kind)+`" lang="en"`,
				`href="`+home+`"`, `href="`+home+"/sessions/s-"), append(of.lacks, "MARKER"))
			bare := d.embeds(t, embed.Change{Name: new("Bare"), Kind: new(kind), Language: new("de"),
				Filters: embed.Filters{"track": {track}}})
			says(t, d.inset(t, bare, "Accept-Language", "fr"), []string{"Ada Čapek", `lang="de"`, "Zum Programm"},
				[]string{"Harbour Inc", "Shown text", "<img", "Sunday talk", "Without a time"})
		}
	})
}

func TestAnInsetThatShowsNothingSaysSoWithoutAPage(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d := open(f)
		e := d.embeds(t, embed.Change{Name: new("Here"), Kind: new(embed.Sessions)})
		says(t, d.inset(t, e), []string{"is not public yet"}, []string{"<li"})
		for _, kind := range embed.Kinds { // in a frame as well
			of := d.embeds(t, embed.Change{Name: new("Here"), Kind: new(kind)})
			d.shows(t, "/embeds/"+of.ID, "is not public yet")
		}
		modelstest.Fine(t, embed.Of(f.Programme()).Save(t.Context(), e.ID, embed.Change{IsOn: new(false)}))
		for address, of := range map[string]struct {
			status int
			says   string
		}{
			"/embeds/" + e.ID + ".html": {http.StatusGone, "Its organizers show it here no more."},
			"/embeds/unknown.html":      {http.StatusNotFound, "There is no programme to show here."},
		} {
			response, body := d.ask(t, address)
			if response.StatusCode != of.status || !strings.Contains(body, of.says) || strings.Contains(body, "<html") ||
				response.Header.Get("Cache-Control") != "no-store" {
				t.Errorf("%s answers %d: %s", address, response.StatusCode, body)
			}
		}
	})
}

func TestAPreviewOfAnEmbedIsShownToPagesOfOursAlone(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		published(t, f)
		app := fiber.New(fiber.Config{Immutable: true})
		preview := site.Register(fiber.New(), f.Store, site.Options{BaseURL: base, Now: f.Clock.Now,
			Address: func(c *fiber.Ctx) string { return c.IP() }})
		e := &embed.Embed{Kind: embed.Agenda, Ground: embed.Dark, Accent: "#884400"}
		app.Get("/preview", func(c *fiber.Ctx) error { return preview(c, f.Event, e, "/styles.css?brand=1") })
		d := &door{Fixture: f, app: app}
		response, body := d.ask(t, "/preview?kind=agenda&accent=%23884400")
		says(t, body, []string{"Zürich", `data-theme="dark"`, `href="/styles.css?brand=1"`,
			"/preview?accent=%23884400&amp;day=2027-05-21&amp;kind=agenda"}, []string{"MARKER", "masthead", "/look.css"})
		if policy := response.Header.Get("Content-Security-Policy"); response.StatusCode != http.StatusOK ||
			!strings.Contains(policy, "frame-ancestors 'self'") || response.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%d %v", response.StatusCode, response.Header)
		}
		d.shows(t, "/preview?kind=agenda&day=2027-05-21", "Sunday talk")
		e.Kind, e.Filters = embed.Speakers, embed.Filters{"track": {"none"}}
		says(t, d.get(t, "/preview"), nil, []string{"apek"})
		if response, _ := d.ask(t, "/preview?day=2027-01-01"); response.StatusCode != http.StatusOK {
			t.Error("speakers have days")
		}
		request := httptest.NewRequest(http.MethodGet, "/preview", nil)
		modelstest.Want(t, "it sets a cookie", modelstest.Must(app.Test(request, -1))(t).Header.Get("Set-Cookie"), "")
	})
}

func TestAnInsetLeadsToNoPageThatThereIsNot(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, _, _, _, _ := published(t, f)
		modelstest.Fine(t, look.Of(f.Programme()).Save(t.Context(), look.Change{
			Menu: look.Menu{look.Speakers: {IsOff: true}}}))
		for _, kind := range embed.Kinds {
			e := d.embeds(t, embed.Change{Name: new("Here"), Kind: new(kind)})
			says(t, d.inset(t, e), []string{"Ada Čapek"}, []string{"/speakers/"})
		}
	})
}

// TestWhatSomebodyWroteEndsNothingOfThePageAroundIt has texts as they were kept before they were closed in themselves.
func TestWhatSomebodyWroteEndsNothingOfThePageAroundIt(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		d, shown, _, _, _ := published(t, f)
		e := d.embeds(t, embed.Change{Name: new("Here"), Kind: new(embed.Sessions), ShowsDescriptions: new(true)})
		for i, text := range []string{"out</div></li></ul></section></div>side", "<table><tr><td>in", "<li>in",
			`<a href="` + base + `/">in <img src="` + base + `/a.png">`, "</details></article></main>out"} {
			modelstest.Exec(t, f.SQL, "UPDATE sessions SET description = '"+text+"' WHERE id = '"+shown.ID+"'")
			title := fmt.Sprintf("Written %d", i) // so that it is read anew
			d.change(t, shown, models.SessionChange{Title: &title})
			page := "<main><div><ul><li>" + d.inset(t, e) + "</li></ul></div></main><footer></footer>"
			modelstest.Want(t, text+": the link to the programme is in", closest(t, page, "lectern-more", "div"),
				"lectern lectern-sessions")
			if got := closest(t, d.get(t, d.home+"/sessions"), "star", "article"); !strings.HasPrefix(got, "stop") {
				t.Errorf("%s: the star on the list is in %q", text, got)
			}
			session := d.get(t, d.home+fmt.Sprintf("/sessions/s-1-written-%d", i))
			if got := closest(t, session, "person", "article"); !strings.HasPrefix(got, "session") {
				t.Errorf("%s: who speaks is in %q", text, got)
			}
		}
	})
}

// TestAnInsetThatFailsIsAnInset has an embed whose row nobody can read.
func TestAnInsetThatFailsIsAnInset(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		d, _, _, _, _ := published(t, f)
		e := d.embeds(t, embed.Change{Name: new("Here"), Kind: new(embed.Sessions)})
		modelstest.Exec(t, f.SQL, "UPDATE embeds SET filters = 'broken' WHERE id = '"+e.ID+"'")
		response, body := d.ask(t, "/embeds/"+e.ID+".html")
		if response.StatusCode != http.StatusInternalServerError || strings.Contains(body, "<html") ||
			!strings.Contains(body, `class="lectern"`) || !strings.Contains(body, "Try again") {
			t.Errorf("it answers %d: %s", response.StatusCode, body)
		}
	})
}

// TestAnEmbedOfNothingSaysNoMoreThanThat filters by what nothing has.
func TestAnEmbedOfNothingSaysNoMoreThanThat(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, _, _, _, _ := published(t, f)
		none := modelstest.RowOf(t, f.Programme(), models.Tracks, "Empty").ID
		for _, kind := range embed.Kinds {
			e := d.embeds(t, embed.Change{Name: new("Here"), Kind: new(kind), Filters: embed.Filters{"track": {none}}})
			want := "Nothing of this stands in the programme yet."
			if kind.ShowsPeople() {
				want = "The programme names nobody yet."
			}
			says(t, d.inset(t, e), []string{want, `dir="ltr"`}, []string{"Times in"})
			says(t, d.get(t, "/embeds/"+e.ID), []string{want}, []string{"Times in", "Show all", "has a time yet"})
		}
	})
}

// closest returns the class, or else the id, of the closest element of a name around the first element with a class, as
// browsers read the page; "" for none.
func closest(t *testing.T, page, class, name string) string {
	t.Helper()
	root := modelstest.Must(html.Parse(strings.NewReader(page)))(t)
	called := func(n *html.Node) (class, id string) {
		for _, a := range n.Attr {
			switch a.Key {
			case "class":
				class = a.Val
			case "id":
				id = a.Val
			}
		}
		return class, id
	}
	for n := range root.Descendants() {
		if is, _ := called(n); !strings.Contains(" "+is+" ", " "+class+" ") {
			continue
		}
		for around := range n.Ancestors() {
			if around.Data == name {
				class, id := called(around)
				return cmp.Or(class, id)
			}
		}
		break
	}
	return ""
}
