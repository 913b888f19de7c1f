// Package changes tells a client that keeps a copy of an event's programme what changed since it last asked: every
// row that the API shows once, as it is now, in the order of its last change. Triggers note the changes (migration
// 0089), so an operation cannot forget to.
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

// Kind is what a change is of.
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

// Kinds are all of them.
var Kinds = []Kind{Event, Track, Room, Tag, Format, Level, Break, Speaker, Session}

// Change says that a row is another one since, with the row as it is now. Of what is no more for the API, IsDeleted
// is set and there is no row; a session that was deleted softly has both.
type Change struct {
	Kind      Kind
	ID        string
	IsDeleted bool
	At        *store.Time `json:"-"` // when it was committed, by the database's clock; nil of what changed before that was kept
	Event     *models.Event
	Metadata  *models.Metadata
	Break     *models.Break
	Speaker   *models.SpeakerRecord
	Session   *models.Session
}

// Page are the next changes, and where to go on.
type Page struct {
	Changes []*Change
	Cursor  Cursor
	IsMore  bool // there are more already
}

// Feed is the handle on which reading the changes of one event hangs.
type Feed struct{ p *models.Programme }

// Of is the feed of a programme.
func Of(p *models.Programme) *Feed { return &Feed{p} }

// Cursor is a place in the feed: behind all changes that were told. The zero value is its beginning.
type Cursor struct {
	Event  string // whose changes were told; "" of a cursor that was given before cursors had it
	Series string // of the numbers
	Number int64  // of the last commit that was told
	Kind   Kind   // and ID, the last row of it that was told; "" where it was told whole
	ID     string
}

// String is the cursor as clients keep it.
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

// ParseCursor reads what String wrote. It answers Invalid for anything else.
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

// anew is the answer to a cursor from which nobody can go on here.
func anew(why string) error {
	return &store.Error{Kind: store.Gone, Message: "since is " + why + ". Begin anew without it."}
}

var (
	errEvent  = anew("a cursor of another event")
	errSeries = anew("not of this database, as after a backup was restored")
)

// Restored gives the numbers of an SQLite database that a backup brought back another series, so that cursors of later
// than the backup are refused.
func Restored(ctx context.Context, s *models.Store) error {
	return s.Write(ctx, func(tx *store.Tx) error {
		return tx.Exec("UPDATE change_numbers SET series = lower(hex(randomblob(4)))").Error
	})
}

// Now is the cursor behind all changes that there are: for whoever reads the programme another way, right after.
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

// Changed are the ids of what of a kind is another one since a cursor, and the cursor to ask from next: for whoever
// keeps what they read, and reads right after this, or in the same snapshot. Where there are more than limit, and of a
// cursor that this database never gave, known is false: all is to be read. So it is within a transaction that writes,
// whose own changes are noted at its end.
func (f *Feed) Changed(db *gorm.DB, since Cursor, of Kind, limit int) (ids []string, now Cursor, known bool, err error) {
	if now, err = f.now(db); err != nil || since.Series != now.Series || since.Number > now.Number ||
		store.InTransaction(db.Statement.Context) {
		return nil, now, false, err
	}
	err = db.Table("changes").Where("event_id = ? AND number > ? AND kind = ?", f.p.Event().ID, since.Number, of).
		Order("number").Limit(limit+1).Pluck("id", &ids).Error
	return ids, now, len(ids) <= limit, err
}

// Since returns the changes of some kinds behind a cursor, at most limit of them. Rows of one commit may stand on two
// pages. Whoever begins without a cursor and goes on until a page is empty has what the API shows, and is told of
// every later change.
// It answers Gone for a cursor that this database never gave, and for one of another event.
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
