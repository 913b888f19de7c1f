package people_test

import (
	"strings"
	"sync/atomic"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/people"
)

// TestWhoHasNoAddressComesInByTheName has a namesake without an address at another event, and one with an address at
// this one: neither is taken for them.
func TestWhoHasNoAddressComesInByTheName(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		_, _, err := people.Of(f.Elsewhere()).AddPerson(ctx, modelstest.Values("first_name", "Kenji", "last_name", "Sato"))
		modelstest.Fine(t, err)
		modelstest.Fine(t, modelstest.ErrorOf(people.Of(p).AddPerson(ctx,
			modelstest.Values("first_name", "Kenji", "last_name", "Sato", "email", "kenji@example.org"))))
		const file = "Name,Email,Company\nKenji Sato,,Kiroku\n\"Kowalska, Anna\",,\n" +
			"kenji sato,,Kiroku\nLi Na,li@example.org,\n,,Nobody\n"
		check := modelstest.Must(people.Of(p).CheckImport(ctx, modelstest.UploadPeople(t, p, file).ID))(t)
		if check.Create != 3 || check.ByName != 2 || check.Known != 0 || check.Repeats+check.Failed != 2 {
			t.Errorf("first: %+v %+v", check, check.Faults)
		}
		i := modelstest.ImportPeople(t, f, file, people.ImportFill)
		if i.State != people.ImportFinished || i.Created != 3 {
			t.Fatalf("%+v", i)
		}
		modelstest.Want(t, "Annas", modelstest.RowsOf(t, f,
			"SELECT count(*) FROM contacts WHERE full_name = 'Anna Kowalska' AND email = ''"), 1)
		// Again, nobody is created twice, and what is told of them now is theirs, also by a file without
		// a column for addresses.
		i = modelstest.ImportPeople(t, f, strings.Replace(file, "Anna\",,", "Anna\",,Tideline", 1), people.ImportFill)
		if i.Created != 0 || i.Updated != 1 {
			t.Errorf("again: %+v", i)
		}
		i = modelstest.ImportPeople(t, f, "Full name,Company\nAnna Kowalska,Elsewhere\nKenji Sato,Kiroku\n",
			people.ImportOverwrite)
		if i.Created != 0 || i.Updated != 1 || i.State != people.ImportFinished {
			t.Errorf("without addresses: %+v", i)
		}
		// Two of one name cannot be told apart.
		_, _, err = people.Of(p).AddPerson(ctx, modelstest.Values("first_name", "Anna", "last_name", "Kowalska"))
		modelstest.Fine(t, err)
		const namesakes = "Full name,Company\nAnna Kowalska,Third\nOla New,A\nOla New,B\n"
		check = modelstest.Must(people.Of(p).CheckImport(ctx, modelstest.UploadPeople(t, p, namesakes).ID))(t)
		if len(check.Faults) != 2 || check.Create != 1 || !strings.Contains(check.Faults[0].Reason, "Several people") ||
			!strings.Contains(check.Faults[1].Reason, "If they are two people") {
			t.Errorf("%+v", check)
			for _, fault := range check.Faults {
				t.Errorf("%+v", fault)
			}
		}
	})
}

