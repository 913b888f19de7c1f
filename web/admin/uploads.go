package admin

import (
	"slices"

	"lectern/web/admin/moving"
	"lectern/web/admin/people"
	"lectern/web/admin/sessions"
	"lectern/web/admin/settings"
	"lectern/web/admin/tasks"
)

// allUploads are the addresses whose forms take files.
var allUploads = slices.Concat(people.Uploads, settings.Uploads, tasks.Uploads, moving.Uploads, sessions.Uploads)

// UploadLimit returns how many bytes a form may have at an address that takes a file, 0 at others.
func UploadLimit(path string) int {
	if u := allUploads.At(path); u != nil {
		return u.Limit
	}
	return 0
}
