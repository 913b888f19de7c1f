package main

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/files"
	"lectern/models/files/bucket"
	"lectern/models/files/bucket/buckettest"
	"lectern/models/modelstest"
	"lectern/models/store"
	"lectern/models/upkeep"
)

// under returns the keys of a file store, in order.
func under(t *testing.T, place files.Storage) (keys []string) {
	t.Helper()
	modelstest.Fine(t, place.Each(t.Context(), func(key string, _ int64) error { keys = append(keys, key); return nil }))
	slices.Sort(keys)
	return keys
}

func TestACopyHoldsTheFilesAndARestorePutsThemBack(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "sqlite")
	here := hereOf(f)
	keys := modelstest.Photos(t, f, 3)
	slices.Sort(keys)
	lost := modelstest.Photos(t, f, 1)[0]
	modelstest.Fine(t, f.Options.Files.Delete(t.Context(), lost))
	file := filepath.Join(t.TempDir(), "copy.db")
	wants(t, "backup", lectern(t, "backup", file, "--data-dir", here), `"files":3,"files_missing":1`)
	there := t.TempDir()
	// A file that is there already, and one that is there damaged.
	place := files.NewDisk(filepath.Join(there, "files"))
	modelstest.Fine(t, place.Put(t.Context(), keys[0], strings.NewReader("damaged")))
	wants(t, "restore", lectern(t, "restore", file, "--data-dir", there), `"files":3`, `"wrong":1`)
	if got := under(t, place); !slices.Equal(got, keys) {
		t.Errorf("%v, not %v", got, keys)
	}
	left, size := []string{}, int64(0)
	modelstest.Fine(t, filepath.WalkDir(there, func(path string, d fs.DirEntry, err error) error {
		if strings.HasPrefix(d.Name(), ".") || strings.HasSuffix(d.Name(), ".part") {
			left = append(left, path)
		}
		if info, err := d.Info(); err == nil && d.Name() == "lectern.db" {
			size = info.Size()
		}
		return err
	}))
	was := modelstest.Must(os.Stat(file))(t).Size()
	if len(left) > 0 || size >= was {
		t.Errorf("the restore left %v, and a database of %d bytes from a copy of %d", left, size, was)
	}
	lectern(t, "restore", "--force", file, "--data-dir", there) // once more, with all there
}

func TestTheFileOfAnAnswerComesBackWithItsCopy(t *testing.T) {
	t.Parallel()
	ctx, f := t.Context(), modelstest.Open(t, "sqlite")
	c := modelstest.OpenCall(t, f)
	place, draft := c.Begin(t, f, "Ada", "Tides")
	modelstest.Must(place.AttachFile(ctx, c.Event, draft.ID, "slides", models.Upload{Name: "tides.pdf",
		Content: []byte("%PDF-1.7 tides")}))(t)
	here, there := hereOf(f), t.TempDir()
	file := filepath.Join(t.TempDir(), "copy.db")
	lectern(t, "backup", file, "--data-dir", here)
	wants(t, "restore", lectern(t, "restore", file, "--data-dir", there), `"files":1`, `"wrong":0`)
	back := modelstest.Must(models.Open(ctx, "sqlite://"+filepath.Join(there, "lectern.db"), store.Options{Now: f.Clock.Now,
		SecretKey: make([]byte, store.SecretKeySize), Files: files.NewDisk(filepath.Join(there, "files"))}))(t)
	defer back.Close()
	answer := modelstest.Must(call.Of(back.Programme(c.Event, store.CommandLine)).AnswerFile(ctx, draft.ID, "slides"))(t)
	content := modelstest.Must(back.OpenFile(ctx, answer))(t)
	defer content.Close()
	if text := modelstest.Must(io.ReadAll(content))(t); string(text) != "%PDF-1.7 tides" {
		t.Errorf("%q came back", text)
	}
	modelstest.Fine(t, back.Options.Files.Delete(ctx, answer.Key))
	for _, check := range modelstest.Must(upkeep.Verify(ctx, back))(t).Checks {
		said := strings.Join(check.Findings, "")
		names := strings.Contains(said, "(tides.pdf, key "+answer.Key+") is not there")
		if names != (check.Name == "files") {
			t.Errorf("%s: %s", check.Name, said)
		}
	}
}

// TestFilesInABucketAreKeptCopiedAndVerified keeps the files in the bucket that LECTERN_FILES_URL names.
func TestFilesInABucketAreKeptCopiedAndVerified(t *testing.T) {
	server, other := buckettest.Serve(t), buckettest.Serve(t)
	t.Setenv("LECTERN_FILES_URL", server.URL())
	f := modelstest.Open(t, "sqlite")
	here, there := hereOf(f), t.TempDir()
	f.Options.Files = bucket.New(modelstest.Must(bucket.ParseAddress(server.URL()))(t))
	keys := modelstest.Photos(t, f, 2)
	slices.Sort(keys)
	if got := under(t, f.Options.Files); !slices.Equal(got, keys) {
		t.Fatalf("%v, not %v", got, keys)
	}
	wants(t, "verify", lectern(t, "verify", "--data-dir", here), `"wrong":0`)
	file := filepath.Join(t.TempDir(), "copy.db")
	lectern(t, "backup", file, "--data-dir", here)
	t.Setenv("LECTERN_FILES_URL", other.URL())
	wants(t, "restore", lectern(t, "restore", file, "--data-dir", there), `"wrong":0`)
	place := bucket.New(modelstest.Must(bucket.ParseAddress(other.URL()))(t))
	if got := under(t, place); !slices.Equal(got, keys) {
		t.Errorf("%v, not %v", got, keys)
	}
	server.Stop()
	v := modelstest.Must(upkeep.Verify(t.Context(), f.Store))(t)
	modelstest.Want(t, "wrong without the file store", v.Wrong, 1)
}
