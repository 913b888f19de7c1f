package letters

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"lectern/models"
	"lectern/models/letters"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/letters"
	"lectern/web/admin/visit"
)

// lettersAPage is how many letters a page shows, and unwrittenShown how many people without one.
const lettersAPage, unwrittenShown = 50, 20

// letterTabNames name the tabs.
var letterTabNames = map[letters.Tab]string{letters.DraftLetters: "Drafts", letters.QueuedLetters: "Outbox",
	letters.FailedLetters: "Failed", letters.UnknownLetters: "Unknown", letters.SentLetters: "Sent"}

// letterLooks are the badges of the kinds of letters.
var letterLooks = map[models.LetterKind][3]string{models.LetterAccepted: {"accepted", "check", "Accepted"},
	models.LetterDeclined: {"declined", "x", "Declined"}, models.LetterUndone: {"pending", "undo-2", "Taken back"},
	models.LetterFree: {"draft", "mail", "Letter"}, models.LetterCall: {"draft", "mail", "Call for papers"}, models.LetterNote: {"draft", "mail", "Note"},
	models.LetterInvitation: {"draft", "mail", "Invitation"}}

func letterTabs(v *visit.Visit, c *letters.Counts, current letters.Tab) []components.Tab {
	base := v.At("/letters")
	var tabs []components.Tab
	for _, tab := range letters.Tabs {
		tabs = append(tabs, components.Tab{Name: letterTabNames[tab], URL: base + "?tab=" + string(tab),
			Count:   visit.Number(c.Of(tab)),
			Current: tab == current})
	}
	return append(tabs, components.Tab{Name: "Templates", URL: base + "/templates/accepted", Current: current == ""})
}

func listLetters(v *visit.Visit) error {
	l := v.PlainListing("tab", "kind", "q", "page")
	tab := letters.Tab(l.Query.Get("tab"))
	if !slices.Contains(letters.Tabs, tab) {
		tab = letters.DraftLetters
		l.Set("tab", string(tab))
	}
	choice := letters.Choice{Kind: letterKindIn(tab, l.Query.Get("kind")), Text: l.Query.Get("q")}
	l.Set("kind", string(choice.Kind))
	rows, pagination, err := letters.Of(v.Programme).LettersIn(v.UserContext(), tab, choice,
		store.Page{Number: l.Page(), Size: lettersAPage})
	if err != nil {
		return err
	}
	counts, err := letters.Of(v.Programme).Counts(v.UserContext()) // after the rows, so that every row shown is counted
	if err != nil {
		return err
	}
	base := v.At("/letters")
	if len(rows) == 0 && pagination.TotalResults > 0 { // beyond the last page
		return v.SeeInstead(base + "?" + l.OnPage(pagination.TotalPages).Query.Encode())
	}
	p := pages.Page{Base: base, Here: base + "?" + l.Query.Encode(), Tab: string(tab),
		Tabs: letterTabs(v, counts, tab),
		Text: l.Query.Get("q"), NoMail: v.Options.Mail == nil,
		Pages: visit.PagesOf(base, l, pagination, "letters")}
	p.Barred = barred(counts)
	if tab == letters.DraftLetters {
		p.Write = v.At("/speakers")
		if err := letterChoice(v, &p, choice); err != nil {
			return err
		}
		if err := draftParts(v, &p, counts); err != nil {
			return err
		}
	} else if err := kindsIn(v, &p, tab, choice); err != nil {
		return err
	}
	if tab == letters.FailedLetters && counts.Retries > 0 {
		p.Retries, p.Retry = visit.Counted(counts.Retries, "letter", "letters"), strconv.FormatInt(counts.Retries, 10)
	}
	if p.Progress = letterProgress(v, counts); p.Progress != nil && p.Progress.Live {
		p.Refresh = "5"
	}
	p.Rows = store.Map(rows, func(row *models.LetterRow) pages.Row { return letterRow(v, row) })
	return visit.Show(v, http.StatusOK, "Letters", pages.Letters, p)
}

