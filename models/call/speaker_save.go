package call

import (
	"context"
	"maps"

	sql "gorm.io/gorm/clause"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/store"
)

var errStaleAnswers = store.Outdated("These answers were changed elsewhere since you opened them, in another tab or by the " +
	"organizers.")

// SaveOwn stores the answers of the place's owner to what is asked of each speaker. Answers that break a rule, or are
// too long, stay as they were and are returned as faults; all others are stored. It answers NotFound, Stale when the
// token is outdated, and a refusal (IsRefused) if nothing may be changed. It emits nothing; the activity says which
// questions were answered, but no answer.
func (pl *Place) SaveOwn(ctx context.Context, event *models.Event, in Saving) (a *OwnAnswers, faults []Fault, err error) {
	a, err = pl.editOwn(ctx, event, func(_ *store.Tx, a *OwnAnswers) (Values, error) {
		if in.Token != "" && in.Token != a.Token() {
			return nil, errStaleAnswers
		}
		typed := Values{}
		for _, q := range a.Form.Questions() {
			value, isSent := in.Values[q.Key]
			if !isSent || q.Type == field.File {
				value = a.Values[q.Key]
			}
			if fault, long := q.tooLong(value); long && value != a.Values[q.Key] {
				faults, value = append(faults, fault), a.Values[q.Key]
			}
			typed[q.Key] = value
		}
		v, wrong, err := a.Form.keepable(typed, a.Values)
		faults = append(faults, wrong...)
		return v, err
	})
	return a, faults, err
}

// AttachOwn answers a question that is asked of each speaker with a file, replacing the previous one. It answers as
// AttachFile does, and emits nothing.
func (pl *Place) AttachOwn(ctx context.Context, event *models.Event, key string, u models.Upload) (*OwnAnswers, error) {
	before, err := pl.OwnAnswers(ctx, event) // only speakers of the event may upload
	if err != nil {
		return nil, err
	}
	q := before.Form.Question(key)
	switch {
	case q == nil || q.Type != field.File || !before.asks(q):
		return nil, errNoFile
	case before.Why != "":
		return nil, refused(before.Why)
	}
	file, err := pl.bring(ctx, event, q, u)
	if err != nil {
		return nil, err
	}
	return pl.editOwn(ctx, event, func(tx *store.Tx, a *OwnAnswers) (Values, error) {
		if q := a.Form.Question(key); q == nil || q.Type != field.File || !a.asks(q) {
			return nil, errNoFile
		}
		if err := models.KeepFile(tx, event.OrganizationID, file); err != nil {
			return nil, err
		}
		a.Files[key] = file
		return a.Values.but(key, file.ID), nil
	})
}

// RemoveOwn deletes the file that answers such a question, if there is one. It answers as AttachOwn does.
func (pl *Place) RemoveOwn(ctx context.Context, event *models.Event, key string) (*OwnAnswers, error) {
	return pl.editOwn(ctx, event, func(_ *store.Tx, a *OwnAnswers) (Values, error) {
		if q := a.Form.Question(key); q == nil || q.Type != field.File {
			return nil, errNoFile
		}
		return a.Values.but(key, ""), nil
	})
}

// OwnFile returns the file that answers a question that is asked of each speaker, also of a removed question. It
// answers NotFound.
func (pl *Place) OwnFile(ctx context.Context, event *models.Event, key string) (*models.File, error) {
	a, err := pl.OwnAnswers(ctx, event)
	if err != nil {
		return nil, err
	}
	if f := a.Files[key]; f != nil {
		return f, nil
	}
	return nil, errNoFile
}

// but returns a copy of the values with another value for a key, "" for none.
func (v Values) but(key, value string) Values {
	other := maps.Clone(v)
	if other[key] = value; value == "" {
		delete(other, key)
	}
	return other
}

// editOwn changes the answers of the place's owner, whom it locks, to what decide returns. Whoever acts here is no
// guest of the event from then on.
func (pl *Place) editOwn(ctx context.Context, event *models.Event,
	decide func(*store.Tx, *OwnAnswers) (Values, error)) (a *OwnAnswers, err error) {
	err = pl.directory().Write(ctx, func(tx *store.Tx) error {
		if _, err := store.OneByID[models.Contact](tx.Lock().Where("organization_id = ? AND erased_at IS NULL",
			pl.organizationID), pl.contactID, errNotAsked); err != nil {
			return err
		}
		form, err := pl.holdForm(ctx, tx, event)
		if err != nil {
			return err
		}
		if a, err = pl.ownAnswers(tx.Within(ctx), event, form); err != nil {
			return err
		}
		if a.Why != "" {
			return refused(a.Why)
		}
		v, err := decide(tx, a)
		if err != nil {
			return err
		}
		if !pl.isLent {
			if err := pl.At(event).Welcome(tx, pl.contactID); err != nil {
				return err
			}
		}
		return pl.keepOwn(tx, a, v)
	})
	return a, err
}

