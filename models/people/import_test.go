package people_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/metadata"
	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/people"
	"lectern/models/store"
)

const messy = "Vorname;Nachname;E-Mail;Firma;Ernährung;Stufe;Interne Nr.\r\n" +
	"Jürgen;Groß;juergen@example.org;Müller & Söhne;vegan;gold;4711\r\n" +
	"Ada;Lovelace;ADA@example.org;Analytical;;;4712\r\n" +
	"Bruno;Silva;bruno@silvaworks;Silva;;;1\r\n" +
	";;nobody@example.org;;;;1\r\n" +
	"Kenji;Sato;;Kiroku;;;1\r\n" +
	"Ruth;Gold;juergen@example.org;Other;vegan;gold;1\r\n" +
	"Jürgen;Groß;juergen@example.org;Müller & Söhne;vegan;gold;1\r\n" +
	"Li;Na;li@example.org;=HYPERLINK(1);;;1\r\n" +
	"Max;Muster;max@example.org;;;platin;1\r\n"

func TestAFileIsCheckedBeforeAnythingIsWritten(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		level := modelstest.Must(people.In(p.Directory()).AddOwnField(ctx,
			people.OwnFieldInput{Label: "Stufe", Type: field.Choice, Options: []string{"Gold", "Silver"}}))(t)
		modelstest.Fine(t, modelstest.ErrorOf(people.Of(p).AddPerson(ctx,
			modelstest.Values("first_name", "Ada", "email", "ada@example.org", "company_name", "Babbage"))))
		text := modelstest.Must(charmap.Windows1252.NewEncoder().String(messy))(t)
		i := modelstest.UploadPeople(t, p, text)
		if i.Name != "people.csv" || i.Encoding != "Windows-1252" || i.Delimiter != ";" {
			t.Fatalf("read as %q, %q, %q", i.Name, i.Encoding, i.Delimiter)
		}
		if want := []string{"first_name", "last_name", "email", "company_name", "dietary", level.Key, ""}; !slices.Equal(
			i.Mapping, want) {
			t.Fatalf("guessed %q", i.Mapping)
		}
		if columns := modelstest.Must(people.Of(p).ImportColumns(ctx, i.ID))(t); columns.AllSure() || columns.Rows != 9 {
			t.Errorf("%d rows; no look at the column that nothing tells of", columns.Rows)
		}
		check := modelstest.Must(people.Of(p).CheckImport(ctx, i.ID))(t)
		if check.Create != 2 || check.ByName != 1 || check.Known != 1 || check.Repeats != 1 || check.Failed != 5 {
			t.Errorf("create %d, known %d, again %d, failed %d", check.Create, check.Known, check.Repeats, check.Failed)
		}
		for policy, want := range map[people.ImportPolicy]people.ImportEffect{
			people.ImportFill: {1, 1}, people.ImportOverwrite: {1, 2}, people.ImportSkip: {},
		} {
			modelstest.Want(t, string(policy)+" does", check.Effects[policy], want)
		}
		var faults []string
		for _, x := range check.Faults {
			faults = append(faults, fmt.Sprintf("%d %s|%s|%s|%s", x.Row, x.Person, x.Column, x.Text, x.Reason))
		}
		want := []string{
			"4 Bruno Silva|E-Mail|bruno@silvaworks|Must have a dot in the part after @, as in ana@example.org.",
			"5 |||There is no name. Who is it?",
			"7 Ruth Gold|E-Mail|juergen@example.org|Also in row 2, with another first name. Keep one of the two.",
			"9 Li Na|Firma|=HYPERLINK(1)|It begins like a formula. Put an apostrophe in front if it is a text.",
			`10 Max Muster|Stufe|platin|Has no choice "platin"; there are: Gold, Silver.`,
		}
		modelstest.Holds(t, slices.Equal(faults, want), "faults:\n%s", strings.Join(faults, "\n"))
		if modelstest.PersonBy(t, f, "juergen@example.org") != nil || modelstest.RowsOf(t, f,
			"SELECT count(*) FROM contact_imports WHERE started_at IS NOT NULL") != 0 {
			t.Error("something was written")
		}
		modelstest.WantAll(t, "emitted", modelstest.ContactEmissions(t, f), nil)
	})
}

