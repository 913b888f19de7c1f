package people

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/people"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/layouts"
	pages "lectern/views/pages/people"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

const fieldsPath = visit.ContactsPath + "/fields"

// openReaders is the value of the choice that viewers may read a field too.
const openReaders = "viewers"

// sentOwnField reads the form of a field.
func sentOwnField(v *visit.Visit) people.OwnFieldInput {
	in := people.OwnFieldInput{Label: v.Value("label"), Help: v.Value("help"), Type: field.Type(v.Value("type")),
		IsOpen: v.Value("readers") == openReaders}
	for line := range strings.Lines(v.Value("options")) {
		if line = strings.TrimSpace(line); line != "" {
			in.Options = append(in.Options, line)
		}
	}
	return in
}

func listOwnFields(v *visit.Visit) error {
	return ownFieldsPage(v, http.StatusOK, people.OwnFieldInput{})
}

func ownFieldsPage(v *visit.Visit, status int, in people.OwnFieldInput) error {
	callOwnField(v)
	v.Section = visit.ContactsPath
	d := v.Directory()
	fields, err := d.OwnFields(v.UserContext())
	if err != nil {
		return err
	}
	counts, err := people.In(d).OwnValueCounts(v.UserContext())
	if err != nil {
		return err
	}
	p := pages.OwnFieldsPage{Action: fieldsPath, Back: visit.ContactsPath, Form: ownFieldPage(in)}
	for _, f := range fields {
		p.Rows = append(p.Rows, pages.OwnFieldRow{Label: f.Label, Type: f.Type.Label(), Options: strings.Join(f.Options, ", "),
			Values: visit.Counted(counts[f.Key], "person", "people"), URL: fieldsPath + "/" + f.Key})
	}
	return visit.Show(v, status, "Fields of people", pages.OwnFieldsOfPeople, p)
}

// callOwnField adds the form's labels to faults.
func callOwnField(v *visit.Visit) {
	v.Faults.Call("options", "Choices")
	v.Faults.Call("help", "Hint")
}

// ownFieldPage returns a field as its form shows it.
func ownFieldPage(in people.OwnFieldInput) pages.OwnFieldForm {
	f := pages.OwnFieldForm{Label: in.Label, Help: in.Help, Options: strings.Join(in.Options, "\n"),
		Readers: []components.Option{{Value: readerOf(false), Name: readersOf(false), Chosen: !in.IsOpen},
			{Value: readerOf(true), Name: readersOf(true), Chosen: in.IsOpen}}}
	for _, t := range field.Types() {
		f.Types = append(f.Types, components.Option{Value: string(t), Name: t.Label(), Chosen: t == in.Type})
	}
	return f
}

// readerOf returns the value of the choice of who reads a field.
func readerOf(isOpen bool) string {
	if isOpen {
		return openReaders
	}
	return "organizers"
}

// readersOf says who reads a field.
func readersOf(isOpen bool) string {
	if isOpen {
		return "Viewers too"
	}
	return "Organizers alone"
}

func addOwnField(v *visit.Visit) error {
	in := sentOwnField(v)
	d := v.Directory()
	err := v.Once(func(ctx context.Context) (string, error) {
		_, err := people.In(d).AddOwnField(ctx, in)
		return fieldsPath, err
	})
	if err != nil {
		return v.Again(optionFaults(err), func(status int) error { return ownFieldsPage(v, status, in) })
	}
	return v.See(fieldsPath, "“"+visit.Cut(in.Label)+"” is added.")
}

// optionFaults moves faults of single options to their one field of the form.
func optionFaults(err error) error {
	e := store.AsError(err)
	if e == nil {
		return err
	}
	for i, f := range e.Fields {
		if strings.HasPrefix(f.Field, "options[") {
			e.Fields[i].Field = "options"
		}
	}
	return err
}

// ownField reads the field of the path.
func ownField(v *visit.Visit) (*models.OwnField, error) {
	return people.In(v.Directory()).OwnField(v.UserContext(), v.Params("field"))
}

func ownFieldForm(v *visit.Visit, f *models.OwnField) error {
	return ownFieldEditor(v, http.StatusOK, f,
		people.OwnFieldInput{Label: f.Label, Help: f.Help, Type: f.Type, Options: f.Options, IsOpen: f.IsOpen}, nil)
}

func ownFieldEditor(v *visit.Visit, status int, f *models.OwnField, in people.OwnFieldInput,
	c *components.Conflict) error {
	v.Section = visit.ContactsPath
	callOwnField(v)
	p := pages.OwnFieldPage{Form: ownFieldPage(in), Type: f.Type.Label(), HasOptions: f.Type.HasOptions(), Conflict: c,
		Action: fieldsPath + "/" + f.Key, Cancel: fieldsPath, UpdatedAt: f.UpdatedAt.String(),
		First: []components.Hidden{{Name: "label", Value: f.Label}, {Name: "help", Value: f.Help},
			{Name: "options", Value: strings.Join(f.Options, "\n")}, {Name: "readers", Value: readerOf(f.IsOpen)}}}
	return visit.Show(v, status, "Field "+f.Label, pages.OwnFieldOfPeople, p)
}

