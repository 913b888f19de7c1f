package archive

import (
	"lectern/models"
	"lectern/models/store"
)

// Arrival is how an archive is to come in. "" keeps what the archive says.
type Arrival struct {
	Name, Slug string
	// Tell is called with the number of rows read, and Within at the end of the import's transaction; each may be nil.
	Tell   func(rows int)
	Within func(*store.Tx, *Arrived) error
}

// Arrived is the result, or the preview, of importing one event or all events of an organization.
type Arrived struct {
	Event     *models.Event   `json:"event,omitempty"`  // nil for an organization
	Events    []*models.Event `json:"events,omitempty"` // the events of the organization
	Rows      int             `json:"rows"`
	Sessions  int             `json:"sessions"`
	Abstracts int             `json:"submissions"` // how many of the sessions
	People    int             `json:"people"`
	Known     int             `json:"known_people"` // how many of the people were here before
	Files     int             `json:"files"`
	Staff     int             `json:"staff"`        // accounts that were made, disabled until somebody invites them
	Held      int             `json:"held_letters"` // letters that were being sent, and now wait until somebody sends them
	Renamed   int             `json:"new_ids"`      // records whose id was taken here
	// Of is how many rows of each table came.
	Of map[string]int `json:"-"`
}

// comes counts a row of a table.
func (a *Arrived) comes(t *table, l *namedRow) {
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
