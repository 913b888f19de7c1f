package page

import (
	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"lectern/web/request"
)

const (
	// packedFrom is the size in bytes from which packing a page is worth it: below, it is one packet anyway.
	packedFrom = 1400
	// packLevel is the quickest of both ways. A page is packed each time it is shown, and higher levels take
	// several times as long for a tenth of the bytes.
	packLevel = 1
)

// send writes a page, packed if the browser takes that.
func (v *Visit) send(page []byte) error {
	v.Vary(fiber.HeaderAcceptEncoding)
	switch {
	case len(page) < packedFrom || v.overheard():
	case request.Takes(v.Ctx, "br"):
		v.Set(fiber.HeaderContentEncoding, "br")
		page = fasthttp.AppendBrotliBytesLevel(nil, page, packLevel)
	case request.Takes(v.Ctx, "gzip"):
		v.Set(fiber.HeaderContentEncoding, "gzip")
		page = fasthttp.AppendGzipBytesLevel(nil, page, packLevel)
	}
	return v.Send(page)
}

// overheard tells whether another site had the browser ask for a page that is for one person. How long such a
// page is when packed tells whether its content repeats words of its address, which would be that site's guesses.
func (v *Visit) overheard() bool {
	from := v.Get("Sec-Fetch-Site")
	return !v.site.options.Headers.shared() && (from == "cross-site" || from == "same-site")
}
