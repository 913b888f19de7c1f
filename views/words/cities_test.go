package words

import (
	"testing"
	"time"
)

func TestCitiesAreCalledAsTheLanguageDoes(t *testing.T) {
	t.Parallel()
	for _, of := range []struct{ tag, zone, want string }{{"de", "Europe/Vienna", "Wien"}, {"fr", "Europe/London", "Londres"},
		{"es", "Europe/Brussels", "Bruselas"}, {"fr", "Europe/Oslo", "Oslo"}, {"en", "America/New_York", "New York"},
		{"de", "Asia/Kolkata", "Kalkutta"}} {
		if city := For(of.tag).City(of.zone); city != of.want {
			t.Errorf("%s is %q in %s, want %q", of.zone, city, of.tag, of.want)
		}
	}
	for name, want := range map[string]string{"wien": "Europe/Vienna", "MÜNCHEN": "Europe/Berlin", "Londres": "Europe/London",
		"Genf": "Europe/Zurich", "Bruselas": "Europe/Brussels", "Mailand": "Europe/Rome", "Yangón": "Asia/Yangon",
		"Indiana": "", "Libye": "", "North Dakota": "", "Nowhere": "", "": ""} {
		if zone := ZoneOfCity(name); zone != want {
			t.Errorf("%q is in %q, want %q", name, zone, want)
		}
	}
	for _, zone := range cities().zones {
		if _, err := time.LoadLocation(zone); err != nil {
			t.Error(err)
		}
	}
}
