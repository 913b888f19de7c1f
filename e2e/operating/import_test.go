package operating

import (
	"os"
	"regexp"
	"testing"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// fosdem is the published schedule of FOSDEM 2024, kept beside the repository.
const fosdem = "../../../shared/data/fosdem-2024.xml"

func TestRealScheduleIsServedAsItIsInTheFile(t *testing.T) {
	file, err := os.ReadFile(fosdem)
	if err != nil {
		t.Skip("the schedule of FOSDEM 2024 is not beside the repository")
	}
	distinct := func(pattern string) int {
		seen := map[string]bool{}
		for _, m := range regexp.MustCompile(pattern).FindAllSubmatch(file, -1) {
			seen[string(m[1])] = true
		}
		return len(seen)
	}
	sessions, rooms, speakers := distinct(`<event id="(\d+)"`), distinct(`<room name="([^"]+)"`),
		distinct(`<person id="(\d+)"`)
	if sessions < 500 || rooms < 20 || speakers < 500 {
		t.Fatalf("the file was not understood: %d sessions, %d rooms, %d speakers", sessions, rooms, speakers)
	}
	Each(t, func(t *testing.T, s *Site) {
		s.Run("event", "create", "--name", "FOSDEM 2024", "--slug", "fosdem", "--timezone", "Europe/Brussels")
		s.Run("import", fosdem, "--event", "fosdem")
		again := s.Run("import", fosdem, "--event", "fosdem")
		if counts := again["sessions"].(map[string]any); int(counts["unchanged"].(float64)) != sessions {
			t.Errorf("the second import changed something: %v", counts)
		}
		key := s.Run("apikey", "create", "--event", "fosdem", "--name", "k", "--scopes", "all")
		s.Serve("serve")
		value, base := key["key"].(string), "/v1/event/"+key["event_id"].(string)
		for path, want := range map[string]int{"/sessions/search": sessions, "/rooms": rooms, "/speakers/search": speakers} {
			modelstest.Want(t, path, Total(s.Ok(value, "POST", base+path, `{}`)), want)
		}
		found := s.Ok(value, "POST", base+"/sessions/search",
			`{"filters": {"text": "POSTGRES"}, "sort": {"order": "startsAt", "sort": "asc"}}`)
		if Total(found) == 0 || found["results"].([]any)[0].(map[string]any)["room"] == nil {
			t.Errorf("no talk on PostgreSQL, or one without a room: %v", found["pagination"])
		}
	})
}
