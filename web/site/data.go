package site

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"

	"lectern/models/look"
	"lectern/models/public"
	"lectern/models/store"
)

// structured is what a page shows in the words of schema.org, as search engines read it.
func structured(data map[string]any) templ.Component {
	data["@context"] = "https://schema.org"
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		text, err := json.Marshal(data) // which escapes what would end the element
		if err == nil {
			_, err = io.WriteString(w, `<script type="application/ld+json">`+string(text)+`</script>`)
		}
		return err
	})
}

// eventData is the event itself.
func (v *visit) eventData() map[string]any {
	data := map[string]any{"@type": "Event", "name": v.event.Name, "url": v.s.BaseURL + v.home()}
	if v.event.StartsOn != nil {
		data["startDate"] = *v.event.StartsOn
		data["endDate"] = *v.event.StartsOn
		if v.event.EndsOn != nil {
			data["endDate"] = *v.event.EndsOn
		}
	}
	if place := v.placeData(""); place != nil {
		data["location"] = place
	}
	if picture := look.Picture.Path(v.look); picture != "" {
		data["image"] = v.s.BaseURL + picture
	}
	return data
}

// placeData is where the event is, or a room of it, nil while nobody said. It names the city once: search engines show
// all of it in one line.
func (v *visit) placeData(room string) map[string]any {
	place, city := map[string]any{"@type": "Place"}, store.Searchable(v.look.City)
	if name := store.Joined(room, v.look.Venue); name != "" && store.Searchable(name) != city {
		place["name"] = name
	}
	address := map[string]any{"@type": "PostalAddress"}
	if v.look.Address != "" {
		address["streetAddress"] = v.look.Address
	}
	if city != "" && !hasWords(store.Searchable(v.look.Address), city) {
		address["addressLocality"] = v.look.City
	}
	if len(address) > 1 {
		place["address"] = address
	}
	if len(place) == 1 {
		return nil
	}
	return place
}

// hasWords tells whether a text has some words as they stand there, and not as a part of others.
func hasWords(text, words string) bool {
	isPart := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	for at := 0; ; {
		found := strings.Index(text[at:], words)
		if found < 0 {
			return false
		}
		at += found
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+len(words):])
		if !isPart(before) && !isPart(after) {
			return true
		}
		_, first := utf8.DecodeRuneInString(text[at:])
		at += first
	}
}

// sessionData is a session of the event.
func (v *visit) sessionData(s *public.Session) map[string]any {
	data := map[string]any{"@type": "Event", "name": s.Title, "url": v.s.BaseURL + v.path(sessionAt(s)),
		"superEvent": v.eventData(), "eventStatus": "https://schema.org/EventScheduled"}
	if text := shortened(plainText(s.Description), 500); text != "" {
		data["description"] = text
	}
	if !s.StartsAt.IsZero() {
		data["startDate"] = s.StartsAt.In(v.zone).Format(time.RFC3339)
		data["endDate"] = ends(&s.Entry).In(v.zone).Format(time.RFC3339)
	}
	if place := v.placeData(v.names().of(s.RoomID)); place != nil {
		data["location"] = place
	}
	var people []map[string]any
	for _, on := range s.People {
		people = append(people, v.personData(on.Person))
	}
	if people != nil {
		data["performer"] = people
	}
	return data
}

func (v *visit) personData(p *public.Person) map[string]any {
	data := map[string]any{"@type": "Person", "name": p.Name}
	if v.look.Has(look.Speakers) {
		data["url"] = v.s.BaseURL + v.path(personAt(p))
	}
	if p.JobTitle != "" {
		data["jobTitle"] = p.JobTitle
	}
	if p.Company != "" {
		data["worksFor"] = map[string]any{"@type": "Organization", "name": p.Company}
	}
	if p.Photo != "" {
		data["image"] = v.s.BaseURL + p.Photo
	}
	return data
}

// mapped is one address of a sitemap.
type mapped struct {
	Address string `xml:"loc"`
	Changed string `xml:"lastmod,omitempty"`
}

// sitemap lists the pages of an event that search engines may show.
func (s *site) sitemap(a *public.Agenda, l *look.Look) ([]byte, error) {
	var out struct {
		XMLName xml.Name `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
		Pages   []mapped `xml:"url"`
	}
	zone := zoneOf(a)
	out.Pages = []mapped{{Address: s.BaseURL + "/events/" + a.Slug}}
	for _, page := range []look.Page{look.Agenda, look.Sessions, look.Itinerary, look.Speakers} {
		switch {
		case !l.Has(page):
		case page == look.Agenda && len(a.Sessions) > 0: // whose own address shows the day that is on
			last := ""
			for _, x := range a.Sessions {
				if day := x.StartsAt.In(zone).Format(time.DateOnly); day != last {
					out.Pages, last = append(out.Pages, mapped{Address: s.address(a, string(page)+"/"+day)}), day
				}
			}
		default:
			out.Pages = append(out.Pages, mapped{Address: s.address(a, string(page))})
		}
	}
	for x := range a.All {
		out.Pages = append(out.Pages, mapped{s.address(a, sessionAt(x)), x.UpdatedAt.UTC().Format(time.RFC3339)})
	}
	for _, person := range a.People {
		if l.Has(look.Speakers) {
			out.Pages = append(out.Pages, mapped{Address: s.address(a, personAt(person))})
		}
	}
	text, err := xml.Marshal(out)
	return append([]byte(xml.Header), text...), err
}

// robots asks search engines to leave out what is for staff, for one person, or the same in other words.
func robots(c *fiber.Ctx) error {
	c.Set(fiber.HeaderCacheControl, publicCache)
	c.Type("txt", "utf-8")
	return c.Status(http.StatusOK).SendString("User-agent: *\nDisallow: /admin\nDisallow: /v1/\nDisallow: /mcp\n" +
		"Disallow: /events/*/place\nDisallow: /events/*/my\nDisallow: /events/*?*my=\nDisallow: /events/*?*q=\n" +
		"Disallow: /events/*?*track=\nDisallow: /events/*?*room=\nDisallow: /events/*?*format=\nDisallow: /events/*?*level=\n" +
		"Disallow: /events/*?*tag=\nDisallow: /events/*?*tz=\nDisallow: /embeds/\n")
}
