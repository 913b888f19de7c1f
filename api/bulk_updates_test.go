package api_test

import (
	"fmt"
	"testing"

	"lectern/models/modelstest"
)

// madeInBulk are the ids of n new sessions, every other one an abstract.
func (d *door) madeInBulk(t testing.TB, n int) []any {
	t.Helper()
	ids := make([]any, n)
	for i, r := range d.bulk(t, creates(n)) {
		ids[i] = r["id"]
	}
	return ids
}

// retitled are items that each give a session a title of its own.
func retitled(ids []any) []object {
	items := make([]object, len(ids))
	for i, id := range ids {
		items[i] = object{"action": "update", "id": id, "data": object{"title": fmt.Sprintf("Title %02d", i)}}
	}
	return items
}

func TestUpdatesThatStandTogetherAreMadeTogether(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		ids := d.madeInBulk(t, 100)
		modelstest.Emitted(t, d.Fixture)
		items := retitled(ids)
		items[4]["id"] = d.get(t, ids[4])["friendly_id"]
		items[99]["data"] = object{"title": "Session 99"} // as it is
		var results []object
		statements := len(d.Statement.During(func() { results = d.bulk(t, items) }))
		// The key and the label; per 25 the sessions, their links, what they are made of, an update of each, the activity,
		// the emissions and the event's versions.
		if statements > 2+4*6+99 {
			t.Errorf("%d statements for 100 updates", statements)
		}
		emitted := modelstest.Emitted(t, d.Fixture)
		if len(emitted) != 99 {
			t.Errorf("%d emissions, want 99", len(emitted))
		}
		for i, e := range emitted {
			if e.ResourceID != ids[i] || e.Type != "session.updated" {
				t.Errorf("emission %d is %s of %s", i, e.Type, e.ResourceID)
			}
		}
		for i, id := range ids {
			want := fmt.Sprintf("Title %02d", i)
			if i == 99 {
				want = "Session 99"
			}
			wantEqual(t, results[i]["id"], id)
			wantEqual(t, d.get(t, id)["title"], any(want))
		}
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
				if code(r) != wants[i] {
					t.Errorf("item %d is %v, want %v", i, r, wants[i])
				}
			}
		}
		for i, id := range ids {
			want := fmt.Sprintf("Title %02d", i)
			if wants[i] != nil {
				want = fmt.Sprintf("Session %02d", i)
			}
			wantEqual(t, d.get(t, id)["title"], any(want))
		}
	})
}

func TestUpdatesOfOneSessionFollowEachOther(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		id := d.madeInBulk(t, 1)[0]
		label := d.get(t, id)["friendly_id"]
		for i, r := range d.bulk(t, retitled([]any{id, label, id, id})) {
			if r["id"] != id {
				t.Errorf("item %d is %v", i, r)
			}
		}
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
		var types []string
		for _, e := range modelstest.Emitted(t, d.Fixture) {
			types = append(types, string(e.Type))
		}
		wantEqual(t, types, []string{"session.updated", "session.updated", "session.updated", "session.updated",
			"session.updated", "decision.committed"})
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
		for i, r := range d.bulk(t, retitled(ids), onceKey, "k") {
			if r["id"] != ids[i] {
				t.Errorf("item %d is %v", i, r)
			}
		}
		wantEqual(t, d.get(t, ids[0])["title"], any("Since")) // answered as before, and not done again
		wantEqual(t, d.get(t, ids[59])["title"], any("Title 59"))
	})
}
