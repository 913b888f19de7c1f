package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"lectern/models/modelstest"
)

func TestWholeNumbersMayBeWrittenWithAFraction(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		for written, want := range map[string]any{"21.0": 21.0, "21.000": 21.0, "2.1e1": 21.0, "210e-1": 21.0, "1E2": 100.0,
			"0.0": 0.0, "-0.0": 0.0, "1000000.0": 1_000_000.0} {
			s := d.do(t, "POST", d.path("/sessions/create"), `{"title": "1.0", "capacity": `+written+
				`, "custom_fields": {"1.0\"": "\\2.0"}}`).want(200).object()
			wantEqual(t, []any{s["title"], s["capacity"], s["custom_fields"]},
				[]any{"1.0", want, []object{{"key": `1.0"`, "value": `\2.0`}}})
			d.put(t, s["id"], `{"capacity": 3}`).want(200)
			wantEqual(t, d.put(t, s["id"], `{"capacity": `+written+`}`).want(200).object()["capacity"], want)
			result := d.bulk(t, []any{object{"action": "update", "id": s["id"],
				"data": json.RawMessage(`{"capacity": ` + written + `}`)}})
			wantEqual(t, result[0]["status"], "success")
			wantEqual(t, d.do(t, "POST", d.path("/rooms/create"), `{"name": "R", "capacity": `+written+`}`).want(200).
				object()["capacity"], want)
		}
		wantEqual(t, d.do(t, "POST", d.path("/formats/create"), `{"name": "F", "default_minutes": 30.0}`).want(200).
			object()["default_minutes"], 30)
		wantEqual(t, d.do(t, "POST", d.path("/sessions/search"), `{"page": 2.0, "pageSize": 1e1}`).want(200).
			object()["pagination"].(object)["pageSize"], 10)
		for _, written := range []string{"1.5", "1e-1", "1.0e-1", "1e30", "-1.0", "1000000.5"} {
			d.do(t, "POST", d.path("/sessions/create"), `{"title": "T", "capacity": `+written+`}`).wantField("capacity")
		}
		for _, written := range []string{"1.", ".0", "01.0", "+1.0", "1.0.0", "1e", "0x1", "1_0.0"} {
			d.do(t, "POST", d.path("/sessions/create"), `{"title": "T", "capacity": `+written+`}`).wantField("body")
		}
	})
}

// TestNoErrorNamesATypeOfOurs sends each field of each body every kind of value.
func TestNoErrorNamesATypeOfOurs(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		id := d.create(t, object{"title": "T"})["id"].(string)
		values := []string{`null`, `true`, `-1`, `1.5`, `1e400`, `99999999999999999999`, `"x"`, `[]`, `[null]`, `[3]`, `[[]]`,
			`{}`, `{"a": null}`, `{"a": 3}`, `[{"key": null, "value": 3}]`}
		for path, fields := range map[string]string{
			"POST /sessions/create": "title is_abstract status description starts_at ends_at capacity track_id room_id " +
				"format_id level_id tag_ids custom_fields",
			"PUT /sessions/" +
				id: "title is_abstract is_public publish_override updated_at status description starts_at capacity track_id " +
				"tag_ids custom_fields",
			"POST /sessions/search": "filters sort expand page pageSize",
			"POST /sessions/bulk":   "operations",
			"POST /tracks/create":   "name color", "POST /rooms/create": "name capacity",
			"POST /formats/create": "name default_minutes",
		} {
			method, path, _ := strings.Cut(path, " ")
			bodies := slices.Clone(values)
			for field := range strings.FieldsSeq(fields) {
				for _, value := range values {
					bodies = append(bodies, fmt.Sprintf(`{%q: %s}`, field, value),
						fmt.Sprintf(`{"title": "T", "name": "N", %q: %s}`, field, value),
						fmt.Sprintf(`{"operations": [{"action": "create", "data": {"title": "T", %q: %s}}, {%[1]q: %[2]s}, %[2]s]}`,
							field, value))
				}
			}
			for _, body := range append(bodies, `{`, `{"title": "\x"}`, `{"capacity": 1`, "[", strings.Repeat("[", 20_000)) {
				got := string(d.do(t, method, d.path(path), body).raw)
				for _, ours := range []string{"Go ", "json:", "struct", "models.", "api.", "Optional", "int64", "map["} {
					if strings.Contains(got, ours) {
						t.Fatalf("%s %s of %.200s: %.300s", method, path, body, got)
					}
				}
			}
		}
	})
}

func TestABulkResultCarriesTheActionAsItWasSent(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		id := d.create(t, object{"title": "T"})["id"]
		var got []any
		for _, result := range d.bulk(t, []any{
			object{"action": "fly", "id": id}, object{"action": "Delete", "id": id}, object{"action": "delete", "id": 3},
			object{"action": "update", "more": 1},
			object{"action": "create", "data": object{"nope": 1}}, object{"action": 5}, object{"action": []string{"create"}},
			object{"action": ""},
			object{"action": nil}, object{"id": id}, 3, nil, []any{},
		}) {
			wantEqual(t, code(result), "validation_error")
			got = append(got, result["action"])
		}
		wantEqual(t, got, []any{"fly", "Delete", "delete", "update", "create", "5", `["create"]`, "", "", "", "", "", ""})
	})
}

