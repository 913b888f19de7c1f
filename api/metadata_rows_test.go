package api_test

import (
	"testing"

	"lectern/models/apikey"
	"lectern/models/modelstest"
)

// own is a field of each family beside its name, and two values for it.
var own = map[string]struct {
	field     string
	was, will any
}{
	"tracks": {"color", "#111111", "#222222"}, "rooms": {"capacity", 10, 20}, "formats": {"default_minutes", 30, 45},
}

func TestARowIsReadAndChangedInPart(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		for _, family := range families {
			body := object{"name": "First"}
			if f := own[family]; f.field != "" {
				body[f.field] = f.was
			}
			row := d.do(t, "POST", d.path("/"+family+"/create"), body).want(200).object()
			path := d.path("/" + family + "/" + row["id"].(string))
			wantEqual(t, d.do(t, "GET", path, nil).want(200).object(), row)
			wantEqual(t, d.do(t, "PUT", path, row).want(200).object(), row) // as it was read
			wantEqual(t, d.do(t, "PUT", path, `{}`).want(200).object(), row)

			read := row["updated_at"]
			renamed := d.do(t, "PUT", path, object{"name": " Second ", "updated_at": read}).want(200).object()
			if renamed["updated_at"] == read {
				t.Errorf("%s: the token did not move", family)
			}
			row["name"], row["updated_at"] = "Second", renamed["updated_at"]
			wantEqual(t, renamed, row)
			d.do(t, "PUT", path, object{"name": "Third", "updated_at": read}).wantError(409, "ConflictError")
			if f := own[family]; f.field != "" {
				got := d.do(t, "PUT", path, object{f.field: f.will}).want(200).object()
				row[f.field], row["updated_at"] = f.will, got["updated_at"]
				wantEqual(t, got, row)
			}
			wantEqual(t, d.do(t, "GET", path, nil).want(200).object(), row)
		}
		modelstest.Want(t, "emissions", d.Committed.Load(), 0)
	})
}

func TestARowIsMovedWithinItsFamily(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		ids := map[string]string{}
		for _, name := range []string{"A", "B", "C"} {
			ids[name] = d.row(t, "levels", name)
		}
		moved := d.do(t, "PUT", d.path("/levels/"+ids["C"]), `{"order": 0, "name": "Z"}`).want(200).object()
		wantEqual(t, []any{moved["order"], moved["name"]}, []any{0, "Z"})
		rows := d.do(t, "GET", d.path("/levels"), nil).want(200).results()
		wantEqual(t, pluck(rows, "name"), []string{"Z", "A", "B"})
		wantEqual(t, rows[0], moved)
		d.unchanged(t, func() {
			d.do(t, "PUT", d.path("/levels/"+ids["A"]), `{"order": 3, "name": "Y"}`).wantField("order")
			d.do(t, "PUT", d.path("/levels/"+ids["A"]), `{"order": -1}`).wantField("order")
		})
	})
}

func TestFaultyChangesOfRowsAreRefusedNamingTheField(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		ids := d.rows(t)
		d.unchanged(t, func() {
			for _, family := range families {
				path := d.path("/" + family + "/" + ids[family])
				for owner, f := range own {
					if owner != family {
						d.do(t, "PUT", path, object{f.field: f.was}).wantField(f.field)
					}
				}
				for body, field := range map[string]string{
					`{"name": null}`: "name", `{"name": " "}`: "name", `{"name": 3}`: "name", `{"Name": "x"}`: "Name",
					`{"name": "` + long(256) + `"}`: "name", `{"updated_at": "yesterday"}`: "updated_at", `{"nope": 1}`: "nope",
					`{"order": null}`: "order", `[]`: "body",
				} {
					d.do(t, "PUT", path, body).wantField(field)
				}
			}
			for _, body := range []string{`{"color": null}`, `{"color": "red"}`} {
				d.do(t, "PUT", d.path("/tracks/"+ids["tracks"]), body).wantField("color")
			}
			d.do(t, "PUT", d.path("/rooms/"+ids["rooms"]), `{"capacity": -1}`).wantField("capacity")
			d.do(t, "GET", d.path("/tracks/"+ids["rooms"]), nil).wantError(404, "NotFoundError")
			d.do(t, "PUT", d.path("/tracks/"+ids["rooms"]), `{"name": "x"}`).wantError(404, "NotFoundError")
			d.do(t, "DELETE", d.path("/tracks/"+ids["rooms"]), nil).wantError(404, "NotFoundError")
		})
		cleared := d.do(t, "PUT", d.path("/rooms/"+ids["rooms"]), `{"capacity": null}`).want(200).object()
		wantEqual(t, cleared["capacity"], nil)
	})
}

func TestARowInUseIsDeletedOnlyWithAWordOnWhatUsesIt(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		theirs := d.elsewhere(t).rows(t)
		for _, family := range families {
			field := family[:len(family)-1] + "_id"
			of := func(s object) string {
				s = d.get(t, s["id"])
				if row, _ := s[family[:len(family)-1]].(object); row != nil {
					return row["id"].(string)
				}
				if all, _ := s["tags"].([]any); len(all) > 0 {
					return all[0].(object)["id"].(string)
				}
				return ""
			}
			use := func(id string) (s object) {
				body := object{"title": "T", field: id}
				if family == "tags" {
					body = object{"title": "T", "tag_ids": []string{id}}
				}
				body["is_abstract"] = true
				d.create(t, body)
				body["is_abstract"] = false
				return d.create(t, body)
			}
			old, other := d.row(t, family, "Old"), d.row(t, family, "Other")
			s := use(old)
			path := d.path("/" + family + "/" + old)
			d.unchanged(t, func() {
				d.do(t, "DELETE", path, nil).wantError(400, "ValidationError", "reassign", "1 submission, 1 session")
				for _, wrong := range []string{old, "x", nobody, theirs[family], "%00"} {
					d.do(t, "DELETE", path+"?reassign="+wrong, nil).wantField("reassign")
				}
				d.do(t, "DELETE", path+"?reassign="+other, nil, "x-access-token", d.mint(t, d.Event, apikey.ReadMetadata)).
					wantError(403, "ForbiddenError")
			})
			wantEqual(t, d.do(t, "DELETE", path+"?reassign="+other, nil).want(200).object(), object{"id": old,
				"reassigned_to": other, "submissions": 1, "sessions": 1, "contacts": 0, "breaks": 0})
			wantEqual(t, of(s), other)
			d.do(t, "GET", path, nil).wantError(404, "NotFoundError")
			d.do(t, "DELETE", path, nil).wantError(404, "NotFoundError")
			got := d.do(t, "DELETE", d.path("/"+family+"/"+other+"?reassign=none"), nil).want(200).object()
			wantEqual(t, []any{got["reassigned_to"], got["sessions"]}, []any{nil, 1})
			wantEqual(t, of(s), "")

			unused := d.row(t, family, "Unused")
			wantEqual(t, d.do(t, "DELETE", d.path("/"+family+"/"+unused), nil).want(200).object(), object{"id": unused,
				"reassigned_to": nil, "submissions": 0, "sessions": 0, "contacts": 0, "breaks": 0})
		}
	})
}
