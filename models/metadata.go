package models

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"lectern/models/store"
)

// Family is one of the five kinds of metadata, which share one shape.
type Family string

const (
	Tracks  Family = "tracks"
	Rooms   Family = "rooms"
	Tags    Family = "tags"
	Formats Family = "formats"
	Levels  Family = "levels"
)

// Families lists all five, in the order in which pages show them.
var Families = []Family{Tracks, Rooms, Tags, Formats, Levels}

// Singular returns the word for one row of the family.
func (f Family) Singular() string { return strings.TrimSuffix(string(f), "s") }

// Metadata is one row of any family; columns of other families are null.
type Metadata struct {
	ID             string
	EventID        string
	Family         Family
	Name           string
	NameKey        string
	Position       int
	Color          *string
	Capacity       *int
	DefaultMinutes *int
	Wanted         *int // how many sessions of a track or a format the programme has room for; never part of the API
	CreatedAt      store.Time
	UpdatedAt      store.Time
}

// TableName returns the name of the table of metadata.
func (Metadata) TableName() string { return "metadata" }

// Label is what a session shows of each of its metadata rows.
type Label struct {
	ID      string `json:"id"`
	EventID string `json:"event_id"`
	Name    string `json:"name"`
	Order   int    `json:"order"`
}

// Track is a track as a session shows it.
type Track struct {
	Label
	Color string `json:"color" doc:"Hex colour" example:"#1F4E5F"`
}

// Room is a room as a session shows it.
type Room struct {
	Label
	Capacity *int `json:"capacity"`
}

// Format is a session format as a session shows it.
type Format struct {
	Label
	DefaultMinutes *int `json:"default_minutes"`
}

// Tag is a tag as a session shows it.
type Tag struct{ Label }

// Level is a level as a session shows it.
type Level struct{ Label }

// Label returns what rows of all families have in common.
func (m *Metadata) Label() Label { return Label{m.ID, m.EventID, m.Name, m.Position} }

// AsTrack returns the row as a track.
func (m *Metadata) AsTrack() Track { return Track{m.Label(), *m.Color} }

// AsRoom returns the row as a room.
func (m *Metadata) AsRoom() Room { return Room{m.Label(), m.Capacity} }

// AsFormat returns the row as a format.
func (m *Metadata) AsFormat() Format { return Format{m.Label(), m.DefaultMinutes} }

// NewMetadata is the input of a new row. A field of another family is Invalid.
type NewMetadata struct {
	Name           string  `json:"name" doc:"1 to 255 characters; equal names are allowed"`
	Color          *string `json:"color,omitempty" required:"false" nullable:"false" doc:"Tracks only: a hex colour; one is chosen when left out" example:"#1F4E5F"`
	Capacity       *int    `json:"capacity,omitempty" required:"false" nullable:"false" doc:"Rooms only: 0 to 1,000,000"`
	DefaultMinutes *int    `json:"default_minutes,omitempty" required:"false" nullable:"false" doc:"Formats only: 1 to 10,080"`
	Wanted         *int    `json:"-"` // tracks and formats: 0 to MaxWanted; not part of the API
}

// ColorPattern matches a colour such as #1F4E5F.
var ColorPattern = regexp.MustCompile(`^#[0-9A-Fa-f]{6}$`)

// Clean cleans the name and checks the rules of a family; its faults name the field.
func (n *NewMetadata) Clean(family Family) error {
	var f store.Faults
	f.Clean(store.CleanName, "name", &n.Name, store.MaxName)
	CheckOwn(&f, family, n.Color, store.Optional[int]{Set: n.Capacity != nil, Value: n.Capacity},
		store.Optional[int]{Set: n.DefaultMinutes != nil, Value: n.DefaultMinutes})
	CheckWanted(&f, family, store.Optional[int]{Set: n.Wanted != nil, Value: n.Wanted})
	return f.Err()
}

// CheckOwn checks the fields that belong to a single family.
func CheckOwn(f *store.Faults, family Family, color *string, capacity, minutes store.Optional[int]) {
	only := func(owner Family, field string, given bool) bool {
		if given && family != owner {
			f.Add(store.Invalidf(field, "belongs to %s, not to %s", owner, family))
		}
		return given && family == owner
	}
	if only(Tracks, "color", color != nil) && !ColorPattern.MatchString(*color) {
		f.Add(store.Invalidf("color", "must be a hex colour such as #1F4E5F"))
	}
	if n := capacity.Value; only(Rooms, "capacity", capacity.Set) && n != nil && (*n < 0 || *n > store.MaxCapacity) {
		f.Add(store.Invalidf("capacity", "must be between 0 and %d", store.MaxCapacity))
	}
	if n := minutes.Value; only(Formats, "default_minutes", minutes.Set) && n != nil && (*n < 1 || *n > store.MaxMinutes) {
		f.Add(store.Invalidf("default_minutes", "must be between 1 and %d", store.MaxMinutes))
	}
}

