package api_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"lectern/api"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// bulk runs operations and returns their results, whose numbers must agree.
func (d *door) bulk(t testing.TB, operations any, headers ...string) []object {
	t.Helper()
	got := d.do(t, "POST", d.path("/sessions/bulk"), object{"operations": operations}, headers...).want(200).object()
	var results []object
	succeeded := 0
	for i, r := range got["results"].([]any) {
		result := r.(object)
		modelstest.Want[any](t, fmt.Sprint("index of result ", i), result["index"], float64(i))
		_, hasID := result["id"]
		_, hasError := result["error"]
		if success := result["status"] == "success"; success != hasID || success == hasError {
			t.Errorf("result %d is %v", i, result)
		} else if success {
			succeeded++
		}
		results = append(results, result)
	}
	wantEqual(t, got["stats"], object{"total": len(results), "succeeded": succeeded, "failed": len(results) - succeeded})
	if len(got) != 3 || got["batch_id"] == "" {
		t.Errorf("the result is %v", got)
	}
	return results
}

// costs fails the test when requests take more statements than these.
func (d *door) costs(t testing.TB, most int, requests func()) {
	t.Helper()
	if n := len(d.Statement.During(requests)); n > most {
		t.Errorf("%d statements, at most %d", n, most)
	}
}

func code(result object) any {
	e, _ := result["error"].(object)
	if e == nil || e["message"] == "" {
		return nil
	}
	return e["code"]
}

func TestBulkAppliesItsOperationsInOrderEachOnItsOwn(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		s := d.create(t, object{"title": "S"})
		gone := d.create(t, object{"title": "Gone"})["id"].(string)
		theirs := d.elsewhere(t).create(t, object{"title": "Theirs"})
		type outcome struct{ operation, code any }
		cases := []outcome{
			{object{"action": "create", "data": object{"title": "First", "is_abstract": true}}, nil},
			{object{"action": "update", "id": s["id"], "data": object{"title": "Changed"}}, nil},
			{object{"action": "update", "id": s["id"], "data": object{"status": "draft", "updated_at": s["updated_at"]}},
				"conflict"},
			{object{"action": "update", "id": s["id"], "data": object{"is_public": true, "title": "Held"}}, "publish_gate"},
			{object{"action": "create", "data": object{"title": "Public", "is_public": true}}, "validation_error"},
			{object{"action": "delete", "id": gone}, nil}, {object{"action": "delete", "id": gone}, "not_found"},
			{object{"action": "update", "id": gone, "data": object{"title": "x"}}, "not_found"},
			{object{"action": "update", "id": theirs["id"], "data": object{"title": "Taken"}}, "not_found"},
			{object{"action": "delete", "id": theirs["id"]}, "not_found"},
			{object{"action": "delete", "id": nobody}, "not_found"},
			{object{"action": "delete"}, "not_found"}, {object{"action": "update", "data": object{"title": "x"}}, "not_found"},
		}
		for _, faulty := range []any{object{"action": "update", "id": s["id"]}, object{"action": "create"},
			object{"action": "fly", "id": s["id"]}, object{"id": s["id"]}, object{"action": "delete", "id": 3},
			object{"action": "delete", "id": s["id"], "force": true}, 3, nil, "delete", []any{},
			object{"action": "create", "data": object{"title": "a\x00"}}} {
			cases = append(cases, outcome{faulty, "validation_error"})
		}
		cases = append(cases, outcome{object{"action": "update", "id": s["id"],
			"data": object{"is_public": true, "publish_override": true, "capacity": 7}}, nil},
			outcome{object{"action": "create", "data": object{"title": "Last"}}, nil})
		results := d.bulk(t, store.Map(cases, func(c outcome) any { return c.operation }))
		wantEqual(t, store.Map(results, code), store.Map(cases, func(c outcome) any { return c.code }))
		after := d.get(t, s["id"])
		wantEqual(t, []any{after["title"], after["status"], after["is_public"], after["capacity"]},
			[]any{"Changed", "accepted", true, 7})
		titles := d.titles(t, `{}`)
		slices.Sort(titles)
		wantEqual(t, titles, []string{"Changed", "First", "Last"})
		wantEqual(t, d.elsewhere(t).get(t, theirs["id"]), theirs)
		wantEqual(t, []any{results[0]["id"], results[1]["id"], results[5]["id"]},
			[]any{d.search(t, `{"filters": {"text": "First"}}`)[0]["id"], s["id"], gone})
		wantEqual(t, []any{results[0]["action"], results[2]["action"], results[6]["action"]},
			[]any{"create", "update", "delete"})
	})
}

