package people

import (
	"context"

	"lectern/models"
	"lectern/models/store"
)

// TakeBack deletes people whom a move brought to this event and whom nobody else knows: those who are at no other
// event, speak at no session and have nothing that a move does not bring, as far as free returns them once all are
// locked. Guests, whom others know, only leave this event, under the same conditions. It returns the ids of those who
// went.
func (e *AtEvent) TakeBack(ctx context.Context, ids []string, free func(*store.Tx, []string) ([]string, error)) (
	[]string, error) {
	alone := "organization_id = @organization AND id IN @ids"
	for _, t := range contactTables {
		with := ""
		if t.of != "" {
			with = " AND " + t.of
		}
		switch {
		case t.table == "event_contacts":
			with += " AND event_id <> @event"
		case t.brought:
			continue
		}
		alone += " AND NOT EXISTS (SELECT 1 FROM " + t.table + " WHERE " + t.table + "." + t.column + " = contacts.id" +
			with + ")"
	}
	return store.Make(ctx, e.p.Write, func(tx *store.Tx) ([]string, error) {
		everyone := Directory{e.p.WholeOrganization()}
		if err := everyone.HoldForDelete(tx, ids...); err != nil {
			return nil, err
		}
		may, err := free(tx, ids)
		if err != nil {
			return nil, err
		}
		args := map[string]any{"organization": e.p.Event().OrganizationID, "ids": may, "event": e.p.Event().ID}
		var gone []string
		if err := tx.Model(&models.Contact{}).Where(alone, args).Order("id").Pluck("id", &gone).Error; err != nil {
			return nil, err
		}
		guests, err := e.takeGuests(tx, args)
		if err != nil || len(gone) == 0 {
			return guests, err
		}
		for _, t := range contactTables {
			if !t.brought {
				continue
			}
			where := t.table + "." + t.column + " IN ?"
			if t.of != "" {
				where = t.of + " AND " + where
			}
			if err := tx.Exec("DELETE FROM "+t.table+" WHERE "+where, gone).Error; err != nil {
				return nil, err
			}
		}
		models.TouchSpeakers(tx, e.p.Event().ID)
		return append(gone, guests...), tx.Exec("DELETE FROM contacts WHERE id IN ?", gone).Error
	})
}

// takeGuests removes guests from the event who have nothing there but what a move brings, and returns their ids.
func (e *AtEvent) takeGuests(tx *store.Tx, args map[string]any) (guests []string, err error) {
	alone := "event_id = @event AND contact_id IN @ids AND guest_since IS NOT NULL"
	for _, t := range contactTables {
		if t.atEvent && !t.brought {
			alone += " AND NOT EXISTS (SELECT 1 FROM " + t.table + " o WHERE o." + t.column +
				" = event_contacts.contact_id AND o.event_id = @event)"
		}
	}
	err = tx.Model(&models.EventContact{}).Where(alone, args).Order("contact_id").Pluck("contact_id", &guests).Error
	if err != nil || len(guests) == 0 {
		return nil, err
	}
	for _, t := range contactTables {
		if t.atEvent && t.brought || t.table == "event_contacts" {
			if err := tx.Exec("DELETE FROM "+t.table+" WHERE event_id = ? AND "+t.column+" IN ?", e.p.Event().ID,
				guests).Error; err != nil {
				return nil, err
			}
		}
	}
	models.TouchSpeakers(tx, e.p.Event().ID)
	return guests, nil
}
