package people

import (
	"errors"
	"io"
	"net/http"
	"strconv"

	"lectern/models/csv"
	"lectern/models/people"
	"lectern/models/store"
	pages "lectern/views/pages/people"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// importsHere returns the event's people, to which imports belong.
func importsHere(v *visit.Visit) *people.AtEvent { return people.Of(v.Programme) }

// importsForm shows the form for a file of people, and earlier imports.
func importsForm(v *visit.Visit) error { return importsPage(v, http.StatusOK) }

func importsPage(v *visit.Visit, status int) error {
	all, err := importsHere(v).ContactImports(v.UserContext())
	if err != nil {
		return err
	}
	p := pages.ImportsPage{ImportShell: importShell(v, "", "", 1)}
	p.Told = "They come to " + v.Event.Name + ". You see what would happen before anything is written."
	for _, i := range all {
		p.Before = append(p.Before, pages.ImportRow{Name: i.Name, URL: p.Base + "/" + i.ID,
			When: page.When(&i.CreatedAt, v.Event.Location()), By: i.UserName, Outcome: importOutcome(i)})
	}
	return visit.Show(v, status, "Import people", pages.Imports, p)
}

func importOutcome(i *people.ContactImport) string {
	switch i.State {
	case people.ImportFinished:
		return visit.Number(int64(i.Created)) + " new, " + visit.Number(int64(i.Updated)) + " changed"
	case people.ImportCancelled:
		return "Cancelled"
	case people.ImportFailed:
		return "Nothing was imported"
	case people.ImportUploaded:
		return "Not started yet"
	}
	return "At work"
}

func importShell(v *visit.Visit, id, file string, step int) pages.ImportShell {
	base := v.At("/imports")
	v.Section = v.At("/speakers")
	return pages.ImportShell{Base: base, Here: base + "/" + id, Step: step, File: file}
}

// uploadPeople stores the file of the form, and leads to its columns, or past them where every header is certain.
func uploadPeople(v *visit.Visit) error {
	file, err := v.Upload("file")
	if err != nil {
		return v.Again(err, func(status int) error { return importsPage(v, status) })
	}
	i, err := importsHere(v).UploadContacts(v.UserContext(), file)
	if err != nil {
		return v.Again(importFileFault(err), func(status int) error { return importsPage(v, status) })
	}
	columns, err := importsHere(v).ImportColumns(v.UserContext(), i.ID)
	if err != nil {
		return err
	}
	address := v.At("/imports/" + i.ID)
	if columns.AllSure() {
		return v.See(address+"/check", "")
	}
	return v.See(address+"/columns", "")
}

// importFileFault turns what is wrong with a file into a fault of the form's field.
func importFileFault(err error) error {
	if e, found := errors.AsType[*store.Error](err); found && e.Kind == store.Invalid && len(e.Fields) > 0 {
		return &store.Error{Kind: store.Invalid, Message: e.Message,
			Fields: []store.FieldError{{Field: "file", Message: "cannot be imported. " + e.Fields[0].Message}}}
	}
	return err
}

// showImport shows how far an import is, or the step at which it waits.
func showImport(v *visit.Visit) error {
	i, err := importsHere(v).ContactImport(v.UserContext(), v.Params("import"))
	if err != nil {
		return err
	}
	if i.State == people.ImportUploaded {
		return v.See(v.At("/imports/"+i.ID+"/columns"), "")
	}
	p := pages.ImportProgressPage{ImportShell: importShell(v, i.ID, i.Name, 4), Running: i.IsOpen(), Done: i.Done,
		Total: i.Total}
	title := importEnd(v, &p, i)
	p.Told = i.Name
	return visit.Show(v, http.StatusOK, title, pages.ImportProgress, p)
}

// importEnd fills in the result of an import, and returns the page's title.
func importEnd(v *visit.Visit, p *pages.ImportProgressPage, i *people.ContactImport) (title string) {
	check := p.Here + "/check"
	switch i.State {
	case people.ImportWaiting:
		p.Progress = "In line"
		return "The import is in line"
	case people.ImportRunning:
		p.Progress = visit.Number(int64(i.Done)) + " of " + visit.Counted(int64(i.Total), "person", "people") + " written"
		if i.Total == 0 {
			p.Progress = "The file is being read"
		}
		return "People are coming in"
	case people.ImportCancelled:
		p.Outcome, p.Again = "The import was cancelled.", check
		p.Facts = []string{"Nothing was imported."}
		return "The import was cancelled"
	case people.ImportFailed:
		p.Outcome, p.Again = i.Message, check
		p.Facts = []string{i.Message}
		return "Nothing was imported"
	}
	p.IsGood, p.People = true, v.At("/speakers?who=all")
	p.Counts = []pages.ImportCount{
		{Number: visit.Number(int64(i.Created)), Name: "New", About: "receivers are told of each"},
		{Number: visit.Number(int64(i.Updated)), Name: "Known, with changes", About: policyDone[i.Policy]},
		{Number: visit.Number(int64(i.Skipped)), Name: "Known, nothing new", About: "stayed as they were"},
		{Number: visit.Number(int64(i.Failed)), Name: "To correct", About: "correct and upload again", Bad: i.Failed > 0},
	}
	p.Facts = []string{"Imported by " + i.UserName + ", " + page.When(i.FinishedAt, v.Event.Location()) + "."}
	p.Outcome = visit.Counted(int64(i.Created), "person", "people") + " came in."
	if i.Failed > 0 {
		p.Failed = "Download " + visit.Counted(int64(i.Failed), "row", "rows") + " to correct"
	}
	return visit.Counted(int64(i.Created), "person is new", "people are new") + ", " + visit.Number(int64(i.Updated)) +
		" changed"
}

var policyDone = map[people.ImportPolicy]string{
	people.ImportFill: "what was blank is filled", people.ImportOverwrite: "what differed is overwritten",
	people.ImportSkip: "they were left alone",
}

// importFaults sends the rows that cannot be imported, for correction.
func importFaults(v *visit.Visit) error {
	return v.SendWritten(v.Event.Slug+"-rows-to-correct.csv", visit.CSVType, func(out io.Writer) error {
		return importsHere(v).WriteImportFaults(v.UserContext(), v.Params("import"), out)
	})
}

func startImport(v *visit.Visit) error {
	id := v.Params("import")
	_, err := importsHere(v).StartImport(v.UserContext(), id, people.ImportPolicy(v.Value("policy")))
	if store.KindOf(err) == store.Invalid {
		return v.SeeRefusal(v.At("/imports/"+id),
			"The import cannot be started: it is at work or over already, or no choice was made.")
	}
	return v.Done(err, v.At("/imports/"+id), "")
}

func cancelImport(v *visit.Visit) error {
	id := v.Params("import")
	err := importsHere(v).CancelImport(v.UserContext(), id)
	if store.KindOf(err) == store.Invalid {
		return v.See(v.At("/imports/"+id), "It was over before it could be cancelled.")
	}
	return v.Done(err, v.At("/imports/"+id), "")
}

// importReading returns how the form wants the file to be read; the zero value leaves it as it is.
func importReading(v *visit.Visit) csv.Reading {
	as := csv.Reading{Encoding: csv.Encoding(v.Value("encoding"))}
	if delimiter := []rune(v.FormValue("delimiter")); len(delimiter) == 1 {
		as.Delimiter = delimiter[0]
	}
	return as
}

func chooseColumns(v *visit.Visit) error {
	id := v.Params("import")
	as := importReading(v)
	_, err := importsHere(v).MapImport(v.UserContext(), id, as, v.Values("column"))
	if err != nil {
		return v.Again(err, func(status int) error { return columnsPage(v, status, v.Values("column")) })
	}
	address := v.At("/imports/" + id)
	if as.Encoding != "" {
		return v.See(address+"/columns", "")
	}
	return v.See(address+"/check", "")
}

func rowsOf(n int) string { return visit.Counted(int64(n), "row", "rows") }

func columnField(at int) string { return "columns[" + strconv.Itoa(at) + "]" }
