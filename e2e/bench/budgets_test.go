package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lectern/models/modelstest"
)

// found is a table of budgets that somebody reads: what each may take, and what is said of it.
type found struct{ name, most, verdict string }

func readTable(text string) (rows []found) {
	for _, m := range regexp.MustCompile(`(?m)^\| (.+) \| .+ \| (.+) \| (.+) \|$`).FindAllStringSubmatch(text, -1) {
		rows = append(rows, found{m[1], m[2], m[3]})
	}
	return rows
}

// printed is what the bench ends with.
func printed(of map[string][]float64) (table string, missed int) {
	was := measured
	defer func() { measured = was }()
	measured = of
	var out strings.Builder
	missed = printBudgets(&out)
	return out.String(), missed
}

// TestTheTableSaysWhichBudgetsAreMissed measures all of them at what they may take, and then once more, a little worse.
func TestTheTableSaysWhichBudgetsAreMissed(t *testing.T) {
	good, bad := map[string][]float64{}, map[string][]float64{}
	for _, b := range budgets {
		good[b.name], bad[b.name] = []float64{b.bound}, []float64{b.bound, b.bound * 1.001, b.bound}
		if b.atLeast {
			bad[b.name][1] = b.bound * 0.999
		}
	}
	for verdict, of := range map[string]map[string][]float64{"holds": good, "missed": bad} {
		text, missed := printed(of)
		rows := readTable(text)
		if want := map[string]int{"missed": len(rows)}[verdict]; missed != want || len(rows) != len(budgets) {
			t.Errorf("%s: %d are missed, want %d, of %d rows", verdict, missed, want, len(rows))
		}
		for _, row := range rows {
			if row.verdict != verdict {
				t.Errorf("%s %s, where it %s", row.name, row.verdict, verdict)
			}
		}
	}
	if text, _ := printed(map[string][]float64{budgets[0].name: {0}}); strings.Count(text, "not measured") != len(budgets)-1 {
		t.Errorf("what was not measured is not said: %s", text)
	}
}

// TestTheDocumentBeginsWithTheBudgets holds the first table of docs/performance.md against them. It may say more of what
// was measured there.
func TestTheDocumentBeginsWithTheBudgets(t *testing.T) {
	text := modelstest.Must(os.ReadFile("../../docs/performance.md"))(t)
	_, table, _ := strings.Cut(string(text), "|---|---|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	said := readTable(table)
	all := map[string][]float64{}
	for _, b := range budgets {
		all[b.name] = []float64{0}
	}
	promised, _ := printed(all)
	for _, b := range readTable(promised) {
		at := slices.IndexFunc(said, func(row found) bool { return strings.HasPrefix(row.name, b.name) && row.most == b.most })
		if at < 0 {
			t.Errorf("no row says that %s may take %s", b.name, b.most)
			continue
		}
		said = slices.Delete(said, at, at+1)
	}
	for _, row := range said {
		t.Errorf("%s is no budget of %s", row.name, row.most)
	}
}
