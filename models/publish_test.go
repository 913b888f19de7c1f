package models_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/store"
)

// published returns the ids of the sessions published since the last call, in order, and the types of other emissions.
func published(t *testing.T, f *modelstest.Fixture) (ids []string) {
	t.Helper()
	for _, e := range modelstest.Emitted(t, f) {
		if e.Type == outbox.SessionPublished {
			ids = append(ids, e.ResourceID)
		} else {
			ids = append(ids, string(e.Type))
		}
	}
	return ids
}

func byNumbers(numbers ...int) *models.SessionSearch {
	return &models.SessionSearch{Filter: models.SessionFilter{IsAbstract: new(false), Numbers: numbers,
		IncludeDeleted: true}}
}

func TestPublishingPassesTheGateOrKeepsTheReason(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		ready, held := modelstest.Composed(t, f, "Ready", true), modelstest.Composed(t, f, "Held", false)
		withdrawn := modelstest.Composed(t, f, "Withdrawn", true)
		modelstest.SetStatus(t, p, withdrawn.ID, models.Withdrawn)
		foreign := modelstest.Must(f.Elsewhere().CreateSession(ctx, models.NewSession{Title: "Foreign"}))(t)
		published(t, f)

		before, after, err := p.Publish(ctx, ready.ID, models.Publishing{})
		modelstest.Fine(t, err)
		modelstest.Holds(t, !before.IsPublic && after.IsPublic && after.PublishedAt != nil &&
			after.PublishedAt.Equal(after.UpdatedAt.Time), "%+v", after)
		_, again, err := p.Publish(ctx, ready.ID, models.Publishing{Reason: "Once more"})
		modelstest.Fine(t, err)
		modelstest.Holds(t, again.UpdatedAt.Equal(after.UpdatedAt.Time), "what is public was written again")
		modelstest.Answers(p.Publish(ctx, held.ID, models.Publishing{}))(t, "held", store.GateHeld)
		_, _, err = p.Publish(ctx, held.ID, models.Publishing{Reason: strings.Repeat("é", models.MaxReason+1)})
		modelstest.WantKind(t, "a reason that is too long", err, store.Invalid)
		modelstest.Answers(p.Publish(ctx, held.ID, models.Publishing{Reason: " \n"}))(t, "an empty reason", store.GateHeld)
		modelstest.Answers(p.Publish(ctx, withdrawn.ID, models.Publishing{Reason: "R"}))(t, "withdrawn", store.Invalid)
		modelstest.Answers(p.Publish(ctx, foreign.ID, models.Publishing{Reason: "R"}))(t, "foreign", store.NotFound)
		_, _, err = p.Publish(ctx, held.ID, models.Publishing{Reason: "R", UpdatedAt: new(store.At(held.UpdatedAt.Add(-1)))})
		modelstest.WantKind(t, "an old token", err, store.Stale)
		s := modelstest.Must(p.Session(ctx, held.ID))(t)
		modelstest.Holds(t, !s.IsPublic && s.UpdatedAt.Equal(held.UpdatedAt.Time), "%+v", s)
		modelstest.Fine(t, modelstest.ErrorOf(p.Publish(ctx, held.ID, models.Publishing{Reason: "She said so at lunch"})))
		modelstest.WantAll(t, "emitted", published(t, f), []string{ready.ID, held.ID})
		lines := modelstest.Must(p.Activity(ctx, held.ID))(t)
		modelstest.Holds(t, lines[0].Action == "published_anyway" &&
			strings.Contains(string(lines[0].After), "She said so at lunch"), "%+v", lines[0])
		for _, line := range modelstest.Must(p.Activity(ctx, ready.ID))(t) {
			modelstest.Holds(t, line.Action != "published_anyway", "%+v", line)
		}
	})
}

func TestUnpublishingEmitsNothingUnlikeAnUpdate(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		s := modelstest.Composed(t, f, "Ready", true)
		for range 2 {
			modelstest.Fine(t, modelstest.ErrorOf(p.Publish(ctx, s.ID, models.Publishing{})))
			published(t, f)
			for range 2 {
				_, now, err := p.Unpublish(ctx, s.ID)
				modelstest.Fine(t, err)
				if now.IsPublic || now.PublishedAt == nil { // which tells that it was
					t.Errorf("%+v", now)
				}
			}
			modelstest.WantAll(t, "emitted", published(t, f), nil)
		}
		lines := modelstest.Must(p.Activity(ctx, s.ID))(t)
		modelstest.Holds(t, lines[0].Action == "updated" && strings.Contains(string(lines[0].After), "is_public"),
			"%+v", lines[0])
		modelstest.Must(p.UpdateSession(ctx, s.ID, models.SessionChange{IsPublic: new(true)}))(t)
		modelstest.Must(p.UpdateSession(ctx, s.ID, models.SessionChange{IsPublic: new(false)}))(t)
		modelstest.WantAll(t, "emitted", published(t, f), []string{s.ID, "session.updated"})
		foreign := modelstest.Must(f.Elsewhere().CreateSession(ctx, models.NewSession{Title: "Foreign"}))(t)
		modelstest.Answers(p.Unpublish(ctx, foreign.ID))(t, "foreign", store.NotFound)
	})
}

