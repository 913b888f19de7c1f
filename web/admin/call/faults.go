package call

import (
	"strconv"
	"strings"

	"lectern/views/components"
	pages "lectern/views/pages/call"
	"lectern/web/page"
)

// formNames are the form's names of fields that models name differently.
var formNames = map[string]string{"max_length": "limit", "max_words": "limit", "max_bytes": "size", "file_kinds": "kinds",
	"question": "after", "answers": "after", "asked_if": "after"}

// questionFaults renames the faults of a question to the fields and labels of its form. A fault of a choice becomes one
// of its row.
func questionFaults(faults components.Faults, p pages.QuestionPage, e *page.Edit) (named components.Faults) {
	var rows []int // rows of the choices that were sent
	for i, offer := range p.Offers {
		if offer.Offered || !p.FromRows && offer.Value != "" {
			rows = append(rows, i+1)
		}
	}
	for _, f := range faults {
		if field, is := formNames[f.Field]; is {
			f.Field = field
		}
		if at, is := strings.CutPrefix(f.Field, "options["); is {
			if i, err := strconv.Atoi(strings.TrimSuffix(at, "]")); err == nil && i < len(rows) {
				f.Field, f.Label = "choice-"+strconv.Itoa(rows[i]), "Choice "+strconv.Itoa(rows[i])
			}
		}
		if label := e.Label(f.Field); label != "" {
			f.Label = label
		}
		named = append(named, f)
	}
	return named
}
