package admintest

import (
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"

	"lectern/models/modelstest"
	"lectern/web/admin/visit"
)

// Reading is the answer to a GET request.
type Reading struct {
	Route   visit.Route
	Address string // with its query
	Status  int
	Header  http.Header
	Page    string
}

// EveryPage requests all GET routes for staff, with ids in their paths, each with all queries. Parameters without an id
// get one that nothing has.
func (b *Browser) EveryPage(ids *strings.Replacer, queries ...string) iter.Seq[Reading] {
	return func(yield func(Reading) bool) {
		for _, r := range b.Routes() {
			if r.Method != http.MethodGet || r.Needs == visit.Anyone || strings.HasPrefix(r.Path, "/design") {
				continue
			}
			path := Parameter.ReplaceAllString(ids.Replace(r.Path), "00000000-0000-7000-8000-000000000000")
			for _, query := range queries {
				res := modelstest.Must(b.App.Test(b.With(httptest.NewRequest(http.MethodGet, path+query, nil)), -1))(b.T)
				page := string(modelstest.Must(io.ReadAll(res.Body))(b.T))
				if !yield(Reading{r, path + query, res.StatusCode, res.Header, page}) {
					return
				}
			}
		}
	}
}
