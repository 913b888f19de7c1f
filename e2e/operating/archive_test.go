package operating

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	. "lectern/e2e/drive"
)

// TestARealEventMovesToAnotherLectern exports FOSDEM 2024, brings it into an empty installation, and asks both alike.
func TestARealEventMovesToAnotherLectern(t *testing.T) {
	if _, err := os.Stat(fosdem); err != nil {
		t.Skip("the schedule of FOSDEM 2024 is not beside the repository")
	}
	Each(t, func(t *testing.T, s *Site) {
		s.Run("event", "create", "--name", "FOSDEM 2024", "--slug", "fosdem", "--timezone", "Europe/Brussels")
		s.Run("import", fosdem, "--event", "fosdem")
		file := filepath.Join(t.TempDir(), "fosdem.zip")
		s.Run("export", "fosdem", file)
		there := NewSite(t, "")
		arrived := there.Run("import", "archive", file)
		if arrived["known_people"].(float64) != 0 || arrived["new_ids"].(float64) != 0 {
			t.Errorf("%v", arrived)
		}
		var answers [2][]any
		for i, site := range []*Site{s, there} {
			key := site.Run("apikey", "create", "--event", "fosdem", "--name", "k", "--scopes", "all")
			site.Serve("serve")
			value, base := key["key"].(string), "/v1/event/"+key["event_id"].(string)
			for _, path := range []string{"/sessions/search", "/speakers/search"} {
				for page := 1; ; page++ {
					answer := site.Ok(value, "POST", base+path, fmt.Sprintf(`{"page": %d, "pageSize": 100}`, page))
					if len(answer["results"].([]any)) == 0 {
						break
					}
					for _, row := range answer["results"].([]any) {
						delete(row.(map[string]any), "admin_url") // of each its own
					}
					answers[i] = append(answers[i], answer)
				}
			}
		}
		if len(answers[0]) < 10 || !reflect.DeepEqual(answers[0], answers[1]) {
			t.Errorf("%d pages are not those that they were", len(answers[0]))
		}
	})
}
