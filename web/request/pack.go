package request

import (
	"net/http"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
)

// OnePacket is how many bytes fit into one packet beside the headers; a smaller body is not worth compressing.
const OnePacket = 1400

// Takes tells whether a request accepts an encoding, such as "gzip", also as "gzip;q=1.0".
func Takes(c *fiber.Ctx, form string) bool {
	return c.Get(fiber.HeaderAcceptEncoding) != "" && c.AcceptsEncodings(form) != ""
}

// Pack compresses an answer with gzip, at the fastest level, for clients that accept it: it does so anew for each
// answer. The ETag becomes a weak one, since the bytes differ.
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
