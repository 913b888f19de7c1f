package people

import (
	"maps"
	"slices"

	"gorm.io/gorm/clause"

	"lectern/models"
	"lectern/models/outbox"
	"lectern/models/store"
)

// merger is one batch of merges in progress.
type merger struct {
	*Directory
	tx     *store.Tx
	fields []*models.ContactField
	names  map[string]string // of tags and stages, by id
	into   map[string]string // the survivor's id, by the removed contact's
	gone   []string          // ids of the removed contacts, in order
	// claimedBy is the account of somebody who proved that an address is theirs; "" for a merge by staff.
	claimedBy string
	isTyped   bool // somebody else may have typed the profile of the contact that is claimed
}

// last returns the id of the survivor into whom somebody has been merged by now.
func (m *merger) last(id string) string {
	for m.into[id] != "" {
		id = m.into[id]
	}
	return id
}

func (m *merger) run(pairs []MergePair) ([]*MergeOutcome, error) {
	var ids []string
	for _, pair := range pairs {
		ids = append(ids, pair.SurvivorID, pair.RemovedID)
	}
	ids = slices.DeleteFunc(ids, func(id string) bool { return !store.IsID(id) })
	slices.Sort(ids)
	ids = slices.Compact(ids)
	if err := m.hold(ids); err != nil {
		return nil, err
	}
	before, err := m.sides(m.tx.DB, ids...)
	if err != nil {
		return nil, err
	}
	if err := m.nameRows(before); err != nil {
		return nil, err
	}
	done := make([]*MergeOutcome, len(pairs))
	for i, pair := range pairs {
		done[i] = m.outcome(pair, before)
		if done[i].Reason != "" {
			continue
		}
		if err := m.merge(done[i]); err != nil {
			return nil, err
		}
	}
	return done, m.finish(done)
}

// hold locks all that the merges change, in the order of locks: the metadata of these people's events, the own fields,
// the sourcing boards, the people themselves, then their sessions and letters. FOR UPDATE on the contact also blocks
// inserts of event_contacts that refer to it. It answers errMovedOn if more sessions or events were added meanwhile.
func (m *merger) hold(ids []string) error {
	events, err := m.eventsOf(ids)
	if err != nil {
		return err
	}
	for _, id := range events {
		if err := models.ShareMetadata(m.tx, id); err != nil {
			return err
		}
	}
	defined, err := m.DefinedFields(models.KeyShare(m.tx))
	if err != nil {
		return err
	}
	m.fields = models.WithOwn(defined)
	if err := m.ownBoards(m.tx); err != nil {
		return err
	}
	if m.tx.Store.Embedded() {
		return nil
	}
	if err := m.HoldForDelete(m.tx, ids...); err != nil { // also people who are at no event yet
		return err
	}
	var sessions []string
	const on = "id IN (SELECT session_id FROM participants WHERE contact_id IN ?)"
	if err := m.tx.Lock().Model(&models.Session{}).Where(on, ids).Order(models.SessionOrder).Pluck("id",
		&sessions).Error; err != nil {
		return err
	}
	if err := models.LockLetters(m.tx, "contact_id IN ?", ids).Find(&[]string{}).Error; err != nil {
		return err
	}
	var now int64
	if err := m.tx.Model(&models.Session{}).Where(on, ids).Count(&now).Error; err != nil {
		return err
	}
	later, err := m.eventsOf(ids)
	if err == nil && (now != int64(len(sessions)) || !slices.Equal(events, later)) {
		err = errMovedOn
	}
	return err
}

// HoldForDelete locks people FOR UPDATE, as before their deletion: meanwhile nobody can put them on a session or begin
// a letter to them.
func (d *Directory) HoldForDelete(tx *store.Tx, ids ...string) error {
	if tx.Store.Embedded() {
		return nil
	}
	return tx.Clauses(clause.Locking{Strength: "UPDATE"}).Where("organization_id = ? AND id IN ?", d.ID, ids).Order("id").
		Find(&[]*models.Contact{}).Error
}

// eventsOf returns the ids of the events that any of these people are at.
func (m *merger) eventsOf(ids []string) (events []string, err error) {
	return events, m.tx.Model(&models.EventContact{}).Distinct("event_id").Where("contact_id IN ?", ids).Order("event_id").
		Pluck("event_id", &events).Error
}

func (m *merger) nameRows(sides map[string]*side) error {
	var ids []string
	for _, s := range sides {
		for _, tags := range s.Tagged {
			ids = append(ids, tags...)
		}
		for _, card := range s.Cards {
			ids = append(ids, card.StageID)
		}
	}
	m.names = map[string]string{}
	if len(ids) == 0 {
		return nil
	}
	var rows []*models.Metadata
	err := m.tx.Raw("SELECT id, name FROM metadata WHERE id IN ? UNION ALL SELECT id, name FROM sourcing_stages WHERE id IN ?",
		ids, ids).Scan(&rows).Error
	for _, row := range rows {
		m.names[row.ID] = row.Name
	}
	return err
}

