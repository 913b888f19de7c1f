package components

import (
	"io/fs"
	"os"
	"path/filepath"
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
