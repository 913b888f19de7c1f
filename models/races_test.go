package models_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/arrival"
	"lectern/models/decisions"
	"lectern/models/field"
	"lectern/models/letters"
	"lectern/models/metadata"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/seed"
	"lectern/models/staff"
	"lectern/models/store"
)

// race is one conference on which many operations run at once, on PostgreSQL through two processes.
type race struct {
	*modelstest.Fixture
	stores    []*modelstest.Fixture
	staff     *staff.User
	people    []string
	sessions  []string // programme sessions, some with abstracts composed into them
	abstracts []string
	all       []string // both
	seeding   sync.Mutex
}

// at is the programme as a request to one of the processes finds it.
func (r *race) at(random *rand.Rand) *models.Programme {
	return r.stores[random.IntN(len(r.stores))].Programme()
}

func newRace(t *testing.T, dialect string) *race {
	t.Helper()
	ctx := t.Context()
	address := modelstest.Database(t, dialect)
	if dialect != "sqlite" { // so many at once wait long on a slow machine; in which order is what counts
		address += "&statement_timeout=60000"
	}
	f := modelstest.OpenAt(t, address)
	r := &race{Fixture: f, stores: []*modelstest.Fixture{f}, staff: f.Hire(t, "ada", staff.Owner)}
	if dialect != "sqlite" { // which one process serves
		r.stores = append(r.stores, modelstest.Replica(t, f))
	}
	p := f.Programme()
	for i := range 6 {
		for _, family := range models.Families {
			modelstest.RowOf(t, p, family, fmt.Sprintf("%s %d", family, i))
		}
		c := modelstest.Contact(t, p, fmt.Sprintf("Person %d", i), fmt.Sprintf("p%d@example.org", i))
		r.people = append(r.people, c.ID)
	}
	for i := range 8 {
		a := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: fmt.Sprintf("A %d", i), IsAbstract: true}))(t)
		r.abstracts = append(r.abstracts, a.ID)
		if i%2 == 0 {
			r.sessions = append(r.sessions, modelstest.Must(p.Compose(ctx, []string{a.ID}, ""))(t).ID)
		} else {
			s := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: fmt.Sprintf("S %d", i)}))(t)
			r.sessions = append(r.sessions, s.ID)
		}
	}
	r.all = append(slices.Clone(r.sessions), r.abstracts...)
	return r
}

// TestDifferentOperationsAtOnceWaitForEachOtherInOneOrder runs every change of a programme against every other. Nobody
// gets an error that is not of the domain, and PostgreSQL must break no deadlock, which a retry would hide. The first
// engine runs all rounds, the other one a single round.
func TestDifferentOperationsAtOnceWaitForEachOtherInOneOrder(t *testing.T) {
	t.Parallel()
	for i, dialect := range modelstest.Engines() {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			rounds := []int{10, 1}[i]
			r := newRace(t, dialect)
			operations := r.operations(t)
			maps.Copy(operations, newPanel(t, r.Fixture).operations(r))
			maps.Copy(operations, r.letterOperations())
			maps.Copy(operations, r.publishOperations())
			maps.Copy(operations, r.breakOperations())
			mirror, watched := r.mirror(t)
			searched := r.search(t)
			var wg sync.WaitGroup
			for number, name := range slices.Sorted(maps.Keys(operations)) {
				var done atomic.Int32
				var last atomic.Value
				for runner := range 2 {
					wg.Go(func() {
						random := rand.New(rand.NewPCG(uint64(number), uint64(runner)))
						for n := 0; n < rounds || rounds > 1 && n < 1000 && done.Load() == 0; n++ { // until it went through
							err := operations[name](t.Context(), r.at(random), random)
							if err == nil {
								done.Add(1)
							} else if last.Store(err.Error()); !ofTheDomain(err) {
								t.Errorf("%s: %v", name, err)
							}
						}
					})
				}
				defer func() {
					if done.Load() == 0 && rounds > 1 {
						t.Errorf("%s never went through: %v", name, last.Load())
					}
				}()
			}
			wg.Wait()
			watched()
			searched()
			mirror.WantWhole(t, r.stores[0].Programme())
			r.wantWhole(t)
			for _, f := range r.stores {
				modelstest.Fine(t, f.Close())
			}
			modelstest.Want(t, "deadlocks", deadlocks(t, r.Fixture), 0)
		})
	}
}

