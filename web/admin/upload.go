package admin

import (
	"io"

	"lectern/models"
	"lectern/models/store"
)

// upload reads the file of a field of the form. It answers Invalid, by that field, where none was chosen.
func (v *visit) upload(field string) (u models.Upload, err error) {
	head, err := v.FormFile(field)
	if err != nil {
		return u, store.Invalidf(field, "is missing; choose a file")
	}
	file, err := head.Open()
	if err != nil {
		return u, err
	}
	defer file.Close()
	u.Name = head.Filename
	u.Content, err = io.ReadAll(file)
	return u, err
}
