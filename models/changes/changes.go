// Package changes tells a client that keeps a copy of an event's programme what changed since it last asked: each row
// that the API shows, once, in its present state, in the order of its last change. Triggers record the changes
// (migration 0089), so that no operation can forget it.
package changes

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// Kind is the kind of record that changed.
type Kind string

const (
	Event   Kind = "event"
	Track   Kind = "track"
	Room    Kind = "room"
	Tag     Kind = "tag"
	Format  Kind = "format"
	Level   Kind = "level"
	Break   Kind = "break"
	Speaker Kind = "speaker"
	Session Kind = "session"
)

// Kinds are all kinds.
var Kinds = []Kind{Event, Track, Room, Tag, Format, Level, Break, Speaker, Session}

// Change says that a record changed, with its present row. If the API no longer shows it, IsDeleted is set and there is
// no row; a softly deleted session has both.
type Change struct {
	Kind      Kind
	ID        string
	IsDeleted bool
	At        *store.Time `json:"-"` // commit time, by the database's clock; nil for changes from before it was kept
	Event     *models.Event
	Metadata  *models.Metadata
	Break     *models.Break
	Speaker   *models.SpeakerRecord
	Session   *models.Session
}

// Page is the next changes, and where to continue.
type Page struct {
	Changes []*Change
	Cursor  Cursor
	IsMore  bool // more changes follow
}

// Feed is the handle for reading the changes of one event.
type Feed struct{ p *models.Programme }

// Of returns the feed of a programme.
func Of(p *models.Programme) *Feed { return &Feed{p} }

// Cursor is a position in the feed, after all changes that were told. The zero value is the beginning.
type Cursor struct {
	Event  string // its event; "" in cursors from before cursors had it
	Series string // the series of the numbers
	Number int64  // of the last commit that was told
	Kind   Kind   // and ID: its last row that was told; "" if all were
	ID     string
}

// String returns the cursor as clients keep it.
func (c Cursor) String() string {
	if c.Series == "" {
		return ""
	}
	parts := []string{c.Series, strconv.FormatInt(c.Number, 10), string(c.Kind), c.ID}
	if c.Event != "" {
		parts = append(parts, c.Event)
	}
	return strings.Join(parts, ".")
}

var errCursor = store.Invalidf("since", "is not a cursor of this feed. Begin anew without it")

// ParseCursor parses what String returned. It answers Invalid for anything else.
func ParseCursor(text string) (c Cursor, err error) {
	if text == "" {
		return c, nil
	}
	parts := strings.Split(text, ".")
	if len(parts) == 5 && store.IsID(parts[4]) {
		c.Event, parts = parts[4], parts[:4]
	}
	if len(parts) != 4 || parts[0] == "" {
		return Cursor{}, errCursor
	}
	c.Series, c.Kind, c.ID = parts[0], Kind(parts[2]), parts[3]
	c.Number, err = strconv.ParseInt(parts[1], 10, 64)
	isRow := c.Kind != "" || c.ID != ""
	if err != nil || c.Number < 0 || isRow && (!slices.Contains(Kinds, c.Kind) || !store.IsID(c.ID)) {
		return Cursor{}, errCursor
	}
	return c, nil
}

// anew returns the error for a cursor that cannot be continued here.
func anew(why string) error {
	return &store.Error{Kind: store.Gone, Message: "since is " + why + ". Begin anew without it."}
}

var (
	errEvent  = anew("a cursor of another event")
	errSeries = anew("not of this database, as after a backup was restored")
)

// Restored starts a new series of numbers after an SQLite database was restored, so that cursors from after the backup
// are refused.
func Restored(ctx context.Context, s *models.Store) error {
	return s.Write(ctx, func(tx *store.Tx) error {
		return tx.Exec("UPDATE change_numbers SET series = lower(hex(randomblob(4)))").Error
	})
}

// Now returns the cursor after all present changes, for clients that then read the programme another way.
func (f *Feed) Now(ctx context.Context) (now Cursor, err error) { return f.now(f.p.Read(ctx)) }

func (f *Feed) now(db *gorm.DB) (now Cursor, err error) {
	var row struct {
		Series string
		Last   int64
	}
	series := "series"
	if !f.p.Embedded() {
		series = "change_series(series)"
	}
	err = db.Table("change_numbers").Select(series + " AS series, last").Take(&row).Error
	return Cursor{Event: f.p.Event().ID, Series: row.Series, Number: row.Last}, err
}

// Changed returns the ids of the records of a kind that changed since a cursor, and the next cursor, for caches that
// read the records right after this, or in the same snapshot. known is false, and everything is to be read, if there
// are more than limit, if the cursor is not from this database, and within a transaction that writes, whose own changes
// are recorded at its end.
func (f *Feed) Changed(db *gorm.DB, since Cursor, of Kind, limit int) (ids []string, now Cursor, known bool, err error) {
	if now, err = f.now(db); err != nil || since.Series != now.Series || since.Number > now.Number ||
		store.InTransaction(db.Statement.Context) {
		return nil, now, false, err
	}
	err = db.Table("changes").Where("event_id = ? AND number > ? AND kind = ?", f.p.Event().ID, since.Number, of).
		Order("number").Limit(limit+1).Pluck("id", &ids).Error
	return ids, now, len(ids) <= limit, err
}

// Since returns the changes of some kinds after a cursor, at most limit. Rows of one commit may be spread over pages. A
// client that starts without a cursor and continues until a page is empty has everything that the API shows, and will
// be told of every later change. It answers Gone for a cursor that is not from this database, and for one of another
// event.
func (f *Feed) Since(ctx context.Context, since Cursor, kinds []Kind, limit int) (*Page, error) {
	now, err := f.Now(ctx)
	if err != nil {
		return nil, err
	}
	if since.Event != "" && since.Event != now.Event {
		return nil, errEvent
	}
	if since.Series != "" && (since.Series != now.Series || since.Number > now.Number) {
		return nil, errSeries
	}
	page := &Page{Cursor: now}
	if since == now {
		return page, nil
	}
	var rows []struct {
		Kind   Kind
		ID     string
		Number int64
		At     *store.Time `gorm:"column:changed_at"`
	}
	query := f.p.Read(ctx).Table("changes").Select("kind, id, number, changed_at").
		Where("event_id = ? AND number <= ? AND kind IN ?", f.p.Event().ID, now.Number, kinds)
	if since.ID == "" {
		query = query.Where("number > ?", since.Number)
	} else {
		query = query.Where("(number, kind, id) > (?, ?, ?)", since.Number, since.Kind, since.ID)
	}
	err = query.Order("number, kind, id").Limit(limit + 1).Find(&rows).Error
	if err != nil {
		return nil, err
	}
	if page.IsMore = len(rows) > limit; page.IsMore {
		rows = rows[:limit]
		last := rows[limit-1]
		page.Cursor.Number, page.Cursor.Kind, page.Cursor.ID = last.Number, last.Kind, last.ID
	}
	for _, row := range rows {
		page.Changes = append(page.Changes, &Change{Kind: row.Kind, ID: row.ID, At: row.At, IsDeleted: true})
	}
	return page, f.fill(ctx, page.Changes)
}
