package admin

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages"
	"lectern/web/page"
)

const fieldsPath = contactsPath + "/fields"

// openReaders is the choice of a field that is not for organizers alone.
const openReaders = "viewers"

// ownFieldForm is what the form of a field says.
func (v *visit) ownFieldForm() models.OwnFieldInput {
	in := models.OwnFieldInput{Label: v.Value("label"), Help: v.Value("help"), Type: field.Type(v.Value("type")),
		IsOpen: v.Value("readers") == openReaders}
	for line := range strings.Lines(v.Value("options")) {
		if line = strings.TrimSpace(line); line != "" {
			in.Options = append(in.Options, line)
		}
	}
	return in
}

func listOwnFields(v *visit) error { return v.ownFieldsPage(http.StatusOK, models.OwnFieldInput{}) }

func (v *visit) ownFieldsPage(status int, in models.OwnFieldInput) error {
	v.callOwnField()
	v.section = contactsPath
	d := v.directory()
	fields, err := d.OwnFields(v.UserContext())
	if err != nil {
		return err
	}
	counts, err := d.OwnValueCounts(v.UserContext())
	if err != nil {
		return err
	}
	p := pages.OwnFieldsPage{Action: fieldsPath, Back: contactsPath, Form: ownFieldPage(in)}
	for _, f := range fields {
		p.Rows = append(p.Rows, pages.OwnFieldRow{Label: f.Label, Type: f.Type.Label(), Options: strings.Join(f.Options, ", "),
			Values: counted(counts[f.Key], "person", "people"), URL: fieldsPath + "/" + f.Key})
	}
	return show(v, status, "Fields of people", pages.OwnFieldsOfPeople, p)
}

// callOwnField gives faults the labels of the form.
func (v *visit) callOwnField() {
	v.Faults.Call("options", "Choices")
	v.Faults.Call("help", "Hint")
}

// ownFieldPage is a field as its form shows it.
func ownFieldPage(in models.OwnFieldInput) pages.OwnFieldForm {
	f := pages.OwnFieldForm{Label: in.Label, Help: in.Help, Options: strings.Join(in.Options, "\n"),
		Readers: []components.Option{{Value: readerOf(false), Name: readersOf(false), Chosen: !in.IsOpen},
			{Value: readerOf(true), Name: readersOf(true), Chosen: in.IsOpen}}}
	for _, t := range field.Types() {
		f.Types = append(f.Types, components.Option{Value: string(t), Name: t.Label(), Chosen: t == in.Type})
	}
	return f
}

// readerOf is the choice of who reads a field.
func readerOf(isOpen bool) string {
	if isOpen {
		return openReaders
	}
	return "organizers"
}

// readersOf is that in words.
func readersOf(isOpen bool) string {
	if isOpen {
		return "Viewers too"
	}
	return "Organizers alone"
}

func addOwnField(v *visit) error {
	in := v.ownFieldForm()
	d := v.directory()
	err := v.Once(func(ctx context.Context) (string, error) {
		_, err := d.AddOwnField(ctx, in)
		return fieldsPath, err
	})
	if err != nil {
		return v.Again(optionFaults(err), func(status int) error { return v.ownFieldsPage(status, in) })
	}
	return v.See(fieldsPath, "“"+cut(in.Label)+"” is added.")
}

// optionFaults are faults of single options as those of their one field.
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

// ownField is the one of the address.
func ownField(v *visit) (*models.OwnField, error) {
	return v.directory().OwnField(v.UserContext(), v.Params("field"))
}

func ownFieldForm(v *visit, f *models.OwnField) error {
	return v.ownFieldEditor(http.StatusOK, f,
		models.OwnFieldInput{Label: f.Label, Help: f.Help, Type: f.Type, Options: f.Options, IsOpen: f.IsOpen}, nil)
}

func (v *visit) ownFieldEditor(status int, f *models.OwnField, in models.OwnFieldInput, c *components.Conflict) error {
	v.section = contactsPath
	v.callOwnField()
	p := pages.OwnFieldPage{Form: ownFieldPage(in), Type: f.Type.Label(), HasOptions: f.Type.HasOptions(), Conflict: c,
		Action: fieldsPath + "/" + f.Key, Cancel: fieldsPath, UpdatedAt: f.UpdatedAt.String(),
		First: []components.Hidden{{Name: "label", Value: f.Label}, {Name: "help", Value: f.Help},
			{Name: "options", Value: strings.Join(f.Options, "\n")}, {Name: "readers", Value: readerOf(f.IsOpen)}}}
	return show(v, status, "Field "+f.Label, pages.OwnFieldOfPeople, p)
}