func TestABatchPublishesWhatIsReadyThen(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		var numbers []int
		var all []*models.Session
		for i := range 6 {
			s := modelstest.Composed(t, f, fmt.Sprint("S", i), true)
			all, numbers = append(all, s), append(numbers, s.Number)
		}
		alone := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "Alone"}))(t)
		numbers = append(numbers, alone.Number)
		modelstest.Must(f.Elsewhere().CreateSession(ctx, models.NewSession{Title: "Leak"}))(t) // S-1 of another event
		b := modelstest.Must(p.StartBatch(ctx, nil, byNumbers(numbers...),
			models.BatchChange{Operation: models.BatchPublish}))(t)
		if b.Total != 7 {
			t.Fatalf("%+v", b)
		}
		// Meanwhile: deleted, withdrawn, published by somebody else.
		modelstest.Must(p.DeleteSession(ctx, all[0].ID))(t)
		modelstest.SetStatus(t, p, all[1].ID, models.Withdrawn)
		modelstest.Fine(t, modelstest.ErrorOf(p.Publish(ctx, all[2].ID, models.Publishing{})))
		published(t, f)
		b = modelstest.Finish(t, f, b.ID)
		why := map[string]string{}
		for _, x := range b.Failures {
			why[x.Title] = x.Message
		}
		if want := map[string]string{"S0": "It was deleted meanwhile.", "S1": "session is withdrawn, so it stays unpublished",
			"Alone": "No live submission with a decision letter is behind it, so it stays unpublished."}; fmt.Sprint(why) != fmt.Sprint(want) {
			t.Errorf("%v", why)
		}
		got := published(t, f)
		slices.Sort(got)
		want := []string{all[3].ID, all[4].ID, all[5].ID}
		slices.Sort(want)
		modelstest.Holds(t, b.Succeeded == 4 && b.Failed == 3 && slices.Equal(got, want) && !b.CanUndo(),
			"%+v emitted %v", b, got)
		modelstest.Answers(p.UndoBatch(ctx, b.ID))(t, "undo", store.Invalid)

		// A reason publishes what the gate holds, and is kept with each.
		b = modelstest.Must(p.StartBatch(ctx, []string{alone.ID}, nil,
			models.BatchChange{Operation: models.BatchPublish, Reason: " Imported "}))(t)
		b = modelstest.Finish(t, f, b.ID)
		modelstest.Want(t, "failed", b.Failed, 0)
		lines := modelstest.Must(p.Activity(ctx, alone.ID))(t)
		modelstest.Holds(t, strings.Contains(string(lines[0].After), `"Imported"`), "%+v", lines[0])
		published(t, f)
		b = modelstest.Must(p.StartBatch(ctx, nil, byNumbers(numbers...),
			models.BatchChange{Operation: models.BatchUnpublish}))(t)
		b = modelstest.Finish(t, f, b.ID)
		modelstest.Holds(t, b.Succeeded == 6 && len(published(t, f)) == 0, "%+v", b)
		for _, c := range []models.BatchChange{{Operation: models.BatchDelete, Reason: "R"}, {Operation: models.BatchPublish,
			Reason: strings.Repeat("x", models.MaxReason+1)}} {
			modelstest.Answers(p.StartBatch(ctx, []string{alone.ID}, nil, c))(t, "a reason", store.Invalid)
		}
		foreign := modelstest.Must(f.Elsewhere().CreateSession(ctx, models.NewSession{Title: "Foreign"}))(t)
		_, err := p.StartBatch(ctx, []string{foreign.ID}, nil, models.BatchChange{Operation: models.BatchPublish})
		modelstest.WantKind(t, "foreign", err, store.NotFound)
	})
}

