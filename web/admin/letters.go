package admin

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages"
)

// lettersAPage is how many letters a page of them shows, and unwrittenShown how many people without one.
const lettersAPage, unwrittenShown = 50, 20

// letterTabNames are what the tabs are called.
var letterTabNames = map[models.LetterTab]string{models.DraftLetters: "Drafts", models.QueuedLetters: "Outbox",
	models.FailedLetters: "Failed", models.UnknownLetters: "Unknown", models.SentLetters: "Sent"}

// letterLooks are the badges of what letters are about.
var letterLooks = map[models.LetterKind][3]string{models.LetterAccepted: {"accepted", "check", "Accepted"},
	models.LetterDeclined: {"declined", "x", "Declined"}, models.LetterUndone: {"pending", "undo-2", "Taken back"},
	models.LetterFree: {"draft", "mail", "Letter"}, models.LetterCall: {"draft", "mail", "Call for papers"}, models.LetterNote: {"draft", "mail", "Note"},
	models.LetterInvitation: {"draft", "mail", "Invitation"}}

func (v *visit) letterTabs(c *models.LetterCounts, current models.LetterTab) []components.Tab {
	base := v.at("/letters")
	var tabs []components.Tab
	for _, tab := range models.LetterTabs {
		tabs = append(tabs, components.Tab{Name: letterTabNames[tab], URL: base + "?tab=" + string(tab), Count: number(c.Of(tab)),
			Current: tab == current})
	}
	return append(tabs, components.Tab{Name: "Templates", URL: base + "/templates/accepted", Current: current == ""})
}

func listLetters(v *visit) error {
	l := v.plainListing("tab", "kind", "q", "page")
	tab := models.LetterTab(l.query.Get("tab"))
	if !slices.Contains(models.LetterTabs, tab) {
		tab = models.DraftLetters
		l.set("tab", string(tab))
	}
	choice := models.LetterChoice{Kind: letterKindIn(tab, l.query.Get("kind")), Text: l.query.Get("q")}
	l.set("kind", string(choice.Kind))
	rows, pagination, err := v.programme.LettersIn(v.UserContext(), tab, choice, store.Page{Number: l.page(), Size: lettersAPage})
	if err != nil {
		return err
	}
	counts, err := v.programme.LetterCounts(v.UserContext()) // behind the rows, so that each is counted that is shown
	if err != nil {
		return err
	}
	base := v.at("/letters")
	if len(rows) == 0 && pagination.TotalResults > 0 { // behind the last page
		return v.SeeInstead(base + "?" + l.onPage(pagination.TotalPages).query.Encode())
	}
	p := pages.LettersPage{Base: base, Here: base + "?" + l.query.Encode(), Tab: string(tab), Tabs: v.letterTabs(counts, tab),
		Text: l.query.Get("q"), NoMail: v.options.Mail == nil, From: v.options.MailFrom,
		Pages: pagesOf(base, l, pagination, "letters")}
	p.Barred = v.barred(counts)
	if tab == models.DraftLetters {
		p.Write = v.at("/speakers")
		if err := v.letterChoice(&p, choice); err != nil {
			return err
		}
		if err := v.draftParts(&p, counts); err != nil {
			return err
		}
	} else if err := v.kindsIn(&p, tab, choice); err != nil {
		return err
	}
	if tab == models.FailedLetters && counts.Retries > 0 {
		p.Retries, p.Retry = counted(counts.Retries, "letter", "letters"), strconv.FormatInt(counts.Retries, 10)
	}
	if p.Progress = v.letterProgress(counts); p.Progress != nil && p.Progress.Live {
		p.Refresh = "5"
	}
	for _, row := range rows {
		p.Rows = append(p.Rows, v.letterRow(row))
	}
	return show(v, http.StatusOK, "Letters", pages.Letters, p)
}

// draftParts are what stands above drafts: what can be sent, and what is in the way of the others.
func (v *visit) draftParts(p *pages.LettersPage, c *models.LetterCounts) error {
	var err error
	if p.Both, err = v.yesAndNo(models.LetterChoice{}); err != nil {
		return err
	}
	if c.Outdated > 0 {
		p.Outdated = counted(c.Outdated, "draft was made", "drafts were made")
	}
	if c.NoReach > 0 {
		p.Problems = append(p.Problems, counted(c.NoReach, "draft is to somebody", "drafts are to people")+
			" without an e-mail address. It stays here until there is one.")
	}
	if c.Missing > 0 {
		p.Problems = append(p.Problems, counted(c.Missing, "draft has", "drafts have")+
			" a placeholder without a value. Those stand first, and are not sent before somebody writes what they should say.")
	}
	if c.Free > 0 {
		if err := v.mailingLines(p); err != nil {
			return err
		}
	}
	people, err := v.programme.Unwritten(v.UserContext(), unwrittenShown)
	for _, x := range people {
		p.Unwritten = append(p.Unwritten, pages.UnwrittenRow{Name: x.Name, Email: x.Email, Title: x.Title, Label: x.FriendlyID,
			URL: v.at("/sessions/" + x.SessionID), SessionID: x.SessionID, ContactID: x.ContactID})
	}
	return err
}

