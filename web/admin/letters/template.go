package letters

import (
	"net/http"
	"strconv"

	"lectern/models"
	"lectern/models/letters"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/layouts"
	pages "lectern/views/pages/letters"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// newTemplate stands in the address for a template of free letters that is not saved yet.
const newTemplate = "new"

// templateWord returns a template's part of the address: its decision, or its id.
func templateWord(t *models.LetterTemplate) string {
	switch {
	case t.Kind != models.LetterFree:
		return string(t.Kind)
	case t.ID == "":
		return newTemplate
	}
	return t.ID
}

// letterTemplate reads the template of the path.
func letterTemplate(v *visit.Visit) (*models.LetterTemplate, error) {
	if v.Params("kind") == newTemplate {
		return &models.LetterTemplate{Kind: models.LetterFree}, nil
	}
	all, err := letters.Of(v.Programme).LetterTemplates(v.UserContext())
	return visit.OneOf(all, err, v.Params("kind"), templateWord, "There is no such template.")
}

func letterTemplateForm(v *visit.Visit, t *models.LetterTemplate) error {
	return letterTemplatePage(v, http.StatusOK, t, pages.Draft{Subject: t.Subject, Body: t.Body, Name: t.Name})
}

func letterTemplatePage(v *visit.Visit, status int, t *models.LetterTemplate, typed pages.Draft) error {
	counts, err := letters.Of(v.Programme).Counts(v.UserContext())
	if err != nil {
		return err
	}
	preview, err := letters.Of(v.Programme).PreviewLetter(v.UserContext(), t.Kind, typed.Subject, typed.Body)
	if err != nil && preview == nil {
		return err
	}
	base := v.At("/letters")
	p := pages.TemplatePage{Base: base, Here: base + "/templates/" + templateWord(t),
		Tabs:    letterTabs(v, counts, ""),
		Version: t.Version, Draft: typed, PreviewFor: preview.Name, IsFree: t.Kind == models.LetterFree,
		Mails:   v.Options.Mail != nil,
		Preview: pages.Draft{Subject: preview.Subject, Body: preview.Body}}
	if p.Kinds, err = templateTabs(v, t); err != nil {
		return err
	}
	for _, x := range models.PlaceholdersOf(t.Kind) {
		p.Placeholders = append(p.Placeholders, pages.PlaceholderRow{Name: x.Name, Meaning: x.Meaning, Sample: preview.Values[x.Name]})
	}
	if counts.Outdated > 0 && !p.IsFree {
		p.Outdated = visit.Counted(counts.Outdated, "draft was made", "drafts were made")
	}
	if t.ID != "" {
		p.By = "Last changed by " + t.ByName + ", " + page.When(&t.UpdatedAt, v.Zone())
	}
	if p.IsFree && t.ID != "" {
		p.Delete = p.Here + "/delete"
	}
	v.Section = base
	return visit.Show(v, status, "Letters", pages.Template, p)
}

// templateTabs returns the tabs of all templates, and one for a new template of free letters.
func templateTabs(v *visit.Visit, current *models.LetterTemplate) (tabs []components.Tab, err error) {
	all, err := letters.Of(v.Programme).LetterTemplates(v.UserContext())
	for _, t := range append(all, &models.LetterTemplate{Kind: models.LetterFree, Name: "New template"}) {
		name := t.Name
		if t.Kind != models.LetterFree {
			name = letterLooks[t.Kind][2]
		}
		tabs = append(tabs, components.Tab{Name: name, URL: v.At("/letters/templates/" + templateWord(t)),
			Current: templateWord(t) == templateWord(current)})
	}
	return tabs, err
}

// saveLetterTemplate saves a template, previews it, or sends the user a test, by the button pressed.
func saveLetterTemplate(v *visit.Visit, t *models.LetterTemplate) error {
	typed := pages.Draft{Subject: v.Value("subject"), Body: v.FormValue("body"), Name: v.Value("name")}
	version, err := strconv.Atoi(v.Value("version"))
	if err != nil {
		return page.OldForm
	}
	if v.Value("preview")+v.Value("test") != "" {
		t.Version = version
		return tryTemplate(v, t, typed)
	}
	word, err := keepTemplate(v, t, version, typed)
	if store.KindOf(err) == store.Stale {
		v.TellNow(err.Error(), nil, nil)
		return letterTemplatePage(v, http.StatusConflict, t, typed)
	}
	if err != nil {
		return v.Again(err, func(status int) error { return letterTemplatePage(v, status, t, typed) })
	}
	text := "The template is saved. Drafts that it made before stay as they are until you make them anew."
	if t.Kind == models.LetterFree {
		text = "The template is saved. Choose it when you write to people."
	}
	return v.See(v.At("/letters/templates/"+word), text)
}

// keepTemplate saves what was typed, and returns the template's part of the address.
func keepTemplate(v *visit.Visit, t *models.LetterTemplate, version int, typed pages.Draft) (string, error) {
	if t.Kind == models.LetterFree {
		return letters.Of(v.Programme).SaveFreeTemplate(v.UserContext(), t.ID, version, typed.Name, typed.Subject, typed.Body)
	}
	return string(t.Kind), letters.Of(v.Programme).SaveLetterTemplate(v.UserContext(), t.Kind, version, typed.Subject, typed.Body)
}

// tryTemplate shows the letter that a text would make, and sends it to the user if they asked for a test.
func tryTemplate(v *visit.Visit, t *models.LetterTemplate, typed pages.Draft) error {
	preview, err := letters.Of(v.Programme).PreviewLetter(v.UserContext(), t.Kind, typed.Subject, typed.Body)
	if err == nil && v.Value("test") != "" {
		if err = letterTest(v, preview.Subject, preview.Body); err == nil {
			testSent(v)
		}
	}
	if err != nil {
		return v.Again(err, func(status int) error { return letterTemplatePage(v, status, t, typed) })
	}
	return letterTemplatePage(v, http.StatusOK, t, typed)
}

func askDeleteTemplate(v *visit.Visit, t *models.LetterTemplate) error {
	if t.Kind != models.LetterFree || t.ID == "" {
		return store.NoSuch("template")
	}
	here := v.At("/letters/templates/" + t.ID)
	v.Section = v.At("/letters")
	return v.Ask("Delete the template “"+t.Name+"”?", layouts.ConfirmPage{Action: here + "/delete", Cancel: here,
		Verb: "Delete the template", Text: "Letters that were made from it stay as they are."})
}

func deleteTemplate(v *visit.Visit, t *models.LetterTemplate) error {
	err := letters.Of(v.Programme).DeleteFreeTemplate(v.UserContext(), t.ID)
	return v.Done(err, v.At("/letters/templates/accepted"), "The template is deleted.")
}

// letterTest sends a letter to the user, marked as a test.
func letterTest(v *visit.Visit, subject, body string) error {
	if v.Options.Mail == nil {
		return errNoMail
	}
	return v.Programme.Mails().Send(v.UserContext(), models.Note{Name: v.User.Name, Email: v.User.Email,
		Subject: "Test: " + subject, Text: body})
}

// testSent says that a test was sent.
func testSent(v *visit.Visit) {
	v.TellNow("A test is on its way to "+v.User.Email+". It stands in the outbox.", nil, nil)
}
