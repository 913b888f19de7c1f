package people

import (
	"context"
	"slices"
	"strings"

	"gorm.io/gorm"

	"lectern/models/staff"
	"lectern/models/store"
)

// Segment is a saved list of people with a name: its filters, order and columns, of the organization's directory or of
// an event's roster.
type Segment struct {
	ID             string
	OrganizationID string
	EventID        *string // the event of the roster; nil for the directory
	UserID         *string // the only user who has it; nil for the whole team
	Name           string
	Query          string // the page's query string
	CreatedAt      store.Time
	UpdatedAt      store.Time
}

// IsShared reports whether the whole team has the segment.
func (s *Segment) IsShared() bool { return s.UserID == nil }

// Keeper identifies the member of staff who uses segments. Team says that they may change the team's segments.
type Keeper struct {
	UserID string
	Team   bool
}

// mayChange reports whether the keeper may change a segment.
func (k Keeper) mayChange(s *Segment) bool {
	return s.IsShared() && k.Team || !s.IsShared() && *s.UserID == k.UserID
}

// SegmentInput holds the fields of a segment to be created or changed.
type SegmentInput struct {
	Name     string // 1 to 60 characters; unique among the segments of a list that somebody sees
	Query    string // at most MaxSegmentQuery characters
	IsShared bool   // for the whole team; needs Keeper.Team
}

const (
	// MaxSegments limits the segments of a list that one member of staff has, and those that the team has.
	MaxSegments = 50
	// MaxSegmentQuery limits a segment's query, in characters: it has room for columns and filters of all own fields.
	MaxSegmentQuery = 8000
	maxSegmentName  = 60
)

func (in *SegmentInput) clean() error {
	var f store.Faults
	f.Clean(store.CleanName, "name", &in.Name, maxSegmentName)
	f.Clean(store.CleanText, "query", &in.Query, MaxSegmentQuery)
	return f.Err()
}

var (
	errNoSegment    = store.Missing("There is no such segment here. It may have been deleted.")
	errStaleSegment = store.Outdated(
		"Someone else changed this segment since you read it. Read it again, then repeat your change.")
	errTeamSegment = store.Missing("An organizer changes this segment, for the whole team has it.")
)

// segments selects the segments of this list that the keeper sees.
func (d *Directory) segments(db *gorm.DB, k Keeper) *gorm.DB {
	db = db.Where("organization_id = ? AND (user_id IS NULL OR user_id = ?)", d.ID, k.UserID)
	if d.Event() != nil {
		return db.Where("event_id = ?", d.Event().ID)
	}
	return db.Where("event_id IS NULL")
}

// Segments returns the segments of this list that the keeper sees, by name: the team's, then their own.
func (d *Directory) Segments(ctx context.Context, k Keeper) ([]*Segment, error) {
	var all []*Segment
	err := d.segments(d.Read(ctx), k).Find(&all).Error
	slices.SortFunc(all, func(a, b *Segment) int {
		if a.IsShared() != b.IsShared() {
			return map[bool]int{true: -1, false: 1}[a.IsShared()]
		}
		return store.CompareNames(a.Name, a.ID, b.Name, b.ID)
	})
	return all, err
}

// Segment returns a segment of this list that the keeper sees, or NotFound.
func (d *Directory) Segment(ctx context.Context, k Keeper, id string) (*Segment, error) {
	return d.segment(d.Read(ctx), k, id)
}

func (d *Directory) segment(db *gorm.DB, k Keeper, id string) (*Segment, error) {
	return store.OneByID[Segment](d.segments(db, k), id, errNoSegment)
}

// AddSegment adds a segment to this list. It answers Invalid for a field that breaks its rule, for the name of another
// segment that the keeper sees, beyond MaxSegments, and for a team's segment without Keeper.Team; NotFound for a keeper
// who is not on the organization's staff.
func (d *Directory) AddSegment(ctx context.Context, k Keeper, in SegmentInput) (*Segment, error) {
	if err := in.clean(); err != nil {
		return nil, err
	}
	return store.Make(ctx, d.Write, func(tx *store.Tx) (*Segment, error) {
		if err := d.Hold(tx); err != nil {
			return nil, err
		}
		if err := d.isStaff(tx, k); err != nil {
			return nil, err
		}
		s := &Segment{ID: store.NewID(), OrganizationID: d.ID, EventID: d.EventID(), CreatedAt: tx.Now, UpdatedAt: tx.Now}
		if err := d.settle(tx, k, s, in); err != nil {
			return nil, err
		}
		if err := tx.Create(s).Error; err != nil {
			return nil, err
		}
		return s, d.tellSegment(tx, s, "created", nil, s.facts())
	})
}

