package api_test

import (
	"fmt"
	"testing"

	"lectern/models/modelstest"
)

func TestEachFamilyKeepsItsRowsInOrder(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		own := map[string]object{"tracks": {"color": "#abCDef"}, "rooms": {"capacity": 0}, "tags": {},
			"formats": {"default_minutes": 10_080}, "levels": {}}
		empty := map[string]object{"tracks": {"color": "#C0562A"}, "rooms": {"capacity": nil}, "tags": {},
			"formats": {"default_minutes": nil}, "levels": {}}
		other := d.elsewhere(t)
		for _, family := range families {
			other.row(t, family, "Theirs")
			other.row(t, family, "Theirs too")
			row := func(order int, fields object) object {
				body := object{"name": " Same name "}
				for key, value := range fields {
					if value != nil && order == 0 {
						body[key] = value
					}
				}
				got := d.do(t, "POST", d.path("/"+family+"/create"), body).want(200).object()
				want := object{"id": got["id"], "event_id": d.Event.ID, "name": "Same name", "order": order,
					"created_at": "2026-11-21T09:30:00.000Z", "updated_at": "2026-11-21T09:30:00.000Z"}
				for key, value := range fields {
					want[key] = value
				}
				wantEqual(t, got, want)
				return got
			}
			rows := []object{row(0, own[family]), row(1, empty[family])}
			wantEqual(t, d.do(t, "GET", d.path("/"+family), nil).want(200).results(), rows)
			wantEqual(t, d.do(t, "POST", d.path("/"+family), `{}`).want(200).results(), rows)
		}
	})
}

func TestMetadataIsFoundByAMistypedName(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		for _, family := range families {
			d.row(t, family, "Great Hall")
			d.elsewhere(t).row(t, family, "Great Hall of the other event")
			for near, want := range map[bool][]string{true: {"Great Hall"}, false: {}} {
				got := d.do(t, "POST", d.path("/"+family), object{"filters": object{"text": "graet hall", "near": near}}).want(200)
				modelstest.WantAll(t, fmt.Sprint(family, ", near ", near), pluck(got.results(), "name"), want)
			}
		}
	})
}

func TestMetadataSearchMatchesPartOfTheName(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		for _, family := range families {
			for _, name := range []string{"Säle 100%", "under_score", "Plain"} {
				d.row(t, family, name)
			}
			d.elsewhere(t).row(t, family, "Säle of the other event")
			for text, want := range map[string][]string{
				"SÄLE": {"Säle 100%"}, "%": {"Säle 100%"}, "_": {"under_score"}, "l": {"Säle 100%", "Plain"}, " plain ": {"Plain"},
				"none": {}, "'": {},
				"": {"Säle 100%", "under_score", "Plain"},
			} {
				got := d.do(t, "POST", d.path("/"+family), object{"filters": object{"text": text}}).want(200)
				modelstest.WantAll(t, family+" "+text, pluck(got.results(), "name"), want)
				modelstest.Want[any](t, family+" "+text, got.object()["pagination"].(object)["totalResults"],
					float64(len(want)))
			}
			page := d.do(t, "POST", d.path("/"+family+"?pageSize=1"), `{"page": 2}`).want(200)
			wantEqual(t, pluck(page.results(), "name"), []string{"under_score"})
			wantEqual(t, page.object()["pagination"], object{"currentPage": 2, "pageSize": 1, "totalPages": 3,
				"totalResults": 3})
		}
	})
}

func TestFaultyMetadataIsRefusedNamingTheField(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		d.unchanged(t, func() {
			for _, family := range families {
				path := d.path("/" + family + "/create")
				for owner, f := range own {
					if owner != family {
						d.do(t, "POST", path, object{"name": "N", f.field: f.was}).wantField(f.field)
					}
				}
				for body, field := range map[string]string{
					`{}`: "name", `{"name": null}`: "name", `{"name": " "}`: "name", `{"name": 3}`: "name",
					`{"name": "a\u0000"}`:           "name",
					`{"name": "` + long(256) + `"}`: "name", `{"Name": "x"}`: "Name", `{"name": "N", "order": 3}`: "order",
					`{"name": "N", "event_id": "x"}`: "event_id", `{"name": "N", "color": null}`: "color",
				} {
					d.do(t, "POST", path, body).wantField(field)
				}
			}
			for _, color := range []any{"red", "#FFF", "#GGGGGG", "1F4E5F", "#1F4E5F80", "", "#1F4E5F\n", 3} {
				d.do(t, "POST", d.path("/tracks/create"), object{"name": "N", "color": color}).wantField("color")
			}
			for _, capacity := range []any{-1, 1_000_001, 1.5, "3", true} {
				d.do(t, "POST", d.path("/rooms/create"), object{"name": "N", "capacity": capacity}).wantField("capacity")
			}
			for _, minutes := range []any{0, -1, 10_081, 0.5, "30"} {
				d.do(t, "POST", d.path("/formats/create"), object{"name": "N", "default_minutes": minutes}).
					wantField("default_minutes")
			}
		})
	})
}

func TestASessionShowsMetadataMadeAMomentAgo(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		s := d.create(t, object{"title": "T", "tag_ids": []string{d.row(t, "tags", "old")}})
		tag, track := d.row(t, "tags", "new"), d.row(t, "tracks", "New")
		s = d.put(t, s["id"], object{"tag_ids": []string{tag}, "track_id": track}).want(200).object()
		wantEqual(t, []any{s["tags"].([]any)[0].(object)["name"], s["track"].(object)["name"]}, []any{"new", "New"})
	})
}
