package request

import (
	"bytes"
	"errors"
	"io"
	"net"

	"github.com/gofiber/fiber/v2"
)

// ReadBody reads the whole body of a request, of which the server has read only the beginning. It answers 413 for
// more than limit bytes, 408 when it does not arrive in time, and 400 when it breaks off.
func ReadBody(c *fiber.Ctx, limit int) error {
	stream := c.Request().BodyStream()
	if stream == nil { // it was read already, or there is none
		if len(c.Request().Body()) > limit {
			return fiber.ErrRequestEntityTooLarge
		}
		return nil
	}
	var body bytes.Buffer
	_, err := body.ReadFrom(io.LimitReader(stream, int64(limit)+1))
	var late net.Error
	switch {
	case body.Len() > limit:
		return fiber.ErrRequestEntityTooLarge
	case errors.As(err, &late) && late.Timeout():
		return fiber.ErrRequestTimeout
	case err != nil:
		return fiber.ErrBadRequest
	}
	c.Request().SetBodyRaw(body.Bytes())
	return nil
}
