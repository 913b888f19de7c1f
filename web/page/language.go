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

// languageCookie keeps the language that somebody chose on pages that are for them alone. Pages that others may keep
// have it in their address.
const languageCookie = "lectern-language"

// offersKept is of how many events it is kept what they offer.
const offersKept = 200

// Offered are the languages that an event offers its public pages in, in the order of words.All. It is kept by the
// event's token, which moves when staff choose others.
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

// Speak chooses the language of the answer among those that are offered: the one that was asked for by its tag, else,
// on private pages, the one that was chosen before, else the browser's. All that is rendered speaks it, and no cache
// gives it to who reads another one. It tells whether somebody chose.
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
