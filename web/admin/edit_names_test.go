package admin_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"lectern/models/modelstest"
)

var (
	editDeclared = regexp.MustCompile(`(?:Name: |\bone\(|\blines\(|\btick\(|EditedMoment\()"([a-z_]+)"`)
	editUsed     = regexp.MustCompile(`(?:\be\.(?:Of|Set|Moved)\(|\basked\(|\bp\.Values\[)"([a-z_]+)"[\],)]`)
)

// TestFormsThatEditNameTheirOwnFields finds a handler or a template that names a field which its room's forms do not
// have: its value would be empty, and saving would clear what is stored.
func TestFormsThatEditNameTheirOwnFields(t *testing.T) {
	t.Parallel()
	for _, room := range []string{"agenda", "call", "people", "settings", "tasks"} {
		handlers := modelstest.Must(filepath.Glob(room + "/*.go"))(t)
		templates := modelstest.Must(filepath.Glob("../../views/pages/" + room + "/*.templ"))(t)
		declared, used := map[string]bool{}, 0
		for _, find := range []*regexp.Regexp{editDeclared, editUsed} {
			for _, path := range append(handlers, templates...) {
				for _, name := range find.FindAllStringSubmatch(string(modelstest.Must(os.ReadFile(path))(t)), -1) {
					if find == editDeclared {
						declared[name[1]] = declared[name[1]] || filepath.Ext(path) == ".go"
					} else if used++; !declared[name[1]] {
						t.Errorf("%s names the field %q, which no form of the room has", path, name[1])
					}
				}
			}
		}
		if used < 5 {
			t.Errorf("%s: only %d names were found", room, used)
		}
	}
}
