package models

import (
	"context"
	"strings"

	"gorm.io/gorm"

	"lectern/models/staff"
	"lectern/models/store"
)

// Mails are what is written to an organization's staff, or to those of one event. They stand in the same log as the
// letters to speakers, and go out the same way, without a wait.
type Mails struct {
	*store.Tenant
	event *Event // nil of what belongs to the organization
}

// Mails are those of this event.
func (p *Programme) Mails() *Mails {
	return &Mails{p.store.Organization(p.event.OrganizationID, p.by), p.event}
}

// Mails are those of an organization that belong to no event, for the one who acts.
func (s *Store) Mails(organizationID string, by store.By) *Mails {
	return &Mails{s.Organization(organizationID, by), nil}
}

// Note is a mail to somebody of the staff.
type Note struct{ Name, Email, Subject, Text string }

// MailFault is an error of a mail that did not go out. Its words name nobody.
type MailFault struct {
	End  LetterEnd // LetterQueued where another attempt may go through
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

// Send puts notes in line, to go out at once. Each is in the log before it leaves.
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

// tellStaff puts a mail about a change in line, in its transaction. Without a mail server there is none.
func (s *Store) tellStaff(tx *store.Tx, u *staff.User, subject, text string) error {
	if !s.Options.HasMail {
		return nil
	}
	return s.Mails(u.OrganizationID, store.By{}).Send(tx.Within(tx.Statement.Context),
		Note{Name: u.Name, Email: u.Email, Subject: subject, Text: text})
}

// InvitationLink stands in a mail for the link of an invitation to the staff, which is made for each attempt and kept
// nowhere.
const InvitationLink = "{{invitation_link}}"

// InvitationPath is the address of invitations to the staff, before their tokens.
const InvitationPath = "/invitations/"

// Invite puts mails with an InvitationLink in line, and returns how many wait for an hour that has room for strangers.
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

// makesInvitation tells of a mail whose link to become staff is made as it leaves.
func (l *Letter) makesInvitation() bool {
	return l.Kind == LetterInvitation && l.OrganizationID != nil && strings.Contains(l.Body, InvitationLink)
}

// FillInvitation puts the link of an invitation into its mail that is about to leave, where it takes one along. It
// answers NotFound where the invitation was withdrawn, accepted or is too old.
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

// Begin keeps a mail that whoever calls it sends now, with a link that is kept nowhere: n.Text is without it. What
// became of it is told by EndLetter; who does not say so in LetterClaim leaves it unknown. host is the right side of
// its Message-ID.
func (m *Mails) Begin(ctx context.Context, n Note, host string) (*OutgoingLetter, error) {
	return store.Make(ctx, m.Write, func(tx *store.Tx) (*OutgoingLetter, error) {
		l := m.letter(tx, LetterInvitation, n)
		l.State, l.Attempts, l.SentTo, l.MessageID = LetterSending, 1, n.Email, l.ID+"@"+host
		l.ClaimedUntil = new(store.At(tx.Now.Add(LetterClaim)))
		return &OutgoingLetter{Letter: *l, Email: n.Email, Name: n.Name}, tx.Create(l).Error
	})
}

// Log is a page of what was written, the latest first.
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
