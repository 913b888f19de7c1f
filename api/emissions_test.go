package api_test

import (
	"context"
	"encoding/json"
	"regexp"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/store"
)

var uuid4 = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

// emitted is one emission by its type and the row it tells of.
type emitted struct {
	Type outbox.EmissionType
	ID   any
}

// wantEmitted fails the test unless exactly these emissions were recorded since
// it was last asked, each with the row as GET returns it now.
func (d *door) wantEmitted(t testing.TB, name string, want ...emitted) {
	t.Helper()
	seen := []emitted{}
	for _, e := range modelstest.Emitted(t, d.Fixture) {
		seen = append(seen, emitted{e.Type, e.ResourceID})
		if !uuid4.MatchString(e.ID) || e.EventID == nil || *e.EventID != d.event.ID ||
			e.OrganizationID != d.event.OrganizationID {
			t.Errorf("%s: the emission is %+v", name, e)
		}
		if !e.OccurredAt.Equal(d.Clock.Now()) {
			t.Errorf("%s: it occurred at %s", name, e.OccurredAt)
		}
		data := object{}
		modelstest.Fine(t, json.Unmarshal([]byte(e.Data), &data))
		if e.Type == outbox.DecisionCommitted {
			if data["previous_status"] == nil || data["previous_status"] == data["status"] {
				t.Errorf("%s: the previous status is %v", name, data["previous_status"])
			}
			delete(data, "previous_status")
		}
		wantEqual(t, data, d.get(t, e.ResourceID))
	}
	modelstest.WantAll(t, name, seen, want)
}

// doors are the two ways to the same operation: a request of its own, and an
// item of a bulk request.
var doors = map[string]func(d *door, t testing.TB, id any, change string){
	"alone": func(d *door, t testing.TB, id any, change string) { d.put(t, id, change) },
	"in bulk": func(d *door, t testing.TB, id any, change string) {
		d.bulk(t, []object{{"action": "update", "id": id, "data": json.RawMessage(change)}})
	},
}

func TestWhatEachUpdateEmits(t *testing.T) {
	const updated, published, decided = outbox.SessionUpdated, outbox.SessionPublished, outbox.DecisionCommitted
	public := `{"is_public": true, "publish_override": true}`
	cases := []struct {
		name, before string // before is applied first
		abstract     bool
		change       string
		want         []outbox.EmissionType
	}{
		{"a change", ``, true, `{"title": "New"}`, []outbox.EmissionType{updated}},
		{"answers", ``, true, `{"custom_fields": {"a": "b"}}`, []outbox.EmissionType{updated}},
		{"a schedule", ``, false, `{"starts_at": "2026-12-01T10:00:00Z"}`, []outbox.EmissionType{updated}},
		{"nothing", ``, true, `{}`, nil},
		{"the same again", ``, true, `{"title": "T", "status": "pending", "is_public": false}`, nil},
		{"invalid", ``, true, `{"title": ""}`, nil},
		{"stale", ``, true, `{"title": "New", "updated_at": "2020-01-01T00:00:00Z"}`, nil},
		{"no decision", ``, true, `{"status": "accept_queue"}`, []outbox.EmissionType{updated}},
		{"withdrawal", `{"status": "accepted"}`, true, `{"status": "withdrawn"}`, []outbox.EmissionType{updated}},
		{"acceptance", ``, true, `{"status": "accepted"}`, []outbox.EmissionType{updated, decided}},
		{"rejection", `{"status": "decline_queue"}`, true, `{"status": "declined", "title": "New"}`,
			[]outbox.EmissionType{updated, decided}},
		{"another decision", `{"status": "accepted"}`, true, `{"status": "declined"}`,
			[]outbox.EmissionType{updated, decided}},
		{"the same decision", `{"status": "accepted"}`, true, `{"status": "accepted"}`, nil},
		{"the same decision with more", `{"status": "accepted"}`, true, `{"status": "accepted", "title": "New"}`,
			[]outbox.EmissionType{updated}},
		{"a session's status", `{"status": "draft"}`, false, `{"status": "accepted"}`, []outbox.EmissionType{updated}},
		{"a session's rejection", ``, false, `{"status": "declined"}`, []outbox.EmissionType{updated}},
		{"publishing", ``, false, public, []outbox.EmissionType{published}},
		{"publishing with more", ``, false, `{"is_public": true, "publish_override": true, "title": "New"}`,
			[]outbox.EmissionType{published}},
		{"publishing with a decision", ``, true, `{"is_public": true, "publish_override": true, "status": "accepted"}`,
			[]outbox.EmissionType{published, decided}},
		{"publishing held", ``, false, `{"is_public": true, "title": "New"}`, nil},
		{"publishing held with a decision", ``, true, `{"is_public": true, "status": "accepted"}`, nil},
		{"publishing the public", public, false, `{"is_public": true}`, nil},
		{"a change of the public", public, false, `{"is_public": true, "title": "New"}`, []outbox.EmissionType{updated}},
		{"unpublishing", public, false, `{"is_public": false}`, []outbox.EmissionType{updated}},
		{"unpublishing the private", ``, false, `{"is_public": false}`, nil},
	}
	each(t, func(t *testing.T, d *door) {
		for where, update := range doors {
			for _, c := range cases {
				s := d.create(t, object{"title": "T", "is_abstract": c.abstract})
				if c.before != "" {
					d.put(t, s["id"], c.before).want(200)
				}
				modelstest.Emitted(t, d.Fixture)
				d.Clock.Move(time.Second)
				update(d, t, s["id"], c.change)
				want := store.Map(c.want, func(kind outbox.EmissionType) emitted { return emitted{kind, s["id"]} })
				d.wantEmitted(t, c.name+" "+where, want...)
			}
		}
	})
}

