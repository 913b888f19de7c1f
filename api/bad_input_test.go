package api_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"lectern/api"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// faulty are bodies of a create that break one rule each; most hold for an
// update and for an item of a bulk request too.
func faulty(d *door, t testing.TB) map[string]struct{ body, field string } {
	other := d.elsewhere(t)
	foreign, room := other.row(t, "tracks", "Theirs"), d.row(t, "rooms", "Hall")
	theirTag := other.row(t, "tags", "Theirs")
	text := func(field string, n int) string {
		return fmt.Sprintf(`{"title": "T", %q: %q}`, field, strings.Repeat("ä", n))
	}
	return map[string]struct{ body, field string }{
		"unknown field":            {`{"title": "T", "nope": 1}`, "nope"},
		"field in another case":    {`{"title": "T", "Capacity": 1}`, "Capacity"},
		"all in another case":      {`{"TITLE": "T"}`, "TITLE"},
		"camel case":               {`{"title": "T", "startsAt": null}`, "startsAt"},
		"title empty":              {`{"title": ""}`, "title"},
		"title blank":              {`{"title": " \t\n "}`, "title"},
		"title null":               {`{"title": null}`, "title"},
		"title a number":           {`{"title": 3}`, "title"},
		"title too long":           {fmt.Sprintf(`{"title": %q}`, strings.Repeat("ä", 256)), "title"},
		"title with NUL":           {`{"title": "a\u0000b"}`, "title"},
		"description too long":     {text("description", 50_001), "description"},
		"description with NUL":     {`{"title": "T", "description": "\u0000"}`, "description"},
		"description null":         {`{"title": "T", "description": null}`, "description"},
		"status unknown":           {`{"title": "T", "status": "lost"}`, "status"},
		"status in another case":   {`{"title": "T", "status": "Pending"}`, "status"},
		"status with NUL":          {`{"title": "T", "status": "pending\u0000"}`, "status"},
		"status null":              {`{"title": "T", "status": null}`, "status"},
		"start no time":            {`{"title": "T", "starts_at": "yesterday"}`, "starts_at"},
		"start a date":             {`{"title": "T", "starts_at": "2026-11-21"}`, "starts_at"},
		"start without zone":       {`{"title": "T", "starts_at": "2026-11-21T09:30:00"}`, "starts_at"},
		"start with a short hour":  {`{"title": "T", "starts_at": "2026-11-21T9:30:00Z"}`, "starts_at"},
		"start with a comma":       {`{"title": "T", "starts_at": "2026-11-21T09:30:00,5Z"}`, "starts_at"},
		"start with a wild offset": {`{"title": "T", "starts_at": "2026-11-21T09:30:00+25:00"}`, "starts_at"},
		"start a number":           {`{"title": "T", "starts_at": 1700000000}`, "starts_at"},
		"end before start":         {`{"title": "T", "starts_at": "2026-11-21T09:30:00Z", "ends_at": "2026-11-21T09:29:59.999Z"}`, "ends_at"},
		"end before start by zone": {`{"title": "T", "starts_at": "2026-11-21T09:30:00Z", "ends_at": "2026-11-21T10:00:00+01:00"}`, "ends_at"},
		"end without start":        {`{"title": "T", "starts_at": null, "ends_at": "2026-11-21T09:30:00Z"}`, "ends_at"},
		"capacity negative":        {`{"title": "T", "capacity": -1}`, "capacity"},
		"capacity a fraction":      {`{"title": "T", "capacity": 1.5}`, "capacity"},
		"capacity huge":            {`{"title": "T", "capacity": 1e30}`, "capacity"},
		"capacity text":            {`{"title": "T", "capacity": "7"}`, "capacity"},
		"track of another event":   {`{"title": "T", "track_id": "` + foreign + `"}`, "track_id"},
		"track of another family":  {`{"title": "T", "track_id": "` + room + `"}`, "track_id"},
		"track nowhere":            {`{"title": "T", "track_id": "` + nobody + `"}`, "track_id"},
		"track no id":              {`{"title": "T", "track_id": "x' OR 1=1"}`, "track_id"},
		"track with NUL":           {`{"title": "T", "track_id": "\u0000"}`, "track_id"},
		"track empty":              {`{"title": "T", "track_id": ""}`, "track_id"},
		"room of another event":    {`{"title": "T", "room_id": "` + foreign + `"}`, "room_id"},
		"format of another family": {`{"title": "T", "format_id": "` + room + `"}`, "format_id"},
		"level of another family":  {`{"title": "T", "level_id": "` + room + `"}`, "level_id"},
		"tag of another event":     {`{"title": "T", "tag_ids": ["` + theirTag + `"]}`, "tag_ids[0]"},
		"tags no list":             {`{"title": "T", "tag_ids": "x"}`, "tag_ids"},
		"tags null":                {`{"title": "T", "tag_ids": null}`, "tag_ids"},
		"tag a number":             {`{"title": "T", "tag_ids": [3]}`, "tag_ids[0]"},
		"answers a number":         {`{"title": "T", "custom_fields": 3}`, "custom_fields"},
		"answers null":             {`{"title": "T", "custom_fields": null}`, "custom_fields"},
		"answer no text":           {`{"title": "T", "custom_fields": {"a": 1}}`, "custom_fields"},
		"answer without a key":     {`{"title": "T", "custom_fields": [{"value": "x"}]}`, "custom_fields"},
		"answer with more": {`{"title": "T", "custom_fields": [{"key": "a", "value": "x", "more": 1}]}`,
			"custom_fields"},
		"answer key empty":    {`{"title": "T", "custom_fields": {"": "x"}}`, "custom_fields[0].key"},
		"answer key with NUL": {`{"title": "T", "custom_fields": {"a\u0000": "x"}}`, "custom_fields[0].key"},
		"answer value with NUL": {`{"title": "T", "custom_fields": [{"key": "a", "value": "\u0000"}]}`,
			"custom_fields[0].value"},
		"answer value too long": {fmt.Sprintf(`{"title": "T", "custom_fields": {"a": %q}}`, strings.Repeat("x", 10_001)),
			"custom_fields[0].value"},
		"answer twice":              {`{"title": "T", "custom_fields": [{"key": "a", "value": "1"}, {"key": " a", "value": "2"}]}`, "custom_fields[1].key"},
		"too many answers":          {`{"title": "T", "custom_fields": [` + answers(101) + `]}`, "custom_fields"},
		"too many answers, object":  {`{"title": "T", "custom_fields": {` + answersObject(101) + `}}`, "custom_fields"},
		"name with NUL":             {`{"title": "T", "\u0000": "x"}`, "\x00"},
		"kind no boolean":           {`{"title": "T", "is_abstract": "true"}`, "is_abstract"},
		"body an array":             {`[{"title": "T"}]`, "body"},
		"body null":                 {`null`, "body"},
		"body text":                 {`"title"`, "body"},
		"body cut short":            {`{"title": "T"`, "body"},
		"body with a tail":          {`{"title": "T"} {}`, "body"},
		"body no JSON":              {`title=T`, "body"},
		"body of invalid UTF-8":     {"{\"title\": \"\xff\"}", "body"},
		"body with a lone NUL byte": {"{\"title\": \"a\x00\"}", "body"},
	}
}

