package admin

import (
	"io"

	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/models/csv"
	"lectern/models/files"
	"lectern/models/store"
)

// upload is an address whose form takes a file. Its body is read once the role of who sends it is known.
type upload struct {
	path  string
	limit int // bytes of the whole form
}

// formRoom is what a form has beside its file.
const formRoom = 64 << 10

var uploads = []upload{{contactPhoto, files.MaxPhotoBytes + formRoom},
	{aPhoto, files.MaxPhotoBytes + formRoom}, {imports, csv.MaxBytes + formRoom}}

// UploadLimit is how many bytes a form may have at an address that takes a file, 0 at others.
func UploadLimit(path string) int {
	for _, u := range uploads {
		if fiber.RoutePatternMatch(path, u.path, fiber.Config{CaseSensitive: true}) {
			return u.limit
		}
	}
	return 0
}

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
