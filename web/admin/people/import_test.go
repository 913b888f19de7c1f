package people_test

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/staff"
	"lectern/web/admin/admintest"
)

// bringPeople uploads a file of people, and returns the page that it leads to.
func bringPeople(d *admintest.Desk, b *admintest.Browser, content string) (address string) {
	b.T.Helper()
	address, _ = b.On(d.At("/imports")).SendFile(d.At("/imports"), url.Values{}, "file", "people.csv", content, 303)
	return address
}

const peopleFile = "Vorname;Nachname;E-Mail;Firma;Interne Nr.\r\n" +
	"Jürgen;Groß;juergen@example.org;Müller <b>;1\r\nBruno;Silva;bruno@silvaworks;;2\r\n"

func TestPeopleComeInFromAFileThatIsCorrectedAndBroughtAgain(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	columns := bringPeople(d, b, modelstest.Must(charmap.Windows1252.NewEncoder().String(peopleFile))(t))
	admintest.Wants(t, b.Get(columns, 200), "What is in which column?", "Jürgen", "Left out", "Check 2 rows",
		"Nothing is written yet.", `value="Windows-1252" selected`)
	address := strings.TrimSuffix(columns, "/columns")
	b.Post(address+"/columns", url.Values{"column": {"", "", "", "company_name", ""}}, 422)
	admintest.Wants(t, b.Page, "Error:")
	b.Post(address+"/columns", url.Values{"column": {"first_name", "last_name", "email", "company_name", ""}}, 303)
	admintest.Wants(t, b.Get(address+"/check", 200), "1 person can come in, 1 row cannot", "bruno@silvaworks",
		"Must have a dot", "Interne Nr.", "Fill what is blank")
	if _, table := b.Do(httptest.NewRequest("GET", address+"/faults.csv", nil), 200); !strings.Contains(table,
		`Bruno,Silva,bruno@silvaworks,,2,3,"E-Mail: Must have a dot`) {
		t.Errorf("to correct: %q", table)
	}
	b.Post(address+"/start", url.Values{"policy": {"all"}}, 303)
	b.On(address+"/check").Post(address+"/start", url.Values{"policy": {"fill"}}, 303)
	admintest.Wants(t, b.Get(address, 200), "In line", "Cancel the import")
	modelstest.Must(people.RunImport(t.Context(), d.Store))(t)
	admintest.Wants(t, b.Get(address, 200), "1 person is new, 0 changed", "Download 1 row to correct", "1 person came in.",
		"To correct", "import them as another file")
	admintest.Wants(t, b.Get(d.At("/imports"), 200), "people.csv", "1 new, 0 changed")

	admintest.Wants(t, b.Get(d.At("/activity?kind=contact_import"), 200), "imported people from", ">people.csv</a>",
		`href="`+address+`"`, "People created", "Rows failed")
	admintest.Lacks(t, b.Text, "contact_import ", "Jürgen")
	admintest.Lacks(t, d.As(staff.Viewer).Get(d.At("/activity?kind=contact_import"), 200), `href="`+address+`"`)

	corrected := "\uFEFFVorname,Nachname,E-Mail,Firma,Row in the file,What is wrong\r\n" +
		"Bruno,Silva,bruno@silva.example,,3,E-Mail\r\n"
	known := "Vorname,Nachname,E-Mail,Firma,Interne Nr.,Row in the file,What is wrong\r\n" +
		"Bruno,Silva,bruno@silva.example,,2,3,E-Mail\r\n"
	var check string
	for _, content := range []string{corrected, known} {
		if check = bringPeople(d, b, content); !strings.HasSuffix(check, "/check") {
			t.Errorf("what is sure leads to %s", check)
		}
	}
	admintest.Wants(t, b.Get(strings.TrimSuffix(check, "check")+"columns", 200), "As last time")
	admintest.Wants(t, b.Get(d.At("/imports"), 200), "Not started yet", `href="`+strings.TrimSuffix(check, "/check")+`"`,
		"All imports")
	admintest.Wants(t, b.Get(check, 200), "1 person can come in, 0 rows cannot", "Every row can be read.")

	again := bringPeople(d, b, modelstest.Must(charmap.Windows1252.NewEncoder().String(peopleFile))(t))
	admintest.Wants(t, b.Get(again, 200), "This very file was imported by", "0 people can come in",
		"There is nobody to import")
}

// The check says how many come in without an address before any of them does; a row without a name cannot.
func TestTheCheckSaysWhoComesInWithoutAnAddress(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	check := bringPeople(d, b, "Name,Email\n\"Kowalska, Anna\",\nKenji Sato,\nLi Na,li@example.org\n,nobody@example.org\n")
	admintest.Wants(t, b.Get(check, 200), "3 people can come in, 1 row cannot",
		"2 people have no e-mail address. They come in by their name", "There is no name. Who is it?")
	admintest.Lacks(t, b.Get(d.At("/speakers?who=all"), 200), "Kenji")
	b.On(check).Post(strings.TrimSuffix(check, "check")+"start", url.Values{"policy": {"fill"}}, 303)
	modelstest.Must(people.RunImport(t.Context(), d.Store))(t)
	admintest.Wants(t, b.Get(d.At("/speakers?who=all&columns=email"), 200), "Anna Kowalska", "Kenji Sato", "No address")
}

func TestAnImportIsCancelledAndStartedAgain(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	address := strings.TrimSuffix(bringPeople(d, b, "First name,Last name,Email\nAda,L,ada@example.org\n"), "/check")
	b.On(address+"/check").Post(address+"/start", url.Values{"policy": {"fill"}}, 303)
	b.On(address).Post(address+"/cancel", nil, 303)
	admintest.Wants(t, b.Get(address, 200), "The import was cancelled", "Nothing was imported.", "start again")
	if worked := modelstest.Must(people.RunImport(t.Context(), d.Store))(t); worked {
		t.Error("a cancelled import is made")
	}
	b.On(address+"/check").Post(address+"/start", url.Values{"policy": {"fill"}}, 303)
	modelstest.Must(people.RunImport(t.Context(), d.Store))(t)
	b.Get(address+"/columns", 303)
	admintest.Wants(t, b.Get(address, 200), "1 person is new")
}

func TestWhatIsNoFileOfPeopleIsToldOnTheForm(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	for content, want := range map[string]string{
		"PK\x03\x04 xl/":                        "This is an Excel workbook. Save it as CSV first.",
		"Name,Email\n\"Ada,ada@example.org\n":   "Row 2, column 1: A quote opens here",
		strings.Repeat("a,", 1999) + "b\n1,2\n": "2000 columns",
	} {
		_, page := b.On(d.At("/imports")).SendFile(d.At("/imports"), url.Values{}, "file", "people.csv", content, 422)
		admintest.Wants(t, page, want)
	}
	modelstest.Want(t, "kept", len(modelstest.Must(people.Of(d.Programme()).ContactImports(t.Context()))(t)), 0)
}
