package people

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"

	"lectern/models"
	"lectern/models/archives"
	"lectern/models/outbox"
	"lectern/models/store"
)

// erasedFirst and ErasedLast are the first and last name of an erased person.
const erasedFirst, erasedLast = "Erased", "person"

// Erase deletes what is stored about somebody, for good: name, addresses, profile, photo, own fields with their files,
// notes, tags, cards, travel and availability at events, the values in their activity, their data in webhooks' payloads
// and logs, their name in letters to others and in reports of moves, and archives that contain them. Their places on
// sessions stay, as those of an erased person, and so do the sessions' texts. The record of it has none of this, and it
// emits nothing. It answers NotFound for an unknown person and Invalid for one who was erased before.
func (d *Directory) Erase(ctx context.Context, id string) error {
	if !store.IsID(id) {
		return models.ErrNoPerson
	}
	return d.Write(ctx, func(tx *store.Tx) error {
		if err := cmp.Or(d.ownBoards(tx), d.HoldForDelete(tx, id)); err != nil {
			return err
		}
		person, err := d.WithoutEvent().HoldOne(tx, id)
		if err != nil {
			return err
		}
		if person.ErasedAt != nil {
			return store.Invalidf("contact", "was erased before")
		}
		e := &eraser{Directory: d, tx: tx, contact: &person.Contact, ids: []string{id}, renamed: map[string]string{},
			files: slices.Collect(maps.Keys(person.Files))}
		for _, step := range []func() error{e.hold, e.mentionsByOthers, e.call, e.deliverables, e.rows, e.letters, e.activity,
			e.ownActions, e.photos, e.ownFiles, e.profile, e.emissions} {
			if err := step(); err != nil {
				return err
			}
		}
		return cmp.Or(archives.Forget(tx, d.ID), d.Secure(tx, store.PersonErased, store.Change{ID: id}))
	})
}

// eraser is one erasure in progress.
type eraser struct {
	*Directory
	tx      *store.Tx
	contact *models.Contact
	ids     []string          // the contact's, and those of contacts merged into it
	keys    []string          // of the contact's former photos
	known   identifiers       // the texts that mean the contact in letters and reports
	files   []string          // ids of the files in the contact's own fields, also former ones
	renamed map[string]string // new names of the files of answers, by their old names
}

// rows deletes the rows that refer to the contact alone, and empties their rows for events.
func (e *eraser) rows() error {
	for _, of := range contactTables {
		if of.stays {
			continue
		}
		if err := e.tx.Exec("DELETE FROM "+of.table+" WHERE "+of.theirs(), e.contact.ID).Error; err != nil {
			return err
		}
	}
	var here []*models.EventContact
	if err := e.tx.Where("contact_id = ?", e.contact.ID).Order("event_id").Find(&here).Error; err != nil {
		return err
	}
	for _, row := range here {
		blank := &models.EventContact{UpdatedAt: e.tx.Now.Following(row.UpdatedAt)}
		if err := e.tx.Model(&models.EventContact{}).Where("event_id = ? AND contact_id = ?", row.EventID, row.ContactID).
			Select(models.HereColumns).Updates(blank).Error; err != nil {
			return err
		}
	}
	return nil
}

// letters deletes unsent letters to the contact and empties the others, so that the fact of sending stays. It empties
// mailings to the contact alone.
func (e *eraser) letters() error {
	if err := e.tx.Exec(`UPDATE mailings SET version = 0, subject = '', body = ''
		WHERE id IN (SELECT mailing_id FROM letters WHERE contact_id = ?) AND NOT EXISTS (SELECT 1 FROM letters l
			WHERE l.mailing_id = mailings.id AND l.contact_id <> ?)`, e.contact.ID, e.contact.ID).Error; err != nil {
		return err
	}
	if err := e.tx.Exec(`DELETE FROM letters WHERE contact_id = ? AND state IN ('draft', 'queued', 'failed', 'superseded')`,
		e.contact.ID).Error; err != nil {
		return err
	}
	return e.tx.Exec("UPDATE letters SET subject = '', body = '', missing = '', sent_to = '', answer = '', to_name = '', to_email = '', "+
		"reason = CASE WHEN reason = '' THEN '' ELSE 'Erased' END WHERE contact_id = ?", e.contact.ID).Error
}

// linesOf is the condition for activity about a contact of an organization.
const linesOf = "organization_id = ? AND subject = 'contact' AND subject_id = ?"

// lines returns the activity about the contact, in order.
func (e *eraser) lines() (lines []*store.Activity, err error) {
	return lines, e.tx.Where(linesOf, e.ID, e.contact.ID).Order("created_at, id").Find(&lines).Error
}

// activity empties the activity about the contact; who did what and when stays. It collects the contacts merged into
// them, and their photos and files.
func (e *eraser) activity() error {
	lines, err := e.lines()
	if err != nil {
		return err
	}
	for _, line := range lines {
		e.note(store.ReadFacts(line.Before))
		e.note(store.ReadFacts(line.After))
	}
	return e.tx.Model(&store.Activity{}).Where(linesOf, e.ID, e.contact.ID).
		UpdateColumns(map[string]any{"before": "{}", "after": "{}"}).Error
}

