// Package metadata is how staff change what sessions are sorted by: they rename, reorder and delete rooms, tracks,
// formats, levels and tags. It stands on top of the programme, which reads them and makes new ones.
package metadata

import "lectern/models"

// Metadata is the handle on which all hangs that changes the metadata of one event.
type Metadata struct{ p *models.Programme }

// Of is the handle of a programme.
func Of(p *models.Programme) *Metadata { return &Metadata{p} }
