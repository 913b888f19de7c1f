package models

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"lectern/models/store"
)

// SessionFilter narrows a search; fields that are nil or empty do not.
type SessionFilter struct {
	IDs            []string // at most 100
	Numbers        []int    // of labels such as S-12, at most MaxNumbers
	Statuses       []Status
	NoDrafts       bool // leaves out submissions that were not submitted
	IsAbstract     *bool
	IsPublic       *bool
	ContentStates  []ContentState
	Scheduled      *bool // has a start
	Text           string
	IncludeDeleted bool
	Deleted        *bool    // true finds only the deleted sessions: the Trash
	ContactIDs     []string // of participants
	Speaker        string   // a participant, by the id or words of the name
	Coming         Coming   // whether the participants come
	Needs          Need     // finds sessions with this need
	ComposedInto   string   // the id or label of a session; finds its parts
	Tracks         []string // ids or names; a name stands for all tracks that have it
	TrackIDs       []string
	Rooms          []string // like Tracks
	RoomIDs        []string
	Formats        []string // like Tracks
	FormatIDs      []string
	Levels         []string // like Tracks
	LevelIDs       []string
	Tags           []string // like Tracks; any of them is enough
	TagIDs         []string
	Without        []Family    // finds sessions without a row of these families
	OnDay          string      // the day on which it starts, such as 2027-05-20, in the event's zone
	RunsAt         *store.Time // takes place at that moment
	StartsAfter    *store.Time // exclusive, like all bounds of time
	StartsBefore   *store.Time
	CreatedAfter   *store.Time
	CreatedBefore  *store.Time
	UpdatedAfter   *store.Time
	UpdatedBefore  *store.Time
	ScoreFrom      *Score // inclusive
	ScoreBelow     *Score
	Reviewed       *bool  // by anybody
	ReviewedBy     string // the id of a member of staff
	AwaitsReviewBy string // undecided, submitted by others, and not yet reviewed by this member of staff
}

// MaxNumbers limits how many sessions a filter can name by their numbers.
const MaxNumbers = 10_000

// SessionSearch is one page of the sessions that pass the filter. The default order is by updatedAt, descending, except
// that a session whose label is the text comes first. The id always breaks ties, so pages never overlap, and sessions
// without a start or a score come last in both directions.
type SessionSearch struct {
	Filter    SessionFilter
	Sort      SortKey
	RoundID   string // the round of ByRound
	Ascending bool
	Page      store.Page
	Spared    Spared
	// SortedAtOnce is how many ids EachSession reads at once; 0 means exportSort.
	SortedAtOnce int
}

// SearchSessions returns one page and the exact count, in a number of SQL statements that does not depend on the number
// of rows. It answers Invalid for a search that breaks a rule.
func (p *Programme) SearchSessions(ctx context.Context, q SessionSearch) ([]*Session, store.Pagination, error) {
	return searched(ctx, p, &q, p.readPage)
}

// searched runs a search whose page is read by the function read, and returns the page with the exact count.
func searched[T any](ctx context.Context, p *Programme, q *SessionSearch,
	read func(page *gorm.DB, spared Spared) ([]T, error)) ([]T, store.Pagination, error) {
	if err := p.cleanSearch(ctx, q); err != nil {
		return nil, store.Pagination{}, err
	}
	filtered := p.found(p.Read(ctx), q)
	rows, err := read(p.page(filtered, q), q.Spared)
	if err != nil {
		return nil, store.Pagination{}, err
	}
	total := int64(q.Page.Offset() + len(rows))
	if len(rows) == q.Page.Size || (len(rows) == 0 && q.Page.Number > 1) {
		// The last page tells the count without a query.
		if total, err = p.CountPassing(ctx, filtered, &q.Filter); err != nil {
			return nil, store.Pagination{}, err
		}
	}
	return rows, q.Page.Of(total), nil
}

// usualSizes are the page sizes that have a query plan of their own; each connection caches one plan for each.
var usualSizes = []int{25, 50, 100}

// page selects the rows of a page. PostgreSQL would plan the statement anew each time, which takes longer than running
// it, unless the limit is part of the text. Narrower searches are worth a plan of their own.
func (p *Programme) page(filtered *gorm.DB, q *SessionSearch) *gorm.DB {
	order := orderBy(q.terms(), false)
	if q.Page.Number > 1 || q.Sort == ByRound || !q.Filter.isOfKind() || !slices.Contains(usualSizes, q.Page.Size) {
		return filtered.Order(order).Limit(q.Page.Size).Offset(q.Page.Offset())
	}
	return filtered.Order(fmt.Sprintf("%s LIMIT %d", order, q.Page.Size))
}

