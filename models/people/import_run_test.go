package people_test

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"lectern/models"
	"lectern/models/csv"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/store"
)

func TestAnImportThatEndsEarlyLeavesNothing(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		i := modelstest.UploadPeople(t, p, modelstest.ManyPeople(600))
		modelstest.Must(people.Of(p).StartImport(ctx, i.ID, people.ImportFill))(t)

		working, end := context.WithCancel(ctx) // the process ends
		stop := f.Statement.Watch(func(statement string) {
			if strings.HasPrefix(statement, "INSERT INTO event_contacts SELECT") { // the people are in their places
				end()
			}
		})
		_, err := people.RunImport(working, f.Store)
		stop()
		if i = modelstest.Must(people.Of(p).ContactImport(ctx, i.ID))(t); i.State != people.ImportWaiting {
			t.Fatalf("a process that ends in good order leaves it %s: %v", i.State, err)
		}
		modelstest.Holds(t, modelstest.PersonBy(t, f, "person1@example.org") == nil &&
			len(modelstest.ContactEmissions(t, f)) == 0, "half an import is there")

		answer := make(chan error, 1)
		var once sync.Once
		stop = f.Statement.Watch(func(statement string) {
			if strings.Contains(statement, "INSERT INTO") && strings.Contains(statement, "emissions") {
				once.Do(func() {
					go func() { answer <- people.Of(p).CancelImport(ctx, i.ID) }()
					for run := store.RunsOf(f.Store.Store).Of(i.ID); run == nil || !run.IsCancelled(); run = store.RunsOf(f.Store.Store).Of(i.ID) {
						runtime.Gosched()
					}
				})
			}
		})
		if !modelstest.Must(people.RunImport(ctx, f.Store))(t) {
			t.Fatal("what was put back in line is not made")
		}
		stop()
		modelstest.Fine(t, <-answer)
		i = modelstest.Must(people.Of(p).ContactImport(ctx, i.ID))(t)
		modelstest.Want(t, "a cancelled import is", i.State, people.ImportCancelled)
		modelstest.Holds(t, modelstest.PersonBy(t, f, "person1@example.org") == nil &&
			len(modelstest.ContactEmissions(t, f)) == 0, "a cancelled import left something")
		modelstest.Fine(t, people.Of(p).CancelImport(ctx, i.ID)) // as it is

		i = modelstest.RunImport(t, f, p, i.ID, people.ImportFill)
		modelstest.Want(t, "created once more", i.Created, 600)
		modelstest.Want(t, "emitted", len(modelstest.ContactEmissions(t, f)), 600)
		modelstest.WantKind(t, "cancelling what is there", people.Of(p).CancelImport(ctx, i.ID), store.Invalid)
	})
}

func TestAnImportAtWorkTellsHowFarItIsOfHowMany(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		i := modelstest.UploadPeople(t, p, modelstest.ManyPeople(600))
		modelstest.Must(people.Of(p).StartImport(ctx, i.ID, people.ImportFill))(t)
		var during []string
		stop := f.Statement.Watch(func(statement string) {
			if strings.Contains(statement, "INSERT INTO") && strings.Contains(statement, "emissions") {
				at := modelstest.Must(people.Of(p).ContactImport(ctx, i.ID))(t)
				during = append(during, fmt.Sprintf("%s, %t of %d", at.State, at.Done <= at.Total, at.Total))
			}
		})
		modelstest.Must(people.RunImport(ctx, f.Store))(t)
		stop()
		if len(during) == 0 {
			t.Fatal("nobody looked")
		}
		for _, at := range during {
			modelstest.Want(t, "while it is at work", at, "running, true of 600")
		}
	})
}

