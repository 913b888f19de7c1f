package sheet

import (
	"io"
	"maps"
	"slices"
	"strings"

	"lectern/models/frab"
	"lectern/models/store"
)

// faults are what is wrong with the rows of a table, and what is needed to write those rows out again.
type faults struct {
	reasons map[int][]string // by row number
	groups  map[string][]int // rows with the same id or, without one, the same title
	groupOf map[int]string
	firsts  map[string]int // the row in which each person, track and so on first occurs, by key
}

func newFaults() faults {
	return faults{map[int][]string{}, map[string][]int{}, map[int]string{}, map[string]int{}}
}

// take groups a row with those of the same id or title: they are one session, or are distinguished by their order.
func (f *faults) take(r row) {
	group := "id/" + store.Fold(r.cells["key"])
	if group == "id/" {
		group = "title/" + store.Fold(store.OneLine(r.cells["title"]))
	}
	f.groups[group] = append(f.groups[group], r.number)
	f.groupOf[r.number] = group
}

// add records a fault of a row.
func (f *faults) add(number int, reason string) {
	f.reasons[number] = append(f.reasons[number], reason)
}

// WriteFaults writes the rows that cannot come, each with its faults, as a table that can be brought once it is
// corrected. Other rows of the same session or title come along: without them a corrected row would get another key.
// later are rows that were refused, by key, after the table was read.
func (s *Sheet) WriteFaults(out io.Writer, later []frab.Skipped) error {
	for _, skipped := range later {
		key := s.frame.Prefix + strings.TrimPrefix(skipped.ID, s.frame.Prefix)
		if number, is := s.faults.firsts[key]; is {
			s.faults.add(number, skipped.Title+" "+skipped.Reason)
		} else if one := s.byKey[key]; one != nil {
			s.faults.add(one.number, skipped.Reason)
		}
	}
	given := map[int][]string{}
	for _, number := range slices.Sorted(maps.Keys(s.faults.reasons)) {
		reasons := s.faults.reasons[number]
		for i, reason := range reasons {
			reasons[i] = strings.TrimSuffix(reason, ".") + "."
		}
		given[number] = reasons
		group := s.faults.groupOf[number]
		if group == "title/" {
			continue
		}
		for _, other := range s.faults.groups[group] {
			if given[other] == nil {
				given[other] = s.faults.reasons[other]
			}
		}
	}
	return s.file.WriteFaulty(out, given)
}
