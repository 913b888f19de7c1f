package page

import (
	"slices"

	"github.com/gofiber/fiber/v2"

	"lectern/views/words"
)

// languageCookie keeps the language that somebody chose on pages that are for them alone. Pages that others may keep
// have it in their address.
const languageCookie = "lectern-language"

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
