package admin

import (
	"time"

	"lectern/models"
	"lectern/models/store"
)

// needSaid is a need of the dashboard in its words.
type needSaid struct {
	models.Waiting
	Many, Path, Chip string
}

// needsSaid are all, most pressing first.
func needsSaid() (all []needSaid) {
	for _, n := range needsInWords {
		all = append(all, needSaid{n.Waiting, n.many, n.path, n.chip})
	}
	return all
}

// namesOfLists are what lists have in their addresses, and what the fields of their bars are called.
func namesOfLists() []string {
	names := listingNames()
	for _, verb := range verbs {
		for _, field := range verb.fields {
			names = append(names, field.name)
		}
	}
	return names
}

// spanBeside is the time of a session in words, beside another moment.
func spanBeside(zone *time.Location, s *models.Session, other *store.Time) string {
	return newTimes(zone, s.StartsAt, s.EndsAt, other).span(s)
}
