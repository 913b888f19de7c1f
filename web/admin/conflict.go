package admin

import (
	"cmp"

	"lectern/models/store"
	"lectern/views/components"
	"lectern/web/page"
)

// conflict is the choice between an edit and what somebody else wrote to subject meanwhile; see page.Settle.
func (v *visit) conflict(subject string, now store.Time, fields []page.Edited) (*components.Conflict, error) {
	c, changed := page.Settle(now.String(), fields)
	var err error
	c.Who, err = v.whoChanged(subject, changed, now)
	return c, err
}

// whoChanged says who last changed a record, which of the form's fields differ
// since, and when: "Li changed Track and Room 2 minutes ago".
func (v *visit) whoChanged(subject string, fields []string, at store.Time) (string, error) {
	who, err := v.tenant().LastChangeBy(v.UserContext(), subject)
	if err != nil {
		return "", err
	}
	what := "this"
	if len(fields) > 0 {
		what = enumerated(fields)
	}
	return cmp.Or(who, "Somebody") + " changed " + what + " " + ago(at, v.options.Now()), nil
}
