package models

import (
	"context"
	"slices"
	"time"

	"gorm.io/gorm"

	"lectern/models/store"
)

// BreakKind is what stands in the agenda beside sessions.
type BreakKind string

const (
	Pause   BreakKind = "break"   // lunch, coffee
	Blocker BreakKind = "blocker" // a room that cannot be used
)

// BreakKinds lists all kinds of breaks.
var BreakKinds = []BreakKind{Pause, Blocker}

// Break is a row of the agenda that is not a session: a pause, or a time at which a room is blocked. The API does not
// show it; public pages and feeds do.
type Break struct {
	ID        string
	EventID   string
	Kind      BreakKind
	Title     string
	StartsAt  store.Time
	EndsAt    store.Time // later than StartsAt
	RoomID    *string    // nil for all rooms
	IsPlenary bool       // nothing may be beside it, in whichever room
	Sequence  int        // how often it was changed, for calendars
	CreatedAt store.Time
	UpdatedAt store.Time // the concurrency token of changes
	DeletedAt *store.Time
}

// TableName returns the name of the table of breaks.
func (Break) TableName() string { return "agenda_breaks" }

// Span returns the time that the break takes.
func (b *Break) Span() Span { return Span{b.StartsAt, b.EndsAt} }

// Covers reports whether the break takes place in a room; one without a room covers all.
func (b *Break) Covers(roomID string) bool { return b.RoomID == nil || *b.RoomID == roomID }

// maxBreak is the longest break allowed. The longest duration in an exported schedule is 99 hours: it has two digits.
const maxBreak = 4 * 24 * time.Hour

// NewBreak holds the fields of a break to be created.
type NewBreak struct {
	Kind             BreakKind
	Title            string // 1 to 255 characters
	StartsAt, EndsAt store.Time
	RoomID           *string // nil for all rooms
	IsPlenary        bool
}

// BreakChange is a partial change of a break. Nil, or an Optional that is not set, leaves a field alone.
type BreakChange struct {
	Kind      *BreakKind
	Title     *string
	StartsAt  *store.Time
	EndsAt    *store.Time
	RoomID    store.Optional[string] // null for all rooms
	IsPlenary *bool
	UpdatedAt *store.Time // the value last read; nil forces the write
}

// Change returns a change that sets every field to that of the new row.
func (n *NewBreak) Change() BreakChange {
	return BreakChange{Kind: &n.Kind, Title: &n.Title, StartsAt: &n.StartsAt, EndsAt: &n.EndsAt,
		RoomID: store.Optional[string]{Set: true, Value: n.RoomID}, IsPlenary: &n.IsPlenary}
}

// Apply writes the change to b. It answers Invalid for a field that breaks its rule.
func (c *BreakChange) Apply(b *Break, refs MetadataSet) error {
	var f store.Faults
	if c.Kind != nil {
		if b.Kind = *c.Kind; !slices.Contains(BreakKinds, b.Kind) {
			f.Add(store.Invalidf("kind", "must be one of break, blocker"))
		}
	}
	if c.Title != nil {
		b.Title = *c.Title
		f.Clean(store.CleanName, "title", &b.Title, store.MaxTitle)
	}
	if c.StartsAt != nil {
		b.StartsAt = *c.StartsAt
	}
	if c.EndsAt != nil {
		b.EndsAt = *c.EndsAt
	}
	switch length := b.EndsAt.Sub(b.StartsAt.Time); {
	case b.StartsAt.IsZero():
		f.Add(store.Invalidf("starts_at", "must be given"))
	case b.EndsAt.IsZero():
		f.Add(store.Invalidf("ends_at", "must be given"))
	case length <= 0:
		f.Add(store.Invalidf("ends_at", "must be after starts_at"))
	case length > maxBreak:
		f.Add(store.Invalidf("ends_at", "must be at most 4 days after starts_at"))
	}
	if c.IsPlenary != nil {
		b.IsPlenary = *c.IsPlenary
	}
	b.RoomID = c.RoomID.Or(b.RoomID)
	if c.RoomID.Set {
		f.Add(refs.check(Rooms, "room_id", b.RoomID))
	}
	return f.Err()
}

// Facts returns the fields that a change can set, for comparing two states.
func (b *Break) Facts() map[string]any {
	return map[string]any{"kind": b.Kind, "title": b.Title, "starts_at": b.StartsAt.String(),
		"ends_at": b.EndsAt.String(), "room_id": store.Fact(b.RoomID), "is_plenary": b.IsPlenary}
}

// BreaksIn selects the event's breaks that are not deleted.
func (p *Programme) BreaksIn(db *gorm.DB) *gorm.DB {
	return db.Where("event_id = ? AND deleted_at IS NULL", p.event.ID)
}

// MaxBreaks is the largest number of breaks that one read returns.
const MaxBreaks = 5000

