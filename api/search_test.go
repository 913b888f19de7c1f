package api_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
)

// programme fills an event with sessions that differ in all that can be
// filtered, and the other event with the same.
func programme(t *testing.T, d *door) (rows map[string]string) {
	rows = map[string]string{}
	fill := func(d *door) {
		for _, family := range families {
			rows[family+d.event.Slug] = d.row(t, family, "one of "+family)
		}
		d.create(t, object{"title": "Alpha", "is_abstract": true, "description": "<p>quick <b>fox</b></p>",
			"track_id": rows["tracks"+d.event.Slug]})
		d.Clock.Move(time.Minute)
		d.create(t, object{"title": "beta", "is_abstract": true, "status": "draft",
			"tag_ids": []string{rows["tags"+d.event.Slug]}, "level_id": rows["levels"+d.event.Slug]})
		d.Clock.Move(time.Minute)
		late := d.create(t, object{"title": "Gamma", "starts_at": "2026-12-02T10:00:00Z",
			"room_id": rows["rooms"+d.event.Slug]})
		d.put(t, late["id"], `{"is_public": true, "publish_override": true}`).want(200)
		d.Clock.Move(time.Minute)
		early := d.create(t, object{"title": "délta 100%", "status": "declined", "starts_at": "2026-12-01T10:00:00Z",
			"format_id": rows["formats"+d.event.Slug]})
		d.speaker(t, early["id"], models.NewContact{FirstName: "Grace", LastName: "O'Hopper", Email: "hidden@" +
			d.event.Slug + ".example"})
		d.Clock.Move(time.Minute)
		d.create(t, object{"title": "Epsilon_x"})
		gone := d.create(t, object{"title": "Zeta"})["id"].(string)
		d.do(t, "DELETE", d.path("/sessions/"+gone), nil).want(200)
	}
	fill(d)
	d.Clock.Move(-4 * time.Minute)
	fill(d.elsewhere(t))
	return rows
}

