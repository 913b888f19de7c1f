package models_test

import (
	"sync"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
)

func TestSetUpMakesOneOwnerOnce(t *testing.T) {
	t.Parallel()
	for _, dialect := range modelstest.Dialects {
		for _, name := range []string{"with events", "empty"} {
			t.Run(dialect+" "+name, func(t *testing.T) {
				t.Parallel()
				var store *models.Store
				if name == "empty" {
					store = modelstest.Must(models.Open(t.Context(), modelstest.Database(t, dialect), models.Options{}))(t)
					t.Cleanup(func() { store.Close() })
				} else {
					store = modelstest.Open(t, dialect).Store
				}
				setUpOnce(t, store, name == "empty")
			})
		}
	}
}

func setUpOnce(t *testing.T, store *models.Store, empty bool) {
	ctx := t.Context()
	there, events, err := store.Prepared(ctx)
	if err != nil || empty != (there == nil) || empty != (len(events) == 0) {
		t.Fatalf("prepared are %v, %v, %v", there, events, err)
	}
	good := models.Setup{Organization: " Conferences ", Owner: models.NewUser{Email: "ada@example.org", Name: "Ada", Role: "king", Password: secretPhrase}}
	want := "Conferences"
	if !empty { // what is there keeps its name
		good.Organization, want = "", there.Name
	} else {
		_, err := store.SetUp(ctx, models.Setup{Organization: " ", Owner: good.Owner})
		wantKind(t, "no organization", err, models.Invalid)
	}
	for name, spoil := range map[string]func(*models.Setup){
		"no address": func(s *models.Setup) { s.Owner.Email = "ada" },
		"no name":    func(s *models.Setup) { s.Owner.Name = "" }, "a short password": func(s *models.Setup) { s.Owner.Password = "short" },
	} {
		bad := good
		spoil(&bad)
		_, err := store.SetUp(ctx, bad)
		wantKind(t, name, err, models.Invalid)
	}
	if needed, err := store.NeedsSetup(ctx); !needed || err != nil {
		t.Fatalf("setup is needed: %v, %v", needed, err)
	}
	var both sync.WaitGroup
	users, errs := make([]*models.User, 2), make([]error, 2)
	for i := range 2 {
		both.Go(func() {
			n := good
			n.Owner.Email = []string{"ada@example.org", "eve@example.org"}[i]
			users[i], errs[i] = store.SetUp(ctx, n)
		})
	}
	both.Wait()
	winner := 0
	if errs[0] != nil {
		winner = 1
	}
	wantKind(t, "the first", errs[winner], 0)
	wantKind(t, "the second", errs[1-winner], models.NotFound)
	if needed, err := store.NeedsSetup(ctx); needed || err != nil {
		t.Errorf("setup is needed: %v, %v", needed, err)
	}
	_, err = store.SetUp(ctx, good)
	wantKind(t, "a third", err, models.NotFound)
	owner := users[winner]
	team := modelstest.Team(ctx, store, owner)
	if staff := modelstest.Must(team.Members(ctx))(t); len(staff) != 1 || staff[0].Role != models.Owner || !staff[0].Everywhere {
		t.Errorf("the staff is %+v", staff)
	}
	before := len(modelstest.Must(store.EventsFor(ctx, owner))(t))
	event := modelstest.Must(store.AddEvent(ctx, team, models.NewEvent{Name: "Third", Slug: "third", Timezone: "UTC"}))(t)
	if event.OrganizationID != owner.OrganizationID {
		t.Error("the event belongs to another organization")
	}
	if after := len(modelstest.Must(store.EventsFor(ctx, owner))(t)); after != before+1 {
		t.Errorf("%d events, then %d", before, after)
	}
	for name, by := range map[string]*models.User{"nobody": {OrganizationID: owner.OrganizationID},
		"a stranger": {ID: models.NewID(), OrganizationID: owner.OrganizationID, Role: models.Owner}} {
		_, err := store.AddEvent(ctx, modelstest.Team(ctx, store, by), models.NewEvent{Name: "Fourth", Slug: "fourth", Timezone: "UTC"})
		wantKind(t, name, err, models.NotFound)
	}
	link := modelstest.Must(team.Invite(ctx, models.Invitation{Email: "bob@example.org", Role: models.Viewer, Everywhere: true}))(t)
	if in := modelstest.Must(store.Staff.InvitationBy(ctx, link))(t); in.OrganizationName != want || in.InvitedBy != "Ada" {
		t.Errorf("the invitation says %+v", in)
	}
}
