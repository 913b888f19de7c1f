// Package site serves what everybody may see of an event, without a key and without a sign-in: its programme as pages
// for people and as feeds for machines. Nothing of it knows staff.
package site

import (
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/web/page"
)

// Options are what pages and feeds need beside the store.
type Options struct {
	BaseURL string // in the addresses that they tell
	// Address finds where a request comes from.
	Address func(*fiber.Ctx) string
	Now     func() time.Time
}

type site struct {
	Options
	store *models.Store
	feeds *kept[*feed]
	pages *kept[*answer]
	// pictures are those that are drawn of pages, on one easel.
	pictures *kept[*answer]
	easel    chan struct{}
	frame    *page.Site
	// frames are the pages that other sites frame, previews those that pages of ours frame.
	frames, previews *page.Site
}

// eventPath is the public place of an event, by its slug; its id leads there.
const eventPath = "/events/:event"

// Register puts the pages and feeds of all events on an app, below /events and the event's slug or id, and those of
// embeds below /embeds. It returns what shows embeds that are not kept.
func Register(app *fiber.App, from *models.Store, options Options) Preview {
	if options.Now == nil {
		options.Now = time.Now
	}
	pages := page.Options{BaseURL: options.BaseURL, Address: options.Address, Now: options.Now, Door: "site",
		Headers: page.Public}
	s := &site{Options: options, store: from, feeds: newKept[*feed](keptFeedBytes),
		pages: newKept[*answer](keptBytes), pictures: newKept[*answer](keptPictureBytes), easel: make(chan struct{}, 1),
		frame: page.New(from, pages)}
	pages.Headers = page.Embedded
	s.frames = page.New(from, pages)
	pages.Headers = page.Framed
	s.previews = page.New(from, pages)
	app.Use(eventPath, inSmallLetters)
	s.registerFeeds(app)
	s.registerEmbeds(app)
	for _, r := range slices.Concat(pictureRoutes, routes) { // speakers/picture.png is nobody's page
		app.Get(eventPath+r.path, s.serve(r))
		app.Head(eventPath+r.path, s.serve(r))
	}
	return s.preview
}
