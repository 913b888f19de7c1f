package archives_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/archive"
	"lectern/models/archives"
	"lectern/models/archives/making"
	"lectern/models/files"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/staff"
	"lectern/models/store"
)

// asked returns the archives of the event and of all events, as a member of staff with this role has them.
func asked(t *testing.T, f *modelstest.Fixture, role staff.Role) (one, all *archives.Shelf) {
	t.Helper()
	tenant := f.Store.Organization(f.Event.OrganizationID, store.By{Door: "admin", ActorID: f.Hire(t, store.NewID(), role).ID,
		ActorName: "Ada"})
	return archives.OfEvent(f.Store, tenant, f.Event), archives.OfAll(f.Store, tenant)
}

// worked runs the job until nothing waits, and returns the latest archive.
func worked(t *testing.T, f *modelstest.Fixture, at *archives.Shelf) *archives.Archive {
	t.Helper()
	for modelstest.Must(making.Run(t.Context(), f.Store))(t) {
	}
	return modelstest.Must(at.Latest(t.Context()))(t)
}

// opened returns the archive as it is downloaded.
func opened(t *testing.T, f *modelstest.Fixture, at *archives.Shelf) *archive.Archive {
	t.Helper()
	file := modelstest.Must(at.File(t.Context()))(t)
	in := modelstest.Must(f.OpenFile(t.Context(), file))(t)
	defer in.Close()
	whole := modelstest.Must(io.ReadAll(in))(t)
	if int64(len(whole)) != file.Size {
		t.Errorf("%d bytes, and it says %d", len(whole), file.Size)
	}
	schema := modelstest.Must(f.SchemaVersion(f.Read(t.Context())))(t)
	a := modelstest.Must(archive.Open(bytes.NewReader(whole), file.Size, schema))(t)
	modelstest.Fine(t, a.Verify(t.Context()))
	return a
}

func leftovers(t *testing.T, f *modelstest.Fixture, key string) int {
	t.Helper()
	return int(modelstest.RowsOf(t, f, "SELECT count(*) FROM file_leftovers WHERE key = '"+key+"'"))
}

func TestAnArchiveIsMadeFetchedAndGone(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		modelstest.Must(f.Programme().CreateSession(t.Context(), models.NewSession{Title: "Tides"}))(t)
		one, all := asked(t, f, staff.Owner)
		modelstest.Answers(one.File(t.Context()))(t, "before", store.NotFound)
		modelstest.WantKind(t, "clearing nothing", one.Clear(t.Context()), store.NotFound)
		modelstest.Fine(t, one.Ask(t.Context()))
		modelstest.Fine(t, one.Ask(t.Context())) // pressed twice
		if a := modelstest.Must(one.Latest(t.Context()))(t); !a.IsInLine() {
			t.Errorf("%+v", a)
		}
		modelstest.Fine(t, all.Ask(t.Context()))
		a := worked(t, f, one)
		if a.State != archives.Made || a.Written == 0 || a.FileName != "conf-2026-11-21.zip" || a.ClaimedUntil != nil {
			t.Fatalf("%+v", a)
		}
		if m := opened(t, f, one).Manifest; m.Event == nil || m.Event.ID != f.Event.ID {
			t.Errorf("%+v", m)
		}
		if m := opened(t, f, all).Manifest; m.Event != nil || len(m.Events) != 2 {
			t.Errorf("%+v", m)
		}
		// Made anew, the one before goes with the next sweep, and what is there stays.
		modelstest.Fine(t, one.Ask(t.Context()))
		again := worked(t, f, one)
		modelstest.Must(f.SweepFiles(t.Context(), 100))(t)
		if again.ID == a.ID || leftovers(t, f, a.FileKey) != 0 || leftovers(t, f, again.FileKey) != 1 {
			t.Errorf("%s and %s", a.ID, again.ID)
		}
		if _, err := f.Options.Files.Open(t.Context(), a.FileKey); !errors.Is(err, files.ErrMissing) {
			t.Errorf("the bytes of before: %v", err)
		}
		opened(t, f, one)
		modelstest.Fine(t, all.Clear(t.Context()))
		f.Clock.Move(archives.KeptFor)
		modelstest.Answers(one.File(t.Context()))(t, "a day later", store.NotFound)
		f.Clock.Move(2 * time.Hour)
		modelstest.Must(f.SweepFiles(t.Context(), 100))(t)
		modelstest.Want(t, "files are left", modelstest.RowsOf(t, f, "SELECT count(*) FROM file_leftovers"), 0)
	})
}