func TestEachFilterFindsExactlyItsSessions(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		rows := programme(t, d)
		id := func(family string) string { return rows[family+d.Event.Slug] }
		all := []string{"Epsilon_x", "délta 100%", "Gamma", "beta", "Alpha"}
		cases := map[string][]string{
			`{}`:                                    all,
			`{"status": []}`:                        all,
			`{"format": "one of formats"}`:          {"délta 100%"},
			`{"format": ["` + id("formats") + `"]}`: {"délta 100%"},
			`{"level": "one of levels"}`:            {"beta"},
			`{"tag": ["one of tags", "` + id("tags") + `"]}`:                               {"beta"},
			`{"tag": "one of tags", "level": "one of levels", "format": "one of formats"}`: {},
			`{"needs": "place"}`:                   {"Epsilon_x", "délta 100%"},
			`{"needs": "people"}`:                  {"Epsilon_x", "Gamma", "Alpha"},
			`{"needs": null}`:                      all,
			`{"without": []}`:                      all,
			`{"without": ["level"]}`:               {"Epsilon_x", "délta 100%", "Gamma", "Alpha"},
			`{"without": ["tag", "track"]}`:        {"Epsilon_x", "délta 100%", "Gamma"},
			`{"without": ["room", "format"]}`:      {"Epsilon_x", "beta", "Alpha"},
			`{"status": ["pending"]}`:              {"Alpha"},
			`{"status": ["pending", "draft"]}`:     {"beta", "Alpha"},
			`{"status": "draft"}`:                  {"beta"},
			`{"status": ["withdrawn"]}`:            {},
			`{"is_abstract": true}`:                {"beta", "Alpha"},
			`{"is_abstract": false}`:               {"Epsilon_x", "délta 100%", "Gamma"},
			`{"isAbstract": true}`:                 {"beta", "Alpha"},
			`{"is_public": true}`:                  {"Gamma"},
			`{"is_public": false}`:                 {"Epsilon_x", "délta 100%", "beta", "Alpha"},
			`{"scheduled": true}`:                  {"délta 100%", "Gamma"},
			`{"scheduled": false}`:                 {"Epsilon_x", "beta", "Alpha"},
			`{"include_deleted": true}`:            append([]string{"Zeta"}, all...),
			`{"text": ""}`:                         all,
			`{"text": "  "}`:                       all,
			`{"text": "ALPHA"}`:                    {"Alpha"},
			`{"text": "BET"}`:                      {"beta"},
			`{"text": "ta"}`:                       {"délta 100%", "beta"},
			`{"text": "Δ"}`:                        {},
			`{"text": "DÉL"}`:                      {"délta 100%"},
			`{"text": "quick fox"}`:                {"Alpha"},
			`{"text": "<b>"}`:                      {},
			`{"text": "100%"}`:                     {"délta 100%"},
			`{"text": "%"}`:                        {"délta 100%"},
			`{"text": "_"}`:                        {"Epsilon_x"},
			`{"text": "a-1"}`:                      {"Alpha"},
			`{"text": "S-"}`:                       {"Epsilon_x", "délta 100%", "Gamma"},
			`{"text": "o'hop"}`:                    {"délta 100%"},
			`{"text": "hidden@"}`:                  {},
			`{"text": "zeta"}`:                     {},
			`{"text": "\""}`:                       {},
			`{"text": "\\"}`:                       {},
			`{"text": "alpha\" OR \"beta"}`:        {},
			`{"track_id": "` + id("tracks") + `"}`: {"Alpha"},
			`{"track": "` + id("tracks") + `"}`:    {"Alpha"},
			`{"track": ["one of tracks"]}`:         {"Alpha"},
			`{"room_id": "` + id("rooms") + `"}`:   {"Gamma"},
			`{"room": "one of rooms"}`:             {"Gamma"},
			`{"room": "ÖNE of Rooms"}`:             {"Gamma"},
			`{"room": ["` + id("rooms") + `"]}`:    {"Gamma"},
			`{"speaker": "hopper GRACE"}`:          {"délta 100%"},
			`{"speaker": "alpha"}`:                 {},
			`{"speaker": "hidden@"}`:               {},
			`{"speaker": "` + nobody + `"}`:        {},
			`{"contact_id": ["` + nobody + `"]}`:   {},
			`{"day": "2026-12-01"}`:                {"délta 100%"},
			`{"day": "2026-12-03"}`:                {},
			`{"day": "2026-12-01", "starts_after": "2026-12-01T10:00:00Z"}`: {},
			`{"at": "2026-12-02T10:00:00Z"}`:                                {"Gamma"},
			`{"at": "2026-12-02T10:01:00Z"}`:                                {},
			`{"format_id": "` + id("formats") + `"}`:                        {"délta 100%"},
			`{"level_id": "` + id("levels") + `"}`:                          {"beta"},
			`{"tag_id": "` + id("tags") + `"}`:                              {"beta"},
			`{"tag_id": ["` + id("tags") + `", "` + nobody + `"]}`:          {"beta"},
			`{"track_id": ["` + rows["tracksother"] + `"]}`:                 {},
			`{"starts_after": "2026-12-01T10:00:00Z"}`:                      {"Gamma"},
			`{"starts_before": "2026-12-02T11:00:00+01:00"}`:                {"délta 100%"},
			`{"created_at": {"after": "2026-11-21T09:32:00Z"}}`: {"Epsilon_x",
				"délta 100%"},
			`{"created_at": {"after": "2026-11-21T09:30:00Z", "before": "2026-11-21T09:33:00Z"}}`:         {"Gamma", "beta"},
			`{"createdAt": {"before": "2026-11-21T09:31:00Z"}}`:                                           {"Alpha"},
			`{"updated_at": {"after": "2026-11-21T09:32:00.000Z", "before": "2026-11-21T09:32:00.002Z"}}`: {"Gamma"},
			`{"updatedAt": {"before": "2026-11-21T09:31:00Z"}}`:                                           {"Alpha"},
			`{"created_at": {}}`: all,
			`{"is_abstract": true, "status": ["pending"], "text": "alp", "track_id": "` + id("tracks") + `"}`: {"Alpha"},
			`{"is_abstract": false, "status": ["pending"]}`:                                                   {},
		}
		for filters, want := range cases {
			for _, path := range []string{"/sessions/search", "/sessions"} {
				got := d.do(t, "POST", d.path(path), `{"filters": `+filters+`}`).want(200)
				modelstest.WantAll(t, filters, pluck(got.results(), "title"), want)
				modelstest.Want[any](t, filters, got.object()["pagination"].(object)["totalResults"], float64(len(want)))
			}
		}
	})
}

func TestEachSortInBothDirections(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		programme(t, d)
		for sort, want := range map[string][]string{
			`{}`:                                      {"Epsilon_x", "délta 100%", "Gamma", "beta", "Alpha"},
			`{"sort": "asc"}`:                         {"Alpha", "beta", "Gamma", "délta 100%", "Epsilon_x"},
			`{"order": "updatedAt"}`:                  {"Epsilon_x", "délta 100%", "Gamma", "beta", "Alpha"},
			`{"order": "createdAt", "sort": "asc"}`:   {"Alpha", "beta", "Gamma", "délta 100%", "Epsilon_x"},
			`{"order": "createdAt", "sort": "desc"}`:  {"Epsilon_x", "délta 100%", "Gamma", "beta", "Alpha"},
			`{"order": "startsAt", "sort": "asc"}`:    {"délta 100%", "Gamma", "Alpha", "beta", "Epsilon_x"},
			`{"order": "startsAt", "sort": "desc"}`:   {"Gamma", "délta 100%", "Epsilon_x", "beta", "Alpha"},
			`{"order": "title", "sort": "asc"}`:       {"Alpha", "beta", "délta 100%", "Epsilon_x", "Gamma"},
			`{"order": "title", "sort": "desc"}`:      {"Gamma", "Epsilon_x", "délta 100%", "beta", "Alpha"},
			`{"order": "friendlyId", "sort": "asc"}`:  {"Alpha", "beta", "Gamma", "délta 100%", "Epsilon_x"},
			`{"order": "friendlyId", "sort": "desc"}`: {"Epsilon_x", "délta 100%", "Gamma", "beta", "Alpha"},
			`{"order": "status", "sort": "asc"}`:      {"Gamma", "Epsilon_x", "délta 100%", "beta", "Alpha"},
			`{"order": "status", "sort": "desc"}`:     {"Alpha", "beta", "délta 100%", "Epsilon_x", "Gamma"},
		} {
			modelstest.WantAll(t, sort, d.titles(t, `{"sort": `+sort+`}`), want)
		}
	})
}

