package components

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"lectern/views/words"
)

func TestPicturesOfATextAreLinks(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`<p>Tides</p>`: `<p dir="auto">Tides</p>`,
		`<p>See <img src="https://x.example/a.png?b=1&amp;c" alt="A &lt;tide&gt;"> now</p>`: `<p dir="auto">See ` +
			`<a href="https://x.example/a.png?b=1&amp;c" rel="nofollow noopener noreferrer">A &lt;tide&gt;</a> now</p>`,
		`<img alt="" src="https://x.example/b.svg"/>`: `<a href="https://x.example/b.svg" ` +
			`rel="nofollow noopener noreferrer">Bild</a>`,
		`<img alt="nowhere">`: "",
	} {
		var out strings.Builder
		err := Reading(text).Render(words.With(t.Context(), words.For("de")), &out)
		if err != nil || out.String() != want {
			t.Errorf("%s is shown as %s (%v)", text, out.String(), err)
		}
	}
}

// TestEachBlockOfATextHasItsDirection reads English and Arabic by turns.
func TestEachBlockOfATextHasItsDirection(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`<p>Tides</p><p>مد وجزر</p>`: `<p dir="auto">Tides</p><p dir="auto">مد وجزر</p>`,
		`<blockquote><p>مد</p></blockquote><ul><li><p>جزر</p></li></ul>Tides`: `<blockquote dir="auto"><p>مد</p>` +
			`</blockquote><ul dir="auto"><li><p>جزر</p></li></ul>Tides`,
		`<p dir="rtl">مد</p><h2 id="a">b</h2>`: `<p dir="rtl">مد</p><h2 id="a" dir="auto">b</h2>`,
	} {
		var out strings.Builder
		if err := Reading(text).Render(t.Context(), &out); err != nil || out.String() != want {
			t.Errorf("%s is shown as %s (%v)", text, out.String(), err)
		}
	}
}

// TestNoPageWritesATextByItself finds who would load the pictures of what people wrote.
func TestNoPageWritesATextByItself(t *testing.T) {
	t.Parallel()
	found := 0
	err := filepath.WalkDir("..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".templ") {
			return err
		}
		text, err := os.ReadFile(path)
		found += strings.Count(string(text), "components.Reading(")
		if strings.Contains(string(text), "templ.Raw(") && filepath.Base(path) != "basics.templ" { // of the icons
			t.Errorf("%s writes HTML as it is; components.Reading shows a text", path)
		}
		return err
	})
	if err != nil || found < 10 {
		t.Error(found, err)
	}
}

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

func TestFaultsCallFieldsAsTheirLabelsDo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ field, message, want string }{
		{"slug", "is taken by another event", "The short name is taken by another event."},
		{"ends_at", "needs a starts_at", "The end needs a start."},
		{"ends_at", "must not be before starts_at", "The end must not be before the start."},
		{"track_id", "is not an id", "The track is not an id."},
		{"status", "must be one of draft, accept_queue", "Status must be one of draft, accept queue."},
		{"first_name", "must not be empty", "First name must not be empty."},
		{"", "Say to which position.", "Say to which position."},
		{"", "Is this a CSV file?", "Is this a CSV file?"},
		{"", "", ""},
	} {
		if got := Sentence(Fault{Field: c.field, Message: c.message}); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.field, c.message, got, c.want)
		}
	}
	faults := Faults{{Field: "01a2", Message: "must be a date"}, {Field: "01a3", Message: "is too long"}}
	faults.Call("01a3", "Passport")
	if got := Sentence(faults[0]) + Sentence(faults[1]); got != "01a2 must be a date.Passport is too long." {
		t.Errorf("%q", got)
	}
}