func TestAFileWithColumnsOfOneBeforeIsReadAsThatWas(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		const file = "Name,Email,Firma,Wishes\nAda,ada@example.org,Analytical,by train\nBob,bob,Nets,by boat\n"
		said := models.Options{"full_name", "email", "", "travel_notes"}
		mapped := func(at *models.Programme, content string) (i *people.ContactImport, sure bool) {
			i = modelstest.UploadPeople(t, at, content)
			return i, modelstest.Must(people.Of(at).ImportColumns(ctx, i.ID))(t).AllSure()
		}
		first, sure := mapped(p, file)
		if sure || first.Mapping[3] != "" {
			t.Fatalf("guessed %q", first.Mapping)
		}
		modelstest.Must(people.Of(p).MapImport(ctx, first.ID, csv.Reading{}, said))(t)
		if i, sure := mapped(p, file); sure || i.Mapping[3] != "" {
			t.Errorf("what was not started is known: %q", i.Mapping)
		}
		modelstest.RunImport(t, f, p, first.ID, people.ImportFill)

		var faults bytes.Buffer
		modelstest.Fine(t, people.Of(p).WriteImportFaults(ctx, first.ID, &faults))
		corrected := strings.Replace(faults.String(), "Bob,bob,", "Bob,bob@example.org,", 1)
		again, sure := mapped(p, corrected)
		modelstest.Holds(t, sure && fmt.Sprint(again.Mapping) == "[full_name email  travel_notes  ]",
			"corrected rows are read as %q, sure: %t", again.Mapping, sure)
		modelstest.RunImport(t, f, p, again.ID, people.ImportFill)
		bob := modelstest.PersonBy(t, f, "bob@example.org")
		modelstest.Holds(t, bob != nil && bob.Here.TravelNotes == "by boat" && bob.CompanyName == "", "came in as %+v", bob)
		modelstest.Must(people.Of(p).ImportContacts(ctx, "x.csv",
			strings.NewReader("Name,Email,Firma,Wishes\nCy,cy@example.org,Nets,on foot\n"),
			people.ImportFill, false))(t)
		cy := modelstest.PersonBy(t, f, "cy@example.org")
		modelstest.Holds(t, cy != nil && cy.Here.TravelNotes == "on foot", "by the command line: %+v", cy)
		if i, sure := mapped(p, strings.Replace(file, "Firma", "Employer", 1)); sure || i.Mapping[3] != "" {
			t.Errorf("other columns are read as %q", i.Mapping)
		}
		if i, sure := mapped(f.Elsewhere(), file); !sure {
			t.Errorf("at another event of the organization: %q", i.Mapping)
		}
		_, id := modelstest.ForeignOwner(t, f)
		foreign := modelstest.Must(f.EventBy(ctx, id))(t)
		if i, sure := mapped(f.Store.Programme(foreign, modelstest.Tester), file); sure || i.Mapping[3] != "" {
			t.Errorf("another organization is told %q", i.Mapping)
		}
	})
}

func TestADeadProcessLeavesAnImportThatSaysSo(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		i := modelstest.UploadPeople(t, p, modelstest.ManyPeople(3))
		modelstest.Must(people.Of(p).StartImport(ctx, i.ID, people.ImportFill))(t)
		db := f.SQL
		modelstest.Exec(t, db, `UPDATE contact_imports SET state = 'running', claimed_until = '2020-01-01T00:00:00.000Z'`)
		modelstest.Must(people.RunImport(ctx, f.Store))(t)
		i = modelstest.Must(people.Of(p).ContactImport(ctx, i.ID))(t)
		modelstest.Holds(t, i.State == people.ImportFailed && strings.Contains(i.Message, "Nothing was imported") &&
			i.CanStart(), "it says %s: %q", i.State, i.Message)
	})
}

