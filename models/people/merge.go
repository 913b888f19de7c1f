package people

import (
	"cmp"
	"context"
	"slices"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// MergePair says who of two contacts stays and who goes, and whose values stay where they differ.
type MergePair struct {
	SurvivorID, RemovedID string
	Take                  []string // names of Comparison.Fields that are taken of who goes; others stay as they are
	Keep                  []string // addresses that let in afterwards besides the survivor's own, of those that did before
	Version               string   // of the Comparison as it was read; "" for whatever there is now
}

// MaxMergePairs is how many pairs are merged at once.
const MaxMergePairs = 100

// Comparison is two people side by side, and what a merge makes of them.
type Comparison struct {
	Survivor, Removed *models.Person
	Fields            []MergeField
	Ways              []*MergeWay // by which people come in to the two, those of the survivor first
	Moves             MergeMoves
	Version           string
	IsDismissed       bool // somebody said that they are not the same
	// How many live and deleted sessions each is on.
	SurvivorSeats, RemovedSeats int
}

// MergeField is what two people have of one field.
type MergeField struct {
	Name, Label       string
	EventID           string // of a field of one event; "" of the profile
	IsHTML            bool
	Survivor, Removed string
	Taken             bool // the value of who goes stays
}

// Differs tells of a field that makes a difference.
func (f MergeField) Differs() bool { return f.Survivor != f.Removed }

// Open tells of a field where both have a value, so that somebody has to choose.
func (f MergeField) Open() bool { return f.Differs() && f.Survivor != "" && f.Removed != "" }

// MergeMoves are what changes hands as somebody goes.
type MergeMoves struct {
	Sessions, Letters, Notes, Tags, Events, Values, Aliases, Cards int
	Photo                                                          bool // of who goes becomes that of who stays
	Doubled                                                        []DoubledSeat
}

// DoubledSeat is a session that both are on: one seat stays.
type DoubledSeat struct {
	EventID, SessionID, FriendlyID, Title string
	Role                                  models.Role // that stays
}

// Compare returns two people of this directory side by side, and what their merge would move. It answers NotFound for
// who is not there, and Invalid for somebody with themselves or who was erased.
func (d *Directory) Compare(ctx context.Context, pair MergePair) (*Comparison, error) {
	if !store.IsID(pair.SurvivorID) || !store.IsID(pair.RemovedID) {
		return nil, models.ErrNoPerson
	}
	if pair.SurvivorID == pair.RemovedID {
		return nil, store.Invalidf("other", "is the same person already")
	}
	db := d.Read(ctx)
	sides, err := d.sides(db, pair.SurvivorID, pair.RemovedID)
	if err != nil {
		return nil, err
	}
	stays, gone := sides[pair.SurvivorID], sides[pair.RemovedID]
	if stays == nil || gone == nil {
		return nil, models.ErrNoPerson
	}
	if stays.ErasedAt != nil || gone.ErasedAt != nil {
		return nil, store.Invalidf("other", "was erased, so there is nothing to merge")
	}
	fields, err := d.Fields(ctx)
	if err != nil {
		return nil, err
	}
	c := &Comparison{Survivor: stays.Person, Removed: gone.Person, Version: version(stays, gone),
		SurvivorSeats: len(stays.Seats), RemovedSeats: len(gone.Seats)}
	for _, s := range []*side{stays, gone} {
		ways, err := waysOf(db, s, s == gone)
		if err != nil {
			return nil, err
		}
		c.Ways = append(c.Ways, ways...)
	}
	c.compare(stays, gone, mergeFacts(fields, stays, gone), pair.Take)
	if err := c.count(db, stays, gone); err != nil {
		return nil, err
	}
	c.IsDismissed, err = d.isDismissed(db, pair)
	return c, err
}

func (c *Comparison) compare(stays, gone *side, facts []mergeFact, take []string) {
	for _, f := range facts {
		row := MergeField{Name: f.name, Label: f.label, EventID: f.event, IsHTML: f.isHTML, Survivor: f.get(stays),
			Removed: f.get(gone)}
		row.Taken = row.Differs() && row.Removed != "" && (row.Survivor == "" || slices.Contains(take, f.name))
		if f.name == "photo_url" {
			c.Moves.Photo = row.Taken
		}
		c.Fields = append(c.Fields, row)
	}
}

// count counts what moves.
func (c *Comparison) count(db *gorm.DB, stays, gone *side) error {
	both, m := doubled(stays, gone), &c.Moves
	for _, seat := range gone.Seats {
		if own := both[seat.SessionID]; own != nil {
			m.Doubled = append(m.Doubled, DoubledSeat{seat.EventID, seat.SessionID, seat.FriendlyID, seat.Title,
				models.StrongerRole(own.Role, seat.Role)})
			continue
		}
		m.Sessions++
	}
	for event, tags := range gone.Tagged {
		for _, tag := range tags {
			if !slices.Contains(stays.Tagged[event], tag) {
				m.Tags++
			}
		}
	}
	for key, value := range gone.Own {
		if value != "" && stays.Own[key] == "" {
			m.Values++
		}
	}
	m.Notes, m.Events, m.Aliases, m.Cards = len(gone.Notes), len(gone.AtEvents), len(gone.Aliases), len(gone.Cards)
	var letters int64
	err := db.Model(&models.Letter{}).Where("contact_id = ?", gone.ID).Count(&letters).Error
	m.Letters = int(letters)
	return err
}

// MergeOutcome is what became of one pair of a batch.
type MergeOutcome struct {
	MergePair
	Name        string // of who stays
	RemovedName string
	LastID      string // of the survivor at the end of a chain; "" of a pair that was left out
	Reason      string // in place of a merge
}

// Merge makes one contact of each pair, all in one transaction: who goes is deleted, what they had is the survivor's. A
// pair of which anybody changed since its Version, or is gone, is left out and says why. Pairs may be a chain, which
// ends at the last survivor. The address that is nobody's own any more stays an alias. Afterwards the survivor's own
// address lets in to their place, and of the others those that Keep names; the sign-ins and links of all others end.
// Of two
// seats on one session one stays, with the role that comes first in ParticipantRoles. Sessions keep their tokens and
// emit nothing;
// contact.merged is emitted for each who goes, about the last survivor. The survivor's activity keeps all values
// of who went. It answers Invalid for no pairs and for more than MaxMergePairs.
func (d *Directory) Merge(ctx context.Context, pairs []MergePair) ([]*MergeOutcome, error) {
	if len(pairs) == 0 || len(pairs) > MaxMergePairs {
		return nil, store.Invalidf("pairs", "must be 1 to %d", MaxMergePairs)
	}
	for range mergeAttempts {
		done, err := store.Make(ctx, d.Write, func(tx *store.Tx) ([]*MergeOutcome, error) {
			m := &merger{Directory: d, tx: tx, into: map[string]string{}}
			return m.run(pairs)
		})
		if err != errMovedOn {
			return done, err
		}
	}
	return nil, errMovedOn
}

// mergeAttempts is how often a merge begins anew because somebody came to an event or a session of its people while
// it waited for them.
const mergeAttempts = 4

var errMovedOn = store.Outdated("Others are changing these people at the moment. Try again.")

// isDismissed tells whether somebody said that two are not the same.
func (d *Directory) isDismissed(db *gorm.DB, pair MergePair) (bool, error) {
	first, second := ordered(pair.SurvivorID, pair.RemovedID)
	var n int64
	err := db.Model(&DismissedPair{}).Where("organization_id = ? AND first_id = ? AND second_id = ?", d.ID, first, second).
		Count(&n).Error
	return n > 0, err
}

// ordered are two ids in the order in which a pair has them.
func ordered(a, b string) (first, second string) {
	if cmp.Compare(a, b) < 0 {
		return a, b
	}
	return b, a
}

// MergedInto is the person of this directory whom somebody was merged into, at last. It answers NotFound for who was
// not, also of what an erasing has forgotten.
func (d *Directory) MergedInto(ctx context.Context, id string) (*models.Person, error) {
	if !store.IsID(id) {
		return nil, models.ErrNoPerson
	}
	for seen := []string{}; !slices.Contains(seen, id); {
		seen = append(seen, id)
		line, err := store.One[store.Activity](d.Read(ctx).
			Where("organization_id = ? AND subject = 'contact' AND action = 'merged'", d.ID).
			Where("CAST(after AS text) LIKE ?", `%"merged_away_id"%"`+id+`"%`).Order("created_at DESC, id DESC"), nil)
		if err != nil {
			return nil, err
		}
		if line == nil {
			break
		}
		id = line.SubjectID
	}
	return d.Person(ctx, id)
}

// MergesInto are the lines of activity of merges into somebody of this directory, the latest first. Before has the
// values of who is gone as removed, and those of the survivor that were changed. It answers NotFound.
func (d *Directory) MergesInto(ctx context.Context, id string) (*models.Person, []*store.ActivityEntry, error) {
	person, err := d.Person(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	var lines []*store.Activity
	err = d.Read(ctx).Where("organization_id = ? AND subject = 'contact' AND subject_id = ? AND action = 'merged'", d.ID, id).
		Order("created_at DESC, id DESC").Limit(200).Find(&lines).Error
	entries, _ := store.EntriesOf(lines)
	return person, entries, err
}
