package site

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
)

func TestKeptPagesAreMadeOnceAndTakeNoMoreRoomThanTheyMay(t *testing.T) {
	t.Parallel()
	k, made := newKept[*answer](10_000), atomic.Int32{}
	page := func(bytes int) func() (*answer, error) {
		return func() (*answer, error) { made.Add(1); return newAnswer(200, make([]byte, bytes), keptPack), nil }
	}
	var readers sync.WaitGroup
	for range 20 {
		readers.Go(func() {
			if a, err := k.get("a", state{}, page(100)); err != nil || len(a.whole) != 100 {
				t.Error(err)
			}
		})
	}
	readers.Wait()
	if made.Load() != 1 {
		t.Errorf("made %d times", made.Load())
	}
	if _, err := k.get("a", state{now: 1}, page(100)); err != nil || made.Load() != 2 {
		t.Error("another state was not made anew")
	}
	for i := range 50 {
		if _, err := k.get(fmt.Sprint(i), state{}, page(1000)); err != nil {
			t.Fatal(err)
		}
		if k.used > k.room || len(k.all) != k.last.Len() {
			t.Fatalf("%d bytes for %d pages", k.used, len(k.all))
		}
	}
	before := made.Load()
	if _, _ = k.get("49", state{}, page(1000)); made.Load() != before {
		t.Error("the page that was asked for last was not kept")
	}
	boom := errors.New("boom")
	if _, err := k.get("x", state{}, func() (*answer, error) { return nil, boom }); !errors.Is(err, boom) {
		t.Error(err)
	}
	if a, err := k.get("x", state{}, page(1)); err != nil || len(a.whole) != 1 {
		t.Error("a failure was kept", err)
	}
}