func TestAnImportCreatesFillsAndTellsOfWhoIsNewOnly(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		level := modelstest.Must(people.In(p.Directory()).AddOwnField(ctx,
			people.OwnFieldInput{Label: "Stufe", Type: field.Choice, Options: []string{"Gold", "Silver"}}))(t)
		known := modelstest.Must(f.Elsewhere().CreateContact(ctx, models.NewContact{FirstName: "Ada",
			Email: "ada@example.org", CompanyName: "Babbage"}))(t)
		i := modelstest.ImportPeopleBy(t, f, modelstest.FirstOwner(t, f).InPerson(ctx), messy, people.ImportFill)
		if i.State != people.ImportFinished || i.Created != 2 || i.Updated != 1 || i.Skipped != 1 || i.Failed != 5 ||
			i.Done != 3 || i.Total != 3 || i.FinishedAt == nil {
			t.Fatalf("ended as %+v", i)
		}
		groß := modelstest.PersonBy(t, f, "juergen@example.org")
		if groß == nil || groß.FullName != "Jürgen Groß" || groß.Here.Dietary != "vegan" || groß.Own[level.Key] != "Gold" {
			t.Fatalf("made %+v", groß)
		}
		ada := modelstest.PersonBy(t, f, "ada@example.org")
		modelstest.Holds(t, ada != nil && ada.ID == known.ID && ada.LastName == "Lovelace" && ada.CompanyName == "Babbage",
			"filled %+v", ada)
		emitted := modelstest.Emitted(t, f)
		if len(emitted) != 2 || emitted[1].Type != outbox.ContactCreated || emitted[1].ResourceID != groß.ID ||
			*emitted[1].EventID != f.Event.ID || strings.Contains(emitted[1].Data, "vegan") {
			t.Errorf("emitted %+v", emitted)
		}
		lines := modelstest.Must(p.Activity(ctx, i.ID))(t)
		modelstest.Holds(t, len(lines) == 1 && lines[0].Action == "imported" &&
			strings.Contains(strings.ReplaceAll(lines[0].After, " ", ""), `"people_created":2`), "recorded %+v", lines)
		if lines := modelstest.Must(p.Activity(ctx, groß.ID))(t); len(lines) != 1 || lines[0].Action != "created" {
			t.Errorf("recorded of a person %+v", lines)
		}
		again := modelstest.ImportPeople(t, f, messy, people.ImportFill)
		modelstest.Holds(t, again.Created == 0 && again.Updated == 0 && again.Skipped == 4, "the same file again: %+v", again)
		first := modelstest.Must(people.Of(p).EarlierImport(ctx, again))(t)
		modelstest.Holds(t, first != nil && first.ID == i.ID && first.UserName == "Ada", "was imported before by %+v", first)
		modelstest.WantAll(t, "emitted", modelstest.ContactEmissions(t, f), nil)
		modelstest.Answers(people.Of(p).StartImport(ctx, i.ID, people.ImportFill))(t, "started again", store.Invalid)
		modelstest.Answers(people.Of(f.Elsewhere()).ContactImport(ctx, i.ID))(t, "from another event", store.NotFound)
	})
}

