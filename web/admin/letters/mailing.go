package letters

import (
	"net/http"
	"slices"
	"strconv"

	"lectern/models"
	"lectern/models/letters"
	"lectern/models/people"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/letters"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// mailing reads the mailing of the path.
func mailing(v *visit.Visit) (*letters.MailingRow, error) {
	return letters.Of(v.Programme).Mailing(v.UserContext(), v.Params("mailing"))
}

// showMailing shows a mailing: its text, and the letter that it makes for one of its people. The address may name a
// template for the text.
func showMailing(v *visit.Visit, m *letters.MailingRow) error {
	typed := pages.Draft{Subject: m.Subject, Body: m.Body}
	if about := v.Query("about"); about != "" && m.Version == 0 {
		var err error
		if typed, err = letterAbout(v, about); err != nil {
			return err
		}
	}
	if chosen := v.Query("template"); chosen != "" && m.Drafts > 0 {
		texts, err := freeTexts(v)
		if err != nil {
			return err
		}
		for _, t := range texts {
			if t.ID == chosen {
				typed = pages.Draft{Subject: t.Subject, Body: t.Body}
			}
		}
	}
	return mailingPage(v, http.StatusOK, m, typed)
}

// freeTexts returns what a free letter may begin with: the organizers' templates, then the built-in texts.
func freeTexts(v *visit.Visit) ([]*models.LetterTemplate, error) {
	all, err := letters.Of(v.Programme).LetterTemplates(v.UserContext())
	all = slices.DeleteFunc(all, func(t *models.LetterTemplate) bool { return t.Kind != models.LetterFree })
	for _, t := range letters.Starters {
		all = append(all, &t)
	}
	return all, err
}

// whichLetter returns the number of the letter shown in a mailing, from 1.
func whichLetter(v *visit.Visit) int64 {
	at, err := strconv.ParseInt(v.Value("at"), 10, 64)
	if err != nil {
		at, _ = strconv.ParseInt(v.Query("at"), 10, 64)
	}
	return max(1, at)
}

func mailingPage(v *visit.Visit, status int, m *letters.MailingRow, typed pages.Draft) error {
	row, place, err := letters.Of(v.Programme).MailingLetter(v.UserContext(), m.ID, whichLetter(v))
	if err != nil {
		return err
	}
	texts, err := freeTexts(v)
	if err != nil {
		return err
	}
	if m.VersionID != nil {
		texts = append(texts, &letters.ChangesText)
	}
	base := v.At("/letters")
	p := pages.MailingPage{Base: base, Here: visit.MailingAt(v, m.ID), NoMail: v.Options.Mail == nil,
		From: v.Options.MailFrom,
		To:   visit.Counted(m.People, "person", "people"), Drafts: visit.Counted(m.Drafts, "letter", "letters"),
		CanWrite: m.Drafts > 0,
		Written:  m.Version > 0, Version: m.Version, Draft: typed, At: strconv.FormatInt(place.Position, 10)}
	for _, t := range texts {
		p.Texts = append(p.Texts, components.Tab{Name: t.Name, URL: p.Here + "?template=" + t.ID, Current: v.Query("template") == t.ID})
	}
	p.Ready = visit.SomeOf(m.Ready, "letter", "letters")
	p.Problems, p.Gone = mailingProblems(m), mailingGone(m)
	if err := mailingLetter(v, &p, m, row, place); err != nil {
		return err
	}
	v.Section = base
	return visit.Show(v, status, "Letter to "+p.To, pages.Mailing, p)
}

// mailingLetter fills in what one of a mailing's people gets.
func mailingLetter(v *visit.Visit, p *pages.MailingPage, m *letters.MailingRow, l *models.LetterRow,
	place people.Position) error {
	row := letterRow(v, l)
	state, why, tone := v.LetterState(l)
	p.Letter = pages.MailingLetter{URL: row.URL, Name: row.Name, Email: row.Email, Subject: l.Subject, Body: l.Shown(),
		Place: visit.Number(place.Position) + " of " + visit.Number(place.Total), State: state, Why: why, Tone: tone,
		CanEdit: l.State == models.LetterDraft && l.Body != ""}
	if place.Position > 1 {
		p.Letter.Previous = p.Here + "?at=" + strconv.FormatInt(place.Position-1, 10)
	}
	if place.Position < place.Total {
		p.Letter.Next = p.Here + "?at=" + strconv.FormatInt(place.Position+1, 10)
	}
	preview, err := letters.Of(v.Programme).PreviewFree(v.UserContext(), &m.Mailing, l.ContactID, "x", "x")
	if store.KindOf(err) == store.NotFound { // the person is gone
		preview, err = &letters.LetterPreview{}, nil
	}
	if err != nil {
		return err
	}
	p.Placeholders = placeholderRows(m.Placeholders(), preview.Values)
	return nil
}

// mailingProblems returns what prevents some letters of a mailing from being sent.
func mailingProblems(m *letters.MailingRow) (said []string) {
	if m.NoReach > 0 {
		said = append(said, visit.Counted(m.NoReach, "person has",
			"people have")+" no e-mail address, so no letter can reach them.")
	}
	if m.Missing > 0 {
		said = append(said, visit.Counted(m.Missing, "letter has", "letters have")+
			" a placeholder without a value. It is not sent before somebody writes what it should say.")
	}
	return said
}

// mailingGone says how much of a mailing was sent or is queued.
func mailingGone(m *letters.MailingRow) string {
	const failed = "did not arrive, or nobody knows"
	return visit.JoinWords(", ", visit.SomeOf(m.Sent, "sent", "sent"),
		visit.SomeOf(m.Outbox, "in the outbox", "in the outbox"), visit.SomeOf(m.Failed, failed, failed))
}

// saveMailing writes the letters, sends a test of one, or saves the text as a template, by the button pressed.
func saveMailing(v *visit.Visit, m *letters.MailingRow) error {
	typed := pages.Draft{Subject: v.Value("subject"), Body: v.FormValue("body"), Name: v.Value("name")}
	version, err := strconv.Atoi(v.Value("version"))
	if err != nil {
		return page.OldForm
	}
	again := func(status int) error { return mailingPage(v, status, m, typed) }
	switch {
	case v.Value("test") != "":
		if err := testMailing(v, m, typed); err != nil {
			return v.Again(err, again)
		}
		testSent(v)
		return again(http.StatusOK)
	case v.Value("keep") != "":
		if _, err := letters.Of(v.Programme).SaveFreeTemplate(v.UserContext(), "", 0, typed.Name, typed.Subject, typed.Body); err != nil {
			return v.Again(err, again)
		}
		v.TellNow("The text is kept as “"+typed.Name+"”. No letter was changed by that.", nil, nil)
		return again(http.StatusOK)
	}
	_, err = letters.Of(v.Programme).SaveMailing(v.UserContext(), m.ID, version, typed.Subject, typed.Body)
	if store.KindOf(err) == store.Stale {
		v.TellNow(err.Error(), nil, nil)
		return again(http.StatusConflict)
	}
	if err != nil {
		return v.Again(err, again)
	}
	left := ""
	if m.Edited > 0 {
		left = " What was edited by hand stays: " + visit.Counted(m.Edited, "letter", "letters") + "."
	}
	return v.See(visit.MailingAt(v, m.ID)+"?at="+strconv.FormatInt(whichLetter(v), 10),
		"The letters are written. Nothing is sent yet."+left)
}

// testMailing sends the letter shown to the user.
func testMailing(v *visit.Visit, m *letters.MailingRow, typed pages.Draft) error {
	row, _, err := letters.Of(v.Programme).MailingLetter(v.UserContext(), m.ID, whichLetter(v))
	if err != nil {
		return err
	}
	preview, err := letters.Of(v.Programme).PreviewFree(v.UserContext(), &m.Mailing, row.ContactID, typed.Subject, typed.Body)
	if err != nil {
		return err
	}
	return letterTest(v, preview.Subject, preview.Body)
}

// letterAbout returns the beginning of a letter about a submission, empty where that is gone.
func letterAbout(v *visit.Visit, id string) (pages.Draft, error) {
	s, err := v.Programme.Session(v.UserContext(), id)
	if store.KindOf(err) == store.NotFound {
		return pages.Draft{}, nil
	}
	if err != nil {
		return pages.Draft{}, err
	}
	return pages.Draft{Subject: "{{event}}: about “" + models.WithoutPlaceholders(s.Title) + "” (" + s.FriendlyID + ")",
		Body: "Dear {{first_name}},\n\n\n\nThe programme committee of {{event}}"}, nil
}
