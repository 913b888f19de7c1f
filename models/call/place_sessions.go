package call

import (
	"cmp"
	"context"
	"slices"

	"lectern/models"
	"lectern/models/store"
)

// OwnSession is a submission or a session of the place's owner, with what they may know of it.
type OwnSession struct {
	ID, EventID, FriendlyID, Title string
	IsAbstract                     bool
	Status                         models.Status // as speakers see it: a queue is Pending
	Into                           string        // id of the session that it is part of, "" for none
	Format                         string        `gorm:"-"` // the format's name, "" for none
	Minutes                        int           `gorm:"-"` // the format's length; 0 if it has none
	IsOn                           bool          `gorm:"-"` // they are on it, and have not only begun it
	With                           []Colleague   `gorm:"-"` // the others on it, in their order
	// when and where it takes place: only if it, or the session it is part of, is public
	StartsAt, EndsAt *store.Time
	Room             string `gorm:"-"`
	IsPublic         bool
	Standing         Standing       `gorm:"embedded"` // of a submission; without its Window
	Answer           *Participation `gorm:"-"`
	LetterID         string         // the last letter sent about its decision, "" for none
	Event            *models.Event  `gorm:"-"`
}

// Colleague is somebody else on a submission or session.
type Colleague struct {
	Name   string
	Answer string // yes, no, or "" for no answer
}

// Began reports whether a contact began it.
func (m *OwnSession) Began(contactID string) bool { return m.Standing.BeganBy == contactID }

// speakerStatus returns a status as speakers see it: queues stay the committee's secret until the decisions are
// committed.
func speakerStatus(s models.Status) models.Status {
	if s == models.AcceptQueue || s == models.DeclineQueue {
		return models.Pending
	}
	return s
}

// mineRow is a row of the list as it is read.
type mineRow struct {
	OwnSession       `gorm:"embedded"`
	FormatID, RoomID string
}

// mine selects the submissions that the place's owner began or is on, and the sessions that they are on without a
// submission of theirs behind these; not sessions that staff only prepare.
const mine = `SELECT s.id, s.event_id, s.friendly_id, s.title, s.is_abstract, s.status, s.updated_at,
		coalesce(s.format_id, '') AS format_id, coalesce(t.id, '') AS "into",
		CASE WHEN t.id IS NULL THEN s.is_public ELSE t.is_public END AS is_public,
		CASE WHEN t.id IS NULL THEN s.starts_at ELSE t.starts_at END AS starts_at,
		CASE WHEN t.id IS NULL THEN s.ends_at ELSE t.ends_at END AS ends_at,
		coalesce(CASE WHEN t.id IS NULL THEN s.room_id ELSE t.room_id END, '') AS room_id,
		coalesce(p.contact_id, '') AS began_by, p.submitted_at, p.locked_at, p.open_until,
		coalesce(p.withdrawn_from, '') AS withdrawn_from, coalesce(p.withdrawn_reason, '') AS withdrawn_reason,
			p.withdrawn_at,
		coalesce((SELECT max(l.id) FROM letters l WHERE l.event_id = s.event_id AND l.session_id = s.id
			AND l.contact_id = @contact AND l.is_current AND l.state = 'sent'), '') AS letter_id
	FROM sessions s JOIN events e ON e.id = s.event_id
	LEFT JOIN proposals p ON p.session_id = s.id
	LEFT JOIN sessions t ON t.event_id = s.event_id AND t.id = s.composed_into AND t.deleted_at IS NULL
	WHERE e.organization_id = @organization AND s.deleted_at IS NULL
		AND s.id IN (SELECT x.session_id FROM participants x WHERE x.contact_id = @contact
			UNION SELECT b.session_id FROM proposals b WHERE b.contact_id = @contact)
		AND (s.is_abstract OR s.status <> 'draft' AND NOT EXISTS (SELECT 1 FROM sessions a
			JOIN participants y ON y.session_id = a.id AND y.contact_id = @contact
			WHERE a.event_id = s.event_id AND a.composed_into = s.id AND a.deleted_at IS NULL))`

// OwnSessions returns all submissions and sessions of the place's owner at the events at which it opens, the latest event
// first; within an event by what needs doing: drafts, then accepted, pending, declined and withdrawn ones.
func (pl *Place) OwnSessions(ctx context.Context) ([]*OwnSession, error) { return pl.readOwn(ctx, "") }

// One returns an OwnSession, at an event. It answers NotFound for any other.
func (pl *Place) One(ctx context.Context, event *models.Event, id string) (*OwnSession, error) {
	if !store.IsID(id) {
		return nil, errNoProposal
	}
	all, err := pl.readOwn(ctx, " AND s.event_id = @event AND s.id = @id", map[string]any{"event": event.ID, "id": id})
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, errNoProposal
	}
	return all[0], nil
}

