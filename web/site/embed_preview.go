package site

import (
	"net/url"

	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/models/embed"
	"lectern/models/store"
	"lectern/views/words"
)

// previewed marks the preview of an embed that need not be saved.
type previewed struct {
	styles string     // address of its style sheet, "" for the event's own
	asked  url.Values // all parameters of its address, which its links keep
}

// Preview answers with the page of an embed that need not be saved, which only our own pages may frame. styles is the
// address of the style sheet of its own colours, "" for the event's.
type Preview func(c *fiber.Ctx, of *models.Event, e *embed.Embed, styles string) error

func (s *handlers) preview(c *fiber.Ctx, of *models.Event, e *embed.Embed, styles string) error {
	asked, _ := url.ParseQuery(string(c.Context().QueryArgs().QueryString()))
	v := &visit{Visit: s.previews.Visit(c), s: s, Language: words.English(), event: of, embed: e,
		programme: s.store.Programme(of, store.By{}), route: embedded[e.Kind],
		previewed: &previewed{styles, asked}}
	return v.Answer(func() error {
		v.read()
		answer, err := v.build()
		if err != nil {
			return err
		}
		return v.send(answer)
	}, v.failEmbed)
}
