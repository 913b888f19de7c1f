package mcp

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTheLengthOfATextIsCountedAsItIsMade(t *testing.T) {
	for _, html := range []string{"", "plain words", "<p>One</p><p>two <b>th</b>ree</p>", strings.Repeat("é", 20),
		"<p>a &amp; b &lt;c&gt;</p>", "<ul><li>One</li><li>Two</li></ul><p>after</p>", "one<br>two", "  a   b  ",
		`<p>see <a href="https://example.org/a">there</a>, or <em>not</em></p>`, "<h2>Head</h2>\n<p>body</p>\n",
		"<blockquote><p>said</p></blockquote><p>a<sup>2</sup></p>", "<pre><code>x := 1\ny := 2</code></pre>", "AT&T & co",
	} {
		line, _ := oneLine(plain(html), 1000)
		if got, want := lengthOf(html), utf8.RuneCountInString(line); got != want {
			t.Errorf("%q is counted as %d, and is %d: %q", html, got, want, line)
		}
	}
}
