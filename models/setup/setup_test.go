package setup_test

import (
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/setup"
	"lectern/models/staff"
	"lectern/models/store"
)

func TestSetUpMakesOneOwnerOnce(t *testing.T) {
	t.Parallel()
	for _, dialect := range modelstest.Dialects {
		for _, name := range []string{"with events", "empty"} {
			t.Run(dialect+" "+name, func(t *testing.T) {
				t.Parallel()
				var db *models.Store
				if name == "empty" {
					db = modelstest.Must(models.Open(t.Context(), modelstest.Database(t, dialect), store.Options{}))(t)
					t.Cleanup(func() { db.Close() })
				} else {
					db = modelstest.Open(t, dialect).Store
				}
				setUpOnce(t, db, name == "empty")
			})
		}
	}
}

func setUpOnce(t *testing.T, db *models.Store, empty bool) {
	ctx := t.Context()
	there, events, err := setup.Prepared(ctx, db)
	if err != nil || empty != (there == nil) || empty != (len(events) == 0) {
		t.Fatalf("prepared are %v, %v, %v", there, events, err)
	}
	good := setup.Input{Organization: " Conferences ", Owner: staff.NewUser{Email: "ada@example.org", Name: "Ada",
		Role: "king", Password: modelstest.SecretPhrase}}
	want := "Conferences"
	if !empty { // what is there keeps its name
		good.Organization, want = "", there.Name
	} else {
		_, err := setup.Do(ctx, db, setup.Input{Organization: " ", Owner: good.Owner})
		modelstest.WantKind(t, "no organization", err, store.Invalid)
	}
	for name, spoil := range map[string]func(*setup.Input){
		"no address": func(s *setup.Input) { s.Owner.Email = "ada" },
		"no name":    func(s *setup.Input) { s.Owner.Name = "" }, "a short password": func(s *setup.Input) {
			s.Owner.Password = "short"
		},
	} {
		bad := good
		spoil(&bad)
		modelstest.Answers(setup.Do(ctx, db, bad))(t, name, store.Invalid)
	}
	if needed, err := setup.IsNeeded(ctx, db); !needed || err != nil {
		t.Fatalf("setup is needed: %v, %v", needed, err)
	}
	var users [2]*staff.User
	winner := modelstest.OneSucceeds(t, 2, store.NotFound, func(i int) (err error) {
		n := good
		n.Owner.Email = []string{"ada@example.org", "eve@example.org"}[i]
		users[i], err = setup.Do(ctx, db, n)
		return err
	})
	if needed, err := setup.IsNeeded(ctx, db); needed || err != nil {
		t.Errorf("setup is needed: %v, %v", needed, err)
	}
	modelstest.Answers(setup.Do(ctx, db, good))(t, "a third", store.NotFound)
	owner := users[winner]
	team := modelstest.Team(ctx, db, owner)
	if people := modelstest.Must(team.Members(ctx))(t); len(people) != 1 || people[0].Role != staff.Owner ||
		!people[0].Everywhere {
		t.Errorf("the staff is %+v", people)
	}
	before := len(modelstest.Must(db.EventsFor(ctx, owner))(t))
	event := modelstest.Must(db.AddEvent(ctx, team, models.NewEvent{Name: "Third", Slug: "third", Timezone: "UTC"}))(t)
	modelstest.Want(t, "the event belongs to another organization", event.OrganizationID, owner.OrganizationID)
	if after := len(modelstest.Must(db.EventsFor(ctx, owner))(t)); after != before+1 {
		t.Errorf("%d events, then %d", before, after)
	}
	for name, by := range map[string]*staff.User{"nobody": {OrganizationID: owner.OrganizationID},
		"a stranger": {ID: store.NewID(), OrganizationID: owner.OrganizationID, Role: staff.Owner}} {
		modelstest.Answers(db.AddEvent(ctx, modelstest.Team(ctx, db, by),
			models.NewEvent{Name: "Fourth", Slug: "fourth", Timezone: "UTC"}))(t, name, store.NotFound)
	}
	link := modelstest.Must(team.Invite(ctx, staff.Invitation{Email: "bob@example.org", Role: staff.Viewer,
		Everywhere: true}))(t)
	if in := modelstest.Must(db.Staff.InvitationBy(ctx, link))(t); in.OrganizationName != want || in.InvitedBy != "Ada" {
		t.Errorf("the invitation says %+v", in)
	}
}
