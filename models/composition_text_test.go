package models_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestASharedTextIsEditedFromEitherSide(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		a := titled(t, f, "One")[0]
		s := modelstest.Must(p.Compose(ctx, []string{a.ID}, ""))(t)
		modelstest.Emitted(t, f)
		edit := func(id, title string, own, other *store.Time) error {
			f.Clock.Move(time.Minute)
			_, err := p.ChangeText(ctx, id, models.TextChange{Title: &title, UpdatedAt: own, OtherUpdatedAt: other})
			return err
		}
		for i, sides := range [][2]*models.Session{{s, a}, {a, s}} {
			own, other := now(t, f, sides[0]), now(t, f, sides[1])
			title := fmt.Sprint("Title ", i)
			modelstest.Fine(t, edit(own.ID, title, &own.UpdatedAt, &other.UpdatedAt))
			wantEmitted(t, f, "session.updated S-1", "session.updated A-1")
			if now(t, f, s).Title != title || now(t, f, a).Title != title {
				t.Error("it has two titles")
			}
			modelstest.Fine(t, edit(own.ID, title, &now(t, f, own).UpdatedAt, &now(t, f, other).UpdatedAt))
			wantEmitted(t, f) // which changed nothing

			// Either token may be the one that is outdated, by whatever was changed.
			own, other = now(t, f, sides[0]), now(t, f, sides[1])
			for _, moved := range []*models.Session{own, other} {
				modelstest.Must(p.UpdateSession(ctx, moved.ID,
					models.SessionChange{SessionInput: models.SessionInput{Capacity: store.Some(10 + i)}}))(t)
				modelstest.Emitted(t, f)
				modelstest.WantKind(t, "a stale "+moved.FriendlyID, edit(own.ID, "Lost", &own.UpdatedAt, &other.UpdatedAt),
					store.Stale)
				own, other = now(t, f, sides[0]), now(t, f, sides[1])
			}
			modelstest.WantKind(t, "who did not know of the other", edit(own.ID, "Lost", &own.UpdatedAt, nil), store.Stale)
			wantEmitted(t, f)
		}
		own, other := now(t, f, a), now(t, f, s)
		modelstest.Must(p.Detach(ctx, s.ID))(t)
		modelstest.WantKind(t, "detached since", edit(a.ID, "Lost", &own.UpdatedAt, &other.UpdatedAt), store.Stale)
		modelstest.Fine(t, edit(a.ID, "Its own", &own.UpdatedAt, nil))
		wantEmitted(t, f, "session.updated A-1")
		modelstest.WantKind(t, "no title", edit(a.ID, " ", nil, nil), store.Invalid)
		_, err := f.Elsewhere().ChangeText(ctx, s.ID, models.TextChange{Title: new("Theirs")})
		modelstest.WantKind(t, "of another event", err, store.NotFound)
		modelstest.Want(t, "the session's title changed", now(t, f, s).Title, other.Title)
	})
}

func TestATextSharedWithWhatIsInTheTrash(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		of := titled(t, f, "One", "Two")
		s := modelstest.Must(p.Compose(ctx, []string{of[0].ID}, ""))(t)
		modelstest.Must(p.DeleteSession(ctx, of[0].ID))(t)
		other := modelstest.Must(p.Counterpart(ctx, now(t, f, s)))(t)
		if other == nil || other.ID != of[0].ID {
			t.Fatalf("%+v", other)
		}
		modelstest.Must(p.ChangeText(ctx, s.ID, models.TextChange{Description: new("<p>Other</p>"), UpdatedAt: &s.UpdatedAt,
			OtherUpdatedAt: &other.UpdatedAt}))(t)
		modelstest.Want(t, "a restore would find two texts", now(t, f, of[0]).Description, "<p>Other</p>")
		gone := modelstest.Must(p.Compose(ctx, []string{of[1].ID}, ""))(t)
		modelstest.Must(p.DeleteSession(ctx, gone.ID))(t)
		_, err := p.ChangeText(ctx, of[1].ID, models.TextChange{Title: new("Lost")})
		modelstest.WantKind(t, "the text of a session in the Trash", err, store.NotFound)
		if other := modelstest.Must(p.Counterpart(ctx, now(t, f, of[1])))(t); other == nil || other.ID != gone.ID {
			t.Errorf("%+v", other)
		}
	})
}

func TestOfManyWhoEditASharedTextAtOnceOneDoes(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		a := titled(t, f, "One")[0]
		s := modelstest.Must(f.Programme().Compose(t.Context(), []string{a.ID}, ""))(t)
		sides := [][2]*models.Session{{s, now(t, f, a)}, {now(t, f, a), s}}
		modelstest.Emitted(t, f)
		var wg sync.WaitGroup
		results := make([]error, 8)
		for i := range results {
			wg.Go(func() {
				own, other := sides[i%2][0], sides[i%2][1]
				_, results[i] = f.Programme().ChangeText(context.Background(), own.ID, models.TextChange{
					Title: new(fmt.Sprint("By ", i)), UpdatedAt: &own.UpdatedAt, OtherUpdatedAt: &other.UpdatedAt})
			})
		}
		wg.Wait()
		won := 0
		for _, err := range results {
			if err == nil {
				won++
			} else {
				modelstest.WantKind(t, "the others", err, store.Stale)
			}
		}
		if won != 1 || now(t, f, s).Title != now(t, f, a).Title {
			t.Errorf("%d did", won)
		}
		wantEmitted(t, f, "session.updated S-1", "session.updated A-1")
	})
}
