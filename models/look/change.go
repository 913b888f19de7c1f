package look

import (
	"context"
	"maps"
	"regexp"
	"strings"

	"lectern/models"
	"lectern/models/files"
	"lectern/models/store"
)

// These are limits in characters.
const (
	maxIntro    = 20_000
	maxAddress  = 500
	maxMenuWord = 40
)

// Change is a partial change of a look. Nil leaves a field alone.
type Change struct {
	Venue, City, Address *string
	Intro                *string // sanitised
	Brand, Paper         *string // #RRGGBB, or "" for the default
	Heading              *Face
	PictureAlt           *string
	Menu                 Menu        // replaces the entries of the pages that it has
	Languages            *string     // tags separated by spaces, "" for all that are supported
	UpdatedAt            *store.Time // the value last read, zero before the first save; nil forces the write
}

func (c *Change) clean() error {
	var f store.Faults
	text := func(clean func(field, s string, limit int) (string, error), field string, s **string, limit int) {
		if *s != nil {
			*s = new(store.OneLine(**s))
			f.Clean(clean, field, *s, limit)
		}
	}
	text(store.CleanText, "venue", &c.Venue, store.MaxName)
	text(store.CleanText, "city", &c.City, store.MaxName)
	text(store.CleanText, "address", &c.Address, maxAddress)
	text(store.CleanText, "picture_alt", &c.PictureAlt, store.MaxName)
	if c.Intro != nil {
		c.Intro = new(*c.Intro)
		f.Clean(store.CleanHTML, "intro", c.Intro, maxIntro)
	}
	f.Add(cleanColour("brand", &c.Brand))
	if err := cleanColour("paper", &c.Paper); err != nil {
		f.Add(err)
	} else if c.Paper != nil && *c.Paper != "" && Fault(*c.Paper) != "" {
		f.Add(store.Invalidf("paper", "%s", Fault(*c.Paper)))
	}
	if c.Heading != nil && *c.Heading != Serif && *c.Heading != Sans {
		f.Add(store.Invalidf("heading", "must be serif or sans"))
	}
	if c.Languages != nil && !languageTags.MatchString(*c.Languages) {
		f.Add(store.Invalidf("languages", "must be of those in the list"))
	}
	c.Menu = maps.Clone(c.Menu)
	for _, page := range Pages {
		if entry, named := c.Menu[page]; named {
			entry.Name = store.OneLine(entry.Name)
			f.Clean(store.CleanText, "menu_"+string(page), &entry.Name, maxMenuWord)
			c.Menu[page] = entry
		}
	}
	return f.Err()
}

var languageTags = regexp.MustCompile(`^([a-z]{2,3}( [a-z]{2,3})*)?$`)

// Colour normalizes a colour as people type it, such as 1f4e5f or #abc, to #RRGGBB, and tells whether it is one; ""
// stays "", for the default colour.
func Colour(typed string) (string, bool) {
	s := strings.ToUpper(strings.TrimPrefix(strings.TrimSpace(typed), "#"))
	if s == "" {
		return "", true
	}
	if len(s) == 3 {
		s = string([]byte{s[0], s[0], s[1], s[1], s[2], s[2]})
	}
	return "#" + s, IsColor("#" + s)
}

func cleanColour(field string, color **string) error {
	if *color == nil {
		return nil
	}
	found, ok := Colour(**color)
	*color = &found
	if !ok {
		return store.Invalidf(field, "must be a colour such as #1F4E5F")
	}
	return nil
}

// facts returns the fields that can change, for the activity.
func (l *Look) facts() map[string]any {
	facts := map[string]any{
		"venue": l.Venue, "city": l.City, "address": l.Address, "intro": l.Intro, "brand": l.Brand, "paper": l.Paper,
		"heading": string(l.Heading), "picture_alt": l.PictureAlt, "languages": l.Languages,
		"logo": store.Fact(l.LogoID), "picture": store.Fact(l.PictureID),
	}
	for _, page := range Pages {
		facts["menu_"+string(page)], facts["has_"+string(page)] = l.Word(page), l.Has(page)
	}
	return facts
}

func (c *Change) apply(l *Look) {
	for _, field := range []struct{ to, from *string }{
		{&l.Venue, c.Venue}, {&l.City, c.City}, {&l.Address, c.Address}, {&l.Intro, c.Intro}, {&l.Brand, c.Brand},
		{&l.Paper, c.Paper}, {&l.PictureAlt, c.PictureAlt}, {&l.Languages, c.Languages},
	} {
		store.Put(field.to, field.from)
	}
	store.Put(&l.Heading, c.Heading)
	menu := maps.Clone(l.Menu)
	for _, page := range Pages {
		entry, named := c.Menu[page]
		if named {
			menu[page] = entry
		}
		if menu[page] == (Entry{}) {
			delete(menu, page)
		}
	}
	l.Menu = menu
	if c.Brand != nil || c.Paper != nil {
		l.Colours = Derive(l.Brand, l.Paper)
	}
}

var errStale = store.Outdated(
	"Someone else changed how the public pages look since you read it. Read it again, then repeat your change.")

