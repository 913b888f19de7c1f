package people_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/store"
)

// prospects makes people of the organization who are at no event.
func prospects(t *testing.T, f *modelstest.Fixture, names ...string) (ids []string) {
	t.Helper()
	for _, name := range names {
		ids = append(ids, modelstest.Must(people.In(modelstest.DirectoryOf(f)).Create(t.Context(),
			modelstest.Values("first_name", name)))(t).ID)
	}
	return ids
}

// stagesOf returns the stages of the organization by name.
func stagesOf(t *testing.T, f *modelstest.Fixture) map[string]*people.Stage {
	t.Helper()
	named := map[string]*people.Stage{}
	for _, s := range modelstest.Must(people.In(modelstest.DirectoryOf(f)).Stages(t.Context()))(t) {
		named[s.Name] = s
	}
	return named
}

// shownBoard returns a board in words: each stage with its cards in their order.
func shownBoard(t *testing.T, p *models.Programme, q people.BoardSearch) string {
	t.Helper()
	if q.Limit == 0 {
		q.Limit = 100
	}
	var out []string
	for _, column := range modelstest.Must(people.Of(p).Board(t.Context(), q))(t) {
		if len(column.Cards) == 0 {
			continue
		}
		names := store.Map(column.Cards, func(c *people.BoardCard) string { return c.FullName })
		out = append(out, fmt.Sprintf("%s %d: %s", column.Name, column.Total, strings.Join(names, " ")))
	}
	return strings.Join(out, "; ")
}

func wantBoard(t *testing.T, p *models.Programme, want string) {
	t.Helper()
	modelstest.Want(t, "the board", shownBoard(t, p, people.BoardSearch{}), want)
}

func TestAnOrganizationBeginsWithStagesFromOpenToWonAndLost(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, d := t.Context(), modelstest.DirectoryOf(f)
		first := modelstest.Must(people.In(d).Stages(ctx))(t)
		var names []string
		for _, s := range first {
			names = append(names, s.Name+" "+string(s.Kind))
			modelstest.Holds(t, store.IsID(s.ID), "%s has the id %s", s.Name, s.ID)
		}
		if want := []string{"Idea open", "Contacted open", "In talks open", "Won won", "Lost lost"}; !slices.Equal(names, want) {
			t.Fatalf("begins with %v", names)
		}
		// What was shown is what is kept: a form of it can be saved.
		idea := modelstest.Must(people.In(d).ChangeStage(ctx, first[0].ID,
			people.StageInput{Name: "Somebody to ask", Kind: people.StageOpen}, &first[0].UpdatedAt))(t)
		modelstest.Holds(t, idea.ID == first[0].ID && modelstest.RowsOf(t, f, "SELECT count(*) FROM sourcing_stages") == 5,
			"kept as %+v", idea)
		owner, _ := modelstest.ForeignOwner(t, f)
		for _, s := range modelstest.Must(people.In(f.Directory(owner.OrganizationID, modelstest.Tester)).Stages(ctx))(t) {
			if stagesOf(t, f)[s.Name] != nil && stagesOf(t, f)[s.Name].ID == s.ID || s.Name == "Somebody to ask" {
				t.Errorf("another organization has %+v of this one", s)
			}
		}
	})
}

