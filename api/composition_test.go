package api_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
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
			if titles := pluck(found, "title"); fmt.Sprint(titles) != "[A B]" {
				t.Errorf("the parts of %s are %v", session, titles)
			}
		}
		if found := d.search(t, `{"filters": {"composed_into": "`+foreign+`"}}`); len(found) != 0 {
			t.Errorf("another event's parts are %v", found)
		}
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
		if s["title"] != "A" || s["description"] != "<p>a</p>" || s["status"] != "accepted" || s["is_abstract"] != false {
			t.Errorf("composed into %v", s)
		}
		if s["track"].(object)["id"] != web || s["format"].(object)["id"] != talk || s["level"] != nil ||
			len(s["tags"].([]any)) != 2 {
			t.Errorf("composed into %v", s)
		}
		people := s["participants"].([]any)
		if len(people) != 2 || people[0].(object)["id"] != ada || people[1].(object)["id"] != bob ||
			people[1].(object)["order"] != 1.0 {
			t.Errorf("the participants are %v", people)
		}
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
		if after["status"] != "declined" || after["capacity"] != 3.0 {
			t.Errorf("the source reads %v", after)
		}
		if session := d.get(t, s["id"]); session["status"] != "accepted" || session["capacity"] != nil {
			t.Errorf("the session reads %v", session)
		}
	})
}

func TestAfterDetachEachHasItsOwnText(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		a := d.create(t, object{"title": "A", "is_abstract": true})
		s := d.compose(t, "", a)
		modelstest.Must(d.Programme().Detach(context.Background(), s["id"].(string)))(t)
		status := d.get(t, a["id"])["composition_status"].(object)
		if status["role"] != "source" || status["is_linked"] != false || status["is_read_only"] != false ||
			status["target"] == nil {
			t.Errorf("the source is %v", status)
		}
		d.put(t, s["id"], `{"title": "Mine"}`).want(200)
		d.put(t, a["id"], `{"title": "My own"}`).want(200)
		if d.get(t, s["id"])["title"] != "Mine" || d.get(t, a["id"])["title"] != "My own" {
			t.Error("the two rows still share a text")
		}
		modelstest.Answers(d.Programme().Detach(context.Background(), s["id"].(string)))(t, "detaching twice", store.Invalid)
	})
}

func TestADeletedSourceFollowsItsSessionAndIsRestoredWithOneText(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		a := d.create(t, object{"title": "A", "is_abstract": true})
		s := d.compose(t, "", a)
		path := d.path("/sessions/" + a["id"].(string))
		d.do(t, "DELETE", path, nil).want(200)
		d.put(t, s["id"], `{"title": "New"}`).want(200)
		if got := d.do(t, "POST", path+"/restore", nil).want(200).object(); got["title"] != "New" {
			t.Errorf("restored as %v", got["title"])
		}
	})
}

func TestComposeRefusesWhatDoesNotFit(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		a := d.create(t, object{"title": "A", "is_abstract": true})
		composed := d.create(t, object{"title": "C", "is_abstract": true})
		session := d.compose(t, "", composed)
		gone := d.create(t, object{"title": "G", "is_abstract": true})
		d.do(t, "DELETE", d.path("/sessions/"+gone["id"].(string)), nil).want(200)
		theirs := d.elsewhere(t).create(t, object{"title": "Theirs", "is_abstract": true})
		d.unchanged(t, func() {
			for name, c := range map[string]struct {
				abstracts []string
				into      string
				kind      store.Kind
			}{
				"no abstract":              {nil, "", store.Invalid},
				"a session":                {[]string{session["id"].(string)}, "", store.Invalid},
				"a deleted one":            {[]string{gone["id"].(string)}, "", store.NotFound},
				"the other event's":        {[]string{theirs["id"].(string)}, "", store.NotFound},
				"into the other event's":   {[]string{a["id"].(string)}, theirs["id"].(string), store.NotFound},
				"into an abstract":         {[]string{a["id"].(string)}, composed["id"].(string), store.Invalid},
				"into nowhere":             {[]string{a["id"].(string)}, nobody, store.NotFound},
				"a good one and a bad one": {[]string{a["id"].(string), nobody}, "", store.NotFound},
			} {
				if _, err := d.Programme().Compose(context.Background(), c.abstracts, c.into); store.KindOf(err) != c.kind {
					t.Errorf("composing %s answers %v", name, err)
				}
			}
		})
	})
}
