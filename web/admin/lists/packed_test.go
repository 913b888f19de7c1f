package lists_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/valyala/fasthttp"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/web/admin/admintest"
)

func TestPagesArePackedForBrowsersThatTakeIt(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Owner)
	d.Session(models.NewSession{Title: "Harbour", IsAbstract: true})
	ask := func(path string, headers ...string) (*http.Response, string) {
		t.Helper()
		r := httptest.NewRequest("GET", path, nil)
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		res := modelstest.Must(b.App.Test(b.With(r), -1))(t)
		defer res.Body.Close()
		page, err := io.ReadAll(res.Body)
		switch res.Header.Get("Content-Encoding") {
		case "br":
			page, err = fasthttp.AppendUnbrotliBytes(nil, page)
		case "gzip":
			page, err = fasthttp.AppendGunzipBytes(nil, page)
		}
		modelstest.Fine(t, err)
		return res, string(page)
	}
	list := d.At("/submissions")
	for _, c := range []struct {
		headers []string
		packed  string
	}{
		{nil, ""},
		{[]string{"Accept-Encoding", "identity"}, ""},
		{[]string{"Accept-Encoding", "gzip, deflate"}, "gzip"},
		{[]string{"Accept-Encoding", "gzip, deflate, br"}, "br"},
		{[]string{"Accept-Encoding", "br", "Sec-Fetch-Site", "none"}, "br"},
		{[]string{"Accept-Encoding", "br", "Sec-Fetch-Site", "same-origin"}, "br"},
		// What another site asks for it could learn from by its length.
		{[]string{"Accept-Encoding", "gzip, br", "Sec-Fetch-Site", "cross-site"}, ""},
		{[]string{"Accept-Encoding", "gzip, br", "Sec-Fetch-Site", "same-site"}, ""},
	} {
		res, page := ask(list, c.headers...)
		if got := res.Header.Get("Content-Encoding"); got != c.packed || res.StatusCode != 200 {
			t.Errorf("%v is packed as %q, %d", c.headers, got, res.StatusCode)
		}
		if !strings.Contains(res.Header.Get("Vary"), "Accept-Encoding") {
			t.Errorf("%v: Vary is %q", c.headers, res.Header.Get("Vary"))
		}
		admintest.Wants(t, page, "Harbour", "</html>")
	}
	// No two pages have the same proof, so that none can be guessed from how pages pack.
	_, first := ask(list, "Accept-Encoding", "br")
	_, second := ask(list, "Accept-Encoding", "br")
	if one, two := admintest.TokenPattern.FindString(first), admintest.TokenPattern.FindString(second); one == "" ||
		one == two {
		t.Errorf("two pages have the proof %s", one)
	}
	res, export := ask(list+".csv", "Accept-Encoding", "gzip, br")
	if res.Header.Get("Content-Encoding") != "" || !strings.Contains(export, "Harbour") {
		t.Errorf("an export is packed: %v", res.Header)
	}
}
