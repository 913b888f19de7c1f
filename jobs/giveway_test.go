package jobs

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestDeliveriesStandBackWhileChangesKeepComing(t *testing.T) {
	never := func() bool { return false }
	t.Run("until they pause", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r, start := &Runner{}, time.Now()
			go func() {
				for range 20 {
					r.Wake()
					time.Sleep(quiet / 2)
				}
			}()
			synctest.Wait()
			r.giveWay(never)
			if waited := time.Since(start); waited < 10*quiet || waited > 12*quiet {
				t.Errorf("stood back for %s; changes came for %s", waited, 10*quiet)
			}
		})
	})
	t.Run("but not for good", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r, start, done := &Runner{}, time.Now(), make(chan struct{})
			go func() {
				for {
					select {
					case <-done:
						return
					default:
						r.Wake()
						time.Sleep(quiet / 2)
					}
				}
			}()
			synctest.Wait()
			r.giveWay(never)
			waited := time.Since(start)
			close(done)
			time.Sleep(quiet)
			if waited < standBack || waited > standBack+quiet {
				t.Errorf("stood back for %s, want %s", waited, standBack)
			}
		})
	})
	t.Run("nor after one change long ago", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := &Runner{}
			r.Wake()
			time.Sleep(quiet)
			start := time.Now()
			r.giveWay(never)
			if waited := time.Since(start); waited != 0 {
				t.Errorf("stood back for %s", waited)
			}
		})
	})
}
