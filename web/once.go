package web

import (
	"crypto/hmac"
	"strings"

	"lectern/models"
)

// once is the id of what a form is about to make, with the proof that we chose it
// for this person: a form that is sent again finds its id taken.
func (v *visit) once(what string) string {
	id := models.NewID()
	return id + "." + v.w.sign("once "+what, id+v.user.ID)
}

// onceID is the id that the form carries.
func (v *visit) onceID(what string) (string, error) {
	id, proof, _ := strings.Cut(v.value("once"), ".")
	if !hmac.Equal([]byte(proof), []byte(v.w.sign("once "+what, id+v.user.ID))) {
		return "", errOldForm
	}
	return id, nil
}
