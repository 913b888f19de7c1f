package models

import (
	"context"
	"strings"

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
