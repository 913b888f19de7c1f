package words

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed cities.txt
var citiesText string

// cities are what languages call the cities of time zones, by the language and the zone, and the zones by the names of
// cities in any language, in small letters.
var cities = sync.OnceValue(func() (all struct{ called, zones map[string]string }) {
	all.called, all.zones = map[string]string{}, map[string]string{}
	for line := range strings.Lines(citiesText) {
		tag, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		zone, names, _ := strings.Cut(rest, " ")
		if tag == "#" {
			continue
		}
		all.called[tag+" "+zone] = names
		for _, name := range namesOf(tag, names) {
			all.zones[strings.ToLower(name)] = zone
		}
	}
	return all
})

// namesOf are the cities that a line names: several stand in those of all languages, and a place that some languages
// tell them apart by, such as "Knox, Indiana", is no part of their name.
func namesOf(tag, names string) []string {
	if tag == "*" {
		return strings.Split(names, ", ")
	}
	name, _, _ := strings.Cut(names, ", ")
	name, _, _ = strings.Cut(name, " (")
	return []string{name}
}

// City is what a time zone is known by: "New York" of America/New_York, in German "Wien" of Europe/Vienna.
func (l *Language) City(zone string) string {
	if city := cities().called[l.Tag+" "+zone]; city != "" {
		return city
	}
	return strings.ReplaceAll(zone[strings.LastIndex(zone, "/")+1:], "_", " ")
}

// ZoneOfCity is the time zone of a city by its name in any language, "" of one that is not known.
func ZoneOfCity(name string) string { return cities().zones[strings.ToLower(name)] }
