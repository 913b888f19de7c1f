package call

import (
	"cmp"
	"context"
	"errors"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/words"
)

// invitation returns the letter that invites a co-speaker, in the language of the person who invites. Text by that
// person, whom we do not know, makes no links, and the subject begins with our words.
func invitation(c *CoSpeaker, event *models.Event, from *Account, title string, l *words.Language) models.CallLetter {
	letter := models.CallLetter{Name: cmp.Or(defuse(c.Name), c.Email), Email: c.Email, AboutID: c.SessionID,
		CoSpeakerID: c.ID, Among: models.OfSpeakers}
	hello := l.T("letter.hello")
	if c.Name != "" {
		hello = l.T("letter.helloto", "Name", defuse(c.Name))
	}
	write(&letter, l, event, "invited", "Hello", hello, "From", defuse(from.Name), "Title", defuse(title),
		"Role", l.T("letter.as_"+string(c.Role)))
	return letter
}

// sendInvitations sends the invitations that somebody made before their own address was confirmed.
func (o *opener) sendInvitations(ctx context.Context, a *Account) error {
	var waiting []struct {
		CoSpeaker `gorm:"embedded"`
		Title     string
	}
	err := o.tx.Table("co_speakers x").Joins("JOIN sessions s ON s.id = x.session_id").
		Joins("JOIN events e ON e.id = x.event_id").Select("x.*, s.title").
		Where("e.organization_id = ? AND x.invited_by = ? AND x.state = ?", o.organizationID, a.ContactID, Invited).
		Where("s.deleted_at IS NULL AND s.status IN ?", append([]models.Status{models.Draft}, taking...)).
		Where("NOT EXISTS (SELECT 1 FROM letters l WHERE l.co_speaker_id = x.id)").Order("x.created_at, x.id").
		Scan(&waiting).Error
	if err != nil {
		return err
	}
	for _, w := range waiting {
		event, err := o.store.EventBy(o.tx.Within(ctx), w.EventID)
		if err != nil {
			return err
		}
		err = o.store.Programme(event, store.By{}).SendCallLetters(o.tx, invitation(&w.CoSpeaker, event, a, w.Title, spoken(o.tx)))
		if err != nil {
			return err
		}
	}
	return nil
}

// Invitation is what an invited co-speaker sees before they answer.
type Invitation struct {
	CoSpeaker `gorm:"embedded"`
	From      string // the name of the person who invites
	// Title and Description, which is HTML, are the proposal's, until the invitation is answered: somebody who joined
	// reads them in their place.
	Title, Description string
}

// InvitationOf returns an invitation of an event by its id, for whoever opened its link. It answers NotFound if the
// invitation was taken back, the proposal deleted or, unless they have joined, withdrawn or declined.
func InvitationOf(ctx context.Context, s *models.Store, event *models.Event, id string) (*Invitation, error) {
	if !store.IsID(id) {
		return nil, errNoCoSpeaker
	}
	in, err := store.One[Invitation](s.Read(ctx).Table("co_speakers x").Joins("JOIN sessions s ON s.id = x.session_id").
		Joins("LEFT JOIN contacts c ON c.id = x.invited_by").
		Select("x.*, s.title, s.description, coalesce(c.full_name, '') AS \"from\"").
		Where("x.event_id = ? AND x.id = ? AND s.deleted_at IS NULL", event.ID, id).
		Where("(x.state = ? OR s.status NOT IN ?)", Joined, []models.Status{models.Withdrawn, models.Declined}),
		errNoCoSpeaker)
	if err != nil {
		return nil, err
	}
	if in.State != Invited {
		in.Title, in.Description = "", ""
	}
	return in, nil
}

