package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

// result holds the times of one measurement.
type result struct {
	times []time.Duration
	took  time.Duration // all of them; less than their sum where they ran at once
	floor *result
}

// time calls do, and appends how long it took.
func (r *result) time(do func()) {
	began := time.Now()
	do()
	took := time.Since(began)
	r.times, r.took = append(r.times, took), r.took+took
}

// add appends another measurement of the same kind.
func (r *result) add(other *result) {
	r.times, r.took = append(r.times, other.times...), r.took+other.took
}

func (r *result) perSecond() float64 { return float64(len(r.times)) / r.took.Seconds() }

// load sends requests on all connections for the time of one measurement.
func (t *target) load(method, path string, body func(int) string) *result {
	for range 50 {
		t.send(method, path, body(0))
	}
	return together(*connections, func(i int) { t.send(method, path, body(i)) })
}

// together calls ask on several connections at once for the time of one measurement.
func together(connections int, ask func(int)) *result {
	var count atomic.Int64
	var wait sync.WaitGroup
	each := make([]result, connections)
	start := time.Now()
	end := start.Add(time.Duration(*seconds) * time.Second)
	for c := range connections {
		wait.Go(func() {
			for time.Now().Before(end) {
				each[c].time(func() { ask(int(count.Add(1))) })
			}
		})
	}
	wait.Wait()
	all := &result{}
	for _, r := range each {
		all.add(&r)
	}
	all.took = time.Since(start)
	return all
}

// sequence sends n requests, one after the other.
func (t *target) sequence(n int, method, path string, body func(int) string) *result {
	r := &result{}
	for i := range n {
		r.time(func() { t.send(method, path, body(i)) })
	}
	return r
}

func (r *result) percentile(p float64) float64 {
	slices.Sort(r.times)
	return ms(r.times[int(p*float64(len(r.times)-1))])
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func (r *result) print(name string) {
	fmt.Printf("%-34s %10.0f %9.2f %9.2f", name, r.perSecond(), r.percentile(0.5), r.percentile(0.99))
	if r.floor != nil {
		fmt.Printf(" %9.0f %9.2f %8.2f", r.floor.perSecond(), r.floor.percentile(0.99), r.perSecond()/r.floor.perSecond())
	}
	fmt.Println()
}

func freeAddress() string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	defer listener.Close()
	return listener.Addr().String()
}

// spent is the processor time of the server and of its PostgreSQL backends; 0 for a PostgreSQL on another machine.
type spent struct{ server, database time.Duration }

func (t *target) spent() spent {
	s := spent{server: processorTime(t.process.Process.Pid)}
	if strings.HasPrefix(t.database, "postgres") {
		conn := connect(t.database)
		defer conn.Close(context.Background())
		rows, err := conn.Query(context.Background(), "SELECT pid FROM pg_stat_activity "+
			"WHERE datname = current_database() AND application_name LIKE 'lectern %'")
		check(err)
		pids, err := pgx.CollectRows(rows, pgx.RowTo[int])
		check(err)
		for _, pid := range pids {
			s.database += processorTime(pid)
		}
	}
	return s
}

func (s spent) since(before spent) spent {
	return spent{s.server - before.server, s.database - before.database}
}

func (s spent) String() string {
	return fmt.Sprintf("processor: server %.2f s, database %.2f s", s.server.Seconds(), s.database.Seconds())
}

// processorTime returns a process's time from /proc, which counts in hundredths of a second.
func processorTime(pid int) time.Duration {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, after, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(after)
	if len(fields) < 13 {
		return 0
	}
	var user, system int
	fmt.Sscan(fields[11], &user)
	fmt.Sscan(fields[12], &system)
	return time.Duration(user+system) * 10 * time.Millisecond
}
