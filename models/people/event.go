package people

import (
	"cmp"
	"context"
	"slices"
	"time"

	"gorm.io/gorm/clause"

	"lectern/models"
	"lectern/models/store"
)

// Add creates a contact, unless somebody has the address already, own or alias: then known is true and it returns that
// person unchanged. It answers Invalid as Create does, and emits nothing.
func (d *Directory) Add(ctx context.Context, c Change) (added *models.Person, known bool, err error) {
	return d.createUnless(ctx, c, d.Person)
}

// createUnless creates a contact, unless somebody has the address already: then it returns what take makes of their id.
func (d *Directory) createUnless(ctx context.Context, c Change, take func(context.Context, string) (*models.Person, error)) (
	added *models.Person, known bool, err error) {
	email, err := models.ContactFieldNamed("email").Clean(c.Values["email"])
	if err != nil {
		return nil, false, err
	}
	if email != "" {
		if has, err := d.ContactBy(ctx, email); err != nil {
			return nil, false, err
		} else if has != nil {
			added, err = take(ctx, has.ID)
			return added, true, err
		}
	}
	added, err = d.Create(ctx, c)
	return added, false, err
}

// AddPerson adds somebody to this event: the contact who has the address already, or else a new one. For the former,
// known is true and nothing else of the change is applied. It answers Invalid as Create does, and emits nothing.
func (e *AtEvent) AddPerson(ctx context.Context, c Change) (added *models.Person, known bool, err error) {
	return In(e.p.Directory()).createUnless(ctx, c, func(ctx context.Context, id string) (*models.Person, error) {
		return e.putAtEvent(ctx, id, true)
	})
}

// PutAtEvent adds a contact within the programme's reach to this event, or returns the one who is there already. Beyond
// its reach it takes only people whom the actor took off the event within putBackFor. It answers NotFound for others,
// Invalid for somebody who was erased, and emits nothing.
func (e *AtEvent) PutAtEvent(ctx context.Context, contactID string) (*models.Person, error) {
	return e.putAtEvent(ctx, contactID, false)
}

// putAtEvent is PutAtEvent; byAddress says that the caller named the contact by an address, which reaches everybody.
func (e *AtEvent) putAtEvent(ctx context.Context, contactID string, byAddress bool) (*models.Person, error) {
	if !store.IsID(contactID) {
		return nil, models.ErrNoPerson
	}
	all := e.p.WholeOrganization()
	return store.Make(ctx, all.Write, func(tx *store.Tx) (*models.Person, error) {
		joins, err := e.p.Joining(tx, []string{contactID})
		if err != nil {
			return nil, err
		}
		unseen, err := e.p.Unseen(tx.DB, []string{contactID})
		if err != nil {
			return nil, err
		}
		if !byAddress && len(unseen) > 0 {
			if back, err := e.tookOff(tx, contactID); err != nil || !back {
				return nil, cmp.Or(err, models.ErrNoPerson)
			}
		}
		before, err := all.HoldUnerased(tx, contactID)
		if err != nil {
			return nil, err
		}
		if before.Here == nil {
			err = e.attach(tx, all, before, joins[contactID])
		} else {
			err = e.p.Welcome(tx, contactID)
		}
		if err != nil {
			return nil, err
		}
		return e.p.Directory().Person(tx.Within(ctx), contactID)
	})
}

// attach adds a locked contact to this event: as a guest since a moment, or, if that is nil, as one of its people.
func (e *AtEvent) attach(tx *store.Tx, all *models.Directory, before *models.Person, guestSince *store.Time) error {
	after := before.Clone()
	after.Here = e.p.Attached(&after.Contact, tx.Now)
	after.Here.GuestSince = guestSince
	return all.CommitContacts(tx, models.AttachingContact, models.ContactChange{Before: before, After: after})
}

