package visit

import (
	"cmp"
	"net/http"

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

// Unsaved shows a form again that was not saved: with its faults, or beside what somebody else wrote meanwhile to the
// record that activity calls subject. address is the form's own.
func (v *Visit) Unsaved(err error, e *page.Edit, subject, address string, show func(status int) error) error {
	if store.KindOf(err) != store.Stale {
		return v.Again(err, show)
	}
	c, err := v.Conflict(subject, e.At, e.Fields)
	if err != nil {
		return err
	}
	e.Settle(address, c)
	return show(http.StatusConflict)
}

// NameFaults calls the fields of faults what a form calls them.
func (v *Visit) NameFaults(e *page.Edit) {
	for _, f := range e.Fields {
		v.Faults.Call(f.Name, f.Label)
	}
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
