package people

import (
	"cmp"
	"context"
	"slices"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// MergePair names the two contacts of a merge: the survivor, and the one who is removed.
type MergePair struct {
	SurvivorID, RemovedID string
	Take                  []string // names of Comparison.Fields taken from the removed contact
	Keep                  []string // addresses that still open the place, besides the survivor's own
	Version               string   // of the Comparison as it was read; "" skips the check
}

// MaxMergePairs limits the pairs of one merge.
const MaxMergePairs = 100

// Comparison shows two people side by side, and what a merge would do.
type Comparison struct {
	Survivor, Removed *models.Person
	Fields            []MergeField
	Ways              []*MergeWay // the addresses by which people enter the two places, the survivor's first
	Moves             MergeMoves
	Version           string
	IsDismissed       bool // somebody said that they are different people
	// the number of live and deleted sessions of each
	SurvivorSeats, RemovedSeats int
}

// MergeField is one field with the values of both people.
type MergeField struct {
	Name, Label       string
	EventID           string // of a field of one event; "" for the profile
	IsHTML            bool
	Survivor, Removed string
	Taken             bool // a merge takes the removed contact's value
}

// Differs reports whether the two values differ.
func (f MergeField) Differs() bool { return f.Survivor != f.Removed }

// Open reports whether both people have a value and these differ, so that somebody has to choose.
func (f MergeField) Open() bool { return f.Differs() && f.Survivor != "" && f.Removed != "" }

// MergeMoves counts what moves from the removed contact to the survivor.
type MergeMoves struct {
	Sessions, Letters, Notes, Tags, Events, Values, Aliases, Cards int
	Photo                                                          bool // the removed contact's photo is taken
	Doubled                                                        []DoubledSeat
}

// DoubledSeat is a session that both are on: one of the seats stays.
type DoubledSeat struct {
	EventID, SessionID, FriendlyID, Title string
	Role                                  models.Role // the role of the seat that stays
}

// Compare returns two people of this directory side by side, and what their merge would move. It answers NotFound for
// unknown people, and Invalid for one person twice or for somebody who was erased.
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

// count counts what would move.
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

// MergeOutcome is the result for one pair of a batch.
type MergeOutcome struct {
	MergePair
	Name        string // the survivor's
	RemovedName string
	LastID      string // the survivor's id at the end of a chain; "" for a pair that was left out
	Reason      string // why the pair was left out
}

// Merge merges each pair into one contact, all in one transaction: the removed contact is deleted, and what it had
// belongs to the survivor. A pair is left out, with the reason, if anybody changed it since its Version or is gone.
// Pairs may form a chain, which ends at the last survivor. An address that is nobody's own any more becomes an alias.
// Afterwards the survivor's own address opens their place, and so do those others that Keep names; the logins and links
// of all others end. Of two seats on one session one stays, with the role that comes first in ParticipantRoles.
// Sessions keep their tokens and emit nothing; contact.merged is emitted for each removed contact, about the last
// survivor. The survivor's activity keeps all values of the removed contact. It answers Invalid for no pairs and for
// more than MaxMergePairs.
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

// mergeAttempts is how often a merge is tried when one of its people is added to an event or a session while it waits
// for their locks.
const mergeAttempts = 4

var errMovedOn = store.Outdated("Others are changing these people at the moment. Try again.")

// isDismissed reports whether somebody said that two contacts are different people.
func (d *Directory) isDismissed(db *gorm.DB, pair MergePair) (bool, error) {
	first, second := ordered(pair.SurvivorID, pair.RemovedID)
	var n int64
	err := db.Model(&DismissedPair{}).Where("organization_id = ? AND first_id = ? AND second_id = ?", d.ID, first, second).
		Count(&n).Error
	return n > 0, err
}

// ordered returns two ids in the order in which DismissedPair stores them.
func ordered(a, b string) (first, second string) {
	if cmp.Compare(a, b) < 0 {
		return a, b
	}
	return b, a
}

// MergedInto returns the person of this directory into whom a contact was finally merged. It answers NotFound if
// there is neither such a person nor a record of their merge, as after the survivor was erased.
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

// MergesInto returns a person of this directory and the activity of merges into them, the latest first, at most 200.
// Before has the removed contact's values under "removed", and the survivor's values that changed. It answers NotFound.
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