func answers(n int) string {
	return many(n, func(i int) string { return fmt.Sprintf(`{"key": "k%d", "value": "v"}`, i) })
}

func answersObject(n int) string {
	return many(n, func(i int) string { return fmt.Sprintf(`"k%d": "v"`, i) })
}

func TestAFaultySessionIsRefusedNamingTheField(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		id := d.create(t, object{"title": "Talk", "starts_at": "2026-11-21T09:30:00Z",
			"custom_fields": object{"a": "1"}})["id"]
		cases := faulty(d, t)
		d.unchanged(t, func() {
			for name, c := range cases {
				t.Run(name, func(t *testing.T) {
					d.do(t, "POST", d.path("/sessions/create"), c.body).wantField(c.field)
					d.put(t, id, c.body).wantField(c.field)
					if utf8.ValidString(c.body) && json.Valid([]byte(c.body)) {
						item := object{"action": "create", "data": json.RawMessage(c.body)}
						result := d.do(t, "POST", d.path("/sessions/bulk"), object{"operations": []object{item}}).want(200)
						var got struct {
							Results []struct {
								Error struct {
									Code    string
									Details []store.FieldError
								}
							}
						}
						result.into(&got)
						e := got.Results[0].Error
						named := slices.ContainsFunc(e.Details, func(f store.FieldError) bool { return f.Field == c.field })
						if e.Code != "validation_error" || !named {
							t.Errorf("in bulk: %s", result.raw)
						}
					}
				})
			}
		})
	})
}

