package tasks_test

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
	"lectern/models/tasks"
)

// labels returns deliverables as "Slides of Ebb", in their order.
func labels(b *tasks.Board, some []*tasks.Deliverable) string {
	all := store.Map(some, func(d *tasks.Deliverable) string { return d.Task.Title + " of " + strings.Fields(b.Owner(d))[0] })
	return strings.Join(all, ", ")
}

func TestABoardIsNarrowedToATrackASessionAndAPerson(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		s.define(t, tasks.Change{Title: new("Bio")})
		s.define(t, slides)
		b := modelstest.Must(s.tasks.Board(ctx))(t)
		modelstest.Want(t, "a track", labels(b, b.Only(tasks.Wanted{TrackID: s.web})), "Bio of Ada, Bio of Bo, Slides of Tides")
		b, some, err := s.tasks.OfSession(ctx, s.tides.ID)
		modelstest.Fine(t, err)
		modelstest.Want(t, "a session", labels(b, some), "Slides of Tides")
		whole := modelstest.Must(f.Programme().Compose(ctx, []string{s.tides.ID}, ""))(t)
		b, some, err = s.tasks.OfSession(ctx, whole.ID)
		modelstest.Fine(t, err)
		modelstest.Want(t, "a session of what it is made of", labels(b, some), "Slides of Tides")
		b, some, err = s.tasks.OfPerson(ctx, s.cyd)
		modelstest.Fine(t, err)
		modelstest.Want(t, "a person", labels(b, some), "Bio of Cyd, Slides of Ebb")
		b, some, err = s.tasks.OfPerson(ctx, s.strangerThere)
		modelstest.Fine(t, err)
		modelstest.Want(t, "somebody elsewhere", labels(b, some), "")
	})
}

func TestWhatIsToCheckIsCountedAsTheBoardDoes(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		deck := s.define(t, slides)
		tick := s.define(t, tasks.Change{Title: new("Bio")})
		counts := func(what string, toCheck, handedIn int64) {
			t.Helper()
			b := modelstest.Must(s.tasks.Board(ctx))(t)
			n, h := modelstest.Must(s.tasks.ToCheck(ctx))(t), modelstest.Must(s.tasks.HandedIn(ctx, deck.ID))(t)
			if n != toCheck || h != handedIn || int(n) != b.Count(tasks.ToCheck, "") {
				t.Errorf("%s: %d to check, %d handed in, %d on the board", what, n, h, b.Count(tasks.ToCheck, ""))
			}
		}
		counts("nothing", 0, 0)
		if n := len(f.Statement.During(func() { modelstest.Must(s.tasks.ToCheck(ctx))(t) })); n != 1 {
			t.Errorf("to find nothing takes %d statements", n)
		}
		modelstest.Fine(t, s.place(s.ada).Upload(ctx, deck.ID, s.tides.ID, pdf("one")))
		modelstest.Fine(t, s.place(s.ada).Upload(ctx, deck.ID, s.tides.ID, pdf("two")))
		modelstest.Fine(t, s.place(s.ada).Tick(ctx, tick.ID, s.ada, true))
		counts("one", 1, 1)
		b := modelstest.Must(s.tasks.Board(ctx))(t)
		latest := modelstest.Must(s.tasks.Latest(ctx, b.All))(t)
		if v := latest[[2]string{deck.ID, s.tides.ID}]; len(latest) != 1 || v == nil || v.Number != 2 || v.File == nil ||
			v.File.Name != "tides.pdf" {
			t.Errorf("the latest are %+v", latest)
		}
		modelstest.Fine(t, s.tasks.Decide(ctx, deck.ID, s.tides.ID, tasks.Reopen, "", nil))
		counts("opened again", 0, 1)
		modelstest.Fine(t, s.place(s.bo).Upload(ctx, deck.ID, s.tides.ID, pdf("three")))
		modelstest.SetStatus(t, f.Programme(), s.tides.ID, models.Declined)
		counts("refused since", 0, 1)
		c := slides
		c.Kind = new(tasks.Link)
		c.Title, c.Filters = new("Outline"), &tasks.Filters{Tracks: []string{s.web}, Roles: []models.Role{models.Speaking},
			Statuses: []models.Status{models.Pending, models.Accepted}}
		outline := s.define(t, c)
		modelstest.Update(t, f.Programme(), s.ebb.ID, models.SessionInput{TrackID: store.Some(s.web)})
		f.Speaker(t, f.Event, s.ebb.ID, models.NewContact{FirstName: "Dee"})
		modelstest.Fine(t, s.tasks.Link(ctx, outline.ID, s.ebb.ID, "https://x.org"))
		counts("one that fits its filters", 1, 1)
		modelstest.Update(t, f.Programme(), s.ebb.ID, models.SessionInput{TrackID: store.Optional[string]{Set: true}})
		counts("that fits them no more", 0, 1)
		modelstest.Must(s.tasks.Give(ctx, outline.ID, s.ebb.ID))(t)
		counts("given by hand", 1, 1)
	})
}

