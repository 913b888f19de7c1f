package people_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/store"
)

// TestNobodyWaitsForAnImportToEnd asks for everything that changes people while an import holds locks on some. Changes
// of other people go through meanwhile.
func TestNobodyWaitsForAnImportToEnd(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "postgres")
	f.Store.Options.BriefWait = 20 * time.Millisecond
	ctx, p := t.Context(), f.Programme()
	known := modelstest.Contact(t, p, "Ada", "ada@example.org")
	twin := modelstest.Contact(t, p, "Ada", "ada@example.com")
	other := modelstest.Contact(t, p, "Eva", "eva@example.org")
	session := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "S"}))(t)
	board := modelstest.Must(people.In(p.Directory()).Stages(ctx))(t)
	i := modelstest.UploadPeople(t, p, "First name,Email,Company\nAda,ada@example.org,New\nNew,new@example.org,New\n")
	modelstest.Must(people.Of(p).StartImport(ctx, i.ID, people.ImportOverwrite))(t)

	name := func(text string) people.Change { return modelstest.Values("first_name", text) }
	type change struct {
		what string
		do   func(context.Context) error
	}
	waiting := []change{
		{"profile", func(ctx context.Context) error {
			return modelstest.ErrorOf(people.In(p.Directory()).Update(ctx, known.ID, name("Augusta")))
		}},
		{"travel", func(ctx context.Context) error {
			_, err := people.In(p.Directory()).Update(ctx, known.ID, modelstest.Values("hotel", "Sol"))
			return err
		}},
		{"address of the import", func(ctx context.Context) error {
			return modelstest.ErrorOf(p.CreateContact(ctx, models.NewContact{FirstName: "New", Email: "new@example.org"}))
		}},
		{"address of the import, on a session", func(ctx context.Context) error {
			_, err := p.ChangePeople(ctx, session.ID, models.PeopleChange{People: []models.Participation{
				{New: &models.NewContact{FirstName: "New", Email: "new@example.org"}}}})
			return err
		}},
		{"status", func(ctx context.Context) error {
			_, err := people.Of(p).MoveStatuses(ctx, []people.StatusMove{{ContactID: known.ID, To: "confirmed"}}, true)
			return err
		}},
		{"note", func(ctx context.Context) error {
			return modelstest.ErrorOf(people.Of(p).AddContactNote(ctx, known.ID, "Called"))
		}},
		{"photo", func(ctx context.Context) error { return modelstest.ErrorOf(p.Directory().RemovePhoto(ctx, known.ID)) }},
		{"merge", func(ctx context.Context) error {
			return modelstest.ErrorOf(people.In(f.Store.Directory(f.Event.OrganizationID, modelstest.Tester)).Merge(ctx,
				[]people.MergePair{{SurvivorID: known.ID, RemovedID: twin.ID}}))
		}},
		{"board", func(ctx context.Context) error {
			return modelstest.ErrorOf(people.Of(p).AddCards(ctx, []string{known.ID}, board[0].ID))
		}},
		{"event", func(ctx context.Context) error {
			return modelstest.ErrorOf(people.Of(f.Elsewhere()).PutAtEvent(ctx, known.ID))
		}},
	}
	free := []change{
		{"another person", func(ctx context.Context) error {
			return modelstest.ErrorOf(people.In(p.Directory()).Update(ctx, other.ID, name("Evi")))
		}},
		{"a session with the person", func(ctx context.Context) error {
			return modelstest.ErrorOf(p.ChangePeople(ctx, session.ID,
				models.PeopleChange{People: []models.Participation{{ContactID: known.ID}}}))
		}},
	}
	held := false
	stop := f.Statement.Watch(func(statement string) {
		if held || !strings.HasPrefix(statement, "INSERT INTO contact_values SELECT") {
			return
		}
		held = true // the last of what the import writes of people; it commits after this
		for _, c := range waiting {
			err := c.do(context.WithoutCancel(ctx))
			modelstest.WantKind(t, c.what, err, store.Unavailable)
			e := store.AsError(err)
			modelstest.Holds(t, e != nil && strings.Contains(e.Message, "import") &&
				strings.Contains(e.Message, "Try again in a few seconds."), "%s: %v", c.what, err)
		}
		for _, c := range free {
			modelstest.WantKind(t, c.what, c.do(context.WithoutCancel(ctx)), 0)
		}
	})
	modelstest.Must(people.RunImport(ctx, f.Store))(t)
	stop()
	if i = modelstest.Must(people.Of(p).ContactImport(ctx, i.ID))(t); !held || i.State != people.ImportFinished {
		t.Fatalf("the import is %s, held %t: %s", i.State, held, i.Message)
	}
	now := modelstest.Must(p.Directory().Person(ctx, known.ID))(t)
	modelstest.Holds(t, now.FirstName == "Ada" && now.CompanyName == "New" && now.Here.Hotel == "",
		"what was refused left something: %+v", now)
	for _, c := range waiting {
		if strings.HasPrefix(c.what, "address of the import") {
			continue // there by now
		}
		modelstest.WantKind(t, c.what+", once more", c.do(ctx), 0)
	}
}

