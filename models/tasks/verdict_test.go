package tasks_test

import (
	"fmt"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/modelstest"
	"lectern/models/site"
	"lectern/models/store"
	"lectern/models/tasks"
)

func TestATaskOfATagAndALevelIsHadAndHandedIn(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		tag := modelstest.RowOf(t, f.Programme(), models.Tags, "Deep").ID
		level := modelstest.RowOf(t, f.Programme(), models.Levels, "Deep").ID
		modelstest.Update(t, f.Programme(), s.tides.ID, models.SessionInput{
			TagIDs: &[]string{tag}, LevelID: store.Some(level)})
		c := slides
		c.Filters = &tasks.Filters{Tags: []string{tag}, Levels: []string{level}}
		deck := s.define(t, c)
		s.wantOwners(t, "of a tag and a level", deck, "Tides")
		modelstest.Fine(t, s.place(s.ada).Upload(ctx, deck.ID, s.tides.ID, pdf("one")))
		modelstest.WantKind(t, "without the tag", s.place(s.cyd).Upload(ctx, deck.ID, s.ebb.ID, pdf("one")), store.NotFound)
	})
}

func TestNobodyApprovesWhatNobodyLookedAt(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		deck, at := s.define(t, slides), s.tides.ID
		modelstest.Fine(t, s.place(s.ada).Upload(ctx, deck.ID, at, pdf("one")))
		seen := modelstest.Must(s.tasks.One(ctx, deck.ID, at))(t).Latest().ID
		modelstest.Fine(t, s.place(s.bo).Upload(ctx, deck.ID, at, pdf("two")))
		for _, v := range []tasks.Verdict{tasks.Approve, tasks.Ask} {
			modelstest.WantKind(t, string(v), s.tasks.Decide(ctx, deck.ID, at, v, "Words", &seen), store.Stale)
		}
		now := modelstest.Must(s.tasks.One(ctx, deck.ID, at))(t)
		if now.State != tasks.Done || len(now.Comments) != 0 {
			t.Errorf("%s with %d comments", now.State, len(now.Comments))
		}
		modelstest.Fine(t, s.tasks.Decide(ctx, deck.ID, at, tasks.Approve, "", new(now.Latest().ID)))
	})
}

func TestTwoWhoRemindAtOnceWriteOnce(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		s.define(t, slides)
		s.define(t, tasks.Change{Title: new("Bio")})
		var sent [4]int
		for _, err := range modelstest.AtOnce(4, func(i int) (err error) {
			sent[i], err = s.tasks.Remind(ctx, tasks.Wanted{Show: tasks.Missing}, 3)
			return err
		}) {
			if err != nil {
				modelstest.WantKind(t, "another at once", err, store.Stale)
			}
		}
		if letters := mails(t, f)[""]; letters != "3" || sent[0]+sent[1]+sent[2]+sent[3] != 3 {
			t.Errorf("%s letters, %v told", letters, sent)
		}
	})
}

func TestCommentsAreNobodysWeaponAndRefusedFilesCountForNothing(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		deck, at := s.define(t, slides), s.tides.ID
		for i := range 20 {
			modelstest.Fine(t, s.place(s.ada).Comment(ctx, deck.ID, at, fmt.Sprint(i)))
		}
		modelstest.WantKind(t, "one more", s.place(s.ada).Comment(ctx, deck.ID, at, "more"), store.TooMany)
		modelstest.Fine(t, s.place(s.bo).Comment(ctx, deck.ID, at, "mine"))
		modelstest.Fine(t, s.tasks.Comment(ctx, deck.ID, at, "ours"))
		f.Clock.Move(time.Hour + time.Minute)
		modelstest.Fine(t, s.place(s.ada).Comment(ctx, deck.ID, at, "later"))

		wrong := models.Upload{Name: "a.pdf", Content: append([]byte("PK\x03\x04"), make([]byte, 19<<20)...)}
		for range 12 { // more than somebody brings in an hour
			modelstest.WantKind(t, "another kind", s.place(s.ada).Upload(ctx, deck.ID, at, wrong), store.Invalid)
		}
		modelstest.Fine(t, s.place(s.ada).Upload(ctx, deck.ID, at, pdf("one")))
	})
}

func TestFilesOfTasksCountAmongWhatSomebodyBringsInAnHour(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		deck, at := s.define(t, slides), s.tides.ID
		large := models.Upload{Name: "a.pdf", Content: append([]byte("%PDF-1.7 "), make([]byte, 20<<20-9)...)}
		for range 10 { // 200 MB
			modelstest.Fine(t, s.place(s.ada).Upload(ctx, deck.ID, at, large))
		}
		modelstest.WantKind(t, "one more", s.place(s.ada).Upload(ctx, deck.ID, at, pdf("more")), store.TooMany)
		modelstest.Fine(t, s.place(s.bo).Upload(ctx, deck.ID, at, pdf("mine")))
		f.Clock.Move(time.Hour + time.Minute)
		modelstest.Fine(t, s.place(s.ada).Upload(ctx, deck.ID, at, pdf("later")))
	})
}

