package admin

import (
	"errors"
	"io"
	"net/http"
	"strconv"

	"lectern/models/csv"
	"lectern/models/people"
	"lectern/models/store"
	"lectern/views/pages"
	"lectern/web/page"
)

// imports is the handle on which imports of people hang.
func (v *visit) imports() *people.AtEvent { return people.Of(v.programme) }

// importsForm takes a file of people, and tells of those before.
func importsForm(v *visit) error { return v.importsPage(http.StatusOK) }

func (v *visit) importsPage(status int) error {
	all, err := v.imports().ContactImports(v.UserContext())
	if err != nil {
		return err
	}
	p := pages.ImportsPage{ImportShell: v.importShell("", "", 1)}
	p.Told = "They come to " + v.event.Name + ". You see what would happen before anything is written."
	for _, i := range all {
		p.Before = append(p.Before, pages.ImportRow{Name: i.Name, URL: p.Base + "/" + i.ID,
			When: page.When(&i.CreatedAt, v.event.Location()), By: i.UserName, Outcome: importOutcome(i)})
	}
	return show(v, status, "Import people", pages.Imports, p)
}

func importOutcome(i *people.ContactImport) string {
	switch i.State {
	case people.ImportFinished:
		return number(int64(i.Created)) + " new, " + number(int64(i.Updated)) + " changed"
	case people.ImportCancelled:
		return "Cancelled"
	case people.ImportFailed:
		return "Nothing was imported"
	case people.ImportUploaded:
		return "Not started yet"
	}
	return "At work"
}

func (v *visit) importShell(id, file string, step int) pages.ImportShell {
	base := v.at("/imports")
	v.section = v.at("/speakers")
	return pages.ImportShell{Base: base, Here: base + "/" + id, Step: step, File: file}
}

// uploadPeople keeps the file of the form, and leads to its columns, or past them where every header is sure.
func uploadPeople(v *visit) error {
	file, err := v.upload("file")
	if err != nil {
		return v.Again(err, v.importsPage)
	}
	i, err := v.imports().UploadContacts(v.UserContext(), file)
	if err != nil {
		return v.Again(importFileFault(err), v.importsPage)
	}
	columns, err := v.imports().ImportColumns(v.UserContext(), i.ID)
	if err != nil {
		return err
	}
	address := v.at("/imports/" + i.ID)
	if columns.AllSure() {
		return v.See(address+"/check", "")
	}
	return v.See(address+"/columns", "")
}

// importFileFault says what is wrong with a file as a form says it of a field.
func importFileFault(err error) error {
	if e, found := errors.AsType[*store.Error](err); found && e.Kind == store.Invalid && len(e.Fields) > 0 {
		return &store.Error{Kind: store.Invalid, Message: e.Message,
			Fields: []store.FieldError{{Field: "file", Message: "cannot be imported. " + e.Fields[0].Message}}}
	}
	return err
}

// showImport is how far an import is, or the step that it waits at.
func showImport(v *visit) error {
	i, err := v.imports().ContactImport(v.UserContext(), v.Params("import"))
	if err != nil {
		return err
	}
	if i.State == people.ImportUploaded {
		return v.See(v.at("/imports/"+i.ID+"/columns"), "")
	}
	p := pages.ImportProgressPage{ImportShell: v.importShell(i.ID, i.Name, 4), Running: i.IsOpen(), Done: i.Done,
		Total: i.Total}
	title := v.importEnd(&p, i)
	p.Told = i.Name
	return show(v, http.StatusOK, title, pages.ImportProgress, p)
}

// importEnd says what came of an import, and returns the title of its page.
func (v *visit) importEnd(p *pages.ImportProgressPage, i *people.ContactImport) (title string) {
	check := p.Here + "/check"
	switch i.State {
	case people.ImportWaiting:
		p.Progress = "In line"
		return "The import is in line"
	case people.ImportRunning:
		p.Progress = number(int64(i.Done)) + " of " + counted(int64(i.Total), "person", "people") + " written"
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
	p.IsGood, p.People = true, v.at("/speakers?who=all")
	p.Counts = []pages.ImportCount{
		{Number: number(int64(i.Created)), Name: "New", About: "receivers are told of each"},
		{Number: number(int64(i.Updated)), Name: "Known, with changes", About: policyDone[i.Policy]},
		{Number: number(int64(i.Skipped)), Name: "Known, nothing new", About: "stayed as they were"},
		{Number: number(int64(i.Failed)), Name: "To correct", About: "correct and upload again", Bad: i.Failed > 0},
	}
	p.Facts = []string{"Imported by " + i.UserName + ", " + page.When(i.FinishedAt, v.event.Location()) + "."}
	p.Outcome = counted(int64(i.Created), "person", "people") + " came in."
	if i.Failed > 0 {
		p.Failed = "Download " + counted(int64(i.Failed), "row", "rows") + " to correct"
		p.Kept = "The file is kept for a day. Correct the rows that you download, and import them as another file; what is wrong " +
			"stands behind each."
	}
	return counted(int64(i.Created), "person is new", "people are new") + ", " + number(int64(i.Updated)) + " changed"
}

var policyDone = map[people.ImportPolicy]string{
	people.ImportFill: "what was blank is filled", people.ImportOverwrite: "what differed is overwritten",
	people.ImportSkip: "they were left alone",
}

// importFaults sends the rows that cannot come in, to be corrected.
func importFaults(v *visit) error {
	return v.sendWritten(v.event.Slug+"-rows-to-correct.csv", csvType, func(out io.Writer) error {
		return v.imports().WriteImportFaults(v.UserContext(), v.Params("import"), out)
	})
}

func startImport(v *visit) error {
	id := v.Params("import")
	_, err := v.imports().StartImport(v.UserContext(), id, people.ImportPolicy(v.Value("policy")))
	if store.KindOf(err) == store.Invalid {
		v.KeepNotice("bad", "The import cannot be started: it is at work or over already, or no choice was made.")
		return v.See(v.at("/imports/"+id), "")
	}
	if err != nil {
		return err
	}
	return v.See(v.at("/imports/"+id), "")
}

func cancelImport(v *visit) error {
	id := v.Params("import")
	err := v.imports().CancelImport(v.UserContext(), id)
	if store.KindOf(err) == store.Invalid {
		return v.See(v.at("/imports/"+id), "It was over before it could be cancelled.")
	}
	if err != nil {
		return err
	}
	return v.See(v.at("/imports/"+id), "")
}

// importReading is how the form says that the file is to be read; the zero value leaves it as it is.
func (v *visit) importReading() csv.Reading {
	as := csv.Reading{Encoding: csv.Encoding(v.Value("encoding"))}
	if delimiter := []rune(v.FormValue("delimiter")); len(delimiter) == 1 {
		as.Delimiter = delimiter[0]
	}
	return as
}

func chooseColumns(v *visit) error {
	id := v.Params("import")
	as := v.importReading()
	_, err := v.imports().MapImport(v.UserContext(), id, as, v.Values("column"))
	if err != nil {
		return v.Again(err, func(status int) error { return v.columnsPage(status, v.Values("column")) })
	}
	address := v.at("/imports/" + id)
	if as.Encoding != "" {
		return v.See(address+"/columns", "")
	}
	return v.See(address+"/check", "")
}

func rowsOf(n int) string { return counted(int64(n), "row", "rows") }

func columnField(at int) string { return "columns[" + strconv.Itoa(at) + "]" }
