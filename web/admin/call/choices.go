package call

import (
	"slices"
	"strconv"
	"strings"

	"lectern/models/store"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// sentChoice is a row of choices that was sent: its text, its position, and the position that was typed for it.
type sentChoice struct {
	line     string
	row, to  int // from 1
	hasMoved bool
}

func lineOf(c sentChoice) string { return c.line }

// sentChoices returns the form's rows that have a text, in the order in which they stand.
func sentChoices(v *visit.Visit) (rows []sentChoice) {
	for i, text := range v.Values("choice") {
		if text = strings.Join(strings.Fields(text), " "); text == "" {
			continue
		}
		row := sentChoice{row: i + 1, to: i + 1, line: packLine(text, besideChoice(v, "choice_note", i),
			besideChoice(v, "choice_limit", i), besideChoice(v, "choice_was", i))}
		if n, err := strconv.Atoi(besideChoice(v, "choice_at", i)); err == nil {
			row.to, row.hasMoved = n, n != i+1
		}
		rows = append(rows, row)
	}
	return rows
}

// besideChoice returns what was sent beside a choice, "" for nothing.
func besideChoice(v *visit.Visit, name string, row int) string {
	if sent := v.Values(name); row < len(sent) {
		return strings.Join(strings.Fields(sent[row]), " ")
	}
	return ""
}

// inPlace orders rows by the positions typed: a row with another position than its own moves there, and all others keep
// their order.
func inPlace(rows []sentChoice) []sentChoice {
	moved := slices.DeleteFunc(slices.Clone(rows), func(c sentChoice) bool { return !c.hasMoved })
	slices.SortStableFunc(moved, func(a, b sentChoice) int { return a.to - b.to })
	placed := slices.DeleteFunc(slices.Clone(rows), func(c sentChoice) bool { return c.hasMoved })
	for _, c := range moved {
		placed = slices.Insert(placed, min(max(c.to-1, 0), len(placed)), c)
	}
	return placed
}

// arrangesChoices does what a button beside the choices says, and tells whether one was pressed.
func arrangesChoices(v *visit.Visit, e *page.Edit) bool {
	do, which, _ := strings.Cut(v.Value("do"), ":")
	step, moves := map[string]int{"up": -1, "down": 1}[do]
	switch {
	case do == "more":
		e.Set("options", e.Of("options")+moreRows)
	case moves:
		e.Set("options", steppedChoice(inPlace(sentChoices(v)), which, step))
	case do != "order":
		return false
	}
	return true
}

// steppedChoice moves the row of this number by one step.
func steppedChoice(rows []sentChoice, number string, step int) string {
	from := slices.IndexFunc(rows, func(c sentChoice) bool { return strconv.Itoa(c.row) == number })
	if to := from + step; from >= 0 && to >= 0 && to < len(rows) {
		rows[from], rows[to] = rows[to], rows[from]
	}
	return strings.Join(store.Map(rows, lineOf), "\n")
}