func TestAPolicySaysWhatBecomesOfWhoIsKnown(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		owner := modelstest.FirstOwner(t, f).InPerson(ctx) // who may bring somebody of another event
		mentor, host := modelstest.RowOf(t, p, models.Tags, "Mentor"), modelstest.RowOf(t, p, models.Tags, "Host")
		ada := modelstest.First(people.Of(p).AddPerson(ctx,
			modelstest.Values("first_name", "Ada", "email", "ada@example.org", "company_name", "Babbage", "tags", mentor.ID)))(t)
		elsewhere := modelstest.Contact(t, f.Elsewhere(), "Eva", "eva@example.org")
		const file = "Name,Email,Company,Tags,Phone\nAda Lovelace,ada@example.org,Analytical,Host; mentor,\nEva,eva@example.org,,,\n"
		i := modelstest.ImportPeopleBy(t, f, owner, file, people.ImportSkip)
		modelstest.Holds(t, i.Created+i.Updated == 0 && i.Skipped == 2, "left alone: %+v", i)
		modelstest.Answers(p.Contact(ctx, elsewhere.ID))(t, "who is left alone came to the event", store.NotFound)
		modelstest.Want(t, "filled", modelstest.ImportPeopleBy(t, f, owner, file, people.ImportFill).Updated, 2)
		now := modelstest.PersonBy(t, f, "ada@example.org")
		modelstest.Holds(t, now.LastName == "Lovelace" && now.CompanyName == "Babbage" &&
			slices.Equal(now.Tags, []string{mentor.ID}), "filled %+v", now)
		modelstest.Want(t, "overwritten", modelstest.ImportPeople(t, f, file, people.ImportOverwrite).Updated, 1)
		tags := []string{mentor.ID, host.ID}
		slices.Sort(tags)
		now = modelstest.PersonBy(t, f, "ada@example.org")
		modelstest.Holds(t, now.ID == ada.ID && now.CompanyName == "Analytical" && slices.Equal(now.Tags, tags),
			"overwrote %+v", now)
		modelstest.WantAll(t, "emitted", modelstest.ContactEmissions(t, f), nil)
	})
}

func TestAnotherOrganizationsAddressIsUnknown(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		owner, _ := modelstest.ForeignOwner(t, f)
		organization := owner.OrganizationID
		theirs := modelstest.Must(people.In(f.Directory(organization, modelstest.Tester)).Create(ctx,
			modelstest.Values("first_name", "Theirs", "email", "ada@example.org", "phone", "+1 555")))(t)
		i := modelstest.ImportPeople(t, f, "Name,Email\nAda,ada@example.org\n", people.ImportOverwrite)
		modelstest.Holds(t, i.Created == 1 && i.Updated == 0, "%+v", i)
		ada := modelstest.PersonBy(t, f, "ada@example.org")
		modelstest.Holds(t, ada != nil && ada.ID != theirs.ID && ada.Phone == "", "made %+v", ada)
		modelstest.Want(t, "theirs is",
			modelstest.Must(f.Directory(organization, modelstest.Tester).Person(ctx, theirs.ID))(t).FullName, "Theirs")
	})
}

func TestAFileFindsPeopleByTheAddressesOfWhoWasMergedIntoThem(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		ada := modelstest.Contact(t, p, "Ada", "zz@example.org")
		twin := modelstest.Contact(t, p, "Ada", "Old@example.org")
		modelstest.Merged(t, f, ada.ID, twin.ID)
		modelstest.ContactEmissions(t, f)
		for _, c := range []struct {
			rows                             string
			created, updated, skipped, fault int
		}{
			{"Ada,old@example.org,One\n", 0, 1, 0, 0},
			{"Ada,zz@example.org,One\nAda,OLD@example.org,One\n", 0, 0, 2, 0},
			{"Ada,zz@example.org,Two\nAda,old@example.org,Three\nEva,eva@example.org,Two\n", 1, 1, 0, 1},
		} {
			i := modelstest.UploadPeople(t, p, "Name,Email,Company\n"+c.rows)
			check := modelstest.Must(people.Of(p).CheckImport(ctx, i.ID))(t)
			if check.Create != c.created || check.Effects[people.ImportOverwrite].People != c.updated ||
				check.SkippedBy(people.ImportOverwrite) != c.skipped || check.Failed != c.fault || len(check.Faults) != c.fault {
				t.Errorf("%q would create %d, change %+v, fail %d", c.rows, check.Create, check.Effects, check.Failed)
			}
			for _, x := range check.Faults {
				modelstest.Holds(t, x.Row == 3 && x.Person == "Ada" && x.Column == "Email" && x.Text == "old@example.org" &&
					strings.HasPrefix(x.Reason, "Also in row 2, with another company."), "fault %+v", x)
			}
			done := modelstest.RunImport(t, f, p, i.ID, people.ImportOverwrite)
			modelstest.Holds(t, done.Created == c.created && done.Updated == c.updated && done.Skipped == c.skipped &&
				done.Failed == c.fault, "%q ended as %+v", c.rows, done)
		}
		now := modelstest.Must(p.Directory().Person(ctx, ada.ID))(t)
		modelstest.Holds(t, now.Email == "zz@example.org" && now.CompanyName == "Two", "is %+v", now.Contact)
		modelstest.Want(t, "emitted", len(modelstest.ContactEmissions(t, f)), 1)
		modelstest.WantSound(t, f)
	})
}

