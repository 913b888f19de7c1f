package api_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestAParameterThatAnOperationDoesNotHaveIsRefused(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		of := d.rows(t)
		d.unchanged(t, func() {
			for _, e := range endpoints() {
				if e.path += "?nope=1"; strings.Count(e.path, "?") > 1 {
					e.path = strings.Replace(e.path, "?nope", "&nope", 1)
				}
				d.ask(t, e, of).wantField("nope")
			}
			d.do(t, "HEAD", d.path("/tracks?nope=1"), nil).want(400)
		})
		d.do(t, "GET", d.path("/changes?kind=session&sinse=x"), nil).wantField("sinse").
			wantError(400, "ValidationError", `"kind is not a parameter of this request, which takes since, kinds, limit, wait"`)
		d.do(t, "GET", d.path("/tracks?pagesize=1"), nil).wantError(400, "ValidationError", "takes page, pageSize")
		d.do(t, "GET", d.path("/overview?page=1"), nil).wantError(400, "ValidationError", "takes none")
		d.do(t, "GET", d.path("/tracks?"+strings.Repeat("x", 2000)+"=%ff&%ff=1"), nil).wantError(400, "ValidationError")
	})
}

func TestAListInTheQueryMayStandValueByValue(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		made := d.create(t, object{"title": "T"})
		for _, query := range []string{"fields=id,title", "fields=id&fields=title",
			"fields=&fields=id&page=1&fields=title,id"} {
			got := d.do(t, "POST", d.path("/sessions/search?"+query), `{}`).want(200).results()
			wantEqual(t, got, []object{{"id": made["id"], "title": "T"}})
		}
		d.do(t, "POST", d.path("/sessions/search?fields=id&fields=nope"), `{}`).wantField("fields")
	})
}

func TestAWriteThatDependsOnAnETagIsRefused(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		of := d.rows(t)
		tag := d.do(t, "GET", d.path("/sessions/"+of["session"]), nil).want(200).header("ETag")
		d.unchanged(t, func() {
			for _, e := range endpoints() {
				answer := d.ask(t, e, of, "If-Match", tag)
				isRead := e.method == http.MethodGet || strings.HasSuffix(e.path, "/search")
				if isRead || !strings.HasPrefix(string(e.scope), "write:") {
					answer.want(200)
				} else {
					answer.wantField("If-Match").wantError(400, "ValidationError", "updated_at")
				}
			}
		})
	})
}
