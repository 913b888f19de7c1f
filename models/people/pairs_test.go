package people_test

import (
	"fmt"
	"slices"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/store"
)

func TestPeopleWhoLookAlikeAreSuggestedWithTheirReasons(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p, d := t.Context(), f.Programme(), modelstest.DirectoryOf(f)
		add := func(n models.NewContact) string { return modelstest.Must(p.CreateContact(ctx, n))(t).ID }
		add(models.NewContact{FirstName: "José", LastName: "García", CompanyName: "Harbour"})
		add(models.NewContact{FirstName: "GARCIA,", LastName: "Jose", CompanyName: "HARBOUR"})
		add(models.NewContact{FirstName: "Ada", Email: "ada.love@x.example"})
		add(models.NewContact{FirstName: "A. Lovelace", Email: "Ada.Lo.ve+talks@x.example"})
		add(models.NewContact{FirstName: "Bo", LastName: "Ek", CompanyName: "One", Phone: "+46 (0)8 123 456 78"})
		add(models.NewContact{FirstName: "B.", LastName: "Ek", CompanyName: "Two", Phone: "0046 8 123 456 78"})
		add(models.NewContact{FirstName: "Kim", LastName: "Lee", CompanyName: "One"})
		add(models.NewContact{FirstName: "Kim", LastName: "Lee", CompanyName: "Two"})
		add(models.NewContact{FirstName: "Una", LastName: "Sola", Phone: "12345"})
		add(models.NewContact{FirstName: "Uno", LastName: "Solo", Phone: "12345"})
		modelstest.Foreigner(t, f, modelstest.Values("first_name", "José", "last_name", "García", "company_name", "Harbour"))

		var got []string
		found := modelstest.Must(people.In(d).Suggestions(ctx))(t)
		for _, s := range found.Pairs {
			got = append(got, fmt.Sprint(s.First.FullName, "/", s.Second.FullName, " ", s.Strength, " ", s.Reasons))
		}
		if want := []string{"Ada/A. Lovelace 3 [e-mail]", "José García/GARCIA, Jose 3 [name and company]",
			"Bo Ek/B. Ek 2 [phone]", "Kim Lee/Kim Lee 1 [name]"}; !slices.Equal(got, want) {
			t.Fatalf("suggests\n%q\nwant\n%q", got, want)
		}
		first := found.Pairs[0]
		modelstest.Fine(t, people.In(d).DismissPair(ctx, first.Second.ID, first.First.ID))
		modelstest.Fine(t, people.In(d).DismissPair(ctx, first.First.ID, first.Second.ID))
		modelstest.Want(t, "a dismissed pair is suggested", len(modelstest.Must(people.In(d).Suggestions(ctx))(t).Pairs), 3)
		listed := modelstest.Must(people.In(d).DismissedPairs(ctx))(t)
		if len(listed) != 1 || listed[0].ByName != modelstest.Tester.ActorName {
			t.Errorf("dismissed %+v", listed)
		}
		modelstest.Fine(t, people.In(d).BringBackPair(ctx, first.Second.ID, first.First.ID))
		modelstest.WantKind(t, "once more", people.In(d).BringBackPair(ctx, first.First.ID, first.Second.ID), store.NotFound)
		_, foreign := foreignerAgain(t, f)
		modelstest.WantKind(t, "a foreigner", people.In(d).DismissPair(ctx, first.First.ID, foreign), store.NotFound)
	})
}

// foreignerAgain is somebody of the other organization that is there already.
func foreignerAgain(t *testing.T, f *modelstest.Fixture) (organization, id string) {
	t.Helper()
	db := f.SQL
	modelstest.Fine(t, db.QueryRow("SELECT organization_id, id FROM contacts WHERE organization_id <> $1", f.Event.OrganizationID).
		Scan(&organization, &id))
	return organization, id
}

func TestWhoWasToldApartStaysSoBehindAMerge(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p, d := t.Context(), f.Programme(), modelstest.DirectoryOf(f)
		var ids []string
		for range 3 {
			ids = append(ids, modelstest.Must(p.CreateContact(ctx, models.NewContact{FirstName: "Kim", LastName: "Lee"}))(t).ID)
		}
		modelstest.Fine(t, people.In(d).DismissPair(ctx, ids[0], ids[1]))
		modelstest.Fine(t, people.In(d).DismissPair(ctx, ids[0], ids[2]))
		modelstest.Merged(t, f, ids[2], ids[1])
		if left := modelstest.Must(people.In(d).Suggestions(ctx))(t); len(left.Pairs) != 0 {
			t.Errorf("suggests %+v", left.Pairs[0])
		}
		modelstest.Want(t, "dismissed", len(modelstest.Must(people.In(d).DismissedPairs(ctx))(t)), 1)
	})
}

func TestANameThatThousandsShareIsBounded(t *testing.T) {
	t.Parallel()
	pairs := func(n int) *people.Suggestions {
		crowd := make([]*people.Lookalike, n)
		for i := range crowd {
			crowd[i] = &people.Lookalike{ID: fmt.Sprintf("%06d", i), FullName: "Kim Lee", CompanyKey: "one",
				Email: fmt.Sprintf("k%d@x.example", i/2), Phone: "+1 555 0100 200"}
		}
		return people.Suggest(crowd, nil)
	}
	found := pairs(5000)
	if len(found.Pairs) > 2500+20 || len(found.Crowds) != 3 || found.Crowds[0].People != 5000 {
		t.Errorf("%d pairs, crowds %+v", len(found.Pairs), found.Crowds)
	}
	modelstest.GrowsNoFaster(t, 5000, func(n int) { pairs(n) })
}

func TestTheOldestOfACrowdIsSuggestedWithTheNextOnceSomeAreDismissed(t *testing.T) {
	t.Parallel()
	crowd := make([]*people.Lookalike, 30)
	for i := range crowd {
		crowd[i] = &people.Lookalike{ID: fmt.Sprintf("%02d", i), FullName: "Kim Lee"}
	}
	dismissed := map[[2]string]bool{}
	for i := 1; i < 15; i++ {
		dismissed[[2]string{"00", crowd[i].ID}] = true
	}
	if found := people.Suggest(crowd, dismissed); len(found.Pairs) != 15 || found.Pairs[0].Second.ID != "15" {
		t.Errorf("%d pairs", len(found.Pairs))
	}
}
