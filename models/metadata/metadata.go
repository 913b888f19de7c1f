// Package metadata is how staff change what sessions are sorted by: they rename, reorder and delete rooms, tracks,
// formats, levels and tags. It stands on top of the programme, which reads them and makes new ones.
package metadata

import "lectern/models"

// Metadata is the handle for changes of one event's metadata.
type Metadata struct{ p *models.Programme }

// Of returns the metadata of a programme.
func Of(p *models.Programme) *Metadata { return &Metadata{p} }
