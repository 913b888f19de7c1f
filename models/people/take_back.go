package people

import (
	"context"

	"lectern/models"
	"lectern/models/store"
)

// TakeBack deletes people whom a move brought to this event, as far as nobody else knows them: who is at no other
// event, speaks at no session and has nothing that a move does not bring, of those whom free leaves once all are held.
// It returns who went; the others stay.
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
		everyone := Directory{e.p.Everyone()}
		if err := everyone.holdWhole(tx, ids...); err != nil {
			return nil, err
		}
		may, err := free(tx, ids)
		if err != nil {
			return nil, err
		}
		args := map[string]any{"organization": e.p.Event().OrganizationID, "ids": may, "event": e.p.Event().ID}
		var gone []string
		if err := tx.Model(&models.Contact{}).Where(alone, args).Order("id").Pluck("id", &gone).Error; err != nil ||
			len(gone) == 0 {
			return nil, err
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
		return gone, tx.Exec("DELETE FROM contacts WHERE id IN ?", gone).Error
	})
}
