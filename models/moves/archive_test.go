package moves_test

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/archive"
	"lectern/models/modelstest"
	"lectern/models/moves"
	"lectern/models/people"
	"lectern/models/staff"
	"lectern/models/store"
)

// owned returns the programme for an owner.
func owned(t *testing.T, f *modelstest.Fixture) *models.Programme {
	t.Helper()
	return f.Store.Programme(f.Event, store.By{Door: "admin", ActorID: f.Hire(t, "owner-"+store.NewID(), staff.Owner).ID,
		ActorName: "Ada"})
}

// packed returns an archive of the fixture's event, with sessions of a person whom the organization knows.
func packed(t *testing.T, f *modelstest.Fixture, sessions int) *moves.Packed {
	t.Helper()
	p := f.Programme()
	for i := range sessions {
		session := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "Tides"}))(t)
		if i == 0 {
			f.Speaker(t, f.Event, session.ID, models.NewContact{FirstName: "Ana", Email: "ana@example.org"})
		}
	}
	taken := modelstest.Must(archive.Take(t.Context(), p))(t)
	defer taken.Close()
	return spooled(t, func(to *os.File) error { return taken.WriteTo(t.Context(), to) })
}

func spooled(t *testing.T, write func(*os.File) error) *moves.Packed {
	t.Helper()
	to := modelstest.Must(os.CreateTemp(t.TempDir(), "*.zip"))(t)
	t.Cleanup(func() { to.Close() })
	modelstest.Fine(t, write(to))
	size := modelstest.Must(to.Seek(0, 1))(t)
	modelstest.Must(to.Seek(0, 0))(t)
	return &moves.Packed{Name: "conf.zip", Content: to, Size: size}
}

func countOf(t *testing.T, f *modelstest.Fixture, table string) int {
	t.Helper()
	return modelstest.RowsOf(t, f, "SELECT count(*) FROM "+table)
}

func TestAnArchiveBecomesAnEventOfItsOwn(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := owned(t, f)
		e, sent := moves.Of(p), packed(t, f, 3)
		refused(e.Begin(t.Context(), moves.Asked{Kind: "archive", Packed: sent}))(t, "is taken by another event")
		refused(e.Begin(t.Context(), moves.Asked{Kind: "archive", Packed: sent, Slug: "Not One"}))(t, "slug")
		m := modelstest.Must(e.Begin(t.Context(), moves.Asked{Kind: "archive", Packed: sent, Slug: "again",
			Name: "Again"}))(t)
		before := [2]int{countOf(t, f, "events"), countOf(t, f, "contacts")}
		m = worked(t, f, m.ID)
		s := m.Preview
		if m.State != moves.Looked || s.Sessions.New != 3 || s.People.Here != 1 || s.People.New != 0 ||
			s.Event == nil || s.Event.Name != "Again" || s.Event.Slug != "again" || s.Event.ID != "" {
			t.Fatalf("%s %s %+v %+v", m.State, m.Reason, s, s.Event)
		}
		modelstest.Want(t, "a look made an event", countOf(t, f, "events"), before[0])
		modelstest.Must(e.Bring(t.Context(), m.ID))(t)
		m = worked(t, f, m.ID)
		if m.State != moves.Brought || m.EndedAt == nil || m.ClaimedUntil != nil || m.CanUndo() {
			t.Fatalf("%s %s", m.State, m.Reason)
		}
		r := m.Report
		if r.Sessions.Created != 3 || r.Contacts.Unchanged != 1 || r.Event.Rows == 0 {
			t.Errorf("%+v %+v", r, r.Event)
		}
		modelstest.Want(t, "events and people",
			[2]int{countOf(t, f, "events"), countOf(t, f, "contacts")}, [2]int{before[0] + 1, before[1]})
		came := modelstest.Must(f.EventBy(t.Context(), r.Event.ID))(t)
		modelstest.Want(t, "slug and name", [2]string{came.Slug, came.Name}, [2]string{"again", "Again"})
		modelstest.Answers(e.Undo(t.Context(), m.ID))(t, "undoing it", store.Stale)
	})
}

