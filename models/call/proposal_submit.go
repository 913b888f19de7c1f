package call

import (
	"context"

	"lectern/models"
	"lectern/models/store"
)

// Submitting holds what somebody sends to submit a draft.
type Submitting struct {
	Token  string // the proposal's token as it was shown; "" forces the write
	Agreed bool   // to the call's agreement
}

// Submit submits a draft, once: a submission is returned unchanged. It answers Invalid, by the keys, for what is
// missing or too long, and by agreement if it was not agreed to; Stale if the draft changed since it was shown; a
// refusal (IsRefused) if nothing may be written or a limit is reached; and NotFound. It emits session.updated, and
// sends a confirmation.
func (pl *Place) Submit(ctx context.Context, event *models.Event, id string, in Submitting) (p *Proposal, err error) {
	form, err := FormOf(ctx, pl.store, event)
	if err != nil {
		return nil, err
	}
	err = pl.store.Write(ctx, func(tx *store.Tx) error {
		ctx := tx.Within(ctx)
		if isDraft, err := pl.isDraft(ctx, event, id); err != nil || !isDraft {
			p, err = pl.submitted(ctx, event, form, id, err)
			return err
		}
		if err := pl.holdLimited(tx, form); err != nil {
			return err
		}
		if p, err = pl.edit(ctx, event, form, id, false, func(tx *store.Tx, p *Proposal) (models.SessionChange, error) {
			return models.SessionChange{SessionInput: models.SessionInput{Status: new(models.Pending)}}, pl.maySubmit(ctx, tx,
				p, in)
		}); err != nil {
			return err
		}
		if err := keepFacts(tx, p.Session, p.ContactID, map[string]any{"submitted_at": tx.Now}); err != nil {
			return err
		}
		p.Standing.SubmittedAt = &tx.Now
		if err := pl.At(event).SendCallLetters(tx, p.confirmation(pl.Account(), spoken(tx))); err != nil {
			return err
		}
		if err := p.checkLimits(tx); err != nil || p.Standing.Window.Invited { // last, because others wait for this lock
			return err
		}
		return p.takePlaces(tx, p.Values, nil)
	})
	if store.KindOf(err) == store.Stale { // after two clicks, the second waited for the first
		if done, _ := pl.submitted(ctx, event, form, id, nil); done != nil {
			return done, nil
		}
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// submitted returns a proposal that is submitted already.
func (pl *Place) submitted(ctx context.Context, event *models.Event, form *Form, id string, err error) (*Proposal,
	error) {
	if err != nil {
		return nil, err
	}
	p, err := pl.proposal(ctx, event, form, id)
	switch {
	case err != nil:
		return nil, err
	case p.Status == models.Withdrawn:
		return nil, refused("This proposal is withdrawn. Undo that first.")
	case !p.IsSubmitted():
		return nil, errStaleProposal
	}
	return p, nil
}

// holdLimited is holdMyself if the number of submissions is limited per person.
func (pl *Place) holdLimited(tx *store.Tx, form *Form) error {
	if form.MaxProposals == nil {
		return nil
	}
	return pl.holdMyself(tx)
}

// holdMyself locks the contact, so that submissions of one person wait for each other.
func (pl *Place) holdMyself(tx *store.Tx) error {
	if tx.Store.Embedded() {
		return nil
	}
	var id string
	return tx.Lock().Model(&models.Contact{}).Where("organization_id = ? AND id = ?", pl.organizationID, pl.contactID).
		Pluck("id", &id).Error
}

// maySubmit refuses a draft that cannot be submitted.
func (pl *Place) maySubmit(ctx context.Context, tx *store.Tx, p *Proposal, in Submitting) error {
	rights := p.Rights(tx.Now)
	switch {
	case p.IsSubmitted():
		return errStaleProposal // it was submitted meanwhile
	case !rights.Answer:
		return refused(rights.Why)
	case !rights.Submit:
		return refused("Whoever began a proposal submits it.")
	case in.Token != "" && in.Token != p.Token():
		return errStaleProposal
	}
	own, err := pl.unfinished(tx.Within(ctx), p.Event, p.Form)
	if err != nil {
		return err
	}
	if missing := append(p.Unfinished(), own...); len(missing) > 0 {
		return invalid(missing)
	}
	if p.Form.Agreement != "" && !in.Agreed {
		return store.Invalidf("agreement", "has to be ticked before you can submit")
	}
	return nil
}

// Unfinished returns what keeps a draft from being submitted, or what a submission lacks since the form changed.
func (p *Proposal) Unfinished() []Fault {
	faults := p.Form.Unfinished(p.Values)
	if !p.IsSubmitted() {
		faults = append(faults, p.Form.Gone(p.Values)...)
	}
	return faults
}

const maxReason = 1000

// Withdraw withdraws a submitted proposal, with a reason of at most 1000 characters, or "". A withdrawn one does not
// change. It answers NotFound; Invalid, by reason; and a refusal (IsRefused) for a draft, for a declined proposal, and
// to somebody who did not begin it. It emits session.updated.
func (pl *Place) Withdraw(ctx context.Context, event *models.Event, id, reason string) (*Proposal, error) {
	reason, err := store.CleanText("reason", reason, maxReason)
	if err != nil {
		return nil, err
	}
	return pl.turn(ctx, event, id, func(tx *store.Tx, p *Proposal) (models.Status, map[string]any, error) {
		switch {
		case p.Status == models.Withdrawn && p.IsMine():
			return "", nil, nil
		case !p.Rights(tx.Now).Withdraw:
			return "", nil, refused("Only a proposal that was submitted and not declined can be withdrawn, by whoever began it.")
		}
		return models.Withdrawn, map[string]any{"withdrawn_from": p.Status, "withdrawn_reason": reason}, nil
	})
}

// UndoWithdrawal restores the status that a proposal had before it was withdrawn. It answers NotFound, and a refusal
// (IsRefused) if anything happened to it meanwhile or a limit is reached. It emits session.updated.
func (pl *Place) UndoWithdrawal(ctx context.Context, event *models.Event, id string) (*Proposal, error) {
	return pl.turn(ctx, event, id, func(tx *store.Tx, p *Proposal) (models.Status, map[string]any, error) {
		switch {
		case p.Status != models.Withdrawn && p.IsSubmitted() && p.IsMine():
			return "", nil, nil
		case !p.Rights(tx.Now).Undo:
			return "", nil, refused("The organizers changed this proposal since it was withdrawn, so that cannot be undone here. " +
				"Write to them.")
		}
		if err := p.checkLimits(tx); err != nil {
			return "", nil, err
		}
		return p.Standing.WithdrawnFrom, map[string]any{"withdrawn_from": "", "withdrawn_reason": ""}, nil
	})
}

// turn sets a submission's status, and columns of the call's row, to what the function to returns; "" changes nothing.
func (pl *Place) turn(ctx context.Context, event *models.Event, id string,
	to func(*store.Tx, *Proposal) (models.Status, map[string]any, error)) (p *Proposal, err error) {
	form, err := FormOf(ctx, pl.store, event)
	if err != nil {
		return nil, err
	}
	err = pl.store.Write(ctx, func(tx *store.Tx) error {
		if err := pl.holdLimited(tx, form); err != nil {
			return err
		}
		var facts map[string]any
		p, err = pl.edit(tx.Within(ctx), event, form, id, false, func(tx *store.Tx, p *Proposal) (c models.SessionChange,
			err error) {
			status, told, err := to(tx, p)
			if err == nil && status != "" {
				facts, c.Status = told, &status
			}
			return c, err
		})
		if err != nil || facts == nil {
			return err
		}
		facts["withdrawn_at"] = nil
		if p.Status == models.Withdrawn {
			facts["withdrawn_at"] = p.UpdatedAt
		}
		return keepFacts(tx, p.Session, p.ContactID, facts)
	})
	if err != nil {
		return nil, err
	}
	return pl.proposal(ctx, event, form, id)
}
