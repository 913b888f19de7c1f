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

// stalled is how long a download waits for whoever takes it before it is given up.
const stalled = time.Minute

// Stream answers with what write writes, as it is written, of any size and however long it takes: only who takes
// nothing for a minute is cut off. What fails is cut off too, so that nobody takes a part for the whole. Nothing of the
// database may be held by it.
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

// guarded makes an error of a panic: the stream runs beside the request, where nobody else catches it.
func guarded(write func() error) (err error) {
	defer func() {
		if thrown := recover(); thrown != nil {
			err = fmt.Errorf("panic: %v\n%s", thrown, debug.Stack())
		}
	}()
	return write()
}

// patient gives whoever takes a download time for each piece.
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

// arriving is a file that is sent as it is read.
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
