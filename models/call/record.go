package call

import (
	"context"
	"maps"
	"time"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// Record is what the call stores about a session, for the event's staff. For a session that staff made that is little.
type Record struct {
	BeganBy, BeganByName string      // a contact; "" for a session that staff made
	BeganAt              *store.Time // nil for a session that staff made
	SubmittedAt          *store.Time
	Code, CodeNote       string // of the code with which it was begun; "" without one
	LockedAt             *store.Time
	OpenUntil            *store.Time
	WithdrawnFrom        models.Status
	WithdrawnReason      string
	WithdrawnAt          *store.Time
	HasMore              bool
	Asked                []*CoSpeaker              `gorm:"-"`
	Participations       map[string]*Participation `gorm:"-"` // by contact
	Extended             map[string]store.Time     `gorm:"-"` // end of the extension, by contact
	Access               map[string]Access         `gorm:"-"` // by contact, without people who have none
	Files                map[string]*models.File   `gorm:"-"` // by question key
}

// Access says how somebody enters their place.
type Access string

const (
	ByAddress Access = "confirmed" // their address is proven
	ByTyping  Access = "typed"     // nobody has proven yet that the address is theirs
)

// Record returns what the call stores about a session of the event.
func (c *Call) Record(ctx context.Context, s *models.Session) (*Record, error) {
	r := &Record{}
	db := c.p.Read(ctx)
	if err := db.Table("sessions s").Joins("LEFT JOIN proposals p ON p.session_id = s.id").
		Joins("LEFT JOIN contacts c ON c.id = p.contact_id").Joins("LEFT JOIN call_codes k ON k.id = p.code_id").
		Select("coalesce(p.contact_id, '') AS began_by, coalesce(c.full_name, '') AS began_by_name, p.created_at AS began_at, "+
			"p.submitted_at, coalesce(k.code, '') AS code, coalesce(k.note, '') AS code_note, p.locked_at, p.open_until, "+
			"coalesce(p.withdrawn_from, '') AS withdrawn_from, coalesce(p.withdrawn_reason, '') AS withdrawn_reason, "+
			"p.withdrawn_at, "+more).
		Where("s.event_id = ? AND s.id = ?", s.EventID, s.ID).Scan(r).Error; err != nil {
		return nil, err
	}
	r.Participations, r.Extended = map[string]*Participation{}, map[string]store.Time{}
	r.Access, r.Files = map[string]Access{}, map[string]*models.File{}
	if !r.HasMore {
		return r, nil
	}
	people := []string{r.BeganBy}
	for _, x := range s.Participants {
		people = append(people, x.ContactID)
	}
	return r, c.fill(db, r, s, people)
}

// more is the SQL column that tells whether other tables have rows of the session; for most sessions they have none.
const more = `p.session_id IS NOT NULL OR EXISTS (SELECT 1 FROM co_speakers x WHERE x.session_id = s.id)
	OR EXISTS (SELECT 1 FROM participations x WHERE x.session_id = s.id)
	OR EXISTS (SELECT 1 FROM participants x JOIN speaker_accounts a ON a.contact_id = x.contact_id WHERE x.session_id = s.id)
	OR EXISTS (SELECT 1 FROM participants x JOIN call_extensions e ON e.event_id = x.event_id AND e.contact_id = x.contact_id
		WHERE x.session_id = s.id) AS has_more`

func (c *Call) fill(db *gorm.DB, r *Record, s *models.Session, people []string) error {
	var participations []*Participation
	var extended []*extension
	var accounts []*Account
	of := db.Session(&gorm.Session{}).Where("event_id = ? AND session_id = ?", s.EventID, s.ID).Session(&gorm.Session{})
	for _, err := range []error{
		of.Order("created_at, id").Find(&r.Asked).Error,
		of.Find(&participations).Error,
		db.Where("event_id = ? AND contact_id IN ?", s.EventID, people).Find(&extended).Error,
		db.Where("organization_id = ? AND contact_id IN ?", c.p.Event().OrganizationID, people).Find(&accounts).Error,
	} {
		if err != nil {
			return err
		}
	}
	for _, x := range participations {
		r.Participations[x.ContactID] = x
	}
	for _, x := range extended {
		r.Extended[x.ContactID] = x.Until
	}
	for _, a := range accounts {
		if a.ConfirmedAt != nil {
			r.Access[a.ContactID] = ByAddress
		} else if r.Access[a.ContactID] == "" {
			r.Access[a.ContactID] = ByTyping
		}
	}
	var err error
	r.Files, err = answerFiles(db, s.EventID, s.ID)
	return err
}

// keepFacts updates the call's row of a locked submission. For one without a row, which staff made, it inserts it: then
// the contact counts as the one that began it, "" for nobody.
func keepFacts(tx *store.Tx, s *models.Session, contactID string, facts map[string]any) error {
	done := tx.Model(&proposal{}).Where("event_id = ? AND session_id = ?", s.EventID, s.ID).Updates(facts)
	if done.Error != nil || done.RowsAffected > 0 {
		return done.Error
	}
	row := map[string]any{"session_id": s.ID, "event_id": s.EventID, "contact_id": contactID, "created_at": tx.Now}
	maps.Copy(row, facts)
	return tx.Model(&proposal{}).Create(row).Error
}

// submission returns a live submission of the event, locked. It answers NotFound.
func (c *Call) submission(tx *store.Tx, id string) (*models.Session, error) {
	s, err := c.p.Live(tx, id)
	if err == nil && !s.IsAbstract {
		err = store.NoSuch("submission")
	}
	return s, err
}

// note keeps facts of a locked submission, and records what staff did with it.
func (c *Call) note(tx *store.Tx, s *models.Session, facts map[string]any, action string, told map[string]any) error {
	if err := keepFacts(tx, s, "", facts); err != nil {
		return err
	}
	return c.p.Record(tx, store.Change{Subject: "session", ID: s.ID, Action: action, After: told})
}

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
		return c.note(tx, s, facts, action, nil)
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
		return c.note(tx, s, facts, action, untilFacts(until))
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
		return change, keepFacts(tx, s, "", map[string]any{"withdrawn_from": "", "withdrawn_reason": "", "withdrawn_at": nil})
	}})
}
