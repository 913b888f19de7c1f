package admin

import (
	"lectern/models"
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