// Save applies a partial change. It answers Invalid for a field that breaks its rule, such as a paper on which muted
// text cannot be read, and Stale for an outdated token. An empty change writes nothing. It emits nothing.
func (l *Looks) Save(ctx context.Context, c Change) error {
	if err := c.clean(); err != nil {
		return err
	}
	return l.change(ctx, func(_ *store.Tx, look *Look) error {
		if c.UpdatedAt != nil && !c.UpdatedAt.Equal(look.UpdatedAt.Time) {
			return errStale
		}
		c.apply(look)
		return nil
	})
}

// change runs an operation on the look, with the event's row and then the look locked. It moves the event's token, by
// which public pages are cached.
func (l *Looks) change(ctx context.Context, do func(*store.Tx, *Look) error) error {
	return l.p.Write(ctx, func(tx *store.Tx) error {
		event, err := l.p.HoldEvent(tx)
		if err != nil {
			return err
		}
		look, err := l.in(tx.DB)
		if err != nil {
			return err
		}
		before := new(*look)
		if err := do(tx, look); err != nil {
			return err
		}
		was, is := store.Changes(before.facts(), look.facts())
		if len(is) == 0 {
			return nil
		}
		look.UpdatedAt = tx.Now.Following(before.UpdatedAt)
		if before.CreatedAt.IsZero() {
			look.CreatedAt = tx.Now
		}
		if err := tx.Save(look).Error; err != nil {
			return err
		}
		if err := event.Touch(tx); err != nil {
			return err
		}
		return l.p.Record(tx, store.Change{Subject: "look", ID: look.EventID, Action: "updated", Before: was, After: is})
	})
}

// Kind is a kind of picture that an event's public pages show.
type Kind struct {
	Name    string // in addresses, and of the form's field
	purpose models.FilePurpose
	print   files.Print
	end     string // extension in its address
	column  string
	id      func(*Look) **string
	file    func(*Look) **models.File
}

// Logo is shown beside the name of the event, and Picture on its start page.
var (
	Logo = &Kind{Name: "logo", purpose: models.LogoFile, print: files.Print{Side: 640, IsClear: true},
		end: ".png", column: "logo_id", id: func(l *Look) **string { return &l.LogoID },
		file: func(l *Look) **models.File { return &l.Logo }}
	Picture = &Kind{Name: "picture", purpose: models.PictureFile, print: files.Print{Side: 1600},
		end: ".jpg", column: "picture_id", id: func(l *Look) **string { return &l.PictureID },
		file: func(l *Look) **models.File { return &l.Picture }}
)

// Kinds are both.
var Kinds = []*Kind{Logo, Picture}

// PicturePath is the path of logos and pictures, followed by their key and extension.
const PicturePath = "/pictures/"

// Path returns the path of a look's picture, "" if it has none.
func (k *Kind) Path(l *Look) string {
	f := *k.file(l)
	if f == nil {
		return ""
	}
	return PicturePath + f.Key + k.end
}

// SetPicture makes a JPEG, PNG or WebP file the event's logo or picture, in place of the one before. The picture is
// decoded and encoded anew, so that nothing else of the file remains. It answers Invalid, by the kind's name, for other
// files such as SVG, damaged ones and too large ones (files.MaxPhotoBytes, files.MaxPhotoPixels). It emits nothing.
func (l *Looks) SetPicture(ctx context.Context, k *Kind, upload models.Upload) error {
	f, err := l.p.Store().BringPicture(ctx, l.p.By(), k.purpose, k.Name, upload, k.print)
	if err != nil {
		return err
	}
	return l.change(ctx, func(tx *store.Tx, look *Look) error {
		if err := models.KeepFile(tx, l.p.Event().OrganizationID, f); err != nil {
			return err
		}
		return l.replace(tx, look, k, f)
	})
}

// RemovePicture removes the event's logo or picture. It emits nothing.
func (l *Looks) RemovePicture(ctx context.Context, k *Kind) error {
	return l.change(ctx, func(tx *store.Tx, look *Look) error { return l.replace(tx, look, k, nil) })
}

// replace puts a file, or nil, in the place of another, which is dropped once the look no longer refers to it.
func (l *Looks) replace(tx *store.Tx, look *Look, k *Kind, f *models.File) error {
	was := *k.file(look)
	*k.id(look), *k.file(look) = nil, f
	if f != nil {
		*k.id(look) = &f.ID
	}
	if was == nil {
		return nil
	}
	tx.BeforeCommit(func() error { return models.DropFile(tx, l.p.Event().OrganizationID, was.Key) })
	return nil
}

// Shown returns the file of an event's present logo or picture, for whoever knows its address. It answers NotFound for
// any other, also for former ones.
func Shown(ctx context.Context, s *models.Store, name string) (*models.File, error) {
	missing := store.Missing("There is no such picture.")
	for _, k := range Kinds {
		if key, found := strings.CutSuffix(name, k.end); found && files.IsKey(key) {
			return store.One[models.File](s.Read(ctx).Where("key = ? AND purpose = ?", key, k.purpose).
				Where("EXISTS (SELECT 1 FROM event_looks l WHERE l."+k.column+" = files.id)"), missing)
		}
	}
	return nil, missing
}