func changeOwnField(v *visit.Visit, f *models.OwnField) error {
	in := sentOwnField(v)
	token, _ := store.ParseTime(v.Value("updated_at")) // a missing token counts as stale
	d := v.Directory()
	_, err := people.In(d).ChangeOwnField(v.UserContext(), f.Key, in, &token)
	if store.KindOf(err) == store.Stale {
		c, err := v.Conflict(f.Key, f.UpdatedAt, []page.Edited{
			{Name: "label", Label: "Label", Was: v.FirstValue("label"), Mine: in.Label, Theirs: f.Label},
			{Name: "help", Label: "Hint", Was: v.FirstValue("help"), Mine: in.Help, Theirs: f.Help},
			{Name: "options", Label: "Choices", Was: strings.ReplaceAll(v.FirstValue("options"), "\r\n", "\n"),
				Mine: strings.Join(in.Options, "\n"), Theirs: strings.Join(f.Options, "\n")},
			{Name: "readers", Label: "Who reads it", Was: v.FirstValue("readers"), Mine: readerOf(in.IsOpen), Theirs: readerOf(f.IsOpen)}})
		if err != nil {
			return err
		}
		c.Action, c.Discard = fieldsPath+"/"+f.Key, fieldsPath+"/"+f.Key
		return ownFieldEditor(v, http.StatusConflict, f, in, c)
	}
	if err != nil {
		return v.Again(optionFaults(err), func(status int) error { return ownFieldEditor(v, status, f, in, nil) })
	}
	return v.See(fieldsPath, "“"+visit.Cut(in.Label)+"” is saved.")
}

func askDeleteOwnField(v *visit.Visit, f *models.OwnField) error {
	v.Section = visit.ContactsPath
	d := v.Directory()
	counts, err := people.In(d).OwnValueCounts(v.UserContext())
	if err != nil {
		return err
	}
	return v.Ask("Delete the field “"+visit.Cut(f.Label)+"”?", layouts.ConfirmPage{
		Text: "What is filled in for " + visit.Counted(counts[f.Key], "person", "people") +
			" is deleted with it, for good.",
		Action: fieldsPath + "/" + f.Key + "/delete", Verb: "Delete the field", Cancel: fieldsPath})
}

func deleteOwnField(v *visit.Visit, f *models.OwnField) error {
	d := v.Directory()
	_, err := people.In(d).DeleteOwnField(v.UserContext(), f.Key)
	return v.Done(err, fieldsPath, "“"+visit.Cut(f.Label)+"” is deleted.")
}

// showOverview shows the organization's people in numbers, each a link to its list.
func showOverview(v *visit.Visit) error {
	v.Section = visit.ContactsPath
	d := v.Directory()
	o, err := people.In(d).Overview(v.UserContext())
	if err != nil {
		return err
	}
	events, err := v.Events()
	if err != nil {
		return err
	}
	slices.SortStableFunc(events, func(a, b *models.Event) int { return strings.Compare(startOf(b), startOf(a)) })
	p := pages.OverviewPage{Base: visit.ContactsPath, Numbers: []pages.OverviewRow{
		{Count: visit.Number(o.People), Name: "People", URL: visit.ContactsPath},
		{Count: visit.Number(int64(len(events))), Name: map[bool]string{true: "Event", false: "Events"}[len(events) == 1],
			URL: "#events"},
		{Count: visit.Number(o.Returned), Name: "Returning speakers", URL: visit.ContactsPath + "?returning=speakers"},
		{Count: visit.Number(o.Returning), Name: "At more than one event", URL: visit.ContactsPath + "?returning=yes"},
		{Count: visit.Number(o.NoEmail), Name: "Without e-mail address", URL: visit.ContactsPath + "?missing=email"}}}
	for _, e := range events {
		p.Events = append(p.Events, pages.OverviewRow{Name: e.Name, Count: visit.Number(o.Events[e.ID]),
			URL: visit.ContactsPath + "?event=" + e.ID})
	}
	for _, c := range o.Companies {
		l := visit.Listing{Query: map[string][]string{}}
		p.Companies = append(p.Companies, pages.OverviewRow{Name: c.Name, Count: visit.Number(c.Count),
			URL: visit.ContactsPath + l.With("company", c.Name)})
	}
	return visit.Show(v, http.StatusOK, "People in numbers", pages.Overview, p)
}