func TestABulkItemHasExactlyTheEffectOfTheSingleRequest(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		scrub := func(v any) string {
			rows := []object{}
			raw, _ := json.Marshal(v)
			json.Unmarshal(raw, &rows)
			for _, row := range rows {
				for _, field := range []string{"id", "event_id", "admin_url", "friendly_id"} {
					delete(row, field)
				}
			}
			raw, _ = json.Marshal(rows)
			return string(raw)
		}
		type facts struct {
			emitted []string
			rows    string
		}
		run := func(d *door, single bool) facts {
			do := func(action string, id any, data object) any {
				if !single {
					r := d.bulk(t, []object{{"action": action, "id": id, "data": data}})[0]
					if r["id"] == nil {
						t.Fatal(r)
					}
					return r["id"]
				}
				switch action {
				case "create":
					return d.create(t, data)["id"]
				case "update":
					return d.put(t, id, data).want(200).object()["id"]
				}
				return d.do(t, "DELETE", d.path("/sessions/"+id.(string)), nil).want(200).object()["id"]
			}
			modelstest.Emitted(t, d.Fixture)
			a := do("create", nil, object{"title": " A ", "is_abstract": true, "description": "<script>x</script>y"})
			do("update", a, object{"status": "accepted", "custom_fields": object{"k": "v"}})
			do("update", a, object{"status": "accepted"})
			do("update", a, object{"is_public": true, "publish_override": true})
			do("delete", do("create", nil, object{"title": "B"}), nil)
			var out facts
			var payloads []json.RawMessage
			for _, e := range modelstest.Emitted(t, d.Fixture) {
				out.emitted = append(out.emitted, string(e.Type))
				payloads = append(payloads, json.RawMessage(e.Data))
			}
			out.rows = scrub(d.search(t, `{"filters": {"include_deleted": true}}`)) + scrub(payloads)
			return out
		}
		one, other := run(d, true), run(d.elsewhere(t), false)
		wantEqual(t, other.emitted, one.emitted)
		modelstest.Want(t, "rows alone and in bulk", other.rows, one.rows)
	})
}

func TestAFaultyBulkIsRefusedAsAWhole(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		item := object{"action": "create", "data": object{"title": "T"}}
		d.unchanged(t, func() {
			for body, field := range map[string]string{
				`{}`:                                 "operations",
				`{"operations": null}`:               "operations",
				`{"operations": {}}`:                 "operations",
				`{"operations": "create"}`:           "operations",
				`{"operations": 3}`:                  "operations",
				`{"Operations": []}`:                 "Operations",
				`{"operations": [], "atomic": true}`: "atomic",
				`[]`:                                 "body",
				`null`:                               "body",
				`3`:                                  "body",
				`{"operations": [`:                   "body",
				"{\"operations\": [\"\xff\"]}":       "body",
			} {
				d.do(t, "POST", d.path("/sessions/bulk"), body).wantField(field)
			}
			d.do(t, "POST", d.path("/sessions/bulk"), nil).wantError(400, "ValidationError")
			d.do(t, "POST", d.path("/sessions/bulk"), object{"operations": slices.Repeat([]object{item}, 101)}).
				wantField("operations")
			modelstest.Want(t, "results of nothing to do", len(d.bulk(t, []object{})), 0)
		})
		results := d.bulk(t, slices.Repeat([]object{item}, 100))
		wantEqual(t, []any{len(results), results[99]["status"]}, []any{100, "success"})
	})
}

