package sheet

import (
	"io"
	"maps"
	"slices"
	"strings"

	"lectern/models/frab"
	"lectern/models/store"
)

// faults are what is wrong with the rows of a table, and what it takes to give those back.
type faults struct {
	reasons map[int][]string // by the number of the row
	groups  map[string][]int // the rows that have an id, or else a title
	groupOf map[int]string
	firsts  map[string]int // the rows in which people, tracks and the like first stand, by their keys
}

func newFaults() faults {
	return faults{map[int][]string{}, map[string][]int{}, map[int]string{}, map[string]int{}}
}

// take notes a row with those of the same id, or of the same title: they are one session, or are told apart by their
// order.
func (f *faults) take(r row) {
	group := "id/" + store.Fold(r.cells["key"])
	if group == "id/" {
		group = "title/" + store.Fold(store.OneLine(r.cells["title"]))
	}
	f.groups[group] = append(f.groups[group], r.number)
	f.groupOf[r.number] = group
}

// add notes what is wrong with a row.
func (f *faults) add(number int, reason string) {
	f.reasons[number] = append(f.reasons[number], reason)
}

// WriteFaults writes the rows that cannot come, with what is wrong with each, as a table of its own: corrected, it can
// be brought as it is. Other rows of the same session and of the same title come along, without which the corrected one
// would be taken for another. later are those that were refused by their keys once the table was read.
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