func TestAKeyOfASingleCreateNeverMeetsOneOfABulkItem(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		items := []any{object{"action": "create", "data": object{"title": "In bulk"}}}
		d.bulk(t, items, "Idempotency-Key", "k")
		for _, key := range []string{"k#0", "k item 0", "k0"} {
			d.do(t, "POST", d.path("/sessions/create"), `{"title": "Single"}`, "Idempotency-Key", key).want(200)
		}
		d.do(t, "POST", d.path("/sessions/create"), `{"title": "Single"}`, "Idempotency-Key", "s#0").want(200)
		wantEqual(t, d.bulk(t, items, "Idempotency-Key", "s")[0]["status"], "success")
		first := d.bulk(t, items, "Idempotency-Key", "again")
		wantEqual(t, d.bulk(t, items, "Idempotency-Key", "again"), first)
		modelstest.Want(t, "sessions", len(d.search(t, `{}`)), 7)
	})
}

func TestAnEmptyPagingParameterMeansItsDefault(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		for _, x := range []struct{ method, path string }{
			{"GET", "/v1/events"}, {"GET", d.path("/tracks")}, {"POST", d.path("/sessions")},
			{"POST", d.path("/sessions/search")}, {"POST", d.path("/speakers")}, {"POST", d.path("/tags")},
		} {
			for _, query := range []string{"?page=&pageSize=", "?page&pageSize", "?page=&pageSize=25", "?"} {
				var body any
				if x.method == "POST" {
					body = `{}`
				}
				pagination := d.do(t, x.method, x.path+query, body).want(200).object()["pagination"].(object)
				wantEqual(t, []any{pagination["currentPage"], pagination["pageSize"]}, []any{1, 25})
			}
		}
	})
}

// TestANullIsTakenExactlyWhereTheDocumentSaysSo tries every field of every body.
func TestANullIsTakenExactlyWhereTheDocumentSaysSo(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		doc := readDocument(t, d)
		of := d.rows(t)
		inPath := []string{"{eventId}", d.event.ID, "{sessionId}", of["session"], "{contactId}", of["contact"]}
		for _, family := range families {
			inPath = append(inPath, family+"/{id}", family+"/"+of[family])
		}
		tried := 0
		for _, op := range doc.operations() {
			if op.object["requestBody"] == nil || strings.HasSuffix(op.path, "/bulk") {
				continue
			}
			path := strings.NewReplacer(inPath...).Replace(op.path)
			schema := []string{"paths", op.path, op.method, "requestBody", "content", "application/json", "schema"}
			for field := range doc.properties(t, schema...) {
				body := object{field: nil}
				if strings.HasSuffix(op.path, "/create") {
					for _, needed := range []string{"title", "name"} {
						if _, has := doc.properties(t, schema...)[needed]; has && needed != field {
							body[needed] = "T"
						}
					}
				}
				taken := d.do(t, strings.ToUpper(op.method), path, body).status == 200
				if err := doc.check(t, body, schema...); (err == nil) != taken {
					t.Errorf("%s %s with a null for %s: taken is %v, the document says %v", op.method, op.path, field, taken, err)
				}
				tried++
			}
		}
		if tried < 80 {
			t.Errorf("only %d fields were tried", tried)
		}
		for nested, fields := range map[string][]string{
			`{"filters": {%s: null}}`: {"status", "is_abstract", "text", "include_deleted", "track", "track_id", "tag_id",
				"is_public", "scheduled", "starts_after", "created_at", "updatedAt"},
			`{"sort": {%s: null}}`: {"order", "sort"}, `{"filters": {"created_at": {%s: null}}}`: {"after", "before"},
		} {
			for _, field := range fields {
				body := fmt.Sprintf(nested, `"`+field+`"`)
				d.do(t, "POST", d.path("/sessions/search"), body).want(200)
				if err := doc.check(t, []byte(body), "components", "schemas", "SessionSearch"); err != nil {
					t.Errorf("%s: %v", body, err)
				}
			}
		}
	})
}

// properties are the fields of the schema at a place, whose reference is followed.
func (doc *document) properties(t testing.TB, place ...string) object {
	t.Helper()
	var at any = doc.tree
	for _, step := range place {
		at = at.(object)[step]
	}
	if ref, ok := at.(object)["$ref"].(string); ok {
		return doc.properties(t, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...)
	}
	return at.(object)["properties"].(object)
}

func TestTheSchemaOfANewRowDiffersByFamily(t *testing.T) {
	doc := documentOf(t)
	want := map[string][]string{"tracks": {"color", "name"}, "rooms": {"capacity", "name"}, "tags": {"name"},
		"formats": {"default_minutes", "name"}, "levels": {"name"}}
	for family, fields := range want {
		has := doc.properties(t, "paths", "/v1/event/{eventId}/"+family+"/create", "post", "requestBody", "content",
			"application/json", "schema")
		modelstest.WantAll(t, "a new row of "+family, slices.Sorted(maps.Keys(has)), fields)
	}
}
