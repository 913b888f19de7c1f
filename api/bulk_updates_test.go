package api_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"lectern/api"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// madeInBulk creates n sessions, every other one an abstract, and returns their ids.
func (d *door) madeInBulk(t testing.TB, n int) []any {
	t.Helper()
	return store.Map(d.bulk(t, creates(n)), func(r object) any { return r["id"] })
}

// retitled returns items that give each session a title of its own.
func retitled(ids []any) []object {
	items := make([]object, len(ids))
	for i, id := range ids {
		items[i] = object{"action": "update", "id": id, "data": object{"title": fmt.Sprintf("Title %02d", i)}}
	}
	return items
}

// wantTitled checks that all sessions have the titles of retitled, but for some, which have those of creates.
func (d *door) wantTitled(t testing.TB, ids []any, but map[int]any) {
	t.Helper()
	for i, id := range ids {
		want := fmt.Sprintf("Title %02d", i)
		if but[i] != nil {
			want = fmt.Sprintf("Session %02d", i)
		}
		modelstest.Want(t, want, d.get(t, id)["title"], any(want))
	}
}

func TestUpdatesThatStandTogetherAreMadeTogether(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		ids := d.madeInBulk(t, 100)
		modelstest.Emitted(t, d.Fixture)
		items := retitled(ids)
		items[4]["id"] = d.get(t, ids[4])["friendly_id"]
		items[99]["data"] = object{"title": "Session 99"} // as it is
		// The key and the label; per 25 the sessions, their people and tags, what they are made of, the update, the words of
		// it, the activity, the emissions and the event's versions.
		d.costs(t, 2+4*8, func() { wantEqual(t, pluck(d.bulk(t, items), "id"), ids) })
		emitted := modelstest.Emitted(t, d.Fixture)
		modelstest.Want(t, "emissions", len(emitted), 99)
		for i, e := range emitted {
			if e.ResourceID != ids[i] || e.Type != "session.updated" {
				t.Errorf("emission %d is %s of %s", i, e.Type, e.ResourceID)
			}
		}
		d.wantTitled(t, ids, map[int]any{99: true})
	})
}

func TestAFaultyUpdateLeavesThoseAroundIt(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		ids := d.madeInBulk(t, 30)
		items := retitled(ids)
		items[3]["data"] = object{"title": ""}                                                        // not as documented
		items[5]["data"] = object{"title": "Late", "updated_at": "2020-01-01T00:00:00Z"}              // read long ago
		items[7]["data"] = object{"ends_at": "2026-11-21T10:00:00Z"}                                  // breaks a rule
		items[9]["id"] = nobody                                                                       // not there
		items[20]["data"] = object{"title": "Room", "room_id": "00000000-0000-4000-8000-00000000000"} // nobody's
		wants := map[int]any{3: "validation_error", 5: "conflict", 7: "validation_error", 9: "not_found", 20: "validation_error"}
		for _, headers := range [][]string{nil, {onceKey, "k"}, {onceKey, "k"}} {
			for i, r := range d.bulk(t, items, headers...) {
				modelstest.Want(t, fmt.Sprint("item ", i), code(r), wants[i])
			}
		}
		d.wantTitled(t, ids, wants)
	})
}

func TestUpdatesOfOneSessionFollowEachOther(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		id := d.madeInBulk(t, 1)[0]
		label := d.get(t, id)["friendly_id"]
		wantEqual(t, pluck(d.bulk(t, retitled([]any{id, label, id, id})), "id"), slices.Repeat([]any{id}, 4))
		wantEqual(t, d.get(t, id)["title"], any("Title 03"))
	})
}

// What an update changes beside its session is changed in bulk as well.
func TestUpdatesThatReachFurtherAreMadeAsWell(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		ids := d.madeInBulk(t, 4) // 0 and 2 are abstracts
		target := d.compose(t, "", d.get(t, ids[0]))["id"]
		modelstest.Emitted(t, d.Fixture)
		items := retitled([]any{ids[1], target, ids[3]})
		items = append(items, object{"action": "update", "id": ids[2], "data": object{"status": "accepted"}})
		for i, r := range d.bulk(t, items) {
			if code(r) != nil {
				t.Errorf("item %d is %v", i, r)
			}
		}
		wantEqual(t, d.get(t, ids[0])["title"], any("Title 01")) // the text of its session
		wantEqual(t, d.get(t, ids[2])["status"], any("accepted"))
		wantEqual(t, modelstest.EmittedTypes(t, d.Fixture), []string{"session.updated", "session.updated", "session.updated",
			"session.updated", "session.updated", "decision.committed"})
	})
}

