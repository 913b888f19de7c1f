package page

import (
	_ "embed"
	"strings"

	"lectern/views/words"
)

// Zones are the names of the IANA time zone database (2025b) that people know, continent and city. Other names are
// accepted too.
var Zones = strings.Fields(zonesText)

//go:embed zones.txt
var zonesText string

// ZoneNamed returns the name of the zone that a person means by "europe/lisbon", "Lisbon", "Lissabon" or "New
// York". Anything else it returns as typed, for the models to refuse.
func ZoneNamed(typed string) string {
	name := strings.ReplaceAll(strings.TrimSpace(typed), " ", "_")
	for _, zone := range Zones {
		if strings.EqualFold(zone, name) {
			return zone
		}
	}
	for _, zone := range Zones {
		if city := zone[strings.LastIndex(zone, "/")+1:]; strings.EqualFold(city, name) {
			return zone
		}
	}
	if zone := words.ZoneOfCity(strings.TrimSpace(typed)); zone != "" {
		return zone
	}
	return typed
}
