package operating

import (
	"os"
	"path/filepath"
	"testing"

	. "lectern/e2e/drive"
)

// TestARealEventMovesToAnotherLectern exports FOSDEM 2024, brings it into an empty installation, and asks both alike.
func TestARealEventMovesToAnotherLectern(t *testing.T) {
	if _, err := os.Stat(fosdem); err != nil {
		t.Skip("the schedule of FOSDEM 2024 is not beside the repository")
	}
	Each(t, func(t *testing.T, s *Site) {
		s.Env = append(s.Env, OneAddress)
		s.Run("event", "create", "--name", "FOSDEM 2024", "--slug", "fosdem", "--timezone", "Europe/Brussels")
		s.Run("import", fosdem, "--event", "fosdem")
		file := filepath.Join(t.TempDir(), "fosdem.zip")
		s.Run("export", "fosdem", file)
		there := NewSite(t, "")
		there.Env = append(there.Env, OneAddress)
		arrived := there.Run("import", "archive", file)
		if arrived["known_people"].(float64) != 0 || arrived["new_ids"].(float64) != 0 {
			t.Errorf("%v", arrived)
		}
		s.Serve("serve")
		there.Serve("serve")
		if n := Alike("fosdem", s, there); n < 1000 {
			t.Errorf("%d rows were compared", n)
		}
	})
}
