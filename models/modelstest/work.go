//go:build unix

package modelstest

import (
	"syscall"
	"testing"
	"time"
)

// GrowsNoFaster fails the test if work takes more than linearly longer for four times n than for n. Quadratic work
// would take sixteen times as long, so up to three times the linear time is accepted. It measures the process's CPU
// time, so it must not run in parallel with other tests.
func GrowsNoFaster(t *testing.T, n int, work func(n int)) {
	t.Helper()
	once, fourfold := time.Hour, time.Hour
	for try := range 20 {
		once, fourfold = min(once, processorTime(t, work, n)), min(fourfold, processorTime(t, work, 4*n))
		if fourfold < 8*once || try > 4 && fourfold < 12*once {
			return
		}
	}
	t.Errorf("n = %d takes %v, four times that %v", n, once, fourfold)
}

func processorTime(t *testing.T, work func(n int), n int) time.Duration {
	t.Helper()
	before := usage(t)
	work(n)
	return max(usage(t)-before, time.Microsecond)
}

func usage(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	Fine(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
