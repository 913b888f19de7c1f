package site

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/models/look"
	"lectern/web/page"
)

// lookCache lets everybody cache a style sheet for a year at the address of its version.
const lookCache = "public, max-age=31536000, immutable"

// styles answers with the style sheet of an event.
func (s *handlers) styles() fiber.Handler {
	return s.handler(stylesType, func(ctx context.Context, c *fiber.Ctx, p *models.Programme) (*feed, error) {
		styles, err := look.Of(p).StyleSheet(ctx)
		if err != nil {
			return nil, err
		}
		return styled(c, styles), nil
	})
}

const stylesType = "text/css; charset=utf-8"

// styled returns the answer of a style sheet.
func styled(c *fiber.Ctx, styles string) *feed {
	f := &feed{body: packed([]byte(styles), quickPack)}
	if c.Query("v") == page.StylesVersion(styles) {
		f.lasts = lookCache
	}
	return f
}
