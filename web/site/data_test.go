package site_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"lectern/models/look"
	"lectern/models/modelstest"
)

var dataOf = regexp.MustCompile(`<script type="application/ld\+json">(.*?)</script>`)

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
		read := func(at string) (location *place, text string) {
			found := dataOf.FindStringSubmatch(d.get(t, at))
			if found == nil {
				t.Fatalf("%s has no data", at)
			}
			var data struct{ Location *place }
			modelstest.Fine(t, json.Unmarshal([]byte(found[1]), &data))
			return data.Location, found[1]
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