func TestStagesAreTheOrganizationsToNameAndOrder(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, d := t.Context(), modelstest.DirectoryOf(f)
		order := func() string {
			var names []string
			for i, s := range modelstest.Must(people.In(d).Stages(ctx))(t) {
				names = append(names, s.Name)
				modelstest.Holds(t, s.Position == i, "%s is at %d, not %d", s.Name, s.Position, i)
			}
			return strings.Join(names, ", ")
		}
		added := modelstest.Must(people.In(d).AddStage(ctx, people.StageInput{Name: "  Waiting list ",
			Kind: people.StageOpen}))(t)
		modelstest.Want(t, "a new open stage stands in", order(), "Idea, Contacted, In talks, Waiting list, Won, Lost")
		modelstest.Fine(t, people.In(d).MoveStage(ctx, added.ID, 1))
		modelstest.Fine(t, people.In(d).MoveStage(ctx, stagesOf(t, f)["Lost"].ID, 99))
		modelstest.Want(t, "moved to", order(), "Idea, Waiting list, Contacted, In talks, Won, Lost")
		for what, in := range map[string]people.StageInput{"no name": {Name: " ", Kind: people.StageOpen},
			"a name that is taken": {Name: "WON", Kind: people.StageOpen}, "no kind": {Name: "New", Kind: "maybe"},
			"a long name": {Name: strings.Repeat("x", 61), Kind: people.StageOpen}} {
			modelstest.Answers(people.In(d).AddStage(ctx, in))(t, what, store.Invalid)
		}
		stages := stagesOf(t, f)
		stale := stages["Idea"].UpdatedAt
		modelstest.Must(people.In(d).ChangeStage(ctx, stages["Idea"].ID, people.StageInput{Name: "Wish",
			Kind: people.StageOpen}, &stale))(t)
		modelstest.Answers(people.In(d).ChangeStage(ctx, stages["Idea"].ID,
			people.StageInput{Name: "Dream", Kind: people.StageOpen}, &stale))(t, "an old token", store.Stale)
		_, err := people.In(d).ChangeStage(ctx, stages["Won"].ID, people.StageInput{Name: "Won", Kind: people.StageLost}, nil)
		modelstest.WantKind(t, "no stage that is won", err, store.Invalid)
		_, err = people.In(d).RemoveStage(ctx, stages["Won"].ID, stages["Lost"].ID)
		modelstest.WantKind(t, "removing the one that is won", err, store.Invalid)
		owner, _ := modelstest.ForeignOwner(t, f)
		theirs := f.Directory(owner.OrganizationID, modelstest.Tester)
		modelstest.WantKind(t, "another organization's", people.In(theirs).MoveStage(ctx, added.ID, 0), store.NotFound)
		_, err = people.In(theirs).ChangeStage(ctx, added.ID, people.StageInput{Name: "Theirs", Kind: people.StageOpen}, nil)
		modelstest.WantKind(t, "another organization's", err, store.NotFound)
		modelstest.Answers(people.In(theirs).RemoveStage(ctx, added.ID, ""))(t, "another organization's", store.NotFound)
		for i := range people.MaxStages - 6 {
			modelstest.Must(people.In(d).AddStage(ctx, people.StageInput{Name: fmt.Sprint("More ", i),
				Kind: people.StageLost}))(t)
		}
		_, err = people.In(d).AddStage(ctx, people.StageInput{Name: "One more", Kind: people.StageLost})
		modelstest.WantKind(t, "one too many", err, store.Invalid)
	})
}