// TakeOffEvent removes somebody from this event, with all that belongs to them there except notes. It answers NotFound
// for somebody who is not at the event, and Invalid for somebody who is on a submission or session, even one in the
// Trash, because it would be restored without them; who has a card on the sourcing board; or who handed something in,
// commented on it, or has a revision waiting. It emits nothing. The activity keeps what they had, except their answers.
func (e *AtEvent) TakeOffEvent(ctx context.Context, contactID string) (*models.Person, error) {
	d := e.p.Directory()
	return store.Make(ctx, d.Write, func(tx *store.Tx) (*models.Person, error) {
		person, err := d.HoldOne(tx, contactID)
		if err != nil {
			return nil, err
		}
		if !tx.Store.Embedded() { // waits for operations that put them on a session
			if err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).Where("event_id = ? AND contact_id = ?", e.p.Event().ID, contactID).
				Find(&[]*models.EventContact{}).Error; err != nil {
				return nil, err
			}
		}
		if err := e.freeOfSessions(tx, person); err != nil {
			return nil, err
		}
		if err := store.Unless(e.ofCard(tx.Model(&Card{}), contactID), errOnBoard); err != nil {
			return nil, err
		}
		if err := e.broughtNothing(tx, contactID); err != nil {
			return nil, err
		}
		before := person.Clone()
		before.Contact, before.Own = models.Contact{}, nil
		was, _ := store.Changes(before.Facts(), (&models.Person{}).Facts())
		if err := models.ForgetAnswers(tx, d.ID, "event_id = ? AND contact_id = ?", e.p.Event().ID, contactID); err != nil {
			return nil, err
		}
		for _, table := range []string{"contact_tags", "deliverables", "event_contacts"} {
			if err := tx.Exec("DELETE FROM "+table+" WHERE event_id = ? AND contact_id = ?", e.p.Event().ID, contactID).
				Error; err != nil {
				return nil, err
			}
		}
		return person, e.p.Record(tx, store.Change{Subject: "contact", ID: contactID, Action: "removed", Before: was})
	})
}

var errOnBoard = store.Invalidf("contact", "has a card on the sourcing board; remove that first")

// broughtNothing answers Invalid, with the reason as its message, if a task or a revision of the event has something of
// the contact.
func (e *AtEvent) broughtNothing(tx *store.Tx, contactID string) error {
	for _, of := range []struct{ table, why string }{
		{"deliverable_versions", "handed something in for a task, which stays with the event"},
		{"deliverable_comments", "has a conversation about a task, which stays with the event"},
		{"deliverables", "did something for a task, which stays with the event"},
		{"revisions", "changed something that waits for you; decide that first"},
	} {
		theirs := "author_id = ? OR contact_id = ?"
		if of.table == "deliverables" { // what only staff did with such a row is deleted with it
			theirs = "author_id = ? AND ? <> ''"
		}
		query := tx.Table(of.table).Where("event_id = ?", e.p.Event().ID).Where(theirs, contactID, contactID)
		if of.table == "revisions" { // a revision of a session in the Trash is deleted too
			query = query.Where("NOT EXISTS (SELECT 1 FROM sessions s WHERE s.id = revisions.session_id AND s.deleted_at IS NOT NULL)")
		}
		if err := store.Unless(query,
			store.Invalidf("contact", "%s", of.why)); err != nil {
			return err
		}
	}
	return tx.Exec("DELETE FROM revisions WHERE event_id = ? AND author_id = ?", e.p.Event().ID, contactID).Error
}

// freeOfSessions answers Invalid, with the reason as its message, for somebody who is on a session.
func (e *AtEvent) freeOfSessions(tx *store.Tx, person *models.Person) error {
	var on []struct {
		FriendlyID string
		Deleted    bool
	}
	err := tx.Table("participants p").Joins("JOIN sessions s ON s.id = p.session_id").
		Where("p.event_id = ? AND p.contact_id = ?", e.p.Event().ID, person.ID).Order("s.deleted_at IS NOT NULL, s.number").
		Limit(1).Select("s.friendly_id, s.deleted_at IS NOT NULL AS deleted").Scan(&on).Error
	switch {
	case err != nil || len(on) == 0:
		return err
	case on[0].Deleted:
		return store.Invalidf("contact", "is on %s, which is in the Trash and may be put back", on[0].FriendlyID)
	}
	return store.Invalidf("contact", "is on %s; take them off that first", on[0].FriendlyID)
}

