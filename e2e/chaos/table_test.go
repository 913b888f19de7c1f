package chaos

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"text/tabwriter"
)

// line is a line of the table.
type line struct {
	scenario, database string
	book               *book
	notes              []string
	done               bool
}

var table struct {
	sync.Mutex
	lines []*line
}

func addLine(scenario, database string, b *book) *line {
	table.Lock()
	defer table.Unlock()
	l := &line{scenario: scenario, database: database, book: b}
	table.lines = append(table.lines, l)
	return l
}

// note adds to the last column.
func (l *line) note(format string, values ...any) {
	l.notes = append(l.notes, fmt.Sprintf(format, values...))
}

// printTable prints what each trial counted. Unanswered writes may be there or
// not; cut are events whose one delivery was under way when things broke, which
// the contract allows to be missing; other are faults that are none of these.
func printTable() {
	table.Lock()
	defer table.Unlock()
	if len(table.lines) == 0 {
		return
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\nscenario\tdatabase\tacknowledged\tlost\tdoubled\tunanswered\tcut\tother\t ")
	for _, l := range table.lines {
		notes := strings.Join(l.notes, ", ")
		if !l.done {
			notes += " (not done)"
		}
		b := l.book
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t  %s\n", l.scenario, l.database,
			b.acknowledged, b.lost.total, b.doubled.total, b.unanswered, b.cut, b.other.total, notes)
	}
	w.Flush()
	fmt.Println("LECTERN_CHAOS_SEED:", seed)
}
