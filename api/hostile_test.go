package api_test

import (
	"fmt"
	"strings"
	"testing"

	"lectern/api"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// many repeats what one makes of 0 to n-1, with commas between.
func many(n int, one func(i int) string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = one(i)
	}
	return strings.Join(all, ",")
}

func unknownFields(n int) string {
	return many(n, func(i int) string { return fmt.Sprintf(`"x%06d": 1`, i) })
}

// refused is what an answer or an item of a bulk result says of a faulty body.
type refused struct {
	Message string
	Details []store.FieldError
}

func (r refused) wantFirst(t *testing.T, first, message string) {
	t.Helper()
	if len(r.Details) != 50 || r.Details[0].Field != first ||
		r.Details[49].Field != strings.Replace(first, "000000", "000049", 1) || r.Message != message {
		t.Errorf("%d details from %v, %q, want %q", len(r.Details), r.Details[:1], r.Message, message)
	}
}

func TestOfManyFaultsTheFirstFiftyAreNamed(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		const message = "x000000 is not a field of this request … and 150 more"
		id := d.create(t, object{"title": "T"})["id"].(string)
		for _, x := range []struct{ method, path, body, first string }{
			{"POST", "/sessions/create", `{"title": "T", %s}`, "x000000"},
			{"PUT", "/sessions/" + id, `{%s}`, "x000000"},
			{"POST", "/sessions/search", `{%s}`, "x000000"},
			{"POST", "/sessions/search", `{"filters": {%s}}`, "filters.x000000"},
			{"POST", "/rooms/create", `{"name": "N", %s}`, "x000000"},
			{"POST", "/sessions/bulk", `{"operations": [], %s}`, "x000000"},
		} {
			var got refused
			d.do(t, x.method, d.path(x.path), fmt.Sprintf(x.body, unknownFields(200))).want(400).into(&got)
			got.wantFirst(t, x.first, strings.Replace(message, "x000000", x.first, 1))
		}
		var bulk struct{ Results []struct{ Error refused } }
		d.do(t, "POST", d.path("/sessions/bulk"), fmt.Sprintf(`{"operations": [
			{"action": "create", "data": {"title": "T", %[1]s}}, {"action": "update", "id": %[2]q, "data": {%[1]s}}, {"action": "delete", %[1]s}]}`,
			unknownFields(200), id)).want(200).into(&bulk)
		for _, result := range bulk.Results {
			result.Error.wantFirst(t, "x000000", message)
		}
	})
}

