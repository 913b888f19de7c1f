package page

import (
	"errors"
	"net/http"

	"lectern/models/store"
	"lectern/views/components"
)

// Refuse takes the faults of an input, for the form to be shown again; any other error is returned.
func (v *Visit) Refuse(err error) error {
	if kind := store.KindOf(err); kind != store.Invalid && kind != store.GateHeld {
		return err
	}
	v.Faults = FaultsOf(err)
	return nil
}

// Again shows a form whose input was refused once more, with its faults; any other error is returned.
func (v *Visit) Again(err error, form func(status int) error) error {
	if err := v.Refuse(err); err != nil {
		return err
	}
	return form(http.StatusUnprocessableEntity)
}

// FaultsOf are the faults that an error of models names; none of no error.
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

// FieldFault is an error of kind Invalid that names a field.
func FieldFault(field, message string) error {
	return &store.Error{
		Kind: store.Invalid, Message: field + " " + message,
		Fields: []store.FieldError{{Field: field, Message: message}},
	}
}