func TestRemindersSayWhoCannotBeReached(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		f.Speaker(t, f.Event, s.ebb.ID, models.NewContact{FirstName: "Mute"})
		s.define(t, tasks.Change{Title: new("Bio")})
		b := modelstest.Must(s.tasks.Board(ctx))(t)
		if names := b.Unreached(b.All); len(names) != 1 || names[0] != "Mute" || b.Quieted(b.All) != 0 {
			t.Errorf("%v cannot be reached, %d are quiet", names, b.Quieted(b.All))
		}
		modelstest.Must(s.tasks.Remind(ctx, tasks.Wanted{}, 3))(t)
		b = modelstest.Must(s.tasks.Board(ctx))(t)
		modelstest.Want(t, "quiet", b.Quieted(b.All), 3)
	})
}

// unzip returns the contents of an archive's files by path, and the paths in the archive's order.
func unzip(t *testing.T, a *tasks.Archive) (paths []string, contents map[string]string) {
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
		own := s.define(t, tasks.Change{Title: new("../Photo: of you"), Kind: new(tasks.File)})
		modelstest.Answers(s.tasks.Archive(ctx, tasks.Wanted{}, nil, tasks.ByTask))(t, "nothing", store.Invalid)
		modelstest.Fine(t, s.place(s.ada).Upload(ctx, deck.ID, s.tides.ID, pdf("old")))
		modelstest.Fine(t, s.place(s.bo).Upload(ctx, deck.ID, s.tides.ID, pdf("new")))
		modelstest.Fine(t, s.place(s.ada).Upload(ctx, own.ID, s.ada, pdf("ada")))
		modelstest.Fine(t, s.place(s.bo).Upload(ctx, own.ID, s.bo, pdf("bo")))
		room := modelstest.RowOf(t, f.Programme(), models.Rooms, "Hall / 1").ID
		begins := store.At(time.Date(2027, 6, 10, 9, 30, 0, 0, f.Event.Location()))
		ends := store.At(begins.Add(time.Hour))
		composed := modelstest.Must(f.Programme().Compose(ctx, []string{s.tides.ID}, ""))(t)
		modelstest.Update(t, f.Programme(), composed.ID, models.SessionInput{
			RoomID: store.Some(room), StartsAt: store.Some(begins), EndsAt: store.Some(ends)})

		for by, want := range map[tasks.Grouping][]string{
			tasks.ByTask:    {"-Photo- of you/Ada Marker - tides.pdf", "-Photo- of you/Bo - tides.pdf", "Slides/A-1 Tides - tides.pdf"},
			tasks.ByDay:     {"2027-06-10/0610 0930 A-1 Tides - Slides - tides.pdf"},
			tasks.ByRoom:    {"Hall - 1/0610 0930 A-1 Tides - Slides - tides.pdf"},
			tasks.BySession: {"A-1 Tides/A-1 Tides - Slides - tides.pdf"},
			tasks.ByPerson:  {"Ada Marker/A-1 Tides - Slides - tides.pdf"},
		} {
			paths, contents := unzip(t, modelstest.Must(s.tasks.Archive(ctx, tasks.Wanted{}, nil, by))(t))
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
		modelstest.Answers(s.tasks.Archive(ctx, tasks.Wanted{}, []string{}, tasks.ByTask))(t, "nothing ticked", store.Invalid)
		one := modelstest.Must(s.tasks.One(ctx, deck.ID, s.tides.ID))(t).Latest().ID
		modelstest.Want(t, "files of one that was ticked",
			modelstest.Must(s.tasks.Archive(ctx, tasks.Wanted{}, []string{one, store.NewID()}, tasks.ByTask))(t).Len(), 1)
		some := modelstest.Must(s.tasks.Archive(ctx, tasks.Wanted{TaskID: deck.ID}, nil, tasks.ByTask))(t)
		if some.Len() != 1 || some.Bytes != int64(len("%PDF-1.7 new")) {
			t.Errorf("%d files of %d bytes", some.Len(), some.Bytes)
		}

		all := modelstest.Must(s.tasks.Archive(ctx, tasks.Wanted{}, nil, tasks.ByPerson))(t)
		sheet := modelstest.Must(s.tasks.One(ctx, deck.ID, s.tides.ID))(t)
		modelstest.Fine(t, f.Options.Files.Delete(ctx, sheet.Latest().File.Key))
		paths, contents := unzip(t, all)
		if len(paths) != 3 || !strings.Contains(contents["Missing files.txt"], "Slides") {
			t.Errorf("%q %q", paths, contents)
		}
		elsewhere := tasks.Of(f.Elsewhere())
		modelstest.Answers(elsewhere.Archive(ctx, tasks.Wanted{}, nil, tasks.ByTask))(t, "of another event", store.Invalid)
	})
}