// Join puts an invited co-speaker on the proposal and returns their contact: the one with the address of the
// invitation, which the opened link proves to be theirs, or a new one. For somebody who has joined already it returns
// the contact. It answers NotFound if the invitation was taken back or declined, or the proposal withdrawn or declined,
// and emits session.updated. It runs within the transaction in ctx, if any.
func Join(ctx context.Context, s *models.Store, event *models.Event, coSpeakerID string,
	by store.By) (contactID string, err error) {
	c, err := InvitationOf(ctx, s, event, coSpeakerID)
	if err != nil {
		return "", err
	}
	if c.State == Joined {
		return c.ContactID, nil
	}
	by.ActorName = cmp.Or(c.Name, c.Email)
	first, last := models.SplitName(by.ActorName)
	seat := models.Participation{New: &models.NewContact{FirstName: first, LastName: last, Email: c.Email}, Role: c.Role}
	_, err = s.Programme(event, by).Reaching(models.Everybody).EditSession(ctx, c.SessionID, models.SessionEdit{Seat: []models.Participation{seat},
		Decide: func(tx *store.Tx, s *models.Session, seated []*models.Participant) (change models.SessionChange,
			err error) {
			contactID = seated[0].ContactID
			done := tx.Model(&CoSpeaker{}).Where("event_id = ? AND id = ? AND state <> ?", event.ID, coSpeakerID, Refused).
				Updates(map[string]any{"state": Joined, "contact_id": contactID, "answered_at": tx.Now})
			if err := store.Changed(done, errNoCoSpeaker); err != nil {
				return change, err
			}
			if s.Status == models.Withdrawn || s.Status == models.Declined {
				return change, errNoCoSpeaker
			}
			for _, x := range s.Participants {
				if x.ContactID == contactID {
					return change, nil
				}
			}
			change.People = new(append(s.Participants, seated...))
			return change, nil
		}})
	return contactID, err
}

// Decline records that an invited co-speaker declines. It answers NotFound unless they were invited and have not
// joined.
func Decline(ctx context.Context, s *models.Store, event *models.Event, coSpeakerID string) error {
	return s.Write(ctx, func(tx *store.Tx) error {
		return store.Changed(tx.Model(&CoSpeaker{}).Where("event_id = ? AND id = ? AND state <> ?", event.ID, coSpeakerID,
			Joined).
			Updates(map[string]any{"state": Refused, "answered_at": tx.Now}), errNoCoSpeaker)
	})
}

// InvitationBy returns the invitation to which a link leads. It answers NotFound for a link that expired or an
// invitation that was taken back, and Elsewhere as CheckLink does; own is the browser's login, or nil.
func InvitationBy(ctx context.Context, s *models.Store, event *models.Event, token string, b Browser,
	own *Login) (*Invitation, error) {
	l, err := linkBy(s.Read(ctx), event.OrganizationID, token, s.Now())
	if err != nil {
		return nil, err
	}
	if l.CoSpeakerID == nil {
		return nil, errNoLink
	}
	if err := l.check(s.Read(ctx), b, own, s.Now()); err != nil {
		return nil, err
	}
	return InvitationOf(ctx, s, event, *l.CoSpeakerID)
}

// DeclineBy declines the invitation to which a link leads. It answers as InvitationBy does, and NotFound once they have
// joined.
func DeclineBy(ctx context.Context, s *models.Store, event *models.Event, token string, b Browser, own *Login) error {
	asked, err := InvitationBy(ctx, s, event, token, b, own)
	if err != nil {
		return err
	}
	return Decline(ctx, s, event, asked.ID)
}

// JoinBy accepts the invitation to which a link leads: it puts the person on the proposal and signs them in, since the
// link proves the address that it was mailed to. It returns the proposal's id, and answers as Join and OpenLink do. For
// somebody who has joined before it opens their place.
func JoinBy(ctx context.Context, s *models.Store, event *models.Event, token string, b Browser,
	own *Login) (done *Opened, id string, err error) {
	for range openAttempts {
		if done, id, err = joinBy(ctx, s, event, token, b, own); !errors.Is(err, errMeanwhile) {
			break
		}
	}
	return done, id, err
}

func joinBy(ctx context.Context, s *models.Store, event *models.Event, token string, b Browser,
	own *Login) (done *Opened, id string, err error) {
	err = s.Write(ctx, func(tx *store.Tx) error {
		within := tx.Within(ctx)
		asked, err := InvitationBy(within, s, event, token, b, own)
		if err != nil {
			return err
		}
		o := &opener{store: s, tx: tx, organizationID: event.OrganizationID, own: own, browser: b, done: &Opened{}}
		if o.link, err = linkBy(tx.DB, event.OrganizationID, token, tx.Now); err != nil {
			return err
		}
		done, id = o.done, asked.SessionID
		if !o.link.opensIn(b, tx.Now) {
			return o.again()
		}
		if err := models.ReleaseAlias(tx, event.OrganizationID, asked.Email); err != nil {
			return err
		}
		contactID, err := Join(within, s, event, asked.ID, store.ByIn(ctx))
		if err != nil {
			return err
		}
		a, err := o.contact(contactID)
		if err != nil {
			return err
		}
		return o.enter(within, a)
	})
	if err != nil {
		return nil, "", err
	}
	return done, id, nil
}
