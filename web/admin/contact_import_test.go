package admin

import (
	"bytes"
	"mime/multipart"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/staff"
)

// bringPeople uploads a file of people, and returns the page that it leads to.
func bringPeople(d *desk, b *browser, content string) (address string) {
	b.t.Helper()
	b.get(d.at("/imports"), 200)
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	form.WriteField("_token", tokenPattern.FindStringSubmatch(b.page)[1])
	file := modelstest.Must(form.CreateFormFile("file", "people.csv"))(b.t.(*testing.T))
	file.Write([]byte(content))
	form.Close()
	r := httptest.NewRequest("POST", d.at("/imports"), &body)
	r.Header.Set("Content-Type", form.FormDataContentType())
	res, _ := b.do(r, 303)
	return res.Header.Get("Location")
}

const peopleFile = "Vorname;Nachname;E-Mail;Firma;Interne Nr.\r\n" +
	"Jürgen;Groß;juergen@example.org;Müller <b>;1\r\nBruno;Silva;bruno@silvaworks;;2\r\n"

func TestPeopleComeInFromAFileThatIsCorrectedAndBroughtAgain(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	b := d.as(staff.Organizer)
	columns := bringPeople(d, b, modelstest.Must(charmap.Windows1252.NewEncoder().String(peopleFile))(t))
	wants(t, b.get(columns, 200), "What is in which column?", "Jürgen", "Left out", "Check 2 rows", "Nothing is written yet.",
		`value="Windows-1252" selected`)
	address := strings.TrimSuffix(columns, "/columns")
	b.post(address+"/columns", url.Values{"column": {"", "", "", "company_name", ""}}, 422)
	wants(t, b.page, "Error:")
	b.post(address+"/columns", url.Values{"column": {"first_name", "last_name", "email", "company_name", ""}}, 303)
	wants(t, b.get(address+"/check", 200), "1 person can come in, 1 row cannot", "bruno@silvaworks", "Must have a dot",
		"Interne Nr.", "Fill what is blank")
	if _, table := b.do(httptest.NewRequest("GET", address+"/faults.csv", nil), 200); !strings.Contains(table,
		`Bruno,Silva,bruno@silvaworks,,2,3,"E-Mail: Must have a dot`) {
		t.Errorf("to correct: %q", table)
	}
	b.post(address+"/start", url.Values{"policy": {"all"}}, 303)
	b.get(address+"/check", 200)
	b.post(address+"/start", url.Values{"policy": {"fill"}}, 303)
	wants(t, b.get(address, 200), "In line", "Cancel the import")
	modelstest.Must(people.RunImport(t.Context(), d.Store))(t)
	wants(t, b.get(address, 200), "1 person is new, 0 changed", "Download 1 row to correct", "1 person came in.", "To correct",
		"import them as another file")
	wants(t, b.get(d.at("/imports"), 200), "people.csv", "1 new, 0 changed")

	log := b.get(d.at("/activity?kind=contact_import"), 200)
	wants(t, log, "imported people from", ">people.csv</a>", `href="`+address+`"`, "People created", "Rows failed")
	lacks(t, log, "contact_import ", "Jürgen")
	lacks(t, d.as(staff.Viewer).get(d.at("/activity?kind=contact_import"), 200), `href="`+address+`"`)

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
	wants(t, b.get(strings.TrimSuffix(check, "check")+"columns", 200), "As last time")
	wants(t, b.get(d.at("/imports"), 200), "Not started yet", `href="`+strings.TrimSuffix(check, "/check")+`"`, "All imports")
	wants(t, b.get(check, 200), "1 person can come in, 0 rows cannot", "Every row can be read.")

	again := bringPeople(d, b, modelstest.Must(charmap.Windows1252.NewEncoder().String(peopleFile))(t))
	wants(t, b.get(again, 200), "This very file was imported by", "0 people can come in", "There is nobody to import")
}

func TestAnImportIsCancelledAndStartedAgain(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	b := d.as(staff.Organizer)
	address := strings.TrimSuffix(bringPeople(d, b, "First name,Last name,Email\nAda,L,ada@example.org\n"), "/check")
	b.get(address+"/check", 200)
	b.post(address+"/start", url.Values{"policy": {"fill"}}, 303)
	b.get(address, 200)
	b.post(address+"/cancel", nil, 303)
	wants(t, b.get(address, 200), "The import was cancelled", "Nothing was imported.", "start again")
	if worked := modelstest.Must(people.RunImport(t.Context(), d.Store))(t); worked {
		t.Error("a cancelled import is made")
	}
	b.get(address+"/check", 200)
	b.post(address+"/start", url.Values{"policy": {"fill"}}, 303)
	modelstest.Must(people.RunImport(t.Context(), d.Store))(t)
	b.get(address+"/columns", 303)
	wants(t, b.get(address, 200), "1 person is new")
}

func TestWhatIsNoFileOfPeopleIsToldOnTheForm(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	b := d.as(staff.Organizer)
	for content, want := range map[string]string{
		"PK\x03\x04 xl/":                        "This is an Excel workbook. Save it as CSV first.",
		"Name,Email\n\"Ada,ada@example.org\n":   "Row 2, column 1: A quote opens here",
		strings.Repeat("a,", 1999) + "b\n1,2\n": "2000 columns",
	} {
		b.get(d.at("/imports"), 200)
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		form.WriteField("_token", tokenPattern.FindStringSubmatch(b.page)[1])
		file := modelstest.Must(form.CreateFormFile("file", "people.csv"))(t)
		file.Write([]byte(content))
		form.Close()
		r := httptest.NewRequest("POST", d.at("/imports"), &body)
		r.Header.Set("Content-Type", form.FormDataContentType())
		_, page := b.do(r, 422)
		wants(t, page, want)
	}
	if all := modelstest.Must(people.Of(d.Programme()).ContactImports(t.Context()))(t); len(all) != 0 {
		t.Errorf("kept %v", all)
	}
	file := models.Upload{Content: []byte("Name,Email\nA,a@b.c\n")}
	if i := modelstest.Must(people.Of(d.Elsewhere()).UploadContacts(t.Context(), file))(t); i != nil {
		b.get(d.at("/imports/"+i.ID), 404)
		b.get(d.at("/imports/"+i.ID+"/faults.csv"), 404)
	}
}
