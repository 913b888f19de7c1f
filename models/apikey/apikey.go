// Package apikey holds the keys by which programs read and write one event through the API: their scopes, how long they
// are valid, and when and from where they were used. It stands on top of the programme.
package apikey

import "lectern/models"

// Keys is the handle of one event's keys.
type Keys struct{ p *models.Programme }

// Of returns the keys of a programme.
func Of(p *models.Programme) *Keys { return &Keys{p} }

// Ring is the handle of the keys of all events.
type Ring struct{ s *models.Store }

// In returns the keys of a database.
func In(s *models.Store) *Ring { return &Ring{s} }

// Rows are the structs of this package's tables; a test compares them with the schema.
var Rows = map[string]any{"api_keys": Key{}, "key_addresses": keyAddress{}}