func TestPagesOfASearch(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		pages := func(page, size, total int) object {
			return object{"currentPage": page, "pageSize": size, "totalPages": (total + size - 1) / size, "totalResults": total}
		}
		check := func(path string, body any, want object, results int) {
			t.Helper()
			got := d.do(t, "POST", d.path(path), body).want(200)
			wantEqual(t, got.object()["pagination"], want)
			modelstest.Want(t, fmt.Sprint(path, body), len(got.results()), results)
		}
		empty := object{"currentPage": 1, "pageSize": 25, "totalPages": 0, "totalResults": 0}
		check("/sessions/search", `{}`, empty, 0)
		check("/speakers/search", `{}`, empty, 0)
		check("/sessions/search", `{"page": 999}`, pages(999, 25, 0), 0)
		d.bulk(t, creates(27))
		d.elsewhere(t).create(t, object{"title": "Talk of the other event"})

		check("/sessions/search", `{}`, pages(1, 25, 27), 25)
		check("/sessions/search", `{"page": 2}`, pages(2, 25, 27), 2)
		check("/sessions/search", `{"page": 3}`, pages(3, 25, 27), 0)
		check("/sessions/search", `{"page": 999, "pageSize": 100}`, pages(999, 100, 27), 0)
		check("/sessions/search", `{"pageSize": 27}`, pages(1, 27, 27), 27)
		check("/sessions/search", `{"pageSize": 100}`, pages(1, 100, 27), 27)
		check("/sessions/search", `{"page": 27, "pageSize": 1}`, pages(27, 1, 27), 1)
		for _, path := range []string{"/sessions", "/sessions/search"} {
			check(path+"?page=3&pageSize=10", `{}`, pages(3, 10, 27), 7)
			check(path+"?page=3&pageSize=10", `{"page": 2}`, pages(2, 10, 27), 10)
			check(path+"?page=3&pageSize=10", `{"page": 1, "pageSize": 5}`, pages(1, 5, 27), 5)
		}
		var all []string
		for page := range 4 {
			all = append(all, d.titles(t, object{"page": page + 1, "pageSize": 8, "sort": object{"order": "status"}})...)
		}
		slices.Sort(all)
		modelstest.Want(t, "sessions on the pages", len(all), 27)
		modelstest.Want(t, "different ones", len(slices.Compact(all)), 27)
	})
}

func TestPagesOfAList(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		for i := range 26 {
			d.row(t, "tags", fmt.Sprintf("tag %02d", i))
		}
		d.elsewhere(t).row(t, "tags", "theirs")
		for query, want := range map[string][5]int{
			"": {1, 25, 2, 26, 25}, "?page=2": {2, 25, 2, 26, 1}, "?page=3": {3, 25, 2, 26, 0},
			"?page=999&pageSize=100": {999, 100, 1, 26, 0},
			"?pageSize=100":          {1, 100, 1, 26, 26}, "?pageSize=1&page=26": {26, 1, 26, 26, 1},
		} {
			got := d.do(t, "GET", d.path("/tags"+query), nil).want(200)
			wantEqual(t, got.object()["pagination"], object{"currentPage": want[0], "pageSize": want[1], "totalPages": want[2],
				"totalResults": want[3]})
			modelstest.Want(t, "results of "+query, len(got.results()), want[4])
		}
		beyond := d.do(t, "GET", "/v1/events?page=2&pageSize=10", nil).want(200).object()
		wantEqual(t, beyond, object{"results": []object{}, "pagination": object{"currentPage": 2, "pageSize": 10,
			"totalPages": 1, "totalResults": 1}})
		none := d.do(t, "GET", d.path("/rooms"), nil).want(200).object()
		wantEqual(t, none, object{"results": []object{}, "pagination": object{"currentPage": 1, "pageSize": 25,
			"totalPages": 0, "totalResults": 0}})
	})
}

func TestATrackTheEventDoesNotHaveIsRefused(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		rows := programme(t, d)
		for _, track := range []string{"one of track", "", rows["rooms"+d.Event.Slug],
			rows["tracks"+d.elsewhere(t).event.Slug]} {
			d.do(t, "POST", d.path("/sessions/search"), object{"filters": object{"track": track}}).wantField("filters.track")
		}
	})
}

func TestEveryNeedIsAFilter(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		for _, need := range models.Needs() {
			wantEqual(t, d.search(t, fmt.Sprintf(`{"filters": {"needs": %q, "is_abstract": false}}`, need)), []object{})
		}
	})
}
