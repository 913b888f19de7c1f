package request_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"lectern/models/modelstest"
	"lectern/web/request"
)

// part returns a part of a form with the boundary b; file is "" or what names a file.
func part(name, file, text string) string {
	return "--b\r\nContent-Disposition: form-data; name=\"" + name + "\"" + file + "\r\n\r\n" + text + "\r\n"
}

// sends sends a form to an app, and returns the status and the text of the answer.
func sends(t *testing.T, app *fiber.App, body string) (int, string) {
	t.Helper()
	r := httptest.NewRequest("POST", "/", strings.NewReader(body))
	r.Header.Set("Content-Type", "multipart/form-data; boundary=b")
	res := modelstest.Must(app.Test(r, -1))(t)
	return res.StatusCode, string(modelstest.Must(io.ReadAll(res.Body))(t))
}

func TestASkimmedFormKeepsItsFieldsAndBoundsItsParts(t *testing.T) {
	app := fiber.New()
	app.Post("/", func(c *fiber.Ctx) error {
		files, err := request.Skim(c, 1<<20, 10_000)
		if err != nil {
			return err
		}
		return c.SendString(fmt.Sprint(c.FormValue("title"), " ", files))
	})
	var many strings.Builder
	for i := range 1000 {
		many.WriteString(part(fmt.Sprint("f", i), `; filename="a"`, ""))
	}
	for name, x := range map[string]struct {
		body   string
		status int
	}{
		"a file beside a field": {part("title", "", "Tides") + part("photo", `; filename="a.png"`, strings.Repeat("x", 20_000)), 200},
		"many small files":      {many.String(), 413},
		"a long text":           {part("title", "", strings.Repeat("x", 20_000)), 413},
	} {
		if status, _ := sends(t, app, x.body+"--b--\r\n"); status != x.status {
			t.Errorf("%s is answered %d, want %d", name, status, x.status)
		}
	}
}

func TestASpooledFormKeepsItsFileOutsideOfMemory(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	app := fiber.New(fiber.Config{StreamRequestBody: true, DisablePreParseMultipartForm: true, BodyLimit: 1 << 20})
	app.Post("/", func(c *fiber.Ctx) error {
		kept, err := request.Spool(c, 1<<20, 10_000)
		if err != nil {
			return err
		}
		if kept == nil {
			return c.SendString("no file, " + c.FormValue("title"))
		}
		defer kept.Close()
		content, err := io.ReadAll(kept)
		if err != nil || int64(len(content)) != kept.Size {
			t.Errorf("%d of %d bytes, %v", len(content), kept.Size, err)
		}
		return c.SendString(kept.Name + " " + fmt.Sprint(len(content)) + " " + c.FormValue("title"))
	})
	named := `; filename="a.zip"`
	for name, x := range map[string]struct {
		body   string
		status int
		want   string
	}{
		"a file before a field": {part("file", named, strings.Repeat("x", 200_000)) + part("title", "", "Tides") + "--b--\r\n", 200,
			"a.zip 200000 Tides"},
		"none chosen": {part("title", "", "Tides") + part("file", `; filename=""`, "") + "--b--\r\n", 200, "no file, Tides"},
		"too large":   {part("file", named, strings.Repeat("x", 1<<20)) + "--b--\r\n", 413, ""},
		"cut off":     {part("file", named, "x")[:70], 400, ""},
		"two files":   {part("file", named, "x") + part("file", named, "y") + "--b--\r\n", 400, ""},
		"a long text": {part("file", named, "x") + part("title", "", strings.Repeat("x", 20_000)) + "--b--\r\n", 413, ""},
	} {
		if status, said := sends(t, app, x.body); status != x.status || x.want != "" && said != x.want {
			t.Errorf("%s: %d %s", name, status, said)
		}
	}
	if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) > 0 {
		t.Errorf("%d files are left", len(left))
	}
}

// TestASlowFileArrives takes longer to send a file than a request may take to be read.
func TestASlowFileArrives(t *testing.T) {
	t.Parallel()
	app := fiber.New(fiber.Config{StreamRequestBody: true, DisablePreParseMultipartForm: true, BodyLimit: 1 << 10,
		ReadTimeout: time.Second, DisableStartupMessage: true})
	app.Post("/", func(c *fiber.Ctx) error {
		kept, err := request.Spool(c, 1<<20, 10_000)
		if err != nil {
			return err
		}
		defer kept.Close()
		return c.SendString(fmt.Sprint(kept.Size))
	})
	listener := modelstest.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	go app.Listener(listener)
	t.Cleanup(func() { app.Shutdown() })
	body, to := io.Pipe()
	go func() {
		io.WriteString(to, "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.zip\"\r\n\r\n")
		for range 5 {
			time.Sleep(300 * time.Millisecond)
			io.WriteString(to, strings.Repeat("x", 40_000))
		}
		io.WriteString(to, "\r\n--b--\r\n")
		to.Close()
	}()
	res := modelstest.Must(http.Post("http://"+listener.Addr().String(), "multipart/form-data; boundary=b", body))(t)
	defer res.Body.Close()
	if said, _ := io.ReadAll(res.Body); res.StatusCode != 200 || string(said) != "200000" {
		t.Errorf("%d %s", res.StatusCode, said)
	}
}
