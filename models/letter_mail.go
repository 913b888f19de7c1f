package models

import (
	"context"
	"strings"
	"time"

	"gorm.io/gorm"

	"lectern/models/staff"
	"lectern/models/store"
)

// Mails is the handle of mails to an organization's staff, or to that of one event. They are rows of the same table as
// the letters to speakers, and are sent by the same job, without the hold.
type Mails struct {
	*store.Tenant
	event *Event // nil for the organization's mails
}

// Mails returns the handle of this event's mails.
func (p *Programme) Mails() *Mails {
	return &Mails{p.store.Organization(p.event.OrganizationID, p.by), p.event}
}

// Mails returns the handle of an organization's mails that belong to no event, for the given actor.
func (s *Store) Mails(organizationID string, by store.By) *Mails {
	return &Mails{s.Organization(organizationID, by), nil}
}

// Note is a mail to somebody of the staff.
type Note struct{ Name, Email, Subject, Text string }

// MailFault is the error of a mail that was not sent. Its words name nobody.
type MailFault struct {
	End  LetterEnd // LetterQueued if another attempt may succeed
	Text string
}

func (f *MailFault) Error() string { return f.Text }

func (m *Mails) letter(tx *store.Tx, kind LetterKind, n Note) *Letter {
	l := &Letter{ID: store.NewID(), Kind: kind, ToName: store.OneLine(n.Name), ToEmail: n.Email, Subject: store.OneLine(n.Subject),
		Body: n.Text, CreatedAt: tx.Now, UpdatedAt: tx.Now}
	if m.event != nil {
		l.EventID = &m.event.ID
	} else {
		l.OrganizationID = &m.ID
	}
	return l
}

// Send queues notes, to be sent at once. Each is logged before it is sent.
func (m *Mails) Send(ctx context.Context, notes ...Note) error {
	return m.Write(ctx, func(tx *store.Tx) error {
		letters := make([]*Letter, len(notes))
		for i, n := range notes {
			letters[i] = m.letter(tx, LetterNote, n)
			letters[i].State, letters[i].DueAt = LetterQueued, &tx.Now
		}
		return store.InsertInto(tx, "letters", letters)
	})
}

// tellStaff queues a mail about a change in the change's transaction. Without a mail server it does nothing.
func (s *Store) tellStaff(tx *store.Tx, u *staff.User, subject, text string) error {
	if !s.Options.HasMail {
		return nil
	}
	return s.Mails(u.OrganizationID, store.By{}).Send(tx.Within(tx.Statement.Context),
		Note{Name: u.Name, Email: u.Email, Subject: subject, Text: text})
}

// InvitationLink stands in a mail for the link of an invitation to the staff. The link is made for each attempt and not
// stored.
const InvitationLink = "{{invitation_link}}"

// InvitationPath is the path of invitations to the staff, followed by a token.
const InvitationPath = "/invitations/"

// Invite queues mails with an InvitationLink, and returns how many of them wait because this hour's limit is reached.
func (m *Mails) Invite(ctx context.Context, notes ...Note) (later int, err error) {
	err = m.Write(ctx, func(tx *store.Tx) error {
		later = 0
		letters := make([]*Letter, len(notes))
		for i, n := range notes {
			due, err := StrangerMailDue(tx, m.ID, OfStaff)
			if err != nil {
				return err
			}
			if due.After(tx.Now.Time) {
				later++
			}
			letters[i] = m.letter(tx, LetterInvitation, n)
			letters[i].State, letters[i].DueAt = LetterQueued, &due
		}
		return store.InsertInto(tx, "letters", letters)
	})
	return later, err
}

// makesInvitation reports whether the letter's link to join the staff is made when it is sent.
func (l *Letter) makesInvitation() bool {
	return l.Kind == LetterInvitation && l.OrganizationID != nil && strings.Contains(l.Body, InvitationLink)
}