func TestCardsMoveToAStageAndAPlaceAndKeepTheirTimes(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p, stages := t.Context(), f.Programme(), stagesOf(t, f)
		ids := prospects(t, f, "Ada", "Bob", "Cleo", "Dan")
		ada, bob, cleo, dan := ids[0], ids[1], ids[2], ids[3]
		idea, talks := stages["Idea"].ID, stages["In talks"].ID
		modelstest.WantAll(t, "placed", modelstest.Must(people.Of(p).AddCards(ctx, ids, idea))(t), ids)
		wantBoard(t, p, "Idea 4: Ada Bob Cleo Dan")
		if at := modelstest.Must(p.Directory().Person(ctx, ada))(t); at.Here == nil || at.Here.WorkflowStatus != models.Prospect {
			t.Errorf("who is placed is at the event as %+v", at.Here)
		}
		modelstest.WantAll(t, "placed again", modelstest.Must(people.Of(p).AddCards(ctx, []string{ada}, talks))(t), nil)
		move := func(who, stage, behind, want string) *people.CardMoved {
			t.Helper()
			moved := modelstest.Must(people.Of(p).MoveCard(ctx, who, people.CardTarget{StageID: stage, After: behind}))(t)
			wantBoard(t, p, want)
			return moved
		}
		f.Clock.Move(time.Hour)
		undo := move(cleo, talks, "", "Idea 3: Ada Bob Dan; In talks 1: Cleo")
		f.Clock.Move(time.Hour)
		move(ada, talks, cleo, "Idea 2: Bob Dan; In talks 2: Cleo Ada")
		move(dan, talks, cleo, "Idea 1: Bob; In talks 3: Cleo Dan Ada")
		move(bob, talks, dan, "In talks 4: Cleo Dan Bob Ada")
		move(ada, talks, "", "In talks 4: Ada Cleo Dan Bob")
		move(ada, talks, bob, "In talks 4: Cleo Dan Bob Ada")
		move(dan, talks, dan, "In talks 4: Cleo Dan Bob Ada") // behind itself
		move(bob, idea, cleo, "Idea 1: Bob; In talks 3: Cleo Dan Ada")
		modelstest.Holds(t, undo.From.ID == idea && undo.To.ID == talks && undo.After == bob,
			"the first move is taken back by %+v", undo)
		move(cleo, undo.From.ID, undo.After, "Idea 2: Bob Cleo; In talks 2: Dan Ada")

		card := modelstest.Must(people.Of(p).CardOf(ctx, ada))(t)
		moves := modelstest.Must(people.Of(p).CardMoves(ctx, ada))(t)
		if len(moves) != 2 || moves[0].From != "Idea" || moves[0].To != "In talks" || moves[1].From != "" ||
			moves[0].ActorName != modelstest.Tester.ActorName || moves[0].CreatedAt.Sub(moves[1].CreatedAt.Time) != 2*time.Hour ||
			!card.Since.Equal(moves[0].CreatedAt.Time) {
			t.Errorf("Ada moved %+v, %+v", moves, card)
		}
		told := modelstest.Must(p.Activity(ctx, ada))(t)
		modelstest.Holds(t, len(told) == 3 && told[0].Action == "staged" && strings.Contains(told[0].Before, "Idea") &&
			strings.Contains(told[0].After, "In talks"), "the activity has %+v", told)
		_, err := people.Of(p).MoveCard(ctx, cleo, people.CardTarget{StageID: talks, From: talks})
		modelstest.WantKind(t, "a card that somebody moved meanwhile", err, store.Stale)
		modelstest.WantAll(t, "emitted", modelstest.ContactEmissions(t, f), nil)
		modelstest.WantSound(t, f)
	})
}

func TestAPlacementIsRefusedOrLeavesOut(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p, stages := t.Context(), f.Programme(), stagesOf(t, f)
		ada := prospects(t, f, "Ada")[0]
		theirs, foreign := modelstest.Foreigner(t, f, modelstest.Values("first_name", "Foreign"))
		stranger := modelstest.Must(people.In(theirs).Stages(ctx))(t)[0]
		idea := stages["Idea"].ID
		for what, try := range map[string]struct {
			people []string
			stage  string
		}{"nobody": {nil, idea}, "too many": {make([]string, people.MaxPlaced+1), idea}, "no stage": {[]string{ada}, "x"},
			"another organization's stage": {[]string{ada}, stranger.ID}} {
			modelstest.Answers(people.Of(p).AddCards(ctx, try.people, try.stage))(t, what, store.Invalid)
		}
		modelstest.WantAll(t, "placed", modelstest.Must(people.Of(p).AddCards(ctx, []string{"x", foreign.ID, ada, ada},
			idea))(t), []string{ada})
		for what, err := range map[string]error{
			"moving a foreigner": modelstest.ErrorOf(people.Of(p).MoveCard(ctx, foreign.ID, people.CardTarget{StageID: idea})),
			"moving at another": modelstest.ErrorOf(people.Of(f.Elsewhere()).MoveCard(ctx, ada,
				people.CardTarget{StageID: idea})),
			"reading at another":   modelstest.ErrorOf(people.Of(f.Elsewhere()).CardOf(ctx, ada)),
			"removing at another":  people.Of(f.Elsewhere()).RemoveCard(ctx, ada),
			"inviting at another":  modelstest.ErrorOf(people.Of(f.Elsewhere()).Invite(ctx, ada)),
			"inviting a foreigner": modelstest.ErrorOf(people.Of(p).Invite(ctx, foreign.ID)),
		} {
			modelstest.WantKind(t, what, err, store.NotFound)
		}
		_, err := people.Of(p).MoveCard(ctx, ada, people.CardTarget{StageID: stranger.ID})
		modelstest.WantKind(t, "to another organization's stage", err, store.Invalid)
		modelstest.Answers(people.Of(p).TakeOffEvent(ctx, ada))(t, "taking somebody with a card off the event", store.Invalid)
		modelstest.Fine(t, people.Of(p).RemoveCard(ctx, ada))
		modelstest.WantKind(t, "removing twice", people.Of(p).RemoveCard(ctx, ada), store.NotFound)
		modelstest.Must(people.Of(p).TakeOffEvent(ctx, ada))(t)
		wantBoard(t, p, "")
	})
}

