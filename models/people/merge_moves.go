package people

import (
	"maps"
	"slices"

	"gorm.io/gorm/clause"

	"lectern/models"
	"lectern/models/store"
)

// moveEvents gives the survivor the removed contact's rows for events, with their tags.
func (m *merger) moveEvents(stays, gone *side, before map[string]models.EventContact) error {
	for _, event := range slices.Sorted(maps.Keys(gone.AtEvents)) {
		own := stays.AtEvents[event]
		if own == nil {
			own = new(*gone.AtEvents[event])
			own.ContactID, own.UpdatedAt = stays.ID, m.tx.Now
			stays.AtEvents[event] = own
			if err := m.tx.Create(own).Error; err != nil {
				return err
			}
		} else if *own != before[event] {
			own.UpdatedAt = m.tx.Now.Following(own.UpdatedAt)
			models.Touch(m.tx, event) // conflicts depend on when the person is away
			if err := m.tx.Model(&models.EventContact{}).Where("event_id = ? AND contact_id = ?", event, stays.ID).
				Select(models.HereColumns).Updates(own).Error; err != nil {
				return err
			}
		}
		var tags []models.ContactTag
		for _, tag := range gone.Tagged[event] {
			if !slices.Contains(stays.Tagged[event], tag) {
				tags = append(tags, models.ContactTag{EventID: event, ContactID: stays.ID, TagID: tag})
			}
		}
		if err := store.InsertInto(m.tx, "contact_tags", tags); err != nil {
			return err
		}
	}
	return nil
}

// moveSeats makes one seat of two on one session: the stronger role at the earlier position; later positions move up.
// Other seats move with contactTables.
func (m *merger) moveSeats(stays, gone *side) error {
	both := doubled(stays, gone)
	for _, seat := range gone.Seats {
		models.Touch(m.tx, seat.EventID)
		models.TouchSpeakers(m.tx, seat.EventID)
		own := both[seat.SessionID]
		if own == nil {
			continue
		}
		const of = "session_id = ? AND contact_id = ?"
		if err := m.tx.Exec("DELETE FROM participants WHERE "+of, seat.SessionID, gone.ID).Error; err != nil {
			return err
		}
		if err := m.tx.Exec("UPDATE participants SET role = ?, position = ? WHERE "+of, models.StrongerRole(own.Role,
			seat.Role),
			min(own.Position, seat.Position), seat.SessionID, stays.ID).Error; err != nil {
			return err
		}
		if err := m.tx.Exec("UPDATE participants SET position = position - 1 WHERE session_id = ? AND position > ?",
			seat.SessionID, max(own.Position, seat.Position)).Error; err != nil {
			return err
		}
	}
	return nil
}

// moveLetters keeps one of two letters about one decision or mailing: the one that was sent, else the survivor's. Other
// letters move with contactTables.
func (m *merger) moveLetters(stays, gone *side) error {
	const same = `DELETE FROM letters WHERE contact_id = ? AND EXISTS (SELECT 1 FROM letters l WHERE l.contact_id = ?
		AND (l.session_id = letters.session_id AND l.number = letters.number OR l.mailing_id = letters.mailing_id)`
	if err := m.tx.Exec(same+` AND l.state IN ('sent', 'told', 'sending', 'unknown'))
		AND state NOT IN ('sent', 'told', 'sending', 'unknown')`, stays.ID, gone.ID).Error; err != nil {
		return err
	}
	return m.tx.Exec(same+")", gone.ID, stays.ID).Error
}

// moveCards gives the survivor the removed contact's cards. If both have one at an event, the survivor's stays. Moves
// of cards follow with contactTables.
func (m *merger) moveCards(stays, gone *side) error {
	for _, c := range gone.Cards {
		if !slices.ContainsFunc(stays.Cards, func(own *Card) bool { return own.EventID == c.EventID }) {
			moved := new(*c)
			moved.ContactID = stays.ID
			if err := m.tx.Create(moved).Error; err != nil {
				return err
			}
		}
	}
	return nil
}