// FillInvitation puts the link of an invitation into a mail that is about to be sent, if it has one. It answers
// NotFound if the invitation was withdrawn, accepted or is too old.
func (s *Store) FillInvitation(ctx context.Context, l *OutgoingLetter) error {
	if !l.makesInvitation() {
		return nil
	}
	token, err := s.Staff.Relink(ctx, *l.OrganizationID, l.Email)
	if err == nil {
		l.Body = strings.ReplaceAll(l.Body, InvitationLink, s.Options.BaseURL+InvitationPath+token)
	}
	return err
}

// Begin stores a mail that the caller sends right now, because it has a link that is not stored: n.Text is without it.
// The caller reports the result by EndLetter; without one within LetterClaim the mail becomes unknown. host is the
// right side of its Message-ID.
func (m *Mails) Begin(ctx context.Context, n Note, host string) (*OutgoingLetter, error) {
	return store.Make(ctx, m.Write, func(tx *store.Tx) (*OutgoingLetter, error) {
		l := m.letter(tx, LetterInvitation, n)
		l.State, l.Attempts, l.SentTo, l.MessageID = LetterSending, 1, n.Email, l.ID+"@"+host
		l.ClaimedUntil = new(store.At(tx.Now.Add(LetterClaim)))
		return &OutgoingLetter{Letter: *l, Email: n.Email, Name: n.Name}, tx.Create(l).Error
	})
}

// Log returns a page of the mails written, the latest first.
func (m *Mails) Log(ctx context.Context, page store.Page) ([]*LetterRow, store.Pagination, error) {
	if err := page.Clean(); err != nil {
		return nil, store.Pagination{}, err
	}
	query := m.Read(ctx).Table("letters").Where("organization_id = ? AND event_id IS NULL", m.ID)
	if m.event != nil {
		query = m.Read(ctx).Table("letters").Where("event_id = ? AND kind IN ('note', 'invitation')", m.event.ID)
	}
	query = query.Session(&gorm.Session{})
	var rows []*LetterRow
	var total int64
	err := query.Count(&total).Error
	if err == nil {
		err = query.Select("*, to_name AS name, to_email AS email").Order("created_at DESC, id").Limit(page.Size).
			Offset(page.Offset()).Find(&rows).Error
	}
	return rows, page.Of(total), err
}

// placeLink is a placeholder that stays in the stored letter: the link to the recipient's place, whose token is made
// at each attempt and never stored in the clear.
const placeLink = "place_link"

// PlaceLinkHere is the placeholder as it stands in a text.
const PlaceLinkHere = opening + placeLink + closing

// PlaceLinkShown replaces the link wherever a letter is displayed.
const PlaceLinkShown = "(a link of their own)"

// HasPlaceLink reports whether the letter contains the link.
func (l *Letter) HasPlaceLink() bool { return strings.Contains(l.Body, PlaceLinkHere) }

// Shown returns the text for display, without the link.
func (l *Letter) Shown() string { return l.withLink(PlaceLinkShown) }

// WithLink fills the link into the text to be sent; the stored row never has it.
func (l *OutgoingLetter) WithLink(address string) { l.Body = l.withLink(address) }

func (l *Letter) withLink(address string) string {
	return strings.ReplaceAll(l.Body, PlaceLinkHere, address)
}

// CallLetter is a letter of the call for papers to one person: to a contact, or to an address that no contact has yet.
type CallLetter struct {
	ContactID string // "" for a recipient who is no contact
	// Name and Email give an address that the contact does not have, such as one that is not confirmed. Without them
	// the letter goes to the contact's address at the time of sending.
	Name, Email string
	AboutID     string // the id of the proposal; "" for none
	// AccountID or CoSpeakerID says whose link the letter contains; without either it is the contact's.
	AccountID, CoSpeakerID string
	// Among says whose hourly limit a letter to an unproven address counts towards; the letter waits for an hour with
	// room. It is "" for a proven address.
	Among         StrangerMails
	DueAt         *store.Time // when it is sent, nil for at once
	Subject, Body string      // the text with PlaceLinkHere
}

