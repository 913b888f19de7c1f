package admin

import (
	"github.com/gofiber/fiber/v2"

	"lectern/models/csv"
	"lectern/models/files"
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
