// Package metadata changes the rows that sessions are sorted by: staff rename, reorder and delete rooms, tracks,
// formats, levels and tags. It builds on package models, which reads and creates them.
package metadata

import "lectern/models"

// Metadata is the handle for changes of one event's metadata.
type Metadata struct{ p *models.Programme }

// Of returns the metadata of a programme.
func Of(p *models.Programme) *Metadata { return &Metadata{p} }
