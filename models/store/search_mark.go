package store

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

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