// keepOwn stores the answers that differ, and drops files that answer nothing any more. Answers to removed questions
// stay.
func (pl *Place) keepOwn(tx *store.Tx, a *OwnAnswers, v Values) error {
	var changed []any
	was := a.Values
	a.Values = v
	for _, q := range a.Form.Removed {
		if was[q.Key] != "" {
			v[q.Key] = was[q.Key]
		}
	}
	for _, q := range a.Form.Questions() {
		if v[q.Key] == was[q.Key] {
			continue
		}
		changed = append(changed, q.Label)
		if err := pl.keepOne(tx, a, q, v[q.Key], was[q.Key]); err != nil {
			return err
		}
	}
	if len(changed) == 0 {
		return nil
	}
	if err := pl.At(a.Event).Record(tx, store.Change{Subject: "contact", ID: pl.contactID, Action: "answered",
		After: map[string]any{"questions": changed}}); err != nil {
		return err
	}
	return pl.reopenTasks(tx, a)
}

func (pl *Place) keepOne(tx *store.Tx, a *OwnAnswers, q *Question, value, was string) error {
	row := models.SpeakerAnswer{EventID: a.Event.ID, QuestionID: q.ID, ContactID: pl.contactID, Value: value}
	if value == "" {
		if err := tx.Where("event_id = ? AND question_id = ? AND contact_id = ?", row.EventID, row.QuestionID, row.ContactID).
			Delete(&models.SpeakerAnswer{}).Error; err != nil {
			return err
		}
		delete(a.Files, q.Key)
	} else {
		row.Index(a.Files[q.Key])
		if err := tx.Clauses(sql.OnConflict{Columns: []sql.Column{{Name: "question_id"}, {Name: "contact_id"}},
			DoUpdates: sql.AssignmentColumns([]string{"value", "search", "file_id"})}).Create(&row).Error; err != nil {
			return err
		}
	}
	if q.Type != field.File || was == "" {
		return nil
	}
	old, err := models.FileOf(tx.DB, a.Event.OrganizationID, models.AnswerFile, was)
	if err != nil {
		return err
	}
	return models.DropReplaced(tx, a.Event.OrganizationID, old.Key)
}

// keepable returns the typed values; those that break a rule stay as in had, and are returned as faults.
func (f *Form) keepable(typed, had Values) (Values, []Fault, error) {
	v, err := f.Clean(typed, had)
	if err == nil {
		return v, nil, nil
	}
	faults := f.Faults(err)
	for _, fault := range faults {
		typed[fault.Key] = had[fault.Key]
	}
	v, err = f.Clean(typed, had)
	return v, faults, err
}

// lent returns somebody's place for staff who fill in forms there.
func (c *Call) lent(contactID string) *Place {
	return &Place{store: c.p.Store(), organizationID: c.p.Event().OrganizationID, contactID: contactID, by: c.p.By(),
		isLent: true, reach: c.p.Reach()}
}

// OwnAnswers returns the answers of somebody at the event, for its organizers. It answers NotFound.
func (c *Call) OwnAnswers(ctx context.Context, contactID string) (*OwnAnswers, error) {
	return c.lent(contactID).OwnAnswers(ctx, c.p.Event())
}

// SaveOwn stores answers for somebody, as Place.SaveOwn does, whatever became of their proposals.
func (c *Call) SaveOwn(ctx context.Context, contactID string, in Saving) (*OwnAnswers, []Fault, error) {
	return c.lent(contactID).SaveOwn(ctx, c.p.Event(), in)
}

// AttachOwn answers with a file for somebody, as Place.AttachOwn does.
func (c *Call) AttachOwn(ctx context.Context, contactID, key string, u models.Upload) (*OwnAnswers, error) {
	return c.lent(contactID).AttachOwn(ctx, c.p.Event(), key, u)
}

// RemoveOwn deletes a file for somebody, as Place.RemoveOwn does.
func (c *Call) RemoveOwn(ctx context.Context, contactID, key string) (*OwnAnswers, error) {
	return c.lent(contactID).RemoveOwn(ctx, c.p.Event(), key)
}

// reopenTasks reopens the tasks that the answers had completed and that now lack a required answer. Tasks belong to a
// package on top (models/tasks): this writes only their state.
func (pl *Place) reopenTasks(tx *store.Tx, a *OwnAnswers) error {
	var done []struct{ ID, Title, PartID string }
	if err := tx.Table("tasks").Where("event_id = ? AND kind = 'form' AND part_id IS NOT NULL AND id IN (SELECT task_id FROM "+
		"deliverables WHERE contact_id = ? AND state = 'done')", a.Event.ID, a.ContactID).Order("position, id").
		Select("id, title, part_id").Scan(&done).Error; err != nil {
		return err
	}
	for _, t := range done {
		if len(a.MissingIn(t.PartID)) == 0 {
			continue
		}
		if err := tx.Exec("UPDATE deliverables SET state = 'open', words = '', state_at = ?, updated_at = ? "+
			"WHERE task_id = ? AND contact_id = ? AND state = 'done'", tx.Now, tx.Now, t.ID, a.ContactID).Error; err != nil {
			return err
		}
		if err := pl.At(a.Event).Record(tx, store.Change{Subject: "contact", ID: a.ContactID, Action: "task",
			Before: map[string]any{"state": "done"}, After: map[string]any{"state": "open", "task": t.Title, "task_id": t.ID}}); err != nil {
			return err
		}
	}
	return nil
}
