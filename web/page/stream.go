package page

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"runtime/debug"
	"time"

	"github.com/gofiber/fiber/v2"

	"lectern/web/request"
)

// stalled is how long a download may make no progress before it is cut off.
const stalled = time.Minute

// Stream answers with what write writes, as it is written, however large it is and however long it takes; a client
// that takes nothing for a minute is cut off. On an error the connection is cut, so that nobody takes a part for
// the whole. write must not hold a transaction or a database connection.
func Stream(c *fiber.Ctx, write func(context.Context, io.Writer) error) {
	conn, id, ctx := c.Context().Conn(), request.ID(c.UserContext()), context.WithoutCancel(c.UserContext())
	c.Context().SetBodyStreamWriter(func(w *bufio.Writer) {
		err := guarded(func() error { return write(ctx, patient{w, conn}) })
		if err == nil {
			err = w.Flush()
		}
		if err != nil {
			slog.Warn("a download was cut off", "request_id", id, "error", err.Error())
			conn.Close()
		}
	})
}

// guarded turns a panic into an error: the stream runs outside the request's handler, where nobody else recovers.
func guarded(write func() error) (err error) {
	defer func() {
		if thrown := recover(); thrown != nil {
			err = fmt.Errorf("panic: %v\n%s", thrown, debug.Stack())
		}
	}()
	return write()
}

// patient renews the write deadline for each piece of a download.
type patient struct {
	io.Writer
	conn net.Conn
}

func (p patient) Write(b []byte) (int, error) {
	if err := p.conn.SetWriteDeadline(time.Now().Add(stalled)); err != nil {
		return 0, err
	}
	return p.Writer.Write(b)
}

// arriving is a file sent as it is read, with a new write deadline for each piece.
type arriving struct {
	io.ReadCloser
	conn net.Conn
}

func (a arriving) Read(b []byte) (int, error) {
	if err := a.conn.SetWriteDeadline(time.Now().Add(stalled)); err != nil {
		return 0, err
	}
	return a.ReadCloser.Read(b)
}
