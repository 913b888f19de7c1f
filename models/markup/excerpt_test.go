package markup_test

import (
	"strings"
	"testing"

	"lectern/models/markup"
)

func TestAnExcerptIsTheBeginningOfTheText(t *testing.T) {
	for _, c := range []struct {
		html, text string
		limit, of  int
	}{
		{"", "", 10, 0},
		{"plain words", "plain words", 11, 11},
		{"plain words", "plain word", 10, 11},
		{"<p>One</p><p>two <b>th</b>ree</p>", "One two three", 20, 13},
		{"<p>a &amp; b &lt;c&gt;</p>", "a & b <c>", 20, 9},
		{"<ul><li>One</li><li>Two</li></ul><p>after</p>", "- One - Two after", 30, 17},
		{"one<br>two   three ", "one two", 8, 13}, // a space at the cut is left out
		{`<p>see <a href="https://example.org/a">there</a></p>`, "see there <https://example.org/a>", 50, 33},
		{"<p>" + strings.Repeat("é", 20) + "</p>", "éééé", 4, 20},
		{"AT&T & co", "AT&T & co", 20, 9},
	} {
		text, length := markup.Excerpt(c.html, c.limit)
		if text != c.text || length != c.of {
			t.Errorf("%q is told as %q of %d, want %q of %d", c.html, text, length, c.text, c.of)
		}
	}
}
