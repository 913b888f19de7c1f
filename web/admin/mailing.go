package admin

import (
	"net/http"
	"slices"
	"strconv"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages"
	"lectern/web/page"
)

// mailing is the free letter of the address.
func mailing(v *visit) (*models.MailingRow, error) {
	return v.programme.Mailing(v.UserContext(), v.Params("mailing"))
}

func (v *visit) mailingAt(id string) string { return v.at("/letters/mailings/" + id) }

// showMailing is a free letter: its text, and what it makes for one of its people. A template gives the text.
func showMailing(v *visit, m *models.MailingRow) error {
	typed := pages.LetterDraft{Subject: m.Subject, Body: m.Body}
	if about := v.Query("about"); about != "" && m.Version == 0 {
		var err error
		if typed, err = v.letterAbout(about); err != nil {
			return err
		}
	}
	if chosen := v.Query("template"); chosen != "" && m.Drafts > 0 {
		texts, err := v.freeTexts()
		if err != nil {
			return err
		}
		for _, t := range texts {
			if t.ID == chosen {
				typed = pages.LetterDraft{Subject: t.Subject, Body: t.Body}
			}
		}
	}
	return v.mailingPage(http.StatusOK, m, typed)
}

// freeTexts are what a free letter may begin with: what staff keep, then what comes with the house.
func (v *visit) freeTexts() ([]*models.LetterTemplate, error) {
	all, err := v.programme.LetterTemplates(v.UserContext())
	all = slices.DeleteFunc(all, func(t *models.LetterTemplate) bool { return t.Kind != models.LetterFree })
	for _, t := range models.Starters {
		all = append(all, &t)
	}
	return all, err
}

// whichLetter is the place in a mailing that is looked at.
func (v *visit) whichLetter() int64 {
	at, err := strconv.ParseInt(v.Value("at"), 10, 64)
	if err != nil {
		at, _ = strconv.ParseInt(v.Query("at"), 10, 64)
	}
	return max(1, at)
}

func (v *visit) mailingPage(status int, m *models.MailingRow, typed pages.LetterDraft) error {
	row, place, err := v.programme.MailingLetter(v.UserContext(), m.ID, v.whichLetter())
	if err != nil {
		return err
	}
	texts, err := v.freeTexts()
	if err != nil {
		return err
	}
	if m.VersionID != nil {
		texts = append(texts, &models.ChangesText)
	}
	base := v.at("/letters")
	p := pages.MailingPage{Base: base, Here: v.mailingAt(m.ID), NoMail: v.options.Mail == nil, From: v.options.MailFrom,
		To: counted(m.People, "person", "people"), Drafts: counted(m.Drafts, "letter", "letters"), CanWrite: m.Drafts > 0,
		Written: m.Version > 0, Version: m.Version, Draft: typed, At: strconv.FormatInt(place.Position, 10)}
	for _, t := range texts {
		p.Texts = append(p.Texts, components.Tab{Name: t.Name, URL: p.Here + "?template=" + t.ID, Current: v.Query("template") == t.ID})
	}
	if m.Ready > 0 {
		p.Ready = counted(m.Ready, "letter", "letters")
	}
	p.Problems, p.Gone = mailingProblems(m), mailingGone(m)
	if err := v.mailingLetter(&p, m, row, place); err != nil {
		return err
	}
	v.section = base
	return show(v, status, "Letter to "+p.To, pages.Mailing, p)
}

