package letters

import (
	"context"
	"net/http"
	"strconv"

	"lectern/models"
	"lectern/models/letters"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/layouts"
	pages "lectern/views/pages/letters"
	"lectern/web/admin/visit"
)

// askSendMailing asks for confirmation before a mailing is sent.
func askSendMailing(v *visit.Visit, m *letters.MailingRow) error {
	here := visit.MailingAt(v, m.ID)
	if m.Ready == 0 || v.Options.Mail == nil {
		return v.SeeWarning(here, "There is no letter that can be sent.")
	}
	n := visit.Counted(m.Ready, "letter", "letters")
	p := layouts.ConfirmPage{Action: here + "/send", Cancel: here, Verb: "Send " + n, Keeps: true,
		Text:   n + " with the subject “" + subjectOf(v, m) + "”. " + waitsFirst(m.Ready),
		Hidden: []components.Hidden{{Name: "expected", Value: strconv.FormatInt(m.Ready, 10)}}}
	if v.Options.MailFrom != "" {
		p.Points = append(p.Points, "From "+v.Options.MailFrom+".")
	}
	if left := m.Drafts - m.Ready; left > 0 {
		p.Points = append(p.Points, visit.Counted(left, "draft stays", "drafts stay")+" here: "+visit.Number(m.NoReach)+
			" without an e-mail address, "+visit.Number(m.Missing)+" with a placeholder without a value.")
	}
	v.Section = v.At("/letters")
	return v.Ask("Send "+n+"?", p)
}

// waitsFirst says that sending can be taken back for a minute.
func waitsFirst(n int64) string {
	if n == 1 {
		return "It waits for a minute first, in which you can take it back."
	}
	return "They wait for a minute first, in which you can take all of them back."
}

func sendMailing(v *visit.Visit, m *letters.MailingRow) error {
	return queueLetters(v, func(ctx context.Context, expected int64) (int64, error) {
		return letters.Of(v.Programme).SendMailing(ctx, m.ID, expected)
	}, "in line. Nothing leaves for a minute.")
}

func askDiscardMailing(v *visit.Visit, m *letters.MailingRow) error {
	n := visit.Counted(m.Drafts, "draft", "drafts")
	p := layouts.ConfirmPage{Action: visit.MailingAt(v, m.ID) + "/discard", Cancel: visit.MailingAt(v, m.ID),
		Verb: "Throw away " + n,
		Text: "Their text is gone then. It tells nobody."}
	if m.Drafts < m.People {
		p.Points = []string{"What was sent of this letter, or is on its way, stays."}
	}
	v.Section = v.At("/letters")
	return v.Ask("Throw away "+n+"?", p)
}

func discardMailing(v *visit.Visit, m *letters.MailingRow) error {
	n, err := letters.Of(v.Programme).DiscardMailing(v.UserContext(), m.ID)
	return v.Done(err, v.At("/letters"), visit.Counted(n, "draft is", "drafts are")+" thrown away.")
}

// listMailing shows the letters of a mailing, first those that cannot be sent.
func listMailing(v *visit.Visit, m *letters.MailingRow) error {
	l := v.PlainListing("q", "page")
	here := visit.MailingAt(v, m.ID)
	rows, found, err := letters.Of(v.Programme).MailingLetters(v.UserContext(), m.ID, l.Query.Get("q"),
		store.Page{Number: l.Page(), Size: lettersAPage})
	if err != nil {
		return err
	}
	list := here + "/letters"
	if len(rows) == 0 && found.TotalResults > 0 { // beyond the last page
		return v.SeeInstead(list + "?" + l.OnPage(found.TotalPages).Query.Encode())
	}
	counts, err := letters.Of(v.Programme).Counts(v.UserContext())
	if err != nil {
		return err
	}
	p := pages.Page{Base: v.At("/letters"), Here: list + "?" + l.Query.Encode(),
		Tabs: letterTabs(v, counts, letters.DraftLetters),
		List: list, Of: here, OfName: visit.Counted(m.People, "person", "people"), Text: l.Query.Get("q"),
		NoMail:   v.Options.Mail == nil,
		Problems: mailingProblems(m), Pages: visit.PagesOf(list, l, found, "letters")}
	p.Rows = store.Map(rows, func(row *models.LetterRow) pages.Row { return letterRow(v, row) })
	v.Section = p.Base
	return visit.Show(v, http.StatusOK, "Letter to "+p.OfName, pages.Letters, p)
}

// takeOutLetter takes one person out of a mailing.
func takeOutLetter(v *visit.Visit) error {
	l, err := letterOf(v)
	if err != nil {
		return err
	}
	if err := letters.Of(v.Programme).TakeOutLetter(v.UserContext(), l.ID); err != nil {
		if store.KindOf(err) == store.Stale {
			return v.SeeWarning(v.At("/letters/"+l.ID), "That is not possible any more: look at where the letter stands now.")
		}
		return err
	}
	back := visit.MailingAt(v, *l.MailingID)
	if _, err := letters.Of(v.Programme).Mailing(v.UserContext(), *l.MailingID); store.KindOf(err) == store.NotFound {
		back = v.At("/letters")
	}
	return v.See(back, visit.Cut(l.Name)+" gets no letter.")
}