func TestAnEarlierVersionCountsAgain(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		deck, ada, at := s.define(t, slides), s.place(s.ada), s.tides.ID
		for _, text := range []string{"one", "two"} {
			modelstest.Fine(t, ada.Upload(ctx, deck.ID, at, pdf(text)))
		}
		one := func() *tasks.Sheet { return modelstest.Must(s.tasks.One(ctx, deck.ID, at))(t) }
		counts := func(what string, number, of int) {
			t.Helper()
			b := modelstest.Must(s.tasks.Board(ctx))(t)
			v := modelstest.Must(s.tasks.Latest(ctx, b.All))(t)[[2]string{deck.ID, at}]
			told, _, err := s.tasks.Deliveries(ctx, tasks.DeliverySearch{SessionID: at}, store.Page{Number: 1, Size: 10}, "https://x.org")
			modelstest.Fine(t, err)
			if l := one().Latest(); l.Number != number || v.Number != number || v.Count != of || told[0].Versions[0].Number != number {
				t.Errorf("%s: version %d counts on its page, %d of %d in lists, %d for programs", what, l.Number, v.Number, v.Count,
					told[0].Versions[0].Number)
			}
		}
		counts("the last", 2, 2)
		first := one().Versions[1].ID
		modelstest.Fine(t, s.tasks.Decide(ctx, deck.ID, at, tasks.Ask, "As before, please.", nil))
		modelstest.Fine(t, ada.MakeLatest(ctx, deck.ID, at, first))
		counts("an earlier one", 1, 2)
		if d := one(); d.State != tasks.Done || d.By != "Ada Marker" {
			t.Errorf("it is %s by %s", d.State, d.By)
		}
		seen := one().Versions[0].ID
		modelstest.WantKind(t, "approved by who saw another", s.tasks.Decide(ctx, deck.ID, at, tasks.Approve, "", &seen), store.Stale)
		modelstest.Fine(t, s.tasks.Decide(ctx, deck.ID, at, tasks.Approve, "", &first))
		modelstest.WantKind(t, "once it was approved", ada.MakeLatest(ctx, deck.ID, at, seen), store.Invalid)
		noVersions := func() {
			t.Helper()
			for what, id := range map[string]string{"nonsense": "x", "no version": store.NewID()} {
				modelstest.WantKind(t, what, ada.MakeLatest(ctx, deck.ID, at, id), store.NotFound)
			}
		}
		noVersions()
		modelstest.Fine(t, s.tasks.Decide(ctx, deck.ID, at, tasks.Reopen, "", nil))
		modelstest.Fine(t, s.tasks.MakeLatest(ctx, deck.ID, at, seen))
		counts("and back", 2, 2)
		modelstest.Fine(t, s.tasks.MakeLatest(ctx, deck.ID, at, first))
		modelstest.Fine(t, s.place(s.bo).Upload(ctx, deck.ID, at, pdf("three")))
		counts("the next that came", 3, 3)

		noVersions()
		modelstest.WantKind(t, "not theirs", s.place(s.cyd).MakeLatest(ctx, deck.ID, at, first), store.NotFound)
		other := s.define(t, tasks.Change{Title: new("Outline"), Kind: new(tasks.File), AskedOf: new(tasks.OfSession)})
		modelstest.WantKind(t, "of another task", s.tasks.MakeLatest(ctx, other.ID, at, first), store.NotFound)
	})
}

// TestThePublicSeesTheVersionThatCounts approves an earlier version.
func TestThePublicSeesTheVersionThatCounts(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		c := slides
		c.Kind, c.FileKinds = new(tasks.Link), nil
		link := s.define(t, c)
		for _, url := range []string{"https://x.org/1", "https://x.org/2"} {
			modelstest.Fine(t, s.tasks.Link(ctx, link.ID, s.ebb.ID, url))
		}
		first := modelstest.Must(s.tasks.One(ctx, link.ID, s.ebb.ID))(t).Versions[1].ID
		modelstest.Fine(t, s.tasks.MakeLatest(ctx, link.ID, s.ebb.ID, first))
		modelstest.Fine(t, s.tasks.Decide(ctx, link.ID, s.ebb.ID, tasks.Approve, "", nil))
		begins := f.Clock.Now().AddDate(0, 1, 0)
		modelstest.Must(f.Programme().UpdateSession(ctx, s.ebb.ID, models.SessionChange{SessionInput: models.SessionInput{
			StartsAt: store.Some(store.At(begins)), EndsAt: store.Some(store.At(begins.Add(time.Hour)))},
			IsPublic: new(true), PublishOverride: true}))(t)
		for _, shown := range modelstest.Must(site.Of(f.Programme()).Agenda(ctx))(t).Sessions {
			if shown.ID == s.ebb.ID && (len(shown.Materials) != 1 || shown.Materials[0].ID != first) {
				t.Errorf("shown is %+v", shown.Materials)
			}
		}
	})
}

