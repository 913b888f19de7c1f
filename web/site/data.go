package site

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/a-h/templ"

	"lectern/models/look"
	"lectern/models/site"
	"lectern/models/store"
)

// structured returns the data of a page in terms of schema.org, for search engines.
func structured(data map[string]any) templ.Component {
	data["@context"] = "https://schema.org"
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		text, err := json.Marshal(data) // it escapes what would end the script element
		if err == nil {
			_, err = io.WriteString(w, `<script type="application/ld+json">`+string(text)+`</script>`)
		}
		return err
	})
}

// eventData returns the event itself.
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

// placeData returns where the event is, or a room of it, nil while that is unknown. It names the city only once, since
// search engines show all of it in one line.
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

// hasWords tells whether a text contains these words as whole words.
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

// sessionData returns a session of the event.
func (v *visit) sessionData(s *site.Session) map[string]any {
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

func (v *visit) personData(p *site.Person) map[string]any {
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
