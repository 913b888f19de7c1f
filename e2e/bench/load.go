package main

import (
	"fmt"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// result holds the times of one measurement.
type result struct {
	perSecond float64
	times     []time.Duration
	floor     *result
}

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
	times := make([][]time.Duration, connections)
	start := time.Now()
	end := start.Add(time.Duration(*seconds) * time.Second)
	for c := range connections {
		wait.Go(func() {
			for time.Now().Before(end) {
				began := time.Now()
				ask(int(count.Add(1)))
				times[c] = append(times[c], time.Since(began))
			}
		})
	}
	wait.Wait()
	r := &result{perSecond: float64(count.Load()) / time.Since(start).Seconds()}
	for _, t := range times {
		r.times = append(r.times, t...)
	}
	return r
}

// sequence sends n requests, one after the other.
func (t *target) sequence(n int, method, path string, body func(int) string) *result {
	r := &result{}
	start := time.Now()
	for i := range n {
		began := time.Now()
		t.send(method, path, body(i))
		r.times = append(r.times, time.Since(began))
	}
	r.perSecond = float64(n) / time.Since(start).Seconds()
	return r
}

func (r *result) percentile(p float64) float64 {
	slices.Sort(r.times)
	return float64(r.times[int(p*float64(len(r.times)-1))].Microseconds()) / 1000
}

func (r *result) print(name string) {
	fmt.Printf("%-34s %10.0f %9.2f %9.2f", name, r.perSecond, r.percentile(0.5), r.percentile(0.99))
	if r.floor != nil {
		fmt.Printf(" %9.0f %9.2f %8.2f", r.floor.perSecond, r.floor.percentile(0.99), r.perSecond/r.floor.perSecond)
	}
	fmt.Println()
}

func freeAddress() string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	defer listener.Close()
	return listener.Addr().String()
}