func (pl *Place) readOwn(ctx context.Context, narrowed string, values ...map[string]any) ([]*OwnSession, error) {
	named := map[string]any{"organization": pl.organizationID, "contact": pl.contactID, "only": pl.only}
	if pl.IsNarrow() {
		narrowed += " AND s.event_id = @only"
	}
	for _, more := range values {
		for name, value := range more {
			named[name] = value
		}
	}
	var rows []*mineRow
	if err := pl.read(ctx).Raw(mine+narrowed, named).Scan(&rows).Error; err != nil || len(rows) == 0 {
		return nil, err
	}
	all, byID := make([]*OwnSession, len(rows)), map[string]*OwnSession{}
	for i, r := range rows {
		if r.Status = speakerStatus(r.Status); !r.IsPublic {
			r.StartsAt, r.EndsAt, r.RoomID = nil, nil, ""
		}
		all[i], byID[r.ID] = &r.OwnSession, &r.OwnSession
	}
	if err := pl.fillEvents(ctx, all); err != nil {
		return nil, err
	}
	if err := pl.fillNames(ctx, rows, byID); err != nil {
		return nil, err
	}
	if err := pl.fillPeople(ctx, byID); err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, inTurn)
	return all, nil
}

// turns is the order of statuses within an event.
var turns = []models.Status{models.Draft, models.Accepted, models.Pending, models.Declined, models.Withdrawn}

func inTurn(a, b *OwnSession) int {
	begins := func(m *OwnSession) string {
		if m.Event.StartsOn == nil {
			return ""
		}
		return *m.Event.StartsOn
	}
	return cmp.Or(cmp.Compare(begins(b), begins(a)), cmp.Compare(a.EventID, b.EventID),
		cmp.Compare(slices.Index(turns, a.Status), slices.Index(turns, b.Status)), cmp.Compare(b.ID, a.ID))
}

func (pl *Place) fillEvents(ctx context.Context, all []*OwnSession) error {
	ids := store.Map(all, func(m *OwnSession) string { return m.EventID })
	slices.Sort(ids)
	var events []*models.Event
	err := pl.read(ctx).Select("id, organization_id, name, slug, timezone, starts_on, ends_on, cfp_opens_at, cfp_closes_at").
		Where("organization_id = ? AND id IN ?", pl.organizationID, slices.Compact(ids)).Find(&events).Error
	for _, m := range all {
		for _, e := range events {
			if e.ID == m.EventID {
				m.Event = e
			}
		}
	}
	return err
}

// fillNames fills in the names of formats and rooms.
func (pl *Place) fillNames(ctx context.Context, rows []*mineRow, byID map[string]*OwnSession) error {
	var ids []string
	for _, r := range rows {
		ids = append(ids, r.FormatID, r.RoomID)
	}
	ids = slices.DeleteFunc(ids, func(id string) bool { return id == "" })
	var found []*models.Metadata
	if err := pl.read(ctx).Where("id IN ?", ids).Find(&found).Error; err != nil {
		return err
	}
	for _, r := range rows {
		for _, row := range found {
			switch row.ID {
			case r.FormatID:
				byID[r.ID].Format = row.Name
				if row.DefaultMinutes != nil {
					byID[r.ID].Minutes = *row.DefaultMinutes
				}
			case r.RoomID:
				byID[r.ID].Room = row.Name
			}
		}
	}
	return nil
}

// fillPeople fills in the other people on them, and their answers whether they come.
func (pl *Place) fillPeople(ctx context.Context, byID map[string]*OwnSession) error {
	var people []struct {
		SessionID, ContactID, Name, Answer string
	}
	ids := make([]string, 0, len(byID))
	for id := range byID {
		ids = append(ids, id)
	}
	err := pl.read(ctx).Table("participants x").Joins("JOIN contacts c ON c.id = x.contact_id").
		Joins("LEFT JOIN participations a ON a.session_id = x.session_id AND a.contact_id = x.contact_id").
		Select("x.session_id, x.contact_id, c.full_name AS name, coalesce(a.answer, '') AS answer").
		Where("x.session_id IN ? AND c.organization_id = ?", ids, pl.organizationID).
		Order("x.session_id, x.position").Find(&people).Error
	if err != nil {
		return err
	}
	for _, p := range people {
		if p.ContactID == pl.contactID {
			byID[p.SessionID].IsOn = true
		} else {
			byID[p.SessionID].With = append(byID[p.SessionID].With, Colleague{Name: p.Name, Answer: p.Answer})
		}
	}
	var own []*Participation
	err = pl.read(ctx).Where("contact_id = ? AND session_id IN ?", pl.contactID, ids).Find(&own).Error
	for _, answer := range own {
		byID[answer.SessionID].Answer = answer
	}
	return err
}
