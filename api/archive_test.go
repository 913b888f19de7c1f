package api_test

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lectern/api"
	"lectern/models/apikey"
	"lectern/models/archive"
	"lectern/models/demo"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// TestAnEventThatMovedAnswersAsBefore asks all that can be read of an event: where it was, and where its archive was
// brought in, on the other engine. That its rows are the same on each, whichever it came from, is proven beside archives.
func TestAnEventThatMovedAnswersAsBefore(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d := open(t, f, api.Options{})
		made := modelstest.Must(demo.Fill(t.Context(), d.Store, demo.Options{Password: modelstest.SecretPhrase}))(t)
		d.event = modelstest.Everything(t, f, made.Event, modelstest.Tester)
		d.key = d.mint(t, made.Event, apikey.Scopes...)
		taken := modelstest.Must(archive.Take(t.Context(), d.Store.Programme(made.Event, modelstest.Tester)))(t)
		defer taken.Close()
		var whole bytes.Buffer
		modelstest.Fine(t, taken.WriteTo(t.Context(), &whole))
		was := d.readAll(t)
		there := open(t, modelstest.Open(t, d.OtherEngine()), api.Options{})
		there.Clock.Move(d.Clock.Now().Sub(there.Clock.Now()))
		schema := modelstest.Must(there.SchemaVersion(there.Read(t.Context())))(t)
		opened := modelstest.Must(archive.Open(bytes.NewReader(whole.Bytes()), int64(whole.Len()), schema))(t)
		arrived := modelstest.Must(opened.Import(t.Context(), there.Store, store.By{Door: "import"}, archive.Arrival{}))(t)
		there.event = arrived.Event
		there.key = there.mint(t, arrived.Event, apikey.Scopes...)
		is := there.readAll(t)
		if len(was) < 200 || len(was) != len(is) {
			t.Errorf("%d addresses, then %d", len(was), len(is))
		}
		for _, asked := range was {
			if i := slices.IndexFunc(is, func(r reading) bool { return r.path == asked.path }); i < 0 {
				t.Errorf("%s is not asked", asked.path)
			} else if is[i].said != asked.said {
				t.Errorf("%s said\n%s\nand says\n%s", asked.path, asked.said, is[i].said)
			}
		}
	})
}

// aDownload is an address that is sealed anew for each answer.
var aDownload = regexp.MustCompile(`/downloads/[A-Za-z0-9_-]+`)

// reading is what an address answered.
type reading struct{ path, said string }

// readAll asks each operation that reads, of each record that its address can name. Keys are of one Lectern, and each
// numbers changes by itself.
func (d *door) readAll(t *testing.T) (all []reading) {
	t.Helper()
	ids := map[string][]string{}
	paths := d.do(t, "GET", "/v1/openapi.json", nil).want(200).object()["paths"].(object)
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		for _, method := range slices.Sorted(maps.Keys(paths[path].(object))) {
			searches := strings.HasSuffix(path, "/search") || strings.HasSuffix(path, "/count")
			if method != "get" && (method != "post" || !searches) || path == "/v1/key" || strings.HasSuffix(path, "/changes") {
				continue
			}
			for _, address := range d.addresses(t, path, ids) {
				said := aDownload.ReplaceAllString(d.read(t, method, address), "/downloads/")
				all = append(all, reading{method + " " + address, said})
			}
		}
	}
	return all
}

// addresses are those that a path of the description has, with the ids of all records of the list that it is below.
func (d *door) addresses(t *testing.T, path string, known map[string][]string) []string {
	t.Helper()
	path = strings.Replace(path, "{eventId}", d.event.ID, 1)
	list, rest, found := strings.Cut(path, "/{")
	if !found {
		return []string{path}
	}
	if known[list] == nil {
		known[list] = d.idsOf(t, list)
	}
	_, end, _ := strings.Cut(rest, "}")
	return store.Map(known[list], func(id string) string { return list + "/" + id + end })
}

// idsOf are the ids of all records of a list.
func (d *door) idsOf(t *testing.T, list string) (ids []string) {
	t.Helper()
	method := "GET"
	if slices.Contains([]string{"sessions", "contacts", "speakers"}, list[strings.LastIndex(list, "/")+1:]) {
		method, list = "POST", list+"/search"
	}
	for page := 1; ; page++ {
		address, body := list, any(nil)
		if method == "POST" {
			body = object{"page": page}
		} else {
			address += fmt.Sprintf("?page=%d", page)
		}
		rows := d.do(t, method, address, body).want(200).results()
		for _, row := range rows {
			ids = append(ids, row["id"].(string))
		}
		if len(rows) == 0 {
			return ids
		}
	}
}

// read is what an address says: of a list, all of its pages.
func (d *door) read(t *testing.T, method, address string) string {
	t.Helper()
	if method == "get" {
		return string(d.do(t, "GET", address, nil).raw)
	}
	said := ""
	for page := 1; ; page++ {
		answer := d.do(t, "POST", address, object{"page": page})
		said += string(answer.raw) + "\n"
		if !strings.HasSuffix(address, "/search") || answer.status != 200 || len(answer.results()) == 0 {
			return said
		}
	}
}