func TestWhatIsNoFileOfPeopleIsRefusedInWords(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		for content, want := range map[string]string{
			"PK\x03\x04 xl/":                      "This is an Excel workbook. Save it as CSV first.",
			strings.Repeat("a,", 1999) + "b\n1\n": "2000 columns",
			"Name,Email\n\"Ada,ada@example.org\n": "Row 2, column 1: A quote opens here",
			"":                                    "The file is empty.",
		} {
			_, err := people.Of(p).UploadContacts(ctx, models.Upload{Name: "x.csv", Content: []byte(content)})
			modelstest.Holds(t, store.KindOf(err) == store.Invalid && strings.Contains(err.Error(), want),
				"%.20q: %v", content, err)
		}
		i := modelstest.UploadPeople(t, p, "Name,Email\nM\xfcller,a@example.org\nAda,ä@example.org\n")
		check := modelstest.Must(people.Of(p).CheckImport(ctx, i.ID))(t)
		modelstest.Holds(t, len(check.Faults) == 1 && check.Faults[0].Text == `M\xfcller` &&
			strings.Contains(check.Faults[0].Reason, "ü"), "faults %+v", check.Faults)
		i = modelstest.UploadPeople(t, p, "City,Company\nParis,Analytical\n")
		modelstest.Answers(people.Of(p).CheckImport(ctx, i.ID))(t, "without an address and a name", store.Invalid)
		for _, mapping := range []models.Options{{"email"}, {"email", "nonsense"}, {"email", "email"}, {"", "email"}} {
			modelstest.Answers(people.Of(p).MapImport(ctx, i.ID, csv.Reading{}, mapping))(t, fmt.Sprint(mapping), store.Invalid)
		}
	})
}

func TestTheCommandLineImportsAtOnce(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		file := bytes.NewReader([]byte(modelstest.ManyPeople(3)))
		check := modelstest.Must(people.Of(p).ImportContacts(ctx, "dir/people.csv", file, people.ImportFill, true))(t)
		modelstest.Holds(t, check.Create == 3 && check.State == people.ImportUploaded &&
			modelstest.PersonBy(t, f, "person1@example.org") == nil, "a check: %+v", check)
		done := modelstest.Must(people.Of(p).ImportContacts(ctx, "dir/people.csv", file, people.ImportFill, false))(t)
		modelstest.Holds(t, done.Created == 3 && done.State == people.ImportFinished, "an import: %+v", done.ContactImport)
		modelstest.Want(t, "emitted", len(modelstest.ContactEmissions(t, f)), 3)
		all := modelstest.Must(people.Of(p).ContactImports(ctx))(t)
		modelstest.Holds(t, len(all) == 1 && all[0].Name == "people.csv" && all[0].Created == 3, "kept %+v", all)
	})
}

// TestWhoChangesDuringAnImportDoesNotWaitAndIsReadAnew changes a person while an import writes about them. SQLite has
// one writer, so nobody can there.
func TestWhoChangesDuringAnImportDoesNotWaitAndIsReadAnew(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		if f.Dialect() == "sqlite" {
			return
		}
		ctx, p := t.Context(), f.Programme()
		ada := modelstest.Contact(t, p, "Ada", "ada@example.org")
		eva := modelstest.Contact(t, p, "Eva", "eva@example.org")
		var changed atomic.Bool
		stop := f.Statement.Watch(func(statement string) {
			if strings.Contains(statement, `INSERT INTO "activity"`) && changed.CompareAndSwap(false, true) {
				modelstest.Must(people.In(p.Directory()).Update(ctx, ada.ID, modelstest.Values("company_name", "By hand")))(t)
				modelstest.Merged(t, f, ada.ID, eva.ID)
			}
		})
		const file = "Name,Email,Company,Phone\n" +
			"Ada,ada@example.org,By file,+1 555 123 4567\nEva,eva@example.org,By file,+1 555 123 4567\nNew,new@example.org,,\n"
		i := modelstest.ImportPeople(t, f, file, people.ImportFill)
		stop()
		modelstest.Holds(t, i.State == people.ImportFinished && i.Created == 1 && i.Updated == 1 && i.Failed == 1,
			"ended as %+v", i)
		now := modelstest.Must(p.Directory().Person(ctx, ada.ID))(t)
		modelstest.Holds(t, now.CompanyName == "By hand" && now.Phone == "+1 555 123 4567", "is %+v", now.Contact)
		modelstest.Want(t, "what did not come to be stands in the activity",
			strings.Contains(fmt.Sprint(modelstest.Must(p.Activity(ctx, ada.ID))(t)), "By file"), false)
	})
}

