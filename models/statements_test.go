package models_test

import (
	"fmt"
	"testing"

	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// asked counts the statements of one request: authentication, then operation.
func asked(t *testing.T, f *modelstest.Fixture, key string, operation func(*models.Programme)) int {
	t.Helper()
	statements := f.Statement.During(func() {
		k := modelstest.Must(apikey.In(f.Store).Authenticate(t.Context(), key, modelstest.Tester))(t)
		operation(f.Store.Programme(k.Event, modelstest.Tester))
	})
	if t.Failed() || testing.Verbose() {
		for i, s := range statements {
			t.Logf("%d %.100s", i+1, s)
		}
	}
	return len(statements)
}

func TestASearchCostsAtMostEightStatementsHoweverManyRows(t *testing.T) {
	modelstest.InTurn(t)
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		_, key, err := apikey.Of(f.Programme()).Create(t.Context(), apikey.New{Name: "k", Scopes: apikey.Scopes})
		if err != nil {
			t.Fatal(err)
		}
		search := func(size int) int {
			return asked(t, f, key, func(p *models.Programme) {
				rows, _, err := p.SearchSessions(t.Context(), models.SessionSearch{Page: store.Page{Number: 1, Size: size}})
				if err != nil || len(rows) != size || rows[0].Track == nil || len(rows[0].Participants) != 2 ||
					len(rows[0].Tags) != 2 {
					t.Fatalf("%d rows, %v", len(rows), err)
				}
			})
		}
		modelstest.Full(t, f, 1)
		first := search(1) // with the key's last use, and nothing remembered
		if first > 8 {
			t.Errorf("the first search costs %d statements", first)
		}
		modelstest.Full(t, f, 14)
		few, many := search(2), search(25)
		if few > 7 || many > 7 {
			t.Errorf("searches of 2 and 25 rows cost %d and %d statements", few, many)
		}
		if again := search(25); again > many {
			t.Errorf("the same search again costs %d statements, not %d", again, many)
		}
	})
}

func TestStatementsOfSingleOperations(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		_, key, err := apikey.Of(f.Programme()).Create(t.Context(), apikey.New{Name: "k", Scopes: apikey.Scopes})
		if err != nil {
			t.Fatal(err)
		}
		s, plain := modelstest.Full(t, f, 1)[0], modelstest.Must(f.Programme().
			CreateSession(t.Context(), models.NewSession{Title: "T"}))(t)
		fail := func(err error) {
			if err != nil {
				t.Fatal(err)
			}
		}
		asked(t, f, key, func(p *models.Programme) { _, err := p.Session(t.Context(), s.ID); fail(err) })
		for _, c := range []struct {
			name string
			most int
			do   func(*models.Programme) error
		}{
			{"read", 4, func(p *models.Programme) error { _, err := p.Session(t.Context(), s.ID); return err }},
			{"create", 5, func(p *models.Programme) error {
				return modelstest.ErrorOf(p.CreateSession(t.Context(), models.NewSession{Title: "T"}))
			}},
			{"update", 8, func(p *models.Programme) error {
				return modelstest.ErrorOf(p.UpdateSession(t.Context(), plain.ID, models.SessionChange{Title: new("New")}))
			}},
			{"update of nothing", 4, func(p *models.Programme) error {
				return modelstest.ErrorOf(p.UpdateSession(t.Context(), plain.ID, models.SessionChange{Title: new("New")}))
			}},
			{"delete", 8, func(p *models.Programme) error { _, err := p.DeleteSession(t.Context(), plain.ID); return err }},
			{"metadata list", 1, func(p *models.Programme) error {
				return modelstest.ErrorOf(p.ListMetadata(t.Context(), models.Tracks, "", store.Page{}))
			}},
			{"speakers", 3, func(p *models.Programme) error {
				return modelstest.ErrorOf(p.Speakers(t.Context(), "", store.Page{}))
			}},
			{"speaker", 3, func(p *models.Programme) error {
				return modelstest.ErrorOf(p.Speaker(t.Context(), s.Participants[0].ContactID))
			}},
		} {
			got := asked(t, f, key, func(p *models.Programme) { fail(c.do(p)) })
			if got > c.most {
				t.Errorf("%s costs %d statements, more than %d", c.name, got, c.most)
			}
			t.Log(fmt.Sprint(c.name, " ", got))
		}
	})
}