// StatusMove is a change of somebody's status at the event.
type StatusMove struct{ ContactID, From, To string }

// maxStatusMoves limits how many people change status at once.
const maxStatusMoves = 100

// MoveStatuses changes the status of people at this event, all in one transaction, and returns the moves it made. It
// leaves out people who are not at the event, were erased, have the new status already or, unless fromAny is set, have
// another status than the move's From. It answers Invalid for an unknown status and for too many moves, and emits
// nothing. Reversed, the returned moves undo the change.
func (e *AtEvent) MoveStatuses(ctx context.Context, moves []StatusMove, fromAny bool) (done []StatusMove, err error) {
	if len(moves) > maxStatusMoves {
		return nil, store.Invalidf("people", "are %d; at most %d are allowed", len(moves), maxStatusMoves)
	}
	d, field := e.p.Directory(), models.ContactFieldNamed("workflow_status")
	to, ids := map[string]StatusMove{}, []string{}
	for _, m := range moves {
		if m.To, err = field.Clean(m.To); err != nil {
			return nil, err
		}
		to[m.ContactID], ids = m, append(ids, m.ContactID)
	}
	return store.Make(ctx, d.Write, func(tx *store.Tx) (done []StatusMove, err error) {
		people, err := d.HoldPeople(tx, ids...)
		if err != nil {
			return nil, err
		}
		var changes []models.ContactChange
		for _, before := range people {
			move := to[before.ID]
			if before.Here == nil || before.ErasedAt != nil || before.Here.WorkflowStatus == move.To ||
				!fromAny && before.Here.WorkflowStatus != move.From {
				continue
			}
			after := before.Clone()
			after.Here.WorkflowStatus = move.To
			changes = append(changes, models.ContactChange{Before: before, After: after})
			done = append(done, StatusMove{before.ID, before.Here.WorkflowStatus, move.To})
		}
		return done, d.CommitContacts(tx, models.EditingContact, changes...)
	})
}

// MoveAllStatuses gives all people of this event who pass a filter another status, maxStatusMoves of them in each
// transaction, and returns how many changed. If a transaction fails, those before it stay. It answers Invalid for a
// status or a filter that breaks a rule, and emits nothing.
func (e *AtEvent) MoveAllStatuses(ctx context.Context, filter Filter, to string) (done int, err error) {
	var moves []StatusMove
	err = In(e.p.Directory()).Each(ctx, filter, ByName, func(people []*models.Person) error {
		for _, x := range people {
			moves = append(moves, StatusMove{ContactID: x.ID, To: to})
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	for some := range slices.Chunk(moves, maxStatusMoves) {
		moved, err := e.MoveStatuses(ctx, some, true)
		if done += len(moved); err != nil {
			return done, err
		}
	}
	return done, nil
}

// putBackFor is how long somebody may put back a person whom they took off an event and who is beyond their reach.
const putBackFor = 24 * time.Hour

// tookOff reports whether the actor took this person off the event within putBackFor.
func (e *AtEvent) tookOff(tx *store.Tx, contactID string) (bool, error) {
	var n int64
	err := tx.Model(&store.Activity{}).Where("event_id = ? AND subject_id = ? AND action = 'removed' AND actor_id = ? "+
		"AND created_at > ?", e.p.Event().ID, contactID, e.p.By().ActorID, store.At(tx.Now.Add(-putBackFor))).Count(&n).Error
	return n > 0 && e.p.By().ActorID != "", err
}
