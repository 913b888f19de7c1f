package api_test

import (
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
)

func TestCompositionStatusOfBothSides(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		a := d.create(t, object{"title": "A", "is_abstract": true})
		s := d.compose(t, "", a)
		wantEqual(t, s["composition_status"], object{"role": "target", "source_count": 1, "target": nil, "is_linked": true,
			"is_read_only": false})
		target := object{"id": s["id"], "friendly_id": "S-1", "title": "A", "is_abstract": false}
		wantEqual(t, d.get(t, a["id"])["composition_status"],
			object{"role": "source", "source_count": 0, "target": target, "is_linked": true, "is_read_only": true})
		modelstest.Must(d.Programme().Detach(t.Context(), s["id"].(string)))(t)
		wantEqual(t, d.get(t, a["id"])["composition_status"],
			object{"role": "source", "source_count": 0, "target": target, "is_linked": false, "is_read_only": false})
		modelstest.Must(d.Programme().LinkAgain(t.Context(), s["id"].(string), nil))(t)

		b := d.create(t, object{"title": "B", "is_abstract": true})
		s = d.compose(t, s["id"].(string), b)
		wantEqual(t, s["composition_status"], object{"role": "target", "source_count": 2, "target": nil, "is_linked": false,
			"is_read_only": false})
		for _, source := range []object{a, b} {
			wantEqual(t, d.get(t, source["id"])["composition_status"],
				object{"role": "source", "source_count": 0, "target": target, "is_linked": false, "is_read_only": false})
		}
		theirs := d.elsewhere(t).create(t, object{"title": "Theirs", "is_abstract": true})["id"].(string)
		foreign := modelstest.Must(d.Elsewhere().Compose(t.Context(), []string{theirs}, ""))(t).ID
		for _, session := range []string{s["id"].(string), "S-1", "s1"} {
			found := d.search(t, `{"filters": {"composed_into": "`+session+`"}, "sort": {"order": "title", "sort": "asc"}}`)
			modelstest.WantAll(t, "the parts of "+session, pluck(found, "title"), []string{"A", "B"})
		}
		wantEqual(t, d.search(t, `{"filters": {"composed_into": "`+foreign+`"}}`), []object{})
		for _, session := range []string{"S-9", "x"} {
			d.do(t, "POST", d.path("/sessions/search"), object{"filters": object{"composed_into": session}}).
				wantField("filters.composed_into")
		}
		for _, row := range d.search(t, `{}`) { // sources stay in search, and it tells the same
			wantEqual(t, row, d.get(t, row["id"]))
		}
		// Several sources keep their own text.
		d.put(t, s["id"], `{"title": "Both"}`).want(200)
		d.put(t, a["id"], `{"title": "A2"}`).want(200)
		wantEqual(t, []any{d.get(t, s["id"])["title"], d.get(t, a["id"])["title"], d.get(t, b["id"])["title"]},
			[]any{"Both", "A2", "B"})
	})
}

func TestComposingInheritsWhatTheSessionHasNoneOf(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		web, data, talk := d.row(t, "tracks", "Web"), d.row(t, "tracks", "Data"), d.row(t, "formats", "Talk")
		one, two := d.row(t, "tags", "one"), d.row(t, "tags", "two")
		a := d.create(t, object{"title": "A", "is_abstract": true, "description": "<p>a</p>", "track_id": web,
			"tag_ids": []string{one}})
		b := d.create(t, object{"title": "B", "is_abstract": true, "track_id": data, "format_id": talk,
			"tag_ids": []string{two, one}})
		ada := d.speaker(t, a["id"], models.NewContact{FirstName: "Ada"})
		bob := d.speaker(t, b["id"], models.NewContact{FirstName: "Bob"})
		d.Join(t, d.event, b["id"].(string), ada, models.Moderator)
		s := d.compose(t, "", a, b)
		wantEqual(t, []any{s["title"], s["description"], s["status"], s["is_abstract"], s["track"].(object)["id"],
			s["format"].(object)["id"], s["level"], len(s["tags"].([]any))},
			[]any{"A", "<p>a</p>", "accepted", false, web, talk, nil, 2})
		people := s["participants"].([]any)
		wantEqual(t, []any{len(people), people[0].(object)["id"], people[1].(object)["id"], people[1].(object)["order"]},
			[]any{2, ada, bob, 1})
	})
}

func TestALinkedSessionWritesTheTextOfBothRows(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		a := d.create(t, object{"title": "A", "is_abstract": true, "description": "old"})
		untouched := d.create(t, object{"title": "A", "is_abstract": true, "description": "old"})
		s := d.compose(t, "", a)
		d.Clock.Move(time.Second)
		s = d.put(t, s["id"], `{"title": "New", "description": "<p>new</p>", "capacity": 3}`).want(200).object()
		source := d.get(t, a["id"])
		if source["title"] != "New" || source["description"] != "<p>new</p>" || source["capacity"] != nil ||
			source["updated_at"] == a["updated_at"] {
			t.Errorf("the source reads %v", source)
		}
		modelstest.Want(t, "title of the target", source["composition_status"].(object)["target"].(object)["title"],
			"New")
		wantEqual(t, d.titles(t, `{"filters": {"text": "new", "is_abstract": true}}`), []string{"New"})
		d.put(t, s["id"], `{"capacity": 4}`).want(200)
		wantEqual(t, d.get(t, a["id"]), source)
		wantEqual(t, d.get(t, untouched["id"]), untouched)
	})
}

func TestTheTextOfALinkedSourceIsEditedOnTheSession(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		a := d.create(t, object{"title": "A", "is_abstract": true, "description": "D"})
		s := d.compose(t, "", a)
		d.unchanged(t, func() {
			d.put(t, a["id"], `{"title": "Other", "status": "declined"}`).wantField("title")
			d.put(t, a["id"], `{"title": "Other"}`).wantError(400, "ValidationError", s["friendly_id"].(string),
				s["id"].(string))
			d.put(t, a["id"], `{"description": "Other"}`).wantError(400, "ValidationError", s["id"].(string))
		})
		after := d.put(t, a["id"], `{"title": "A", "description": "D", "status": "declined", "capacity": 3}`).
			want(200).object()
		session := d.get(t, s["id"])
		wantEqual(t, []any{after["status"], after["capacity"], session["status"], session["capacity"]},
			[]any{"declined", 3, "accepted", nil})
	})
}

func TestADeletedSourceFollowsItsSessionAndIsRestoredWithOneText(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		a := d.create(t, object{"title": "A", "is_abstract": true})
		s := d.compose(t, "", a)
		path := d.path("/sessions/" + a["id"].(string))
		d.do(t, "DELETE", path, nil).want(200)
		d.put(t, s["id"], `{"title": "New"}`).want(200)
		wantEqual(t, d.do(t, "POST", path+"/restore", nil).want(200).object()["title"], "New")
	})
}
