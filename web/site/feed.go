package site

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/models/look"
	"lectern/models/site"
	"lectern/models/store"
	"lectern/views/words"
	"lectern/web/page"
	"lectern/web/request"
)

const (
	// feedTime is how long a feed may take.
	feedTime = 10 * time.Second
	// publicCache lets everybody cache what is public, but revalidate it each time, so that what is unpublished
	// disappears with the next request.
	publicCache = "public, max-age=0, must-revalidate"
)

// feed is an answer that is valid until the agenda changes.
type feed struct {
	body
	built time.Time // zero for one that is not cached
	lasts string    // Cache-Control instead of publicCache, "" for that
}

// kept returns a feed of an event from the cache, or has makes make it.
func (s *handlers) kept(p *models.Programme, name string, makes func() (*feed, error)) (*feed, error) {
	return s.feeds.get(p.Event().ID+" "+name, state{agenda: p.AgendaState()}, makes)
}

// calendarType is the media type of calendars.
const calendarType = "text/calendar; charset=utf-8"

func (s *handlers) registerFeeds(app *fiber.App) {
	app.Get(eventPath+"/schedule.xml", s.whole("application/xml; charset=utf-8", s.scheduleXML))
	app.Get(eventPath+"/schedule.json", s.whole("application/json; charset=utf-8", s.scheduleJSON))
	app.Get(eventPath+"/sitemap.xml", s.handler(sitemapType, s.sitemap))
	app.Get("/sitemap.xml", s.feed(sitemapType, s.sitemaps))
	app.Get("/robots.txt", s.robots)
	app.Get(eventPath+"/calendar.ics", s.whole(calendarType, s.calendar))
	app.Get(eventPath+"/tracks/:id.ics", s.part(ofTrack))
	app.Get(eventPath+"/rooms/:id.ics", s.part(ofRoom))
	app.Get(eventPath+"/sessions/:id.ics", s.part(ofSession))
	app.Get(eventPath+"/speakers/:id.ics", s.part(ofSpeaker))
	app.Get(eventPath+"/my.ics", s.mine)
	app.Get(eventPath+"/files/:file", s.material)
	app.Get(eventPath+"/look.css", s.styles())
}

// writer writes an event's public programme; the look says which pages exist.
type writer func(*site.Agenda, *look.Look) ([]byte, error)

// whole answers with a cached feed of a whole event.
func (s *handlers) whole(kind string, write writer) fiber.Handler {
	return s.handler(kind, func(ctx context.Context, c *fiber.Ctx, p *models.Programme) (*feed, error) {
		return s.kept(p, kind, func() (*feed, error) {
			agenda, err := site.Of(p).Agenda(ctx)
			if err != nil {
				return nil, err
			}
			if !hasFeeds(agenda) {
				return nil, page.NoPage
			}
			l, err := look.Of(p).Look(ctx)
			if err != nil {
				return nil, err
			}
			text, err := write(agenda, l)
			return &feed{body: packed(text, keptPack), built: s.Now()}, err
		})
	})
}

// hasFeeds tells whether an agenda, nil for none, has or had a session with a time, so that there are feeds.
func hasFeeds(a *site.Agenda) bool { return a != nil && len(a.Sessions)+len(a.Cancelled) > 0 }

// part answers with the calendar of some of an event's sessions.
func (s *handlers) part(of func(agenda *site.Agenda, id string) *selection) fiber.Handler {
	return s.handler(calendarType, func(ctx context.Context, c *fiber.Ctx, p *models.Programme) (*feed, error) {
		agenda, err := site.Of(p).Agenda(ctx)
		if err != nil {
			return nil, err
		}
		chosen := of(agenda, cmp.Or(c.Params("id"), c.Query("my")))
		if chosen == nil {
			return nil, fiber.ErrNotFound
		}
		l, err := look.Of(p).Look(ctx)
		if err != nil {
			return nil, err
		}
		return &feed{body: packed(s.entries(agenda, l, chosen), quickPack)}, nil
	})
}

// mine answers with the calendar of a reader's own schedule, named in the reader's language.
func (s *handlers) mine(c *fiber.Ctx) error {
	l, _ := s.frame.Visit(c).Speak(c.Query("lang"), words.All())
	return s.part(func(_ *site.Agenda, numbers string) *selection {
		return ofMine(numbers, l.T("mine.title"))
	})(c)
}

// handler answers with a feed of the event that the address names.
func (s *handlers) handler(kind string, find func(context.Context, *fiber.Ctx, *models.Programme) (*feed, error)) fiber.Handler {
	return s.feed(kind, func(ctx context.Context, c *fiber.Ctx) (*feed, error) {
		event, err := s.store.EventBy(ctx, c.Params("event"))
		if err != nil {
			return nil, err
		}
		return find(ctx, c, s.store.Programme(event, store.By{}))
	})
}

// feed answers with a feed, or with 304.
func (s *handlers) feed(kind string, find func(context.Context, *fiber.Ctx) (*feed, error)) fiber.Handler {
	return func(c *fiber.Ctx) error {
		ctx, cancel := context.WithTimeout(c.UserContext(), feedTime)
		defer cancel()
		found, err := find(ctx, c)
		if err != nil {
			return page.Refusal(c, err)
		}
		return found.send(c, kind, s.Now())
	}
}

// send answers with a feed, or 304 if the client has it. It sends Last-Modified only once that second is over, so that
// no later feed has the same time.
func (f *feed) send(c *fiber.Ctx, kind string, now time.Time) error {
	c.Set(fiber.HeaderCacheControl, cmp.Or(f.lasts, publicCache))
	c.Set(fiber.HeaderAccessControlAllowOrigin, "*")
	form, tag := f.accepted(c)
	c.Set(fiber.HeaderETag, tag)
	if !f.built.IsZero() && now.Truncate(time.Second).After(f.built) {
		c.Set(fiber.HeaderLastModified, f.built.UTC().Format(http.TimeFormat))
	}
	c.Set(fiber.HeaderContentType, kind)
	if f.isKnown(c, tag) {
		c.Response().Header.Del(fiber.HeaderContentEncoding)
		return c.Status(http.StatusNotModified).Send(nil)
	}
	c.Status(http.StatusOK).Response().SetBodyRaw(form())
	return nil
}

// isKnown tells whether the client has the feed, by ETag or else by If-Modified-Since.
func (f *feed) isKnown(c *fiber.Ctx, tag string) bool {
	if tags := c.Get(fiber.HeaderIfNoneMatch); tags != "" {
		return request.IsKnown(tags, tag)
	}
	since, err := http.ParseTime(c.Get(fiber.HeaderIfModifiedSince))
	return err == nil && !f.built.IsZero() && !f.built.Truncate(time.Second).After(since)
}
