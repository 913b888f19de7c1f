package call

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/store"
	"lectern/views/words"
)

// Lines is a value in a letter that keeps its line breaks; other values become one line.
type Lines string

// write fills a letter from the catalogue's text of this name, in a language. values are names of places in the text
// and their values, alternately; text by people makes no placeholders.
func write(letter *models.CallLetter, l *words.Language, event *models.Event, name string, values ...any) {
	said := append([]any{"Event", event.Name}, values...)
	for i := 1; i < len(said); i += 2 {
		switch value := said[i].(type) {
		case Lines:
			said[i] = models.WithoutPlaceholders(string(value))
		case string:
			said[i] = models.WithoutPlaceholders(store.OneLine(value))
		}
	}
	said = append(said, "Link", models.PlaceLinkHere)
	letter.Subject, letter.Body = l.T("letter."+name+"_subject", said...), l.T("letter."+name, said...)
}

// spoken returns the language in which the actor reads the place.
func spoken(tx *store.Tx) *words.Language { return words.In(tx.Statement.Context) }

// languageOf returns the language in which to write to a contact who is not the actor: the one in which they last read
// their place, else the first that the event offers.
func languageOf(tx *store.Tx, event *models.Event, contactID string) (*words.Language, error) {
	var tags string
	err := tx.Raw(`SELECT coalesce((SELECT a.language FROM speaker_accounts a
			WHERE a.organization_id = ? AND a.contact_id = ? AND a.language <> '' ORDER BY a.updated_at DESC, a.id LIMIT 1),
		(SELECT languages FROM event_looks WHERE event_id = ?), '')`, event.OrganizationID, contactID, event.ID).Scan(&tags).Error
	for _, l := range words.All() {
		if slices.Contains(strings.Fields(tags), l.Tag) {
			return l, err
		}
	}
	return words.English(), err
}

// ClockIn returns a moment by the event's clock, in words of a language.
func ClockIn(l *words.Language, t store.Time, event *models.Event) string {
	local := t.In(event.Location())
	return l.Date(local) + ", " + l.TimeOf(local) + " " + l.City(event.Timezone)
}

// hostDot matches a dot that mail readers may take for one in a host name, which may also contain symbols and invisible
// characters: between two characters, of which the second is no closing mark.
var hostDot = regexp.MustCompile(`([^\s\pZ` + dots + `])([` + dots + `])([^\s\pZ\p{Pe}\p{Pf}\p{Pi}"',;:!?` + dots + `])`)

const dots = ".。．｡․﹒"

// defuse returns a stranger's text for a letter of ours, changed so that no mail reader makes a link of it.
func defuse(text string) string {
	text = strings.NewReplacer("://", ": //", "{{", "{ {").Replace(text)
	for before := ""; before != text; { // again, because a character between two dots belongs to both matches
		before, text = text, hostDot.ReplaceAllString(text, "$1$2 $3")
	}
	return text
}

// addressed is a letter to a contact before its text is written.
type addressed struct {
	models.CallLetter
	event    *models.Event
	contact  *models.Contact
	language *words.Language // of the contact
}

// write fills in the letter's text.
func (a *addressed) write(name string, values ...any) {
	values = append(values, "Name", a.contact.FullName, "First", cmp.Or(a.contact.FirstName, a.contact.FullName))
	write(&a.CallLetter, a.language, a.event, name, values...)
}

// letterTo returns a letter without text to a contact: to their own address, or to that of their latest account. It
// returns nil for somebody without an address.
func (c *Call) letterTo(tx *store.Tx, contactID string) (*addressed, error) {
	contact, err := store.One[models.Contact](tx.Where("organization_id = ? AND id = ?", c.p.Event().OrganizationID, contactID), nil)
	if contact == nil || err != nil {
		return nil, err
	}
	language, err := languageOf(tx, c.p.Event(), contact.ID)
	if err != nil {
		return nil, err
	}
	letter := &addressed{models.CallLetter{ContactID: contact.ID}, c.p.Event(), contact, language}
	if contact.Email != "" {
		return letter, nil
	}
	var accounts []*Account
	if err := tx.Where("organization_id = ? AND contact_id = ?", contact.OrganizationID, contact.ID).Order("created_at DESC, id").
		Limit(1).Find(&accounts).Error; err != nil || len(accounts) == 0 {
		return nil, err
	}
	letter.Name, letter.Email, letter.AccountID = contact.FullName, accounts[0].Email, accounts[0].ID
	return letter, nil
}

// Write sends a contact, in their language, the catalogue's letter of this name, which has a link to their place;
// values returns names of places in the text and their values, alternately. It reports whether they have an address.
func (c *Call) Write(tx *store.Tx, contactID, name string, values func(*words.Language) []any) (bool, error) {
	letter, err := c.letterTo(tx, contactID)
	if letter == nil || err != nil {
		return false, err
	}
	letter.write(name, values(letter.language)...)
	return true, c.p.SendCallLetters(tx, letter.CallLetter)
}

// InviteToPlace sends somebody a letter with a link to their place. It answers NotFound, and Invalid for somebody
// without an address.
func (c *Call) InviteToPlace(ctx context.Context, contactID string) error {
	return c.p.Write(ctx, func(tx *store.Tx) error {
		who, err := c.contact(ctx, tx, contactID)
		if err != nil {
			return err
		}
		reached, err := c.Write(tx, who.ID, "place", func(*words.Language) []any { return nil })
		if err == nil && !reached {
			err = store.Invalidf("contact", "has no e-mail address. Add one, or copy a link and hand it over")
		}
		if err != nil {
			return err
		}
		return c.p.Record(tx, store.Change{Subject: "contact", ID: who.ID, Action: "invited"})
	})
}

