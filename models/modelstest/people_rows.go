package modelstest

import (
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/outbox"
	"lectern/models/people"
	"lectern/models/store"
	"lectern/models/upkeep"
)

// Values returns a change of a person from names and values in turn.
func Values(pairs ...string) people.Change {
	c := people.Change{Values: map[string]string{}}
	for i := 0; i < len(pairs); i += 2 {
		c.Values[pairs[i]] = pairs[i+1]
	}
	return c
}

// ContactEmissions returns the types of contact emissions since the last call.
func ContactEmissions(t testing.TB, f *Fixture) (types []outbox.EmissionType) {
	t.Helper()
	for _, e := range Emitted(t, f) {
		if strings.HasPrefix(string(e.Type), "contact.") {
			types = append(types, e.Type)
		}
	}
	return types
}

// WantSound reports what Verify finds.
func WantSound(t testing.TB, f *Fixture) {
	t.Helper()
	for _, c := range Must(upkeep.Verify(t.Context(), f.Store))(t).Checks {
		for _, finding := range c.Findings {
			t.Errorf("%s: %s", c.Name, finding)
		}
	}
}

// RowsOf returns the number that a query counts.
func RowsOf(t *testing.T, f *Fixture, query string, args ...any) (n int) {
	t.Helper()
	Fine(t, f.SQL.QueryRow(query, args...).Scan(&n))
	return n
}

// RowOf makes a metadata row.
func RowOf(t testing.TB, p *models.Programme, family models.Family, name string) *models.Metadata {
	t.Helper()
	return Must(p.CreateMetadata(t.Context(), family, models.NewMetadata{Name: name}))(t)
}

// DirectoryOf returns the directory of the organization of the event under test.
func DirectoryOf(f *Fixture) *models.Directory {
	return f.Directory(f.Event.OrganizationID, Tester)
}

// Foreigner makes a contact of another organization.
func Foreigner(t *testing.T, f *Fixture, c people.Change) (*models.Directory, *models.Person) {
	t.Helper()
	owner, _ := ForeignOwner(t, f)
	d := f.Directory(owner.OrganizationID, Tester)
	return d, Must(people.In(d).Create(t.Context(), c))(t)
}

// Merged merges one pair, which must succeed.
func Merged(t *testing.T, f *Fixture, stays, gone string, take ...string) {
	t.Helper()
	for _, o := range Must(people.In(DirectoryOf(f)).Merge(t.Context(),
		[]people.MergePair{{SurvivorID: stays, RemovedID: gone, Take: take}}))(t) {
		if o.Reason != "" || o.LastID != stays {
			t.Fatalf("left out: %+v", o)
		}
	}
}

// SessionsByTitle returns the live sessions of a programme by title.
func SessionsByTitle(t *testing.T, p *models.Programme, filter models.SessionFilter) map[string]*models.Session {
	t.Helper()
	out := map[string]*models.Session{}
	for _, s := range First(p.SearchSessions(t.Context(),
		models.SessionSearch{Filter: filter, Page: store.Page{Size: 100}}))(t) {
		out[s.Title] = s
	}
	return out
}
