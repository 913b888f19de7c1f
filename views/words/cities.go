package words

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed cities.txt
var citiesText string

// cities holds the names of time zones' cities: called by language and zone, and zones by the lower-cased name in any
// language.
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

// namesOf splits the names of a line. A line for all languages ("*") has several; from others it cuts what tells
// namesakes apart, such as "Indiana" in "Knox, Indiana".
func namesOf(tag, names string) []string {
	if tag == "*" {
		return strings.Split(names, ", ")
	}
	name, _, _ := strings.Cut(names, ", ")
	name, _, _ = strings.Cut(name, " (")
	return []string{name}
}

// City returns the city of a time zone: "New York" for America/New_York, in German "Wien" for Europe/Vienna.
func (l *Language) City(zone string) string {
	if city := cities().called[l.Tag+" "+zone]; city != "" {
		return city
	}
	return strings.ReplaceAll(zone[strings.LastIndex(zone, "/")+1:], "_", " ")
}

// ZoneOfCity returns the time zone of a city by its name in any language, "" if it is unknown.
func ZoneOfCity(name string) string { return cities().zones[strings.ToLower(name)] }
