package drive

import (
	"fmt"
	"reflect"
	"slices"
)

// OneAddress is the base URL of two sites that are compared, so that their answers contain the same addresses.
const OneAddress = "LECTERN_BASE_URL=https://lectern.example"

// Alike checks that two running sites with OneAddress give the same answers to all of an event's lists in /v1, and
// returns the number of rows.
func Alike(slug string, was, is *Site) (rows int) {
	was.T.Helper()
	before, after := was.answers(slug), is.answers(slug)
	for _, asked := range before.asked {
		one, other := before.said[asked], after.said[asked]
		if len(one) != len(other) {
			was.T.Errorf("%s has %d rows, then %d", asked, len(one), len(other))
		}
		for i := range min(len(one), len(other)) {
			if rows++; !reflect.DeepEqual(one[i], other[i]) {
				was.T.Errorf("%s said\n%v\nand says\n%v", asked, one[i], other[i])
				break
			}
		}
	}
	if !slices.Equal(before.asked, after.asked) {
		was.T.Errorf("%d things are asked, then %d", len(before.asked), len(after.asked))
	}
	return rows
}

// answers holds a site's rows by list, and the lists in the order of the requests.
type answers struct {
	asked []string
	said  map[string][]any
}

// answers requests all lists of an event, and the reviews of each submission that has some.
func (s *Site) answers(slug string) *answers {
	s.T.Helper()
	made := s.Run("apikey", "create", "--event", slug, "--name", "alike", "--scopes", "all")
	key, event := made["key"].(string), "/v1/event/"+made["event_id"].(string)
	all := &answers{said: map[string][]any{}}
	ask := func(method, of, more string) {
		all.asked = append(all.asked, of)
		for page := 1; ; page++ {
			address, body := fmt.Sprintf("%s%s?page=%d&pageSize=100", event, of, page), ""
			if method == "POST" {
				address, body = event+of, fmt.Sprintf(`{"page": %d, "pageSize": 100%s}`, page, more)
			}
			some, _ := s.Ok(key, method, address, body)["results"].([]any)
			all.said[of] = append(all.said[of], some...)
			if len(some) < 100 {
				return
			}
		}
	}
	for _, list := range []string{"rooms", "tracks", "formats", "levels", "tags", "breaks", "tasks", "deliverables"} {
		ask("GET", "/"+list, "")
	}
	ask("POST", "/sessions/search", `, "expand": "scores"`)
	ask("POST", "/speakers/search", "")
	ask("POST", "/contacts/search", "")
	for _, row := range all.said["/sessions/search"] {
		row := row.(map[string]any)
		if n, _ := row["reviews"].(float64); n > 0 {
			ask("GET", "/sessions/"+row["id"].(string)+"/reviews", "")
		}
	}
	if len(all.said["/sessions/search"]) == 0 {
		s.T.Errorf("%s has no sessions", slug)
	}
	return all
}
