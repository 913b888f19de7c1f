package models_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/metadata"
	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/staff"
	"lectern/models/store"
)

func TestAroundIsAWindowOfTheSearch(t *testing.T) {
	modelstest.InTurn(t)
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		start := f.Clock.Now()
		ids := corpus(t, f, 40)
		p := f.Programme()
		every := allOf(t, p, models.SessionSearch{Filter: models.SessionFilter{IncludeDeleted: true}})
		random := rand.New(rand.NewPCG(3, 5))
		check := func(q models.SessionSearch) {
			t.Helper()
			rows := allOf(t, p, q)
			first := modelstest.Must(p.Around(t.Context(), q, "", 3, 5))(t)
			if !slices.Equal(idsIn(first.Rows), rows[:min(5, len(rows))]) || first.Stands() != (len(rows) > 0) {
				t.Fatalf("%+v begins with %v", q, idsIn(first.Rows))
			}
			id := every[random.IntN(len(every))]
			window := modelstest.Must(p.Around(t.Context(), q, id, 3, 5))(t)
			at := window.At
			if at.ID != id || at.AdminURL == "" || window.Stands() != slices.Contains(rows, id) {
				t.Fatalf("%+v: %+v", q, at)
			}
			_, next, _, _, err := p.Neighbours(t.Context(), q, at)
			modelstest.Fine(t, err)
			i := slices.Index(rows, id)
			if i < 0 {
				if i = len(rows); next != "" {
					i = slices.Index(rows, next)
				}
			}
			want := rows[max(0, i-3):min(len(rows), i+5)]
			if !slices.Equal(idsIn(window.Rows), want) || window.Before != min(i, 3) {
				t.Fatalf("%+v about %d: %v, want %v", q, i, idsIn(window.Rows), want)
			}
			to := modelstest.Must(p.NextTo(t.Context(), q, at))(t)
			if next == "" && i > 0 && len(rows) > 0 { // behind the last one
				next = rows[min(i, len(rows))-1]
			}
			modelstest.Want(t, fmt.Sprintf("%+v goes on with", q), to, next)
		}
		for _, key := range append([]models.SortKey{models.ByRound}, sortKeys...) {
			for _, ascending := range []bool{true, false} {
				for range 3 {
					check(models.SessionSearch{Sort: key, RoundID: f.Event.ID, Ascending: ascending})
					check(models.SessionSearch{Sort: key, RoundID: f.Event.ID, Ascending: ascending,
						Filter: models.SessionFilter{IsAbstract: new(true), Statuses: models.Statuses[1:]}})
				}
			}
		}
		for range 40 {
			check(randomSearch(random, ids, start))
		}
	})
}

func idsIn(rows []*models.Session) (ids []string) {
	return store.Map(rows, func(s *models.Session) string { return s.ID })
}

func TestAroundStaysInTheEventAtAFixedCost(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ids := f.Programme(), abstracts(t, f, 12)
		foreign := modelstest.Must(f.Elsewhere().CreateSession(t.Context(), models.NewSession{Title: "B",
			IsAbstract: true}))(t)
		q := models.SessionSearch{Sort: models.ByRound, RoundID: f.Event.ID}
		statements := f.Statement.During(func() {
			modelstest.Want(t, "rows", len(modelstest.Must(p.Around(t.Context(), q, ids[5], 20, 20))(t).Rows), 12)
		})
		modelstest.Holds(t, len(statements) <= 8, "%d statements: %q", len(statements), statements)
		modelstest.Answers(p.Around(t.Context(), q, foreign.ID, 1, 1))(t, "a session of another event", store.NotFound)
		modelstest.Answers(p.Around(t.Context(), q, "x", 1, 1))(t, "no id", store.NotFound)
		_, err := p.Around(t.Context(), models.SessionSearch{Sort: models.ByRound}, ids[0], 1, 1)
		modelstest.WantKind(t, "no round", err, store.Invalid)
		q.RoundID = f.Other.ID // of another event it orders nothing
		modelstest.Want(t, "rows", len(modelstest.Must(p.Around(t.Context(), q, "", 1, 20))(t).Rows), 12)
	})
}