// TestWorkGrowsNoFasterThanTheInput sends what strangers could.
func TestWorkGrowsNoFasterThanTheInput(t *testing.T) {
	modelstest.InTurn(t)
	f := modelstest.Open(t, "sqlite")
	d := open(t, f, api.Options{})
	nested := func(n int, before, after string) string { return strings.Repeat(before, n) + strings.Repeat(after, n) }
	create := func(field func(n int) string) func(int) {
		return func(n int) { d.do(t, "POST", d.path("/sessions/create"), `{"title": "T", `+field(n)+`}`) }
	}
	search := func(filter func(n int) string) func(int) {
		return func(n int) { d.do(t, "POST", d.path("/sessions/search"), `{"filters": {`+filter(n)+`}}`) }
	}
	quoted := func(i int) string { return fmt.Sprintf(`"01a1fc2f-1b7e-7c1a-8f3e-%012d"`, i) }
	description := func(html func(n int) string) func(int) {
		return create(func(n int) string { return fmt.Sprintf(`"description": %q`, html(n)) })
	}
	for name, x := range map[string]struct {
		n    int
		send func(n int)
	}{
		"unknown fields":  {8_000, create(unknownFields)},
		"unknown filters": {8_000, search(unknownFields)},
		"unknown fields of a bulk": {8_000, func(n int) {
			d.do(t, "POST", d.path("/sessions/bulk"), "{"+unknownFields(n)+"}")
		}},
		"unknown fields of an item": {8_000, func(n int) {
			d.do(t, "POST", d.path("/sessions/bulk"), `{"operations": [{"action": "create", "data": {"title": "T", `+
				unknownFields(n)+`}}]}`)
		}},
		"operations": {8_000, func(n int) {
			d.do(t, "POST", d.path("/sessions/bulk"), `{"operations": [`+many(n, quoted)+`]}`)
		}},
		"tags": {8_000, create(func(n int) string { return `"tag_ids": [` + many(n, quoted) + `]` })},
		"nulls for tags": {20_000, create(func(n int) string {
			return `"tag_ids": [` + many(n, func(int) string { return "null" }) + `]`
		})},
		"answers":         {4_000, create(func(n int) string { return `"custom_fields": [` + answers(n) + `]` })},
		"answers, object": {8_000, create(func(n int) string { return `"custom_fields": {` + answersObject(n) + `}` })},
		"one field often": {20_000, create(func(n int) string {
			return many(n, func(int) string { return `"status": "draft"` })
		})},
		"statuses": {20_000, search(func(n int) string {
			return `"status": [` + many(n, func(int) string { return `"draft"` }) + `]`
		})},
		"tracks": {8_000, search(func(n int) string { return `"track_id": [` + many(n, quoted) + `]` })},
		"fractions": {20_000, create(func(n int) string {
			return `"tag_ids": [` + many(n, func(int) string { return "1.0" }) + `]`
		})},
		"long number":  {100_000, create(func(n int) string { return `"capacity": 1.` + strings.Repeat("0", n) })},
		"nested lists": {2_000, create(func(n int) string { return `"tag_ids": ` + nested(n, "[", "]") })},
		"nested objects": {2_000, create(func(n int) string {
			return `"x": ` + strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n)
		})},
		"words of a search": {50, search(func(n int) string {
			return fmt.Sprintf(`"text": %q`, strings.Repeat("ab ", n/2))
		})},
		"parameters": {20_000, func(n int) { d.do(t, "GET", d.path("/tracks")+"?"+strings.Repeat("page=1&", n), nil) }},
		"etags": {20_000, func(n int) {
			d.do(t, "GET", d.path("/tracks"), nil, "If-None-Match", strings.Repeat(`"a",`, n))
		}},
		"accepted types": {20_000, func(n int) {
			d.do(t, "GET", d.path("/tracks"), nil, "Accept", strings.Repeat("a/b;q=0.1,", n))
		}},
		"nested tags":   {1_700, description(func(n int) string { return nested(n, "<b>", "</b>") })},
		"open tags":     {4_000, description(func(n int) string { return strings.Repeat("<b>", n) })},
		"closed tags":   {3_000, description(func(n int) string { return strings.Repeat("</b>", n) })},
		"attributes":    {1_500, description(func(n int) string { return "<p " + strings.Repeat("title=a ", n) + ">" })},
		"unknown tags":  {2_000, description(func(n int) string { return nested(n, "<x>", "</x>") })},
		"half tags":     {12_500, description(func(n int) string { return strings.Repeat("<", n) })},
		"half comments": {3_000, description(func(n int) string { return strings.Repeat("<!--", n) })},
		"entities":      {2_400, description(func(n int) string { return strings.Repeat("&amp;", n) })},
		"half entities": {12_500, description(func(n int) string { return strings.Repeat("&", n) })},
		"links":         {600, description(func(n int) string { return strings.Repeat(`<a href="http://a">`, n) })},
		"scripts":       {1_500, description(func(n int) string { return strings.Repeat("<script>", n) })},
	} {
		t.Run(name, func(t *testing.T) { modelstest.GrowsNoFaster(t, x.n, x.send) })
	}
}

func TestAnAnswerRepeatsLittleOfTheRequest(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		long := strings.Repeat("<", 200_000)
		for path, body := range map[string]string{
			"/sessions/create": `{"title": "x", "` + long + `": 1}`,
			"/sessions/search": `{"filters": {"status": ["` + long + `"]}}`,
			"/sessions/bulk":   `{"operations": [], "` + long + `": 1}`,
		} {
			if r := d.do(t, "POST", d.path(path), body).want(400); len(r.raw) > 20_000 {
				t.Errorf("%s is answered with %d bytes", path, len(r.raw))
			}
		}
	})
}
