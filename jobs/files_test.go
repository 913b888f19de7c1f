package jobs_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"lectern/jobs"
	"lectern/models"
	"lectern/models/files"
	"lectern/models/modelstest"
)

func TestTheLeaderSweepsFilesAndRenewsTheAddressesOfPhotos(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, key := t.Context(), files.NewKey()
		modelstest.Fine(t, f.Options.Files.Put(ctx, key, strings.NewReader("left over")))
		db := f.SQL
		modelstest.Exec(t, db,
			"INSERT INTO file_leftovers SELECT '"+key+"', created_at FROM events WHERE id = '"+f.Event.ID+"'")
		there := files.NewKey()
		modelstest.Exec(t, db, "INSERT INTO files (id, organization_id, purpose, key, name, media_type, size, sha256, uploaded_by, "+
			"uploaded_by_name, created_at) SELECT id, organization_id, 'photo', '"+there+"', '', '', 0, '"+strings.Repeat("0", 64)+
			"', '', '', created_at FROM events WHERE id = '"+f.Event.ID+"'")
		c := modelstest.Must(f.Programme().CreateContact(ctx, models.NewContact{FirstName: "Ada",
			PhotoURL: "http://before.example/photos/" + there + ".jpg"}))(t)
		f.Clock.Move(25 * time.Hour)
		start(t, f, jobs.Options{})
		modelstest.Await(t, "files are swept and the address is renewed", func() bool {
			var now models.Contact
			modelstest.Fine(t, f.Read(ctx).Where("id = ?", c.ID).Take(&now).Error)
			_, err := f.Options.Files.Open(ctx, key)
			return errors.Is(err, files.ErrMissing) && *now.PhotoURL == modelstest.BaseURL+"/photos/"+there+".jpg"
		})
	})
}