func changeOwnField(v *visit, f *models.OwnField) error {
	in := v.ownFieldForm()
	token, _ := store.ParseTime(v.Value("updated_at")) // none is as good as an old one
	d := v.directory()
	_, err := d.ChangeOwnField(v.UserContext(), f.Key, in, &token)
	if store.KindOf(err) == store.Stale {
		c, err := v.conflict(f.Key, f.UpdatedAt, []page.Edited{
			{Name: "label", Label: "Label", Was: v.FirstValue("label"), Mine: in.Label, Theirs: f.Label},
			{Name: "help", Label: "Hint", Was: v.FirstValue("help"), Mine: in.Help, Theirs: f.Help},
			{Name: "options", Label: "Choices", Was: strings.ReplaceAll(v.FirstValue("options"), "\r\n", "\n"),
				Mine: strings.Join(in.Options, "\n"), Theirs: strings.Join(f.Options, "\n")},
			{Name: "readers", Label: "Who reads it", Was: v.FirstValue("readers"), Mine: readerOf(in.IsOpen), Theirs: readerOf(f.IsOpen)}})
		if err != nil {
			return err
		}
		c.Action, c.Discard = fieldsPath+"/"+f.Key, fieldsPath+"/"+f.Key
		return v.ownFieldEditor(http.StatusConflict, f, in, c)
	}
	if err != nil {
		return v.Again(optionFaults(err), func(status int) error { return v.ownFieldEditor(status, f, in, nil) })
	}
	return v.See(fieldsPath, "“"+cut(in.Label)+"” is saved.")
}

func askDeleteOwnField(v *visit, f *models.OwnField) error {
	v.section = contactsPath
	d := v.directory()
	counts, err := d.OwnValueCounts(v.UserContext())
	if err != nil {
		return err
	}
	return v.ask("Delete the field “"+cut(f.Label)+"”?", pages.ConfirmPage{
		Text:   "What is filled in for " + counted(counts[f.Key], "person", "people") + " is deleted with it, for good.",
		Action: fieldsPath + "/" + f.Key + "/delete", Verb: "Delete the field", Cancel: fieldsPath})
}

func deleteOwnField(v *visit, f *models.OwnField) error {
	d := v.directory()
	_, err := d.DeleteOwnField(v.UserContext(), f.Key)
	return v.Done(err, fieldsPath, "“"+cut(f.Label)+"” is deleted.")
}

// showOverview is the organization's people in numbers, each a way to their list.
func showOverview(v *visit) error {
	v.section = contactsPath
	d := v.directory()
	o, err := d.Overview(v.UserContext())
	if err != nil {
		return err
	}
	events, err := v.events()
	if err != nil {
		return err
	}
	slices.SortStableFunc(events, func(a, b *models.Event) int { return strings.Compare(startOf(b), startOf(a)) })
	p := pages.OverviewPage{Base: contactsPath, Numbers: []pages.OverviewRow{
		{Count: number(o.People), Name: "People", URL: contactsPath},
		{Count: number(int64(len(events))), Name: map[bool]string{true: "Event", false: "Events"}[len(events) == 1],
			URL: "#events"},
		{Count: number(o.Returned), Name: "Returning speakers", URL: contactsPath + "?returning=speakers"},
		{Count: number(o.Returning), Name: "At more than one event", URL: contactsPath + "?returning=yes"},
		{Count: number(o.NoEmail), Name: "Without e-mail address", URL: contactsPath + "?missing=email"}}}
	for _, e := range events {
		p.Events = append(p.Events, pages.OverviewRow{Name: e.Name, Count: number(o.Events[e.ID]),
			URL: contactsPath + "?event=" + e.ID})
	}
	for _, c := range o.Companies {
		l := listing{query: map[string][]string{}}
		p.Companies = append(p.Companies, pages.OverviewRow{Name: c.Name, Count: number(c.Count),
			URL: contactsPath + l.with("company", c.Name)})
	}
	return show(v, http.StatusOK, "People in numbers", pages.ContactOverview, p)
}
