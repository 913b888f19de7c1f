package admin

import (
	"strconv"
	"strings"

	"lectern/models"
	"lectern/views/components"
	"lectern/views/pages"
)

// barred says why nothing can be sent although there is a mail server; "" where nothing is known of that.
func (v *visit) barred(c *models.LetterCounts) string {
	if c.Barred == "" {
		return ""
	}
	return "No letter can be sent: " + strings.TrimSuffix(strings.ToLower(c.Barred[:1])+c.Barred[1:], ".") + ". " +
		"They wait, and go out by themselves once who runs this server has mended LECTERN_SMTP_URL."
}

// mailingsShown is how many free letters stand above the drafts.
const mailingsShown = 20

// subjectOf is a mailing's subject, as far as it is the same for all.
func (v *visit) subjectOf(m *models.MailingRow) string {
	return strings.ReplaceAll(m.Subject, "{{event}}", v.event.Name)
}

// mailingLines are the free letters that have drafts.
func (v *visit) mailingLines(p *pages.LettersPage) error {
	rows, err := v.programme.Mailings(v.ctx(), mailingsShown)
	for _, m := range rows {
		line := pages.MailingLine{URL: v.mailingAt(m.ID), Subject: v.subjectOf(m), To: counted(m.People, "person", "people"), By: m.ByName,
			State: counted(m.Ready, "letter", "letters") + " can be sent.", Problem: joinWords(" ", mailingProblems(m)...)}
		if m.Version == 0 {
			line.Subject, line.State = "Not written yet", ""
		}
		p.Mailings = append(p.Mailings, line)
	}
	return err
}

// askSendLetters says what happens before letters go out.
func askSendLetters(v *visit) error {
	c, err := v.programme.LetterCounts(v.ctx())
	if err != nil {
		return err
	}
	base := v.at("/letters")
	if c.Ready == 0 || v.w.options.Mail == nil {
		v.KeepNotice("warn", "There is no letter that can be sent.")
		return v.See(base, "")
	}
	n := counted(c.Ready, "letter", "letters")
	p := pages.ConfirmPage{Action: base + "/send", Cancel: base, Verb: "Send " + n, Keeps: true,
		Text:   n + " to " + counted(c.People, "person", "people") + ". " + waitsFirst(c.Ready),
		Hidden: []components.Hidden{{Name: "expected", Value: strconv.FormatInt(c.Ready, 10)}}}
	if v.w.options.MailFrom != "" {
		p.Points = append(p.Points, "They come from "+v.w.options.MailFrom+".")
	}
	if c.NoReach+c.Missing > 0 {
		p.Points = append(p.Points, counted(c.Drafts-c.Ready, "draft stays", "drafts stay")+
			" here: "+number(c.NoReach)+" without an e-mail address, "+number(c.Missing)+" with a placeholder without a value.")
	}
	return v.ask("Send "+n+"?", p)
}

func sendLetters(v *visit) error {
	return v.queueLetters(v.programme.SendLetters, "?tab=outbox", "in line. Nothing leaves for a minute.")
}

func retryLetters(v *visit) error {
	return v.queueLetters(v.programme.RetryLetters, "?tab=outbox", "tried again in a minute.")
}
