package moves_test

import (
	"os"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/archive"
	"lectern/models/modelstest"
	"lectern/models/moves"
	"lectern/models/store"
)

// all is an archive of all events of the fixture, whose short names end like this.
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
		_, err := e.Begin(ctx, moves.Asked{Kind: "archive", Packed: all(t, f, "")})
		if modelstest.WantKind(t, "short names that are here", err, store.Invalid); !strings.Contains(err.Error(), "An event of the archive cannot come") {
			t.Error(err)
		}
		_, err = e.Begin(ctx, moves.Asked{Kind: "archive", Packed: all(t, f, "-there"), Slug: "again"})
		if modelstest.WantKind(t, "one short name for all", err, store.Invalid); !strings.Contains(err.Error(), "that they have") {
			t.Error(err)
		}
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
