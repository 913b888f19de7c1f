package request_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"

	"lectern/web/request"
)

func TestASkimmedFormKeepsItsFieldsAndBoundsItsParts(t *testing.T) {
	app := fiber.New()
	app.Post("/", func(c *fiber.Ctx) error {
		files, err := request.Skim(c, 1<<20, 10_000)
		if err != nil {
			return err
		}
		return c.SendString(fmt.Sprint(c.FormValue("title"), " ", files))
	})
	part := func(name, file, text string) string {
		return "--b\r\nContent-Disposition: form-data; name=\"" + name + "\"" + file + "\r\n\r\n" + text + "\r\n"
	}
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
		r := httptest.NewRequest("POST", "/", strings.NewReader(x.body+"--b--\r\n"))
		r.Header.Set("Content-Type", "multipart/form-data; boundary=b")
		res, err := app.Test(r)
		if err != nil {
			t.Fatal(err)
		}
		if res.StatusCode != x.status {
			t.Errorf("%s is answered %d, want %d", name, res.StatusCode, x.status)
		}
	}
}
