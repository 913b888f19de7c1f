// Package compose serves the page that composes sessions out of submissions.
package compose

import "lectern/web/admin/visit"

// Routes are the addresses where sessions are composed.
var Routes = []visit.Address{visit.At(visit.Event+"/compose", visit.Organizer, composePage, compose)}
