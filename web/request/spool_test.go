package request

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"lectern/models/modelstest"
)

// TestASlowFileThatComesNoFurtherIsGivenUpOnce has somebody send a part of a file, and then nothing.
func TestASlowFileThatComesNoFurtherIsGivenUpOnce(t *testing.T) {
	t.Parallel()
	const wait = 3 * time.Second
	app := fiber.New(fiber.Config{StreamRequestBody: true, DisablePreParseMultipartForm: true, BodyLimit: 1 << 10,
		DisableStartupMessage: true})
	took := make(chan time.Duration, 1)
	app.Post("/", func(c *fiber.Ctx) error {
		s := &skimmed{room: 10_000, files: map[string]int64{}, patience: wait,
			keep: func(string) (io.Writer, error) { return io.Discard, nil }}
		began := time.Now()
		err := s.form(c, 1<<20)
		took <- time.Since(began)
		return err
	})
	listener := modelstest.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	go app.Listener(listener)
	t.Cleanup(func() { app.Shutdown() })
	body, to := io.Pipe()
	defer to.Close()
	go func() {
		io.WriteString(to, "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.zip\"\r\n\r\n")
		io.WriteString(to, strings.Repeat("x", 20_000))
	}()
	res := modelstest.Must(http.Post("http://"+listener.Addr().String(), "multipart/form-data; boundary=b", body))(t)
	defer res.Body.Close()
	if lasted := <-took; res.StatusCode != fiber.StatusRequestTimeout || lasted > 2*wait-50*time.Millisecond {
		t.Error(fmt.Sprint(res.StatusCode, " after ", lasted))
	}
}