// mirror follows the changes of the event until the second function is called.
func (r *race) mirror(t *testing.T) (*modelstest.Mirror, func()) {
	mirror, done, end := &modelstest.Mirror{Limit: 20}, make(chan error), make(chan struct{})
	follow := func() error { return mirror.Follow(context.WithoutCancel(t.Context()), r.stores[0].Programme()) }
	go func() {
		for {
			if err := follow(); err != nil {
				done <- err
				return
			}
			select {
			case <-end:
				done <- follow()
				return
			case <-time.After(150 * time.Millisecond):
			}
		}
	}()
	return mirror, func() {
		t.Helper()
		close(end)
		modelstest.Fine(t, <-done)
	}
}

// search searches in each process until the function is called, which compares their caches with what another process
// reads.
func (r *race) search(t *testing.T) (searched func()) {
	var searching sync.WaitGroup
	ctx, end := context.WithCancel(context.WithoutCancel(t.Context()))
	for _, f := range r.stores {
		searching.Go(func() {
			for ; ctx.Err() == nil; time.Sleep(50 * time.Millisecond) {
				if _, _, err := f.Programme().SearchKept(context.WithoutCancel(ctx), asShown); err != nil {
					t.Error(err)
				}
			}
		})
	}
	return func() {
		t.Helper()
		end()
		searching.Wait()
		anew := modelstest.Replica(t, r.Fixture)
		want := shownBy(t, anew)
		modelstest.Fine(t, anew.Close())
		for _, f := range r.stores {
			modelstest.Want(t, "kept, and read anew", shownBy(t, f), want)
		}
	}
}

func ofTheDomain(err error) bool {
	switch store.KindOf(err) {
	case store.Stale, store.NotFound, store.Invalid:
		return true
	}
	return false
}

// wantWhole checks the invariants that no order of the operations may break.
func (r *race) wantWhole(t *testing.T) {
	t.Helper()
	for what, query := range map[string]string{
		"numbers beyond the last": `SELECT count(*) FROM sessions s JOIN event_counters e ON e.event_id = s.event_id
			WHERE s.number > CASE WHEN s.is_abstract THEN e.last_abstract ELSE e.last_session END`,
		"numbers left out": `SELECT sum(last_abstract + last_session) - (SELECT count(*) FROM sessions) FROM event_counters`,
		"linked rows of two texts": `SELECT count(*) FROM sessions a JOIN sessions s ON s.id = a.composed_into
			WHERE a.is_linked AND (a.title <> s.title OR a.description <> s.description)`,
		"sessions linked to several": `SELECT count(*) FROM (SELECT composed_into FROM sessions WHERE is_linked GROUP BY composed_into HAVING count(*) > 1) x`,
		"refusals on their way alone": `SELECT count(*) FROM letters l JOIN letters y ON y.id = l.carried_by
			WHERE l.state = 'sending' AND y.state <> 'sending'`,
		"places taken twice": `SELECT count(*) FROM (SELECT 1 FROM metadata GROUP BY event_id, family, position HAVING count(*) > 1) x`,
		// Two items may be one person since their contacts were merged.
		"sessions imported twice": `SELECT count(*) - count(DISTINCT record_id) FROM imported WHERE kind <> 'contact'`,
	} {
		modelstest.Want(t, what, modelstest.RowsOf(t, r.Fixture, query), 0)
	}
}

