package mcp

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxSimilar is how many similar titles are returned, and fewWords how many of a title's words are searched for.
const maxSimilar, fewWords = 3, 3

// similar returns the submissions and sessions whose titles share most words with a title, at least half of those of
// the shorter one. It returns nil if the key may not read them or the search fails: a capture does not fail for that.
func (c *call) similar(ctx context.Context, a *arguments, title string) []mentioned {
	words := titleWords(title)
	if len(words) == 0 || !c.may(ctx, readSessions) {
		return nil
	}
	shared := map[mentioned]int{}
	for _, text := range looked(words) {
		body := search{Page: 1, PageSize: 100, Filters: map[string]any{"text": text},
			Fields: mentionedFields}
		var page list[mentioned]
		if c.post(ctx, a, readSessions, "/sessions/search", body, &page) != nil {
			return nil
		}
		for _, s := range page.Results {
			theirs := titleWords(s.Title)
			if n := common(words, theirs); n > 0 && 2*n >= min(len(words), len(theirs)) {
				shared[s] = n
			}
		}
	}
	found := make([]mentioned, 0, len(shared))
	for s := range shared {
		found = append(found, s)
	}
	slices.SortFunc(found, func(a, b mentioned) int {
		if shared[a] != shared[b] {
			return shared[b] - shared[a]
		}
		return strings.Compare(a.FriendlyID, b.FriendlyID)
	})
	return found[:min(len(found), maxSimilar)]
}

// nearText says, for a text that nothing matches, which titles share most of its words, or else whose name is nearly
// the same; "" for neither.
func (c *call) nearText(ctx context.Context, a *arguments) string {
	text := a.text("text")
	near := c.similar(ctx, a, text)
	titles := make([]string, len(near))
	for i, s := range near {
		titles[i] = s.FriendlyID + " “" + bound(s.Title, shortTitle, "cut") + "” (" + s.Status + ")"
	}
	deleted := c.deleted(ctx, a, text)
	switch {
	case len(titles) > 0:
		return strings.TrimSpace("Titles like it: " + enumerate(titles) + ". " + deleted)
	case deleted != "":
		return deleted
	}
	return c.nearPeople(ctx, a, text)
}

// deleted says which deleted session or submission has all words of a text in its title; "" if none of the first page
// has.
func (c *call) deleted(ctx context.Context, a *arguments, text string) string {
	body := search{Page: 1, PageSize: upstream, Filters: map[string]any{"text": searchable(text), "include_deleted": true},
		Fields: []string{"friendly_id", "title", "deleted_at"}}
	page, _ := c.sessions(ctx, a, body) // empty if they cannot be read
	for _, s := range page.Results {
		if s.DeletedAt != nil && isCalled(s.Title, text) {
			return s.FriendlyID + " “" + bound(s.Title, shortTitle, "cut") + "” is deleted; get_submission still reads it."
		}
	}
	return ""
}

// leastWord is how many letters a significant word has; shorter ones count only in a title without longer ones.
const leastWord = 4

// titleWords returns the significant words of a title, each once, in lower case and the longest first.
func titleWords(title string) []string {
	words := strings.FieldsFunc(strings.ToLower(title),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	slices.SortFunc(words, func(a, b string) int {
		return cmp.Or(utf8.RuneCountInString(b)-utf8.RuneCountInString(a), strings.Compare(a, b))
	})
	words = slices.Compact(words)
	long := slices.IndexFunc(words, func(word string) bool { return utf8.RuneCountInString(word) < leastWord })
	if long > 0 {
		return words[:long]
	}
	return words
}

// looked returns the search texts that find titles with most of some words: the first few words, or, if there are
// enough, these with each left out in turn.
func looked(words []string) (texts []string) {
	few := words[:min(len(words), fewWords)]
	if len(few) < fewWords {
		return []string{searchable(strings.Join(few, " "))}
	}
	for i := range few {
		texts = append(texts, searchable(strings.Join(slices.Delete(slices.Clone(few), i, i+1), " ")))
	}
	return texts
}

// common counts the words that two titles share.
func common(a, b []string) (n int) {
	for _, word := range a {
		if slices.Contains(b, word) {
			n++
		}
	}
	return n
}
