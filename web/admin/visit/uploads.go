package visit

import (
	"strconv"

	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/files"
	"lectern/models/store"
)

// Upload is an address whose form takes a file. Its body is read only after the sender's role is known.
type Upload struct {
	Path  string
	Limit int    // bytes of the whole form
	Takes string // the message for a file that is too large
	// skims keeps the typed fields of a form whose sender is signed out by now.
	skims bool
	// spools keeps the file outside of memory, in Visit.Spooled.
	spools bool
}

// Uploads are the addresses whose forms take files.
type Uploads []Upload

// FormRoom is how many bytes a form may have besides its file.
const FormRoom = 64 << 10

// answersRoom is how many bytes the form of a call may have besides its files.
const answersRoom = 4 << 20

// TakesPhoto returns an upload of a photo.
func TakesPhoto(path string) Upload {
	return Upload{Path: path, Limit: files.MaxPhotoBytes + FormRoom,
		Takes: "A photo may have up to 10 MB. Choose a smaller one, or make this one smaller, and send it again."}
}

// TakesFile returns an upload of a file of 20 MB; limit is in bytes of the whole form.
func TakesFile(path string, limit int) Upload {
	return Upload{Path: path, Limit: limit, Takes: "A file may have up to 20 MB. Make it smaller, and send it again."}
}

// TakesLarge returns an upload of a file of up to most bytes, which arrives in Visit.Spooled.
func TakesLarge(path string, most int) Upload {
	return Upload{Path: path, Limit: most + FormRoom, spools: true, Takes: "A file may have up to " +
		strconv.Itoa(most>>30) + " GB here. Whoever runs the server brings a larger one by the command line."}
}

// TakesAnswers returns an upload of the answers to a call, with their files.
func TakesAnswers(path string) Upload { return TakesFile(path, call.MaxFileBytes+answersRoom) }

// Skimmed makes an upload keep the fields of a sender who is signed out; it drops their files.
func Skimmed(u Upload) Upload {
	u.skims = true
	return u
}

// At returns the upload at a path, nil for none.
func (u Uploads) At(path string) *Upload {
	for i := range u {
		if fiber.RoutePatternMatch(path, u[i].Path, fiber.Config{CaseSensitive: true}) {
			return &u[i]
		}
	}
	return nil
}

// Upload reads the file of a form's field. It answers Invalid, naming the field, where none was chosen.
func (v *Visit) Upload(field string) (models.Upload, error) {
	u, given, err := v.File(field)
	if !given {
		err = store.Invalidf(field, "is missing; choose a file")
	}
	return u, err
}