// TestWhoAppearsDuringAnImportIsTakenAsKnown adds and changes people of the file by hand while the import writes about
// them, and again as it puts them in their places; on SQLite nobody could then.
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
				eva := modelstest.Contact(t, p, "Eva", "eva@example.org")
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
					modelstest.Holds(t, is.CompanyName == want.company && is.Phone == want.phone, "%s is %+v", name, is.Contact)
					lines := modelstest.Must(json.Marshal(modelstest.Must(p.Activity(ctx, is.ID))(t)))(t)
					modelstest.Want(t, name, strings.Contains(string(lines), "By file"), want.company == "By file")
				}
				modelstest.Want(t, "emitted", len(modelstest.ContactEmissions(t, f)), 1)
			})
		})
	}
}

// TestAnImportPutsPeopleInTheirPlacesByAsManyStatementsHoweverManyTheyAre counts the statements from the moment when
// all rows wait in the import's own tables: others wait for them, and on SQLite every writer does.
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
		modelstest.Holds(t, few <= 26 && more == few && known <= 26,
			"%d statements for 20, %d for 400 and %d for 400 who are known", few, more, known)
	})
}

// An import whose transaction the database makes begin again still belongs to its worker; another worker would end it
// as cut short.
func TestAnImportThatBeginsOnceMoreHoldsItsLease(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "postgres")
	for _, statement := range []string{
		"CREATE SEQUENCE tries", "CREATE SEQUENCE beats",
		`CREATE FUNCTION fail_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			IF NEW.state = 'finished' AND nextval('tries') = 1 THEN
				RAISE EXCEPTION 'once more' USING ERRCODE = '40001';
			ELSIF NEW.state = 'running' AND (SELECT is_called FROM tries) THEN
				PERFORM nextval('beats');
			END IF;
			RETURN NEW; END $$`,
		"CREATE TRIGGER fail_once BEFORE UPDATE ON contact_imports FOR EACH ROW EXECUTE FUNCTION fail_once()",
		`CREATE FUNCTION take_time() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			IF (SELECT is_called FROM tries) THEN PERFORM pg_sleep(2.5); END IF;
			RETURN NULL; END $$`,
		"CREATE TRIGGER take_time AFTER INSERT ON contacts FOR EACH STATEMENT EXECUTE FUNCTION take_time()",
	} {
		modelstest.Exec(t, f.SQL, statement)
	}
	i := modelstest.ImportPeople(t, f, "Name,Email\nAda Byron,ada@example.org\n", people.ImportFill)
	var tries, beats int64
	modelstest.Fine(t, f.SQL.QueryRowContext(t.Context(), "SELECT last_value FROM tries").Scan(&tries))
	modelstest.Fine(t, f.SQL.QueryRowContext(t.Context(), "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM beats").
		Scan(&beats))
	modelstest.Holds(t, i.State == people.ImportFinished && i.Created == 1 && tries == 2 && beats != 0,
		"%s with %d new after %d tries, and %d signs of life in the second", i.State, i.Created, tries, beats)
}
