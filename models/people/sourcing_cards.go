package people

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// ofCard narrows a query to one person's card at the event.
func (e *AtEvent) ofCard(db *gorm.DB, contactID string) *gorm.DB {
	return db.Where("event_id = ? AND contact_id = ?", e.p.Event().ID, contactID)
}

func (e *AtEvent) card(db *gorm.DB, contactID string) (*Card, error) {
	if !store.IsID(contactID) {
		return nil, errNoCard
	}
	return store.One[Card](e.ofCard(db, contactID), errNoCard)
}

// above and below are the SQL conditions for cards before and after a card of the same stage.
const above, below = "(position, contact_id) < (?, ?)", "(position, contact_id) > (?, ?)"

// cardAbove returns the contact whose card stands before another one, "" at the top.
func (e *AtEvent) cardAbove(tx *store.Tx, c *Card) (id string, err error) {
	return id, tx.Model(&Card{}).Where("event_id = ? AND stage_id = ?", e.p.Event().ID, c.StageID).
		Where(above, c.Position, c.ContactID).Order("position DESC, contact_id DESC").Limit(1).Pluck("contact_id", &id).Error
}

// makeRoom returns a free position after somebody's card on a stage, or at the top if they have no card there. It moves
// later cards down, except the card that is coming.
func (e *AtEvent) makeRoom(tx *store.Tx, stageID, behind, coming string) (int, error) {
	last, err := e.card(tx.DB, behind)
	if store.KindOf(err) == store.NotFound || err == nil && last.StageID != stageID {
		top, err := e.end(tx, stageID, "min")
		return top - 1, err
	}
	if err != nil {
		return 0, err
	}
	// Cards after it that share its position must stay after the new one.
	err = tx.Model(&Card{}).Where("event_id = ? AND stage_id = ? AND contact_id <> ?", e.p.Event().ID, stageID, coming).
		Where(below, last.Position, last.ContactID).UpdateColumn("position", gorm.Expr("position + 2")).Error
	return last.Position + 1, err
}

// RemoveCard removes somebody from the event's board; they stay at the event, with their notes and status. The card's
// moves are deleted, but the activity keeps them. It answers NotFound, and emits nothing.
func (e *AtEvent) RemoveCard(ctx context.Context, contactID string) error {
	d := e.p.Directory()
	return d.Write(ctx, func(tx *store.Tx) error {
		stages, err := In(d).heldStages(tx)
		if err != nil {
			return err
		}
		card, err := e.card(tx.DB, contactID)
		if err != nil {
			return err
		}
		stage, err := stageIn(stages, card.StageID)
		if err != nil {
			return err
		}
		if err := e.ofCard(tx.DB, contactID).Delete(&Card{}).Error; err != nil {
			return err
		}
		return e.p.Record(tx, store.Change{Subject: "contact", ID: contactID, Action: "unstaged",
			Before: map[string]any{"stage": stage.Name}})
	})
}

// emptyStage moves the cards of a stage, of all events, to the end of another, and returns how many there were.
func (d *Directory) emptyStage(tx *store.Tx, s *Stage, into string, others []*Stage) (int, error) {
	var cards []*Card
	if err := tx.Where("stage_id = ?", s.ID).Order("event_id, position, contact_id").Find(&cards).Error; err != nil {
		return 0, err
	}
	if len(cards) == 0 {
		return 0, nil
	}
	to, err := stageIn(others, into)
	if err != nil {
		return 0, store.Invalidf("into", "must be another stage, as %d cards stand here", len(cards))
	}
	moves := store.Map(cards, func(c *Card) movedCard { return movedCard{c, s.Name} })
	if err := d.tellMoves(tx, "staged", to, moves...); err != nil {
		return 0, err
	}
	// They follow the last card of each event, in their order.
	return len(cards), tx.Exec(`UPDATE sourcing_cards SET stage_id = ?, since = ?, position = ranked.place FROM (
			SELECT c.event_id, c.contact_id, row_number() OVER (PARTITION BY c.event_id ORDER BY c.position, c.contact_id) +
				coalesce((SELECT max(position) FROM sourcing_cards o WHERE o.event_id = c.event_id AND o.stage_id = ?), 0) AS place
			FROM sourcing_cards c WHERE c.stage_id = ?
		) AS ranked WHERE sourcing_cards.event_id = ranked.event_id AND sourcing_cards.contact_id = ranked.contact_id`,
		to.ID, tx.Now, to.ID, s.ID).Error
}

// Invite gives somebody whose card is won the status Invited, and returns the move, which MoveStatuses undoes when
// reversed. It sends no letter. It answers NotFound for somebody without a card, and Invalid if the card is not won or
// the person was asked before. It emits nothing.
func (e *AtEvent) Invite(ctx context.Context, contactID string) (done StatusMove, err error) {
	if !store.IsID(contactID) {
		return done, errNoCard
	}
	d := e.p.Directory()
	return store.Make(ctx, d.Write, func(tx *store.Tx) (done StatusMove, err error) {
		if err := In(d).ownBoards(tx); err != nil {
			return done, err
		}
		person, err := d.HoldOne(tx, contactID)
		if err != nil {
			return done, err
		}
		card, err := e.card(tx.DB, contactID)
		if err != nil {
			return done, err
		}
		stage, err := store.One[Stage](tx.Where("id = ?", card.StageID), errNoStage)
		switch {
		case err != nil:
			return done, err
		case stage.Kind != StageWon:
			return done, store.Invalidf("contact", "is on the stage %s, which is not won", stage.Name)
		case !Invitable(person.Here.WorkflowStatus):
			return done, store.Invalidf("contact", "is %s already", person.Here.WorkflowStatus)
		}
		invited := person.Clone()
		invited.Here.WorkflowStatus = models.Invited
		done = StatusMove{contactID, person.Here.WorkflowStatus, models.Invited}
		return done, d.CommitContacts(tx, models.EditingContact, models.ContactChange{Before: person, After: invited})
	})
}

// Invitable reports whether somebody with this status was not asked yet.
func Invitable(status string) bool { return slices.Contains([]string{"", models.Prospect}, status) }