// mailingLetter is what one of a mailing's people gets.
func (v *visit) mailingLetter(p *pages.MailingPage, m *models.MailingRow, l *models.LetterRow, place models.Place) error {
	row := v.letterRow(l)
	state, why, tone := v.letterState(l)
	p.Letter = pages.MailingLetter{URL: row.URL, Name: row.Name, Email: row.Email, Subject: l.Subject, Body: l.Shown(),
		Place: number(place.Position) + " of " + number(place.Total), State: state, Why: why, Tone: tone,
		CanEdit: l.State == models.LetterDraft && l.Body != ""}
	if place.Position > 1 {
		p.Letter.Previous = p.Here + "?at=" + strconv.FormatInt(place.Position-1, 10)
	}
	if place.Position < place.Total {
		p.Letter.Next = p.Here + "?at=" + strconv.FormatInt(place.Position+1, 10)
	}
	preview, err := v.programme.PreviewFree(v.UserContext(), &m.Mailing, l.ContactID, "x", "x")
	if store.KindOf(err) == store.NotFound { // they are gone
		preview, err = &models.LetterPreview{}, nil
	}
	if err != nil {
		return err
	}
	for _, x := range m.Placeholders() {
		p.Placeholders = append(p.Placeholders, pages.PlaceholderRow{Name: x.Name, Meaning: x.Meaning, Sample: preview.Values[x.Name]})
	}
	return nil
}

// mailingProblems are what stands in the way of some letters of a mailing.
func mailingProblems(m *models.MailingRow) (said []string) {
	if m.NoReach > 0 {
		said = append(said, counted(m.NoReach, "person has", "people have")+" no e-mail address, so no letter can reach them.")
	}
	if m.Missing > 0 {
		said = append(said, counted(m.Missing, "letter has", "letters have")+
			" a placeholder without a value. It is not sent before somebody writes what it should say.")
	}
	return said
}

// mailingGone says what of a mailing has left, or is about to.
func mailingGone(m *models.MailingRow) string {
	var parts []string
	for _, x := range []struct {
		n    int64
		text string
	}{{m.Sent, " sent"}, {m.Outbox, " in the outbox"}, {m.Failed, " did not arrive, or nobody knows"}} {
		if x.n > 0 {
			parts = append(parts, number(x.n)+x.text)
		}
	}
	return joinWords(", ", parts...)
}

// saveMailing writes the letters, sends a test of one, or keeps the text as a template.
func saveMailing(v *visit, m *models.MailingRow) error {
	typed := pages.LetterDraft{Subject: v.Value("subject"), Body: v.FormValue("body"), Name: v.Value("name")}
	version, err := strconv.Atoi(v.Value("version"))
	if err != nil {
		return page.OldForm
	}
	again := func(status int) error { return v.mailingPage(status, m, typed) }
	switch {
	case v.Value("test") != "":
		if err := v.testMailing(m, typed); err != nil {
			return v.Again(err, again)
		}
		v.testSent()
		return again(http.StatusOK)
	case v.Value("keep") != "":
		if _, err := v.programme.SaveFreeTemplate(v.UserContext(), "", 0, typed.Name, typed.Subject, typed.Body); err != nil {
			return v.Again(err, again)
		}
		v.TellNow("The text is kept as “"+typed.Name+"”. No letter was changed by that.", nil, nil)
		return again(http.StatusOK)
	}
	_, err = v.programme.SaveMailing(v.UserContext(), m.ID, version, typed.Subject, typed.Body)
	if store.KindOf(err) == store.Stale {
		v.TellNow(err.Error(), nil, nil)
		return again(http.StatusConflict)
	}
	if err != nil {
		return v.Again(err, again)
	}
	left := ""
	if m.Edited > 0 {
		left = " What was edited by hand stays: " + counted(m.Edited, "letter", "letters") + "."
	}
	return v.See(v.mailingAt(m.ID)+"?at="+strconv.FormatInt(v.whichLetter(), 10), "The letters are written. Nothing is sent yet."+left)
}

// testMailing sends what the person at hand would get to who asks for it.
func (v *visit) testMailing(m *models.MailingRow, typed pages.LetterDraft) error {
	row, _, err := v.programme.MailingLetter(v.UserContext(), m.ID, v.whichLetter())
	if err != nil {
		return err
	}
	preview, err := v.programme.PreviewFree(v.UserContext(), &m.Mailing, row.ContactID, typed.Subject, typed.Body)
	if err != nil {
		return err
	}
	return v.letterTest(preview.Subject, preview.Body)
}
