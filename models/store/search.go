package store

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Searchable is the form in which the fields of a record are searched, each a line. Letters that differ in
// case, accents or width are one; white space is one space, and none between characters of Chinese, Japanese
// and Korean. It is made here and not in SQL, so that both databases agree.
func Searchable(fields ...string) string {
	lines := Map(fields, func(field string) string { return string(foldForSearch(field, false).out) })
	return strings.Join(lines, "\n")
}

// plainLetters are letters that are more than another one with an accent.
var plainLetters = map[rune]string{
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'đ': "d", 'ð': "d", 'ħ': "h", 'ı': "i", 'ł': "l", 'ŧ': "t", 'þ': "th",
	'\u0345': "ι", // what foldRune makes of an iota: as a mark it would be lost
}

// span is a stretch of bytes.
type span struct{ from, to int }

// folding is a field on its way to be searched.
type folding struct {
	out     []byte
	traced  bool
	origins []span // of each byte, when traced: the characters that it was made of
	last    rune   // of out, a space not counted
	space   span   // comes before the next letter unless both are CJK; empty for none
}

// foldForSearch folds one field.
func foldForSearch(s string, traced bool) *folding {
	f := &folding{out: make([]byte, 0, len(s)), traced: traced}
	for at, r := range s {
		if r < utf8.RuneSelf {
			if !traced && r > ' ' && f.space == (span{}) { // most letters
				f.last = foldRune(r)
				f.out = append(f.out, byte(f.last))
			} else {
				f.add(r, span{at, at + 1})
			}
			continue
		}
		_, size := utf8.DecodeRuneInString(s[at:])
		for _, letter := range norm.NFKD.String(string(r)) {
			f.add(letter, span{at, at + size})
		}
	}
	return f
}

func (f *folding) add(r rune, from span) {
	switch {
	case unicode.IsSpace(r):
		f.space = from
	case r >= utf8.RuneSelf && unicode.In(r, unicode.Mn, unicode.Me): // a mark, which goes with its letter
		for i := len(f.origins) - 1; i >= 0 && f.origins[i].to == from.from; i-- {
			f.origins[i].to = from.to
		}
	default:
		r = foldRune(r)
		if f.space != (span{}) && f.last != 0 && !(isCJK(f.last) && isCJK(r)) {
			f.write(" ", f.space)
		}
		f.space, f.last = span{}, r
		if r < utf8.RuneSelf && !f.traced {
			f.out = append(f.out, byte(r)) // most letters
		} else {
			f.write(cmp.Or(plainLetters[r], string(r)), from)
		}
	}
}

func (f *folding) write(letters string, from span) {
	f.out = append(f.out, letters...)
	if f.traced {
		f.origins = append(f.origins, slices.Repeat([]span{from}, len(letters))...)
	}
}

// IsSearched tells of a text that is long enough to look for: two characters, or one that is a word of itself, as in
// Chinese and Korean.
func IsSearched(text string) bool {
	r, size := utf8.DecodeRuneInString(text)
	return size < len(text) || isCJK(r)
}

// isCJK tells of a character of a script that is written without spaces, or of which
// names are written with and without one.
func isCJK(r rune) bool {
	return r >= 0x1100 && (r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Bopomofo))
}

// Words are what a text asks for: words and quoted phrases as Searchable makes them,
// none of which is part of another.
type Words []string

var quotes = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`)

// SearchWords are the words of a text. A quote that begins a word begins a phrase, which ends at the next
// quote, or with the text. Quotes around nothing are looked for as they stand.
func SearchWords(text string) Words {
	var all Words
	for rest := strings.TrimSpace(quotes.Replace(text)); rest != ""; rest = strings.TrimSpace(rest) {
		phrase, quoted := strings.CutPrefix(rest, `"`)
		end := strings.IndexFunc(rest, unicode.IsSpace)
		word := rest
		switch {
		case quoted:
			word, rest, _ = strings.Cut(phrase, `"`)
		case end >= 0:
			word, rest = rest[:end], rest[end:]
		default:
			rest = ""
		}
		if word = Searchable(word); word != "" {
			all = append(all, word)
		}
	}
	if whole := Searchable(text); len(all) == 0 && whole != "" {
		return Words{whole}
	}
	return all.needed()
}

// needed leaves out what is part of another word, and so is found with it.
func (w Words) needed() Words {
	var kept Words
	for _, word := range slices.SortedStableFunc(slices.Values(w), func(a, b string) int { return len(b) - len(a) }) {
		if !slices.ContainsFunc(kept, func(longer string) bool { return strings.Contains(longer, word) }) {
			kept = append(kept, word)
		}
	}
	return kept
}

// In tells whether what Searchable made has all words in it.
func (w Words) In(searchable string) bool {
	return !slices.ContainsFunc(w, func(word string) bool { return !strings.Contains(searchable, word) })
}

// Missing are the words that are in none of some fields.
func (w Words) Missing(fields ...string) Words {
	searchable := Searchable(fields...)
	return slices.DeleteFunc(slices.Clone(w), func(word string) bool { return strings.Contains(searchable, word) })
}
