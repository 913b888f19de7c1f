package models_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/seed"
	"lectern/models/store"
)

var sortKeys = []models.SortKey{models.ByCreated, models.ByUpdated, models.ByStart, models.ByTitle, models.ByFriendlyID,
	models.ByStatus, models.ByScore}

// allOf returns the ids that a search finds, page by page.
func allOf(t *testing.T, p *models.Programme, q models.SessionSearch) []string {
	t.Helper()
	var ids []string
	for q.Page = (store.Page{Number: 1, Size: 100}); ; q.Page.Number++ {
		rows, _, err := p.SearchSessions(t.Context(), q)
		if err != nil {
			t.Fatalf("%+v: %v", q, err)
		}
		for _, s := range rows {
			ids = append(ids, s.ID)
		}
		if len(rows) < 100 {
			return ids
		}
	}
}

// sortedAtOnce makes an export read ids several times, and is no multiple of a page.
const sortedAtOnce = 700

func exported(t *testing.T, p *models.Programme, q models.SessionSearch) []string {
	t.Helper()
	var ids []string
	q.SortedAtOnce = sortedAtOnce
	err := p.EachSession(t.Context(), q, func(sessions []*models.Session) error {
		modelstest.Holds(t, len(sessions) != 0 && len(sessions) <= 500 && sessions[0].AdminURL != "",
			"a page of %d sessions", len(sessions))
		for _, s := range sessions {
			ids = append(ids, s.ID)
		}
		return nil
	})
	if err != nil {
		t.Fatalf("%+v: %v", q, err)
	}
	return ids
}

func TestNeighboursAreThoseOfTheSearch(t *testing.T) {
	modelstest.InTurn(t)
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		start := f.Clock.Now()
		ids := corpus(t, f, 40)
		modelstest.Must(f.Elsewhere().CreateSession(t.Context(), models.NewSession{Title: "A"}))(t)
		p := f.Programme()
		every := allOf(t, p, models.SessionSearch{Filter: models.SessionFilter{IncludeDeleted: true}})
		check := func(q models.SessionSearch, rows []string) {
			for i, id := range rows {
				want := fmt.Sprint("", "", i+1, len(rows))
				previous, next, position, total, err := p.Neighbours(t.Context(), q, modelstest.Must(p.Session(t.Context(), id))(t))
				modelstest.Fine(t, err)
				wantPrevious, wantNext := "", ""
				if i > 0 {
					wantPrevious = rows[i-1]
				}
				if i+1 < len(rows) {
					wantNext = rows[i+1]
				}
				if previous != wantPrevious || next != wantNext || fmt.Sprint("", "", position, total) != want {
					t.Fatalf("%+v: row %d of %d has %q, %q, position %d of %d", q, i+1, len(rows), previous, next, position, total)
				}
			}
			got := exported(t, p, q)
			modelstest.Holds(t, slices.Equal(got, rows), "%+v exports %d rows, want %d", q, len(got), len(rows))
		}
		for _, key := range append([]models.SortKey{models.ByRound}, sortKeys...) {
			for _, ascending := range []bool{true, false} {
				q := models.SessionSearch{Sort: key, RoundID: f.Event.ID, Ascending: ascending}
				check(q, allOf(t, p, q))
			}
		}
		random := rand.New(rand.NewPCG(9, 4))
		for range 30 {
			q := randomSearch(random, ids, start)
			rows := allOf(t, p, q)
			check(q, rows)
			// A row that does not pass the filter stands nowhere, but between the right ones.
			out := every[random.IntN(len(every))]
			if slices.Contains(rows, out) {
				continue
			}
			previous, next, position, total, err := p.Neighbours(t.Context(), q, modelstest.Must(p.Session(t.Context(), out))(t))
			if err != nil || position != 0 || total != int64(len(rows)) {
				t.Fatalf("%+v: position %d of %d, %v", q, position, total, err)
			}
			at := slices.Index(rows, next)
			if next == "" {
				at = len(rows)
			}
			if at < 0 || (at == 0) != (previous == "") || (at > 0 && rows[at-1] != previous) {
				t.Errorf("%+v: between %q and %q", q, previous, next)
			}
		}
	})
}

func TestNeighboursCostTwoStatementsAndStayInTheEvent(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		a := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "A"}))(t)
		other := modelstest.Must(f.Elsewhere().CreateSession(t.Context(), models.NewSession{Title: "B"}))(t)
		statements := f.Statement.During(func() {
			if _, _, position, total, err := p.Neighbours(t.Context(), models.SessionSearch{}, a); position != 1 ||
				total != 1 || err != nil {
				t.Error(position, total, err)
			}
		})
		modelstest.Holds(t, len(statements) <= 2, "%d statements: %q", len(statements), statements)
		if previous, next, _, _, err := p.Neighbours(t.Context(), models.SessionSearch{},
			other); store.KindOf(err) != store.NotFound || previous+next != "" {
			t.Errorf("%q %q %v", previous, next, err)
		}
		modelstest.Answers(p.Neighbours(t.Context(), models.SessionSearch{Sort: models.ByRound}, a))(t,
			"an order by no round", store.Invalid)
		bad := models.SessionSearch{Sort: "name"}
		modelstest.Answers(p.Neighbours(t.Context(), bad, a))(t, "the neighbours", store.Invalid)
		modelstest.WantKind(t, "each session", p.EachSession(t.Context(), bad, nil), store.Invalid)
		broken := fmt.Errorf("the disk is full")
		if err := p.EachSession(t.Context(), models.SessionSearch{}, func([]*models.Session) error {
			return broken
		}); err != broken {
			t.Error(err)
		}
	})
}

