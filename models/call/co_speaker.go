package call

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"lectern/models"
	"lectern/models/signin"
	"lectern/models/store"
)

// These are the states of an invited co-speaker.
const (
	Invited = "invited"
	Joined  = "joined"
	Refused = "declined"
)

// maxInvitations and maxInvitationsTo limit the invitations within a quarter of an hour, from one person and to one
// address; maxInvitationsByDay limits those to one address in a day.
const maxInvitations, maxInvitationsTo, maxInvitationsByDay = 20, 3, 10

// Asking names the person whom somebody invites as a co-speaker.
type Asking struct {
	Name, Email string
	Role        models.Role // speaker when empty
}

func (a *Asking) clean() error {
	var f store.Faults
	f.Clean(store.CleanText, "name", &a.Name, store.MaxName)
	email, err := store.CleanEmail(a.Email)
	if err == nil && email == "" {
		err = store.Invalidf("email", "is needed: that is where the invitation goes")
	}
	f.Add(err)
	a.Email, a.Name, a.Role = email, store.OneLine(a.Name), cmp.Or(a.Role, models.Speaking)
	if !slices.Contains(models.ParticipantRoles, a.Role) {
		f.Add(store.Invalidf("role", "must be speaker, moderator or chairperson"))
	}
	return f.Err()
}

// InviteCoSpeaker invites somebody as a co-speaker, by a letter. The letter waits until the address of the person who
// invites is confirmed, so that strangers cannot write to others. It answers Invalid, by email, name or role, for an
// address that was invited before, for one's own, and if the proposal has as many speakers as it can have; NotFound; a
// refusal (IsRefused); and TooMany. It emits nothing: nobody is on the proposal yet.
func (pl *Place) InviteCoSpeaker(ctx context.Context, event *models.Event, id string, a Asking) (*CoSpeaker, error) {
	if err := a.clean(); err != nil {
		return nil, err
	}
	if _, err := pl.Proposal(ctx, event, id); err != nil {
		return nil, err
	}
	if err := pl.countInvitation(ctx, a.Email); err != nil {
		return nil, err
	}
	return pl.withPeople(ctx, event, id, func(tx *store.Tx, p *Proposal) (*CoSpeaker, error) {
		if err := p.mayAsk(a, pl.Account()); err != nil {
			return nil, err
		}
		c := &CoSpeaker{ID: store.NewID(), EventID: event.ID, SessionID: p.ID, InvitedBy: pl.contactID, Email: a.Email,
			EmailKey: store.Fold(a.Email), Name: a.Name, Role: a.Role, State: Invited, CreatedAt: tx.Now}
		// Somebody who declined may be asked again.
		if err := tx.Where("session_id = ? AND email_key = ? AND state = ?", p.ID, c.EmailKey, Refused).
			Delete(&CoSpeaker{}).Error; err != nil {
			return nil, err
		}
		if err := tx.Create(c).Error; err != nil {
			return nil, err
		}
		if !pl.Account().IsConfirmed() { // OpenLink sends it
			return c, nil
		}
		return c, pl.At(event).SendCallLetters(tx, invitation(c, event, pl.Account(), p.Title, spoken(tx)))
	})
}

// mayAsk answers Invalid for somebody who cannot be invited.
func (p *Proposal) mayAsk(a Asking, own *Account) error {
	key, seats := store.Fold(a.Email), len(p.Participants)
	if key == own.EmailKey {
		return store.Invalidf("email", "is your own; you are on the proposal already")
	}
	for _, c := range p.Asked {
		if c.State == Invited {
			seats++
		}
		if c.EmailKey == key && c.State != Refused {
			return store.Invalidf("email", "was invited already")
		}
	}
	if seats >= p.Form.MaxSpeakers {
		return store.Invalidf("email", "cannot be invited: %s on a proposal here", atMost(p.Form.MaxSpeakers))
	}
	return nil
}

func atMost(n int) string {
	if n == 1 {
		return "there is 1 speaker"
	}
	return fmt.Sprintf("there are at most %d speakers", n)
}

