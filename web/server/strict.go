package server

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"lectern/web/admin"
	"lectern/web/call"
)

// refuseMalformed closes connections whose requests a proxy could parse differently: that is how one request is
// smuggled inside another. What fasthttp itself refuses gets the same answer.
func refuseMalformed(c *fiber.Ctx) error {
	if !isWellFormed(&c.Request().Header) {
		c.Context().SetConnectionClose()
		return fiber.ErrBadRequest
	}
	return c.Next()
}

// isWellFormed tells whether a head conforms to RFC 9112: a known version, each field on one line that ends in
// CRLF, no space around its name, one Host, and one way to tell where the body ends.
func isWellFormed(h *fasthttp.RequestHeader) bool {
	version := string(h.Protocol())
	if version != "HTTP/1.1" && version != "HTTP/1.0" {
		return false
	}
	if len(h.RawHeaders()) == 0 { // no fields, or a call in process
		return version == "HTTP/1.0" || len(h.Host()) > 0
	}
	hosts, lengths, encodings, ok := framing(h.RawHeaders())
	if version == "HTTP/1.0" {
		return ok && hosts <= 1 && lengths <= 1 && encodings == 0
	}
	return ok && hosts == 1 && lengths+encodings <= 1
}

// framing counts the fields that name the host and that delimit the body; ok tells whether each line of the head is
// well formed.
func framing(head []byte) (hosts, lengths, encodings int, ok bool) {
	for line := range bytes.Lines(head) {
		field, ended := bytes.CutSuffix(line, []byte("\r\n"))
		if !ended {
			return 0, 0, 0, false
		}
		if len(field) == 0 {
			break
		}
		name, value, found := bytes.Cut(field, []byte(":"))
		if !found || bytes.ContainsAny(name, " \t") {
			return 0, 0, 0, false
		}
		switch {
		case isField(name, fiber.HeaderHost):
			hosts++
		case isField(name, fiber.HeaderContentLength):
			lengths++
		case isField(name, fiber.HeaderTransferEncoding):
			encodings++
			if !isField(bytes.TrimSpace(value), "chunked") {
				return 0, 0, 0, false
			}
		}
	}
	return hosts, lengths, encodings, true
}

func isField(name []byte, field string) bool { return strings.EqualFold(string(name), field) }

// awaitNoLargeBody has a request whose body is too large handled at once, where fasthttp would wait for the body's
// beginning. It makes it a request without a body, whose connection is closed after the answer.
func awaitNoLargeBody(h *fasthttp.RequestHeader) (none fasthttp.RequestConfig) {
	if length := h.ContentLength(); length > bodyLimit && length > limitOf(h) {
		h.Del(fiber.HeaderExpect)
		h.SetContentLength(0)
	}
	return none
}

// isAnnouncedLarge tells whether awaitNoLargeBody removed the request's body.
func isAnnouncedLarge(h *fasthttp.RequestHeader) bool {
	for line := range bytes.Lines(h.RawHeaders()) {
		if name, value, _ := bytes.Cut(line, []byte(":")); isField(name, fiber.HeaderContentLength) {
			length, err := strconv.Atoi(string(bytes.TrimSpace(value)))
			return err == nil && length > limitOf(h)
		}
	}
	return false
}

// limitOf returns how large a body may be at a request's address, whatever its type.
func limitOf(h *fasthttp.RequestHeader) int {
	path, _, _ := strings.Cut(string(h.RequestURI()), "?")
	return max(bodyLimit, admin.UploadLimit(path), call.UploadLimit(path))
}
