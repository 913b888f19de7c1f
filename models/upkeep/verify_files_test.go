package upkeep_test

import (
	"bytes"
	"image"
	"image/png"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/files"
	"lectern/models/modelstest"
	"lectern/models/upkeep"
)

// photos are the keys of as many photos, each of a contact.
func photos(t *testing.T, f *modelstest.Fixture, n int) (keys []string) {
	t.Helper()
	for i := range n {
		var out bytes.Buffer
		modelstest.Fine(t, png.Encode(&out, image.NewRGBA(image.Rect(0, 0, 8+i, 8))))
		c := modelstest.Must(f.Programme().CreateContact(t.Context(), models.NewContact{FirstName: "P"}))(t)
		modelstest.Must(f.Programme().Directory().SetPhoto(t.Context(), c.ID, models.Upload{Name: "p.png", Content: out.Bytes()}))(t)
		keys = append(keys, modelstest.Must(f.Programme().Directory().Photo(t.Context(), c.ID))(t).Key)
	}
	return keys
}

func TestFilesThatAreMissingOrOthersAreFound(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, place := t.Context(), f.Options.Files
		keys := photos(t, f, 4)
		if found := wrong(t, f.Store); len(found) > 0 {
			t.Fatalf("%v", found)
		}
		unknown := files.NewKey()
		modelstest.Fine(t, place.Put(ctx, unknown, strings.NewReader("newer")))
		modelstest.Fine(t, place.Delete(ctx, keys[0]))
		modelstest.Fine(t, place.Delete(ctx, keys[1]))
		modelstest.Fine(t, place.Put(ctx, keys[1], strings.NewReader("other bytes")))
		modelstest.Exec(t, f.SQL, "INSERT INTO file_leftovers SELECT key, created_at FROM files WHERE key = '"+keys[2]+"'")
		modelstest.Exec(t, f.SQL, "UPDATE contacts SET photo_url = replace(photo_url, '"+keys[3]+"', '"+unknown+
			"'), photo_key = '"+unknown+"' WHERE photo_key = '"+keys[3]+"'")
		found := wrong(t, f.Store)
		if len(found["files"]) != 2 || len(found["leftovers"]) != 1 || len(found["photos"]) != 1 || len(found) != 3 {
			t.Errorf("%v", found)
		}
		all := strings.Join(found["files"], "\n")
		for _, part := range []string{keys[0] + ") is not there", keys[1] + ") has other bytes"} {
			if !strings.Contains(all, part) {
				t.Errorf("%q is not in %s", part, all)
			}
		}
		v := modelstest.Must(upkeep.Verify(ctx, f.Store))(t)
		for _, c := range v.Checks {
			if c.Name == "files" && (c.Looked != 4 || !strings.Contains(c.Note, "1 more files (5 bytes)")) {
				t.Errorf("%+v", c)
			}
		}
		// What is in use is never swept, whatever the list says.
		modelstest.Exec(t, f.SQL, "UPDATE file_leftovers SET since = '2020-01-01T00:00:00.000Z'")
		modelstest.Must(f.SweepFiles(ctx, 10))(t)
		if _, err := place.Open(ctx, keys[2]); err != nil {
			t.Error(err)
		}
	})
}

func TestAFileStoreThatIsAwayIsAFinding(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		photos(t, f, 1)
		f.Options.Files = files.NewDisk("/dev/null")
		if found := wrong(t, f.Store); len(found) != 1 || !strings.Contains(found["files"][0], "could not be looked at") {
			t.Errorf("%v", found)
		}
	})
}
