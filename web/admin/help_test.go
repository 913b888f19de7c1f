package admin_test

import (
	"strings"
	"testing"

	"lectern/web/admin/admintest"
	"lectern/web/admin/visit"
)

// Each page of the admin leads to the part of the documentation that is about it, but for those that are about nothing.
func TestEachPageLeadsToItsPartOfTheDocumentation(t *testing.T) {
	d := admintest.Open(t)
	about := map[string]int{}
	for _, r := range d.Routes() {
		if r.Method != "GET" || strings.HasSuffix(r.Path, ".csv") || strings.HasSuffix(r.Path, "/find") { // no pages
			continue
		}
		to := visit.HelpOf(r.Path)
		if about[to]++; to == "/docs" {
			t.Errorf("%s leads to the contents alone", r.Path)
		}
	}
	if len(about) < 12 {
		t.Errorf("pages lead to %v", about)
	}
}
