package admin

import (
	"net/http"
	"strconv"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages"
	"lectern/web/page"
)

// letterTemplate is the template of the address.
func letterTemplate(v *visit) (*models.LetterTemplate, error) {
	all, err := v.programme.LetterTemplates(v.ctx())
	return oneOf(all, err, v.Params("kind"), func(t *models.LetterTemplate) string { return string(t.Kind) },
		"There is no such template.")
}

func letterTemplateForm(v *visit, t *models.LetterTemplate) error {
	return v.letterTemplatePage(http.StatusOK, t, pages.LetterDraft{Subject: t.Subject, Body: t.Body})
}

func (v *visit) letterTemplatePage(status int, t *models.LetterTemplate, typed pages.LetterDraft) error {
	counts, err := v.programme.LetterCounts(v.ctx())
	if err != nil {
		return err
	}
	preview, err := v.programme.PreviewLetter(v.ctx(), t.Kind, typed.Subject, typed.Body)
	if err != nil && preview == nil {
		return err
	}
	base := v.at("/letters")
	p := pages.LetterTemplatePage{Base: base, Here: base + "/templates/" + string(t.Kind), Tabs: v.letterTabs(counts, ""),
		Version: t.Version, Draft: typed, PreviewFor: preview.Name,
		Preview: pages.LetterDraft{Subject: preview.Subject, Body: preview.Body}}
	for _, kind := range []models.LetterKind{models.LetterAccepted, models.LetterDeclined, models.LetterUndone} {
		p.Kinds = append(p.Kinds, components.Tab{Name: letterLooks[kind][2], URL: base + "/templates/" + string(kind),
			Current: kind == t.Kind})
	}
	for _, x := range models.PlaceholdersOf(t.Kind) {
		p.Placeholders = append(p.Placeholders, pages.PlaceholderRow{Name: x.Name, Meaning: x.Meaning, Sample: preview.Values[x.Name]})
	}
	if counts.Outdated > 0 {
		p.Outdated = counted(counts.Outdated, "draft was made", "drafts were made")
	}
	if t.ID != "" {
		p.By = "Last changed by " + t.ByName + ", " + page.When(&t.UpdatedAt, v.zone())
	}
	v.section = base
	return show(v, status, "Letters", pages.LetterTemplate, p)
}

// saveLetterTemplate keeps a template, or shows what it would make.
func saveLetterTemplate(v *visit, t *models.LetterTemplate) error {
	typed := pages.LetterDraft{Subject: v.Value("subject"), Body: v.FormValue("body")}
	version, err := strconv.Atoi(v.Value("version"))
	if err != nil {
		return page.OldForm
	}
	if v.Value("preview") != "" {
		t.Version = version
		if _, err := v.programme.PreviewLetter(v.ctx(), t.Kind, typed.Subject, typed.Body); err != nil {
			return v.Again(err, func(status int) error { return v.letterTemplatePage(status, t, typed) })
		}
		return v.letterTemplatePage(http.StatusOK, t, typed)
	}
	err = v.programme.SaveLetterTemplate(v.ctx(), t.Kind, version, typed.Subject, typed.Body)
	if store.KindOf(err) == store.Stale {
		v.TellNow(err.Error(), nil, nil)
		return v.letterTemplatePage(http.StatusConflict, t, typed)
	}
	if err != nil {
		return v.Again(err, func(status int) error { return v.letterTemplatePage(status, t, typed) })
	}
	return v.See(v.at("/letters/templates/"+string(t.Kind)), "The template is saved. Drafts that it made before stay as they are until you make them anew.")
}