func TestARefusedPublicationSaysWhatHoldsItAndWhatToDo(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		s := modelstest.Composed(t, f, "Held", false)
		abstract := modelstest.Must(p.Sources(ctx, s.ID))(t)[0].ID
		wants := func(words string) {
			t.Helper()
			_, _, err := p.Publish(ctx, s.ID, models.Publishing{})
			modelstest.WantKind(t, words, err, store.GateHeld)
			modelstest.Want(t, "error", err.Error(), words+" first, or repeat the request with publish_override: true.")
		}
		wants("Its decision letter has not been sent, so it stays unpublished. Send the letter")
		f.SetLetter(t, f.Event, abstract, models.LetterFailed)
		wants("Its decision letter did not arrive, so it stays unpublished. Send it again or mark its people as told")
		f.SetLetter(t, f.Event, abstract, models.LetterUnknown)
		wants("Nobody knows whether its decision letter arrived, so it stays unpublished. Send it again or mark its people " +
			"as told")
		modelstest.SetStatus(t, p, abstract, models.Withdrawn)
		wants("The submission is not accepted, so it stays unpublished. Accept it and send its letter")
		_, err := p.UpdateSession(ctx, abstract, models.SessionChange{IsPublic: new(true),
			SessionInput: models.SessionInput{Status: new(models.Accepted)}}) // whose letters are to come
		if fields := store.AsError(err).Fields; len(fields) != 1 ||
			fields[0] != (store.FieldError{Field: "is_public", Message: "is held: its decision letter was not begun"}) {
			t.Errorf("%v", err)
		}
	})
}

func TestAPublicSessionWhoseSubmissionWasTakenBackNeedsDropped(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		want := []string{}
		for _, title := range []string{"Stays", "Withdrawn", "Queued", "Declined", "Held", "Hidden"} {
			s := modelstest.Composed(t, f, title, true)
			abstract := modelstest.Must(p.Sources(ctx, s.ID))(t)[0].ID
			if title != "Held" {
				modelstest.Fine(t, modelstest.ErrorOf(p.Publish(ctx, s.ID, models.Publishing{})))
			}
			switch title {
			case "Withdrawn", "Held", "Hidden":
				modelstest.SetStatus(t, p, abstract, models.Withdrawn)
			case "Queued":
				modelstest.SetStatus(t, p, abstract, models.DeclineQueue)
			case "Declined":
				modelstest.SetStatus(t, p, abstract, models.Declined)
			}
			if title == "Hidden" { // its own status takes it off already
				modelstest.SetStatus(t, p, s.ID, models.Withdrawn)
			}
			if title == "Withdrawn" || title == "Declined" {
				want = append(want, s.ID)
			}
		}
		rows, _, err := p.SearchSessions(ctx, models.SessionSearch{Sort: models.ByCreated, Ascending: true,
			Filter: models.SessionFilter{Needs: models.NeedsDropped}})
		got := store.Map(rows, func(s *models.Session) string { return s.ID })
		modelstest.Holds(t, err == nil && slices.Equal(got, want), "%v, want %v, %v", got, want, err)
		waiting := modelstest.Must(p.CountNeeds(ctx))(t)
		modelstest.Want(t, "wait", waiting[models.Waiting{Need: models.NeedsDropped}], 2)
	})
}

func TestAPublicSessionNeedsNothingOnceThePartThatWasWithdrawnIsTakenOut(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		s := modelstest.Composed(t, f, "Tides", true)
		second := modelstest.AbstractOf(t, f, "Ebb", "ebb@x.org")
		modelstest.SetStatus(t, p, second, models.Accepted)
		modelstest.Fine(t, p.MarkTold(ctx, second, "", "By telephone"))
		modelstest.Must(p.Compose(ctx, []string{second}, s.ID))(t)
		modelstest.Fine(t, modelstest.ErrorOf(p.Publish(ctx, s.ID, models.Publishing{})))
		finds := func(what string, want ...string) {
			t.Helper()
			rows := modelstest.First(p.SearchSessions(ctx,
				models.SessionSearch{Filter: models.SessionFilter{Needs: models.NeedsDropped}}))(t)
			modelstest.WantAll(t, what, store.Map(rows, func(s *models.Session) string { return s.Title }), want)
			waiting := modelstest.Must(p.CountNeeds(ctx))(t)
			modelstest.Want(t, what, waiting[models.Waiting{Need: models.NeedsDropped}], int64(len(want)))
		}
		finds("two parts that stay")
		modelstest.SetStatus(t, p, second, models.Withdrawn)
		finds("one was withdrawn", "Tides")
		first := modelstest.Must(p.Sources(ctx, s.ID))(t)[0].ID
		modelstest.Must(p.ComposeParts(ctx, models.Composition{Into: s.ID, Parts: []models.Part{{AbstractID: first}}}))(t)
		finds("it was taken out")
		modelstest.Want(t, "is public", modelstest.Must(p.Session(ctx, s.ID))(t).IsPublic, true)
	})
}

