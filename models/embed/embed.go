// Package embed holds what other sites show of an event's public pages in a frame; each embed has an address of its
// own, so that it can be ended. It stands on top of the programme.
package embed

import (
	"context"
	"crypto/rand"
	"strings"
	"sync"
	"unicode/utf8"

	"gorm.io/gorm/schema"

	"lectern/models"
	"lectern/models/store"
)

// Embeds is the handle of one event's embeds.
type Embeds struct{ p *models.Programme }

// Of returns the embeds of a programme.
func Of(p *models.Programme) *Embeds { return &Embeds{p} }

// Embed is a page of an event as another site shows it.
type Embed struct {
	ID                string `gorm:"primaryKey"` // random, and all that its address says
	EventID           string
	Name              string // for staff
	Kind              Kind
	Filters           Filters `gorm:"serializer:json"`
	Language          string  // a tag such as de, "" for the reader's own
	ShowsDescriptions bool
	ShowsCompanies    bool // and job titles
	ShowsPhotos       bool
	Accent            string // #RRGGBB in place of the event's brand, "" for the brand
	Ground            Ground
	IsOn              bool
	LastAskedAt       *store.Time // when another site last asked for it, to the minute; nil for never
	CreatedAt         store.Time
	UpdatedAt         store.Time // the token
}

// Rows are the structs of the tables, by name.
var Rows = map[string]any{"embeds": &Embed{}}

// Kind says which page an embed shows.
type Kind string

const (
	Sessions  Kind = "sessions"
	Agenda    Kind = "agenda"
	Itinerary Kind = "itinerary"
	Speakers  Kind = "speakers"
	Gallery   Kind = "gallery"
)

// Kinds are all kinds, in the order of the form.
var Kinds = []Kind{Agenda, Sessions, Itinerary, Speakers, Gallery}

// ShowsPeople reports whether an embed shows people with their sessions, rather than sessions with their people.
func (k Kind) ShowsPeople() bool { return k == Speakers || k == Gallery }

// Ground says whether an embed's pages are light or dark.
type Ground string

const (
	Auto  Ground = "auto" // as the reader's device says
	Light Ground = "light"
	Dark  Ground = "dark"
)

// Grounds are all grounds, in the order of the form.
var Grounds = []Ground{Auto, Light, Dark}

// Filters are, by filter name, the ids of metadata of which a session must have one.
type Filters map[string][]string

// Filter is a filter of sessions, with the family of its values.
type Filter struct {
	Name   string
	Family models.Family
}

// Narrowing are all filters, in the order of the form.
var Narrowing = []Filter{{"track", models.Tracks}, {"room", models.Rooms}, {"format", models.Formats},
	{"level", models.Levels}, {"tag", models.Tags}}

// NewID returns a random id, which reveals neither other embeds nor when it was made.
func NewID() string { return strings.ToLower(rand.Text()) }

var errNoEmbed = store.NoSuch("embed")

// All returns the event's embeds, by name.
func (e *Embeds) All(ctx context.Context) ([]*Embed, error) {
	all := []*Embed{}
	return all, e.p.Read(ctx).Where("event_id = ?", e.p.Event().ID).Order("name, id").Find(&all).Error
}

// Embed returns an embed of the event. It answers NotFound.
func (e *Embeds) Embed(ctx context.Context, id string) (*Embed, error) {
	if !utf8.ValidString(id) {
		return nil, errNoEmbed
	}
	return store.One[Embed](e.p.Read(ctx).Where("event_id = ? AND id = ?", e.p.Event().ID, id), errNoEmbed)
}

// Find returns the embed at an address with its event, of any event, on or off, in one statement. It answers NotFound.
func Find(ctx context.Context, s *models.Store, id string) (*Embed, *models.Event, error) {
	if !utf8.ValidString(id) {
		return nil, nil, errNoEmbed
	}
	var rows []struct {
		models.Event `gorm:"embedded"`
		Embed        Embed `gorm:"embedded;embeddedPrefix:embed_"`
	}
	err := models.WithVersions(s.Read(ctx).Table("events")).Joins("JOIN embeds ON embeds.event_id = events.id").
		Select("events.*, event_counters.*, "+besideEvent).Where("embeds.id = ?", id).Find(&rows).Error
	if err != nil {
		return nil, nil, err
	}
	if len(rows) == 0 {
		return nil, nil, errNoEmbed
	}
	return &rows[0].Embed, &rows[0].Event, nil
}

// besideEvent are the columns of an embed for a query that also reads its event's.
var besideEvent = func() string {
	parsed, err := schema.Parse(&Embed{}, &sync.Map{}, schema.NamingStrategy{})
	if err != nil {
		panic(err) // cannot happen with our own struct
	}
	columns := store.Map(parsed.DBNames, func(name string) string { return "embeds." + name + " AS embed_" + name })
	return strings.Join(columns, ", ")
}()

// Asked notes that another site asked for an embed. It is written later, so that no read waits for it.
func (e *Embed) Asked(s *models.Store) { s.EmbedsAsked.Note(e.ID, e.LastAskedAt, s.Now()) }