// ChangeSegment changes a segment's name, query and sharing. It answers NotFound, also for a team's segment that the
// keeper may not change; Invalid as AddSegment does; and Stale when the token is outdated; nil forces the write.
func (d *Directory) ChangeSegment(ctx context.Context, k Keeper, id string, in SegmentInput, token *store.Time) (*Segment, error) {
	if err := in.clean(); err != nil {
		return nil, err
	}
	return store.Make(ctx, d.Write, func(tx *store.Tx) (*Segment, error) {
		s, err := d.heldSegment(tx, k, id)
		if err != nil {
			return nil, err
		}
		if token != nil && !token.Equal(s.UpdatedAt.Time) {
			return nil, errStaleSegment
		}
		before := s.facts()
		if err := d.settle(tx, k, s, in); err != nil {
			return nil, err
		}
		was, is := store.Changes(before, s.facts())
		if len(is) == 0 {
			return s, nil
		}
		s.UpdatedAt = tx.Now.Following(s.UpdatedAt)
		if err := tx.Model(&Segment{}).Where("id = ?", s.ID).Select("name", "query", "user_id", "updated_at").
			Updates(s).Error; err != nil {
			return nil, err
		}
		return s, d.tellSegment(tx, s, "updated", was, is)
	})
}

// DeleteSegment deletes a segment and returns it. It answers NotFound, also for a team's segment that the keeper may
// not change.
func (d *Directory) DeleteSegment(ctx context.Context, k Keeper, id string) (*Segment, error) {
	return store.Make(ctx, d.Write, func(tx *store.Tx) (*Segment, error) {
		s, err := d.heldSegment(tx, k, id)
		if err != nil {
			return nil, err
		}
		if err := tx.Where("id = ?", s.ID).Delete(&Segment{}).Error; err != nil {
			return nil, err
		}
		return s, d.tellSegment(tx, s, "deleted", s.facts(), nil)
	})
}

// heldSegment returns a segment that the keeper may change. It locks the organization first, so that names stay unique.
func (d *Directory) heldSegment(tx *store.Tx, k Keeper, id string) (*Segment, error) {
	if err := d.Hold(tx); err != nil {
		return nil, err
	}
	s, err := d.segment(tx.DB, k, id)
	if err == nil && !k.mayChange(s) {
		err = errTeamSegment
	}
	return s, err
}

// isStaff locks the keeper's user. It answers NotFound for somebody who is not on the organization's staff.
func (d *Directory) isStaff(tx *store.Tx, k Keeper) error {
	_, err := store.OneByID[staff.User](tx.Lock().Where("organization_id = ?", d.ID), k.UserID,
		store.Missing("There is no such member of staff."))
	return err
}

// settle writes an input to a segment. It answers Invalid if another segment has the name or there are too many.
func (d *Directory) settle(tx *store.Tx, k Keeper, s *Segment, in SegmentInput) error {
	if in.IsShared && !k.Team {
		return store.Invalidf("shared", "is for organizers to choose")
	}
	s.Name, s.Query, s.UserID = in.Name, in.Query, &k.UserID
	if in.IsShared {
		s.UserID = nil
	}
	var others []*Segment
	if err := d.segments(tx.DB, k).Where("id <> ?", s.ID).Find(&others).Error; err != nil {
		return err
	}
	like := 0
	for _, other := range others {
		if strings.EqualFold(other.Name, s.Name) {
			return store.Invalidf("name", "is what another segment of this list is called")
		}
		if other.IsShared() == s.IsShared() {
			like++
		}
	}
	if like >= MaxSegments {
		return store.Invalidf("name", "is one too many; delete one of the %d segments first", MaxSegments)
	}
	return nil
}

func (s *Segment) facts() map[string]any {
	return map[string]any{"name": s.Name, "query": s.Query, "shared": s.IsShared()}
}

// tellSegment records a change of a segment that the team has, or had.
func (d *Directory) tellSegment(tx *store.Tx, s *Segment, action string, was, is map[string]any) error {
	if !s.IsShared() && was["shared"] == nil {
		return nil
	}
	return d.Record(tx, store.Change{Subject: "segment", ID: s.ID, Action: action, Before: was, After: is})
}
