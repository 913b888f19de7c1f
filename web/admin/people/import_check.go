package people

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"lectern/models/csv"
	"lectern/models/people"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/people"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

func columnsForm(v *visit.Visit) error { return columnsPage(v, http.StatusOK, nil) }

// columnsPage asks what each column holds; chosen is a refused form's choice.
func columnsPage(v *visit.Visit, status int, chosen []string) error {
	c, err := importsHere(v).ImportColumns(v.UserContext(), v.Params("import"))
	if err != nil {
		return err
	}
	if !c.CanStart() {
		return v.See(v.At("/imports/"+c.ID), "")
	}
	p := pages.ImportColumnsPage{ImportShell: importShell(v, c.ID, c.Name, 2),
		Rows: visit.Number(int64(c.Rows)) + ", and one heading", Verb: "Check " + rowsOf(c.Rows)}
	known := 0
	for at, column := range c.Columns {
		if at < len(chosen) && len(chosen) == len(c.Columns) {
			column.Chosen = chosen[at]
		}
		if column.Chosen != "" {
			known++
		}
		p.Columns = append(p.Columns, importColumn(c, at, column))
	}
	p.Told = "We recognised " + strconv.Itoa(known) + " of " + visit.Counted(int64(len(c.Columns)), "column", "columns") +
		". Look through the samples and correct what is wrong."
	p.Encodings = visit.Choices(csv.Encodings, func(e csv.Encoding) (string, string) { return string(e), string(e) },
		string(c.Encoding))
	for i, name := range []string{"Commas", "Semicolons", "Tabs"} {
		value := []string{",", ";", "\t"}[i]
		p.Separated = append(p.Separated, components.Option{Value: value, Name: name, Chosen: value == c.Delimiter})
	}
	if p.Earlier, _, err = importedBefore(v, c.ContactImport); err != nil {
		return err
	}
	if p.Earlier == "" {
		p.Earlier = "No. If you import the same file twice, nobody is created twice."
	}
	return visit.Show(v, status, "What is in which column?", pages.ImportColumns, p)
}

func importColumn(c *people.ImportColumns, at int, column people.ImportColumn) pages.ImportColumn {
	x := pages.ImportColumn{Field: columnField(at), Name: column.Name, Samples: column.Samples}
	x.Options = []components.Option{{Name: "Leave out", Chosen: column.Chosen == ""},
		{Value: "full_name", Name: "Full name", Chosen: column.Chosen == "full_name"}}
	for _, f := range c.Fields {
		x.Options = append(x.Options, components.Option{Value: f.Key, Name: f.Label, Chosen: column.Chosen == f.Key})
	}
	switch {
	case column.Chosen == "" && column.Why != "":
		x.Sure, x.Why = "Left out", column.Why
	case c.IsKnown:
		x.Sure, x.Look = "As last time", "good"
	case column.Certainty == csv.Unclear && column.Chosen == "":
		x.Sure, x.Look = "Please look", "warn"
	case column.Chosen == "":
		x.Sure = "Left out"
	case column.Chosen != column.Target:
		x.Sure = "Chosen"
	case column.Certainty == csv.Exact:
		x.Sure, x.Look = "Sure", "good"
	default:
		x.Sure = "Guessed"
	}
	return x
}

// importedBefore says when and by whom the same bytes were imported, "" if they were not.
func importedBefore(v *visit.Visit, i *people.ContactImport) (words, address string, err error) {
	before, err := importsHere(v).EarlierImport(v.UserContext(), i)
	if before == nil {
		return "", "", err
	}
	return "This very file was imported by " + before.UserName + ", " +
		page.When(before.FinishedAt, v.Event.Location()) + ". Nobody is created twice.", v.At("/imports/" + before.ID), nil
}

// faultsShown is how many rows to correct the check's page shows.
const faultsShown = 200