func TestAnArchiveIsForWhoMayHaveIt(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		one, all := asked(t, f, staff.Organizer)
		modelstest.Fine(t, one.Ask(t.Context()))
		modelstest.Fine(t, all.Ask(t.Context()))
		if a := worked(t, f, one); a.State != archives.Made {
			t.Errorf("an organizer of all events: %s %s", a.State, a.Reason)
		}
		if a := worked(t, f, all); a.State != archives.Stopped || !strings.Contains(a.Reason, "may not have it any more") {
			t.Errorf("an organizer and all events: %s %s", a.State, a.Reason)
		}
		viewer, _ := asked(t, f, staff.Viewer)
		modelstest.Fine(t, viewer.Ask(t.Context()))
		modelstest.Want(t, "a viewer", worked(t, f, viewer).State, archives.Stopped)
		elsewhere := archives.OfEvent(f.Store, f.Store.Organization(f.Event.OrganizationID, store.By{}), f.Other)
		if a := modelstest.Must(elsewhere.Latest(t.Context()))(t); a != nil {
			t.Errorf("another event has %+v", a)
		}
	})
}

// TestAServerThatEndsInTheMiddleLeavesNothing kills the process several times, until the archive is given up.
func TestAServerThatEndsInTheMiddleLeavesNothing(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		one, _ := asked(t, f, staff.Owner)
		modelstest.Fine(t, one.Ask(t.Context()))
		for _, at := range []int{5, 20, 40} {
			ctx, cancel := context.WithCancel(t.Context())
			var ran atomic.Int32
			stop := f.Statement.Watch(func(string) {
				if int(ran.Add(1)) == at {
					cancel()
				}
			})
			making.Run(ctx, f.Store)
			stop()
			cancel()
			if a := modelstest.Must(one.Latest(t.Context()))(t); a.State != archives.Making || a.Claims != 0 { // nobody died
				t.Fatalf("after %d statements: %+v", at, a)
			}
			f.Clock.Move(time.Minute)
		}
		if a := worked(t, f, one); a.State != archives.Made {
			t.Fatalf("%s %s", a.State, a.Reason)
		}
		modelstest.Fine(t, one.Ask(t.Context()))
		modelstest.Exec(t, f.SQL, "UPDATE archives SET claims = 4")
		if a := worked(t, f, one); a.State != archives.Stopped || !strings.Contains(a.Reason, "several times") {
			t.Errorf("%s %s", a.State, a.Reason)
		}
	})
}

func TestAnArchiveThatIsWantedNoMoreEnds(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		one, _ := asked(t, f, staff.Owner)
		modelstest.Fine(t, one.Ask(t.Context()))
		var once sync.Once
		var cleared, looked atomic.Bool
		end := f.Statement.Watch(func(sql string) {
			if strings.Contains(sql, "archives") && cleared.Load() { // the worker looks, each second
				looked.Store(true)
			}
			if strings.Contains(sql, `FROM "sessions"`) || strings.Contains(sql, "FROM `sessions`") {
				once.Do(func() {
					if err := one.Clear(context.WithoutCancel(t.Context())); err != nil {
						t.Error(err)
					}
					cleared.Store(true)
					if !modelstest.Comes(looked.Load) {
						t.Error("the worker does not look whether it is wanted")
					}
				})
			}
		})
		modelstest.Must(making.Run(t.Context(), f.Store))(t)
		end()
		if a := modelstest.Must(one.Latest(t.Context()))(t); a != nil {
			t.Errorf("%+v", a)
		}
		modelstest.Want(t, "it is begun again", modelstest.Must(making.Run(t.Context(), f.Store))(t), false)
	})
}

// TestTwoWorkersMakeAnArchiveOnce has several workers look for work at once.
func TestTwoWorkersMakeAnArchiveOnce(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		one, _ := asked(t, f, staff.Owner)
		modelstest.AllSucceed(t, 4, func(int) error { return one.Ask(t.Context()) })
		var worked atomic.Int32
		modelstest.AllSucceed(t, 4, func(int) error {
			did, err := making.Run(t.Context(), f.Store)
			if did {
				worked.Add(1)
			}
			return err
		})
		a := modelstest.Must(one.Latest(t.Context()))(t)
		if worked.Load() != 1 || a.Claims != 1 || a.State != archives.Made {
			t.Errorf("%d workers, %+v", worked.Load(), a)
		}
		opened(t, f, one)
	})
}

