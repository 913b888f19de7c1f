package people

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// ofCard keeps one card of the event.
func (e *AtEvent) ofCard(db *gorm.DB, contactID string) *gorm.DB {
	return db.Where("event_id = ? AND contact_id = ?", e.p.Event().ID, contactID)
}

func (e *AtEvent) card(db *gorm.DB, contactID string) (*Card, error) {
	if !store.IsID(contactID) {
		return nil, errNoCard
	}
	return store.One[Card](e.ofCard(db, contactID), errNoCard)
}

// above and below are where the cards of a stage stand to one of them.
const above, below = "(position, contact_id) < (?, ?)", "(position, contact_id) > (?, ?)"

// cardAbove is whose card stands before another, "" at the top.
func (e *AtEvent) cardAbove(tx *store.Tx, c *Card) (id string, err error) {
	return id, tx.Model(&Card{}).Where("event_id = ? AND stage_id = ?", e.p.Event().ID, c.StageID).
		Where(above, c.Position, c.ContactID).Order("position DESC, contact_id DESC").Limit(1).Pluck("contact_id", &id).Error
}

// makeRoom is the position behind somebody's card on a stage, which is free by then; at the top where they have
// none there. It moves those behind but for the card that is to come.
func (e *AtEvent) makeRoom(tx *store.Tx, stageID, behind, coming string) (int, error) {
	last, err := e.card(tx.DB, behind)
	if store.KindOf(err) == store.NotFound || err == nil && last.StageID != stageID {
		top, err := e.end(tx, stageID, "min")
		return top - 1, err
	}
	if err != nil {
		return 0, err
	}
	// Those behind that share its position must stay behind what comes between.
	err = tx.Model(&Card{}).Where("event_id = ? AND stage_id = ? AND contact_id <> ?", e.p.Event().ID, stageID, coming).
		Where(below, last.Position, last.ContactID).UpdateColumn("position", gorm.Expr("position + 2")).Error
	return last.Position + 1, err
}

// RemoveCard takes somebody off the board of the event; they stay at it, with their notes and status. When their card
// came to which stage is forgotten but by the activity. It answers NotFound, and emits nothing.
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

// emptyStage moves the cards of a stage, of all events, to the end of another, and returns how many they were.
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
	// Behind the last of each event, in the order they had.
	return len(cards), tx.Exec(`UPDATE sourcing_cards SET stage_id = ?, since = ?, position = ranked.place FROM (
			SELECT c.event_id, c.contact_id, row_number() OVER (PARTITION BY c.event_id ORDER BY c.position, c.contact_id) +
				coalesce((SELECT max(position) FROM sourcing_cards o WHERE o.event_id = c.event_id AND o.stage_id = ?), 0) AS place
			FROM sourcing_cards c WHERE c.stage_id = ?
		) AS ranked WHERE sourcing_cards.event_id = ranked.event_id AND sourcing_cards.contact_id = ranked.contact_id`,
		to.ID, tx.Now, to.ID, s.ID).Error
}

// Invite gives somebody whose card is won the status Invited, and returns what takes that back as MoveStatuses does. It
// sends no letter. It answers NotFound for who has no card, and Invalid for one that is not won and for who has been
// asked before. It emits nothing.
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

// Invitable tells of the status of who was not asked yet.
func Invitable(status string) bool { return slices.Contains([]string{"", models.Prospect}, status) }
