package archive

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// Look reads a whole archive and writes nothing. It returns what would come, who of its people is here already, and
// what the event would be called. It answers Invalid, in words for people, for what Import refuses, as far as that is
// known without writing, and for the field slug if that is taken.
func (a *Archive) Look(ctx context.Context, s *models.Store, as Arrival) (*Arrived, error) {
	if err := a.takes(as); err != nil {
		return nil, err
	}
	if err := a.Verify(ctx); err != nil {
		return nil, err
	}
	organization, err := store.TheOrganization(s.Read(ctx))
	if err != nil {
		return nil, err
	}
	in := &arriving{Archive: a, s: s, as: as, organization: organization, whose: map[string]string{},
		done: &Arrived{Of: map[string]int{}}}
	for _, t := range tables {
		if err := in.inChunks(ctx, t, func(lines []*namedRow) error { return in.look(s.Read(ctx), t, lines) }); err != nil {
			return nil, err
		}
	}
	told := len(a.Manifest.Events)
	if a.Manifest.Event != nil {
		told = 1
	}
	if len(in.done.Events) != told {
		return nil, refused("The archive is not whole: %q has other events than its manifest.", tableOf("events").data())
	}
	if a.Manifest.Event != nil {
		in.done.Event, in.done.Events = in.done.Events[0], nil
	}
	return in.done, nil
}

// takes answers Invalid if names are given for an archive of all events.
func (a *Archive) takes(as Arrival) error {
	if a.Manifest.Event == nil && as.Name+as.Slug != "" {
		return refused("All events of an organization come under the names and short names that they have.")
	}
	return nil
}

// Check answers Invalid, for the fields name and slug, if the event cannot be called that here.
func (as Arrival) Check(ctx context.Context, s *models.Store, a *Archive) error {
	if err := a.takes(as); err != nil {
		return err
	}
	return a.lines(ctx, tableOf("events"), func(l *namedRow) error {
		_, err := as.event(s.Read(ctx), l)
		if a.Manifest.Event == nil && store.KindOf(err) == store.Invalid {
			return refused("An event of the archive cannot come: %v. Change it here or there, or bring that event by "+
				"an archive of its own.", err)
		}
		return err
	})
}

// look counts rows of a table.
func (in *arriving) look(db *gorm.DB, t *table, lines []*namedRow) error {
	for _, l := range lines {
		in.done.comes(t, l)
		if err := t.harmless(l); err != nil {
			return err
		}
	}
	in.done.Rows += len(lines)
	in.countRows(len(lines))
	switch {
	case t.name == "events":
		for _, l := range lines {
			n, err := in.as.event(db, l)
			if err != nil {
				return err
			}
			in.done.Events = append(in.done.Events,
				&models.Event{Name: n.Name, Slug: n.Slug, StartsOn: n.StartsOn, EndsOn: n.EndsOn})
		}
	case t.name == "contacts" && in.organization != nil:
		here, err := peopleHere(db, in.organization.ID, lines)
		if err != nil {
			return err
		}
		for i, c := range here {
			if err := in.isOneOf(c, lines[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// Form is the version of the archive format that this Lectern writes and reads.
const Form = 1

// Manifest describes an archive. It is the last file in it, because only then is everything known.
type Manifest struct {
	Form         int        `json:"form"`
	Schema       int64      `json:"schema_version"` // of the database of origin
	TakenAt      store.Time `json:"taken_at"`
	From         string     `json:"from"` // the public address of the Lectern
	Organization Named      `json:"organization"`
	Event        *Named     `json:"event,omitempty"`  // nil for all events of an organization
	Events       []Named    `json:"events,omitempty"` // the events of the organization
	Parts        []*Part    `json:"parts"`
	// Missing are the ids of files whose bytes were missing in the file store.
	Missing []string `json:"missing_files,omitempty"`
}

// Named is an event or an organization.
type Named struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Slug string `json:"slug,omitempty"`
}

// has reports whether the archive contains this event.
func (m *Manifest) has(eventID string) bool {
	if m.Event != nil {
		return m.Event.ID == eventID
	}
	return slices.ContainsFunc(m.Events, func(e Named) bool { return e.ID == eventID })
}

// Part is a file of an archive.
type Part struct {
	Name   string `json:"name"`
	Rows   int    `json:"rows,omitempty"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// These are the names of the files in an archive.
const (
	manifestName = "manifest.json"
	readmeName   = "README.txt"
	dataFolder   = "data/"
	sheetFolder  = "sheets/"
	filesFolder  = "files/"
)

// readme is for whoever opens an archive by hand.
const readme = `This is an event of Lectern as a whole, or all events of an organization, as manifest.json says.

data/    each kind of record, one JSON object a line; docs/moving-events.md says what they are
sheets/  the same for spreadsheets
files/   photos, logos, slides and other files, by the ids in data/files.jsonl
manifest.json says what is here, with sizes and checksums

"lectern import archive" reads it. It has names and addresses of people: keep it as you keep those.
`