func TestAMoveToAQueueIsAStepThatCanBeTakenBack(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ada := f.Hire(t, "ada", staff.Organizer)
		p := f.Store.Programme(f.Event, store.By{Door: "admin", ActorID: ada.ID, ActorName: "Ada"})
		ids := abstracts(t, f, 3)
		modelstest.Emitted(t, f)
		move := func(id string, to models.Status) *models.Batch {
			t.Helper()
			f.Clock.Move(time.Second)
			return modelstest.Must(p.MoveToQueue(t.Context(), id, to, modelstest.Must(p.Session(t.Context(),
				id))(t).UpdatedAt))(t)
		}
		wantSteps := func(want ...string) {
			t.Helper()
			got := store.Map(modelstest.Must(p.LastSteps(t.Context(), ada.ID, 10))(t),
				func(s *models.Step) string { return fmt.Sprint(s.FriendlyID, " ", s.From, " ", s.To) })
			modelstest.WantAll(t, "the last steps", got, want)
		}
		first := move(ids[0], models.AcceptQueue)
		b := modelstest.Must(p.Batch(t.Context(), first.ID))(t)
		modelstest.Holds(t, b.CanUndo() && b.Total == 1 && b.ActorName == "Ada", "%+v", b)
		second := move(ids[1], models.DeclineQueue)
		move(ids[0], models.DeclineQueue)
		modelstest.Want(t, "what changed nothing made", move(ids[0], models.DeclineQueue), nil)
		wantSteps("A-1 accept_queue decline_queue", "A-2 pending decline_queue")
		modelstest.Want(t, "somebody else is offered",
			len(modelstest.Must(p.LastSteps(t.Context(), f.Hire(t, "li", staff.Organizer).ID, 10))(t)), 0)
		modelstest.Finish(t, f, modelstest.Must(p.UndoBatch(t.Context(), second.ID))(t).ID)
		wantSteps("A-1 accept_queue decline_queue")
		last := modelstest.Must(p.LastSteps(t.Context(), ada.ID, 1))(t)[0]
		modelstest.Finish(t, f, modelstest.Must(p.UndoBatch(t.Context(), last.BatchID))(t).ID)
		wantSteps("A-1 pending accept_queue") // the one before is the last again
		modelstest.SetStatus(t, f.Programme(), ids[0], models.Withdrawn)
		wantSteps()
		f.Clock.Move(13 * time.Hour)
		for _, e := range modelstest.Emitted(t, f) {
			modelstest.Want(t, "a move emitted", e.Type, outbox.SessionUpdated)
		}
	})
}

func TestAMoveToAQueueOverwritesNothing(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ids := f.Programme(), abstracts(t, f, 4)
		seen := modelstest.Must(p.Session(t.Context(), ids[0]))(t)
		status := func(id string) models.Status { return modelstest.Must(p.Session(t.Context(), id))(t).Status }
		batches := func() int { return modelstest.RowsOf(t, f, "SELECT count(*) FROM batches") }
		modelstest.Must(p.UpdateSession(t.Context(), seen.ID, models.SessionChange{Title: new("Another")}))(t)
		_, err := p.MoveToQueue(t.Context(), seen.ID, models.AcceptQueue, seen.UpdatedAt)
		modelstest.WantKind(t, "an outdated token", err, store.Stale)
		for i, decided := range []models.Status{models.Accepted, models.Declined, models.Withdrawn} {
			s := modelstest.Update(t, p, ids[i+1], models.SessionInput{Status: &decided})
			modelstest.Answers(p.MoveToQueue(t.Context(), s.ID, models.Pending, s.UpdatedAt))(t, string(decided), store.Invalid)
			modelstest.Want(t, "what was decided became", status(s.ID), decided)
		}
		now := modelstest.Must(p.Session(t.Context(), seen.ID))(t)
		modelstest.Answers(p.MoveToQueue(t.Context(), now.ID, models.Accepted, now.UpdatedAt))(t, "a decision", store.Invalid)
		programme := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "S"}))(t)
		_, err = p.MoveToQueue(t.Context(), programme.ID, models.Pending, programme.UpdatedAt)
		modelstest.WantKind(t, "a programme session", err, store.Invalid)
		foreign := modelstest.Must(f.Elsewhere().CreateSession(t.Context(), models.NewSession{Title: "B",
			IsAbstract: true}))(t)
		_, err = p.MoveToQueue(t.Context(), foreign.ID, models.AcceptQueue, foreign.UpdatedAt)
		modelstest.WantKind(t, "of another event", err, store.NotFound)
		if n := batches(); n > 0 || status(seen.ID) != models.Pending {
			t.Errorf("%d batches, and it is %s", n, status(seen.ID))
		}
		// Of many at once one moves it, and each other hears of that.
		modelstest.OneSucceeds(t, 6, store.Stale, func(i int) error {
			to := []models.Status{models.AcceptQueue, models.DeclineQueue}[i%2]
			return modelstest.ErrorOf(p.MoveToQueue(t.Context(), now.ID, to, now.UpdatedAt))
		})
		modelstest.Want(t, "batches", batches(), 1)
	})
}

