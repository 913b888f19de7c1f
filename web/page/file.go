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
	"lectern/models/task"
	"lectern/views/words"
	"lectern/web/request"
)

// pictureCache lets everybody keep a picture for a day: what is at its address never changes, but it may go.
const pictureCache = "public, max-age=86400"

// RegisterPictures serves the photos that contacts have, and the logos and pictures that events have, to whoever knows
// their address.
func RegisterPictures(app *fiber.App, from *models.Store) {
	app.Get("/photos/:name", request.ETag, picture(from, func(ctx context.Context, name string) (*models.File, error) {
		key, isPhoto := strings.CutSuffix(name, ".jpg")
		if !isPhoto || !files.IsKey(key) {
			return nil, fiber.ErrNotFound
		}
		return from.Photo(ctx, key)
	}))
	app.Get(task.Downloads+":token", download(from))
	app.Get(look.PicturePath+":name", request.ETag, picture(from,
		func(ctx context.Context, name string) (*models.File, error) {
			return look.Shown(ctx, from, name)
		}))
}

// download answers with a file of speakers whose address is good for a while.
func download(from *models.Store) fiber.Handler {
	return func(c *fiber.Ctx) error {
		ctx, cancel := context.WithTimeout(c.UserContext(), pageTime)
		defer cancel()
		f, err := task.FileAt(ctx, from, c.Params("token"))
		if err == nil {
			c.Set(fiber.HeaderCacheControl, "private, no-store")
			err = SendFile(ctx, c, from, f, attachment)
		}
		return Refusal(c, err)
	}
}

// Refusal is the answer of an address of a file to an error, nil for none.
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

// picture answers with the one of a name, as nothing that a browser runs.
func picture(from *models.Store, find func(context.Context, string) (*models.File, error)) fiber.Handler {
	return func(c *fiber.Ctx) error {
		ctx, cancel := context.WithTimeout(c.UserContext(), pageTime)
		defer cancel()
		f, err := find(ctx, c.Params("name"))
		if err == nil {
			f.Name = string(f.Purpose) // what its owner called it is no matter of the public
			err = SendFile(ctx, c, from, f, "inline")
		}
		if err == nil {
			c.Set(fiber.HeaderCacheControl, pictureCache)
		}
		return Refusal(c, err)
	}
}

// attachment is the disposition of what is to be saved.
const attachment = "attachment"

// SendFile answers with a file as what it was found to be, and lets no browser make anything else of it.
// Disposition is inline, for pictures, or attachment for what is to be saved, which is sent as it is read.
func SendFile(ctx context.Context, c *fiber.Ctx, from *models.Store, f *models.File, disposition string) error {
	if disposition == attachment {
		ctx = context.WithoutCancel(ctx) // it is read once the handler is over
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

// SaveFile sends a file that was found to be saved; otherwise it answers why it was not.
func (v *Visit) SaveFile(f *models.File, err error) error {
	if err != nil {
		return err
	}
	return SendFile(v.UserContext(), v.Ctx, v.site.store, f, attachment)
}

// preview is a type of files that a browser shows, with how their bytes begin and their names end.
type preview struct {
	mediaType string
	begins    string // a ? is any byte
	endings   []string
}

// previews are the types of files that a browser shows, by how they begin and end: nothing of them runs as a page of
// ours.
var previews = []preview{
	{"image/jpeg", "\xff\xd8\xff", []string{".jpg", ".jpeg"}},
	{"image/png", "\x89PNG\r\n\x1a\n", []string{".png"}},
	{"image/webp", "RIFF????WEBP", []string{".webp"}},
	{pdf, "%PDF-", []string{".pdf"}}}

// pdf is the type of files whose viewer of a browser stays empty in a sandbox.
const pdf = "application/pdf"

// Previewed is the type as which a file of a name is shown, "" for one that is only saved.
func Previewed(name string) string {
	for _, p := range previews {
		if slices.Contains(p.endings, strings.ToLower(path.Ext(name))) {
			return p.mediaType
		}
	}
	return ""
}

// IsPicture tells of a type that it is a picture's.
func IsPicture(mediaType string) bool { return strings.HasPrefix(mediaType, "image/") }

// SendPreview answers with a file to be looked at, where its name and its first bytes say that it is a picture or a
// PDF; any other is sent to be saved. It is sent as it is read.
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

// head says what a file is and that nothing of it runs.
func head(c *fiber.Ctx, f *models.File, disposition string) {
	c.Set(fiber.HeaderContentType, f.MediaType)
	c.Set(fiber.HeaderContentDisposition, mime.FormatMediaType(disposition, map[string]string{"filename": sentName(f)}))
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	c.Set(fiber.HeaderContentSecurityPolicy, "default-src 'none'; sandbox")
	c.Set(fiber.HeaderETag, `"`+f.SHA256[:32]+`"`)
}

// Size is how large a file is, in English: 812 bytes, 4.2 kB, 17 MB, 80 GB.
func Size(bytes int64) string { return words.English().Size(bytes) }

// sentName is what a file is saved as: a picture ends as what it is, whatever it was made of.
func sentName(f *models.File) string {
	end := map[string]string{files.PhotoType: ".jpg", files.ClearType: ".png"}[f.MediaType]
	if end == "" {
		return f.Name
	}
	return strings.TrimSuffix(f.Name, path.Ext(f.Name)) + end
}
