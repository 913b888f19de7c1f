package models_test

import (
	"context"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
)

func TestAFormThatIsSentAgainMakesNothing(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		form := models.OnceByForm("f", "c")
		send := func(name string) (*store.KeptAnswer, bool, error) {
			return f.Once(ctx, form, func(ctx context.Context) (string, error) {
				row, err := p.CreateMetadata(ctx, models.Tags, models.NewMetadata{Name: name})
				if err != nil {
					return "", err
				}
				return row.ID, nil
			})
		}
		tags := func() []*models.Metadata {
			t.Helper()
			return modelstest.First(p.ListMetadata(ctx, models.Tags, "", store.Page{}))(t)
		}
		modelstest.Answers(send(""))(t, "without a name", store.Invalid)
		var kept [3]*store.KeptAnswer
		var again [3]bool
		modelstest.AllSucceed(t, 3, func(i int) (err error) {
			kept[i], again[i], err = send("Tides")
			return err
		})
		rows := tags()
		if len(rows) != 1 {
			t.Fatalf("three at once made %d", len(rows))
		}
		made := 0
		for i, kept := range kept {
			if !again[i] {
				made++
			}
			modelstest.Holds(t, kept.Answer == rows[0].ID && kept.Request == "c", "%+v", kept)
		}
		modelstest.Want(t, "think they made it", made, 1)
		f.Clock.Move(staff.LoginLifetime - time.Minute)
		if _, again, err := send("Tides"); err != nil || !again {
			t.Errorf("%v, %v", again, err)
		}
		f.Clock.Move(2 * time.Minute)
		if _, again, err := send("Tides"); err != nil || again {
			t.Errorf("after a login's time: %v, %v", again, err)
		}
	})
}

// ask makes a request, and returns its answer and whether it was answered before.
func ask(t *testing.T, f *modelstest.Fixture, once store.Once, answer string) (string, bool) {
	t.Helper()
	kept, again, err := f.Once(t.Context(), once, func(context.Context) (string, error) { return answer, nil })
	modelstest.Fine(t, err)
	return kept.Answer, again
}

// twoDoors returns a request of each kind; their answers are kept for different times.
func twoDoors(t *testing.T) (key, form store.Once) {
	return modelstest.Must(models.OnceByKey("someone", "k", "r"))(t), models.OnceByForm("k", "r")
}

func TestOldAnswersAreForgottenWhatOthersHoldIsNot(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		key, form := twoDoors(t)
		ask(t, f, key, "of a key")
		ask(t, f, form, "of a form")
		other := key
		for _, other.Key = range []string{"l", "m"} {
			ask(t, f, other, "of another")
		}
		count := func() int { return modelstest.RowsOf(t, f, "SELECT count(*) FROM kept_answers") }
		f.Clock.Move(24*time.Hour + time.Millisecond)
		if kept, err := f.Answered(ctx, key); kept != nil || err != nil {
			t.Errorf("an answer that is too old is given: %+v, %v", kept, err)
		}
		if f.Dialect() == "postgres" { // SQLite has one writer
			_, _, err := f.Once(ctx, key, func(context.Context) (string, error) {
				more, err := f.PruneAnswers(t.Context(), 10)
				if more || count() != 2 { // as others see them
					t.Errorf("%d are left while one is asked for again", count())
				}
				return "again", err
			})
			modelstest.Fine(t, err)
		} else {
			for _, want := range []bool{true, true, true, false} {
				modelstest.Want(t, "there may be more", modelstest.Must(f.PruneAnswers(ctx, 1))(t), want)
			}
			ask(t, f, key, "again")
		}
		modelstest.Want(t, "answers are kept", count(), 2)
		for once, want := range map[store.Once]string{key: "again", form: "of a form"} {
			answer, again := ask(t, f, once, "anew")
			modelstest.Holds(t, answer == want && again, "%s: %s, %t", once.Owner, answer, again)
		}
	})
}
