package main

import "fmt"

// unit is what a budget is in.
type unit string

const (
	milliseconds unit = "%.1f ms" // at p50
	kilobytes    unit = "%.0f KB"
	megabytes    unit = "%.0f MB" // of a process
	ratio        unit = "%.2f"
	perSecond    unit = "%.0f a second"
)

// budget is what a measurement on PostgreSQL may take: at most, or, of a ratio and of answers a second, at least.
type budget struct {
	name  string
	bound float64
	unit
}

// budgets are what the project promises on two quiet cores; docs/performance.md begins with what was measured of them.
var budgets = []budget{
	{"page: submissions", 15, milliseconds},
	{"page: submissions, a track and a word", 15, milliseconds},
	{"page: sessions by start", 15, milliseconds},
	{"page: dashboard after a change", 40, milliseconds},
	{"page: results by title, after a change", 40, milliseconds},
	{"page: agenda", 25, milliseconds},
	{"page: agenda", 250, kilobytes},
	{"page: agenda after a change", 40, milliseconds},
	{"page: deliverables", 40, milliseconds},
	{"page: whom to remind", 40, milliseconds},
	{"search over pgbench", 0.55, ratio},
	{"tool over REST", 0.7, ratio},
	{"create, one at a time", 2, milliseconds},
	{"update, one at a time", 2, milliseconds},
	{"bulk of 100 creates", 100, milliseconds},
	{"bulk of 100 updates", 100, milliseconds},
	{"ready, 1,000,000 deliveries due", 15, milliseconds},
	{"metrics, 1,000,000 due", 250, milliseconds},
	{"sweepings, 1,000,000 due", 5_000, milliseconds},
	{"move of all", 200, megabytes},
	{"public: agenda of a day after a change", 15, milliseconds},
	{"public: agenda of a day after a change", 250, kilobytes},
	{"public: agenda of a day, packed", 40, kilobytes},
	{"public: agenda of a day not modified", 1, milliseconds},
	{"public: agenda of a day kept, at once", 5_000, perSecond},
}

// measurement is what was measured, and in what.
type measurement struct {
	name string
	unit
}

// measured is what PostgreSQL took. The dashboard is measured in more than one event: the slowest counts.
var measured = map[measurement]float64{}

// keep notes a measurement for the table at the end.
func keep(dialect, name string, found float64, in unit) {
	if dialect == "postgres" {
		of := measurement{name, in}
		measured[of] = max(measured[of], found)
	}
}

// printBudgets prints what was measured against each budget, and returns how many were missed.
func printBudgets() (missed int) {
	if len(measured) == 0 {
		return 0
	}
	fmt.Println("| PostgreSQL | measured | budget | |\n|---|---|---|---|")
	for _, b := range budgets {
		found, is := measured[measurement{b.name, b.unit}]
		if !is {
			fmt.Printf("| %s | not measured | | |\n", b.name)
			continue
		}
		most, held := "%s", found <= b.bound
		if b.unit == ratio || b.unit == perSecond {
			most, held = "at least %s", found >= b.bound
		}
		verdict := "holds"
		if !held {
			verdict = "missed"
			missed++
		}
		fmt.Printf("| %s | "+string(b.unit)+" | "+most+" | %s |\n", b.name, found, fmt.Sprintf(string(b.unit), b.bound), verdict)
	}
	fmt.Printf("\n%d budgets missed\n", missed)
	return missed
}