// draftParts fills in what stands above drafts: what can be sent, and what prevents the others.
func draftParts(v *visit.Visit, p *pages.Page, c *letters.Counts) error {
	var err error
	if p.Both, err = yesAndNo(v, letters.Choice{}); err != nil {
		return err
	}
	p.Outdated = visit.SomeOf(c.Outdated, "draft was made", "drafts were made")
	if c.NoReach > 0 {
		p.Problems = append(p.Problems, visit.Counted(c.NoReach, "draft is to somebody", "drafts are to people")+
			" without an e-mail address. It stays here until there is one.")
	}
	if c.Missing > 0 {
		p.Problems = append(p.Problems, visit.Counted(c.Missing, "draft has", "drafts have")+
			" a placeholder without a value. Those stand first, and are not sent before somebody writes what they should say.")
	}
	if c.Free > 0 {
		if err := mailingLines(v, p); err != nil {
			return err
		}
	}
	people, err := letters.Of(v.Programme).Unwritten(v.UserContext(), unwrittenShown)
	for _, x := range people {
		p.Unwritten = append(p.Unwritten, pages.UnwrittenRow{Name: x.Name, Email: x.Email, Title: x.Title, Label: x.FriendlyID,
			URL: v.At("/sessions/" + x.SessionID), SessionID: x.SessionID, ContactID: x.ContactID})
	}
	return err
}

// letterProgress says what is queued; nil for nothing.
func letterProgress(v *visit.Visit, c *letters.Counts) *pages.Progress {
	if c.Outbox == 0 {
		return nil
	}
	p := &pages.Progress{Live: c.Paused == 0 || c.Sending > 0, Running: true}
	if c.HeldTill != nil {
		if left := c.HeldTill.Sub(v.Options.Now()); left > 0 {
			seconds := int((left + time.Second - 1) / time.Second)
			p.Clock, p.Left = fmt.Sprintf("%d:%02d", seconds/60, seconds%60), strconv.Itoa(seconds)
			p.Whole = strconv.Itoa(int(letters.Hold / time.Second))
			p.Held = visit.Counted(c.Held, "letter goes out", "letters go out")
			if v.Options.MailFrom != "" {
				p.To = "From " + v.Options.MailFrom + "."
			}
			return p
		}
	}
	going := visit.SomeOf(c.Sending+c.Held, "letter is going out", "letters are going out")
	if v.Options.Mail == nil {
		going = visit.SomeOf(c.Sending+c.Held, "letter waits until there is a mail server",
			"letters wait until there is a mail server")
		p.Live, p.Running = false, false
	}
	if c.Paused > 0 {
		p.Paused, p.Running = visit.Counted(c.Paused, "letter", "letters"), c.Sending > 0
	}
	p.Text = visit.JoinWords(", ", going, visit.SomeOf(c.PutOff, "is tried again later", "are tried again later"),
		visit.SomeOf(c.Paused, "letter is paused", "letters are paused"))
	return p
}

func letterRow(v *visit.Visit, l *models.LetterRow) pages.Row {
	look := letterLooks[l.Kind]
	row := pages.Row{URL: v.At("/letters/" + l.ID), Name: l.Name, Email: l.Email, Look: look[0], Icon: look[1],
		Kind: look[2], Title: l.Title}
	if row.Name == "" {
		row.Name = "Somebody who is gone"
	}
	if l.SentTo != "" && l.State != models.LetterDraft {
		row.Email = l.SentTo
	}
	switch {
	case l.SessionID != nil:
		row.SessionURL = v.At("/sessions/" + *l.SessionID)
	case l.FriendlyID != "":
		row.SessionURL, row.Subject = v.At("/sessions/"+l.AboutID), l.Subject
	default:
		row.Subject = l.Subject
	}
	row.Note = letterNote(l)
	if row.State, row.Why, row.Tone = v.LetterState(l); row.Why+row.Tone == "" && l.State == models.LetterDraft {
		row.State = "" // the same for all of this list
	}
	switch {
	case canHold(l):
		row.Action, row.ActionName = row.URL+"/hold", "Hold back"
	case l.State == models.LetterFailed && sendable(l) && v.Options.Mail != nil:
		row.Action, row.ActionName = row.URL+"/send", "Retry"
	}
	return row
}

// letterNote returns what a list says about a letter besides its state.
func letterNote(l *models.LetterRow) (note string) {
	switch {
	case l.IsEdited:
		note = "Edited by hand"
	case l.IsOutdated:
		note = "Made by an older template"
	}
	switch {
	case l.Carries:
		return visit.JoinWords(". ", "A refusal leaves with it", note)
	case l.HasOther && l.Kind == models.LetterAccepted:
		return visit.JoinWords(". ", "Gets a refusal too", note)
	case l.HasOther:
		return visit.JoinWords(". ", "Gets an acceptance too", note)
	}
	return note
}

// canHold tells whether a queued letter may still be held. Letters to staff and of the call do not wait, so they
// cannot.
func canHold(l *models.LetterRow) bool {
	return l.State == models.LetterQueued && l.Attempts == 0 && l.Kind != models.LetterNote && l.Kind != models.LetterCall
}
