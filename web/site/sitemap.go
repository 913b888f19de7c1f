package site

import (
	"context"
	"encoding/xml"
	"net/http"
	"time"

	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/look"
	"lectern/models/site"
	"lectern/models/store"
	"lectern/web/page"
)

const sitemapType = "text/xml; charset=utf-8"

// mapped is an address of a sitemap.
type mapped struct {
	Address string `xml:"loc"`
	Changed string `xml:"lastmod,omitempty"`
}

// sitemaps answers with the index of the sitemaps of all events with a public page.
func (s *handlers) sitemaps(ctx context.Context, _ *fiber.Ctx) (*feed, error) {
	var out struct {
		XMLName xml.Name `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 sitemapindex"`
		Maps    []mapped `xml:"sitemap"`
	}
	slugs, err := site.Places(ctx, s.store)
	if err != nil {
		return nil, err
	}
	for _, slug := range slugs {
		out.Maps = append(out.Maps, mapped{Address: s.BaseURL + "/events/" + slug + "/sitemap.xml"})
	}
	return written(out, quickPack)
}

// sitemap answers with the pages of an event that search engines may show, from the cache.
func (s *handlers) sitemap(ctx context.Context, _ *fiber.Ctx, p *models.Programme) (*feed, error) {
	return s.kept(p, "sitemap", func() (*feed, error) {
		agenda, err := site.Of(p).Agenda(ctx)
		if err != nil && store.KindOf(err) != store.NotFound {
			return nil, err
		}
		l, err := look.Of(p).Look(ctx)
		if err != nil {
			return nil, err
		}
		hasCall := call.Dates(p.Event()).Phase(store.At(s.Now())) != call.NoCall
		if agenda == nil && !hasCall {
			return nil, page.NoPage
		}
		var out struct {
			XMLName xml.Name `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
			Pages   []mapped `xml:"url"`
		}
		home := s.BaseURL + "/events/" + p.Event().Slug
		out.Pages = []mapped{{Address: home}}
		if hasCall {
			out.Pages = append(out.Pages, mapped{Address: home + "/call"})
		}
		if agenda != nil {
			out.Pages = append(out.Pages, s.programmePages(agenda, l)...)
		}
		f, err := written(out, keptPack)
		if err == nil {
			f.built = s.Now()
		}
		return f, err
	})
}

// programmePages returns the pages of a programme.
func (s *handlers) programmePages(a *site.Agenda, l *look.Look) (all []mapped) {
	for _, page := range []look.Page{look.Agenda, look.Sessions, look.Itinerary, look.Speakers, look.Changes} {
		switch {
		case !l.Has(page):
		case page == look.Agenda && len(a.Sessions) > 0: // by day, since the agenda's own address shows today
			last, zone := "", zoneOf(a)
			for _, x := range a.Sessions {
				if day := x.StartsAt.In(zone).Format(time.DateOnly); day != last {
					all, last = append(all, mapped{Address: s.address(a, string(page)+"/"+day)}), day
				}
			}
		default:
			all = append(all, mapped{Address: s.address(a, string(page))})
		}
	}
	for x := range a.All {
		all = append(all, mapped{s.address(a, sessionAt(x)), x.UpdatedAt.UTC().Format(time.RFC3339)})
	}
	for _, person := range a.People {
		if l.Has(look.Speakers) {
			all = append(all, mapped{Address: s.address(a, personAt(person))})
		}
	}
	return all
}

// written returns a sitemap as an answer.
func written(sitemap any, level int) (*feed, error) {
	text, err := xml.Marshal(sitemap)
	return &feed{body: packed(append([]byte(xml.Header), text...), level)}, err
}

// robots asks search engines to skip pages for staff, for one person, or with the same content in another form.
func (s *handlers) robots(c *fiber.Ctx) error {
	c.Set(fiber.HeaderCacheControl, publicCache)
	c.Type("txt", "utf-8")
	return c.Status(http.StatusOK).SendString("User-agent: *\nDisallow: /admin\nDisallow: /v1/\nDisallow: /mcp\n" +
		"Disallow: /events/*/place\nDisallow: /events/*/my\nDisallow: /events/*?*my=\nDisallow: /events/*?*q=\n" +
		"Disallow: /events/*?*track=\nDisallow: /events/*?*room=\nDisallow: /events/*?*format=\nDisallow: /events/*?*level=\n" +
		"Disallow: /events/*?*tag=\nDisallow: /events/*?*tz=\nDisallow: /embeds/\n\nSitemap: " + s.BaseURL + "/sitemap.xml\n")
}