// idsOf is a column with the ids that a filter asks for.
type idsOf struct {
	name string
	ids  []string
}

// labels returns the ids of metadata that the filter asks for, by column.
func (f *SessionFilter) labels() []idsOf {
	return []idsOf{{"track_id", f.TrackIDs}, {"room_id", f.RoomIDs}, {"format_id", f.FormatIDs}, {"level_id", f.LevelIDs}}
}

// submitted excludes drafts of submissions.
const submitted = "NOT (is_abstract AND status = 'draft')"

func (p *Programme) filter(db *gorm.DB, f *SessionFilter) *gorm.DB {
	db = db.Where("event_id = ?", p.event.ID)
	switch {
	case f.Deleted != nil && *f.Deleted:
		db = db.Where("deleted_at IS NOT NULL")
	case f.Deleted != nil || !f.IncludeDeleted:
		db = db.Where("deleted_at IS NULL")
	}
	db = narrow(db, "is_abstract = ?", f.IsAbstract)
	db = narrow(db, "is_public = ?", f.IsPublic)
	db = among(db, "id", f.IDs)
	db = among(db, "number", f.Numbers)
	db = among(db, "status", f.Statuses)
	if f.NoDrafts || p.asViewer {
		db = db.Where(submitted)
	}
	db = among(db, "content_state", f.ContentStates)
	db = p.withPeople(db, f)
	if f.Needs != "" {
		db = p.needing(db, f.Needs)
	}
	db = coming(db, f.Coming)
	db = p.belonging(db, f)
	db = having(db, "starts_at", f.Scheduled)
	db = having(db, "score", f.Reviewed)
	db = narrow(db, "score >= ?", f.ScoreFrom)
	db = narrow(db, "score < ?", f.ScoreBelow)
	if f.ReviewedBy != "" {
		db = db.Where("id IN (SELECT session_id FROM reviews WHERE event_id = ? AND user_id = ? AND "+counts+")",
			p.event.ID, f.ReviewedBy)
	}
	if f.AwaitsReviewBy != "" {
		db = db.Where(awaitsReview, f.AwaitsReviewBy, f.AwaitsReviewBy)
	}
	db = p.happening(db, f)
	db = narrow(db, "starts_at > ?", f.StartsAfter)
	db = narrow(db, "starts_at < ?", f.StartsBefore)
	db = narrow(db, "created_at > ?", f.CreatedAfter)
	db = narrow(db, "created_at < ?", f.CreatedBefore)
	db = narrow(db, "updated_at > ?", f.UpdatedAfter)
	db = narrow(db, "updated_at < ?", f.UpdatedBefore)
	return p.matching(db, store.SearchWords(f.Text))
}

// belonging narrows sessions by the session that they are parts of, and by their metadata.
func (p *Programme) belonging(db *gorm.DB, f *SessionFilter) *gorm.DB {
	for _, of := range f.labels() {
		db = among(db, of.name, of.ids)
	}
	if f.ComposedInto != "" {
		db = db.Where("composed_into = ?", f.ComposedInto)
	}
	db = among(db, "track_id", f.Tracks)
	db = among(db, "room_id", f.Rooms)
	db = among(db, "format_id", f.Formats)
	db = among(db, "level_id", f.Levels)
	for _, ids := range [][]string{f.TagIDs, f.Tags} {
		if len(ids) > 0 {
			db = db.Where("id IN (SELECT session_id FROM session_tags WHERE event_id = ? AND tag_id IN ?)", p.event.ID, ids)
		}
	}
	for _, family := range f.Without {
		if family == Tags {
			db = db.Where("id NOT IN (SELECT session_id FROM session_tags WHERE event_id = ?)", p.event.ID)
		} else {
			db = db.Where(family.Singular() + "_id IS NULL")
		}
	}
	return db
}

// narrow adds a condition on a value, if there is one.
func narrow[T any](db *gorm.DB, condition string, value *T) *gorm.DB {
	if value == nil {
		return db
	}
	return db.Where(condition, *value)
}

// among narrows rows by a list of values, if there is one.
func among[T any](db *gorm.DB, column string, values []T) *gorm.DB {
	if len(values) == 0 {
		return db
	}
	return db.Where(column+" IN ?", values)
}

// having narrows rows by whether a column has a value; nil does not narrow.
func having(db *gorm.DB, column string, Has *bool) *gorm.DB {
	if Has == nil {
		return db
	}
	return db.Where(column + map[bool]string{true: " IS NOT NULL", false: " IS NULL"}[*Has])
}