func TestWhatIsNoArchiveIsRefusedAsItIsSent(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		e, whole := moves.Of(owned(t, f)), packed(t, f, 1)
		content := modelstest.Must(os.ReadFile(whole.Content.Name()))(t)
		for want, sent := range map[string][]byte{"no archive of an event": []byte("PK\x03\x04 nothing"),
			"is missing": nil, "cut off": content[:len(content)-40]} {
			refused(e.Begin(t.Context(), moves.Asked{Kind: "archive", Slug: "again", Packed: spooled(t,
				func(to *os.File) error { return modelstest.ErrorOf(to.Write(sent)) })}))(t, want)
		}
		modelstest.Answers(e.Begin(t.Context(), moves.Asked{Kind: "archive"}))(t, "none", store.Invalid)
		damaged := append([]byte(nil), content...)
		damaged[60] ^= 0xff // within the first part
		m := modelstest.Must(e.Begin(t.Context(), moves.Asked{Kind: "archive", Slug: "again", Packed: spooled(t,
			func(to *os.File) error { _, err := to.Write(damaged); return err })}))(t)
		stops(t, f, m.ID, "README.txt")
	})
}

// TestAnArchiveThatIsCutShortIsGoneOnWith ends the process at several moments of the transaction.
func TestAnArchiveThatIsCutShortIsGoneOnWith(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		e, sent := moves.Of(owned(t, f)), packed(t, f, 2)
		m := modelstest.Must(e.Begin(t.Context(), moves.Asked{Kind: "archive", Packed: sent, Slug: "again"}))(t)
		worked(t, f, m.ID)
		modelstest.Must(e.Bring(t.Context(), m.ID))(t)
		events := countOf(t, f, "events")
		for _, at := range []int{10, 18, 26} {
			endsAt(t, f, at)
			modelstest.Rests(t, f)
			modelstest.Want(t, fmt.Sprint("events after statement ", at), countOf(t, f, "events"), events)
			f.Clock.Move(time.Minute)
		}
		if m = worked(t, f, m.ID); m.State != moves.Brought || countOf(t, f, "events") != events+1 {
			t.Errorf("%s %s, %d events", m.State, m.Reason, countOf(t, f, "events"))
		}
	})
}

// TestAStopWithinTheTransactionLeavesNothing presses Stop as the event is stored.
func TestAStopWithinTheTransactionLeavesNothing(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		e, sent := moves.Of(owned(t, f)), packed(t, f, 2)
		m := modelstest.Must(e.Begin(t.Context(), moves.Asked{Kind: "archive", Packed: sent, Slug: "again"}))(t)
		worked(t, f, m.ID)
		modelstest.Must(e.Bring(t.Context(), m.ID))(t)
		events := countOf(t, f, "events")
		var stopping sync.WaitGroup
		var once sync.Once
		end := f.Statement.Watch(func(sql string) {
			if strings.Contains(sql, "INSERT INTO sessions") {
				once.Do(func() {
					stopping.Go(func() { modelstest.Must(e.Stop(t.Context(), m.ID))(t) })
					run := store.RunsOf(f.Store.Store).Of(m.ID)
					if !modelstest.Comes(run.IsCancelled) {
						t.Error("the import goes on")
					}
				})
			}
		})
		modelstest.Must(moves.Run(t.Context(), f.Store, web))(t)
		end()
		stopping.Wait()
		m = modelstest.Must(e.Move(t.Context(), m.ID))(t)
		if m.State != moves.Stopped || m.Reason != "Stopped by Ada." || countOf(t, f, "events") != events {
			t.Fatalf("%s %s, %d events", m.State, m.Reason, countOf(t, f, "events"))
		}
		modelstest.Must(e.Bring(t.Context(), m.ID))(t)
		ends(t, f, m.ID, moves.Brought)
	})
}

func TestTwoArchivesOfOneNameBecomeOneEvent(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		sent, events := packed(t, f, 2), countOf(t, f, "events")
		var all []*moves.Move
		for _, event := range []*models.Event{f.Event, f.Other} { // moves of one event wait for each other
			by := owned(t, f).By()
			e := moves.Of(f.Store.Programme(event, by))
			m := modelstest.Must(e.Begin(t.Context(), moves.Asked{Kind: "archive", Packed: sent, Slug: "again"}))(t)
			for modelstest.Must(moves.Run(t.Context(), f.Store, web))(t) {
			}
			modelstest.Must(sent.Content.Seek(0, 0))(t)
			all = append(all, m)
		}
		for i, event := range []*models.Event{f.Event, f.Other} {
			by := owned(t, f).By()
			modelstest.Must(moves.Of(f.Store.Programme(event, by)).Bring(t.Context(), all[i].ID))(t)
		}
		var working sync.WaitGroup
		for range all {
			working.Go(func() {
				for !modelstest.Must(moves.Run(t.Context(), f.Store, web))(t) { // the other one took what this one found
				}
			})
		}
		working.Wait()
		modelstest.Want(t, "events", countOf(t, f, "events"), events+1)
		modelstest.Want(t, "moves brought", modelstest.RowsOf(t, f, "SELECT count(*) FROM moves WHERE state = 'brought'"), 1)
		for _, m := range all {
			m = modelstest.Must(moves.Of(f.Store.Programme(&models.Event{ID: m.EventID}, store.By{})).Move(t.Context(), m.ID))(t)
			if m.State != moves.Brought && !strings.Contains(m.Reason, "is taken by another event") {
				t.Errorf("%s %s", m.State, m.Reason)
			}
		}
	})
}