func TestQuotasCountWhatIsAcceptedAndQueued(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		row := func(p *models.Programme, family models.Family, name string, wanted *int) *models.Metadata {
			return modelstest.Must(p.CreateMetadata(t.Context(), family, models.NewMetadata{Name: name, Wanted: wanted}))(t)
		}
		tides, nets := row(p, models.Tracks, "Tides", new(2)), row(p, models.Tracks, "Nets", nil)
		talk := row(p, models.Formats, "Talk", new(1))
		add := func(p *models.Programme, track *models.Metadata, format *string, status models.Status,
			abstract bool) *models.Session {
			n := models.NewSession{Title: "T", IsAbstract: abstract, SessionInput: models.SessionInput{Status: &status,
				TrackID: store.Some(track.ID)}}
			if format != nil {
				n.FormatID = store.Some(*format)
			}
			return modelstest.Must(p.CreateSession(t.Context(), n))(t)
		}
		p = f.Programme()
		add(p, tides, &talk.ID, models.Accepted, true)
		add(p, tides, &talk.ID, models.AcceptQueue, true)
		add(p, tides, nil, models.AcceptQueue, true)
		for _, status := range []models.Status{models.Pending, models.DeclineQueue, models.Declined, models.Withdrawn} {
			add(p, tides, &talk.ID, status, true)
		}
		add(p, tides, &talk.ID, models.Accepted, false)
		modelstest.Must(p.DeleteSession(t.Context(), add(p, nets, &talk.ID, models.Accepted, true).ID))(t)
		elsewhere := f.Elsewhere()
		far := row(elsewhere, models.Tracks, "Tides", new(9))
		add(f.Elsewhere(), far, nil, models.Accepted, true)

		says := func(want string) {
			t.Helper()
			s := modelstest.Must(f.Programme().Intake(t.Context()))(t)
			var got []string
			for _, q := range append(s.Tracks, s.Formats...) {
				got = append(got, fmt.Sprintf("%s %d+%d over %d", q.Name, q.Accepted, q.Queued, q.Over()))
			}
			modelstest.Want(t, "rows", strings.Join(got, ", "), want)
		}
		says("Tides 1+2 over 1, Nets 0+0 over 0, Talk 1+1 over 1")
		fresh := f.Programme()
		fresh.Intake(t.Context())
		modelstest.WantAll(t, "kept counts cost", f.Statement.During(func() { fresh.Intake(t.Context()) }), nil)
		s := add(p, nets, nil, models.Pending, true)
		modelstest.Must(p.MoveToQueue(t.Context(), s.ID, models.AcceptQueue, s.UpdatedAt))(t)
		modelstest.Must(metadata.Of(p).Update(t.Context(), models.Tracks, tides.ID,
			metadata.Change{Wanted: store.Some(5)}))(t)
		says("Tides 1+2 over 0, Nets 0+1 over 0, Talk 1+1 over 1")
		got := modelstest.Must(f.Programme().Intake(t.Context()))(t).Statuses
		want := map[models.Status]int64{models.Accepted: 1, models.AcceptQueue: 3, models.Pending: 1, models.DeclineQueue: 1,
			models.Declined: 1, models.Withdrawn: 1}
		modelstest.Holds(t, maps.Equal(got, want), "%v, want %v", got, want)
	})
}

func TestHowManyAreWantedIsSaidOfTracksAndFormatsAlone(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		for _, family := range models.Families {
			for _, wanted := range []int{-1, 0, 12, models.MaxWanted, models.MaxWanted + 1} {
				row, err := p.CreateMetadata(t.Context(), family, models.NewMetadata{Name: "N", Wanted: &wanted})
				if fits := family.HasQuota() && wanted >= 0 && wanted <= models.MaxWanted; !fits {
					modelstest.WantKind(t, fmt.Sprint(family, wanted), err, store.Invalid)
					continue
				}
				modelstest.Fine(t, err)
				none := metadata.Change{Wanted: store.Optional[int]{Set: true}, UpdatedAt: &row.UpdatedAt}
				row = modelstest.Must(metadata.Of(p).Update(t.Context(), family, row.ID, none))(t)
				modelstest.Want(t, "wanted", store.Fact(row.Wanted), nil)
			}
			row := modelstest.Must(p.CreateMetadata(t.Context(), family, models.NewMetadata{Name: "N"}))(t)
			_, err := metadata.Of(p).Update(t.Context(), family, row.ID, metadata.Change{Wanted: store.Some(-4)})
			modelstest.WantKind(t, string(family), err, store.Invalid)
		}
		// It is for staff alone.
		text := modelstest.Must(json.Marshal(models.NewMetadata{Name: "N",
			Wanted: new(4711)}))(t)
		modelstest.Holds(t, !strings.Contains(string(text), "4711"), "%s", text)
		modelstest.WantAll(t, "metadata emitted", modelstest.EmittedTypes(t, f), nil)
	})
}