// TestFindingsAreWordedForPeople has the words that stand where huma has its own, the
// same for a request of its own as for an item of a bulk request.
func TestFindingsAreWordedForPeople(t *testing.T) {
	t.Parallel()
	d := open(t, modelstest.Open(t, "sqlite"), api.Options{})
	for fields, finding := range map[string]string{
		`"nope": 1`:               "nope is not a field of this request",
		`"status": "lost"`:        "status must be one of draft, pending, accept_queue, ",
		`"capacity": -1`:          "capacity must be at least 0",
		`"capacity": 1e7`:         "capacity must be at most 1000000",
		`"capacity": "7"`:         "capacity must be of type integer",
		`"is_abstract": 3`:        "is_abstract must be of type boolean",
		`"status": null`:          "status must not be null",
		`"starts_at": "tomorrow"`: "starts_at must be an RFC 3339 timestamp such as 2026-11-21T09:30:00.000Z",
		`"custom_fields": 3`:      "custom_fields is not one of the forms or values allowed here",
		`"description": "` + strings.Repeat("x", 50_001) + `"`: "description must be at most 50000 characters long",
	} {
		body, message := `{"title": "T", `+fields+`}`, `"message":"`+finding
		d.do(t, "POST", d.path("/sessions/create"), body).wantError(400, "ValidationError", message)
		item := object{"operations": []object{{"action": "create", "data": json.RawMessage(body)}}}
		got := d.do(t, "POST", d.path("/sessions/bulk"), item).want(200)
		if !strings.Contains(string(got.raw), message) {
			t.Errorf("in bulk, not %q: %s", finding, got.raw)
		}
	}
	d.do(t, "POST", d.path("/sessions/create"), `{}`).wantError(400, "ValidationError", "title is required")
	d.do(t, "POST", d.path("/sessions/create"), nil).wantField("body").
		wantError(400, "ValidationError", `"message":"body is required"`)
	d.do(t, "POST", d.path("/sessions/create"), `{`).
		wantError(400, "ValidationError", "body is not valid JSON of the expected form (unexpected end of JSON input)")
}

func TestTimesBeyondAllYearsAreRefused(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		d.unchanged(t, func() {
			for _, at := range []string{"0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-00:01", "0000-06-01T00:00:00Z"} {
				d.do(t, "POST", d.path("/sessions/create"), object{"title": "T", "starts_at": at}).
					wantError(400, "ValidationError", "years 1 and 9999")
				d.do(t, "POST", d.path("/sessions/search"), object{"filters": object{"starts_after": at}}).
					wantError(400, "ValidationError")
			}
		})
	})
}

func TestWhatOnlyACreateRefuses(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		d.unchanged(t, func() {
			create := d.path("/sessions/create")
			d.do(t, "POST", create, `{}`).wantField("title")
			d.do(t, "POST", create, nil).wantError(400, "ValidationError")
			d.do(t, "POST", create, `{"title": "T", "is_abstract": null}`).wantField("is_abstract")
			for _, field := range []string{"is_public", "publish_override", "updated_at", "id", "event_id", "friendly_id",
				"created_at", "deleted_at", "admin_url", "composition_status", "participants", "track", "room", "format", "level",
				"tags"} {
				d.do(t, "POST", create, object{"title": "T", field: nil}).wantField(field)
			}
			d.do(t, "POST", create, `{"title": "T", "is_public": false}`).wantField("is_public")
			for _, kind := range []string{"text/plain", "application/json; charset=utf-16",
				"application/x-www-form-urlencoded"} {
				d.do(t, "POST", create, `{"title": "T"}`, "content-type", kind).wantError(415, "UnsupportedMediaTypeError")
			}
			for _, key := range []string{strings.Repeat("k", 201), "a\x00", "\xff"} {
				d.createOnce(t, key, `{"title": "T"}`).wantError(400, "ValidationError", onceKey)
			}
		})
	})
}

func TestWhatOnlyAnUpdateRefuses(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		abstract := d.create(t, object{"title": "A", "is_abstract": true})["id"]
		d.unchanged(t, func() {
			for body, field := range map[string]string{
				`{"is_abstract": false}`:                      "is_abstract",
				`{"is_abstract": null}`:                       "is_abstract",
				`{"is_public": null}`:                         "is_public",
				`{"is_public": 1}`:                            "is_public",
				`{"is_public": true, "publish_override": ""}`: "publish_override",
				`{"updated_at": null}`:                        "updated_at",
				`{"updated_at": "now"}`:                       "updated_at",
				`{"ends_at": "2026-11-21T09:30:00Z"}`:         "ends_at",
				`{"Title": "x"}`:                              "Title",
				`{"id_": 1}`:                                  "id_",
			} {
				d.put(t, abstract, body).wantField(field)
			}
			d.put(t, abstract, nil).wantError(400, "ValidationError")
		})
	})
}