// note collects the ids, photos and files to be erased from an activity's facts, and those nested in them.
func (e *eraser) note(facts map[string]any) {
	for _, within := range facts {
		if more, is := within.(map[string]any); is {
			e.note(more)
		}
	}
	if id, is := facts["file_id"].(string); is {
		e.files = append(e.files, id)
	}
	if id, is := facts["merged_away_id"].(string); is {
		e.ids = append(e.ids, id)
	}
	if address, is := facts["photo_url"].(string); is && models.PhotoKeyIn(&address) != "" {
		e.keys = append(e.keys, models.PhotoKeyIn(&address))
	}
}

// photos deletes all photos that the contact had, except those that another contact uses.
func (e *eraser) photos() error {
	slices.Sort(e.keys)
	for _, key := range slices.Compact(append(e.keys, e.contact.PhotoKey)) {
		if err := models.DropPhoto(e.tx, &models.Contact{ID: e.contact.ID, OrganizationID: e.ID, PhotoKey: key}); err != nil {
			return err
		}
	}
	return nil
}

// ownFiles deletes files of the contact's own fields, except those that another contact has after a merge.
func (e *eraser) ownFiles() error {
	var held []*models.File
	err := e.tx.Where("organization_id = ? AND purpose = ? AND id IN ?", e.ID, models.OwnFile, e.files).
		Where("NOT EXISTS (SELECT 1 FROM contact_values v WHERE v.file_id = files.id)").Order("id").Find(&held).Error
	for i := 0; err == nil && i < len(held); i++ {
		err = models.DropFile(e.tx, e.ID, held[i].Key)
	}
	return err
}

func (e *eraser) profile() error {
	c := e.contact
	*c = models.Contact{ID: c.ID, OrganizationID: c.OrganizationID, FirstName: erasedFirst, LastName: erasedLast,
		CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt, ErasedAt: &e.tx.Now}
	if err := models.UpdateContact(e.tx, c); err != nil {
		return err
	}
	if err := models.ReindexSessions(e.tx, []string{c.ID}); err != nil {
		return err
	}
	return e.touchEvents()
}

// touchEvents raises the version of the events whose sessions show the contact.
func (e *eraser) touchEvents() error {
	var events []string
	if err := e.tx.Table("participants").Distinct("event_id").Where("contact_id = ?", e.contact.ID).
		Order("event_id").Pluck("event_id", &events).Error; err != nil {
		return err
	}
	for _, id := range events {
		models.Touch(e.tx, id)
	}
	return nil
}

// emissions erases the contact from stored emissions and the delivery log, also within sessions. Emissions that are
// still to be sent then describe an erased person.
func (e *eraser) emissions() error {
	for _, id := range e.ids {
		about := "%" + id + "%"
		var emissions []*outbox.Emission
		if err := e.tx.Where("organization_id = ? AND data LIKE ?", e.ID, about).Order("seq").
			Find(&emissions).Error; err != nil {
			return err
		}
		for _, emission := range emissions {
			if err := e.tx.Model(&outbox.Emission{}).Where("seq = ?", emission.Seq).
				UpdateColumn("data", e.redact(emission.Data)).Error; err != nil {
				return err
			}
		}
		var deliveries []*outbox.Delivery
		if err := e.tx.Select("id", "request_body").
			Where("organization_id = ? AND request_body LIKE ?", e.ID, about).Order("id").Find(&deliveries).Error; err != nil {
			return err
		}
		for _, delivery := range deliveries {
			if err := e.tx.Model(&outbox.Delivery{}).Where("id = ?", delivery.ID).
				UpdateColumns(map[string]any{"request_body": e.redact(delivery.RequestBody), "response_excerpt": ""}).Error; err != nil {
				return err
			}
		}
	}
	return nil
}

// redact replaces every JSON object with one of the contact's ids by an erased person.
func (e *eraser) redact(text string) string {
	decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
	decoder.UseNumber()
	var data any
	if decoder.Decode(&data) != nil {
		return "{}"
	}
	e.redactIn(data)
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(data) != nil {
		return "{}"
	}
	return string(bytes.TrimSpace(out.Bytes()))
}

func (e *eraser) redactIn(data any) {
	switch data := data.(type) {
	case []any:
		for _, of := range data {
			e.redactIn(of)
		}
	case map[string]any:
		for _, of := range data {
			e.redactIn(of)
		}
		if value, is := data["value"].(string); is && e.renamed[value] != "" {
			data["value"] = e.renamed[value]
		}
		id, _ := data["id"].(string)
		if _, isPerson := data["full_name"]; !isPerson || !slices.Contains(e.ids, id) {
			return
		}
		for _, name := range []string{"email", "company_name", "about"} {
			data[name] = ""
		}
		data["full_name"], data["photo_url"] = erasedFirst+" "+erasedLast, nil
	}
}
