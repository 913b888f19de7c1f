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
}

// formRoom is what a form has beside its file, and answersRoom what the form of a call has.
const formRoom, answersRoom = 64 << 10, 4 << 20

const (
	fileTakes   = "A file may have up to 20 MB. Make it smaller, and send it again."
	photoTakes  = "A photo may have up to 10 MB. Choose a smaller one, or make this one smaller, and send it again."
	importTakes = "A file of people may have up to 20 MB. Split it, and import the parts one by one."
)

var uploads = []upload{{lookPicture, files.MaxPhotoBytes + formRoom, photoTakes},
	{contactPhoto, files.MaxPhotoBytes + formRoom, photoTakes},
	{aPhoto, files.MaxPhotoBytes + formRoom, photoTakes}, {aFile, models.MaxFileBytes + formRoom, fileTakes},
	{contactFile, models.MaxFileBytes + formRoom, fileTakes}, {imports, csv.MaxBytes + formRoom, importTakes},
	{answersPath, cfp.MaxFileBytes + answersRoom, fileTakes}, {personAnswers, cfp.MaxFileBytes + answersRoom, fileTakes}}

// UploadLimit is how many bytes a form may have at an address that takes a file, 0 at others.
func UploadLimit(path string) int {
	if u := uploadAt(path); u != nil {
		return u.limit
	}
	return 0
}

func uploadAt(path string) *upload {
	for i := range uploads {
		if fiber.RoutePatternMatch(path, uploads[i].path, fiber.Config{CaseSensitive: true}) {
			return &uploads[i]
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