func TestSomebodyNewIsPlacedOnceHoweverTheirAddressIsWritten(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p, stages := t.Context(), f.Programme(), stagesOf(t, f)
		added, known, err := people.Of(p).PlaceNew(ctx, modelstest.Values("first_name", "Ada", "email",
			"ada@example.org"), stages["Idea"].ID)
		if err != nil || known || added.Here.WorkflowStatus != models.Prospect {
			t.Fatalf("%+v %t %v", added, known, err)
		}
		old := modelstest.Must(people.In(modelstest.DirectoryOf(f)).Create(ctx,
			modelstest.Values("first_name", "Bob", "email", "bob@example.org")))(t)
		again, known, err := people.Of(p).PlaceNew(ctx, modelstest.Values("first_name", "Robert", "email",
			"BOB@example.org"), stages["Won"].ID)
		modelstest.Holds(t, err == nil && known && again.ID == old.ID && again.FullName == "Bob",
			"%+v %t %v", again, known, err)
		modelstest.Answers(people.Of(p).PlaceNew(ctx, modelstest.Values("first_name", "", "email", "cleo@example.org"),
			stages["Idea"].ID))(t, "without a name", store.Invalid)
		_, _, err = people.Of(p).PlaceNew(ctx, modelstest.Values("first_name", "Cleo", "email", "cleo@example.org"), "x")
		modelstest.WantKind(t, "without a stage", err, store.Invalid)
		modelstest.Want(t, "who could not be placed was made",
			modelstest.RowsOf(t, f, "SELECT count(*) FROM contacts WHERE email_key = 'cleo@example.org'"), 0)
		wantBoard(t, p, "Idea 1: Ada; Won 1: Bob")
	})
}

func TestWhoIsWonCanBeInvited(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p, stages := t.Context(), f.Programme(), stagesOf(t, f)
		ada := prospects(t, f, "Ada")[0]
		modelstest.Must(people.Of(p).AddCards(ctx, []string{ada}, stages["In talks"].ID))(t)
		modelstest.Answers(people.Of(p).Invite(ctx, ada))(t, "who is not won", store.Invalid)
		modelstest.Must(people.Of(p).MoveCard(ctx, ada, people.CardTarget{StageID: stages["Won"].ID}))(t)
		modelstest.Emitted(t, f)
		modelstest.Must(people.Of(p).MoveStatuses(ctx, []people.StatusMove{{ContactID: ada, To: ""}}, true))(t)
		modelstest.Want(t, "the status",
			modelstest.Must(people.Of(p).Invite(ctx, ada))(t), (people.StatusMove{ContactID: ada,
				To: models.Invited}))
		modelstest.Answers(people.Of(p).Invite(ctx, ada))(t, "who was invited", store.Invalid)
		modelstest.WantAll(t, "emitted", modelstest.EmittedTypes(t, f), nil)
	})
}

