package letters

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
	"strings"

	"lectern/models"
	"lectern/models/letters"
	"lectern/models/store"
	pages "lectern/views/pages/letters"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// errNoMail refuses to send without a mail server.
var errNoMail = &store.Error{Kind: store.Invalid, Message: "There is no mail server, so letters stay drafts."}

// queueLetters queues as many letters as the button said; the operation refuses if their number changed.
func queueLetters(v *visit.Visit, queue func(context.Context, int64) (int64, error), text string) error {
	if v.Options.Mail == nil {
		return errNoMail
	}
	expected, err := strconv.ParseInt(v.Value("expected"), 10, 64)
	if err != nil {
		return page.OldForm
	}
	n, err := queue(v.UserContext(), expected)
	if store.KindOf(err) == store.Stale {
		return v.SeeWarning(v.At("/letters"), err.Error())
	}
	return v.Done(err, v.At("/letters?tab=outbox"), visit.Counted(n, "letter is ", "letters are ")+text)
}

// onLetters wraps a change of all queued letters.
func onLetters(change func(*letters.Letters, context.Context) (int64, error), next, one, many string) visit.Handler {
	return func(v *visit.Visit) error {
		n, err := change(letters.Of(v.Programme), v.UserContext())
		return v.Done(err, v.At("/letters"+next), visit.Counted(n, one, many))
	}
}

var (
	holdLetters = onLetters(func(of *letters.Letters, ctx context.Context) (int64, error) {
		return of.HoldLetters(ctx, "")
	}, "", "letter is a draft again.", "letters are drafts again.")
	pauseLetters  = onLetters((*letters.Letters).PauseLetters, "?tab=outbox", "letter is paused.", "letters are paused.")
	resumeLetter  = onLetters((*letters.Letters).ResumeLetters, "?tab=outbox", "letter goes out.", "letters go out.")
	sendLetterNow = onLetters((*letters.Letters).SendLettersNow, "?tab=outbox", "letter goes out.", "letters go out.")
	regenerate    = onLetters(func(of *letters.Letters, ctx context.Context) (int64, error) {
		n, err := of.RegenerateLetters(ctx)
		return int64(n), err
	}, "", "draft is made anew.", "drafts are made anew.")
	joinLetters = onLetters((*letters.Letters).JoinLetters, "", "person gets one letter of both.", "people get one letter of both each.")
)

// letterOf reads the letter of the path.
func letterOf(v *visit.Visit) (*models.LetterRow, error) {
	row, _, err := letters.Of(v.Programme).Letter(v.UserContext(), v.Params("letter"))
	return row, err
}

func showLetter(v *visit.Visit) error { return letterPage(v, http.StatusOK, nil) }

// letterPage shows a letter; typed is what was typed in a refused form, else nil.
func letterPage(v *visit.Visit, status int, typed *pages.Draft) error {
	l, near, err := letters.Of(v.Programme).Letter(v.UserContext(), v.Params("letter"))
	if err != nil {
		return err
	}
	row, base := letterRow(v, l), v.At("/letters")
	p := pages.LetterPage{Base: base, Here: row.URL, Back: base, BackName: "Letters", From: v.Options.MailFrom,
		Name:  row.Name,
		Email: row.Email, Look: row.Look, Icon: row.Icon, Kind: row.Kind, State: row.State, Why: row.Why, Tone: row.Tone,
		Label: l.FriendlyID, About: l.Title, SessionURL: row.SessionURL, PersonURL: addresseePage(v, l),
		Subject: l.Subject, Body: l.Shown(), Draft: pages.Draft{Subject: l.Subject, Body: l.Body},
		UpdatedAt: l.UpdatedAt.String(), ContactID: l.ContactID, SessionID: visit.ValueOr(l.SessionID, "")}
	p.State, _, _ = v.LetterState(l)
	for _, other := range l.Along {
		p.Along = append(p.Along, pages.Along{Title: other.Title, URL: base + "/" + other.ID})
	}
	if l.MailingID != nil {
		p.Back, p.BackName = visit.MailingAt(v, *l.MailingID), "All of this letter"
	}
	if typed != nil {
		p.Draft, p.UpdatedAt = *typed, v.Value("updated_at")
	}
	if near.Total > 0 {
		p.Place = visit.Number(near.Position) + " of " + visit.Number(near.Total)
	}
	if near.Previous != "" {
		p.Previous = base + "/" + near.Previous
	}
	if near.Next != "" {
		p.Next = base + "/" + near.Next
	}
	letterVerbs(v, &p, l)
	if p.CanEdit {
		of, err := letters.Of(v.Programme).PlaceholdersFor(v.UserContext(), &l.Letter)
		if err != nil {
			return err
		}
		p.Placeholders = placeholderRows(of, nil)
	}
	v.Section = base
	return visit.Show(v, status, "Letter to "+row.Name, pages.Letter, p)
}

// addresseePage returns the page of a letter's recipient, "" where they have none.
func addresseePage(v *visit.Visit, l *models.LetterRow) string {
	switch {
	case l.ContactID == "" || l.Name == "":
		return ""
	case l.IsHere:
		return v.At("/speakers/" + l.ContactID)
	}
	return visit.ContactsPath + "/" + l.ContactID
}