// form is a task with a required question for each speaker.
func (s *stage) form(t *testing.T) (of *tasks.Task, key string) {
	t.Helper()
	cfp := call.Of(s.Programme())
	modelstest.Fine(t, cfp.Start(t.Context()))
	part := modelstest.Must(cfp.AddPart(t.Context(), call.PartInput{Title: "Travel"}))(t)
	q := modelstest.Must(cfp.AddQuestion(t.Context(), part.ID, call.QuestionInput{Label: "Which train?", Type: "text",
		AskedOf: call.OfSpeaker, Required: call.Later}))(t)
	return s.define(t, tasks.Change{Title: new("Travel"), Kind: new(tasks.Form), PartID: &part.ID}), q.Key
}

func TestAFormWhoseAnswerIsEmptiedIsOpenAgain(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		of, key := s.form(t)
		cfp := call.Of(f.Programme())
		answer := func(text string) {
			t.Helper()
			_, faults, err := cfp.SaveOwn(ctx, s.ada, call.Saving{Values: call.Values{key: text}})
			if modelstest.Fine(t, err); len(faults) > 0 {
				t.Errorf("%+v", faults)
			}
		}
		want := func(what string, state tasks.State) {
			t.Helper()
			modelstest.Want(t, what, modelstest.Must(s.tasks.One(ctx, of.ID, s.ada))(t).State, state)
		}
		modelstest.WantKind(t, "without the answer", s.place(s.ada).Finish(ctx, of.ID, s.ada), store.Invalid)
		answer("The 9:12")
		modelstest.Fine(t, s.place(s.ada).Finish(ctx, of.ID, s.ada))
		answer("The 10:12")
		want("changed", tasks.Done)
		answer("")
		want("emptied", tasks.Open)
		answer("The 11:12")
		want("answered, not handed in again", tasks.Open)
		modelstest.Fine(t, s.place(s.ada).Finish(ctx, of.ID, s.ada))
		modelstest.Fine(t, s.tasks.Decide(ctx, of.ID, s.ada, tasks.Approve, "", nil))
		answer("")
		want("emptied once it was approved", tasks.Approved)
	})
}

func TestAWaivedTaskTakesNothing(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		form, _ := s.form(t)
		deck, link := s.define(t, slides), slides
		link.Kind, link.FileKinds = new(tasks.Link), nil
		talk, tick, at := s.define(t, link), s.define(t, tasks.Change{Title: new("Bio")}), s.tides.ID
		modelstest.Fine(t, s.place(s.ada).Upload(ctx, deck.ID, at, pdf("one")))
		first := modelstest.Must(s.tasks.One(ctx, deck.ID, at))(t).Latest().ID
		for of, owner := range map[*tasks.Task]string{form: s.ada, deck: at, talk: at, tick: s.ada} {
			modelstest.Fine(t, s.tasks.Decide(ctx, of.ID, owner, tasks.Waive, "We do without", nil))
		}
		ada := s.place(s.ada)
		for what, err := range map[string]error{"a form": ada.Finish(ctx, form.ID, s.ada), "a file": ada.Upload(ctx, deck.ID, at, pdf("x")),
			"a link": ada.Link(ctx, talk.ID, at, "https://x.org"), "a tick": ada.Tick(ctx, tick.ID, s.ada, true),
			"an earlier version": ada.MakeLatest(ctx, deck.ID, at, first), "in their stead": s.tasks.Upload(ctx, deck.ID, at, pdf("x"))} {
			if modelstest.WantKind(t, what, err, store.Invalid); err == nil || store.AsError(err).Fields[0].Message != "was waived, so "+
				"nothing has to be handed in. Ask the organizers to open it again" {
				t.Errorf("%s: %v", what, err)
			}
		}
		if now := modelstest.Must(s.tasks.One(ctx, deck.ID, at))(t); now.State != tasks.Waived || len(now.Versions) != 1 {
			t.Errorf("it is %s with %d versions", now.State, len(now.Versions))
		}
		modelstest.Fine(t, s.tasks.Decide(ctx, deck.ID, at, tasks.Reopen, "", nil))
		modelstest.Fine(t, ada.Upload(ctx, deck.ID, at, pdf("two")))
	})
}