func TestOnlyAnOwnerBringsAnArchive(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		m := modelstest.Must(moves.Of(owned(t, f)).Begin(t.Context(), moves.Asked{Kind: "archive", Packed: packed(t, f, 1),
			Slug: "again"}))(t)
		worked(t, f, m.ID)
		modelstest.Must(moves.Of(asker(f)).Bring(t.Context(), m.ID))(t)
		events := countOf(t, f, "events")
		if m = worked(t, f, m.ID); m.State != moves.Stopped || !strings.Contains(m.Reason, "no owner any more") ||
			countOf(t, f, "events") != events {
			t.Errorf("%s %s", m.State, m.Reason)
		}
	})
}

// An archive that waits to be imported contains everybody, so an erasure has to remove it.
func TestWhoIsErasedLeavesAnArchiveThatWaits(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		ada := modelstest.Must(f.Programme().CreateContact(ctx, models.NewContact{FirstName: "Ada"}))(t)
		m := modelstest.Must(moves.Of(owned(t, f)).Begin(ctx, moves.Asked{Kind: "archive", Packed: packed(t, f, 1),
			Slug: "again"}))(t)
		modelstest.Fine(t, people.In(f.Programme().Directory()).Erase(ctx, ada.ID))
		modelstest.Must(f.SweepFiles(ctx, 100))(t)
		if in, err := f.Options.Files.Open(ctx, m.FileKey); err == nil {
			in.Close()
			t.Error("its bytes are still there")
		}
	})
}

// all returns an archive of all events of the fixture, whose short names end in a suffix.
func all(t *testing.T, f *modelstest.Fixture, ending string) *moves.Packed {
	t.Helper()
	modelstest.Exec(t, f.SQL, "UPDATE events SET slug = slug || '"+ending+"'")
	taken := modelstest.Must(archive.TakeAll(t.Context(), f.Store, f.Store.Organization(f.Event.OrganizationID,
		store.By{})))(t)
	defer taken.Close()
	modelstest.Exec(t, f.SQL, "UPDATE events SET slug = substr(slug, 1, length(slug) - length('"+ending+"'))")
	return spooled(t, func(to *os.File) error { return taken.WriteTo(t.Context(), to) })
}

func TestAnArchiveOfAllEventsBecomesEachOfThem(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		modelstest.Must(f.Elsewhere().CreateSession(t.Context(), models.NewSession{Title: "Tides"}))(t)
		e, ctx := moves.Of(owned(t, f)), t.Context()
		refused(e.Begin(ctx, moves.Asked{Kind: "archive", Packed: all(t, f, "")}))(t, "An event of the archive cannot come")
		refused(e.Begin(ctx, moves.Asked{Kind: "archive", Packed: all(t, f, "-there"), Slug: "again"}))(t, "that they have")
		m := modelstest.Must(e.Begin(ctx, moves.Asked{Kind: "archive", Packed: all(t, f, "-there")}))(t)
		events := countOf(t, f, "events")
		m = worked(t, f, m.ID)
		if s := m.Preview; m.State != moves.Looked || s.Event == nil || s.Event.Slug != "" || len(s.Event.All) != 2 ||
			s.Event.All[0].ID != "" || !strings.HasSuffix(s.Event.All[0].Slug, "-there") || s.Sessions.New != 1 {
			t.Fatalf("%s %s %+v", m.State, m.Reason, s)
		}
		modelstest.Want(t, "a look made an event", countOf(t, f, "events"), events)
		modelstest.Must(e.Bring(ctx, m.ID))(t)
		m = worked(t, f, m.ID)
		if m.State != moves.Brought || len(m.Report.Event.All) != 2 || m.Report.Event.ID != "" || countOf(t, f, "events") != events+2 {
			t.Fatalf("%s %s %+v", m.State, m.Reason, m.Report)
		}
		for _, one := range m.Report.Event.All {
			modelstest.Want(t, "slug", modelstest.Must(f.EventBy(ctx, one.ID))(t).Slug, one.Slug)
		}
		modelstest.WantSound(t, f)
	})
}
