package archive

import (
	"slices"

	"lectern/models/store"
)

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
