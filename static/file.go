package static

import (
	"crypto/sha256"
	"encoding/base64"
	"io/fs"
	"path"
	"sync"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
)

// file is one that is served: as it is, and packed once when it is first asked for,
// because packing takes far longer than asking.
type file struct {
	kind, tag    string
	whole        []byte
	brotli, gzip func() []byte // nil for what is packed already
}

// pack returns every file by its path.
func pack() map[string]*file {
	all := map[string]*file{}
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		whole, err := files.ReadFile(name)
		sum := sha256.Sum256(whole)
		f := &file{kind: kindOf(name), tag: base64.RawURLEncoding.EncodeToString(sum[:16]), whole: whole}
		if path.Ext(name) != ".woff2" {
			f.brotli = sync.OnceValue(func() []byte { return fasthttp.AppendBrotliBytes(nil, whole) })
			f.gzip = sync.OnceValue(func() []byte { return fasthttp.AppendGzipBytes(nil, whole) })
		}
		all[name] = f
		return err
	})
	if err != nil {
		panic(err) // embedded
	}
	return all
}

func (f *file) isFont() bool { return f.kind == "font/woff2" }

func kindOf(name string) string {
	switch path.Ext(name) {
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".html":
		return "text/html; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".woff2":
		return "font/woff2"
	}
	return fiber.MIMETextPlainCharsetUTF8
}

// send answers with the smallest form that the browser takes. Each has an ETag of its own.
func (f *file) send(c *fiber.Ctx) error {
	c.Set(fiber.HeaderContentType, f.kind)
	if f.brotli == nil {
		return f.answer(c, f.whole, "")
	}
	c.Vary(fiber.HeaderAcceptEncoding)
	switch {
	case c.Request().Header.HasAcceptEncoding("br"):
		return f.answer(c, f.brotli(), "br")
	case c.Request().Header.HasAcceptEncoding("gzip"):
		return f.answer(c, f.gzip(), "gzip")
	}
	return f.answer(c, f.whole, "")
}

func (f *file) answer(c *fiber.Ctx, body []byte, encoding string) error {
	tag := f.tag
	if encoding != "" {
		c.Set(fiber.HeaderContentEncoding, encoding)
		tag += "-" + encoding
	}
	c.Set(fiber.HeaderETag, `"`+tag+`"`)
	c.Response().SetBodyRaw(body)
	return nil
}
