// Package look is how the public pages of an event look and what they say of the place, on top of the programme: venue,
// colours, a logo, a picture, and which pages there are.
package look

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// Looks is the handle on which all that is done with the look of one event hangs.
type Looks struct{ p *models.Programme }

// Of is the handle of a programme.
func Of(p *models.Programme) *Looks { return &Looks{p} }

// Look is how the public pages of an event look. Of what nobody set it has the default.
type Look struct {
	EventID    string  `gorm:"primaryKey"`
	Venue      string  // Université libre de Bruxelles; "" while nobody said
	City       string  // "" while nobody said
	Address    string  // for maps and calendars, on one line
	Intro      string  // of the start page; sanitised HTML
	Brand      string  // #RRGGBB, "" for ours
	Paper      string  // likewise
	Heading    Face    // of titles
	LogoID     *string // a file
	PictureID  *string // a file
	PictureAlt string  // what the picture shows, for who does not see it
	Menu       Menu    `gorm:"serializer:json"`
	Languages  string  // tags that pages are offered in, with spaces between; "" for all that there are
	Colours    Colours `gorm:"serializer:json"` // derived from brand and paper as they were saved
	CreatedAt  store.Time
	UpdatedAt  store.Time // the token; zero while nothing was saved

	Logo, Picture *models.File `gorm:"-"` // nil without
}

// TableName is where looks are kept.
func (Look) TableName() string { return "event_looks" }

// Rows are the structs of the tables, by name.
var Rows = map[string]any{"event_looks": &Look{}}

// Face is what titles are set in.
type Face string

const (
	Serif Face = "serif" // Source Serif 4
	Sans  Face = "sans"  // Inter
)

// Page is one that an event may have.
type Page string

const (
	Agenda    Page = "agenda"
	Sessions  Page = "sessions"
	Itinerary Page = "itinerary"
	Speakers  Page = "speakers"
	Changes   Page = "changes"
	Schedule  Page = "schedule" // that of who reads: My schedule
)

// Pages are all of them, in the order of the menu.
var Pages = []Page{Agenda, Sessions, Itinerary, Speakers, Changes, Schedule}

// Menu says of pages what is other than the default.
type Menu map[Page]Entry

// Entry is a page in the menu.
type Entry struct {
	IsOff bool   `json:"is_off,omitempty"` // the page does not exist
	Name  string `json:"name,omitempty"`   // "" for the word that every event has
}

// Has tells whether a page exists.
func (l *Look) Has(p Page) bool { return !l.Menu[p].IsOff }

// List is the page to which leads what leads to a list of sessions: the first one of those that exists, "" for none.
func (l *Look) List() Page {
	for _, p := range []Page{Agenda, Sessions, Itinerary} {
		if l.Has(p) {
			return p
		}
	}
	return ""
}

// Speaks tells whether pages are offered in the language with a tag.
func (l *Look) Speaks(tag string) bool { return speaks(l.Languages, tag) }

func speaks(languages, tag string) bool {
	return languages == "" || slices.Contains(strings.Fields(languages), tag)
}

// Word is what the menu calls a page, "" for the word that every event has.
func (l *Look) Word(p Page) string { return l.Menu[p].Name }

// Place is where calendars say that something in a room is: with the event's venue and address, or with its name while
// nobody said those. The room may be "".
func (l *Look) Place(room, event string) string {
	place := store.Joined(l.Venue, cmp.Or(l.Address, l.City))
	return store.Joined(room, cmp.Or(place, event))
}

// Where is the venue and its city, "" while nobody said. A venue that is called as its city is said once.
func (l *Look) Where() string {
	if store.Searchable(l.Venue) == store.Searchable(l.City) {
		return l.Venue
	}
	return store.Joined(l.Venue, l.City)
}

// unset is the look of an event of which nobody set anything.
func unset(eventID string) *Look {
	return &Look{EventID: eventID, Heading: Serif, Menu: Menu{}, Colours: Derive("", "")}
}

// Speaks tells whether pages of the event are offered in the language with a tag, without reading the look.
func (l *Looks) Speaks(ctx context.Context) (func(tag string) bool, error) {
	var found []string
	err := l.p.Read(ctx).Model(&Look{}).Where("event_id = ?", l.p.Event().ID).Pluck("languages", &found).Error
	return func(tag string) bool { return speaks(strings.Join(found, " "), tag) }, err
}

// Look is that of the event, with the defaults of what nobody set.
func (l *Looks) Look(ctx context.Context) (*Look, error) { return l.in(l.p.Read(ctx)) }

func (l *Looks) in(db *gorm.DB) (*Look, error) {
	event := l.p.Event()
	var found []*Look
	if err := db.Where("event_id = ?", event.ID).Find(&found).Error; err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return unset(event.ID), nil
	}
	look := found[0]
	for _, kind := range Kinds {
		if id := *kind.id(look); id != nil {
			f, err := models.FileOf(db, event.OrganizationID, kind.purpose, *id)
			if err != nil {
				return nil, err
			}
			*kind.file(look) = f
		}
	}
	return look, nil
}