// deadlocks returns how many deadlocks PostgreSQL broke in a database whose connections are all closed; they report as
// they end.
func deadlocks(t *testing.T, f *modelstest.Fixture) (n int) {
	t.Helper()
	if f.Dialect() == "sqlite" {
		return 0 // it has one writer
	}
	if !modelstest.Comes(func() bool {
		return modelstest.RowsOf(t, f, "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "+
			"AND pid <> pg_backend_pid()") == 0
	}) {
		t.Fatal("connections stay open")
	}
	return modelstest.RowsOf(t, f, "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
}

func one(random *rand.Rand, ids []string) string { return ids[random.IntN(len(ids))] }

// any returns the id of one of the rows that a family has now.
func (r *race) any(ctx context.Context, p *models.Programme, random *rand.Rand, family models.Family) (string, error) {
	rows, _, err := p.ListMetadata(ctx, family, "", store.Page{Size: 100})
	if err != nil {
		return "", err
	}
	return rows[random.IntN(len(rows))].ID, nil
}

// operations returns what staff, keys and the command line do at once.
func (r *race) operations(t *testing.T) map[string]func(ctx context.Context, p *models.Programme,
	random *rand.Rand) error {
	type programme = *models.Programme
	labels := func(ctx context.Context, p programme, random *rand.Rand) (in models.SessionInput, err error) {
		track, err := r.any(ctx, p, random, models.Tracks)
		if err != nil {
			return in, err
		}
		var tags []string
		for range 2 {
			tag, err := r.any(ctx, p, random, models.Tags)
			if err != nil {
				return in, err
			}
			tags = append(tags, tag)
		}
		return models.SessionInput{TrackID: store.Some(track), TagIDs: &tags}, nil
	}
	return map[string]func(context.Context, programme, *rand.Rand) error{
		"create": func(ctx context.Context, p programme, random *rand.Rand) error {
			in, err := labels(ctx, p, random)
			if err != nil {
				return err
			}
			_, err = p.CreateSession(ctx, models.NewSession{Title: "New", IsAbstract: random.IntN(2) == 0, SessionInput: in})
			return err
		},
		"update of a text": func(ctx context.Context, p programme, random *rand.Rand) error {
			return modelstest.ErrorOf(p.UpdateSession(ctx, one(random, r.sessions),
				models.SessionChange{Title: new(fmt.Sprintf("T %d", random.Int()))}))
		},
		"update of labels": func(ctx context.Context, p programme, random *rand.Rand) error {
			in, err := labels(ctx, p, random)
			if err != nil {
				return err
			}
			return modelstest.ErrorOf(p.UpdateSession(ctx, one(random, r.all),
				models.SessionChange{SessionInput: in}))
		},
		"updates of several": func(ctx context.Context, p programme, random *rand.Rand) error {
			in, err := labels(ctx, p, random)
			if err != nil {
				return err
			}
			ids := append(slices.Clone(r.sessions), r.abstracts...)
			random.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
			var all []models.SessionUpdate
			for _, id := range ids[:3] {
				all = append(all, models.SessionUpdate{ID: id, SessionChange: models.SessionChange{SessionInput: in}})
			}
			if _, err = p.UpdateSessions(ctx, all); errors.Is(err, models.ErrApart) {
				return nil
			}
			return err
		},
		"people": func(ctx context.Context, p programme, random *rand.Rand) error {
			return modelstest.ErrorOf(p.SetParticipants(ctx, one(random, r.all),
				[]models.Participation{{ContactID: one(random, r.people)}}))
		},
		"new people": func(ctx context.Context, p programme, random *rand.Rand) error {
			people := []models.Participation{{New: &models.NewContact{FirstName: "New",
				Email: fmt.Sprintf("n%d@example.org", random.IntN(5))}}, {ContactID: one(random, r.people)}}
			if random.IntN(2) == 0 { // the order on the session is nobody's order of locks
				slices.Reverse(people)
			}
			if random.IntN(2) == 0 {
				return modelstest.ErrorOf(p.CreateSession(ctx, models.NewSession{Title: "With people", People: people}))
			}
			_, err := p.ChangePeople(ctx, one(random, r.all), models.PeopleChange{People: people})
			return err
		},
		"delete": func(ctx context.Context, p programme, random *rand.Rand) error {
			return modelstest.ErrorOf(p.DeleteSession(ctx, one(random, r.all)))
		},
		"restore": func(ctx context.Context, p programme, random *rand.Rand) error {
			return modelstest.ErrorOf(p.RestoreSession(ctx, one(random, r.all)))
		},
		"review": func(ctx context.Context, p programme, random *rand.Rand) error {
			return p.GiveReview(ctx, r.staff, one(random, r.abstracts), models.Opinion{Score: 1 + random.IntN(5)})
		},
		"letter": func(ctx context.Context, p programme, random *rand.Rand) error {
			id := one(random, r.abstracts)
			if _, err := p.UpdateSession(ctx, id,
				models.SessionChange{SessionInput: models.SessionInput{Status: new(models.Accepted)}}); err != nil {
				return err
			}
			if random.IntN(2) == 0 {
				return modelstest.ErrorOf(p.DraftLetters(ctx, id))
			}
			return p.MarkTold(ctx, id, "", "By telephone")
		},
		"compose": func(ctx context.Context, p programme, random *rand.Rand) error {
			in, err := labels(ctx, p, random)
			if err != nil {
				return err
			}
			var fresh []string
			for range 1 + random.IntN(2) {
				s, err := p.CreateSession(ctx, models.NewSession{Title: "Source", IsAbstract: true, SessionInput: in})
				if err != nil {
					return err
				}
				fresh = append(fresh, s.ID)
			}
			if random.IntN(2) == 0 { // the order in which they are named is nobody's order of locks
				fresh = append(fresh, one(random, r.abstracts))
			}
			into := ""
			if random.IntN(3) > 0 {
				into = one(random, r.sessions)
			}
			return modelstest.ErrorOf(p.Compose(ctx, fresh, into))
		},
		"parts": func(ctx context.Context, p programme, random *rand.Rand) error {
			id := one(random, r.sessions)
			sources, err := p.Sources(ctx, id)
			if err != nil {
				return err
			}
			c := models.Composition{Into: id, Title: new(fmt.Sprintf("P %d", random.Int()))}
			for _, i := range random.Perm(len(sources)) { // in any order, and at times without one
				if random.IntN(4) > 0 {
					c.Parts = append(c.Parts, models.Part{AbstractID: sources[i].ID, Minutes: new(1 + random.IntN(60))})
				}
			}
			return modelstest.ErrorOf(p.ComposeParts(ctx, c))
		},
		"text of either side": func(ctx context.Context, p programme, random *rand.Rand) error {
			return modelstest.ErrorOf(p.ChangeText(ctx, one(random, r.all),
				models.TextChange{Title: new(fmt.Sprintf("E %d", random.Int()))}))
		},
		"each into its own": func(ctx context.Context, p programme, random *rand.Rand) error {
			return modelstest.ErrorOf(p.StartBatch(ctx, []string{one(random, r.abstracts), one(random, r.abstracts)}, nil,
				models.BatchChange{Operation: models.BatchCompose}))
		},
		"detach": func(ctx context.Context, p programme, random *rand.Rand) (err error) {
			for range len(r.sessions) { // until one is made of exactly one abstract
				id := one(random, r.sessions)
				_, err = p.Detach(ctx, id)
				if random.IntN(2) == 0 && (err == nil || ofTheDomain(err)) {
					_, err = p.LinkAgain(ctx, id, nil)
				}
				if err == nil || !ofTheDomain(err) {
					break
				}
			}
			return err
		},
		"new label": func(ctx context.Context, p programme, random *rand.Rand) error {
			return modelstest.ErrorOf(p.CreateMetadata(ctx, models.Families[random.IntN(5)], models.NewMetadata{Name: "New"}))
		},
		"label": func(ctx context.Context, p programme, random *rand.Rand) error {
			family := models.Families[random.IntN(5)]
			id, err := r.any(ctx, p, random, family)
			if err != nil {
				return err
			}
			change := metadata.Change{Name: new(fmt.Sprint(random.Int()))}
			if random.IntN(2) == 0 {
				change.Position = new(random.IntN(3))
			}
			return modelstest.ErrorOf(metadata.Of(p).Update(ctx, family, id, change))
		},
		"order of labels": func(ctx context.Context, p programme, random *rand.Rand) error {
			family := models.Families[random.IntN(5)]
			id, err := r.any(ctx, p, random, family)
			if err != nil {
				return err
			}
			return metadata.Of(p).Move(ctx, family, id, random.IntN(3))
		},
		"delete a label": func(ctx context.Context, p programme, random *rand.Rand) error {
			family := []models.Family{models.Tracks, models.Tags}[random.IntN(2)]
			rows, _, err := p.ListMetadata(ctx, family, "", store.Page{Size: 100})
			if err != nil || len(rows) < 3 {
				return err
			}
			var other *string
			if random.IntN(3) > 0 {
				other = &rows[1].ID
			}
			return metadata.Of(p).Delete(ctx, family, rows[0].ID, other)
		},
		"batch": func(ctx context.Context, p programme, random *rand.Rand) error {
			tag, err := r.any(ctx, p, random, models.Tags)
			if err != nil {
				return err
			}
			change := models.BatchChange{AddTags: []string{tag}, Status: new(models.Statuses[random.IntN(len(models.Statuses))])}
			return modelstest.ErrorOf(p.StartBatch(ctx,
				[]string{one(random, r.sessions), one(random, r.abstracts), one(random, r.abstracts)}, nil, change))
		},
		"work of batches": func(ctx context.Context, p programme, random *rand.Rand) error {
			return modelstest.ErrorOf(r.stores[random.IntN(len(r.stores))].RunBatch(ctx, 10))
		},
		"written down decisions": func(ctx context.Context, p programme, random *rand.Rand) error {
			b, err := decisions.Of(p).Open(ctx, []string{one(random, r.abstracts), one(random, r.abstracts)}, nil)
			if err == nil {
				_, err = decisions.Of(p).Start(ctx, b.ID, decisions.Choice{})
			}
			return err
		},
		"wrong decision": func(ctx context.Context, p programme, random *rand.Rand) error {
			_, _, err := p.UndoDecision(ctx, one(random, r.abstracts), models.Undoing{
				To: []models.Status{models.Pending, models.AcceptQueue, models.Declined}[random.IntN(3)], Everybody: true})
			return err
		},
		"batch taken back": func(ctx context.Context, p programme, random *rand.Rand) error {
			change := models.BatchChange{Status: new(models.Statuses[random.IntN(len(models.Statuses))])}
			if random.IntN(3) == 0 {
				change = models.BatchChange{Operation: models.BatchCompose}
			}
			b, err := p.StartBatch(ctx, []string{one(random, r.abstracts)}, nil, change)
			for err == nil && b.State == models.BatchRunning {
				if _, err = r.stores[random.IntN(len(r.stores))].RunBatch(ctx, 10); err == nil {
					b, err = p.Batch(ctx, b.ID)
				}
			}
			if err == nil {
				_, err = p.RetryFailed(ctx, b.ID)
			}
			if err == nil {
				_, err = p.UndoBatch(ctx, b.ID)
			}
			return err
		},
		"import": func(ctx context.Context, p programme, random *rand.Rand) error {
			return modelstest.ErrorOf(arrival.Of(p).Import(ctx, modelstest.TwoTalks(t, fmt.Sprintf("First %d", random.Int()),
				"Text"), arrival.Options{AsSubmissions: random.IntN(2) == 0}))
		},
		"people of a file": func(ctx context.Context, p programme, random *rand.Rand) error {
			file := "First name,Last name,Email,Tags\n"
			for _, n := range random.Perm(40)[:12] {
				file += fmt.Sprintf("Brought,%d,%s%d@example.org,\n", random.IntN(3), one(random, []string{"n", "n", "q"}), n)
			}
			return modelstest.ErrorOf(people.Of(p).ImportContacts(ctx, "people.csv", strings.NewReader(file),
				people.ImportPolicies[random.IntN(len(people.ImportPolicies))], false))
		},
		"seed": func(ctx context.Context, p programme, random *rand.Rand) error {
			if random.IntN(6) > 0 || !r.seeding.TryLock() { // it ends with a look at all tables, one after the other
				return nil
			}
			defer r.seeding.Unlock()
			return seed.Fill(ctx, p, 10, 3)
		},
		"settings": func(ctx context.Context, p programme, random *rand.Rand) error {
			return modelstest.ErrorOf(p.UpdateEvent(ctx, models.EventChange{Slug: new(fmt.Sprintf("conf-%d", random.Int()))}))
		},
		"contact": func(ctx context.Context, p programme, random *rand.Rand) error {
			// Merges leave aliases, which nobody can have: not all addresses are to be gone.
			return modelstest.ErrorOf(p.CreateContact(ctx,
				models.NewContact{FirstName: "New", Email: fmt.Sprintf("n%d@example.org", random.IntN(40))}))
		},
		"profile": func(ctx context.Context, p programme, random *rand.Rand) error {
			_, err := people.In(p.Directory()).Update(ctx, one(random, r.people),
				modelstest.Values("last_name", fmt.Sprint(random.Int()), "email", fmt.Sprintf("q%d@example.org", random.IntN(9))))
			return err
		},
		"travel and tags": func(ctx context.Context, p programme, random *rand.Rand) error {
			tag, err := r.any(ctx, p, random, models.Tags)
			if err != nil {
				return err
			}
			return modelstest.ErrorOf(people.In(p.Directory()).Update(ctx, one(random, r.people),
				modelstest.Values("hotel", fmt.Sprint(random.Int()), "tags", tag)))
		},
		"statuses": func(ctx context.Context, p programme, random *rand.Rand) error {
			var moves []people.StatusMove
			for range 3 {
				moves = append(moves, people.StatusMove{ContactID: one(random, r.people), To: one(random, models.WorkflowStatuses)})
			}
			return modelstest.ErrorOf(people.Of(p).MoveStatuses(ctx, moves, true))
		},
		"off and at the event": func(ctx context.Context, p programme, random *rand.Rand) error {
			id := one(random, r.people)
			if _, err := people.Of(p).TakeOffEvent(ctx, id); err != nil && !ofTheDomain(err) {
				return err
			}
			return modelstest.ErrorOf(people.Of(p).PutAtEvent(ctx, id))
		},
		"own fields": func(ctx context.Context, p programme, random *rand.Rand) error {
			d := p.Directory()
			f, err := people.In(d).AddOwnField(ctx, people.OwnFieldInput{Label: fmt.Sprint(random.Int()), Type: field.Text})
			if err != nil {
				return err
			}
			for range 2 {
				if _, err := people.In(d).Update(ctx, one(random, r.people),
					modelstest.Values(f.Key, fmt.Sprint(random.Int()))); err != nil && !ofTheDomain(err) {
					return err
				}
			}
			all, err := d.OwnFields(ctx)
			if err != nil || len(all) == 0 {
				return err
			}
			return modelstest.ErrorOf(people.In(d).DeleteOwnField(ctx, all[random.IntN(len(all))].Key))
		},
		"merge": func(ctx context.Context, p programme, random *rand.Rand) error {
			var pairs []people.MergePair
			for range 1 + random.IntN(2) {
				c, err := p.CreateContact(ctx, models.NewContact{FirstName: "Twin",
					Email: fmt.Sprintf("n%d@example.org", random.IntN(5))})
				if err != nil && !ofTheDomain(err) {
					return err
				}
				pair := people.MergePair{SurvivorID: one(random, r.people), RemovedID: one(random, r.people)}
				if found, err := p.FindContacts(ctx, "twin", 5); err != nil {
					return err
				} else if len(found) > 0 {
					pair.RemovedID = found[random.IntN(len(found))].ID
				}
				if c != nil {
					if _, err := p.SetParticipants(ctx, one(random, r.all),
						[]models.Participation{{ContactID: c.ID}, {ContactID: one(random, r.people)}}); err != nil && !ofTheDomain(err) {
						return err
					}
					pair.RemovedID = c.ID
				}
				pairs = append(pairs, pair)
			}
			return modelstest.ErrorOf(people.In(p.Directory()).Merge(ctx, pairs))
		},
		"people who are erased": func(ctx context.Context, p programme, random *rand.Rand) error {
			c, err := p.CreateContact(ctx, models.NewContact{FirstName: "Leaver",
				Email: fmt.Sprintf("l%d@example.org", random.Int())})
			if err != nil {
				return err
			}
			for _, of := range [][]string{r.abstracts, r.sessions} {
				if _, err := p.SetParticipants(ctx, one(random, of), []models.Participation{{ContactID: c.ID},
					{ContactID: one(random, r.people)}}); err != nil && !ofTheDomain(err) {
					return err
				}
			}
			return people.In(p.Directory()).Erase(ctx, c.ID)
		},
		"people of a schedule merged": func(ctx context.Context, p programme, random *rand.Rand) error {
			found, err := p.FindContacts(ctx, "ada ng", 5)
			if err != nil || len(found) == 0 {
				return err
			}
			return modelstest.ErrorOf(people.In(p.Directory()).Merge(ctx,
				[]people.MergePair{{SurvivorID: one(random, r.people), RemovedID: found[0].ID}}))
		},
		"cards": func(ctx context.Context, p programme, random *rand.Rand) error {
			stages, err := people.In(p.Directory()).Stages(ctx)
			if err != nil {
				return err
			}
			anywhere := func() string { return stages[random.IntN(len(stages))].ID }
			if _, err := people.Of(p).AddCards(ctx, []string{one(random, r.people), one(random, r.people)},
				anywhere()); err != nil {
				return err
			}
			if _, _, err := people.Of(p).PlaceNew(ctx, modelstest.Values("first_name", "New",
				"email", fmt.Sprintf("n%d@example.org", random.IntN(5))), anywhere()); err != nil {
				return err
			}
			for range 3 {
				if _, err := people.Of(p).MoveCard(ctx, one(random, r.people), people.CardTarget{StageID: anywhere(),
					After: one(random, r.people)}); err != nil && !ofTheDomain(err) {
					return err
				}
			}
			if _, err := people.Of(p).Invite(ctx, one(random, r.people)); err != nil && !ofTheDomain(err) {
				return err
			}
			return people.Of(p).RemoveCard(ctx, one(random, r.people))
		},
		"stages": func(ctx context.Context, p programme, random *rand.Rand) error {
			d := p.Directory()
			s, err := people.In(d).AddStage(ctx, people.StageInput{Name: fmt.Sprint(random.Int()), Kind: people.StageOpen})
			if err != nil {
				return err
			}
			if err := people.In(d).MoveStage(ctx, s.ID, random.IntN(4)); err != nil {
				return err
			}
			stages, err := people.In(d).Stages(ctx)
			if err != nil {
				return err
			}
			if _, err := people.In(d).ChangeStage(ctx, s.ID,
				people.StageInput{Name: fmt.Sprint(random.Int()), Kind: people.StageWon}, nil); err != nil {
				return err
			}
			return modelstest.ErrorOf(people.In(d).RemoveStage(ctx, s.ID, stages[0].ID))
		},
		"note": func(ctx context.Context, p programme, random *rand.Rand) error {
			return modelstest.ErrorOf(people.Of(p).AddContactNote(ctx, one(random, r.people), "Noted."))
		},
	}
}

// publishOperations returns operations that publish, place, unpublish and release.
func (r *race) publishOperations() map[string]func(context.Context, *models.Programme, *rand.Rand) error {
	return map[string]func(context.Context, *models.Programme, *rand.Rand) error{
		"publish": func(ctx context.Context, p *models.Programme, random *rand.Rand) error {
			return modelstest.ErrorOf(p.Publish(ctx, one(random, r.sessions), models.Publishing{Reason: "R"}))
		},
		"unpublish": func(ctx context.Context, p *models.Programme, random *rand.Rand) error {
			return modelstest.ErrorOf(p.Unpublish(ctx, one(random, r.sessions)))
		},
		"release": func(ctx context.Context, p *models.Programme, random *rand.Rand) (err error) {
			for range len(r.sessions) { // until one is neither deleted nor unpublished meanwhile
				id, at := one(random, r.sessions), store.Some(store.At(time.Date(2027, 5, 20, random.IntN(20),
					random.IntN(60), 0, 0, time.UTC)))
				_, err = p.UpdateSession(ctx, id, models.SessionChange{SessionInput: models.SessionInput{
					Status: new(models.Accepted), StartsAt: at, EndsAt: at}})
				if err == nil {
					_, _, err = p.Publish(ctx, id, models.Publishing{Reason: "R"})
				}
				if err == nil {
					news := agenda.Release{Name: fmt.Sprint(random.Int())}
					if random.IntN(2) == 0 { // there may be nobody to write to
						news.Subject, news.Body = "S", "{{changes}}"
					}
					_, err = letters.Of(p).ReleaseAgenda(ctx, news)
				}
				if err == nil || !ofTheDomain(err) {
					break
				}
			}
			return err
		},
	}
}
