package site

import (
	"net/url"

	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/models/embed"
	"lectern/models/store"
	"lectern/views/words"
)

// previewed is an embed that need not be kept, as the admin shows it while it is made.
type previewed struct {
	styles string     // address of its style sheet, "" for the event's own
	asked  url.Values // all of its address, which its links keep
}

// Preview answers with the page of an embed of an event that need not be kept, which pages of ours alone may frame.
// styles is the address of a style sheet in its colours, "" for the event's own.
type Preview func(c *fiber.Ctx, of *models.Event, e *embed.Embed, styles string) error

func (s *site) preview(c *fiber.Ctx, of *models.Event, e *embed.Embed, styles string) error {
	asked, _ := url.ParseQuery(string(c.Context().QueryArgs().QueryString()))
	v := &visit{Visit: s.previews.Visit(c), s: s, Language: words.English(), event: of, embed: e,
		programme: s.store.Programme(of, store.By{}), route: embedded[e.Kind],
		previewed: &previewed{styles, asked}}
	return v.Answer(func() error {
		v.read()
		answer, err := v.make()
		if err != nil {
			return err
		}
		return v.send(answer)
	}, v.failEmbed)
}
