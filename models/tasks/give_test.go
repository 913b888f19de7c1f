package tasks_test

import (
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/store"
	"lectern/models/tasks"
)

func TestATaskIsGivenToSinglePeopleAndSessions(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		chairs := tasks.Filters{Roles: []models.Role{models.Chairperson}}
		bio := s.define(t, tasks.Change{Title: new("Bio"), Filters: &chairs})
		alone := s.define(t, tasks.Change{Title: new("Visa"), OnlyGiven: new(true)})
		c := slides
		c.OnlyGiven = new(true)
		deck := s.define(t, c)
		give := func(of *tasks.Task, owner string, want int) {
			t.Helper()
			modelstest.Want(t, of.Title+" was given to", modelstest.Must(s.tasks.Give(ctx, of.ID, owner))(t), want)
		}
		s.wantOwners(t, "nobody yet", alone, "")
		give(bio, s.cyd, 1)
		give(alone, s.tides.ID, 2)
		give(deck, s.ebb.ID, 1)
		give(deck, s.ebb.ID, 1)
		s.wantOwners(t, "a person", bio, "Cyd")
		s.wantOwners(t, "the people of a session", alone, "Ada Bo")
		s.wantOwners(t, "a session", deck, "Ebb")
		modelstest.Want(t, "were given it", len(modelstest.Must(s.tasks.BoardOf(ctx, alone))(t).Given()), 2)

		dee := f.Speaker(t, f.Event, s.tides.ID, models.NewContact{FirstName: "Dee"})
		s.wantOwners(t, "whoever joins later", alone, "Ada Bo")
		queued := modelstest.Must(f.Programme().CreateSession(ctx, models.NewSession{Title: "Queued", IsAbstract: true}))(t)
		eve := f.Speaker(t, f.Event, queued.ID, models.NewContact{FirstName: "Eve", Email: "eve@x.org"})
		give(bio, eve, 1)
		s.wantOwners(t, "somebody who waits", bio, "Cyd Eve")
		if mine := modelstest.Must(s.place(eve).All(ctx))(t); len(mine) != 1 || mine[0].TaskID != bio.ID {
			t.Errorf("Eve has %+v", mine)
		}
		modelstest.Fine(t, s.place(eve).Tick(ctx, bio.ID, eve, true))
		modelstest.SetStatus(t, f.Programme(), queued.ID, models.Declined)
		s.wantOwners(t, "declined since", bio, "Cyd")

		for what, try := range map[string]struct{ task, owner string }{"somebody elsewhere": {bio.ID, s.strangerThere},
			"a session elsewhere": {deck.ID, s.elsewhere.ID}, "who was declined": {bio.ID, eve}, "a person": {deck.ID, dee},
			"nobody": {bio.ID, store.NewID()}, "nonsense": {bio.ID, "x"}} {
			modelstest.Answers(s.tasks.Give(ctx, try.task, try.owner))(t, what, store.Invalid)
		}
		modelstest.Answers(s.tasks.Give(ctx, store.NewID(), s.ada))(t, "no task", store.NotFound)

		modelstest.Fine(t, s.tasks.TakeBack(ctx, alone.ID, s.bo))
		s.wantOwners(t, "taken back", alone, "Ada")
		modelstest.WantKind(t, "the place of who has it no more", s.place(s.bo).Tick(ctx, alone.ID, s.bo, true), store.NotFound)
	})
}

func TestWhatIsGivenFollowsCompositionsAndMerges(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		c := slides
		c.OnlyGiven = new(true)
		deck, visa := s.define(t, c), s.define(t, tasks.Change{Title: new("Visa"), OnlyGiven: new(true)})
		whole := modelstest.Must(f.Programme().Compose(ctx, []string{s.tides.ID}, ""))(t)
		modelstest.Must(s.tasks.Give(ctx, deck.ID, whole.ID))(t)
		s.wantOwners(t, "composed", deck, "Tides")
		modelstest.Must(s.tasks.Give(ctx, visa.ID, s.tides.ID))(t)
		modelstest.Fine(t, s.tasks.TakeBack(ctx, visa.ID, s.ada))
		modelstest.Fine(t, s.tasks.Extend(ctx, deck.ID, s.tides.ID, nil))
		modelstest.Merged(t, f, s.ada, s.bo)
		s.wantOwners(t, "merged", visa, "Ada")
	})
}

// An erased person's comments on a task leave the mails to others, sent or not; the comments of others stay.
func TestWhatAnErasedPersonSaidIsInNoMail(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		deck := s.define(t, slides)
		modelstest.Fine(t, s.place(s.ada).Comment(ctx, deck.ID, s.tides.ID, "My secret illness"))
		modelstest.Exec(t, f.SQL, "UPDATE letters SET state = 'sent', message_id = 'x@y', sent_at = created_at, "+
			"due_at = NULL")
		modelstest.Fine(t, s.place(s.ada).Comment(ctx, deck.ID, s.tides.ID, "My second secret"))
		modelstest.Fine(t, s.place(s.bo).Comment(ctx, deck.ID, s.tides.ID, "Bo brings it"))
		modelstest.Fine(t, s.tasks.Comment(ctx, deck.ID, s.tides.ID, "Staff said"))
		if len(modelstest.TablesWith(t, f, "My secret illness")) < 2 { // the comment, and the mail to Bo
			t.Fatal("nobody was mailed what Ada said")
		}
		modelstest.Fine(t, people.In(f.Directory(f.Event.OrganizationID, modelstest.Tester)).Erase(ctx, s.ada))
		for _, said := range []string{"My secret illness", "My second secret", "Ada Marker"} {
			modelstest.WantAll(t, said+" is still in", modelstest.TablesWith(t, f, said), nil)
		}
		var letters []*models.Letter
		modelstest.Fine(t, f.Store.Read(ctx).Where("contact_id = ?", s.bo).Order("created_at, id").Find(&letters).Error)
		if len(letters) != 2 || letters[0].Body+letters[1].Body == "" ||
			!strings.Contains(letters[0].Body+letters[1].Body, "Staff said") {
			t.Errorf("Bo has %d letters", len(letters)) // the one that was sent, empty, and that of staff
		}
	})
}

func TestWhoHandedSomethingInIsNotTakenOffTheEvent(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		own, deck := s.define(t, tasks.Change{Title: new("Photo")}), s.define(t, slides)
		modelstest.Fine(t, s.tasks.Decide(ctx, own.ID, s.cyd, tasks.Waive, "No need", nil))
		modelstest.Fine(t, s.place(s.ada).Upload(ctx, deck.ID, s.tides.ID, pdf("deck")))
		modelstest.Fine(t, s.place(s.bo).Comment(ctx, deck.ID, s.tides.ID, "Hello"))
		modelstest.Must(f.Programme().ChangePeople(ctx, s.tides.ID, models.PeopleChange{}))(t)
		off := func(id string) error { return modelstest.ErrorOf(people.Of(f.Programme()).TakeOffEvent(ctx, id)) }
		modelstest.WantKind(t, "who handed in", off(s.ada), store.Invalid)
		modelstest.WantKind(t, "who said something", off(s.bo), store.Invalid)
		modelstest.Must(f.Programme().ChangePeople(ctx, s.ebb.ID, models.PeopleChange{}))(t)
		modelstest.Fine(t, off(s.cyd))
	})
}
