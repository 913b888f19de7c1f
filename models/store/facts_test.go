package store

import (
	"slices"
	"strings"
	"testing"
)

// TestProcessesAreToldApart: replicas have long names that differ at either end, and the same process number.
func TestProcessesAreToldApart(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 80)
	var names []string
	for _, host := range []string{"a", "lectern-production-europe-7c9d8f6b5-abcde",
		"lectern-production-europe-7c9d8f6b5-fghij", "one.rack-7.hall-b.frankfurt.example.org", "two.rack-7.hall-b.frankfurt.example.org", long} {
		name := processName(host, 4194304)
		if names = append(names, name); !strings.HasSuffix(name, "/4194304") || len(name) > longestHost+8 {
			t.Errorf("%s is called %s", host, name)
		}
		var marks []string
		const long = "v1.0.1-0.20261128124950-997cefcc1234"
		for _, version := range []string{"1.0", long, long + "+dirty"} {
			mark := markOf(name, version)
			if marks = append(marks, mark); len(mark) > markRoom || !strings.HasPrefix(mark, processMark+name+" ") {
				t.Errorf("%s of version %s says %q", host, version, mark)
			}
		}
		if slices.Sort(marks); len(slices.Compact(marks)) != 3 {
			t.Errorf("versions are one: %q", marks)
		}
	}
	if slices.Sort(names); len(slices.Compact(names)) != 6 {
		t.Errorf("machines are one: %q", names)
	}
}