// outcome returns the outcome of a pair before its merge, with a Reason if it cannot be merged.
func (m *merger) outcome(pair MergePair, before map[string]*side) *MergeOutcome {
	done := &MergeOutcome{MergePair: pair}
	stays, gone := before[pair.SurvivorID], before[pair.RemovedID]
	if stays != nil {
		done.Name = stays.FullName
	}
	if gone != nil {
		done.RemovedName = gone.FullName
	}
	switch {
	case stays == nil || gone == nil:
		done.Reason = "One of the two is not there any more."
	case stays.ErasedAt != nil || gone.ErasedAt != nil:
		done.Reason = "One of the two was erased."
	case pair.Version != "" && pair.Version != version(stays, gone):
		done.Reason = "Somebody changed one of the two meanwhile. Look at them again."
	case m.last(pair.SurvivorID) == m.last(pair.RemovedID):
		done.Reason = "The two are one already."
	}
	return done
}

// merge merges two locked people, and records it.
func (m *merger) merge(done *MergeOutcome) error {
	stayID, goneID := m.last(done.SurvivorID), m.last(done.RemovedID)
	sides, err := m.sides(m.tx.DB, stayID, goneID)
	if err != nil {
		return err
	}
	stays, gone := sides[stayID], sides[goneID]
	before, own := stays.Contact, maps.Clone(stays.Own)
	was := stays.facts(m.names)
	facts, removed := mergeFacts(m.fields, stays, gone), gone.facts(m.names)
	here := map[string]models.EventContact{}
	for event, row := range stays.AtEvents {
		here[event] = *row
	}
	if facts, err = m.heldBack(stays, gone, facts); err != nil {
		return err
	}
	stays.fold(gone, facts, done.Take)
	if err := m.moveEvents(stays, gone, here); err != nil {
		return err
	}
	for _, move := range []func(stays, gone *side) error{m.moveSeats, m.moveLetters, m.moveCards, m.giveTasks, m.moveRevision,
		m.moveRest} {
		if err := move(stays, gone); err != nil {
			return err
		}
	}
	if err := m.moveProfile(stays, gone, &before, own); err != nil {
		return err
	}
	if err := m.closeWays(stays, gone, &before, done.Keep); err != nil {
		return err
	}
	m.into[goneID], m.gone = stayID, append(m.gone, goneID)
	return m.recordMerge(stays, gone, was, removed)
}

// recordMerge records in the survivor's activity what changed, and all values of the removed contact.
func (m *merger) recordMerge(stays, gone *side, was, removed map[string]any) error {
	old, now := store.Changes(was, stays.facts(m.names))
	var seats []map[string]any
	for _, seat := range stays.Seats {
		if doubled(stays, gone)[seat.SessionID] != nil {
			seats = append(seats, map[string]any{"id": seat.SessionID, "role": seat.Role, "position": seat.Position})
		}
	}
	if old["removed"] = removed; len(seats) > 0 {
		old["doubled"] = seats // as the survivor had them
	}
	now["merged_away_id"], now["merged_away"] = gone.ID, gone.FullName
	return m.Record(m.tx, store.Change{Subject: "contact", ID: stays.ID, Action: "merged", Before: old, After: now})
}

// mergedData is the payload of contact.merged: the survivor, and the removed contact's id.
type mergedData struct {
	models.ContactData
	MergedAwayID string `json:"mergedAwayId"`
}

// finish emits contact.merged for each removed contact, and refreshes the names that sessions keep.
func (m *merger) finish(done []*MergeOutcome) error {
	var last []string
	for _, o := range done {
		if o.Reason == "" {
			o.LastID = m.last(o.SurvivorID)
			last = append(last, o.LastID)
		}
	}
	if len(last) == 0 {
		return nil
	}
	var rows []*models.Contact
	if err := m.tx.Where("id IN ?", last).Find(&rows).Error; err != nil {
		return err
	}
	byID := store.ByKey(rows, func(c *models.Contact) string { return c.ID })
	if err := models.ReindexSessions(m.tx, last); err != nil {
		return err
	}
	for _, goneID := range m.gone {
		c := byID[m.last(goneID)]
		if err := outbox.Emit(m.tx, outbox.Emission{OrganizationID: m.ID, EventID: m.EventID(), Type: outbox.ContactMerged,
			ResourceID: c.ID}, mergedData{models.ContactDataOf(c), goneID}); err != nil {
			return err
		}
	}
	return nil
}
