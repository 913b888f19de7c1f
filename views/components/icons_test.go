package components

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
)

func TestEveryIconThatIsShownIsThere(t *testing.T) {
	t.Parallel()
	named, shown := regexp.MustCompile(`Icon(?:\(|: *)"([a-z0-9-]+)"`), 0
	for _, root := range []string{"..", "../../web"} {
		err := fs.WalkDir(os.DirFS(root), ".", func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".templ") && !strings.HasSuffix(path, ".go") {
				return err
			}
			text, err := os.ReadFile(root + "/" + path)
			for _, m := range named.FindAllStringSubmatch(string(text), -1) {
				if shown++; icons[m[1]] == "" {
					t.Errorf("%s shows %s, which is blank", path, m[1])
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if shown < 50 {
		t.Errorf("found %d icons", shown)
	}
}
