package site

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/models/embed"
	"lectern/models/look"
	"lectern/models/site"
	"lectern/models/store"
	"lectern/views/layouts"
	pages "lectern/views/pages/site"
	"lectern/views/words"
	"lectern/web/page"
)

// embedPath is the path of embeds, the only pages that other sites may frame.
const embedPath = "/embeds/:embed"

// embedded are the pages that embeds show.
var embedded = map[embed.Kind]route{
	embed.Sessions:  {reads: parting, show: orNothing(showSessions)},
	embed.Agenda:    {reads: []string{"day"}, show: showAgenda},
	embed.Itinerary: {reads: parting, show: orNothing(showItinerary)},
	embed.Speakers:  {show: orNothing(showSpeakers)},
	embed.Gallery:   {show: orNothing(showSpeakers)},
}

// orNothing wraps a page of the programme; while none is public, it says so.
func orNothing(show func(*visit) (templ.Component, error)) func(*visit) (templ.Component, error) {
	return func(v *visit) (templ.Component, error) {
		if v.agenda == nil {
			return v.notYet(""), nil
		}
		return show(v)
	}
}

func (s *handlers) registerEmbeds(app *fiber.App) {
	app.Get(embedPath+".json", s.embedFeed("application/json; charset=utf-8", s.scheduleJSON, s.speakersJSON))
	app.Get(embedPath+".xml", s.embedFeed("application/xml; charset=utf-8", s.scheduleXML, s.speakersXML))
	app.Get(embedPath+".ics", s.embedFeed(calendarType, s.calendar, s.calendar)) // of people, it holds their sessions
	app.Get(embedPath+"/look.css", s.embedStyles())
	app.Get(embedPath+".html", s.serveEmbed(s.BaseURL))
	app.Head(embedPath+".html", s.serveEmbed(s.BaseURL))
	app.Get(embedPath, s.serveEmbed(""))
	app.Head(embedPath, s.serveEmbed(""))
}

// serveEmbed answers with the page of an embed or, given an origin for its addresses, with an inset.
func (s *handlers) serveEmbed(origin string) fiber.Handler {
	return func(c *fiber.Ctx) error {
		v := &visit{Visit: s.frames.Visit(c), s: s, Language: words.English(), origin: origin}
		if origin != "" { // so that scripts of other sites may read it
			v.Set(fiber.HeaderAccessControlAllowOrigin, "*")
		}
		return v.Answer(v.showEmbed, v.failEmbed)
	}
}

// embedOf returns the embed at an address, even one that is ended, and its event.
func (s *handlers) embedOf(ctx context.Context, c *fiber.Ctx) (*embed.Embed, *models.Event, error) {
	found, event, err := embed.Find(ctx, s.store, c.Params("embed"))
	if err == nil && c.Get("Sec-Fetch-Site") != "same-origin" { // our own preview does not count as use
		found.Asked(s.store)
	}
	return found, event, err
}

// embedStyles answers with the style sheet of an embed with a colour of its own.
func (s *handlers) embedStyles() fiber.Handler {
	return s.feed(stylesType, func(ctx context.Context, c *fiber.Ctx) (*feed, error) {
		found, event, err := embed.Find(ctx, s.store, c.Params("embed"))
		if err != nil {
			return nil, err
		}
		v := &visit{Visit: s.frames.Visit(c), s: s, embed: found, event: event,
			programme: s.store.Programme(event, store.By{})}
		if err := v.dress(); err != nil {
			return nil, err
		}
		return styled(c, v.styles), nil
	})
}

// showEmbed shows the page of an embed. The cache is keyed by the embed's token too, which is read before the event's
// state.
func (v *visit) showEmbed() (err error) {
	if v.embed, v.event, err = v.s.embedOf(v.UserContext(), v.Ctx); err != nil {
		return err
	}
	v.programme = v.s.store.Programme(v.event, store.By{})
	if v.route = embedded[v.embed.Kind]; v.origin != "" {
		v.route = route{show: showInset}
	}
	v.read()
	if !v.embed.IsOn {
		return errEnded
	}
	return v.answer(v.embed.UpdatedAt.String())
}

// errEnded is the error of an embed that was ended.
var errEnded = errors.New("this embed was ended")

