package page

import (
	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"lectern/web/request"
)

// packLevel is the fastest level of brotli and gzip. A page is compressed each time it is shown, and higher levels take
// several times as long for a tenth of the bytes.
const packLevel = 1

// send writes a page, compressed if the browser accepts that.
func (v *Visit) send(page []byte) error {
	v.Vary(fiber.HeaderAcceptEncoding)
	switch {
	case len(page) < request.OnePacket || v.overheard():
	case request.Takes(v.Ctx, "br"):
		v.Set(fiber.HeaderContentEncoding, "br")
		page = fasthttp.AppendBrotliBytesLevel(nil, page, packLevel)
	case request.Takes(v.Ctx, "gzip"):
		v.Set(fiber.HeaderContentEncoding, "gzip")
		page = fasthttp.AppendGzipBytesLevel(nil, page, packLevel)
	}
	return v.Send(page)
}

// overheard tells whether another site made the browser request a private page. Such a page is not compressed: its
// compressed length would tell that site whether its guesses in the address occur in the content.
func (v *Visit) overheard() bool {
	from := v.Get("Sec-Fetch-Site")
	return !v.site.options.Headers.shared() && (from == "cross-site" || from == "same-site")
}
