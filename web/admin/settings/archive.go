package settings

import (
	"context"
	"io"

	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/models/archive"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// sendArchive answers with all of an event as one archive, as it is made.
func sendArchive(v *visit.Visit, e *models.Event) error {
	taken, err := archive.Take(v.UserContext(), v.Store.Programme(e, v.By()))
	if err != nil {
		return err
	}
	v.Set(fiber.HeaderContentType, "application/zip")
	v.Set(fiber.HeaderContentDisposition, `attachment; filename="`+e.Slug+"-"+v.Now().UTC().Format("2006-01-02")+`.zip"`)
	page.Stream(v.Ctx, func(ctx context.Context, to io.Writer) error {
		defer taken.Close()
		return taken.WriteTo(ctx, to)
	})
	return nil
}
