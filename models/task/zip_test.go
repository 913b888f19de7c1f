package task_test

import (
	"archive/zip"
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
	"lectern/models/task"
)

// unzip are the files of an archive: their contents by their paths, in the archive's order.
func unzip(t *testing.T, a *task.Archive) (paths []string, contents map[string]string) {
	t.Helper()
	var out bytes.Buffer
	modelstest.Fine(t, a.WriteTo(t.Context(), &out))
	contents = map[string]string{}
	for _, f := range modelstest.Must(zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len())))(t).File {
		r := modelstest.Must(f.Open())(t)
		contents[f.Name] = string(modelstest.Must(io.ReadAll(r))(t))
		paths = append(paths, f.Name)
	}
	return paths, contents
}

func TestAnArchiveHasTheLatestFilesInFolders(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		deck := s.define(t, slides)
		own := s.define(t, task.Change{Title: new("../Photo: of you"), Kind: new(task.File)})
		modelstest.Answers(s.tasks.Archive(ctx, task.Wanted{}, nil, task.ByTask))(t, "nothing", store.Invalid)
		modelstest.Fine(t, s.place(s.ada).Upload(ctx, deck.ID, s.tides.ID, pdf("old")))
		modelstest.Fine(t, s.place(s.bo).Upload(ctx, deck.ID, s.tides.ID, pdf("new")))
		modelstest.Fine(t, s.place(s.ada).Upload(ctx, own.ID, s.ada, pdf("ada")))
		modelstest.Fine(t, s.place(s.bo).Upload(ctx, own.ID, s.bo, pdf("bo")))
		room := modelstest.Must(f.Programme().CreateMetadata(ctx, models.Rooms, models.NewMetadata{Name: "Hall / 1"}))(t).ID
		begins := store.At(time.Date(2027, 6, 10, 9, 30, 0, 0, f.Event.Location()))
		ends := store.At(begins.Add(time.Hour))
		composed := modelstest.Must(f.Programme().Compose(ctx, []string{s.tides.ID}, ""))(t)
		modelstest.Must(f.Programme().UpdateSession(ctx, composed.ID, models.SessionChange{SessionInput: models.SessionInput{
			RoomID: store.Some(room), StartsAt: store.Some(begins), EndsAt: store.Some(ends)}}))(t)

		for by, want := range map[task.Grouping][]string{
			task.ByTask:    {"-Photo- of you/Ada Marker - tides.pdf", "-Photo- of you/Bo - tides.pdf", "Slides/A-1 Tides - tides.pdf"},
			task.ByDay:     {"2027-06-10/0610 0930 A-1 Tides - Slides - tides.pdf"},
			task.ByRoom:    {"Hall - 1/0610 0930 A-1 Tides - Slides - tides.pdf"},
			task.BySession: {"A-1 Tides/A-1 Tides - Slides - tides.pdf"},
			task.ByPerson:  {"Ada Marker/A-1 Tides - Slides - tides.pdf"},
		} {
			paths, contents := unzip(t, modelstest.Must(s.tasks.Archive(ctx, task.Wanted{}, nil, by))(t))
			for _, path := range want {
				if !slices.Contains(paths, path) {
					t.Errorf("by %s: no %q in %q", by, path, paths)
				}
				if strings.Contains(path, "Slides") && contents[path] != "%PDF-1.7 new" {
					t.Errorf("by %s: %q has %q", by, path, contents[path])
				}
			}
			modelstest.Want(t, "by "+string(by), len(paths), 3)
		}
		modelstest.Answers(s.tasks.Archive(ctx, task.Wanted{}, []string{}, task.ByTask))(t, "nothing ticked", store.Invalid)
		one := modelstest.Must(s.tasks.One(ctx, deck.ID, s.tides.ID))(t).Latest().ID
		modelstest.Want(t, "files of one that was ticked",
			modelstest.Must(s.tasks.Archive(ctx, task.Wanted{}, []string{one, store.NewID()}, task.ByTask))(t).Len(), 1)
		some := modelstest.Must(s.tasks.Archive(ctx, task.Wanted{TaskID: deck.ID}, nil, task.ByTask))(t)
		if some.Len() != 1 || some.Bytes != int64(len("%PDF-1.7 new")) {
			t.Errorf("%d files of %d bytes", some.Len(), some.Bytes)
		}

		all := modelstest.Must(s.tasks.Archive(ctx, task.Wanted{}, nil, task.ByPerson))(t)
		sheet := modelstest.Must(s.tasks.One(ctx, deck.ID, s.tides.ID))(t)
		modelstest.Fine(t, f.Options.Files.Delete(ctx, sheet.Latest().File.Key))
		paths, contents := unzip(t, all)
		if len(paths) != 3 || !strings.Contains(contents["Missing files.txt"], "Slides") {
			t.Errorf("%q %q", paths, contents)
		}
		_, err := task.Of(f.Elsewhere()).Archive(ctx, task.Wanted{}, nil, task.ByTask)
		modelstest.WantKind(t, "of another event", err, store.Invalid)
	})
}