// countInvitation counts an invitation. It answers TooMany beyond the limits.
func (pl *Place) countInvitation(ctx context.Context, email string) error {
	return pl.store.Write(ctx, func(tx *store.Tx) error {
		return signin.Attempt(tx, signin.By("call-invites", pl.contactID, maxInvitations),
			signin.By("call-invited", pl.organizationID+" "+store.Mailbox(email), maxInvitationsTo),
			signin.ByDay("call-invited by day", pl.organizationID+" "+store.Mailbox(email), maxInvitationsByDay))
	})
}

// RemindCoSpeaker sends an unanswered invitation again. It answers NotFound, TooMany and a refusal.
func (pl *Place) RemindCoSpeaker(ctx context.Context, event *models.Event, id, coSpeakerID string) (*CoSpeaker,
	error) {
	p, err := pl.Proposal(ctx, event, id)
	if err != nil {
		return nil, err
	}
	c := p.asked(coSpeakerID)
	if c == nil || c.State != Invited {
		return nil, errNoCoSpeaker
	}
	if !pl.Account().IsConfirmed() {
		return nil, refused("The invitation goes out once you have opened the link in our mail to you.")
	}
	if err := pl.countInvitation(ctx, c.Email); err != nil {
		return nil, err
	}
	return pl.withPeople(ctx, event, id, func(tx *store.Tx, p *Proposal) (*CoSpeaker, error) {
		if c := p.asked(coSpeakerID); c != nil && c.State == Invited {
			return c, pl.At(event).SendCallLetters(tx, invitation(c, event, pl.Account(), p.Title, spoken(tx)))
		}
		return nil, errNoCoSpeaker
	})
}

var errNoCoSpeaker = store.Missing("There is no such invitation. It may have been answered or taken back meanwhile.")

// asked returns the invited co-speaker by the id of the invitation, or nil.
func (p *Proposal) asked(id string) *CoSpeaker {
	if i := slices.IndexFunc(p.Asked, func(c *CoSpeaker) bool { return c.ID == id }); i >= 0 {
		return p.Asked[i]
	}
	return nil
}

// withPeople runs do for the proposal's invitations, with its session locked.
func (pl *Place) withPeople(ctx context.Context, event *models.Event, id string,
	do func(*store.Tx, *Proposal) (*CoSpeaker, error)) (*CoSpeaker, error) {
	form, err := FormOf(ctx, pl.store, event)
	if err != nil {
		return nil, err
	}
	return store.Make(ctx, pl.store.Write, func(tx *store.Tx) (c *CoSpeaker, err error) {
		_, err = pl.edit(tx.Within(ctx), event, form, id, false,
			func(tx *store.Tx, p *Proposal) (change models.SessionChange, err error) {
				if err := p.mayChangePeople(tx.Now); err != nil {
					return change, err
				}
				c, err = do(tx, p)
				return change, err
			})
		return c, err
	})
}

func (p *Proposal) mayChangePeople(now store.Time) error {
	switch rights := p.Rights(now); {
	case !p.IsMine():
		return refused("Whoever began a proposal says who speaks along.")
	case !rights.Invite:
		return refused(rights.Why)
	}
	return nil
}

// RemoveCoSpeaker deletes an invitation; somebody who has joined is taken off the proposal, which emits
// session.updated. Only the person who began the proposal may do so, and nobody removes themselves. It answers NotFound
// and a refusal.
func (pl *Place) RemoveCoSpeaker(ctx context.Context, event *models.Event, id, coSpeakerID string) (p *Proposal,
	err error) {
	form, err := FormOf(ctx, pl.store, event)
	if err != nil {
		return nil, err
	}
	isDraft, err := pl.isDraft(ctx, event, id)
	if err != nil {
		return nil, err
	}
	return pl.edit(ctx, event, form, id, isDraft, func(tx *store.Tx, p *Proposal) (change models.SessionChange,
		err error) {
		if err := p.mayChangePeople(tx.Now); err != nil {
			return change, err
		}
		c := p.asked(coSpeakerID)
		if c == nil {
			return change, errNoCoSpeaker
		}
		if c.State == Joined && c.ContactID != pl.contactID {
			change.People = new(slices.DeleteFunc(slices.Clone(p.Participants),
				func(x *models.Participant) bool { return x.ContactID == c.ContactID }))
		}
		p.Asked = slices.DeleteFunc(p.Asked, func(x *CoSpeaker) bool { return x == c })
		return change, tx.Where("event_id = ? AND id = ?", event.ID, c.ID).Delete(&CoSpeaker{}).Error
	})
}
