package page

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/models/files"
	"lectern/models/look"
	"lectern/models/store"
	"lectern/models/tasks"
	"lectern/views/words"
	"lectern/web/request"
)

// pictureCache lets everybody cache a picture, which never changes at its address, for a day only, since it may be
// deleted.
const pictureCache = "public, max-age=86400"

// RegisterPictures serves contacts' photos and events' logos and pictures to anybody who knows their address, and
// speakers' files at addresses that expire.
func RegisterPictures(app *fiber.App, from *models.Store) {
	app.Get("/photos/:name", request.ETag, picture(from, func(ctx context.Context, name string) (*models.File, error) {
		key, isPhoto := strings.CutSuffix(name, ".jpg")
		if !isPhoto || !files.IsKey(key) {
			return nil, fiber.ErrNotFound
		}
		return from.Photo(ctx, key)
	}))
	app.Get(tasks.Downloads+":token", download(from))
	app.Get(look.PicturePath+":name", request.ETag, picture(from,
		func(ctx context.Context, name string) (*models.File, error) {
			return look.Shown(ctx, from, name)
		}))
}

// download serves a file of speakers at an address that expires.
func download(from *models.Store) fiber.Handler {
	return func(c *fiber.Ctx) error {
		ctx, cancel := context.WithTimeout(c.UserContext(), pageTime)
		defer cancel()
		f, err := tasks.FileAt(ctx, from, c.Params("token"))
		if err == nil {
			c.Set(fiber.HeaderCacheControl, "private, no-store")
			err = SendFile(ctx, c, from, f, attachment)
		}
		return Refusal(c, err)
	}
}

// Refusal turns an error of a file's address into fiber's answer to it, nil for nil.
func Refusal(c *fiber.Ctx, err error) error {
	switch store.KindOf(err) {
	case store.NotFound:
		return fiber.ErrNotFound
	case store.Unavailable:
		c.Set(fiber.HeaderRetryAfter, request.RetryAfter)
		return fiber.ErrServiceUnavailable
	}
	return err
}

// picture serves the picture that find returns, with headers that keep browsers from running it.
func picture(from *models.Store, find func(context.Context, string) (*models.File, error)) fiber.Handler {
	return func(c *fiber.Ctx) error {
		ctx, cancel := context.WithTimeout(c.UserContext(), pageTime)
		defer cancel()
		f, err := find(ctx, c.Params("name"))
		if err == nil {
			f.Name = string(f.Purpose) // the public is not shown the name that its owner gave it
			err = SendFile(ctx, c, from, f, "inline")
		}
		if err == nil {
			c.Set(fiber.HeaderCacheControl, pictureCache)
		}
		return Refusal(c, err)
	}
}

// attachment is the disposition of a file that the browser saves rather than shows.
const attachment = "attachment"

// SendFile answers with a file under its detected media type, which browsers may not override. Disposition is
// inline, for pictures, or attachment, which is streamed as it is read.
func SendFile(ctx context.Context, c *fiber.Ctx, from *models.Store, f *models.File, disposition string) error {
	if disposition == attachment {
		ctx = context.WithoutCancel(ctx) // the body is read after the handler returned
	}
	there, err := from.OpenFile(ctx, f)
	if err != nil {
		return err
	}
	if disposition == attachment {
		head(c, f, disposition)
		return c.Status(http.StatusOK).SendStream(arriving{there, c.Context().Conn()}, int(f.Size))
	}
	defer there.Close()
	content, err := io.ReadAll(io.LimitReader(there, f.Size+1))
	if err != nil {
		return err
	}
	if int64(len(content)) != f.Size {
		return fmt.Errorf("the file %s has other bytes in the file store than were kept", f.ID)
	}
	head(c, f, disposition)
	return c.Status(http.StatusOK).Send(content)
}

// SaveFile answers with a file for the browser to save, or returns the error of finding it.
func (v *Visit) SaveFile(f *models.File, err error) error {
	if err != nil {
		return err
	}
	return SendFile(v.UserContext(), v.Ctx, v.site.store, f, attachment)
}

// preview is a type of file that a browser shows, with the bytes that it begins with and the endings of its names.
type preview struct {
	mediaType string
	begins    string // a ? is any byte
	endings   []string
}

// previews are the types of files that a browser may show, since none of them runs as a page of ours.
var previews = []preview{
	{"image/jpeg", "\xff\xd8\xff", []string{".jpg", ".jpeg"}},
	{"image/png", "\x89PNG\r\n\x1a\n", []string{".png"}},
	{"image/webp", "RIFF????WEBP", []string{".webp"}},
	{pdf, "%PDF-", []string{".pdf"}}}

// pdf stands apart: browsers' PDF viewers stay empty in a sandbox.
const pdf = "application/pdf"

// Previewed returns the media type under which a file of this name is shown, "" where it can only be saved.
func Previewed(name string) string {
	for _, p := range previews {
		if slices.Contains(p.endings, strings.ToLower(path.Ext(name))) {
			return p.mediaType
		}
	}
	return ""
}

// IsPicture tells whether a media type is a picture's.
func IsPicture(mediaType string) bool { return strings.HasPrefix(mediaType, "image/") }

// SendPreview answers with a file to look at where its name and first bytes say that it is a picture or a PDF, else
// with one to save. It streams the file as it is read.
func SendPreview(ctx context.Context, c *fiber.Ctx, from *models.Store, f *models.File) error {
	mediaType := Previewed(f.Name)
	there, err := from.OpenFile(context.WithoutCancel(ctx), f)
	if err != nil {
		return err
	}
	begin := make([]byte, 12)
	n, err := io.ReadFull(there, begin)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		there.Close()
		return err
	}
	shown := slices.ContainsFunc(previews, func(p preview) bool {
		return p.mediaType == mediaType && files.Begins(begin[:n], p.begins)
	})
	if head(c, f, attachment); shown {
		head(c, f, "inline")
		c.Set(fiber.HeaderContentType, mediaType)
		c.Set(fiber.HeaderXFrameOptions, "SAMEORIGIN")
		c.Set(fiber.HeaderContentSecurityPolicy, "default-src 'none'; frame-ancestors 'self'; sandbox")
		if mediaType == pdf {
			c.Set(fiber.HeaderContentSecurityPolicy,
				"default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'")
		}
	}
	read := struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(begin[:n]), there), there}
	return c.Status(http.StatusOK).SendStream(arriving{read, c.Context().Conn()}, int(f.Size))
}

// head sets the headers that name a file's type and keep anything in it from running.
func head(c *fiber.Ctx, f *models.File, disposition string) {
	c.Set(fiber.HeaderContentType, f.MediaType)
	c.Set(fiber.HeaderContentDisposition, mime.FormatMediaType(disposition, map[string]string{"filename": sentName(f)}))
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	c.Set(fiber.HeaderContentSecurityPolicy, "default-src 'none'; sandbox")
	c.Set(fiber.HeaderETag, `"`+f.SHA256[:32]+`"`)
}

// Size returns a file's size in English: 812 bytes, 4.2 kB, 17 MB, 80 GB.
func Size(bytes int64) string { return words.English().Size(bytes) }

// sentName returns the name that a file is saved under: a picture gets the ending of what it is now, whatever it
// was converted from.
func sentName(f *models.File) string {
	end := map[string]string{files.PhotoType: ".jpg", files.ClearType: ".png"}[f.MediaType]
	if end == "" {
		return f.Name
	}
	return strings.TrimSuffix(f.Name, path.Ext(f.Name)) + end
}