// TestARowWithANewAddressIsWhoAloneHasItsName has people without an address of whom each but two may be somebody else:
// there are two of the name, at the event or in the file; one has an address or an account; one is at another event
// alone, or at another event too, which whoever imports does not organize.
func TestARowWithANewAddressIsWhoAloneHasItsName(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		add := func(p *models.Programme, name, email string) *models.Person {
			first, last := models.SplitName(name)
			return modelstest.Must(added(people.Of(p).AddPerson(ctx, modelstest.Values("first_name", first, "last_name",
				last, "email", email))))(t)
		}
		sato, anna := add(p, "Kenji Sato", ""), add(p, "Anna", "")
		add(p, "Two", "")
		add(p, "Two", "")
		add(p, "Other", "")
		add(p, "Other", "other@example.org")
		add(p, "Twice", "")
		add(p, "Wrong", "")
		add(f.Elsewhere(), "Away", "")
		shared := add(f.Elsewhere(), "Shared", "")
		owner := modelstest.FirstOwner(t, f).InPerson(ctx)
		modelstest.Must(people.Of(f.Store.Programme(f.Event, owner).Reaching(models.Everybody)).PutAtEvent(ctx, shared.ID))(t)
		modelstest.OpenCall(t, f).Begin(t, f, "Claimed", "Tides")
		modelstest.ContactEmissions(t, f)
		const file = "Name,Email,Company\nKenji  Sato,kenji@example.org,Kiroku\nKenji  Sato,kenji@example.org,Kiroku\n" +
			"Anna,anna@example.org,\nTwo,two@example.org,\nOther,another@example.org,\nTwice,twice@example.org,\n" +
			"Twice,again@example.org,\nWrong,wrong@example,\nWrong,wrong@example.org,\nAway,away@example.org,\n" +
			"Shared,shared@example.org,\nClaimed,mine@example.org,\n"
		narrow := f.Store.Programme(f.Event, modelstest.Tester)
		check := modelstest.Must(people.Of(narrow).CheckImport(ctx, modelstest.UploadPeople(t, narrow, file).ID))(t)
		if check.Create != 8 || check.Known != 2 || strings.Join(check.Named, ", ") != "Anna, Kenji Sato" ||
			check.Effects[people.ImportFill] != (people.ImportEffect{People: 2, Fields: 3}) {
			t.Errorf("%+v %q", check, check.Named)
		}
		if i := modelstest.ImportPeople(t, f, file, people.ImportSkip); i.Created != 8 || i.Updated != 0 {
			t.Errorf("left alone: %+v", i)
		}
		modelstest.Want(t, "who is left alone got", modelstest.Must(p.Directory().Person(ctx, anna.ID))(t).Email, "")
		if i := modelstest.ImportPeople(t, f, file, people.ImportFill); i.Created != 0 || i.Updated != 2 {
			t.Errorf("filled: %+v", i)
		}
		if is := modelstest.PersonBy(t, f, "kenji@example.org"); is == nil || is.ID != sato.ID || is.CompanyName != "Kiroku" {
			t.Errorf("is %+v", is)
		}
		if i := modelstest.ImportPeople(t, f, file, people.ImportOverwrite); i.Created+i.Updated != 0 {
			t.Errorf("again: %+v", i)
		}
		modelstest.Want(t, "a second one of the name is taken for the first",
			modelstest.ImportPeopleBy(t, f, owner, "Name,Email\nShared,shared@example.com\n", people.ImportFill).Created, 1)
		modelstest.WantSound(t, f)
	})
}

// TestTheAddressOfANamesakeIsTakenMeanwhile gives the address to somebody else, or another one to who is meant, once
// the file was read.
func TestTheAddressOfANamesakeIsTakenMeanwhile(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		for name, meanwhile := range map[string]func(id string) error{
			"Taken": func(string) error {
				_, err := p.CreateContact(ctx, models.NewContact{FirstName: "Somebody", Email: "taken@example.org"})
				return err
			},
			"Given": func(id string) error {
				_, err := people.In(p.Directory()).Update(ctx, id, modelstest.Values("email", "by-hand@example.org"))
				return err
			},
		} {
			x := modelstest.Must(added(people.Of(p).AddPerson(ctx, modelstest.Values("first_name", name))))(t)
			var done atomic.Bool
			stop := f.Statement.Watch(func(statement string) {
				_, table, _ := strings.Cut(statement, "INSERT INTO ")
				if strings.HasPrefix(strings.Trim(table, "\"`"), "staged_read") && done.CompareAndSwap(false, true) {
					modelstest.Fine(t, meanwhile(x.ID))
				}
			})
			i := modelstest.ImportPeople(t, f, "Name,Email\n"+name+","+strings.ToLower(name)+"@example.org\n", people.ImportFill)
			stop()
			now := modelstest.Must(p.Directory().Person(ctx, x.ID))(t)
			if !done.Load() || i.State != people.ImportFinished ||
				now.Email != map[string]string{"Given": "by-hand@example.org"}[name] {
				t.Errorf("%s: %+v, %+v", name, i, now.Contact)
			}
		}
		modelstest.WantSound(t, f)
	})
}

func added(p *models.Person, _ bool, err error) (*models.Person, error) { return p, err }