// TrackColors are assigned in turn to tracks without a colour. Each has enough contrast on light and dark pages.
var TrackColors = []string{"#2E8599", "#C0562A", "#2F8F4E", "#8063BF", "#A87B14", "#3D72C9", "#B8559F", "#857E75"}

// CreateMetadata adds a row at the end of its family. It answers Invalid.
func (p *Programme) CreateMetadata(ctx context.Context, family Family, n NewMetadata) (*Metadata, error) {
	if err := n.Clean(family); err != nil {
		return nil, err
	}
	return store.Make(ctx, p.Write, func(tx *store.Tx) (*Metadata, error) {
		row, err := p.InsertMetadata(tx, family, n)
		if err != nil {
			return nil, err
		}
		return row, p.Record(tx, store.Change{Subject: family.Singular(), ID: row.ID, Action: "created", After: n})
	})
}

// InsertMetadata inserts a clean row at the end of its family.
func (p *Programme) InsertMetadata(tx *store.Tx, family Family, n NewMetadata) (*Metadata, error) {
	if err := p.CountMetadata(tx); err != nil {
		return nil, err
	}
	var last *int
	if err := tx.Model(&Metadata{}).Where("event_id = ? AND family = ?", p.event.ID, family).
		Select("max(position)").Scan(&last).Error; err != nil {
		return nil, err
	}
	row := &Metadata{
		ID: store.NewID(), EventID: p.event.ID, Family: family, Name: n.Name, NameKey: store.Searchable(n.Name),
		Color: n.Color, Capacity: n.Capacity, DefaultMinutes: n.DefaultMinutes, Wanted: n.Wanted,
		CreatedAt: tx.Now, UpdatedAt: tx.Now,
	}
	if last != nil {
		row.Position = *last + 1
	}
	if family == Tracks && row.Color == nil {
		row.Color = &TrackColors[row.Position%len(TrackColors)]
	}
	return row, tx.Create(row).Error
}

// CountMetadata raises the metadata's version. It locks the event's counters, and only the holder of that lock may
// change metadata, so no two rows get the same position.
func (p *Programme) CountMetadata(tx *store.Tx) error {
	return tx.Model(&eventCounters{}).Where("event_id = ?", p.event.ID).
		UpdateColumn("metadata_version", tx.Version).Error
}

// ListMetadata returns a page of one family in its order. A text that is not empty narrows it to names that have its
// words, as the search for sessions does.
func (p *Programme) ListMetadata(ctx context.Context, family Family, text string, page store.Page) ([]*Metadata,
	store.Pagination, error) {
	return p.metadataWith(ctx, family, text, page, store.Words.In)
}

// MetadataNear is ListMetadata for a text that may be mistyped: a long word may have one error.
func (p *Programme) MetadataNear(ctx context.Context, family Family, text string, page store.Page) ([]*Metadata,
	store.Pagination, error) {
	return p.metadataWith(ctx, family, text, page, store.Words.Near)
}

func (p *Programme) metadataWith(ctx context.Context, family Family, text string, page store.Page,
	has func(words store.Words, name string) bool) ([]*Metadata, store.Pagination, error) {
	if err := page.Clean(); err != nil {
		return nil, store.Pagination{}, err
	}
	text, err := store.CleanText("filters.text", text, store.MaxSearchText)
	if err != nil {
		return nil, store.Pagination{}, err
	}
	set, err := p.Metadata(ctx)
	if err != nil {
		return nil, store.Pagination{}, err
	}
	words := store.SearchWords(text)
	rows := slices.DeleteFunc(set.Of(family), func(m *Metadata) bool { return !has(words, m.NameKey) })
	total := len(rows)
	from := min(page.Offset(), total)
	return rows[from:min(from+page.Size, total)], page.Of(int64(total)), nil
}

// MetadataRow returns a row of a family, or NotFound if the id is not of this family and event. The row is shared and
// must not be written.
func (p *Programme) MetadataRow(ctx context.Context, family Family, id string) (*Metadata, error) {
	set, err := p.Metadata(ctx)
	if err != nil {
		return nil, err
	}
	if m := set[id]; m != nil && m.Family == family {
		return m, nil
	}
	return nil, store.NoSuch(family.Singular())
}

// HasMetadata reports whether the event has a row of a family with this id.
func (p *Programme) HasMetadata(ctx context.Context, family Family, id string) (bool, error) {
	set, err := p.Metadata(ctx)
	if err != nil {
		return false, err
	}
	return set.check(family, "id", &id) == nil, nil
}

// Ref returns the row's id, nil for a nil row.
func (m *Metadata) Ref() *string {
	if m == nil {
		return nil
	}
	return &m.ID
}
