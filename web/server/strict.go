package server

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"lectern/web/admin"
	"lectern/web/cfp"
)

// refuseMalformed ends connections whose requests others could read in another way, which is how one request is
// smuggled inside of another past a proxy. What fasthttp refuses by itself comes to the same answer.
func refuseMalformed(c *fiber.Ctx) error {
	if !isWellFormed(&c.Request().Header) {
		c.Context().SetConnectionClose()
		return fiber.ErrBadRequest
	}
	return c.Next()
}

// isWellFormed tells whether a head is as RFC 9112 has it: a known version, each field on one line that ends in
// CRLF, no space around its name, one Host, and one way to tell where the body ends.
func isWellFormed(h *fasthttp.RequestHeader) bool {
	version := string(h.Protocol())
	if version != "HTTP/1.1" && version != "HTTP/1.0" {
		return false
	}
	if len(h.RawHeaders()) == 0 { // there are none, or it is a call in process
		return version == "HTTP/1.0" || len(h.Host()) > 0
	}
	hosts, lengths, encodings, ok := framing(h.RawHeaders())
	if version == "HTTP/1.0" {
		return ok && hosts <= 1 && lengths <= 1 && encodings == 0
	}
	return ok && hosts == 1 && lengths+encodings <= 1
}

// framing counts the fields that tell for whom a request is and where it ends; ok
// tells whether each line of the head is well formed.
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

// awaitNoLargeBody has a request handled at once whose body is too large, where fasthttp would wait for its
// beginning: as one that has none, on a connection that ends with it.
func awaitNoLargeBody(h *fasthttp.RequestHeader) (none fasthttp.RequestConfig) {
	if length := h.ContentLength(); length > bodyLimit && length > limitOf(h) {
		h.Del(fiber.HeaderExpect)
		h.SetContentLength(0)
	}
	return none
}

// isAnnouncedLarge tells whether awaitNoLargeBody met the request.
func isAnnouncedLarge(h *fasthttp.RequestHeader) bool {
	for line := range bytes.Lines(h.RawHeaders()) {
		if name, value, _ := bytes.Cut(line, []byte(":")); isField(name, fiber.HeaderContentLength) {
			length, err := strconv.Atoi(string(bytes.TrimSpace(value)))
			return err == nil && length > limitOf(h)
		}
	}
	return false
}

// limitOf is how large a body may be at the address of a request, whatever is in it.
func limitOf(h *fasthttp.RequestHeader) int {
	path, _, _ := strings.Cut(string(h.RequestURI()), "?")
	return max(bodyLimit, admin.UploadLimit(path), cfp.UploadLimit(path))
}