// full is a file store that has no room left.
type full struct{ files.Storage }

func (full) Put(context.Context, string, io.ReadSeeker) error {
	return &files.Fault{Message: "The file store has no room left, so no file can be kept at the moment."}
}

func TestAFullFileStoreIsTold(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		one, _ := asked(t, f, staff.Owner)
		modelstest.Fine(t, one.Ask(t.Context()))
		f.Options.Files = full{f.Options.Files}
		if a := worked(t, f, one); a.State != archives.Stopped || !strings.Contains(a.Reason, "no room left") {
			t.Errorf("%s %s", a.State, a.Reason)
		}
	})
}

// An archive that is kept contains everybody, so an erasure has to remove it.
func TestNobodyWhoIsErasedStaysInAnArchive(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		ada := modelstest.Contact(t, f.Programme(), "Adamarked", "ada@example.org")
		one, all := asked(t, f, staff.Owner)
		modelstest.Fine(t, one.Ask(ctx))
		a := worked(t, f, one)
		modelstest.Fine(t, all.Ask(ctx))
		was := modelstest.Must(all.Latest(ctx))(t)
		modelstest.Fine(t, people.In(f.Programme().Directory()).Erase(ctx, ada.ID))
		if _, err := one.File(ctx); store.KindOf(err) != store.NotFound || leftovers(t, f, a.FileKey) != 1 {
			t.Errorf("after the erasure: %v", err)
		}
		if now := modelstest.Must(all.Latest(ctx))(t); now.State != archives.Making || now.ID == was.ID || !now.IsInLine() {
			t.Errorf("what was in the making is %+v", now)
		}
		if worked(t, f, all).State != archives.Made {
			t.Fatal("it was not made anew")
		}
		wantNobody(t, f, all, "Adamarked")
	})
}

// TestAnArchiveThatIsAskedForDuringAnErasureHasNobodyErased asks for an archive and makes it after an erasure has
// looked for archives.
func TestAnArchiveThatIsAskedForDuringAnErasureHasNobodyErased(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		named := models.NewContact{FirstName: "Adamarked", Email: "ada@example.org"}
		ada := modelstest.Must(f.Programme().CreateContact(ctx, named))(t)
		_, all := asked(t, f, staff.Owner)
		var began atomic.Bool
		asking, ended := sync.WaitGroup{}, make(chan struct{})
		stop := f.Statement.Watch(func(sql string) {
			if !strings.Contains(sql, "archives") || !strings.Contains(sql, "ORDER BY id") || began.Swap(true) {
				return
			}
			asking.Go(func() {
				defer close(ended)
				modelstest.Fine(t, all.Ask(ctx))
				modelstest.Must(making.Run(ctx, f.Store))(t)
			})
			select {
			case <-ended:
			case <-time.After(500 * time.Millisecond):
			}
		})
		modelstest.Fine(t, people.In(f.Programme().Directory()).Erase(ctx, ada.ID))
		stop()
		asking.Wait()
		if a := worked(t, f, all); a == nil || a.State != archives.Made {
			t.Fatalf("%+v", a)
		}
		wantNobody(t, f, all, "Adamarked")
	})
}

// wantNobody checks that no part of the archive has a name.
func wantNobody(t *testing.T, f *modelstest.Fixture, at *archives.Shelf, name string) {
	t.Helper()
	file := modelstest.Must(at.File(t.Context()))(t)
	whole := modelstest.Must(f.OpenFile(t.Context(), file))(t)
	defer whole.Close()
	read := modelstest.Must(zip.NewReader(bytes.NewReader(modelstest.Must(io.ReadAll(whole))(t)), file.Size))(t)
	for _, part := range read.File {
		in := modelstest.Must(part.Open())(t)
		if strings.Contains(string(modelstest.Must(io.ReadAll(in))(t)), name) {
			t.Errorf("%s has %s", part.Name, name)
		}
		in.Close()
	}
}
