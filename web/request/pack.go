package request

import (
	"net/http"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
)

// OnePacket is what fits into a packet beside the headers, in bytes: less than that is not worth packing.
const OnePacket = 1400

// Takes tells whether a request says that it takes a form of packing: "gzip", also as "gzip;q=1.0".
func Takes(c *fiber.Ctx, form string) bool {
	return c.Get(fiber.HeaderAcceptEncoding) != "" && c.AcceptsEncodings(form) != ""
}

// Pack packs an answer with gzip for who takes it, as fast as can be: it is made anew each time. Its ETag is a weak one
// then, for the bytes are others.
func Pack(c *fiber.Ctx) error {
	if err := c.Next(); err != nil {
		return err
	}
	answer := c.Response()
	isKnown := answer.StatusCode() == http.StatusNotModified
	if !isKnown && (answer.StatusCode() != http.StatusOK || len(answer.Body()) < OnePacket) {
		return nil
	}
	c.Vary(fiber.HeaderAcceptEncoding)
	if !Takes(c, "gzip") {
		return nil
	}
	if !isKnown {
		answer.SetBodyRaw(fasthttp.AppendGzipBytesLevel(nil, answer.Body(), fasthttp.CompressBestSpeed))
		c.Set(fiber.HeaderContentEncoding, "gzip")
	}
	if tag := answer.Header.Peek(fiber.HeaderETag); len(tag) > 0 && tag[0] == '"' {
		c.Set(fiber.HeaderETag, "W/"+string(tag))
	}
	return nil
}