func TestAnExportOfManyPagesIsTheSearch(t *testing.T) {
	modelstest.InTurn(t)
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		modelstest.Fine(t, seed.Fill(t.Context(), f.Programme(), 1100, 20))
		p := f.Programme()
		for _, key := range sortKeys[:2] {
			for _, ascending := range []bool{true, false} {
				q := models.SessionSearch{Sort: key, Ascending: ascending}
				if got, want := exported(t, p, q), allOf(t, p, q); !slices.Equal(got, want) || len(got) != 1100 {
					t.Errorf("%s ascending %t: %d rows, want %d", key, ascending, len(got), len(want))
				}
			}
		}
		// What changes meanwhile moves no row.
		q, seen := models.SessionSearch{SortedAtOnce: sortedAtOnce}, 0
		want := allOf(t, p, q)
		err := p.EachSession(t.Context(), q, func(sessions []*models.Session) error {
			for i, s := range sessions {
				if s.ID != want[seen+i] {
					t.Fatalf("row %d is another one", seen+i)
				}
			}
			seen += len(sessions)
			_, err := p.UpdateSession(t.Context(), want[len(want)-1-seen/500], models.SessionChange{Title: new("Moved")})
			return err
		})
		modelstest.Holds(t, err == nil && seen == 1100, "%d rows, %v", seen, err)
	})
}

func TestTrashAndParticipantFilters(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		a := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "A"}))(t)
		b := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "B", IsAbstract: true}))(t)
		gone := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "C"}))(t)
		other := modelstest.Must(f.Elsewhere().CreateSession(t.Context(), models.NewSession{Title: "D"}))(t)
		ada := f.Speaker(t, f.Event, a.ID, models.NewContact{FirstName: "Ada"})
		f.Join(t, f.Event, gone.ID, ada, models.Speaking)
		stranger := f.Speaker(t, f.Other, other.ID, models.NewContact{FirstName: "Bob"})
		modelstest.Must(p.DeleteSession(t.Context(), gone.ID))(t)
		modelstest.Must(f.Elsewhere().DeleteSession(t.Context(), other.ID))(t)
		p = f.Programme()
		for _, c := range []struct {
			name   string
			filter models.SessionFilter
			want   []string
		}{
			{"the Trash", models.SessionFilter{Deleted: new(true)}, []string{gone.ID}},
			{"the Trash, said twice", models.SessionFilter{Deleted: new(true), IncludeDeleted: true}, []string{gone.ID}},
			{"live ones", models.SessionFilter{Deleted: new(false), IncludeDeleted: true}, []string{a.ID, b.ID}},
			{"a participant", models.SessionFilter{ContactIDs: []string{ada}}, []string{a.ID}},
			{"a participant, deleted too", models.SessionFilter{ContactIDs: []string{ada}, IncludeDeleted: true}, []string{a.ID, gone.ID}},
			{"another event's participant", models.SessionFilter{ContactIDs: []string{stranger}, IncludeDeleted: true}, nil},
			{"nobody", models.SessionFilter{ContactIDs: []string{store.NewID()}}, nil},
		} {
			got := allOf(t, p, models.SessionSearch{Filter: c.filter, Sort: models.ByTitle, Ascending: true})
			modelstest.WantAll(t, c.name, got, c.want)
		}
		nobody := models.SessionSearch{Filter: models.SessionFilter{ContactIDs: []string{"x"}}}
		modelstest.Answers(p.SearchSessions(t.Context(), nobody))(t, "a participant that cannot be", store.Invalid)
	})
}

func TestStatusCountsAreThoseOfTheSearch(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		start := f.Clock.Now()
		ids := corpus(t, f, 50)
		modelstest.Must(f.Elsewhere().CreateSession(t.Context(), models.NewSession{Title: "A"}))(t)
		p, random := f.Programme(), rand.New(rand.NewPCG(2, 4))
		for range 40 {
			filter := randomSearch(random, ids, start).Filter
			counts, total, err := p.StatusCounts(t.Context(), filter)
			if err != nil || len(counts) != len(models.Statuses) {
				t.Fatalf("%v, %v", counts, err)
			}
			sum := int64(0)
			for _, status := range models.Statuses {
				filter.Statuses = []models.Status{status}
				modelstest.Want(t, fmt.Sprintf("%+v: %s counted", filter, status),
					int64(len(allOf(t, p, models.SessionSearch{Filter: filter}))), counts[status])
				sum += counts[status]
			}
			modelstest.Want(t, "in all", sum, total)
		}
		unseen := models.SessionFilter{ContactIDs: []string{store.NewID()}}
		count := func(p *models.Programme) int {
			return len(f.Statement.During(func() {
				modelstest.Fine(t, modelstest.ErrorOf(p.StatusCounts(t.Context(), unseen)))
			}))
		}
		p = f.Programme()
		first, again := count(p), count(p)
		modelstest.Holds(t, first == 1 && again == 0, "%d statements, then %d", first, again)
		abstract := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "New", IsAbstract: true}))(t)
		counts, _, _ := p.StatusCounts(t.Context(), models.SessionFilter{IsAbstract: new(true)})
		modelstest.SetStatus(t, p, abstract.ID, models.Withdrawn)
		fresh, _, err := f.Programme().StatusCounts(t.Context(), models.SessionFilter{IsAbstract: new(true)})
		modelstest.Holds(t, err == nil && fresh[models.Withdrawn] == counts[models.Withdrawn]+1,
			"%v, then %v, %v", counts, fresh, err)
		modelstest.Answers(p.StatusCounts(t.Context(), models.SessionFilter{TagIDs: []string{"x"}}))(t, "a tag that cannot be",
			store.Invalid)
	})
}
