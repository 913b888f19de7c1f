package cfp

import (
	"context"

	"lectern/models"
	"lectern/models/store"
)

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
