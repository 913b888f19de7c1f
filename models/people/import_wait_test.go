package people_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/store"
)

// TestNobodyWaitsForAnImportToEnd has everything that changes people asked for while an import holds them. What is of
// others goes through meanwhile.
func TestNobodyWaitsForAnImportToEnd(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "postgres")
	f.Store.Options.BriefWait = 20 * time.Millisecond
	ctx, p := t.Context(), f.Programme()
	known := modelstest.Must(p.CreateContact(ctx, models.NewContact{FirstName: "Ada", Email: "ada@example.org"}))(t)
	twin := modelstest.Must(p.CreateContact(ctx, models.NewContact{FirstName: "Ada", Email: "ada@example.com"}))(t)
	other := modelstest.Must(p.CreateContact(ctx, models.NewContact{FirstName: "Eva", Email: "eva@example.org"}))(t)
	session := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "S"}))(t)
	board := modelstest.Must(people.In(p.Directory()).Stages(ctx))(t)
	i := modelstest.UploadPeople(t, p, "First name,Email,Company\nAda,ada@example.org,New\nNew,new@example.org,New\n")
	modelstest.Must(people.Of(p).StartImport(ctx, i.ID, people.ImportOverwrite))(t)

	name := func(text string) people.Change { return people.Change{Values: map[string]string{"first_name": text}} }
	type change struct {
		what string
		do   func(context.Context) error
	}
	waiting := []change{
		{"profile", func(ctx context.Context) error {
			return modelstest.ErrorOf(people.In(p.Directory()).Update(ctx, known.ID, name("Augusta")))
		}},
		{"travel", func(ctx context.Context) error {
			_, err := people.In(p.Directory()).Update(ctx, known.ID, people.Change{Values: map[string]string{"hotel": "Sol"}})
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
			if e := store.AsError(err); e == nil || !strings.Contains(e.Message, "import") ||
				!strings.Contains(e.Message, "Try again in a few seconds.") {
				t.Errorf("%s: %v", c.what, err)
			}
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
	if now.FirstName != "Ada" || now.CompanyName != "New" || now.Here.Hotel != "" {
		t.Errorf("what was refused left something: %+v", now)
	}
	for _, c := range waiting {
		if strings.HasPrefix(c.what, "address of the import") {
			continue // there by now
		}
		modelstest.WantKind(t, c.what+", once more", c.do(ctx), 0)
	}
}
