package visit

import (
	"cmp"

	"lectern/models/store"
	"lectern/views/components"
	"lectern/web/page"
)

// Conflict returns the choice between a stale edit and what somebody else wrote to the record subject meanwhile; see
// page.Settle.
func (v *Visit) Conflict(subject string, now store.Time, fields []page.Edited) (*components.Conflict, error) {
	c, changed := page.Clashes(now.String(), fields)
	var err error
	c.Who, err = v.WhoChanged(subject, changed, now)
	return c, err
}

// WhoChanged says who last changed a record, which of the form's fields differ since, and when: "Li changed Track and
// Room 2 minutes ago".
func (v *Visit) WhoChanged(subject string, fields []string, at store.Time) (string, error) {
	who, err := v.Tenant().LastChangeBy(v.UserContext(), subject)
	if err != nil {
		return "", err
	}
	what := "this"
	if len(fields) > 0 {
		what = Enumerated(fields)
	}
	return cmp.Or(who, "Somebody") + " changed " + what + " " + Ago(at, v.Options.Now()), nil
}
