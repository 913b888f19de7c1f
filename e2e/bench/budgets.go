package main

import (
	"fmt"
	"io"
	"slices"
)

// unit is the unit of a budget.
type unit struct {
	name    string
	digits  int  // of the measured value, after the point
	atLeast bool // the budget is a minimum; otherwise it is a maximum
}

var (
	milliseconds = unit{" ms", 1, false} // at p50
	kilobytes    = unit{" KB", 0, false}
	megabytes    = unit{" MB", 0, false} // of a process
	ratio        = unit{"", 2, true}
	perSecond    = unit{" a second", 0, true}
)

// budget is the limit of a measurement on PostgreSQL.
type budget struct {
	name  string
	bound float64
	unit
}

// budgets are what the project promises on two quiet cores; docs/performance.md begins with the measured values.
var budgets = []budget{
	{"page: submissions", 15, milliseconds},
	{"page: submissions, a track and a word", 15, milliseconds},
	{"page: sessions by start", 15, milliseconds},
	{"page: dashboard after a change", 40, milliseconds},
	{"page: results by title, after a change", 40, milliseconds},
	{"page: agenda", 25, milliseconds},
	{"page: agenda, HTML", 250, kilobytes},
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
	{"move of all, memory", 200, megabytes},
	{"public: agenda of a day after a change", 15, milliseconds},
	{"public: agenda of a day after a change, HTML", 250, kilobytes},
	{"public: agenda of a day, packed, HTML", 40, kilobytes},
	{"public: agenda of a day not modified", 1, milliseconds},
	{"public: agenda of a day kept, at once", 5_000, perSecond},
}

// measured holds PostgreSQL's values by name. Of several for one name, such as the dashboard's, the worst counts.
var measured = map[string][]float64{}

// keep stores a measurement for the table at the end.
func keep(dialect, name string, found float64) {
	if dialect == "postgres" {
		measured[name] = append(measured[name], found)
	}
}

// printBudgets prints each budget with its measurement, and returns how many were missed.
func printBudgets(w io.Writer) (missed int) {
	if len(measured) == 0 {
		return 0
	}
	fmt.Fprintln(w, "| PostgreSQL | measured | budget | |\n|---|---|---|---|")
	for _, b := range budgets {
		all := measured[b.name]
		if len(all) == 0 {
			fmt.Fprintf(w, "| %s | not measured | | |\n", b.name)
			continue
		}
		words, found := "", slices.Max(all)
		held := found <= b.bound
		if b.atLeast {
			words, found = "at least ", slices.Min(all)
			held = found >= b.bound
		}
		verdict := "holds"
		if !held {
			verdict = "missed"
			missed++
		}
		fmt.Fprintf(w, "| %s | %.*f%s | %s%g%s | %s |\n", b.name, b.digits, found, b.unit.name, words, b.bound, b.unit.name, verdict)
	}
	fmt.Fprintf(w, "\n%d budgets missed\n", missed)
	return missed
}