// SendCallLetters queues letters of the call within the given transaction. They are sent after the commit, at their due
// time, or once Among has room. Without a mail server they wait.
func (p *Programme) SendCallLetters(tx *store.Tx, letters ...CallLetter) error {
	rows := make([]*Letter, len(letters))
	for i, l := range letters {
		due := tx.Now
		if l.DueAt != nil {
			due = *l.DueAt
		} else if l.Among != "" {
			var err error
			if due, err = StrangerMailDue(tx, p.event.OrganizationID, l.Among); err != nil {
				return err
			}
		}
		rows[i] = &Letter{ID: store.NewID(), EventID: &p.event.ID, Kind: LetterCall, ContactID: l.ContactID,
			ToName: store.OneLine(l.Name), ToEmail: l.Email, AboutID: l.AboutID, AccountID: l.AccountID, CoSpeakerID: l.CoSpeakerID,
			State: LetterQueued, DueAt: &due, Subject: shortSubject(l.Subject), Body: l.Body,
			CreatedAt: tx.Now, UpdatedAt: tx.Now}
	}
	return store.InsertInto(tx, "letters", rows)
}

// shortSubject returns a subject in one line, cut to maxSubject characters.
func shortSubject(text string) string {
	text = store.OneLine(text)
	if subject := []rune(text); len(subject) > maxSubject {
		return strings.TrimSpace(string(subject[:maxSubject-1])) + "…"
	}
	return text
}

// StrangerMails says who causes mails to unproven addresses. Each has its own hourly limit, so that nobody waits for
// mails that others cause.
type StrangerMails string

const (
	OfStrangers StrangerMails = "strangers" // people who typed the address as theirs
	OfSpeakers  StrangerMails = "speakers"  // people who proved their own and invite co-speakers
	OfStaff     StrangerMails = "staff"     // staff who invite colleagues and copy links
)

// maxStrangerMails limits an organization's mails per hour to unproven addresses, for each of StrangerMails.
const maxStrangerMails = 200

// strangerMailsKept is how long these counts are kept.
const strangerMailsKept = 24 * time.Hour

// StrangerMailDue reserves a mail to an unproven address under the limit of who causes it, and returns when it may be
// sent: now, or in the first hour with room.
func StrangerMailDue(tx *store.Tx, organizationID string, of StrangerMails) (store.Time, error) {
	for hour := store.At(tx.Now.Truncate(time.Hour)); ; hour = store.At(hour.Add(time.Hour)) {
		var taken []struct{ Hour store.Time } // if hour is full: the latest hour after it that has mails, else the next hour
		err := tx.Raw(`INSERT INTO stranger_mails (organization_id, caused_by, hour, mails)
			VALUES (?, ?, coalesce((SELECT max(o.hour) FROM stranger_mails o JOIN stranger_mails f
				ON f.organization_id = o.organization_id AND f.caused_by = o.caused_by AND f.hour = ? AND f.mails >= ?
				WHERE o.organization_id = ? AND o.caused_by = ? AND o.hour > f.hour), ?), 1)
			ON CONFLICT (organization_id, caused_by, hour) DO UPDATE SET mails = stranger_mails.mails + 1
			WHERE stranger_mails.mails < ? RETURNING hour`, organizationID, of, hour, maxStrangerMails, organizationID, of, hour,
			maxStrangerMails).Scan(&taken).Error
		if err != nil {
			return hour, err
		}
		if len(taken) == 0 {
			continue
		}
		if taken[0].Hour.Before(tx.Now.Time) {
			return tx.Now, nil
		}
		return taken[0].Hour, nil
	}
}

// StrangerMailsWaiting counts the mails to unproven addresses that wait for a later hour.
func (s *Store) StrangerMailsWaiting(ctx context.Context, organizationID string) (waiting int64, err error) {
	err = s.Read(ctx).Table("stranger_mails").Where("organization_id = ? AND hour > ?", organizationID, s.Now()).
		Select("coalesce(sum(mails), 0)").Scan(&waiting).Error
	return waiting, err
}

// PruneStrangerMails deletes old counts.
func (s *Store) PruneStrangerMails(ctx context.Context) error {
	return s.Write(ctx, func(tx *store.Tx) error {
		return tx.Exec("DELETE FROM stranger_mails WHERE hour < ?", store.At(tx.Now.Add(-strangerMailsKept))).Error
	})
}
