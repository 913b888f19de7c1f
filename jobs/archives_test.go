package jobs_test

import (
	"testing"

	"lectern/jobs"
	"lectern/models/archives"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
)

// TestAnArchiveIsMadeBesideTheServer has two processes, where the database serves two.
func TestAnArchiveIsMadeBesideTheServer(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		at := archives.OfAll(f.Store, f.Store.Organization(f.Event.OrganizationID, store.By{Door: "admin",
			ActorID: f.Hire(t, "owner", staff.Owner).ID, ActorName: "Ada"}))
		modelstest.Fine(t, at.Ask(t.Context()))
		modelstest.Exec(t, f.SQL, "UPDATE archives SET claims = 1, claimed_until = '2020-01-01T00:00:00.000Z'") // of one that died
		for range map[bool]int{true: 1, false: 2}[f.Store.Embedded()] {
			works(t, jobs.New(f.Store, jobs.Options{UserAgent: "Lectern/test"}).RunArchives)
		}
		var a *archives.Archive
		modelstest.Await(t, "the archive is made", func() bool {
			a = modelstest.Must(at.Latest(t.Context()))(t)
			return a.State != archives.Making
		})
		if a.State != archives.Made || a.Claims != 2 {
			t.Errorf("%+v", a)
		}
	})
}