func TestTheCardsOfAStageThatGoesGoWhereTheyAreSent(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, d, stages := t.Context(), modelstest.DirectoryOf(f), stagesOf(t, f)
		ids := prospects(t, f, "Ada", "Bob", "Cleo")
		here, there := f.Programme(), f.Elsewhere()
		modelstest.Must(people.Of(here).AddCards(ctx, ids[:2], stages["Idea"].ID))(t)
		modelstest.Must(people.Of(here).AddCards(ctx, ids[2:], stages["Contacted"].ID))(t)
		modelstest.Must(people.Of(there).AddCards(ctx, ids[:1], stages["Idea"].ID))(t)
		for _, into := range []string{"", "x", stages["Idea"].ID} {
			modelstest.Answers(people.In(d).RemoveStage(ctx, stages["Idea"].ID, into))(t, "without saying where", store.Invalid)
		}
		modelstest.Want(t, "cards moved",
			modelstest.Must(people.In(d).RemoveStage(ctx, stages["Idea"].ID, stages["Contacted"].ID))(t), 3)
		wantBoard(t, here, "Contacted 3: Cleo Ada Bob")
		wantBoard(t, there, "Contacted 1: Ada")
		moves := modelstest.Must(people.Of(here).CardMoves(ctx, ids[0]))(t)
		modelstest.Holds(t, len(moves) == 2 && moves[0].From == "Idea" && moves[0].To == "Contacted", "kept %+v", moves)
		modelstest.Want(t, "cards of an empty stage",
			modelstest.Must(people.In(d).RemoveStage(ctx, stages["In talks"].ID, ""))(t), 0)
		_, err := people.In(d).RemoveStage(ctx, stages["Contacted"].ID, stages["Won"].ID)
		modelstest.WantKind(t, "the last open stage", err, store.Invalid)
	})
}

func TestABoardShowsSomeOfManyInAsManyStatements(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p, stages := t.Context(), f.Programme(), stagesOf(t, f)
		ids := prospects(t, f, "Ada", "Bob", "Cleo", "Dan", "Eve")
		ada := ids[0]
		modelstest.Must(people.In(modelstest.DirectoryOf(f)).Update(ctx, ids[3], modelstest.Values("company_name", "Quay",
			"job_title", "Keeper")))(t)
		modelstest.Must(people.Of(p).AddCards(ctx, ids[:1], stages["Idea"].ID))(t)
		modelstest.Must(people.Of(f.Elsewhere()).AddCards(ctx, ids, stages["Idea"].ID))(t)
		for _, text := range []string{"The first", "The last"} {
			modelstest.Must(people.Of(p).AddContactNote(ctx, ada, text))(t)
			f.Clock.Move(time.Minute)
		}
		modelstest.Must(people.Of(f.Elsewhere()).AddContactNote(ctx, ada, "Of another event"))(t)
		cost := func() int {
			return len(f.Statement.During(func() { modelstest.Must(people.Of(p).Board(ctx, people.BoardSearch{Limit: 50}))(t) }))
		}
		few := cost()
		modelstest.Must(people.Of(p).AddCards(ctx, ids[1:], stages["Idea"].ID))(t)
		many := cost()
		modelstest.Holds(t, few == 3 && many == few, "a board of one card costs %d statements, one of five %d", few, many)
		for _, c := range []struct {
			q    people.BoardSearch
			want string
		}{
			{people.BoardSearch{Limit: 2}, "Idea 5: Bob Cleo"},
			{people.BoardSearch{Limit: 2, Offset: 2, StageID: stages["Idea"].ID}, "Idea 5: Dan Eve"},
			{people.BoardSearch{StageID: stages["Won"].ID}, ""},
			{people.BoardSearch{Filter: people.Filter{Text: "quay"}}, "Idea 1: Dan"},
			{people.BoardSearch{Filter: people.Filter{JobTitle: "keeper", Statuses: []string{models.Prospect}}}, "Idea 1: Dan"},
		} {
			modelstest.Want(t, fmt.Sprintf("%+v shows", c.q), shownBoard(t, p, c.q), c.want)
		}
		for who, want := range map[string]string{ada: stages["Idea"].ID, store.NewID(): ""} {
			all, card, err := people.Of(p).Standing(ctx, who)
			if err != nil || len(all) != 5 || (card == nil) != (want == "") || card != nil && (card.StageID != want || card.Since.IsZero()) {
				t.Errorf("%s stands at %+v among %d stages, %v", who, card, len(all), err)
			}
		}
		_, err := people.Of(p).Board(ctx, people.BoardSearch{Filter: people.Filter{TagIDs: []string{"x"}}})
		modelstest.WantKind(t, "a filter that there is not", err, store.Invalid)
		board := modelstest.Must(people.Of(p).Board(ctx, people.BoardSearch{Limit: 50}))(t)
		if last := board[0].Cards[4]; last.FullName != "Ada" || last.Note == nil || last.Note.Text != "The last" ||
			board[0].Cards[2].Company != "Quay" || board[0].Cards[2].JobTitle != "Keeper" || board[0].Cards[2].Note != nil {
			t.Errorf("shows %+v with %+v", last, last.Note)
		}
	})
}

