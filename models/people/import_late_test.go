package people_test

import (
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/people"
)

// TestWhoAppearsDuringAnImportIsTakenAsKnown adds and changes people of the file by hand while an import tells of them,
// and once more as it puts them in their places, which on SQLite nobody could.
func TestWhoAppearsDuringAnImportIsTakenAsKnown(t *testing.T) {
	t.Parallel()
	const file = "Name,Email,Company,Phone\nAda,ada@example.org,By file,+1 555 123 4567\n" +
		"Bob,bob@example.org,By file,+1 555 123 4567\nEva,eva@example.org,By file,+1 555 123 4567\nNew,new@example.org,By file,\n"
	for policy, want := range map[people.ImportPolicy]struct {
		updated, skipped int
		company, phone   string
	}{
		people.ImportFill:      {3, 0, "By hand", "+1 555 123 4567"},
		people.ImportOverwrite: {3, 0, "By file", "+1 555 123 4567"},
		people.ImportSkip:      {0, 3, "By hand", ""},
	} {
		t.Run(string(policy), func(t *testing.T) {
			modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
				ctx, p, embedded := t.Context(), f.Programme(), f.Programme().Embedded()
				byHand := func(name string) {
					modelstest.Must(p.CreateContact(ctx, models.NewContact{FirstName: name, CompanyName: "By hand",
						Email: strings.ToLower(name) + "@example.org"}))(t)
				}
				eva := modelstest.Must(p.CreateContact(ctx, models.NewContact{FirstName: "Eva", Email: "eva@example.org"}))(t)
				evaByHand := func() {
					modelstest.Must(people.In(p.Directory()).Update(ctx, eva.ID, modelstest.Values("company_name", "By hand")))(t)
				}
				var told, read, attempts, placed atomic.Int32
				stop := f.Statement.Watch(func(statement string) {
					_, table, _ := strings.Cut(statement, "INSERT INTO ")
					switch {
					case strings.HasPrefix(strings.Trim(table, "\"`"), "staged_new") && told.CompareAndSwap(0, 1):
						byHand("Ada")
						if embedded { // a later moment is none of anybody else
							byHand("Bob")
						}
						if policy == people.ImportSkip { // nobody known is read
							evaByHand()
						}
					case strings.HasPrefix(strings.Trim(table, "\"`"), "staged_read") && read.CompareAndSwap(0, 1):
						evaByHand() // who was read by now
					case strings.Contains(statement, "FOR NO KEY UPDATE OF h") && placed.CompareAndSwap(0, 1):
						byHand("Bob")
					}
					if strings.HasPrefix(statement, "CREATE TEMPORARY TABLE staged_new") {
						attempts.Add(1)
					}
				})
				i := modelstest.ImportPeople(t, f, file, policy)
				stop()
				if i.State != people.ImportFinished || i.Created != 1 || i.Updated != want.updated || i.Skipped != want.skipped ||
					attempts.Load() != 1 || placed.Load() != 1 && !embedded {
					t.Errorf("ended after %d attempts as %+v", attempts.Load(), i)
				}
				for _, name := range []string{"ada", "bob", "eva"} {
					is := modelstest.PersonBy(t, f, name+"@example.org")
					if is.CompanyName != want.company || is.Phone != want.phone {
						t.Errorf("%s is %+v", name, is.Contact)
					}
					lines := modelstest.Must(json.Marshal(modelstest.Must(p.Activity(ctx, is.ID))(t)))(t)
					if strings.Contains(string(lines), "By file") != (want.company == "By file") {
						t.Errorf("%s: %s", name, lines)
					}
				}
				modelstest.Want(t, "emitted", len(modelstest.ContactEmissions(t, f)), 1)
			})
		})
	}
}

// TestAnImportPutsPeopleInTheirPlacesByAsManyStatementsHoweverManyTheyAre counts what is asked from the moment on at
// which all rows wait in its own tables: others wait for that, with SQLite whoever writes.
func TestAnImportPutsPeopleInTheirPlacesByAsManyStatementsHoweverManyTheyAre(t *testing.T) {
	modelstest.InTurn(t)
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		placing := func(file string) (statements int) {
			stop := f.Statement.Watch(func(statement string) {
				_, table, _ := strings.Cut(statement, "INSERT INTO ")
				switch {
				case strings.HasPrefix(strings.Trim(table, "\"`"), "staged_"):
					statements = 0
				case !strings.Contains(statement, "contact_imports"): // what it says of itself each second
					statements++
				}
			})
			defer stop()
			if i := modelstest.ImportPeople(t, f, file, people.ImportOverwrite); i.State != people.ImportFinished {
				t.Fatalf("the import is %s: %s", i.State, i.Message)
			}
			return statements
		}
		few, more := placing(modelstest.ManyPeople(20)), placing(strings.ReplaceAll(modelstest.ManyPeople(400),
			"example.org", "example.com"))
		known := placing(strings.ReplaceAll(strings.ReplaceAll(modelstest.ManyPeople(400), "example.org", "example.com"),
			",Company ", ",Firm "))
		if few > 26 || more != few || known > 26 {
			t.Errorf("%d statements for 20, %d for 400 and %d for 400 who are known", few, more, known)
		}
	})
}
