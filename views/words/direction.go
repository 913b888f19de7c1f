package words

import "golang.org/x/text/unicode/bidi"

// Apart prepares a text for the inside of a sentence: one with letters that are read from right to left is wrapped in
// Unicode isolates, so that the words after it keep their place.
func Apart(text string) string {
	for _, r := range text {
		if r < 0x590 { // below the first right-to-left letter
			continue
		}
		if p, _ := bidi.LookupRune(r); p.Class() == bidi.R || p.Class() == bidi.AL {
			return "\u2068" + text + "\u2069"
		}
	}
	return text
}