// failEmbed says in a sentence, within the other site's page, why an embed shows nothing, and links to the event if it
// is known.
func (v *visit) failEmbed(err error) error {
	switch {
	case errors.Is(err, errEnded):
		err = &page.Problem{Status: http.StatusGone, Title: v.T("frame.gone"), Text: v.T("frame.ended")}
	case store.KindOf(err) == store.NotFound:
		if v.embed == nil {
			v.Language, _ = v.Speak("", words.All())
		}
		err = &page.Problem{Status: http.StatusNotFound, Title: v.T("agenda.programme"), Text: v.T("frame.noembed")}
	case v.origin == "":
		return v.fail(err)
	}
	return v.FailIn(err, func(title string, why layouts.Failure) templ.Component {
		if v.origin != "" {
			said, _ := v.Fault(why.Text)
			return pages.Inset(v.inset(said))
		}
		s := layouts.Site{Page: v.Page(title), Language: v.Language, Embedded: true}
		if v.embed != nil && (v.look != nil || v.dress() == nil) {
			s = v.bare(title)
		}
		return layouts.EmbedProblem(s, why)
	})
}

// embedFeed answers with an embed's sessions or people as data, from the cache. A nil writer means that these have no
// such format.
func (s *handlers) embedFeed(kind string, sessions, people writer) fiber.Handler {
	return s.feed(kind, func(ctx context.Context, c *fiber.Ctx) (*feed, error) {
		found, event, err := s.embedOf(ctx, c)
		if err != nil {
			return nil, err
		}
		write := sessions
		if found.Kind.ShowsPeople() {
			write = people
		}
		if !found.IsOn {
			return nil, fiber.ErrGone
		}
		p := s.store.Programme(event, store.By{})
		key := strings.Join([]string{kind, found.ID, found.UpdatedAt.String()}, " ")
		return s.kept(p, key, func() (*feed, error) {
			agenda, err := site.Of(p).Agenda(ctx)
			if err != nil {
				return nil, err
			}
			l, err := look.Of(p).Look(ctx)
			if err != nil {
				return nil, err
			}
			text, err := write(within(found, agenda), l)
			return &feed{body: packed(text, keptPack), built: s.Now()}, err
		})
	})
}

// within returns what an embed shows of an agenda: the sessions that pass its filters, their people, and only the
// fields that it shows. The format, level and tags of cancelled sessions are unknown, so filters by these drop them.
func within(e *embed.Embed, a *site.Agenda) *site.Agenda {
	n, out := narrow(url.Values(e.Filters)), *a
	people := map[string]*site.Person{}
	some := func(all []*site.Session) (left []*site.Session) {
		for _, s := range n.left(all) {
			if !e.Kind.ShowsPeople() || len(s.People) > 0 {
				left = append(left, sessionWithin(e, s, people))
			}
		}
		return left
	}
	out.Sessions, out.Unplaced = some(a.Sessions), some(a.Unplaced)
	out.People, out.Cancelled, out.Breaks = nil, nil, nil
	for _, person := range a.People {
		if shown := people[person.ID]; shown != nil {
			out.People = append(out.People, shown)
		}
	}
	for _, entry := range a.Cancelled {
		if n.passes(&site.Session{Entry: entry}, "") {
			out.Cancelled = append(out.Cancelled, entry)
		}
	}
	for _, b := range a.Breaks {
		if n.isEmpty() || n.passes(&site.Session{Entry: site.Entry{RoomID: b.RoomID}}, "") {
			out.Breaks = append(out.Breaks, b)
		}
	}
	return &out
}

// sessionWithin returns a session as an embed shows it; people holds the copies of people, one each.
func sessionWithin(e *embed.Embed, s *site.Session,
	people map[string]*site.Person,
) *site.Session {
	shown := *s
	if !e.ShowsDescriptions {
		shown.Description = ""
	}
	shown.People = make([]site.Speaker, len(s.People))
	for i, on := range s.People {
		person := people[on.ID]
		if person == nil {
			person = new(*on.Person)
			people[on.ID] = person
			if !e.ShowsDescriptions {
				person.About = ""
			}
			if !e.ShowsCompanies {
				person.JobTitle, person.Company = "", ""
			}
			if !e.ShowsPhotos {
				person.Photo = ""
			}
		}
		shown.People[i] = on
		shown.People[i].Person = person
	}
	return &shown
}
