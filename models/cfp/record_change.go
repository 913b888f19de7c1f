package cfp

import (
	"context"
	"time"

	"lectern/models"
	"lectern/models/store"
)

// maxLonger limits how far ahead an extension may end.
const maxLonger = 400 * 24 * time.Hour

// Lock keeps the people of a submission from changing it, whatever the window, or ends that. It answers NotFound, and
// emits nothing.
func (c *Call) Lock(ctx context.Context, id string, locked bool) error {
	return c.p.Write(ctx, func(tx *store.Tx) error {
		s, err := c.submission(tx, id)
		if err != nil {
			return err
		}
		facts, action := map[string]any{"locked_at": nil}, "unlocked"
		if locked {
			facts["locked_at"], action = tx.Now, "locked"
		}
		if err := c.note(tx, s, facts); err != nil {
			return err
		}
		return c.recordActivity(tx, s, action, nil)
	})
}

// Reopen lets the people of a submission change it until a moment, whatever the window, and unlocks it; nil ends that.
// It answers NotFound, and Invalid for a moment that is past or more than maxLonger away. It emits nothing.
func (c *Call) Reopen(ctx context.Context, id string, until *store.Time) error {
	return c.p.Write(ctx, func(tx *store.Tx) error {
		s, err := c.submission(tx, id)
		if err != nil {
			return err
		}
		facts, action := map[string]any{"open_until": until}, "closed"
		if until != nil {
			if err := checkLonger(tx.Now, *until); err != nil {
				return err
			}
			facts["locked_at"], action = nil, "reopened"
		}
		if err := c.note(tx, s, facts); err != nil {
			return err
		}
		return c.recordActivity(tx, s, action, untilFacts(until))
	})
}

// Extend lets one person of the event edit their proposals, and begin others, until a moment, whatever the window; nil
// ends that. It answers NotFound and Invalid as Reopen does.
func (c *Call) Extend(ctx context.Context, contactID string, until *store.Time) error {
	return c.p.Write(ctx, func(tx *store.Tx) error {
		who, err := c.contact(ctx, tx, contactID)
		if err != nil {
			return err
		}
		if err := tx.Where("event_id = ? AND contact_id = ?", c.p.Event().ID, who.ID).Delete(&extension{}).Error; err != nil {
			return err
		}
		action := "closed"
		if until != nil {
			if err := checkLonger(tx.Now, *until); err != nil {
				return err
			}
			action = "extended"
			if err := tx.Create(&extension{EventID: c.p.Event().ID, ContactID: who.ID, Until: *until,
				ByName: c.p.By().ActorName, CreatedAt: tx.Now}).Error; err != nil {
				return err
			}
		}
		return c.p.Record(tx, store.Change{Subject: "contact", ID: who.ID, Action: action, After: untilFacts(until)})
	})
}

func untilFacts(until *store.Time) map[string]any {
	if until == nil {
		return nil
	}
	return map[string]any{"until": until.String()}
}

func checkLonger(now, until store.Time) error {
	switch {
	case !until.After(now.Time):
		return store.Invalidf("until", "is past already; choose a later one")
	case until.Sub(now.Time) > maxLonger:
		return store.Invalidf("until", "is more than a year away; choose an earlier one")
	}
	return nil
}

// contact returns somebody at the event, locked. It answers NotFound.
func (c *Call) contact(ctx context.Context, tx *store.Tx, id string) (*models.Contact, error) {
	if _, err := c.p.Contact(tx.Within(ctx), id); err != nil {
		return nil, err
	}
	return store.One[models.Contact](tx.Lock().Where("organization_id = ? AND id = ?", c.p.Event().OrganizationID, id),
		store.NoSuch("person"))
}

// tellSubmitted tells the author of a submission, if there is one, that staff submitted it.
func (c *Call) tellSubmitted(tx *store.Tx, s *models.Session) error {
	row, err := store.One[proposal](tx.Where("event_id = ? AND session_id = ?", s.EventID, s.ID), nil)
	if err != nil || row == nil || row.ContactID == "" {
		return err
	}
	letter, err := c.letterTo(tx, row.ContactID)
	if err != nil || letter == nil {
		return err
	}
	letter.AboutID = s.ID
	letter.write("submittedfor", "Title", s.Title, "Number", s.FriendlyID)
	return c.p.SendCallLetters(tx, letter.CallLetter)
}

// TakeUpAgain restores the status that a submission had before its people withdrew it. token is the session's as it was
// read. It answers NotFound, Invalid for one that its people did not withdraw in their place, and Stale. It emits
// session.updated.
func (c *Call) TakeUpAgain(ctx context.Context, id string, token store.Time) (*models.Session, error) {
	return c.p.EditSession(ctx, id, models.SessionEdit{Decide: func(tx *store.Tx, s *models.Session,
		_ []*models.Participant) (change models.SessionChange, err error) {
		row, err := store.One[proposal](tx.Where("event_id = ? AND session_id = ?", s.EventID, s.ID), nil)
		if err != nil {
			return change, err
		}
		if row == nil || row.WithdrawnFrom == "" || s.Status != models.Withdrawn {
			return change, store.Invalidf("status", "is not withdrawn by its people, so there is nothing to take up again")
		}
		change.UpdatedAt, change.Status = &token, new(row.WithdrawnFrom)
		return change, c.note(tx, s, map[string]any{"withdrawn_from": "", "withdrawn_reason": "", "withdrawn_at": nil})
	}})
}