// heldBack returns the fields that a merge may fold. A merge by a claim leaves out a profile that a stranger may have
// typed, and the biography and photo if staff approve these: the biography becomes a revision, the photo must be
// uploaded again.
func (m *merger) heldBack(stays, gone *side, facts []mergeFact) ([]mergeFact, error) {
	if m.claimedBy == "" {
		return facts, nil
	}
	if m.isTyped {
		return slices.DeleteFunc(facts, func(f mergeFact) bool { return f.event == "" }), nil
	}
	event, err := models.ApprovingEvent(m.tx.DB, m.ID, stays.ID, m.tx.Now)
	if event == nil || err != nil {
		return facts, err
	}
	facts = slices.DeleteFunc(facts, func(f mergeFact) bool { return f.name == "about" || f.name == "photo_url" })
	if gone.About == "" || stays.About != "" {
		return facts, nil
	}
	return facts, m.tx.Exec("INSERT INTO revisions (id, event_id, contact_id, author_id, about, drops_photo, created_at, updated_at) "+
		"VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (contact_id) DO NOTHING",
		store.NewID(), event.ID, stays.ID, stays.ID, gone.About, false, m.tx.Now, m.tx.Now).Error
}

// moveRevision keeps one of two waiting revisions of a profile; the survivor's fields take precedence.
func (m *merger) moveRevision(stays, gone *side) error {
	if err := m.tx.Exec("UPDATE revisions SET about = (SELECT g.about FROM revisions g WHERE g.contact_id = ?) "+
		"WHERE contact_id = ? AND about IS NULL", gone.ID, stays.ID).Error; err != nil {
		return err
	}
	return m.tx.Exec("DELETE FROM revisions WHERE contact_id = ? AND EXISTS (SELECT 1 FROM revisions r WHERE r.contact_id = ?)",
		gone.ID, stays.ID).Error
}

// moveRest gives the survivor the remaining rows that refer to the removed contact, and deletes those that cannot move.
func (m *merger) moveRest(stays, gone *side) error {
	for _, of := range contactTables {
		if of.once != "" {
			if err := m.tx.Exec("DELETE FROM "+of.table+" WHERE "+of.theirs()+" AND "+of.once+" IN (SELECT x."+of.once+" FROM "+
				of.table+" x WHERE x."+of.column+" = ?)", gone.ID, stays.ID).Error; err != nil {
				return err
			}
		}
		if of.moves {
			err := m.tx.Exec("UPDATE "+of.table+" SET "+of.column+" = ? WHERE "+of.theirs(), stays.ID, gone.ID).Error
			if store.IsDuplicate(err) { // both got the same row meanwhile, such as a letter about a release
				err = errMovedOn
			}
			if err != nil {
				return err
			}
		}
	}
	if err := m.movePairs(stays, gone); err != nil {
		return err
	}
	for _, of := range contactTables {
		if !of.moves {
			if err := m.tx.Exec("DELETE FROM "+of.table+" WHERE "+of.theirs(), gone.ID).Error; err != nil {
				return err
			}
		}
	}
	return m.tx.Exec("DELETE FROM contacts WHERE id = ?", gone.ID).Error
}

// giveTasks marks the survivor's deliverables as given by hand if the removed contact's were.
func (m *merger) giveTasks(stays, gone *side) error {
	return m.tx.Exec("UPDATE deliverables SET is_given = true WHERE contact_id = ? AND task_id IN "+
		"(SELECT x.task_id FROM deliverables x WHERE x.contact_id = ? AND x.is_given)", stays.ID, gone.ID).Error
}

// movePairs transfers the removed contact's dismissed pairs to the survivor.
func (m *merger) movePairs(stays, gone *side) error {
	var pairs []*DismissedPair
	if err := m.tx.Where("first_id = ? OR second_id = ?", gone.ID, gone.ID).Order("first_id, second_id").
		Find(&pairs).Error; err != nil {
		return err
	}
	for _, pair := range pairs {
		other := pair.FirstID
		if other == gone.ID {
			other = pair.SecondID
		}
		if other == stays.ID {
			continue
		}
		pair.FirstID, pair.SecondID = ordered(other, stays.ID)
		if err := m.tx.Clauses(clause.OnConflict{DoNothing: true}).Create(pair).Error; err != nil {
			return err
		}
	}
	return nil
}

// moveProfile saves the survivor. The address that is nobody's own any more becomes an alias.
func (m *merger) moveProfile(stays, gone *side, before *models.Contact, own map[string]string) error {
	if err := models.UpdateContact(m.tx, &stays.Contact); err != nil {
		return err
	}
	if err := m.SaveOwn(m.tx, own, stays.Person); err != nil {
		return err
	}
	for _, address := range []string{before.Email, gone.Email} {
		if address == "" || store.Fold(address) == stays.EmailKey {
			continue
		}
		alias := &models.ContactAlias{OrganizationID: m.ID, EmailKey: store.Fold(address), Email: address,
			ContactID: stays.ID,
			CreatedAt: m.tx.Now} // closeWays decides whether it opens the place
		if err := m.tx.Create(alias).Error; err != nil {
			return err
		}
	}
	return nil
}
