package admin

import (
	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/csv"
	"lectern/models/files"
	"lectern/models/store"
)

// upload is an address whose form takes a file. Its body is read once the role of who sends it is known.
type upload struct {
	path  string
	limit int    // bytes of the whole form
	takes string // what it may be, for who sends more
	// skims says that the fields of who is signed out are read too, lest what was typed be lost.
	skims bool
}

// uploads are the addresses whose forms take files.
type uploads []upload

// formRoom is what a form has beside its file, and answersRoom what the form of a call has.
const formRoom, answersRoom = 64 << 10, 4 << 20

const (
	fileTakes   = "A file may have up to 20 MB. Make it smaller, and send it again."
	photoTakes  = "A photo may have up to 10 MB. Choose a smaller one, or make this one smaller, and send it again."
	importTakes = "A file of people may have up to 20 MB. Split it, and import the parts one by one."
)

var allUploads = uploads{{lookPicture, files.MaxPhotoBytes + formRoom, photoTakes, false},
	{contactPhoto, files.MaxPhotoBytes + formRoom, photoTakes, false},
	{aPhoto, files.MaxPhotoBytes + formRoom, photoTakes, false}, {aFile, models.MaxFileBytes + formRoom, fileTakes, false},
	{contactFile, models.MaxFileBytes + formRoom, fileTakes, false}, {imports, csv.MaxBytes + formRoom, importTakes, false},
	{answersPath, cfp.MaxFileBytes + answersRoom, fileTakes, true}, {personAnswers, cfp.MaxFileBytes + answersRoom, fileTakes, false}}

// UploadLimit is how many bytes a form may have at an address that takes a file, 0 at others.
func UploadLimit(path string) int {
	if u := allUploads.at(path); u != nil {
		return u.limit
	}
	return 0
}

// at is the one of an address, nil for none.
func (u uploads) at(path string) *upload {
	for i := range u {
		if fiber.RoutePatternMatch(path, u[i].path, fiber.Config{CaseSensitive: true}) {
			return &u[i]
		}
	}
	return nil
}

// upload reads the file of a field of the form. It answers Invalid, by that field, where none was chosen.
func (v *visit) upload(field string) (models.Upload, error) {
	u, given, err := v.File(field)
	if !given {
		err = store.Invalidf(field, "is missing; choose a file")
	}
	return u, err
}
