// Package embed is what other sites show in a frame of an event's public pages, on top of the programme: each embed has
// an address of its own, so that it can be ended.
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

// Embeds is the handle on which all that is done with the embeds of one event hangs.
type Embeds struct{ p *models.Programme }

// Of is the handle of a programme.
func Of(p *models.Programme) *Embeds { return &Embeds{p} }

// Embed is a page of an event as another site shows it.
type Embed struct {
	ID                string `gorm:"primaryKey"` // random, and all that its address says
	EventID           string
	Name              string // for staff
	Kind              Kind
	Filters           Filters `gorm:"serializer:json"`
	Language          string  // a tag such as de, "" for that of who reads
	ShowsDescriptions bool
	ShowsCompanies    bool // and job titles
	ShowsPhotos       bool
	Accent            string // #RRGGBB in place of the event's brand, "" for that
	Ground            Ground
	IsOn              bool
	LastAskedAt       *store.Time // by another site, to the minute; nil before
	CreatedAt         store.Time
	UpdatedAt         store.Time // the token
}

// Rows are the structs of the tables, by name.
var Rows = map[string]any{"embeds": &Embed{}}

// Kind is which page an embed shows.
type Kind string

const (
	Sessions  Kind = "sessions"
	Agenda    Kind = "agenda"
	Itinerary Kind = "itinerary"
	Speakers  Kind = "speakers"
	Gallery   Kind = "gallery"
)

// Kinds are all of them, in the order of the form.
var Kinds = []Kind{Agenda, Sessions, Itinerary, Speakers, Gallery}

// ShowsPeople tells whether an embed shows people with their sessions, in place of sessions with their people.
func (k Kind) ShowsPeople() bool { return k == Speakers || k == Gallery }

// Ground is whether an embed's pages are light or dark.
type Ground string

const (
	Auto  Ground = "auto" // as the reader's device says
	Light Ground = "light"
	Dark  Ground = "dark"
)

// Grounds are all of them, in the order of the form.
var Grounds = []Ground{Auto, Light, Dark}

// Filters are the ids of the metadata of which a session must have one, by what they narrow.
type Filters map[string][]string

// Filter is what sessions are narrowed by, and what its values are.
type Filter struct {
	Name   string
	Family models.Family
}

// Narrowing are all filters, in the order of the form.
var Narrowing = []Filter{{"track", models.Tracks}, {"room", models.Rooms}, {"format", models.Formats},
	{"level", models.Levels}, {"tag", models.Tags}}

// NewID is random, so that nobody comes from one embed to another, or to when it was made.
func NewID() string { return strings.ToLower(rand.Text()) }

var errNoEmbed = store.NoSuch("embed")

// All are the event's embeds, by their names.
func (e *Embeds) All(ctx context.Context) ([]*Embed, error) {
	all := []*Embed{}
	return all, e.p.Read(ctx).Where("event_id = ?", e.p.Event().ID).Order("name, id").Find(&all).Error
}

// Embed is one of the event. It answers NotFound.
func (e *Embeds) Embed(ctx context.Context, id string) (*Embed, error) {
	if !utf8.ValidString(id) {
		return nil, errNoEmbed
	}
	return store.One[Embed](e.p.Read(ctx).Where("event_id = ? AND id = ?", e.p.Event().ID, id), errNoEmbed)
}

// Find is the embed at an address, whichever event's it is, on or ended, with its event, in one statement. It answers
// NotFound.
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

// besideEvent are the columns of an embed where they are read with those of its event.
var besideEvent = func() string {
	parsed, err := schema.Parse(&Embed{}, &sync.Map{}, schema.NamingStrategy{})
	if err != nil {
		panic(err) // of a struct of ours
	}
	columns := store.Map(parsed.DBNames, func(name string) string { return "embeds." + name + " AS embed_" + name })
	return strings.Join(columns, ", ")
}()

// Asked notes that another site asks for an embed. It is written down later, so that no read waits for it.
func (e *Embed) Asked(s *models.Store) { s.EmbedsAsked.Note(e.ID, e.LastAskedAt, s.Now()) }
