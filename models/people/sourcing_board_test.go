package people_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/store"
)

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
		if many := cost(); few != 3 || many != few {
			t.Errorf("a board of one card costs %d statements, one of five %d", few, many)
		}
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
			if got := shownBoard(t, p, c.q); got != c.want {
				t.Errorf("%+v shows %q, want %q", c.q, got, c.want)
			}
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
		if c.Moves.Cards != 2 {
			t.Errorf("would move %+v", c.Moves)
		}
		modelstest.Must(people.Of(here).MoveCard(ctx, twin, people.CardTarget{StageID: stages["Lost"].ID}))(t)
		pair.Version = c.Version
		if o := modelstest.Must(people.In(modelstest.DirectoryOf(f)).Merge(ctx,
			[]people.MergePair{pair}))(t)[0]; o.Reason == "" {
			t.Error("merged although a card moved meanwhile")
		}
		modelstest.Merged(t, f, ada, twin)
		wantBoard(t, here, "Idea 1: Other; In talks 1: Ada")
		wantBoard(t, there, "Won 1: Ada")
		modelstest.Want(t, "has the moves", len(modelstest.Must(people.Of(here).CardMoves(ctx, ada))(t)), 3)
		if moves := modelstest.Must(people.Of(there).CardMoves(ctx, ada))(t); len(moves) != 1 || moves[0].To != "Won" {
			t.Errorf("has the moves %+v elsewhere", moves)
		}
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
		if moves := data.Events[0].Moves; len(data.Events) != 2 || len(moves) != 1 || moves[0].Stage != "Idea" {
			t.Errorf("exports %+v", data.Events)
		}
		modelstest.Fine(t, people.In(modelstest.DirectoryOf(f)).Erase(ctx, ids[0]))
		wantBoard(t, p, "Idea 1: Bob")
		modelstest.Want(t, "moves are left",
			modelstest.RowsOf(t, f, "SELECT count(*) FROM sourcing_moves WHERE contact_id = $1", ids[0]), 0)
		modelstest.Want(t, "who was erased is placed",
			len(modelstest.Must(people.Of(p).AddCards(ctx, ids[:1], stages["Idea"].ID))(t)), 0)
		modelstest.WantSound(t, f)
	})
}
