package store_test

import (
	"context"
	"errors"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestACacheFindsTheLastStateAndForgetsWhenItIsFull(t *testing.T) {
	t.Parallel()
	ctx, cache, made := t.Context(), store.NewCache[string, int, string](2), 0
	get := func(key string, state int, wantMade bool) {
		t.Helper()
		before := made
		value, err := cache.Get(ctx, key, state, func() (string, error) { made++; return key, nil })
		if err != nil || value != key || (made > before) != wantMade {
			t.Errorf("%s of %d: %q, %v, made %t", key, state, value, err, made > before)
		}
	}
	get("a", 1, true)
	get("a", 1, false)
	get("b", 1, true)
	get("a", 2, true) // takes the place of the other state
	get("b", 1, false)
	get("a", 1, true)
	get("c", 1, true) // one too many
	get("a", 1, true)
	get("c", 1, false)
	boom := errors.New("boom")
	if _, err := cache.Get(ctx, "d", 1, func() (string, error) { return "", boom }); !errors.Is(err, boom) {
		t.Error(err)
	}
	get("d", 1, true)
}

func TestACacheNeitherTellsNorLearnsWithinATransaction(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		cache := store.NewCache[string, int, string](2)
		cache.Put(t.Context(), "k", 1, "outside")
		_, _, err := f.Once(t.Context(), models.OnceByForm("f", "r"), func(ctx context.Context) (string, error) {
			return cache.Get(ctx, "k", 1, func() (string, error) { return "inside", nil })
		})
		modelstest.Fine(t, err)
		kept := modelstest.Must(f.Answered(t.Context(), models.OnceByForm("f", "r")))(t)
		if value, _ := cache.Find(t.Context(), "k", 1); kept.Answer != "inside" || value != "outside" {
			t.Errorf("within %s, then %s", kept.Answer, value)
		}
	})
}
