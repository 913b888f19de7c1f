package gallery

import (
	"github.com/a-h/templ"

	"lectern/views/layouts"
	"lectern/views/pages/manual"
)

// manual adds the pages of the documentation.
func (s *shelf) manual() {
	frame := func(w words) manual.Frame {
		page := manual.Link{Title: w.title, About: w.text, URL: here}
		open := page
		open.Current, open.Parts = true, []manual.Link{{Title: w.label, URL: here}}
		return manual.Frame{Page: layouts.Page{Home: here}, Base: here, Asked: w.label,
			Shelves: []manual.Shelf{{For: "For staff", Pages: []manual.Link{page, open}},
				{For: "For speakers", Pages: []manual.Link{page}}}}
	}
	of(s, "Documentation", "Documentation", manual.Contents).
		worded(func(w words) manual.Frame {
			f := frame(w)
			f.IsContents = true
			return f
		})
	of(s, "Page of the documentation", "Reviews", manual.Page).
		worded(func(w words) manual.PageOf {
			return manual.PageOf{Frame: frame(w), Body: templ.Raw("<p>A <strong>round</strong> has a <code>scorecard</code>.</p>" +
				"<h2 id=\"a\">Scores</h2><table><thead><tr><th>Name</th><th>Score</th></tr></thead>" +
				"<tbody><tr><td>First</td><td>4</td></tr></tbody></table><pre><code>lectern serve\n</code></pre>")}
		})
	of(s, "Found in the documentation", "Found", manual.Found).
		is("nothing", manual.FoundPage{Frame: frame(plain)}).
		worded(func(w words) manual.FoundPage {
			return manual.FoundPage{Frame: frame(w), Found: []manual.Link{{Title: w.label, Of: w.title, About: w.text, URL: here}}}
		})
}