var errNobodyToLink = store.NoSuch("person of this link")

// FillLink puts a link to the recipient's place into a letter that is about to be sent, if it has one. The token is
// made for this attempt, and only its hash is stored. It answers NotFound if the person whom the link is for is gone,
// or does not have the letter's address.
func FillLink(ctx context.Context, s *models.Store, letter *models.OutgoingLetter) error {
	if !letter.HasPlaceLink() {
		return nil
	}
	address, err := store.Make(ctx, s.Write, func(tx *store.Tx) (string, error) {
		event, err := store.One[models.Event](tx.Where("id = ?", letter.EventID), errNobodyToLink)
		if err != nil {
			return "", err
		}
		to := LinkTo{OrganizationID: event.OrganizationID, EventID: &event.ID, Email: letter.Email}
		if err := to.aim(tx, letter); err != nil {
			return "", err
		}
		token, err := NewLink(tx, to)
		if err != nil {
			return "", err
		}
		door := "link"
		if to.CoSpeakerID != "" {
			door = "join"
		}
		return s.Options.BaseURL + "/events/" + event.Slug + "/place/" + door + "/" + token, nil
	})
	if err == nil {
		letter.WithLink(address)
	}
	return err
}

// aim sets whose link it is: the co-speaker's or the account's whom the letter names, else its contact's. A contact's
// link goes only to an address of theirs, since whoever opens it is taken for them.
func (to *LinkTo) aim(tx *store.Tx, letter *models.OutgoingLetter) error {
	if letter.CoSpeakerID != "" {
		asked, err := store.One[CoSpeaker](tx.Where("id = ? AND event_id = ? AND state = ?", letter.CoSpeakerID, to.EventID, Invited),
			errNobodyToLink)
		if err == nil {
			to.CoSpeakerID = asked.ID
		}
		return err
	}
	if letter.AccountID != "" {
		account, err := store.One[Account](tx.Where("id = ? AND organization_id = ?", letter.AccountID, to.OrganizationID), nil)
		if err != nil {
			return err
		}
		if account != nil && store.Fold(account.Email) == store.Fold(letter.Email) {
			to.AccountID = account.ID
			return nil
		}
	}
	contact, err := store.One[models.Contact](tx.Where("id = ? AND organization_id = ?", letter.ContactID, to.OrganizationID),
		errNobodyToLink)
	if err != nil {
		return err
	}
	if store.Fold(letter.Email) != store.Fold(contact.Email) {
		return errNobodyToLink
	}
	to.ContactID = contact.ID
	return nil
}

// confirmation returns the letter that confirms a submission to its author, in their language, with a copy of all
// answers.
func (p *Proposal) confirmation(a *Account, l *words.Language) models.CallLetter {
	letter := models.CallLetter{ContactID: p.ContactID, AboutID: p.ID, AccountID: a.ID}
	when := ClockIn(l, *p.Standing.SubmittedAt, p.Event)
	if !a.IsConfirmed() { // it may be a stranger's address: the letter quotes nothing by the author
		letter.Name, letter.Email, letter.Among = a.Email, a.Email, models.OfStrangers
		write(&letter, l, p.Event, "unproven", "Number", p.FriendlyID, "When", when)
		return letter
	}
	var until, success Lines
	if end := p.Standing.Window.End(); end != nil {
		until = Lines(l.T("letter.editable", "Until", ClockIn(l, *end, p.Event)))
	}
	if text := store.PlainText(p.Form.Success); text != "" {
		success = Lines("\n" + text + "\n")
	}
	letter.Name = a.Name
	write(&letter, l, p.Event, "submitted", "Name", a.Name, "Title", p.Title, "Number", p.FriendlyID, "When", when,
		"Editable", until, "Success", success, "Answers", Lines(p.copied(l)))
	return letter
}

// submission identifies a proposal that was submitted.
type submission struct{ EventID, SessionID string }

// submissions returns what an account submitted before its address was confirmed, and of which it has no copy yet.
func (o *opener) submissions(a *Account) (found []submission, err error) {
	err = o.tx.Table("proposals p").Joins("JOIN sessions s ON s.id = p.session_id").
		Joins("JOIN events e ON e.id = p.event_id").Select("p.event_id, p.session_id").
		Where("e.organization_id = ? AND p.contact_id = ? AND p.submitted_at IS NOT NULL", o.organizationID, a.ContactID).
		Where("s.deleted_at IS NULL AND s.status IN ?", taking).Order("p.submitted_at, p.session_id").Scan(&found).Error
	return found, err
}

// sendCopies mails the answers of each submission to the address that was just confirmed.
func (o *opener) sendCopies(ctx context.Context, a *Account) error {
	ctx = o.tx.Within(ctx)
	place := PlaceOf(o.store, &Login{Account: a}, store.By{})
	for _, s := range o.unread {
		event, err := o.store.EventBy(ctx, s.EventID)
		if err != nil {
			return err
		}
		p, err := place.Proposal(ctx, event, s.SessionID)
		if err != nil {
			return err
		}
		if err := place.At(event).SendCallLetters(o.tx, p.confirmation(a, spoken(o.tx))); err != nil {
			return err
		}
	}
	return nil
}

// copied returns all questions with their answers as text for a letter.
func (p *Proposal) copied(l *words.Language) string {
	var out strings.Builder
	for _, q := range p.Form.Asked(p.Values) {
		said := p.Words(q)
		if said == "" {
			said = "–"
		}
		joint := " "
		if q.Type == field.LongText || strings.Contains(said, "\n") {
			joint = "\n"
		}
		out.WriteString(l.TranslateDefault(q.Label) + ":" + joint + said + "\n\n")
	}
	return strings.TrimSpace(out.String())
}