// TestATagThatIsDeletedWhileAFileComesInEndsTheImport deletes a tag after the rows were read.
func TestATagThatIsDeletedWhileAFileComesInEndsTheImport(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		tag := modelstest.RowOf(t, p, models.Tags, "Keynote")
		i := modelstest.UploadPeople(t, p, "Name,Email,Tags\nAda,ada@example.org,Keynote\n")
		modelstest.Must(people.Of(p).StartImport(t.Context(), i.ID, people.ImportFill))(t)
		var gone atomic.Bool
		stop := f.Statement.Watch(func(statement string) {
			if strings.Contains(statement, "position DESC") && gone.CompareAndSwap(false, true) {
				modelstest.Fine(t, metadata.Of(p).Delete(t.Context(), models.Tags, tag.ID, nil))
			}
		})
		modelstest.Must(people.RunImport(t.Context(), f.Store))(t)
		stop()
		i = modelstest.Must(people.Of(p).ContactImport(t.Context(), i.ID))(t)
		modelstest.Holds(t, gone.Load() && i.State == people.ImportFailed &&
			strings.Contains(i.Message, "A tag that the file has was deleted meanwhile."), "ended as %+v", i)
		modelstest.Want(t, "is there", modelstest.PersonBy(t, f, "ada@example.org"), nil)
	})
}

func TestAGuestComesToTheNextEventAsAGuestByAFileToo(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		modelstest.First(people.Of(f.Elsewhere()).AddPerson(ctx,
			modelstest.Values("first_name", "Marker", "email", "marker@example.org", "phone", "+44 555 1234")))(t)
		file := []byte("First name,Email\nM,marker@example.org\n")
		bring := func(p *models.Programme) *people.ImportCheck {
			return modelstest.Must(people.Of(p).ImportContacts(ctx, "people.csv", bytes.NewReader(file), people.ImportFill,
				false))(t)
		}
		modelstest.Want(t, "at the first event", bring(f.Store.Programme(f.Event, modelstest.Tester)).Created, 1)
		next := modelstest.Must(f.CreateEvent(ctx, models.NewEvent{Name: "Next", Slug: "next", Timezone: "UTC"}))(t)
		p := f.Store.Programme(next, modelstest.Tester).Reaching(models.PeopleOf(f.Event.ID, next.ID))
		modelstest.Want(t, "updated at the next event, as they are seen at the first,", bring(p).Updated, 1)
		x := modelstest.Must(p.Directory().Person(ctx, modelstest.PersonBy(t, f, "marker@example.org").ID))(t)
		modelstest.Holds(t, x.IsGuest && x.Phone == "" && x.Here.GuestSince != nil && *x.Here.GuestSince != (store.Time{}),
			"shown is %+v since %v", x.Phone, x.Here.GuestSince)
	})
}

