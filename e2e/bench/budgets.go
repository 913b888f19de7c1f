package main

import (
	"fmt"
	"io"
)

// budget is the limit of a measurement on PostgreSQL: milliseconds at p50, bytes of a page, megabytes of a process; for
// a ratio and for answers a second it is the least. 0 means no budget.
type budget struct {
	name      string
	p50       float64
	bytes     int
	megabytes int
	atLeast   float64
	perSecond float64
}

// budgets are what the project promises on two quiet cores; docs/performance.md begins with the measured values.
var budgets = []budget{
	{name: "page: submissions", p50: 15},
	{name: "page: submissions, a track and a word", p50: 15},
	{name: "page: sessions by start", p50: 15},
	{name: "page: dashboard after a change", p50: 40},
	{name: "page: results by title, after a change", p50: 40},
	{name: "page: agenda", p50: 25, bytes: 250_000},
	{name: "page: agenda after a change", p50: 40},
	{name: "page: deliverables", p50: 40},
	{name: "page: whom to remind", p50: 40},
	{name: "search over pgbench", atLeast: 0.55},
	{name: "tool over REST", atLeast: 0.7},
	{name: "create, one at a time", p50: 2},
	{name: "update, one at a time", p50: 2},
	{name: "bulk of 100 creates", p50: 100},
	{name: "bulk of 100 updates", p50: 100},
	{name: "ready, 1,000,000 deliveries due", p50: 15},
	{name: "metrics, 1,000,000 due", p50: 250},
	{name: "sweepings, 1,000,000 due", p50: 5_000},
	{name: "move of all", megabytes: 200},
	{name: "public: agenda of a day after a change", p50: 15, bytes: 250_000},
	{name: "public: agenda of a day, packed", bytes: 40_000},
	{name: "public: agenda of a day not modified", p50: 1},
	{name: "public: agenda of a day kept, at once", perSecond: 5_000},
}

// measurement is the measured value of something with a budget.
type measurement struct {
	p50       float64
	bytes     int
	megabytes int
	ratio     float64
	perSecond float64
}

// measured holds PostgreSQL's values by name. Of several for one name, such as the dashboard's, the slowest counts.
var measured = map[string]measurement{}

// keep stores a measurement for the table at the end.
func keep(dialect, name string, m measurement) {
	if before, again := measured[name]; dialect != "postgres" || again && before.p50 > m.p50 {
		return
	}
	measured[name] = m
}

// printBudgets prints each budget with its measurement, and returns how many were missed.
func printBudgets(w io.Writer) (missed int) {
	if len(measured) == 0 {
		return 0
	}
	fmt.Fprintln(w, "| PostgreSQL | measured | budget | |\n|---|---|---|---|")
	line := func(name, found, most string, held bool) {
		verdict := "holds"
		if !held {
			verdict = "missed"
			missed++
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s |\n", name, found, most, verdict)
	}
	for _, b := range budgets {
		m, found := measured[b.name]
		if !found {
			fmt.Fprintf(w, "| %s | not measured | | |\n", b.name)
			continue
		}
		if b.p50 > 0 {
			line(b.name, fmt.Sprintf("%.1f ms", m.p50), fmt.Sprintf("%.0f ms", b.p50), m.p50 <= b.p50)
		}
		if b.bytes > 0 {
			line(b.name+", HTML", fmt.Sprintf("%d KB", m.bytes/1000), fmt.Sprintf("%d KB", b.bytes/1000), m.bytes <= b.bytes)
		}
		if b.megabytes > 0 {
			line(b.name+", memory", fmt.Sprintf("%d MB", m.megabytes), fmt.Sprintf("%d MB", b.megabytes), m.megabytes <= b.megabytes)
		}
		if b.perSecond > 0 {
			line(b.name, fmt.Sprintf("%.0f a second", m.perSecond), fmt.Sprintf("at least %.0f", b.perSecond), m.perSecond >= b.perSecond)
		}
		if b.atLeast > 0 {
			line(b.name, fmt.Sprintf("%.2f", m.ratio), fmt.Sprintf("at least %.2f", b.atLeast), m.ratio >= b.atLeast)
		}
	}
	fmt.Fprintf(w, "\n%d budgets missed\n", missed)
	return missed
}