// letterProgress says what is in line; nil of nothing.
func (v *visit) letterProgress(c *models.LetterCounts) *pages.LetterProgress {
	if c.Outbox == 0 {
		return nil
	}
	p := &pages.LetterProgress{Live: c.Paused == 0 || c.Sending > 0, Running: true}
	if c.HeldTill != nil {
		if left := c.HeldTill.Sub(v.options.Now()); left > 0 {
			seconds := int((left + time.Second - 1) / time.Second)
			p.Clock, p.Left = fmt.Sprintf("%d:%02d", seconds/60, seconds%60), strconv.Itoa(seconds)
			p.Whole = strconv.Itoa(int(models.LetterHold / time.Second))
			p.Held = counted(c.Held, "letter goes out", "letters go out")
			if v.options.MailFrom != "" {
				p.To = "From " + v.options.MailFrom + "."
			}
			return p
		}
	}
	var parts []string
	add := func(n int64, one, many string) {
		if n > 0 {
			parts = append(parts, counted(n, one, many))
		}
	}
	if going := c.Sending + c.Held; v.options.Mail == nil {
		add(going, "letter waits until there is a mail server", "letters wait until there is a mail server")
		p.Live, p.Running = false, false
	} else {
		add(going, "letter is going out", "letters are going out")
	}
	add(c.PutOff, "is tried again later", "are tried again later")
	if add(c.Paused, "letter is paused", "letters are paused"); c.Paused > 0 {
		p.Paused, p.Running = counted(c.Paused, "letter", "letters"), c.Sending > 0
	}
	p.Text = strings.Join(parts, ", ")
	return p
}

func (v *visit) letterRow(l *models.LetterRow) pages.LetterRow {
	look := letterLooks[l.Kind]
	row := pages.LetterRow{URL: v.at("/letters/" + l.ID), Name: l.Name, Email: l.Email, Look: look[0], Icon: look[1], Kind: look[2],
		Title: l.Title, Label: l.FriendlyID}
	if row.Name == "" {
		row.Name = "Somebody who is gone"
	}
	if l.SentTo != "" && l.State != models.LetterDraft {
		row.Email = l.SentTo
	}
	switch {
	case l.SessionID != nil:
		row.SessionURL = v.at("/sessions/" + *l.SessionID)
	case l.FriendlyID != "":
		row.SessionURL, row.Subject = v.at("/sessions/"+l.AboutID), l.Subject
	default:
		row.Subject = l.Subject
	}
	row.Note = letterNote(l)
	if row.State, row.Why, row.Tone = v.letterState(l); row.Why+row.Tone == "" && l.State == models.LetterDraft {
		row.State = "" // which all of the list are
	}
	switch {
	case canHold(l):
		row.Action, row.ActionName = row.URL+"/hold", "Hold back"
	case l.State == models.LetterFailed && sendable(l) && v.options.Mail != nil:
		row.Action, row.ActionName = row.URL+"/send", "Retry"
	}
	return row
}

// letterNote is what a list says of a letter besides where it stands.
func letterNote(l *models.LetterRow) (note string) {
	switch {
	case l.IsEdited:
		note = "Edited by hand"
	case l.IsOutdated:
		note = "Made by an older template"
	}
	switch {
	case l.Carries:
		return joinWords(". ", "A refusal leaves with it", note)
	case l.HasOther && l.Kind == models.LetterAccepted:
		return joinWords(". ", "Gets a refusal too", note)
	case l.HasOther:
		return joinWords(". ", "Gets an acceptance too", note)
	}
	return note
}

// canHold tells of a letter that waits and may be held back; what is written to staff, and by the call, does not wait.
func canHold(l *models.LetterRow) bool {
	return l.State == models.LetterQueued && l.Attempts == 0 && l.Kind != models.LetterNote && l.Kind != models.LetterCall
}
