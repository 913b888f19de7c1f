// Package apikey is the keys with which programs read and write one event through the API: their scopes, how long they
// hold, and when and from where they were used. It stands on top of the programme.
package apikey

import "lectern/models"

// Keys is the handle on which all hangs that is done with the keys of one event.
type Keys struct{ p *models.Programme }

// Of is the handle of a programme.
func Of(p *models.Programme) *Keys { return &Keys{p} }

// Ring is the keys of all events.
type Ring struct{ s *models.Store }

// In is the handle of a database.
func In(s *models.Store) *Ring { return &Ring{s} }

// Rows are the structs of this package's tables, which are held against the schema.
var Rows = map[string]any{"api_keys": Key{}, "key_addresses": keyAddress{}}
