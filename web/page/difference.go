package page

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff/lcs"

	"lectern/views/components"
)

// Difference compares two rich texts word by word, within paragraphs, and ignores what differs in markup alone. Its
// time grows with the texts' length: the search for what both share gives up after 100 differences, then all
// between the first and the last of them counts as rewritten.
func Difference(before, after string) (passages []components.Passage) {
	was, is := paragraphs(before), paragraphs(after)
	alike := func(n int) {
		if n > 0 {
			passages = append(passages, components.Passage{Alike: n})
		}
	}
	at := 0
	for _, d := range lcs.DiffLines(was, is) {
		alike(d.Start - at)
		passages = append(passages, reworded(was[d.Start:d.End], is[d.ReplStart:d.ReplEnd])...)
		at = d.End
	}
	alike(len(was) - at)
	return bounded(passages)
}

// How much of a difference is shown: a page of many long ones stays readable.
const (
	passagesShown = 60
	piecesShown   = 400
	lettersShown  = 20_000
)

// bounded cuts a difference down to what is shown; its last passage then says that there is more.
func bounded(passages []components.Passage) []components.Passage {
	pieces, letters := 0, 0
	for i, p := range passages {
		if i == passagesShown {
			return append(slices.Clip(passages[:i]), components.Passage{More: true})
		}
		for k, piece := range p.Pieces {
			pieces, letters = pieces+1, letters+len(piece.Text)
			if pieces > piecesShown || letters > lettersShown {
				passages[i].Pieces = p.Pieces[:k]
				return append(slices.Clip(passages[:i+1]), components.Passage{More: true})
			}
		}
	}
	return passages
}

// Differs tells whether anything in a difference was deleted or inserted.
func Differs(passages []components.Passage) bool {
	return slices.ContainsFunc(passages, func(p components.Passage) bool { return p.Alike == 0 })
}

func paragraphs(text string) []string {
	return strings.FieldsFunc(Lines(text), func(r rune) bool { return r == '\n' })
}

// reworded returns the passages of paragraphs that were rewritten.
func reworded(was, is []string) []components.Passage {
	a, b := wordsIn(strings.Join(was, "\n")), wordsIn(strings.Join(is, "\n"))
	diffs := legible(lcs.DiffLines(a, b), a, len(b))
	var text difference
	at := 0
	for _, d := range diffs {
		text.add(components.Kept, shortened(strings.Join(a[at:d.Start], "")))
		deleted, inserted := strings.Join(a[d.Start:d.End], ""), strings.Join(b[d.ReplStart:d.ReplEnd], "")
		text.add(components.Deleted, deleted)
		if deleted != "" && strings.Contains(deleted+inserted, "\n") { // whole paragraphs: the old ones above the new
			text.end()
		}
		text.add(components.Inserted, inserted)
		at = d.End
	}
	text.add(components.Kept, shortened(strings.Join(a[at:], "")))
	text.end()
	return text.passages
}

// difference collects passages while they are built.
type difference struct {
	passages []components.Passage
	pieces   []components.Piece // of the passage that is still open
}

func (t *difference) add(fate components.Fate, text string) {
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			t.end()
		}
		if line != "" {
			t.pieces = append(t.pieces, components.Piece{Fate: fate, Text: line})
		}
	}
}

func (t *difference) end() {
	if len(t.pieces) > 0 {
		t.passages = append(t.passages, components.Passage{Pieces: t.pieces})
	}
	t.pieces = nil
}

// legible joins differences that have nothing but space or a sign between them. Where two texts share less than a
// third of their words, scattered matches would only puzzle the reader, so the whole text counts as replaced.
func legible(diffs []lcs.Diff, was []string, is int) (out []lcs.Diff) {
	kept, at := 0, 0
	for _, d := range diffs {
		between := was[at:d.Start]
		at = d.End
		kept += len(between)
		if last := len(out) - 1; last >= 0 && !slices.ContainsFunc(between, separates) {
			out[last].End, out[last].ReplEnd = d.End, d.ReplEnd
			continue
		}
		out = append(out, d)
	}
	kept += len(was) - at
	if kept*3 < min(len(was), is) {
		return []lcs.Diff{{Start: 0, End: len(was), ReplStart: 0, ReplEnd: is}}
	}
	return out
}

// separates tells whether a piece of wordsIn is a word or the end of a paragraph.
func separates(word string) bool {
	return word == "\n" || strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

// wordsIn splits a text into words and the spaces and signs between them. In scripts without spaces between words,
// each character counts as a word.
func wordsIn(text string) (out []string) {
	var last kind
	begin := 0
	for at, r := range text {
		now := kindOf(r, last)
		if at > 0 && (now != last || now == alone) && now != joined {
			out = append(out, text[begin:at])
			begin = at
		}
		if now != joined {
			last = now
		}
	}
	if begin < len(text) {
		out = append(out, text[begin:])
	}
	return out
}

// kind says how a character joins the one before it.
type kind int

const (
	alone  kind = iota // a word of its own
	letter             // belongs to the letters beside it
	space
	joined // belongs to what is before it, whatever that is
)

func kindOf(r rune, last kind) kind {
	switch {
	case r == '\n':
		return alone
	case unicode.IsMark(r) || unicode.Is(unicode.Cf, r):
		return joined
	case unicode.IsSpace(r):
		return space
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer):
		return alone
	case unicode.IsLetter(r) || unicode.IsNumber(r) || last == letter && (r == '\'' || r == '’'):
		return letter
	}
	return alone
}

// shownKept is how many unchanged characters are shown before and after a change, at most.
const shownKept = 160

// shortened leaves out the middle of a long unchanged text.
func shortened(text string) string {
	if utf8.RuneCountInString(text) <= 3*shownKept {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if runes := []rune(line); len(runes) > 3*shownKept {
			lines[i] = string(runes[:shownKept]) + " … " + string(runes[len(runes)-shownKept:])
		}
	}
	return strings.Join(lines, "\n")
}
