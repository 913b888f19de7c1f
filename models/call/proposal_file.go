package call

import (
	"context"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/store"
)

// AttachFile answers a question with a file, replacing the previous one. It answers Invalid, by the question's key, for
// a file of another kind or size than the question takes, or too large for an unproven address; TooMany beyond the
// hour's limits of MayBring; NotFound, also for a question that takes no file or is not asked; Unavailable when the
// file store fails; and a refusal (IsRefused). On a draft it records and emits nothing, on a submission it emits
// session.updated.
func (pl *Place) AttachFile(ctx context.Context, event *models.Event, id, key string, u models.Upload) (*Proposal,
	error) {
	form, err := FormOf(ctx, pl.store, event)
	if err != nil {
		return nil, err
	}
	before, err := pl.proposal(ctx, event, form, id) // only people of the proposal may upload
	if err != nil {
		return nil, err
	}
	q := form.Question(key)
	if q == nil || q.Type != field.File || !before.asks(q) {
		return nil, errNoFile
	}
	if rights := before.Rights(pl.store.Now()); !rights.writes(q) {
		return nil, refused(rights.Why)
	}
	file, err := pl.bring(ctx, event, q, u)
	if err != nil {
		return nil, err
	}
	return pl.changeFile(ctx, event, form, id, q, file)
}

// bring checks and stores the bytes of a file that answers a question.
func (pl *Place) bring(ctx context.Context, event *models.Event, q *Question, u models.Upload) (*models.File, error) {
	if err := q.Takes(u.Name, int64(len(u.Content)), u.Content[:min(len(u.Content), 16)]); err != nil {
		return nil, err
	}
	if err := pl.MayBring(ctx, event, q.Key, len(u.Content)); err != nil {
		return nil, err
	}
	return pl.store.BringFile(ctx, pl.by, models.AnswerFile, q.Key, u)
}

// RemoveFile deletes the file that answers a question, if there is one. It answers as AttachFile does.
func (pl *Place) RemoveFile(ctx context.Context, event *models.Event, id, key string) (*Proposal, error) {
	form, err := FormOf(ctx, pl.store, event)
	if err != nil {
		return nil, err
	}
	q := form.Question(key)
	if q == nil || q.Type != field.File {
		return nil, errNoFile
	}
	return pl.changeFile(ctx, event, form, id, q, nil)
}

// File returns the file that answers a question, also of a removed question. It answers NotFound.
func (pl *Place) File(ctx context.Context, event *models.Event, id, key string) (*models.File, error) {
	p, err := pl.Proposal(ctx, event, id)
	if err != nil {
		return nil, err
	}
	if f := p.Files[key]; f != nil {
		return f, nil
	}
	return nil, errNoFile
}

var errNoFile = store.Missing("There is no such file.")

// writes reports whether the answer to a question may be changed.
func (r Rights) writes(q *Question) bool { return r.Answer || r.Owed && q.Required == Later }

// changeFile makes a file the answer to a question; nil removes it.
func (pl *Place) changeFile(ctx context.Context, event *models.Event, form *Form, id string, q *Question,
	file *models.File) (p *Proposal, err error) {
	err = pl.store.Write(ctx, func(tx *store.Tx) error {
		ctx := tx.Within(ctx)
		quietly, err := pl.quietly(ctx, event, id)
		if err != nil {
			return err
		}
		p, err = pl.edit(ctx, event, form, id, quietly, func(tx *store.Tx, p *Proposal) (c models.SessionChange, err error) {
			rights := p.Rights(tx.Now)
			if !rights.writes(q) {
				return c, refused(rights.Why)
			}
			if file == nil && p.IsSubmitted() && q.Required == Required && !p.byStaff {
				return c, invalid([]Fault{q.missing()})
			}
			if err := p.replaceFile(tx, q.Key, file); err != nil {
				return c, err
			}
			v, err := form.Clean(form.ValuesOf(p.Session, p.About, nil).with(p.Files), p.Values)
			if err != nil {
				return c, err
			}
			c.CustomFields = new(models.AnswersInput(form.Answers(v, p.Files, p.CustomFields)))
			return c, nil
		})
		return err
	})
	return p, err
}

// with adds the ids of files to values, and returns them.
func (v Values) with(files map[string]*models.File) Values {
	for key, file := range files {
		v[key] = file.ID
	}
	return v
}

// replaceFile stores a file as the answer to a question of a locked proposal, nil for none, and drops the previous one.
func (p *Proposal) replaceFile(tx *store.Tx, key string, file *models.File) error {
	organization := p.Event.OrganizationID
	if file != nil {
		if err := models.KeepFile(tx, organization, file); err != nil {
			return err
		}
	}
	if err := tx.Where("event_id = ? AND session_id = ? AND key = ?", p.Event.ID, p.ID, key).
		Delete(&proposalFile{}).Error; err != nil {
		return err
	}
	before := p.Files[key]
	delete(p.Files, key)
	if file != nil {
		if err := tx.Create(&proposalFile{SessionID: p.ID, EventID: p.Event.ID, Key: key, FileID: file.ID}).
			Error; err != nil {
			return err
		}
		p.Files[key] = file
	}
	if before == nil {
		return nil
	}
	return models.DropReplaced(tx, organization, before.Key)
}

// AnswerFiles returns the files that answer questions of a submission of this event, by key.
func (c *Call) AnswerFiles(ctx context.Context, sessionID string) (map[string]*models.File, error) {
	return answerFiles(c.p.Read(ctx), c.p.Event().ID, sessionID)
}

// AnswerFile returns the file that answers a question of a submission of this event, for its staff. It answers
// NotFound.
func (c *Call) AnswerFile(ctx context.Context, sessionID, key string) (*models.File, error) {
	return store.One[models.File](c.p.Read(ctx).Table("files f").Joins("JOIN proposal_files x ON x.file_id = f.id").
		Select("f.*").Where("x.event_id = ? AND x.session_id = ? AND x.key = ?", c.p.Event().ID, sessionID, key), errNoFile)
}
