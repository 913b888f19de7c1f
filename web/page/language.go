package page

import (
	"log/slog"
	"slices"

	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/models/look"
	"lectern/models/store"
	"lectern/views/words"
	"lectern/web/request"
)

// languageCookie holds the language that somebody chose on private pages. Public pages, which others may cache,
// have it in their address.
const languageCookie = "lectern-language"

// offersKept is how many events' offered languages are cached.
const offersKept = 200

// Offered returns the languages in which an event offers its public pages, in the order of words.All, and all of
// them where they cannot be read. The cache is keyed by the event's token, which changes when staff choose others.
func (v *Visit) Offered(e *models.Event) []*words.Language {
	offered, err := v.site.offers.Get(v.UserContext(), e.ID, e.UpdatedAt, func() (some []*words.Language, err error) {
		speaks, err := look.Of(v.site.store.Programme(e, store.By{})).Speaks(v.UserContext())
		for _, l := range words.All() {
			if err == nil && speaks(l.Tag) {
				some = append(some, l)
			}
		}
		return some, err
	})
	if err != nil {
		slog.Error("the languages of an event were not read", "request_id", request.ID(v.Context()), "error", err.Error())
	}
	if len(offered) == 0 {
		return words.All()
	}
	return offered
}

// Speak chooses the answer's language among those offered: the tag asked for, else, on private pages, the one
// chosen before, else the browser's. It puts it into the request's context, which everything rendered follows, and
// sets the Vary headers that caches need. chosen tells whether the reader chose it.
func (v *Visit) Speak(asked string, offered []*words.Language) (l *words.Language, chosen bool) {
	is := func(l *words.Language) bool { return l != nil && slices.Contains(offered, l) }
	isPrivate := !v.site.options.Headers.shared()
	if l = words.For(asked); is(l) {
		if isPrivate {
			v.SetCookie(languageCookie, l.Tag, 365*24*60*60)
		}
	} else if isPrivate {
		v.Vary(fiber.HeaderCookie)
		l = words.For(v.CookieValue(languageCookie))
	}
	if chosen = is(l); !chosen {
		v.Vary(fiber.HeaderAcceptLanguage)
		l = words.Accepted(v.Get(fiber.HeaderAcceptLanguage), offered)
	}
	v.Set(fiber.HeaderContentLanguage, l.Tag)
	v.SetUserContext(words.With(v.UserContext(), l))
	return l, chosen
}
