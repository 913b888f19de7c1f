package main

import "fmt"

// syncRounds is how often the two are measured, in turns.
const syncRounds = 12

// measureSync compares LECTERN_SQLITE_SYNC=full with normal: two servers, each on a database of its own, are
// written to in turns, so that other load on the machine affects both.
func measureSync(dir, binary string) {
	write := func(i int) string {
		return fmt.Sprintf(`{"title": "Written %d", "is_abstract": true, "description": "<p>Some text</p>"}`, i)
	}
	modes := []string{"full", "normal"}
	targets, alone, crowd := map[string]*target{}, map[string]*result{}, map[string]*result{}
	for _, mode := range modes {
		t, remove := newTarget("sqlite", dir, binary, "LECTERN_SQLITE_SYNC="+mode)
		defer remove()
		t.serve()
		defer t.stop()
		t.sequence(100, "POST", "/sessions/create", write)
		targets[mode], alone[mode], crowd[mode] = t, &result{}, &result{}
	}
	for round := range syncRounds {
		for i := range modes {
			mode := modes[(i+round)%len(modes)] // neither is always the first
			t := targets[mode]
			alone[mode].add(t.sequence(300, "POST", "/sessions/create", write))
			crowd[mode].add(together(*connections, func(i int) { t.send("POST", "/sessions/create", write(i)) }))
		}
	}
	fmt.Printf("%-34s %10s %9s %9s\n", "sqlite, creates", "per s", "p50 ms", "p99 ms")
	for _, mode := range modes {
		alone[mode].print(mode + ", one at a time")
		crowd[mode].print(fmt.Sprintf("%s, %d at once", mode, *connections))
	}
	fmt.Printf("full is %.2f times normal one at a time and %.2f at once; p99 %.2f and %.2f times\n",
		alone["full"].perSecond/alone["normal"].perSecond, crowd["full"].perSecond/crowd["normal"].perSecond,
		alone["full"].percentile(0.99)/alone["normal"].percentile(0.99),
		crowd["full"].percentile(0.99)/crowd["normal"].percentile(0.99))
}

// add appends another measurement of the same kind.
func (r *result) add(other *result) {
	took := float64(len(other.times)) / other.perSecond
	if r.perSecond > 0 {
		took += float64(len(r.times)) / r.perSecond
	}
	r.times = append(r.times, other.times...)
	r.perSecond = float64(len(r.times)) / took
}
