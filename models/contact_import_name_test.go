package models_test

import (
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
)

// TestWhoHasNoAddressComesInByTheName has a namesake without an address at another event, and one with an address at
// this one: neither is taken for them.
func TestWhoHasNoAddressComesInByTheName(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		_, _, err := f.Elsewhere().AddPerson(ctx, values("first_name", "Kenji", "last_name", "Sato"))
		modelstest.Fine(t, err)
		_, _, err = p.AddPerson(ctx, values("first_name", "Kenji", "last_name", "Sato", "email", "kenji@example.org"))
		modelstest.Fine(t, err)
		const file = "Name,Email,Company\nKenji Sato,,Kiroku\n\"Kowalska, Anna\",,\n" +
			"kenji sato,,Kiroku\nLi Na,li@example.org,\n,,Nobody\n"
		check := modelstest.Must(p.CheckImport(ctx, upload(t, p, file).ID))(t)
		if check.Create != 3 || check.ByName != 2 || check.Known != 0 || check.Repeats+check.Failed != 2 {
			t.Errorf("first: %+v %+v", check, check.Faults)
		}
		i := imported(t, f, file, models.ImportFill)
		if i.State != models.ImportFinished || i.Created != 3 {
			t.Fatalf("%+v", i)
		}
		if n := rowsOf(t, f, "SELECT count(*) FROM contacts WHERE full_name = 'Anna Kowalska' AND email = ''"); n != 1 {
			t.Errorf("%d Annas", n)
		}
		// Again, nobody is created twice, and what is told of them now is theirs, also by a file without
		// a column for addresses.
		i = imported(t, f, strings.Replace(file, "Anna\",,", "Anna\",,Tideline", 1), models.ImportFill)
		if i.Created != 0 || i.Updated != 1 {
			t.Errorf("again: %+v", i)
		}
		i = imported(t, f, "Full name,Company\nAnna Kowalska,Elsewhere\nKenji Sato,Kiroku\n", models.ImportOverwrite)
		if i.Created != 0 || i.Updated != 1 || i.State != models.ImportFinished {
			t.Errorf("without addresses: %+v", i)
		}
		// Two of one name cannot be told apart.
		_, _, err = p.AddPerson(ctx, values("first_name", "Anna", "last_name", "Kowalska"))
		modelstest.Fine(t, err)
		const namesakes = "Full name,Company\nAnna Kowalska,Third\nOla New,A\nOla New,B\n"
		check = modelstest.Must(p.CheckImport(ctx, upload(t, p, namesakes).ID))(t)
		if len(check.Faults) != 2 || check.Create != 1 || !strings.Contains(check.Faults[0].Reason, "Several people") ||
			!strings.Contains(check.Faults[1].Reason, "If they are two people") {
			t.Errorf("%+v", check)
			for _, fault := range check.Faults {
				t.Errorf("%+v", fault)
			}
		}
	})
}
