package visit

import (
	"strconv"

	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/files"
	"lectern/models/store"
)

// Upload is an address whose form takes a file. Its body is read once the role of who sends it is known.
type Upload struct {
	Path  string
	Limit int    // bytes of the whole form
	Takes string // what it may be, for who sends more
	// skims keeps the fields that somebody typed whose sign-in ended meanwhile.
	skims bool
	// spools keeps its file outside of memory, as Visit.Spooled.
	spools bool
}

// Uploads are the addresses whose forms take files.
type Uploads []Upload

// FormRoom is how many bytes a form may have beside its file.
const FormRoom = 64 << 10

// answersRoom is how many the form of a call may have.
const answersRoom = 4 << 20

// TakesPhoto is an address whose form takes a photo.
func TakesPhoto(path string) Upload {
	return Upload{Path: path, Limit: files.MaxPhotoBytes + FormRoom,
		Takes: "A photo may have up to 10 MB. Choose a smaller one, or make this one smaller, and send it again."}
}

// TakesFile is an address whose form takes a file of 20 MB, in limit bytes of the whole form.
func TakesFile(path string, limit int) Upload {
	return Upload{Path: path, Limit: limit, Takes: "A file may have up to 20 MB. Make it smaller, and send it again."}
}

// TakesLarge is an address whose form takes a file of any size up to most bytes, which Visit.Spooled has.
func TakesLarge(path string, most int) Upload {
	return Upload{Path: path, Limit: most + FormRoom, spools: true, Takes: "A file may have up to " +
		strconv.Itoa(most>>30) + " GB here. Whoever runs the server brings a larger one by the command line."}
}

// TakesAnswers is an upload whose form takes the answers to a call, with their files.
func TakesAnswers(path string) Upload { return TakesFile(path, cfp.MaxFileBytes+answersRoom) }

// Skimmed makes an upload read the fields also of somebody who is signed out; its files are dropped.
func Skimmed(u Upload) Upload {
	u.skims = true
	return u
}

// At is the one of an address, nil for none.
func (u Uploads) At(path string) *Upload {
	for i := range u {
		if fiber.RoutePatternMatch(path, u[i].Path, fiber.Config{CaseSensitive: true}) {
			return &u[i]
		}
	}
	return nil
}

// Upload reads the file of a field of the form. It answers Invalid, by that field, where none was chosen.
func (v *Visit) Upload(field string) (models.Upload, error) {
	u, given, err := v.File(field)
	if !given {
		err = store.Invalidf(field, "is missing; choose a file")
	}
	return u, err
}
