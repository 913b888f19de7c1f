package page_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"lectern/models/modelstest"
	"lectern/web/page"
)

// served returns the address of an app that streams what write writes.
func served(t *testing.T, write func(context.Context, io.Writer) error) string {
	t.Helper()
	app := fiber.New(fiber.Config{Immutable: true, DisableStartupMessage: true, WriteTimeout: 200 * time.Millisecond})
	app.Get("/", func(c *fiber.Ctx) error { page.Stream(c, write); return nil })
	at := modelstest.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	go app.Listener(at) //nolint:errcheck // it ends with the test
	t.Cleanup(func() { app.Shutdown() })
	return "http://" + at.Addr().String()
}

var piece = bytes.Repeat([]byte("x"), 64<<10)

func TestAStreamTakesAsLongAsItTakes(t *testing.T) {
	t.Parallel()
	at := served(t, func(_ context.Context, w io.Writer) error {
		for range 5 { // longer than an answer may take
			if _, err := w.Write(piece); err != nil {
				return err
			}
			time.Sleep(100 * time.Millisecond)
		}
		return nil
	})
	answer := modelstest.Must(http.Get(at))(t)
	defer answer.Body.Close()
	if all, err := io.ReadAll(answer.Body); err != nil || len(all) != 5*len(piece) {
		t.Errorf("%d bytes, %v", len(all), err)
	}
}

func TestAStreamThatFailsIsNoWholeAnswer(t *testing.T) {
	t.Parallel()
	for what, fail := range map[string]func() error{"an error": func() error { return errors.New("gone") },
		"a panic": func() error { panic("gone") }} {
		at := served(t, func(_ context.Context, w io.Writer) error {
			if _, err := w.Write(piece); err != nil {
				return err
			}
			return fail()
		})
		answer, err := http.Get(at)
		if err == nil {
			_, err = io.ReadAll(answer.Body)
			answer.Body.Close()
		}
		if err == nil {
			t.Errorf("%s: the answer ends as if it were whole", what)
		}
	}
}

func TestAStreamEndsWithWhoeverTookIt(t *testing.T) {
	t.Parallel()
	ended := make(chan error, 1)
	at := served(t, func(_ context.Context, w io.Writer) error {
		for {
			if _, err := w.Write(piece); err != nil {
				ended <- err
				return err
			}
		}
	})
	answer := modelstest.Must(http.Get(at))(t)
	answer.Body.Close()
	http.DefaultClient.CloseIdleConnections()
	select {
	case <-ended:
	case <-time.After(modelstest.Patience):
		t.Error("it writes to nobody")
	}
}
