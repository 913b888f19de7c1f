package call

import (
	"context"

	"lectern/models"
	"lectern/models/store"
)

// BeginningFor is a proposal that staff begin for somebody.
type BeginningFor struct {
	Title  string
	People []models.Participation // the first one is its author
}

// BeginFor creates a draft for somebody, whatever the window and the limits: in their place it is one that they began.
// It answers Invalid, by title, and by people for nobody and as CreateSession does; NotFound if the event has no call.
// It emits session.created.
func (c *Call) BeginFor(ctx context.Context, b BeginningFor) (*models.Session, error) {
	title, err := store.CleanName("title", b.Title, store.MaxTitle)
	var faults store.Faults
	faults.Add(err)
	if len(b.People) == 0 {
		faults.Add(store.Invalidf("people", "are missing: say whose proposal it is"))
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	if _, err := c.Form(ctx); err != nil {
		return nil, err
	}
	return store.Make(ctx, c.p.Write, func(tx *store.Tx) (*models.Session, error) {
		return begin(ctx, tx, c.p, nil, store.OneLine(title), b.People...)
	})
}

// placeForStaff returns the place of a proposal's author for staff who fill in its form: of the person who began it,
// else of the first on it, else of nobody. It answers NotFound for what is no live submission of the event.
func (c *Call) placeForStaff(ctx context.Context, id string) (*Place, error) {
	if !store.IsID(id) {
		return nil, errNoProposal
	}
	var whose []string
	err := c.p.Read(ctx).Table("sessions s").Joins("LEFT JOIN proposals p ON p.session_id = s.id").
		Where("s.event_id = ? AND s.id = ? AND s.is_abstract AND s.deleted_at IS NULL", c.p.Event().ID, id).
		Pluck(`coalesce(nullif(p.contact_id, ''), (SELECT x.contact_id FROM participants x WHERE x.session_id = s.id
			ORDER BY x.position LIMIT 1), '')`, &whose).Error
	if err == nil && len(whose) == 0 {
		err = errNoProposal
	}
	if err != nil {
		return nil, err
	}
	return c.lent(whose[0]), nil
}

// Proposal returns a submission of the event for staff who fill in the form for its people. It answers NotFound, also
// if the event has no call.
func (c *Call) Proposal(ctx context.Context, id string) (*Proposal, error) {
	pl, err := c.placeForStaff(ctx, id)
	if err != nil {
		return nil, err
	}
	return pl.Proposal(ctx, c.p.Event(), id)
}

// Save stores the answers of a submission as Place.Save does, whatever the window and whatever is missing. The
// biography becomes that of its author. Each change emits session.updated.
func (c *Call) Save(ctx context.Context, id string, in Saving) (*Proposal, []Fault, error) {
	pl, err := c.placeForStaff(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	return pl.Save(ctx, c.p.Event(), id, in)
}

// AttachFile answers a question of a submission with a file, as Place.AttachFile does.
func (c *Call) AttachFile(ctx context.Context, id, key string, u models.Upload) (*Proposal, error) {
	pl, err := c.placeForStaff(ctx, id)
	if err != nil {
		return nil, err
	}
	return pl.AttachFile(ctx, c.p.Event(), id, key, u)
}

// RemoveFile deletes the file that answers a question, as Place.RemoveFile does.
func (c *Call) RemoveFile(ctx context.Context, id, key string) (*Proposal, error) {
	pl, err := c.placeForStaff(ctx, id)
	if err != nil {
		return nil, err
	}
	return pl.RemoveFile(ctx, c.p.Event(), id, key)
}

// SubmittingFor holds what staff send to submit a draft for its people.
type SubmittingFor struct {
	Token  store.Time // the session's as it was shown
	AsItIs bool       // submits although answers are missing
}

// SubmitFor submits a draft for its people, whatever the window and the limits, and writes to its author. It answers
// NotFound; Stale; and Invalid for what is no draft and, by the keys of the questions, for what is missing or too long,
// unless AsItIs is set. It emits session.updated.
func (c *Call) SubmitFor(ctx context.Context, id string, in SubmittingFor) (*models.Session, error) {
	pl, err := c.placeForStaff(ctx, id)
	if err != nil {
		return nil, err
	}
	form, err := FormOf(ctx, c.p.Store(), c.p.Event())
	if err != nil && store.KindOf(err) != store.NotFound {
		return nil, err
	}
	return c.p.EditSession(ctx, id, models.SessionEdit{Decide: func(tx *store.Tx, s *models.Session,
		_ []*models.Participant) (change models.SessionChange, err error) {
		if !s.IsAbstract || s.Status != models.Draft {
			return change, store.Invalidf("status", "is no draft any more: it was submitted meanwhile")
		}
		if !in.Token.Equal(s.UpdatedAt.Time) {
			return change, errStaleProposal
		}
		if form != nil && !in.AsItIs {
			if err := pl.isWhole(tx.Within(ctx), c.p.Event(), form, s); err != nil {
				return change, err
			}
		}
		change.Status = new(models.Pending)
		if err := c.note(tx, s, map[string]any{"submitted_at": tx.Now}, "submitted", nil); err != nil {
			return change, err
		}
		return change, c.tellSubmitted(tx, s)
	}})
}

// isWhole answers Invalid, by the keys, for what keeps a locked draft from being submitted.
func (pl *Place) isWhole(ctx context.Context, event *models.Event, form *Form, s *models.Session) error {
	p, err := pl.assemble(ctx, event, form, s, &Standing{})
	if err != nil {
		return err
	}
	own, err := pl.unfinished(ctx, event, form)
	if err != nil {
		return err
	}
	if missing := append(p.Unfinished(), own...); len(missing) > 0 {
		return invalid(missing)
	}
	return nil
}
