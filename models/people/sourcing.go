package people

import (
	"context"
	"maps"
	"slices"

	"lectern/models"
	"lectern/models/store"
)

// Card is somebody on the sourcing board of an event. Its notes are the contact's notes at the event.
type Card struct {
	EventID        string
	ContactID      string
	OrganizationID string
	StageID        string
	Position       int        // within the stage; of equal positions the contact's id decides
	Since          store.Time // when it came to its stage
	CreatedAt      store.Time
}

// TableName returns the name of the table of cards.
func (Card) TableName() string { return "sourcing_cards" }

// CardMove records that a card came to a stage, with the stages' names at that time. From is "" for a new card.
type CardMove struct {
	ID        string
	EventID   string
	ContactID string
	From      string `gorm:"column:from_stage"`
	To        string `gorm:"column:to_stage"`
	ActorID   string
	ActorName string
	CreatedAt store.Time
}

// TableName returns the name of the table of moves.
func (CardMove) TableName() string { return "sourcing_moves" }

// MaxPlaced limits how many people are placed on a board at once.
const MaxPlaced = 100

var (
	errNoCard    = store.Missing("This person has no card on the board. It may have been removed.")
	errMovedCard = store.Outdated("Somebody moved this card meanwhile.")
)

// AddCards puts people within the programme's reach at the top of a stage of the event's board, in the given order; ""
// stands for the first stage. People who are not at the event are added to it, as prospects. People who have a card
// keep it where it is, and those beyond reach or erased are left out. It returns the ids of those who were placed. It
// answers Invalid for nobody, for more than MaxPlaced and for an unknown stage. It emits nothing.
func (e *AtEvent) AddCards(ctx context.Context, contactIDs []string, stageID string) (placed []string, err error) {
	if len(contactIDs) == 0 || len(contactIDs) > MaxPlaced {
		return nil, store.Invalidf("people", "must be 1 to %d", MaxPlaced)
	}
	contactIDs = slices.DeleteFunc(slices.Clone(contactIDs), func(id string) bool { return !store.IsID(id) })
	return store.Make(ctx, e.p.Directory().Write, func(tx *store.Tx) ([]string, error) { return e.place(tx, contactIDs, stageID) })
}

// PlaceNew creates a contact, or finds the one who has the address already and leaves them unchanged, and places them
// as Place does. It answers Invalid as Create does.
func (e *AtEvent) PlaceNew(ctx context.Context, c Change, stageID string) (added *models.Person, known bool,
	err error) {
	d := e.p.Directory()
	email, err := models.ContactFieldNamed("email").Clean(c.Values["email"])
	if err != nil {
		return nil, false, err
	}
	err = d.Write(ctx, func(tx *store.Tx) error {
		if err := In(d).ownBoards(tx); err != nil { // before the people, which is the order of locks
			return err
		}
		there, err := models.ContactByEmail(tx.DB, d.ID, email)
		if err != nil {
			return err
		}
		if known = there != nil; !known {
			fresh := Change{Values: maps.Clone(c.Values)}
			fresh.Values["workflow_status"] = models.Prospect
			if added, err = In(d).Create(tx.Within(ctx), fresh); err != nil {
				return err
			}
			there = &added.Contact
		}
		if _, err = e.placeAll(tx, []string{there.ID}, stageID); err == nil && known {
			added, err = d.Person(tx.Within(ctx), there.ID)
		}
		return err
	})
	return added, known, err
}

func (e *AtEvent) place(tx *store.Tx, contactIDs []string, stageID string) (placed []string, err error) {
	unseen, err := e.p.Unseen(tx.DB, contactIDs)
	if err != nil {
		return nil, err
	}
	contactIDs = slices.DeleteFunc(contactIDs, func(id string) bool { return slices.Contains(unseen, id) })
	return e.placeAll(tx, contactIDs, stageID)
}

// placeAll is place for people within reach or named by address, some of whom join as guests.
func (e *AtEvent) placeAll(tx *store.Tx, contactIDs []string, stageID string) (placed []string, err error) {
	all := e.p.WholeOrganization()
	guests, err := e.p.Joining(tx, contactIDs)
	if err != nil {
		return nil, err
	}
	stages, err := In(all).heldStages(tx)
	if err != nil {
		return nil, err
	}
	if stageID == "" && len(stages) > 0 {
		stageID = stages[0].ID
	}
	stage, err := stageIn(stages, stageID)
	if err != nil {
		return nil, store.Invalidf("stage", "is none of the organization's")
	}
	people, err := all.HoldPeople(tx, contactIDs...)
	if err != nil {
		return nil, err
	}
	people = slices.DeleteFunc(people, func(x *models.Person) bool { return x.ErasedAt != nil })
	var there []string
	if err := tx.Model(&Card{}).Where("event_id = ? AND contact_id IN ?", e.p.Event().ID, contactIDs).
		Pluck("contact_id", &there).Error; err != nil {
		return nil, err
	}
	var join []models.ContactChange
	for _, before := range people {
		if before.Here == nil {
			after := before.Clone()
			after.Here = e.p.Attached(&after.Contact, tx.Now)
			after.Here.WorkflowStatus, after.Here.GuestSince = models.Prospect, guests[before.ID]
			join = append(join, models.ContactChange{Before: before, After: after})
		}
	}
	if err := all.CommitContacts(tx, models.AttachingContact, join...); err != nil {
		return nil, err
	}
	for _, id := range contactIDs {
		known := slices.ContainsFunc(people, func(x *models.Person) bool { return x.ID == id })
		if known && !slices.Contains(there, id) && !slices.Contains(placed, id) {
			placed = append(placed, id)
		}
	}
	return placed, e.putOnTop(tx, placed, stage)
}

