package cfp

import (
	"context"
	"errors"

	"lectern/models"
	"lectern/models/store"
)

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
		a, err := o.contact(within, contactID)
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