func TestTwoWhoPublishAtOncePublishOnce(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		var numbers []int
		var want []string
		for i := range 8 {
			s := modelstest.Composed(t, f, fmt.Sprint("S", i), true)
			numbers, want = append(numbers, s.Number), append(want, s.ID)
		}
		published(t, f)
		modelstest.AllSucceed(t, 2, func(int) error {
			b, err := p.StartBatch(ctx, nil, byNumbers(numbers...), models.BatchChange{Operation: models.BatchPublish})
			if err == nil {
				b, err = p.FinishBatch(ctx, b.ID)
			}
			if err == nil && b.Succeeded != 8 {
				err = fmt.Errorf("%+v", b)
			}
			return err
		})
		got := published(t, f)
		slices.Sort(got)
		slices.Sort(want)
		modelstest.WantAll(t, "emitted", got, want)
	})
}

func TestAPublicationSaysWhatHoldsEachSession(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		modelstest.Composed(t, f, "Leak", true)
		modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "Alone"}))(t)
		modelstest.Must(f.Elsewhere().CreateSession(ctx, models.NewSession{Title: "Elsewhere"}))(t)
		modelstest.Composed(t, f, "Draft", false)
		undecided := modelstest.Composed(t, f, "Undecided", true)
		modelstest.SetStatus(t, p, modelstest.Must(p.Sources(ctx, undecided.ID))(t)[0].ID, models.Declined)
		none := modelstest.Must(p.Compose(ctx, []string{modelstest.AbstractOf(t, f, "No address", "")}, ""))(t)
		modelstest.SetStatus(t, p, modelstest.Must(p.Sources(ctx, none.ID))(t)[0].ID, models.Accepted)
		for _, state := range []models.LetterState{models.LetterFailed, models.LetterUnknown, models.LetterQueued} {
			modelstest.Composed(t, f, string(state), false)
			modelstest.Exec(t, f.SQL, "UPDATE letters SET message_id = 'm-"+string(state)+"', state = '"+string(state)+
				"' WHERE session_id IN (SELECT id FROM sessions WHERE title = '"+string(state)+"')")
		}
		modelstest.SetStatus(t, p, modelstest.Composed(t, f, "Gone", true).ID, models.Withdrawn)
		modelstest.Must(p.DeleteSession(ctx, modelstest.Composed(t, f, "Deleted", true).ID))(t)
		old := modelstest.Composed(t, f, "Public", true)
		modelstest.Fine(t, modelstest.ErrorOf(p.Publish(ctx, old.ID, models.Publishing{})))
		var all *models.Publication
		reads := f.Statement.During(func() { all = modelstest.Must(p.Publication(ctx, nil))(t) })
		modelstest.Want(t, fmt.Sprint("statements ", reads), len(reads), 2)
		says := func(rows []*models.Publishable) string {
			out := store.Map(rows,
				func(x *models.Publishable) string { return fmt.Sprintf("%s%v%t", x.Title, x.Holds, x.LetterID != "") })
			return strings.Join(out, " ")
		}
		modelstest.Want(t, "held",
			says(all.Held), "Alone[alone]false Draft[unsent]true Undecided[undecided]true No address[undrafted]false "+
				"failed[failed]true unknown[unknown]true queued[unsent]true")
		if says(all.Ready) != "Leak[]false" || says(all.Public) != "Public[]false" || all.Unaccepted != 1 ||
			all.Public[0].IsChanged() {
			t.Errorf("%s; %s; %d", says(all.Ready), says(all.Public), all.Unaccepted)
		}
		// The page and the gate are of one mind.
		for _, x := range append(all.Held, all.Ready...) {
			_, _, err := p.Publish(ctx, x.ID, models.Publishing{})
			modelstest.Want(t, fmt.Sprint(x.Title, " goes, as nothing holds it: ", x.Holds, ", ", err), err == nil,
				len(x.Holds) == 0)
		}
		modelstest.Must(p.UpdateSession(ctx, old.ID, models.SessionChange{Title: new("Another")}))(t)
		all = modelstest.Must(p.Publication(ctx, nil))(t)
		modelstest.Holds(t, all.Public[1].IsChanged() && !all.Public[0].IsChanged(), "%+v %+v", all.Public[0], all.Public[1])
	})
}