// letterVerbs fills in what may be done with a letter, and what prevents the rest.
func letterVerbs(v *visit.Visit, p *pages.LetterPage, l *models.LetterRow) {
	mail := v.Options.Mail != nil
	draft, failed, unknown := l.State == models.LetterDraft, l.State == models.LetterFailed, l.State == models.LetterUnknown
	p.CanEdit = (draft || failed) && l.ContactID != "" && l.Body != ""
	p.CanSend = mail && sendable(l)
	p.SendName = map[models.LetterState]string{models.LetterFailed: "Try again", models.LetterUnknown: "Send it again"}[l.State]
	p.SendName = cmp.Or(p.SendName, "Send this letter")
	p.CanHold = canHold(l)
	p.CanTell = l.SessionID != nil && (draft || failed || unknown)
	p.CanRewrite = draft && l.Body != "" && (l.IsEdited || l.IsOutdated || l.Missing != "")
	p.CanPart = draft && len(l.Along) > 0
	p.CanTakeOut = draft && l.MailingID != nil
	letterNotes(p, l)
}

// sendable tells whether a letter may be sent now, or again.
func sendable(l *models.LetterRow) bool {
	switch {
	case l.Email == "", l.Body == "", l.Kind == models.LetterInvitation, l.Within != "":
		return false
	case l.State == models.LetterDraft:
		return l.Missing == ""
	}
	return l.State == models.LetterFailed || l.State == models.LetterUnknown
}

// letterNotes fills in what prevents a letter from being sent.
func letterNotes(p *pages.LetterPage, l *models.LetterRow) {
	if l.State == models.LetterUnknown {
		p.Notes = append(p.Notes, "It may have arrived. Ask, and say that they know; or send it again, and they may get it twice.")
	}
	if l.Kind == models.LetterInvitation {
		p.Notes = append(p.Notes, "Its link is kept nowhere, so it cannot be sent again. Invite them anew for another one.")
	}
	if l.Email == "" && l.State != models.LetterSent && l.State != models.LetterTold {
		p.Notes = append(p.Notes, "There is no e-mail address, so this letter cannot be sent. Add one to the person, or tell them by other means.")
	}
	if l.Missing != "" {
		p.Notes = append(p.Notes, "There is nothing to put for "+strings.ReplaceAll(l.Missing, ",", ", ")+
			". Fill it in where it belongs and start over, or write here what the letter should say.")
	}
	if l.Within != "" {
		p.Notes = append(p.Notes, "This refusal leaves in the letter about “"+l.Within+"”, and counts as told once that is sent.")
	}
	if l.IsEdited && l.State == models.LetterDraft {
		p.Notes = append(p.Notes, "Edited by hand: a new template leaves it as it is.")
	}
}

func editLetter(v *visit.Visit) error {
	typed := pages.Draft{Subject: v.Value("subject"), Body: v.FormValue("body")}
	token, err := store.ParseTime(v.Value("updated_at"))
	if err != nil {
		return page.OldForm
	}
	err = letters.Of(v.Programme).EditLetter(v.UserContext(), v.Params("letter"), token, typed.Subject, typed.Body)
	if store.KindOf(err) == store.Stale {
		v.TellNow(err.Error(), nil, nil)
		return letterPage(v, http.StatusConflict, &typed)
	}
	return v.DoneOrAgain(err, v.At("/letters/"+v.Params("letter")), "The letter is saved.",
		func(status int) error { return letterPage(v, status, &typed) })
}

// onLetter wraps a change of one letter, and leads back to it.
func onLetter(change func(*visit.Visit, string) error, text string) visit.Handler {
	return func(v *visit.Visit) error {
		id := v.Params("letter")
		address := v.At("/letters/" + id)
		if _, err := letterOf(v); err != nil {
			return err
		}
		err := change(v, id)
		if store.KindOf(err) == store.Stale {
			return v.SeeWarning(address, "That is not possible any more: look at where the letter stands now.")
		}
		return v.Done(err, address, text)
	}
}

var (
	sendOneLetter = onLetter(func(v *visit.Visit, id string) error {
		if v.Options.Mail == nil {
			return errNoMail
		}
		return letters.Of(v.Programme).SendLetter(v.UserContext(), id)
	}, "The letter goes out in a minute. Until then you can hold it back.")
	holdOneLetter = onLetter(func(v *visit.Visit, id string) error {
		_, err := letters.Of(v.Programme).HoldLetters(v.UserContext(), id)
		return err
	}, "The letter is a draft again.")
	partLetters = onLetter(func(v *visit.Visit, id string) error {
		return letters.Of(v.Programme).PartLetters(v.UserContext(), id)
	}, "Each decision has a letter of its own again.")
	rewriteLetter = onLetter(func(v *visit.Visit, id string) error {
		return letters.Of(v.Programme).RewriteLetter(v.UserContext(), id)
	}, "The letter is made anew from the template.")
)

// tellPerson records that somebody knows a decision by other means.
func tellPerson(v *visit.Visit) error {
	err := v.Programme.MarkTold(v.UserContext(), v.Value("session"), v.Value("contact"), v.Value("reason"))
	return v.DoneOrRefused(err, v.At("/letters"), "That they were told is kept.")
}

func draftLetters(v *visit.Visit) error {
	n, err := v.Programme.DraftLetters(v.UserContext(), v.Value("session"))
	return v.Done(err, v.At("/letters"), visit.Counted(int64(n), "letter is drafted.", "letters are drafted."))
}
