// Package site serves what everybody may see of an event, without a key or a sign-in: its programme as pages for people
// and as feeds for programs. It knows nothing of staff.
package site

import (
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/web/page"
)

// Options are what pages and feeds need besides the store.
type Options struct {
	BaseURL string // for the absolute addresses in pages and feeds
	// Address returns the address that a request comes from.
	Address func(*fiber.Ctx) string
	Now     func() time.Time
}

type handlers struct {
	Options
	store *models.Store
	feeds *kept[*feed]
	pages *kept[*answer]
	// pictures are the pictures drawn of pages; whoever draws one holds the easel.
	pictures *kept[*answer]
	easel    chan struct{}
	frame    *page.Site
	// frames serves the pages that other sites frame, previews those that only our own pages frame.
	frames, previews *page.Site
}

// eventPath is the path of an event's public site, by its slug; its id redirects there.
const eventPath = "/events/:event"

// Register adds the pages and feeds of all events to an app, below /events and the event's slug or id, and those of
// embeds below /embeds. It returns the function that shows embeds that are not saved.
func Register(app *fiber.App, from *models.Store, options Options) Preview {
	if options.Now == nil {
		options.Now = time.Now
	}
	pages := page.Options{BaseURL: options.BaseURL, Address: options.Address, Now: options.Now, Door: "site",
		Headers: page.Public}
	s := &handlers{Options: options, store: from, feeds: newKept[*feed](keptFeedBytes),
		pages: newKept[*answer](keptBytes), pictures: newKept[*answer](keptPictureBytes), easel: make(chan struct{}, 1),
		frame: page.New(from, pages)}
	pages.Headers = page.Embedded
	s.frames = page.New(from, pages)
	pages.Headers = page.Framed
	s.previews = page.New(from, pages)
	app.Use(eventPath, inSmallLetters)
	s.registerFeeds(app)
	s.registerEmbeds(app)
	for _, r := range slices.Concat(pictureRoutes, routes) { // pictures first: speakers/picture.png is one
		app.Get(eventPath+r.path, s.serve(r))
		app.Head(eventPath+r.path, s.serve(r))
	}
	return s.preview
}
