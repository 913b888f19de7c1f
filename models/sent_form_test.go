package models_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
)

func TestAFormThatIsSentAgainMakesNothing(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		form := models.SentForm{ID: "f", Content: "c"}
		send := func(name string) (*models.SentForm, error) {
			return f.Store.OnceForm(ctx, form, func(ctx context.Context) (string, error) {
				row, err := p.CreateMetadata(ctx, models.Tags, models.NewMetadata{Name: name})
				if err != nil {
					return "", err
				}
				return row.ID, nil
			})
		}
		tags := func() []*models.Metadata {
			t.Helper()
			rows, _, err := p.ListMetadata(ctx, models.Tags, "", models.Page{})
			fine(t, err)
			return rows
		}
		if _, err := send(""); models.KindOf(err) != models.Invalid {
			t.Errorf("without a name: %v", err)
		}
		var all sync.WaitGroup
		var befores [3]*models.SentForm
		var errs [3]error
		for i := range befores {
			all.Go(func() { befores[i], errs[i] = send("Tides") })
		}
		all.Wait()
		fine(t, errors.Join(errs[:]...))
		rows := tags()
		if len(rows) != 1 {
			t.Fatalf("three at once made %d", len(rows))
		}
		made := 0
		for _, before := range befores {
			if before == nil {
				made++
			} else if before.Answer != rows[0].ID || before.Content != "c" {
				t.Errorf("%+v", before)
			}
		}
		if made != 1 {
			t.Errorf("%d think they made it", made)
		}
		f.Clock.Move(models.LoginLifetime - time.Minute)
		if before, err := send("Tides"); err != nil || before == nil {
			t.Errorf("%v, %v", before, err)
		}
		f.Clock.Move(2 * time.Minute)
		if before, err := send("Tides"); err != nil || before != nil {
			t.Errorf("after a login's time: %v, %v", before, err)
		}
	})
}
