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

// ownFieldFields are the fields of the form of a field. Its type is chosen once.
func ownFieldFields(f *models.OwnField) []page.Edited {
	return []page.Edited{{Name: "label", Label: "Label", Theirs: f.Label}, {Name: "help", Label: "Hint", Theirs: f.Help},
		{Name: "options", Label: "Choices", Theirs: strings.Join(f.Options, "\n")},
		{Name: "readers", Label: "Who reads it", Theirs: readerOf(f.IsOpen)}}
}

// sentOwnField reads the form of a field.
func sentOwnField(v *visit.Visit, f *models.OwnField) (*page.Edit, people.OwnFieldInput) {
	e := v.Sent(f.UpdatedAt, ownFieldFields(f))
	in := people.OwnFieldInput{Label: e.Of("label"), Help: e.Of("help"), Type: field.Type(v.Value("type")),
		IsOpen: e.Of("readers") == openReaders}
	for line := range strings.Lines(e.Of("options")) {
		if line = strings.TrimSpace(line); line != "" {
			in.Options = append(in.Options, line)
		}
	}
	e.Set("options", strings.Join(in.Options, "\n"))
	return e, in
}

func listOwnFields(v *visit.Visit) error { return ownFieldsPage(v, http.StatusOK) }

// ownFieldsPage shows the fields, and the form of a new one as it was sent.
func ownFieldsPage(v *visit.Visit, status int) error {
	e, in := sentOwnField(v, &models.OwnField{})
	v.NameFaults(e)
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
	p := pages.OwnFieldsPage{Edit: e.Shown(), Action: fieldsPath, Back: visit.ContactsPath, Readers: readers(e),
		Types: visit.Choices(field.Types(), func(t field.Type) (string, string) { return string(t), t.Label() }, string(in.Type))}
	for _, f := range fields {
		p.Rows = append(p.Rows, pages.OwnFieldRow{Label: f.Label, Type: f.Type.Label(), Options: strings.Join(f.Options, ", "),
			Values: visit.Counted(counts[f.Key], "person", "people"), URL: fieldsPath + "/" + f.Key})
	}
	return visit.Show(v, status, "Fields of people", pages.OwnFieldsOfPeople, p)
}

// readers returns the choices of who reads a field.
func readers(e *page.Edit) []components.Option {
	return []components.Option{{Value: readerOf(false), Name: "Organizers alone", Chosen: e.Of("readers") != openReaders},
		{Value: openReaders, Name: "Viewers too", Chosen: e.Of("readers") == openReaders}}
}

// readerOf returns the value of the choice of who reads a field.
func readerOf(isOpen bool) string {
	if isOpen {
		return openReaders
	}
	return "organizers"
}

func addOwnField(v *visit.Visit) error {
	_, in := sentOwnField(v, &models.OwnField{})
	d := v.Directory()
	err := v.Once(func(ctx context.Context) (string, error) {
		_, err := people.In(d).AddOwnField(ctx, in)
		return fieldsPath, err
	})
	if err != nil {
		return v.Again(optionFaults(err), func(status int) error { return ownFieldsPage(v, status) })
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
	return ownFieldEditor(v, http.StatusOK, f, page.Opened(f.UpdatedAt, ownFieldFields(f)))
}

func ownFieldEditor(v *visit.Visit, status int, f *models.OwnField, e *page.Edit) error {
	v.Section = visit.ContactsPath
	v.NameFaults(e)
	return visit.Show(v, status, "Field "+f.Label, pages.OwnFieldOfPeople, pages.OwnFieldPage{Edit: e.Shown(),
		Type: f.Type.Label(), HasOptions: f.Type.HasOptions(), Readers: readers(e), Action: fieldsPath + "/" + f.Key,
		Cancel: fieldsPath})
}

func changeOwnField(v *visit.Visit, f *models.OwnField) error {
	e, in := sentOwnField(v, f)
	if _, err := people.In(v.Directory()).ChangeOwnField(v.UserContext(), f.Key, in, e.Token); err != nil {
		return v.Unsaved(optionFaults(err), e, f.Key, fieldsPath+"/"+f.Key, func(status int) error {
			return ownFieldEditor(v, status, f, e)
		})
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