// checkImport shows what would become of the rows, and asks for a policy.
func checkImport(v *visit.Visit) error {
	check, err := importsHere(v).CheckImport(v.UserContext(), v.Params("import"))
	if store.KindOf(err) == store.Invalid { // the columns do not identify people
		return v.Again(err, func(status int) error { return columnsPage(v, status, nil) })
	}
	if err != nil {
		return err
	}
	if !check.CanStart() {
		return v.See(v.At("/imports/"+check.ID), "")
	}
	p := pages.ImportCheckPage{ImportShell: importShell(v, check.ID, check.Name, 3),
		Count: visit.Number(int64(check.Failed))}
	p.Told = "Checked " + rowsOf(check.Rows) + " of " + check.Name + ". Nothing is written yet."
	if p.Earlier, p.EarlierURL, err = importedBefore(v, check.ContactImport); err != nil {
		return err
	}
	policy := check.Policy
	effect := check.Effects[policy]
	if check.ByName > 0 {
		p.ByName = visit.Counted(int64(check.ByName), "person has", "people have") +
			" no e-mail address. They come in by their name: whoever is at " +
			"this event already, is called the same and has no address either is taken for them. No letter reaches them."
	}
	p.Named = namedWords(check.Named)
	p.Counts = []pages.ImportCount{
		{Number: visit.Number(int64(check.Create)), Name: "New", About: "nobody we know by e-mail or name"},
		{Number: visit.Number(int64(effect.People)), Name: "Known, with changes",
			About: visit.Counted(int64(effect.Fields), "field", "fields") + " would be filled"},
		{Number: visit.Number(int64(check.SkippedBy(policy))), Name: "Known, nothing new", About: "stay as they are"},
		{Number: visit.Number(int64(check.Failed)), Name: "To correct", About: "correct and upload again",
			Bad: check.Failed > 0},
	}
	for _, f := range check.Faults[:min(faultsShown, len(check.Faults))] {
		p.Faults = append(p.Faults, pages.ImportFault{Row: visit.Number(int64(f.Row)), Person: f.Person, Column: f.Column,
			Text: f.Text, Reason: f.Reason})
	}
	p.More = visit.AndMore(int64(len(check.Faults)), len(p.Faults))
	for _, column := range check.Columns {
		if column.Chosen == "" {
			p.LeftOut = append(p.LeftOut, pages.ImportLeftOut{Name: column.Name, Why: column.Why})
		}
	}
	importPolicies(v, &p, check)
	come := check.Create + effect.People
	return visit.Show(v, http.StatusOK, visit.Counted(int64(come), "person can come in", "people can come in")+", "+
		visit.Counted(int64(check.Failed), "row cannot", "rows cannot"), pages.ImportCheck, p)
}

// namedShown is how many names the check's page lists.
const namedShown = 5

// namedWords says whom rows match by name alone, "" for nobody.
func namedWords(names []string) string {
	shown := strings.Join(names[:min(namedShown, len(names))], ", ")
	if more := len(names) - namedShown; more > 0 {
		shown += " and " + visit.Number(int64(more)) + " more"
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return shown + " is at this event without an e-mail address, and nobody else here has that name. The row of the file " +
			"is taken for them: they get its address, unless you leave alone whom we know."
	}
	return shown + " are at this event without an e-mail address, and nobody else here has their names. The rows of the file " +
		"are taken for them: they get those addresses, unless you leave alone whom we know."
}

// importPolicies fills in the policies for known people, each with its effect in numbers.
func importPolicies(v *visit.Visit, p *pages.ImportCheckPage, check *people.ImportCheck) {
	about := func(policy people.ImportPolicy, rest string) string {
		e := check.Effects[policy]
		return visit.Counted(int64(e.Fields), "field", "fields") + " in " + visit.Counted(int64(e.People), "contact",
			"contacts") + ". " + rest
	}
	p.Policies = []pages.ImportPolicy{
		{Value: string(people.ImportFill), Name: "Fill what is blank",
			About: about(people.ImportFill, "What staff typed stays.")},
		{Value: string(people.ImportOverwrite), Name: "Overwrite",
			About: about(people.ImportOverwrite, "What is blank in the file stays.")},
		{Value: string(people.ImportSkip), Name: "Leave them alone",
			About: "Only " + visit.Counted(int64(check.Create), "new person comes in.", "new people come in.")},
	}
	for i := range p.Policies {
		p.Policies[i].Chosen = p.Policies[i].Value == string(check.Policy)
	}
	most := slices.MaxFunc(people.ImportPolicies, func(a, b people.ImportPolicy) int {
		return int(check.Takes(a) - check.Takes(b))
	})
	p.IsEmpty = check.Create+check.Effects[most].People == 0
	if seconds := int64(check.Takes(most).Seconds()); seconds > 1 && v.Store.Embedded() {
		p.Slow = "It takes about " + visit.Counted(seconds, "second", "seconds") +
			". Pages can be read meanwhile; other changes wait, or are to be repeated."
	}
}