func TestCardsComeAlongWithAMerge(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, here, there, stages := t.Context(), f.Programme(), f.Elsewhere(), stagesOf(t, f)
		ids := prospects(t, f, "Ada", "Twin", "Other")
		ada, twin := ids[0], ids[1]
		modelstest.Must(people.Of(here).AddCards(ctx, []string{ada}, stages["In talks"].ID))(t)
		modelstest.Must(people.Of(here).AddCards(ctx, []string{twin, ids[2]}, stages["Idea"].ID))(t)
		modelstest.Must(people.Of(there).AddCards(ctx, []string{twin}, stages["Won"].ID))(t)
		modelstest.Must(people.Of(here).AddContactNote(ctx, twin, "Asked in March."))(t)
		pair := people.MergePair{SurvivorID: ada, RemovedID: twin}
		c := modelstest.Must(people.In(modelstest.DirectoryOf(f)).Compare(ctx, pair))(t)
		modelstest.Want(t, "would move", c.Moves.Cards, 2)
		modelstest.Must(people.Of(here).MoveCard(ctx, twin, people.CardTarget{StageID: stages["Lost"].ID}))(t)
		pair.Version = c.Version
		o := modelstest.Must(people.In(modelstest.DirectoryOf(f)).Merge(ctx,
			[]people.MergePair{pair}))(t)[0]
		modelstest.Holds(t, o.Reason != "", "merged although a card moved meanwhile")
		modelstest.Merged(t, f, ada, twin)
		wantBoard(t, here, "Idea 1: Other; In talks 1: Ada")
		wantBoard(t, there, "Won 1: Ada")
		modelstest.Want(t, "has the moves", len(modelstest.Must(people.Of(here).CardMoves(ctx, ada))(t)), 3)
		moves := modelstest.Must(people.Of(there).CardMoves(ctx, ada))(t)
		modelstest.Holds(t, len(moves) == 1 && moves[0].To == "Won", "has the moves %+v elsewhere", moves)
		modelstest.Want(t, "has the notes",
			len(modelstest.Must(people.In(modelstest.DirectoryOf(f)).ContactNotes(ctx, ada, []string{f.Event.ID}))(t)), 1)
		_, lines, err := people.In(modelstest.DirectoryOf(f)).MergesInto(ctx, ada)
		modelstest.Fine(t, err)
		if text := fmt.Sprint(lines[0].Before); !strings.Contains(text, "stage:Lost") || !strings.Contains(text, "stage:Won") {
			t.Errorf("the activity keeps %s", text)
		}
		modelstest.WantSound(t, f)
	})
}

func TestErasingAndExportingKnowOfCards(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p, stages := t.Context(), f.Programme(), stagesOf(t, f)
		ids := prospects(t, f, "Ada", "Bob")
		modelstest.Must(people.Of(p).AddCards(ctx, ids, stages["Idea"].ID))(t)
		modelstest.Must(people.Of(f.Elsewhere()).AddCards(ctx, ids, stages["Won"].ID))(t)
		data := modelstest.First(people.In(modelstest.DirectoryOf(f)).PersonalData(ctx, ids[0]))(t)
		moves := data.Events[0].Moves
		modelstest.Holds(t, len(data.Events) == 2 && len(moves) == 1 && moves[0].Stage == "Idea", "exports %+v", data.Events)
		modelstest.Fine(t, people.In(modelstest.DirectoryOf(f)).Erase(ctx, ids[0]))
		wantBoard(t, p, "Idea 1: Bob")
		modelstest.Want(t, "moves are left",
			modelstest.RowsOf(t, f, "SELECT count(*) FROM sourcing_moves WHERE contact_id = $1", ids[0]), 0)
		modelstest.Want(t, "who was erased is placed",
			len(modelstest.Must(people.Of(p).AddCards(ctx, ids[:1], stages["Idea"].ID))(t)), 0)
		modelstest.WantSound(t, f)
	})
}
