package models_test

import (
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
)

// TestWhoAppearsDuringAnImportIsTakenAsKnown adds and changes people of the file by hand while an import tells of them,
// and once more as it puts them in their places. SQLite has one writer, so there nobody could.
func TestWhoAppearsDuringAnImportIsTakenAsKnown(t *testing.T) {
	t.Parallel()
	const file = "Name,Email,Company,Phone\nAda,ada@example.org,By file,+1 555 123 4567\n" +
		"Bob,bob@example.org,By file,+1 555 123 4567\nEva,eva@example.org,By file,+1 555 123 4567\nNew,new@example.org,By file,\n"
	for policy, want := range map[models.ImportPolicy]struct {
		updated, skipped int
		company, phone   string
	}{
		models.ImportFill:      {3, 0, "By hand", "+1 555 123 4567"},
		models.ImportOverwrite: {3, 0, "By file", "+1 555 123 4567"},
		models.ImportSkip:      {0, 3, "By hand", ""},
	} {
		t.Run(string(policy), func(t *testing.T) {
			t.Parallel()
			f := modelstest.Open(t, "postgres")
			ctx, p := t.Context(), f.Programme()
			byHand := func(name string) {
				modelstest.Must(p.CreateContact(ctx, models.NewContact{FirstName: name, CompanyName: "By hand",
					Email: strings.ToLower(name) + "@example.org"}))(t)
			}
			eva := modelstest.Must(p.CreateContact(ctx, models.NewContact{FirstName: "Eva", Email: "eva@example.org"}))(t)
			var told, attempts, placed atomic.Int32
			stop := f.Statement.Watch(func(statement string) {
				switch {
				case strings.HasPrefix(statement, `INSERT INTO "activity"`) && told.CompareAndSwap(0, 1),
					policy == models.ImportSkip && strings.HasPrefix(statement, `INSERT INTO "staged_new"`) && told.CompareAndSwap(0, 1):
					byHand("Ada")
					modelstest.Must(p.Directory().UpdatePerson(ctx, eva.ID, values("company_name", "By hand")))(t)
				case strings.Contains(statement, "FOR NO KEY UPDATE OF h") && placed.CompareAndSwap(0, 1):
					byHand("Bob")
				}
				if strings.HasPrefix(statement, "CREATE TEMPORARY TABLE staged_new") {
					attempts.Add(1)
				}
			})
			i := imported(t, f, file, policy)
			stop()
			if i.State != models.ImportFinished || i.Created != 1 || i.Updated != want.updated || i.Skipped != want.skipped ||
				attempts.Load() != 1 || placed.Load() != 1 {
				t.Errorf("ended after %d attempts as %+v", attempts.Load(), i)
			}
			for _, name := range []string{"ada", "bob", "eva"} {
				is := person(t, f, name+"@example.org")
				if is.CompanyName != want.company || is.Phone != want.phone {
					t.Errorf("%s is %+v", name, is.Contact)
				}
				lines := modelstest.Must(json.Marshal(modelstest.Must(p.Activity(ctx, is.ID))(t)))(t)
				if strings.Contains(string(lines), "By file") != (want.company == "By file") {
					t.Errorf("%s: %s", name, lines)
				}
			}
			if got := contactEmissions(t, f); len(got) != 1 {
				t.Errorf("emitted %v", got)
			}
		})
	}
}
