// Package look is how the public pages of an event look and what they say about the venue: colours, a logo, a picture,
// and which pages there are. It stands on top of the programme.
package look

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// Looks is the handle of one event's look.
type Looks struct{ p *models.Programme }

// Of returns the look of a programme.
func Of(p *models.Programme) *Looks { return &Looks{p} }

// Look is how the public pages of an event look. Fields that nobody set have their defaults.
type Look struct {
	EventID    string  `gorm:"primaryKey"`
	Venue      string  // such as Université libre de Bruxelles; "" if not set
	City       string  // "" if not set
	Address    string  // for maps and calendars, on one line
	Intro      string  // of the start page; sanitised HTML
	Brand      string  // #RRGGBB, "" for the default
	Paper      string  // as Brand
	Heading    Face    // of titles
	LogoID     *string // a file
	PictureID  *string // a file
	PictureAlt string  // alternative text of the picture
	Menu       Menu    `gorm:"serializer:json"`
	Languages  string  // language tags of the pages, separated by spaces; "" for all that are supported
	Colours    Colours `gorm:"serializer:json"` // derived from brand and paper when these were saved
	CreatedAt  store.Time
	UpdatedAt  store.Time // the token; zero before the first save

	Logo, Picture *models.File `gorm:"-"` // nil without
}

// TableName returns the table of looks.
func (Look) TableName() string { return "event_looks" }

// Rows are the structs of the tables, by name.
var Rows = map[string]any{"event_looks": &Look{}}

// Face is the typeface of titles.
type Face string

const (
	Serif Face = "serif" // Source Serif 4
	Sans  Face = "sans"  // Inter
)

// Page is a page that an event may have.
type Page string

const (
	Agenda    Page = "agenda"
	Sessions  Page = "sessions"
	Itinerary Page = "itinerary"
	Speakers  Page = "speakers"
	Changes   Page = "changes"
	Schedule  Page = "schedule" // the reader's own: My schedule
)

// Pages are all pages, in the order of the menu.
var Pages = []Page{Agenda, Sessions, Itinerary, Speakers, Changes, Schedule}

// Menu says how pages differ from the default.
type Menu map[Page]Entry

// Entry is a page in the menu.
type Entry struct {
	IsOff bool   `json:"is_off,omitempty"` // the page does not exist
	Name  string `json:"name,omitempty"`   // "" for the default name
}

// Has reports whether a page exists.
func (l *Look) Has(p Page) bool { return !l.Menu[p].IsOff }

// List returns the page to which links to a list of sessions lead: the first existing of these, "" for none.
func (l *Look) List() Page {
	for _, p := range []Page{Agenda, Sessions, Itinerary} {
		if l.Has(p) {
			return p
		}
	}
	return ""
}

// Speaks reports whether pages are offered in the language with this tag.
func (l *Look) Speaks(tag string) bool { return speaks(l.Languages, tag) }

func speaks(languages, tag string) bool {
	return languages == "" || slices.Contains(strings.Fields(languages), tag)
}

// Word returns the name of a page in the menu, "" for the default one.
func (l *Look) Word(p Page) string { return l.Menu[p].Name }

// Location returns the location of an event in calendars: the room, if any, with the venue and address, or with the
// event's name if those are not set.
func (l *Look) Location(room, event string) string {
	place := store.Joined(l.Venue, cmp.Or(l.Address, l.City))
	return store.Joined(room, cmp.Or(place, event))
}

// Where returns the venue and its city, "" if not set. It names them once if they are the same.
func (l *Look) Where() string {
	if store.Searchable(l.Venue) == store.Searchable(l.City) {
		return l.Venue
	}
	return store.Joined(l.Venue, l.City)
}

// unset returns the look of an event whose look was never set.
func unset(eventID string) *Look {
	return &Look{EventID: eventID, Heading: Serif, Menu: Menu{}, Colours: Derive("", "")}
}

// Speaks returns a function that tells whether the event's pages are offered in a language, without reading the whole
// look.
func (l *Looks) Speaks(ctx context.Context) (func(tag string) bool, error) {
	var found []string
	err := l.p.Read(ctx).Model(&Look{}).Where("event_id = ?", l.p.Event().ID).Pluck("languages", &found).Error
	return func(tag string) bool { return speaks(strings.Join(found, " "), tag) }, err
}

// Look returns the event's look, with defaults where nobody set anything.
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

// StyleSheet returns the look of the event as CSS: variables on :root, which override those of static/src/tokens.css,
// and for each track a class that sets --t to its colour as a line. It depends only on models.AgendaState.
func (l *Looks) StyleSheet(ctx context.Context) (string, error) {
	look, err := l.Look(ctx)
	if err != nil {
		return "", err
	}
	tracks, err := l.p.Family(ctx, models.Tracks)
	if err != nil {
		return "", err
	}
	return look.StyleSheet(tracks), nil
}

// StyleSheet returns the look as CSS, with the event's tracks.
func (l *Look) StyleSheet(tracks []*models.Metadata) string {
	var out strings.Builder
	out.WriteString(":root{")
	for _, v := range variables {
		fmt.Fprintf(&out, "--%s:light-dark(%s,%s);", v.name, v.of(&l.Colours.Light), v.of(&l.Colours.Dark))
	}
	if l.Heading == Sans {
		out.WriteString("--heading:var(--sans);")
	}
	out.WriteString("}\n")
	for _, track := range tracks {
		light, dark := l.Colours.Line(*track.Color)
		fmt.Fprintf(&out, ".%s{--t:light-dark(%s,%s)}\n", TrackClass(track.ID), light, dark)
	}
	return out.String()
}

// variables are the CSS variables of the style sheet. Components use the accent and its text on every page.
var variables = []struct {
	name string
	of   func(*Scheme) string
}{
	{"bg", func(s *Scheme) string { return s.Paper }},
	{"panel", func(s *Scheme) string { return s.Panel }},
	{"sunk", func(s *Scheme) string { return s.Sunk }},
	{"muted", func(s *Scheme) string { return s.Muted }},
	{"hairline", func(s *Scheme) string { return s.Hairline }},
	{"edge", func(s *Scheme) string { return s.Edge }},
	{"field", func(s *Scheme) string { return s.Field }},
	{"brand", func(s *Scheme) string { return s.Brand }},
	{"onbrand", func(s *Scheme) string { return s.OnBrand }},
	{"brandline", func(s *Scheme) string { return s.BrandLine }},
	{"brandtext", func(s *Scheme) string { return s.BrandText }},
	{"link", func(s *Scheme) string { return s.BrandText }},
	{"accent", func(s *Scheme) string { return s.Brand }},
	{"on-accent", func(s *Scheme) string { return s.OnBrand }},
}

// TrackClass returns the CSS class of a track: the end of its id, which is random.
func TrackClass(id string) string { return "t-" + id[max(0, len(id)-8):] }
