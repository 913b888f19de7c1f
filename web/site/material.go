package site

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/models/site"
	"lectern/models/store"
	pages "lectern/views/pages/site"
	"lectern/web/page"
)

// materialAt returns the address of a session's file, below the event's.
func materialAt(m *site.Material) string { return "files/" + m.ID + m.Ending }

// material sends a file that a session offers, under a name of ours: the public is not shown the name that its owner
// gave it.
func (s *handlers) material(c *fiber.Ctx) error {
	ctx, cancel := context.WithTimeout(c.UserContext(), feedTime)
	defer cancel()
	f, err := s.materialOf(ctx, c.Params("event"), c.Params("file"))
	if err == nil {
		c.Set(fiber.HeaderCacheControl, publicCache)
		err = page.SendFile(ctx, c, s.store, f, "attachment")
	}
	return page.Refusal(c, err)
}

// materialOf returns the file that is shown under a name, NotFound if it is not shown any more.
func (s *handlers) materialOf(ctx context.Context, event, name string) (*models.File, error) {
	of, err := s.store.EventBy(ctx, event)
	if err != nil {
		return nil, err
	}
	agenda, err := site.Of(s.store.Programme(of, store.By{})).Agenda(ctx)
	if err != nil {
		return nil, err
	}
	for x := range agenda.All {
		for i := range x.Materials {
			m := &x.Materials[i]
			if m.FileID == "" || name != m.ID+m.Ending {
				continue
			}
			f, err := models.FileOf(s.store.Read(ctx), of.OrganizationID, models.DeliverableFile, m.FileID)
			if err == nil {
				f.Name, err = url.PathUnescape(wordsOf(of.Slug+"-s-"+strconv.Itoa(x.Number), m.Title) + m.Ending)
			}
			return f, err
		}
	}
	return nil, page.NoPage
}

// materials returns what a session's page offers to download.
func (v *visit) materials(s *site.Session) (all []pages.Material) {
	for i := range s.Materials {
		m := &s.Materials[i]
		out := pages.Material{Title: m.Title, URL: m.URL}
		if m.URL == "" {
			out.URL = v.path(materialAt(m))
			out.Note = store.Joined(strings.ToUpper(strings.TrimPrefix(m.Ending, ".")), v.Size(m.Size))
		} else if _, host, found := strings.Cut(m.URL, "://"); found {
			out.Note, _, _ = strings.Cut(host, "/")
		}
		all = append(all, out)
	}
	return all
}