// Breaks returns the event's breaks and blockers that overlap the time between two moments, ordered by start. A zero
// moment means no bound. Any change of breaks raises the version of the event's sessions.
func (p *Programme) Breaks(ctx context.Context, from, to store.Time) ([]*Break, error) {
	query := p.BreaksIn(p.Read(ctx))
	if !from.IsZero() {
		query = query.Where("ends_at > ?", from)
	}
	if !to.IsZero() {
		query = query.Where("starts_at < ?", to)
	}
	var all []*Break
	return all, query.Order("starts_at, id").Limit(MaxBreaks).Find(&all).Error
}

// Break returns a break or blocker. It answers NotFound, also for a deleted one.
func (p *Programme) Break(ctx context.Context, id string) (*Break, error) {
	return p.FindBreak(p.Read(ctx).Where("deleted_at IS NULL"), id)
}

// HeldBreak is Break, with the row locked.
func (p *Programme) HeldBreak(tx *store.Tx, id string) (*Break, error) {
	return p.FindBreak(tx.Lock().Where("deleted_at IS NULL"), id)
}

// FindBreak returns the event's break with this id within the given query, deleted ones too. It answers NotFound.
func (p *Programme) FindBreak(of *gorm.DB, id string) (*Break, error) {
	return store.OneByID[Break](of.Where("event_id = ?", p.event.ID), id, store.NoSuch("break"))
}

// ErrStaleBreak answers a change whose token is outdated.
var ErrStaleBreak = store.Outdated(
	"Someone else changed this break since you read it. Read it again, then repeat your change.")

// CommitBreak saves a break, records it unless action is "", and raises the version of the event's sessions, so that
// cached agendas are read anew. before is nil for a new break.
func (p *Programme) CommitBreak(tx *store.Tx, action string, before, b *Break) error {
	line := store.Change{Subject: "break", Action: action}
	if before == nil {
		b.ID, b.EventID, b.CreatedAt, b.UpdatedAt = store.NewID(), p.event.ID, tx.Now, tx.Now
		line.After = b.Facts()
		if err := tx.Create(b).Error; err != nil {
			return err
		}
	} else {
		was, is := store.Changes(before.Facts(), b.Facts())
		if len(is) == 0 && (before.DeletedAt == nil) == (b.DeletedAt == nil) {
			return nil
		}
		line.Before, line.After = was, is
		if action == "deleted" {
			line.Before = before.Facts()
		}
		b.UpdatedAt, b.Sequence = tx.Now.Following(before.UpdatedAt), before.Sequence+1
		done := tx.Model(b).Where("event_id = ? AND updated_at = ?", p.event.ID, before.UpdatedAt).
			Select("kind", "title", "starts_at", "ends_at", "room_id", "is_plenary", "sequence", "updated_at",
				"deleted_at").Updates(b)
		if err := store.Changed(done, ErrStaleBreak); err != nil {
			return err
		}
	}
	Touch(tx, p.event.ID)
	if line.ID = b.ID; action == "" {
		return nil
	}
	return p.Record(tx, line)
}

// MoveBreaks moves the breaks of a deleted room to other; if that is nil, the breaks are deleted too.
func (p *Programme) MoveBreaks(tx *store.Tx, room, other *Metadata) error {
	if room.Family != Rooms {
		return nil
	}
	in := func(db *gorm.DB) *gorm.DB { return db.Where("event_id = ? AND room_id = ?", p.event.ID, room.ID) }
	var all []*Break
	if err := in(tx.Lock()).Order("id").Find(&all).Error; err != nil || len(all) == 0 {
		return err
	}
	Touch(tx, p.event.ID)
	var lines []*store.Activity
	for _, b := range all {
		change := store.Change{Subject: "break", ID: b.ID, Action: "deleted", Before: b.Facts()}
		if other != nil {
			change.Action, change.Before = "updated", map[string]any{"room_id": room.ID}
			change.After = map[string]any{"room_id": other.ID}
		}
		line, err := change.ActivityRow(p.event.OrganizationID, &p.event.ID, p.By(), tx.Now)
		if err != nil {
			return err
		}
		if b.DeletedAt == nil {
			lines = append(lines, line)
		}
	}
	if err := store.InsertInto(tx, "activity", lines); err != nil {
		return err
	}
	if other == nil {
		return in(tx.DB).Delete(&Break{}).Error
	}
	latest := slices.MaxFunc(all, func(a, b *Break) int { return a.UpdatedAt.Compare(b.UpdatedAt.Time) })
	return in(tx.Model(&Break{})).UpdateColumns(map[string]any{"room_id": other.ID,
		"updated_at": tx.Now.Following(latest.UpdatedAt), "sequence": gorm.Expr("sequence + 1")}).Error
}