// TestWhoHasNoAddressComesInByTheName has a namesake without an address at another event, and one with an address at
// this event; neither is taken for the person of the file.
func TestWhoHasNoAddressComesInByTheName(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		modelstest.First(people.Of(f.Elsewhere()).AddPerson(ctx,
			modelstest.Values("first_name", "Kenji", "last_name", "Sato")))(t)
		modelstest.Fine(t, modelstest.ErrorOf(people.Of(p).AddPerson(ctx,
			modelstest.Values("first_name", "Kenji", "last_name", "Sato", "email", "kenji@example.org"))))
		const file = "Name,Email,Company\nKenji Sato,,Kiroku\n\"Kowalska, Anna\",,\n" +
			"kenji sato,,Kiroku\nLi Na,li@example.org,\n,,Nobody\n"
		check := modelstest.Must(people.Of(p).CheckImport(ctx, modelstest.UploadPeople(t, p, file).ID))(t)
		modelstest.Holds(t, check.Create == 3 && check.ByName == 2 && check.Known == 0 && check.Repeats+check.Failed == 2,
			"first: %+v %+v", check, check.Faults)
		i := modelstest.ImportPeople(t, f, file, people.ImportFill)
		if i.State != people.ImportFinished || i.Created != 3 {
			t.Fatalf("%+v", i)
		}
		modelstest.Want(t, "Annas", modelstest.RowsOf(t, f,
			"SELECT count(*) FROM contacts WHERE full_name = 'Anna Kowalska' AND email = ''"), 1)
		// Again, nobody is created twice, and what is told of them now is theirs, also by a file without
		// a column for addresses.
		i = modelstest.ImportPeople(t, f, strings.Replace(file, "Anna\",,", "Anna\",,Tideline", 1), people.ImportFill)
		modelstest.Holds(t, i.Created == 0 && i.Updated == 1, "again: %+v", i)
		i = modelstest.ImportPeople(t, f, "Full name,Company\nAnna Kowalska,Elsewhere\nKenji Sato,Kiroku\n",
			people.ImportOverwrite)
		modelstest.Holds(t, i.Created == 0 && i.Updated == 1 && i.State == people.ImportFinished, "without addresses: %+v", i)
		// Two of one name cannot be told apart.
		_, _, err := people.Of(p).AddPerson(ctx, modelstest.Values("first_name", "Anna", "last_name", "Kowalska"))
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

// TestARowWithANewAddressIsWhoAloneHasItsName has people without an address, all but two of whom may be somebody else:
// the name is there twice, at the event or in the file; one has an address or an account; one is also or only at an
// event that the importer does not organize.
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
		modelstest.Holds(t, check.Create == 8 && check.Known == 2 && strings.Join(check.Named, ", ") == "Anna, Kenji Sato" &&
			check.Effects[people.ImportFill] == (people.ImportEffect{People: 2, Fields: 3}), "%+v %q", check, check.Named)
		if i := modelstest.ImportPeople(t, f, file, people.ImportSkip); i.Created != 8 || i.Updated != 0 {
			t.Errorf("left alone: %+v", i)
		}
		modelstest.Want(t, "who is left alone got", modelstest.Must(p.Directory().Person(ctx, anna.ID))(t).Email, "")
		if i := modelstest.ImportPeople(t, f, file, people.ImportFill); i.Created != 0 || i.Updated != 2 {
			t.Errorf("filled: %+v", i)
		}
		is := modelstest.PersonBy(t, f, "kenji@example.org")
		modelstest.Holds(t, is != nil && is.ID == sato.ID && is.CompanyName == "Kiroku", "is %+v", is)
		i := modelstest.ImportPeople(t, f, file, people.ImportOverwrite)
		modelstest.Want(t, "imported again", i.Created+i.Updated, 0)
		modelstest.Want(t, "a second one of the name is taken for the first",
			modelstest.ImportPeopleBy(t, f, owner, "Name,Email\nShared,shared@example.com\n", people.ImportFill).Created, 1)
		modelstest.WantSound(t, f)
	})
}

// TestTheAddressOfANamesakeIsTakenMeanwhile gives the address to somebody else, or another address to the person, after
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
			modelstest.Holds(t, done.Load() && i.State == people.ImportFinished &&
				now.Email == map[string]string{"Given": "by-hand@example.org"}[name], "%s: %+v, %+v", name, i, now.Contact)
		}
		modelstest.WantSound(t, f)
	})
}

func added(p *models.Person, _ bool, err error) (*models.Person, error) { return p, err }