func TestAFaultySearchIsRefusedNamingTheField(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		for body, field := range map[string]string{
			`{"page": 0}`:                                         "page",
			`{"page": 1000}`:                                      "page",
			`{"page": "1"}`:                                       "page",
			`{"page": 1.5}`:                                       "page",
			`{"pageSize": 0}`:                                     "pageSize",
			`{"pageSize": 101}`:                                   "pageSize",
			`{"page_size": 1}`:                                    "page_size",
			`{"filters": []}`:                                     "filters",
			`{"filters": {"nope": 1}}`:                            "filters.nope",
			`{"filters": {"Text": "x"}}`:                          "filters.Text",
			`{"filters": {"text": 3}}`:                            "filters.text",
			`{"filters": {"text": "a\u0000"}}`:                    "filters.text",
			`{"filters": {"text": "` + long(201) + `"}}`:          "filters.text",
			`{"filters": {"status": "lost"}}`:                     "filters.status",
			`{"filters": {"status": ["pending", "lost"]}}`:        "filters.status",
			`{"filters": {"status": ["pending\u0000"]}}`:          "filters.status",
			`{"filters": {"status": 3}}`:                          "filters.status",
			`{"filters": {"is_abstract": "yes"}}`:                 "filters.is_abstract",
			`{"filters": {"include_deleted": 1}}`:                 "filters.include_deleted",
			`{"filters": {"track_id": "x"}}`:                      "filters.track_id",
			`{"filters": {"tag_id": ["\u0000"]}}`:                 "filters.tag_id",
			`{"filters": {"starts_after": "soon"}}`:               "filters.starts_after",
			`{"filters": {"created_at": {"since": "x"}}}`:         "filters.created_at.since",
			`{"filters": {"updatedAt": {"after": "2026-11-21"}}}`: "filters.updatedAt.after",
			`{"sort": {"order": "capacity"}}`:                     "sort.order",
			`{"sort": {"order": "updated_at; DROP TABLE"}}`:       "sort.order",
			`{"sort": {"sort": "DESC"}}`:                          "sort.sort",
			`{"sort": "updatedAt"}`:                               "sort",
			`{"offset": 3}`:                                       "offset",
		} {
			d.do(t, "POST", d.path("/sessions/search"), body).wantField(field)
			d.do(t, "POST", d.path("/sessions"), body).wantField(field)
		}
		for _, path := range []string{"/speakers/search", "/speakers", "/tracks", "/rooms", "/tags", "/formats", "/levels"} {
			for body, field := range map[string]string{
				`{"page": 0}`:       "page",
				`{"pageSize": 101}`: "pageSize",
				`{"filters": {"text": "` + long(201) + `"}}`: "filters.text",
				`{"filters": {"text": "\u0000"}}`:            "filters.text",
				`{"filters": {"email": "x"}}`:                "filters.email",
				`{"sort": {}}`:                               "sort",
			} {
				d.do(t, "POST", d.path(path), body).wantField(field)
			}
		}
		for _, path := range []string{"/sessions/search", "/sessions", "/speakers/search", "/speakers", "/tracks"} {
			d.do(t, "POST", d.path(path), nil).wantError(400, "ValidationError")
			d.do(t, "POST", d.path(path), `null`).wantError(400, "ValidationError")
		}
	})
}

func TestQueryPagingIsChecked(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		for query, field := range map[string]string{
			"page=0": "page", "page=1000": "page", "page=-1": "page", "page=x": "page", "page=1.5": "page", "page=%00": "page",
			"page=99999999999999999999": "page", "pageSize=0": "pageSize", "pageSize=101": "pageSize",
		} {
			for _, path := range []string{"/v1/events", d.path("/tracks"), d.path("/levels")} {
				d.do(t, "GET", path+"?"+query, nil).wantField(field)
			}
			for _, path := range []string{"/sessions", "/speakers"} {
				d.do(t, "POST", d.path(path)+"?"+query, `{}`).wantField(field)
			}
		}
	})
}

func TestIdsInThePathMayBeAnything(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		id := d.create(t, object{"title": "Talk"})["id"].(string)
		for _, bad := range []string{"%00", "%ff", id + "%00", strings.ToUpper(id), id[:35], "a%27%20OR%201=1", "..%2f" + id,
			strings.Repeat("a", 3000), "{" + id + "}"} {
			for _, e := range endpoints() {
				if strings.Contains(e.path, "{") {
					d.ask(t, e, every(bad)).wantError(404, "NotFoundError")
				}
			}
		}
	})
}

func long(n int) string { return strings.Repeat("ä", n) }
