package archive

import (
	"lectern/models"
	"lectern/models/store"
)

// Arrival is what is said of an archive that comes in. What is "" is as the archive says.
type Arrival struct {
	Name, Slug string
	// Tell hears how many rows were read, and Within does something in the transaction of the import, at its end; each
	// may be nil.
	Tell   func(rows int)
	Within func(*store.Tx, *Arrived) error
}

// Arrived is an event that came in, or would, or all of an organization.
type Arrived struct {
	Event     *models.Event   `json:"event,omitempty"`  // nil of an organization
	Events    []*models.Event `json:"events,omitempty"` // of that
	Rows      int             `json:"rows"`
	Sessions  int             `json:"sessions"`
	Abstracts int             `json:"submissions"` // of the sessions
	People    int             `json:"people"`
	Known     int             `json:"known_people"` // of those, who was here already
	Files     int             `json:"files"`
	Staff     int             `json:"staff"`        // accounts that were made, which are closed until somebody invites them
	Held      int             `json:"held_letters"` // that were on their way, and wait until somebody sends them off
	Renamed   int             `json:"new_ids"`      // of what was here already under its id
	// Of is how many rows came of each table.
	Of map[string]int `json:"-"`
}

// comes counts a row of a table that comes, or would.
func (a *Arrived) comes(t *table, l *line) {
	switch a.Of[t.name]++; t.name {
	case "contacts":
		a.People++
	case "metadata":
		a.Of[l.get("family")]++
	case "files":
		a.Files++
	case "sessions":
		if a.Sessions++; l.is("is_abstract") {
			a.Abstracts++
		}
	case "letters":
		if l.get("state") == string(models.LetterQueued) {
			a.Held++
		}
	}
}
