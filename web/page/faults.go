package page

import (
	"errors"
	"net/http"

	"lectern/models/store"
	"lectern/views/components"
)

// KeepFaults keeps the faults of an invalid input, so that the form can be shown again; it returns any other error.
func (v *Visit) KeepFaults(err error) error {
	if kind := store.KindOf(err); kind != store.Invalid && kind != store.GateHeld {
		return err
	}
	v.Faults = FaultsOf(err)
	return nil
}

// Again shows a refused form once more, with its faults and status 422; it returns any other error.
func (v *Visit) Again(err error, form func(status int) error) error {
	if err := v.KeepFaults(err); err != nil {
		return err
	}
	return form(http.StatusUnprocessableEntity)
}

// FaultsOf returns the faults that an error of models names, nil for any other error.
func FaultsOf(err error) (faults components.Faults) {
	var e *store.Error
	if !errors.As(err, &e) {
		return nil
	}
	for _, f := range e.Fields {
		faults = append(faults, components.Fault{Field: f.Field, Message: f.Message})
	}
	if len(faults) == 0 {
		faults = components.Faults{{Message: e.Message}}
	}
	return faults
}
