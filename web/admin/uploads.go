package admin

import (
	"lectern/models"
	"lectern/models/csv"
	"lectern/web/admin/visit"
)

var allUploads = visit.Uploads{visit.TakesPhoto(lookPicture), visit.TakesPhoto(contactPhoto), visit.TakesPhoto(aPhoto),
	visit.TakesFile(aFile, models.MaxFileBytes+visit.FormRoom), visit.TakesFile(contactFile,
		models.MaxFileBytes+visit.FormRoom),
	{Path: imports, Limit: csv.MaxBytes + visit.FormRoom,
		Takes: "A file of people may have up to 20 MB. Split it, and import the parts one by one."},
	visit.Skimmed(visit.TakesAnswers(answersPath)), visit.TakesAnswers(personAnswers)}

// UploadLimit is how many bytes a form may have at an address that takes a file, 0 at others.
func UploadLimit(path string) int {
	if u := allUploads.At(path); u != nil {
		return u.Limit
	}
	return 0
}
