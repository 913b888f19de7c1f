package people_test

import (
	"testing"

	"lectern/models"
)

func TestNamesAreSortedAsEditorsSortThem(t *testing.T) {
	t.Parallel()
	for _, x := range []struct{ first, last, sort, want string }{
		{"Ada", "Byron", "", "Byron, Ada"},
		{"Ada", "Byron", "Lovelace", "Lovelace"},
		{"Anna", "van der Berg", "", "Berg, Anna van der"},
		{"Anna", "van der Berg", "van der Berg", "van der Berg"},
		{"Ursula", "von der Leyen", "", "Leyen, Ursula von der"},
		{"Gerard", "'t Hooft", "", "Hooft, Gerard 't"},
		{"Jean", "de La Fontaine", "", "La Fontaine, Jean de"},
		{"Anna", "Van Damme", "", "Van Damme, Anna"},
		{"Gabriel", "García Márquez", "", "García Márquez, Gabriel"},
		{"José", "Ortega y Gasset", "", "Ortega y Gasset, José"},
		{"Juana", "de la Cruz", "", "Cruz, Juana de la"},
		{"bell", "hooks", "", "hooks, bell"},
		{"maria", "de souza", "", "de souza, maria"},
		{"田辺", "由紀", "", "田辺 由紀"},
		{"김", "민준", "", "김 민준"},
		{"王小明", "", "", "王小明"},
		{"田辺", "由紀", "たなべ ゆき", "たなべ ゆき"},
		{"سارة", "الحسن", "", "الحسن, سارة"},
		{"Cher", "", "", "Cher"},
		{"", "Christo", "", "Christo"},
		{"Tim", "O’Reilly", "", "O’Reilly, Tim"},
		{"X", "42", "", "42, X"},
	} {
		c := &models.Contact{FirstName: x.first, LastName: x.last, SortName: x.sort}
		c.Index()
		if got := c.SortedUnder(); got != x.want {
			t.Errorf("%s %s is sorted under %q", x.first, x.last, got)
		}
	}
}