// putOnTop inserts cards at the top of a stage.
func (e *AtEvent) putOnTop(tx *store.Tx, contactIDs []string, stage *Stage) error {
	top, err := e.end(tx, stage.ID, "min")
	if err != nil {
		return err
	}
	var cards []*Card
	var moves []movedCard
	for i, id := range contactIDs {
		c := &Card{EventID: e.p.Event().ID, ContactID: id, OrganizationID: e.p.Event().OrganizationID, StageID: stage.ID,
			Position: top - len(contactIDs) + i, Since: tx.Now, CreatedAt: tx.Now}
		cards, moves = append(cards, c), append(moves, movedCard{c, ""})
	}
	if err := store.InsertInto(tx, "sourcing_cards", cards); err != nil {
		return err
	}
	return In(e.p.Directory()).tellMoves(tx, "placed", stage, moves...)
}

// end returns the first position on a stage with "min", the last with "max"; 0 for a stage without cards.
func (e *AtEvent) end(tx *store.Tx, stageID, which string) (at int, err error) {
	return at, tx.Raw("SELECT coalesce("+which+"(position), 0) FROM sourcing_cards WHERE event_id = ? AND stage_id = ?",
		e.p.Event().ID, stageID).Scan(&at).Error
}

// movedCard is a card with the name of the stage it comes from, "" for a new card.
type movedCard struct {
	*Card
	from string
}

// tellMoves records that cards came to a stage, as moves and in the activity of their people.
func (d *Directory) tellMoves(tx *store.Tx, action string, to *Stage, cards ...movedCard) error {
	var moves []*CardMove
	var lines []*store.Activity
	for _, c := range cards {
		moves = append(moves, &CardMove{ID: store.NewID(), EventID: c.EventID, ContactID: c.ContactID, From: c.from, To: to.Name,
			ActorID: d.By.ActorID, ActorName: d.By.ActorName, CreatedAt: tx.Now})
		change := store.Change{Subject: "contact", ID: c.ContactID, Action: action, After: map[string]any{"stage": to.Name}}
		if c.from != "" {
			change.Before = map[string]any{"stage": c.from}
		}
		line, err := change.ActivityRow(d.ID, &c.EventID, d.By, tx.Now)
		if err != nil {
			return err
		}
		lines = append(lines, line)
	}
	if err := store.InsertInto(tx, "sourcing_moves", moves); err != nil {
		return err
	}
	return store.InsertInto(tx, "activity", lines)
}

// CardTarget says where a card is to go.
type CardTarget struct {
	StageID string
	After   string // the contact whose card it follows; "", or somebody not on the stage, means the top
	From    string // the id of the stage that it must still be on; "" for any
}

// CardMoved says where a card was and is, so that the move can be undone.
type CardMoved struct {
	From, To *Stage
	After    string // the contact whose card it followed; "" at the top
}

// MoveCard moves a card to a place on a stage; of concurrent moves the last one counts. A change of stage is recorded
// with its time, a change of order is not. It answers NotFound for somebody without a card, Invalid for an unknown
// stage, and Stale for a card that is no longer on the stage From. It emits nothing.
func (e *AtEvent) MoveCard(ctx context.Context, contactID string, to CardTarget) (*CardMoved, error) {
	d := e.p.Directory()
	return store.Make(ctx, d.Write, func(tx *store.Tx) (moved *CardMoved, err error) {
		stages, err := In(d).heldStages(tx)
		if err != nil {
			return nil, err
		}
		card, err := e.card(tx.DB, contactID)
		if err != nil {
			return nil, err
		}
		moved = &CardMoved{}
		if moved.From, err = stageIn(stages, card.StageID); err != nil {
			return nil, err
		}
		if moved.To, err = stageIn(stages, to.StageID); err != nil {
			return nil, store.Invalidf("to", "is none of the organization's stages")
		}
		if to.From != "" && to.From != card.StageID {
			return nil, errMovedCard
		}
		if moved.After, err = e.cardAbove(tx, card); err != nil {
			return nil, err
		}
		if moved.From == moved.To && (to.After == moved.After || to.After == card.ContactID) {
			return moved, nil
		}
		if card.Position, err = e.makeRoom(tx, to.StageID, to.After, contactID); err != nil {
			return nil, err
		}
		card.StageID = to.StageID
		if moved.From != moved.To {
			card.Since = tx.Now
		}
		if err := e.ofCard(tx.Model(&Card{}), contactID).Select("stage_id", "position", "since").Updates(card).Error; err != nil {
			return nil, err
		}
		if moved.From == moved.To {
			return moved, nil
		}
		return moved, In(d).tellMoves(tx, "staged", moved.To, movedCard{card, moved.From.Name})
	})
}