func TestABulkOfUpdatesThatWasCutShortGoesOnWhereItEnded(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		ids := d.madeInBulk(t, 60)
		d.bulk(t, retitled(ids), onceKey, "k")
		// As if it had ended before item 50; the sessions were changed since.
		modelstest.Must(d.SQL.Exec(`DELETE FROM kept_answers WHERE key NOT LIKE '%item%' OR key LIKE '%item 5_'`))(t)
		for _, id := range []any{ids[0], ids[59]} {
			d.put(t, id, object{"title": "Since"}).want(200)
		}
		wantEqual(t, pluck(d.bulk(t, retitled(ids), onceKey, "k"), "id"), ids)
		wantEqual(t, d.get(t, ids[0])["title"], any("Since")) // answered as before, and not done again
		wantEqual(t, d.get(t, ids[59])["title"], any("Title 59"))
	})
}

// What an abstract's status means is a letter, or the end of one, with a decision alone.
func TestStatusesThatDecideNothingAreChangedTogether(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		ids := d.madeInBulk(t, 50)
		items := retitled(ids)
		for _, item := range items {
			item["data"].(object)["status"] = "withdrawn"
		}
		d.costs(t, 1+2*8, func() { wantEqual(t, pluck(d.bulk(t, items), "id"), ids) })
		d.wantTitled(t, ids, nil)
		modelstest.Want(t, "withdrawn", len(d.titles(t, `{"filters": {"status": "withdrawn"}, "pageSize": 100}`)), 50)
	})
}

func TestAFaultyUpdateLeavesTheOthersTogether(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		ids := d.madeInBulk(t, 25)
		items := retitled(ids)
		items[5]["data"] = object{"title": "Late", "updated_at": "2020-01-01T00:00:00Z"}
		items[12]["id"] = nobody
		d.do(t, "DELETE", d.path("/sessions/"+ids[18].(string)), nil).want(200)
		wants := map[int]any{5: "conflict", 12: "not_found", 18: "not_found"}
		// The key; reading all in vain, then four parts and three that are refused.
		d.costs(t, 1+3+4*8+3*4, func() {
			for i, r := range d.bulk(t, items) {
				modelstest.Want(t, fmt.Sprint("item ", i), code(r), wants[i])
			}
		})
		d.wantTitled(t, ids, wants)
	})
}

func TestAnUpdateThatTheDatabaseRefusesLeavesTheOthers(t *testing.T) {
	for _, dialect := range modelstest.Engines() {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			d := open(t, modelstest.OpenAt(t, modelstest.Database(t, dialect)), api.Options{})
			ids := d.madeInBulk(t, 30)
			rule := "ALTER TABLE sessions ADD CHECK (title <> 'Title 07')"
			if dialect == "sqlite" {
				rule = `CREATE TRIGGER no_seven BEFORE UPDATE ON sessions WHEN new.title = 'Title 07'
					BEGIN SELECT RAISE(ABORT, 'no'); END`
			}
			modelstest.Must(d.SQL.Exec(rule))(t)
			modelstest.Emitted(t, d.Fixture)
			for _, headers := range [][]string{{onceKey, "k"}, {onceKey, "k"}, nil} {
				for i, r := range d.bulk(t, retitled(ids), headers...) {
					if want := map[bool]any{true: "internal_error"}[i == 7]; code(r) != want {
						t.Errorf("item %d is %v", i, r)
					}
				}
			}
			d.wantTitled(t, ids, map[int]any{7: true})
			modelstest.Want(t, "emissions", len(modelstest.Emitted(t, d.Fixture)), 29)
		})
	}
}

func TestBulksOfTheSameSessionsFollowEachOther(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		ids := d.madeInBulk(t, 40)
		modelstest.Emitted(t, d.Fixture)
		var writers sync.WaitGroup
		for writer := range 4 {
			mine := slices.Clone(ids)
			if writer%2 == 1 { // in another order
				slices.Reverse(mine)
			}
			items := retitled(mine)
			for _, item := range items {
				item["data"] = object{"title": fmt.Sprintf("By %d", writer)}
			}
			writers.Go(func() {
				modelstest.WantAll(t, "ids", pluck(d.bulk(t, items), "id"),
					store.Map(mine, func(id any) string { return id.(string) }))
			})
		}
		writers.Wait()
		for _, id := range ids {
			versions := 0
			title := d.get(t, id)["title"]
			row := modelstest.Must(d.Programme().Session(t.Context(), id.(string)))(t)
			for _, v := range modelstest.Must(d.Programme().Versions(t.Context(), row))(t) {
				if versions++; v.Text.Title != title { // each tells what it came after
					t.Errorf("a version is called %q, the one after it came from %q", v.Text.Title, title)
				}
				if v.Before != nil {
					title = v.Before.Title
				}
			}
			wantEqual(t, versions, 5)
		}
		wantEqual(t, len(modelstest.Emitted(t, d.Fixture)), 160)
	})
}