func TestAnItemThatTheDatabaseCouldNotServeHasACode(t *testing.T) {
	t.Parallel()
	d := open(t, modelstest.OpenAt(t, modelstest.Database(t, "postgres")), api.Options{})
	db := modelstest.Must(sql.Open("pgx", d.Address))(t)
	defer db.Close()
	// PostgreSQL says so when somebody shuts it down.
	modelstest.Must(db.Exec(`CREATE FUNCTION end_it() RETURNS trigger LANGUAGE plpgsql
		AS $$ BEGIN RAISE EXCEPTION 'it ends' USING ERRCODE = '57P01'; END $$`))(t)
	modelstest.Must(db.Exec("CREATE TRIGGER end_it BEFORE INSERT ON sessions EXECUTE FUNCTION end_it()"))(t)
	items := []any{object{"action": "create", "data": object{"title": "T"}}, object{"action": "create", "data": object{"title": "U"}}}
	for _, item := range d.bulk(t, items, onceKey, "b") {
		modelstest.Want(t, "code of the item", code(item), "internal_error")
	}
	// With the same key they are tried again, and from then on answered as they were.
	modelstest.Must(db.Exec("DROP TRIGGER end_it ON sessions"))(t)
	first, again := d.bulk(t, items, onceKey, "b"), d.bulk(t, items, onceKey, "b")
	if code(first[0]) != nil || first[0]["id"] != again[0]["id"] || first[1]["id"] != again[1]["id"] {
		t.Errorf("%v, then %v", first, again)
	}
	wantEqual(t, len(d.titles(t, `{}`)), 2)
}

// creates returns n items that each create a session.
func creates(n int) []object {
	items := make([]object, n)
	for i := range items {
		items[i] = object{"action": "create", "data": object{"title": fmt.Sprintf("Session %02d", i), "is_abstract": i%2 == 0}}
	}
	return items
}

func TestCreatesThatStandTogetherAreMadeTogether(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		d.bulk(t, creates(1)) // reads the metadata
		var results []object
		// The key; per 25 the numbers, the sessions, the activity and the emissions.
		d.costs(t, 1+4*4, func() { results = d.bulk(t, creates(100)) })
		numbers, seen := map[bool]int{}, map[any]bool{}
		for i, r := range results {
			s := d.get(t, r["id"])
			wantEqual(t, s["title"], fmt.Sprintf("Session %02d", i))
			numbers[i%2 == 0]++
			want := fmt.Sprintf("S-%d", numbers[false])
			if i%2 == 0 {
				want = fmt.Sprintf("A-%d", numbers[true]+1) // one was made before
			}
			wantEqual(t, s["friendly_id"], want)
			seen[s["id"]] = true
		}
		modelstest.Want(t, "different sessions", len(seen), 100)
	})
}

func TestAFaultyCreateLeavesThoseAroundIt(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		items := creates(30)
		items[3]["data"] = object{"title": ""}                                                        // not as documented
		items[7]["data"] = object{"title": "Ends first", "ends_at": "2026-11-21T10:00:00Z"}           // breaks a rule
		items[20]["data"] = object{"title": "Room", "room_id": "00000000-0000-4000-8000-00000000000"} // nobody's
		for _, headers := range [][]string{nil, {onceKey, "k"}, {onceKey, "k"}} {
			for i, r := range d.bulk(t, items, headers...) {
				want := any(nil)
				if i == 3 || i == 7 || i == 20 {
					want = "validation_error"
				}
				modelstest.Want(t, fmt.Sprint("item ", i), code(r), want)
			}
		}
		// The last of the three was answered before.
		modelstest.Want(t, "sessions", len(d.titles(t, `{"pageSize": 100}`)), 2*27)
	})
}

func TestABulkThatWasCutShortGoesOnWhereItEnded(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		first := d.bulk(t, creates(60), onceKey, "k")
		// As if it had ended before item 50, and item 30 had failed.
		modelstest.Must(d.SQL.Exec(`DELETE FROM kept_answers WHERE key NOT LIKE '%item%' OR key LIKE '%item 30' OR key LIKE '%item 5_'`))(t)
		again := d.bulk(t, creates(60), onceKey, "k")
		for i, r := range again {
			if made := i == 30 || i >= 50; code(r) != nil || made == (r["id"] == first[i]["id"]) {
				t.Errorf("item %d was %v and is %v", i, first[i], r)
			}
		}
		modelstest.Want(t, "sessions", len(d.titles(t, `{"pageSize": 100}`)), 60+11)
	})
}
