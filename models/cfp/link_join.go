package cfp

import (
	"context"
	"errors"

	"lectern/models"
	"lectern/models/store"
)

// InvitationBy is the invitation to speak along of a link. It answers NotFound for one that is too old or was taken
// back, and what CheckLink does for the browser, whose login own is, nil without one.
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

// DeclineBy keeps that whoever has the link does not speak along. It answers as InvitationBy does, and NotFound once
// they have joined.
func DeclineBy(ctx context.Context, s *models.Store, event *models.Event, token string, b Browser, own *Login) error {
	asked, err := InvitationBy(ctx, s, event, token, b, own)
	if err != nil {
		return err
	}
	return Decline(ctx, s, event, asked.ID)
}

// JoinBy puts whoever has the link on the proposal that they were asked to speak along on, and lets them in: the link
// proves the address that it was mailed to. It returns the proposal's id, answers what Join and OpenLink do, and opens
// the place of who has joined before.
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
