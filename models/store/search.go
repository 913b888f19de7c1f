package store

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Searchable returns the form in which the fields of a record are searched, one per line. Letters that differ in case,
// accents or width become the same; white space becomes one space, and none between Chinese, Japanese and Korean
// characters. It is computed here and not in SQL, so that both databases agree.
func Searchable(fields ...string) string {
	lines := Map(fields, func(field string) string { return string(foldForSearch(field, false).out) })
	return strings.Join(lines, "\n")
}

// plainLetters maps letters that are not merely another letter with an accent.
var plainLetters = map[rune]string{
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'đ': "d", 'ð': "d", 'ħ': "h", 'ı': "i", 'ł': "l", 'ŧ': "t", 'þ': "th",
	'\u0345': "ι", // foldRune returns this mark for an iota; as a mark it would be dropped
}

// span is a stretch of bytes.
type span struct{ from, to int }

// folding is a field while it is folded for the search.
type folding struct {
	out     []byte
	traced  bool
	origins []span // for each byte of out, when traced: the characters that it was made of
	last    rune   // the last rune of out, not counting spaces
	space   span   // pending before the next letter, unless both neighbours are CJK; empty for none
}

// foldForSearch folds one field.
func foldForSearch(s string, traced bool) *folding {
	f := &folding{out: make([]byte, 0, len(s)), traced: traced}
	for at, r := range s {
		if r < utf8.RuneSelf {
			if !traced && r > ' ' && f.space == (span{}) { // the fast path, for most letters
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
			f.out = append(f.out, byte(r)) // the fast path, for most letters
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

// IsSearched reports whether a text is long enough to search for: two characters, or one that is a word by itself, as
// in Chinese and Korean.
func IsSearched(text string) bool {
	r, size := utf8.DecodeRuneInString(text)
	return size < len(text) || isCJK(r)
}

// isCJK reports whether a character belongs to a script that is written without spaces, or whose names are written with
// and without one.
func isCJK(r rune) bool {
	return r >= 0x1100 && (r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Bopomofo))
}

// Words are the terms of a search: words and quoted phrases as Searchable writes them, none of which is part of
// another.
type Words []string

var quotes = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`)

// SearchWords parses a search. A quote at the start of a word begins a phrase, which ends at the next quote or with the
// text. Empty quotes are searched for literally.
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

// needed leaves out words that are part of another word, and so are found with it.
func (w Words) needed() Words {
	var kept Words
	for _, word := range slices.SortedStableFunc(slices.Values(w), func(a, b string) int { return len(b) - len(a) }) {
		if !slices.ContainsFunc(kept, func(longer string) bool { return strings.Contains(longer, word) }) {
			kept = append(kept, word)
		}
	}
	return kept
}

// In reports whether a text from Searchable contains all words.
func (w Words) In(searchable string) bool {
	return !slices.ContainsFunc(w, func(word string) bool { return !strings.Contains(searchable, word) })
}

// Missing returns the words that occur in none of the fields.
func (w Words) Missing(fields ...string) Words {
	searchable := Searchable(fields...)
	return slices.DeleteFunc(slices.Clone(w), func(word string) bool { return strings.Contains(searchable, word) })
}

// forgiving is how many letters a word needs for Near to tolerate one error in it.
const forgiving = 5

// Forgive reports whether one of the words is long enough for an error to be tolerated.
func (w Words) Forgive() bool {
	return slices.ContainsFunc(w, func(word string) bool { return utf8.RuneCountInString(word) >= forgiving })
}

// Near reports whether a text from Searchable contains all words, where a long word may have one error: a letter too
// many, missing or wrong, or two swapped.
func (w Words) Near(searchable string) bool {
	var there []string
	for _, word := range w {
		if strings.Contains(searchable, word) {
			continue
		}
		if utf8.RuneCountInString(word) < forgiving {
			return false
		}
		if there == nil {
			there = strings.FieldsFunc(searchable, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
		}
		if !slices.ContainsFunc(there, func(one string) bool { return beginsNear(one, word) }) {
			return false
		}
	}
	return true
}

// beginsNear reports whether word begins with what was typed, but for at most one error.
func beginsNear(word, typed string) bool {
	is, want := []rune(word), []rune(typed)
	at := 0
	for at < len(is) && at < len(want) && is[at] == want[at] {
		at++
	}
	begins := func(from, typedFrom int) bool {
		return from <= len(is) && typedFrom <= len(want) && len(is)-from >= len(want)-typedFrom &&
			slices.Equal(is[from:from+len(want)-typedFrom], want[typedFrom:])
	}
	swapped := at+1 < len(is) && at+1 < len(want) && is[at] == want[at+1] && is[at+1] == want[at]
	return begins(at, at) || begins(at+1, at+1) || begins(at, at+1) || begins(at+1, at) || swapped && begins(at+2, at+2)
}

// Piece is a part of a text, and whether it matched a search.
type Piece struct {
	Text  string
	Found bool
}

// Mark splits a text into the pieces that match the words and those that do not.
func (w Words) Mark(text string) (pieces []Piece) {
	at := 0
	for _, found := range w.spans(text, -1) {
		if found.from > at {
			pieces = append(pieces, Piece{text[at:found.from], false})
		}
		pieces = append(pieces, Piece{text[found.from:found.to], true})
		at = found.to
	}
	if at < len(text) {
		pieces = append(pieces, Piece{text[at:], false})
	}
	return pieces
}

// excerptBefore and excerptAfter are how many characters Excerpt shows around its match.
const excerptBefore, excerptAfter = 40, 80

// Excerpt returns the part of a text around the first match of the words, marked; nil where none occurs.
func (w Words) Excerpt(text string) []Piece {
	found := w.spans(text, 1)
	if len(found) == 0 {
		return nil
	}
	from, to := found[0].from, found[0].to
	for n := 0; n < excerptBefore && from > 0; n++ {
		_, size := utf8.DecodeLastRuneInString(text[:from])
		from -= size
	}
	for n := 0; n < excerptAfter && to < len(text); n++ {
		_, size := utf8.DecodeRuneInString(text[to:])
		to += size
	}
	before, after := text[from:found[0].from], text[found[0].to:to]
	if _, whole, cut := strings.Cut(before, " "); cut && from > 0 {
		before = whole
	}
	if last := strings.LastIndex(after, " "); last >= 0 && to < len(text) {
		after = after[:last]
	}
	pieces := w.Mark(before + text[found[0].from:found[0].to] + after)
	if from > 0 {
		pieces = append([]Piece{{"… ", false}}, pieces...)
	}
	if to < len(text) {
		pieces = append(pieces, Piece{" …", false})
	}
	return pieces
}

// spans returns where the words occur in a text, up to most occurrences of each (-1 for all), in order and merged; with
// most 1 only the earliest.
func (w Words) spans(text string, most int) []span {
	folded := foldForSearch(text, true)
	var found []span
	for _, word := range w {
		for from, n := 0, 0; n != most; n++ {
			at := bytes.Index(folded.out[from:], []byte(word))
			if at < 0 {
				break
			}
			at += from
			from = at + len(word)
			found = append(found, span{folded.origins[at].from, folded.origins[from-1].to})
		}
	}
	slices.SortFunc(found, func(a, b span) int { return cmp.Or(a.from-b.from, b.to-a.to) })
	if most == 1 {
		return found[:min(1, len(found))]
	}
	var apart []span
	for _, next := range found {
		if last := len(apart) - 1; last >= 0 && next.from <= apart[last].to {
			apart[last].to = max(apart[last].to, next.to)
		} else {
			apart = append(apart, next)
		}
	}
	return apart
}
