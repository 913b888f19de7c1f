package words

import "golang.org/x/text/unicode/bidi"

// Apart is a text that stands within a sentence. One that is read from the right, at least in part, is put between
// marks that nobody sees, so that what is behind it keeps its place.
func Apart(text string) string {
	for _, r := range text {
		if r < 0x590 { // before the first letter that is read from the right
			continue
		}
		if p, _ := bidi.LookupRune(r); p.Class() == bidi.R || p.Class() == bidi.AL {
			return "\u2068" + text + "\u2069"
		}
	}
	return text
}