// TestAnImportHoldsPeopleForAFewStatementsWhateverTheirNumber: whoever changes one of them waits for those statements
// alone.
func TestAnImportHoldsPeopleForAFewStatementsWhateverTheirNumber(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "postgres")
	file := func(n int, company string) string {
		var out strings.Builder
		out.WriteString("Name,Email,Company,Dietary,Tags\n")
		for i := range n {
			fmt.Fprintf(&out, "Person %d,person%d@example.org,%s,%s,Keynote\n", i, i, company, company)
		}
		return out.String()
	}
	modelstest.Must(f.Programme().CreateMetadata(t.Context(), models.Tags, models.NewMetadata{Name: "Keynote"}))(t)
	modelstest.ImportPeople(t, f, file(1100, "Before"), people.ImportFill)
	held := func(n int, company string) (statements []string) {
		holds := false
		for _, s := range f.Statement.During(func() {
			modelstest.Want(t, "updated", modelstest.ImportPeople(t, f, file(n, company), people.ImportOverwrite).Updated, n)
		}) {
			holds = holds || strings.Contains(s, "FOR NO KEY UPDATE OF c")
			if !holds && strings.Contains(s, "UPDATE contacts") {
				t.Errorf("%q comes before they are held", s)
			}
			if holds && !strings.Contains(s, "contact_imports") { // those say how far it is
				statements = append(statements, s)
			}
			if holds && strings.HasPrefix(s, `UPDATE "contact_imports"`) && strings.Contains(s, "finished_at") {
				break
			}
		}
		return statements
	}
	few, many := held(3, "Few"), held(1100, "Many")
	modelstest.Holds(t, len(few) == len(many) && len(few) != 0 && len(few) <= 12,
		"3 people are held for %d statements, 1,100 for %d:\n%s", len(few), len(many), strings.Join(many, "\n"))
	now := modelstest.PersonBy(t, f, "person1099@example.org")
	modelstest.Holds(t, now.CompanyName == "Many" && now.Here.Dietary == "Many" && len(now.Tags) == 1,
		"the last is %+v", now)
}

func TestANameThatIsSortedInAFileIsTwoNames(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		i := modelstest.UploadPeople(t, p,
			"Name,Email\n\"Kowalska, Anna Maria\",anna@example.org\nLi Na,li@example.org\n\"King, Jr.\",king@example.org\n")
		modelstest.Must(people.Of(p).MapImport(ctx, i.ID, csv.Reading{}, models.Options{"full_name", "email"}))(t)
		modelstest.RunImport(t, f, p, i.ID, people.ImportFill)
		for email, want := range map[string]string{"anna@example.org": "Anna Maria|Kowalska", "li@example.org": "Li|Na",
			"king@example.org": "King,|Jr."} {
			c := modelstest.Must(p.Directory().ContactBy(ctx, email))(t)
			modelstest.Want(t, email, c.FirstName+"|"+c.LastName, want)
		}
	})
}

// TestAnImportOfALateProcessDoesNotEndThatOfTheNext: a process was taken for dead, and somebody began its failed import
// anew.
func TestAnImportOfALateProcessDoesNotEndThatOfTheNext(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		if f.Store.Embedded() { // where there is one process
			return
		}
		ctx, p := t.Context(), f.Programme()
		i := modelstest.UploadPeople(t, p, modelstest.ManyPeople(20))
		modelstest.Must(people.Of(p).StartImport(ctx, i.ID, people.ImportFill))(t)
		var once atomic.Bool
		stop := f.Statement.Watch(func(statement string) {
			if strings.HasPrefix(statement, "INSERT INTO event_contacts SELECT") && !once.Swap(true) {
				modelstest.Exec(t, f.SQL, "UPDATE contact_imports SET started_at = '2030-01-01T00:00:00.000Z'")
			}
		})
		modelstest.Holds(t, modelstest.Must(people.RunImport(ctx, f.Store))(t), "it was not made")
		stop()
		if i = modelstest.Must(people.Of(p).ContactImport(ctx, i.ID))(t); i.State != people.ImportRunning || i.Done != 0 {
			t.Errorf("the next one is %s, with %d people", i.State, i.Done)
		}
		modelstest.Want(t, "one whom the other process made too", modelstest.PersonBy(t, f, "person1@example.org"), nil)
	})
}
