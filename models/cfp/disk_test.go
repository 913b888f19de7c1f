package cfp_test

import (
	"sync"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// megabytes is a file of so many.
func megabytes(n int) models.Upload {
	return models.Upload{Name: "a.pdf", Content: append([]byte("%PDF-1.7 "), make([]byte, n<<20-9)...)}
}

func TestAStrangerDoesNotFillTheDisk(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		pl, s := c.Begin(t, f, "Ada", "Tides")
		bring := func(n int) error {
			_, err := pl.AttachFile(ctx, c.Event, s.ID, "slides", megabytes(n))
			return err
		}
		if err := bring(6); fields(err) != "slides" {
			t.Errorf("6 MB answer %v", err)
		}
		// At once no more than in turn.
		var all sync.WaitGroup
		errs := make([]error, 9)
		for i := range errs {
			all.Go(func() { errs[i] = bring(5) })
		}
		all.Wait()
		brought := 0
		for _, err := range errs {
			if store.KindOf(err) != store.TooMany { // others may change the same record at the same moment
				brought++
			}
		}
		if brought != 6 {
			t.Errorf("%d MB are brought", 5*brought)
		}
		modelstest.WantKind(t, "one more", bring(1), store.TooMany)
		// Who has proven the address brings more, and larger ones.
		f.Clock.Move(16 * time.Minute)
		pl = c.Prove(t, f, pl)
		modelstest.Fine(t, bring(12))
		// What was replaced goes within the hour, what stands stays.
		f.Clock.Move(61 * time.Minute)
		modelstest.Must(f.Store.SweepFiles(ctx, 50))(t)
		kept := int64(0)
		modelstest.Fine(t, f.Options.Files.Each(ctx, func(_ string, size int64) error { kept += size; return nil }))
		if kept != 12<<20 {
			t.Errorf("%d bytes are kept", kept)
		}
	})
}
