// Package manual serves the documentation (the files of docs) as pages at /docs, rendered once at start, without a
// sign-in.
package manual

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"

	"lectern/docs"
	"lectern/models"
	"lectern/views/layouts"
	pages "lectern/views/pages/manual"
	"lectern/web/page"
	"lectern/web/request"
)

// base is the path of all pages.
const base = "/docs"

// Register serves the contents, each page by its name, the search, the pictures, and the files for monitoring a
// server.
func Register(app *fiber.App, from *models.Store, options page.Options) {
	all, err := read(docs.Files)
	if err != nil {
		panic(err) // the files are embedded, so this cannot fail
	}
	options.Home, options.Headers = "/admin", page.Private
	site := page.New(from, options)
	app.Get(base, site.Handler(func(v *page.Visit) error {
		if asked := strings.TrimSpace(v.Query("q")); asked != "" {
			return v.Show(pages.Found(pages.FoundPage{Frame: all.frame(v, "Found", nil), Found: all.find(asked)}))
		}
		contents := all.frame(v, "Documentation", nil)
		contents.IsContents = true
		return v.Show(pages.Contents(contents))
	}))
	app.Get(base+"/pictures/:name", request.ETag, func(c *fiber.Ctx) error {
		content, err := docs.Files.ReadFile("pictures/" + c.Params("name"))
		if err != nil {
			return fiber.ErrNotFound
		}
		c.Set(fiber.HeaderCacheControl, "public, max-age=3600")
		return c.Type("webp").Send(content)
	})
	app.Get(base+"/monitoring/:name", request.ETag, func(c *fiber.Ctx) error {
		content, err := docs.Files.ReadFile("monitoring/" + c.Params("name"))
		if err != nil {
			return fiber.ErrNotFound
		}
		c.Attachment(c.Params("name"))
		return c.Send(content)
	})
	app.Get(base+"/:name", site.Handler(func(v *page.Visit) error {
		one := all.byName[v.Params("name")]
		if one == nil {
			return &page.Problem{Status: http.StatusNotFound, Title: "There is no such page",
				Text:  "The documentation has no page of this name.",
				First: layouts.Step{Name: "Contents of the documentation", URL: base}}
		}
		body := templ.Raw(one.body) // the same for every visitor
		return v.Show(pages.Page(pages.PageOf{Frame: all.frame(v, one.Title, one), Body: body}))
	}))
}

// frame returns what surrounds a page: the contents, and the sections of the page that is open, nil for none.
func (m *manual) frame(v *page.Visit, title string, open *text) pages.Frame {
	f := pages.Frame{Page: v.Page(title), Base: base, Asked: v.Query("q")}
	for _, shelf := range shelves {
		part := pages.Shelf{For: shelf.readers}
		for _, name := range shelf.names {
			one := m.byName[name]
			link := pages.Link{Title: one.Title, About: one.about, URL: base + "/" + name, Current: one == open}
			if link.Current {
				for _, s := range one.sections {
					if s.id != "" {
						link.Parts = append(link.Parts, pages.Link{Title: s.title, URL: "#" + s.id})
					}
				}
			}
			part.Pages = append(part.Pages, link)
		}
		if shelf.reference {
			part.Pages = append(part.Pages, pages.Link{Title: "Reference of the API", About: "Every operation, to try.",
				URL: base + "/api-reference"})
		}
		f.Shelves = append(f.Shelves, part)
	}
	return f
}

// find returns the sections that contain all words asked for, those with one in their title first.
func (m *manual) find(asked string) (all []pages.Link) {
	words := strings.Fields(fold(asked))
	var others []pages.Link
	for _, one := range m.inOrder {
		for _, s := range one.sections {
			titled, has := false, true
			for _, word := range words {
				titled = titled || strings.Contains(fold(s.title), word)
				has = has && strings.Contains(s.folded, word)
			}
			if !has {
				continue
			}
			link := pages.Link{Title: cmp.Or(s.title, one.Title), Of: one.Title, About: s.around(words[0]),
				URL: base + "/" + url.PathEscape(one.name)}
			if s.id != "" {
				link.URL += "#" + s.id
			}
			if titled {
				all = append(all, link)
			} else {
				others = append(others, link)
			}
		}
	}
	return append(all, others...)
}

// shelf is the group of pages for one kind of reader.
type shelf struct {
	readers   string
	names     []string
	reference bool // also lists the reference of the API, a page of its own
}

// shelves are all pages, by file name: guide/start.md is start.
var shelves = []shelf{
	{"For staff", []string{"start", "call", "reviews", "decisions", "sessions", "agenda", "publish", "people", "tasks",
		"team", "moving", "moving-events", "glossary"}, false},
	{"For speakers", []string{"speakers"}, false},
	{"For whoever runs it", []string{"operations", "sign-in", "security", "performance"}, false},
	{"For developers", []string{"api", "webhooks", "mcp", "feeds", "architecture"}, true},
}