func TestADecisionTellsThePreviousStatus(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		s := d.create(t, object{"title": "T", "is_abstract": true, "status": "accept_queue"})
		d.put(t, s["id"], `{"status": "accepted"}`).want(200)
		got := modelstest.Emitted(t, d.Fixture)
		var data object
		modelstest.Fine(t, json.Unmarshal([]byte(got[len(got)-1].Data), &data))
		wantEqual(t, []any{data["status"], data["previous_status"]}, []any{"accepted", "accept_queue"})
	})
}

func TestWhatCreateDeleteAndRestoreEmit(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		s := d.create(t, object{"title": "T", "is_abstract": true, "status": "accepted"})
		path := d.path("/sessions/" + s["id"].(string))
		d.wantEmitted(t, "create", emitted{outbox.SessionCreated, s["id"]})
		d.do(t, "POST", d.path("/sessions/create"), `{}`).want(400)
		d.do(t, "POST", path+"/restore", nil).want(404)
		d.wantEmitted(t, "failures")
		d.do(t, "DELETE", path, nil).want(200)
		d.wantEmitted(t, "delete", emitted{outbox.SessionDeleted, s["id"]})
		d.do(t, "DELETE", path, nil).want(404)
		d.put(t, s["id"], `{"title": "x"}`).want(404)
		d.wantEmitted(t, "a second delete")
		d.do(t, "POST", path+"/restore", nil).want(200)
		d.wantEmitted(t, "restore")
		results := d.bulk(t, []object{{"action": "create", "data": object{"title": "B"}},
			{"action": "create", "data": object{}}, {"action": "delete", "id": s["id"]}, {"action": "delete", "id": s["id"]}})
		d.wantEmitted(t, "bulk", emitted{outbox.SessionCreated, results[0]["id"]}, emitted{outbox.SessionDeleted, s["id"]})
		for range 2 {
			d.createOnce(t, "k", `{"title": "Once"}`).want(200)
		}
		once := d.search(t, `{"filters": {"text": "once"}}`)[0]
		d.wantEmitted(t, "a repeated create", emitted{outbox.SessionCreated, once["id"]})
	})
}

func TestWhatCompositionsEmit(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		a := d.create(t, object{"title": "A", "is_abstract": true})
		b := d.create(t, object{"title": "B", "is_abstract": true})
		into := d.create(t, object{"title": "S"})
		modelstest.Emitted(t, d.Fixture)
		s := d.compose(t, "", a)
		d.wantEmitted(t, "composing a new session", emitted{outbox.SessionCreated, s["id"]})
		updated := []emitted{{outbox.SessionUpdated, s["id"]}, {outbox.SessionUpdated, a["id"]}}
		for where, update := range doors {
			update(d, t, s["id"], `{"title": "New `+where+`"}`)
			d.wantEmitted(t, "a linked title "+where, updated...)
			update(d, t, s["id"], `{"description": "`+where+`", "capacity": 1}`)
			d.wantEmitted(t, "a linked description "+where, updated...)
			update(d, t, s["id"], `{"capacity": 2}`)
			d.wantEmitted(t, "a field that is not shared "+where, updated[0])
			update(d, t, a["id"], `{"title": "Refused"}`)
			d.wantEmitted(t, "the title of a source "+where)
			update(d, t, a["id"], `{"status": "accepted"}`)
			d.wantEmitted(t, "the decision on a source "+where, updated[1], emitted{outbox.DecisionCommitted, a["id"]})
			d.put(t, a["id"], `{"status": "pending"}`).want(200)
			d.wantEmitted(t, "the end of a decision", updated[1])
			update(d, t, s["id"], `{"title": "Public `+where+`", "is_public": true, "publish_override": true}`)
			d.wantEmitted(t, "publishing a linked session with a title "+where,
				emitted{outbox.SessionPublished, s["id"]}, updated[1])
			d.put(t, s["id"], `{"is_public": false}`).want(200)
			d.wantEmitted(t, "unpublishing a linked session", updated[0])
		}
		d.letter(t, d.create(t, object{"title": "L", "is_abstract": true, "status": "accepted"})["id"], models.LetterSent)
		modelstest.Emitted(t, d.Fixture)
		d.compose(t, into["id"].(string), b)
		d.wantEmitted(t, "composing into a session, whose text the abstract takes", emitted{outbox.SessionUpdated, b["id"]})
		modelstest.Must(d.Programme().Detach(context.Background(), s["id"].(string)))(t)
		d.wantEmitted(t, "detaching")
		d.put(t, s["id"], `{"title": "Alone"}`).want(200)
		d.wantEmitted(t, "a title after detaching", updated[0])
		for _, family := range families {
			d.row(t, family, "x")
		}
		d.wantEmitted(t, "metadata")
	})
}
