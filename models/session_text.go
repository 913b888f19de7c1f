package models

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"gorm.io/gorm"

	"lectern/models/store"
)

// labelForm is how friendly ids are written, folded.
var labelForm = regexp.MustCompile(`^[as]-[1-9][0-9]{0,9}$`)

// Label is the friendly id that the text is, in any case; "" when it is something else.
func (f *SessionFilter) Label() string {
	if words := store.SearchWords(f.Text); len(words) == 1 && labelForm.MatchString(words[0]) {
		return strings.ToUpper(words[0])
	}
	return ""
}

// trigram is how many characters a word needs to be found by the index.
const trigram = 3

// matching keeps the sessions whose search text has all words in it. Both databases find them by trigrams, and
// both answer with the same rows. Shorter words have none: they are looked for in each row that is left.
func (p *Programme) matching(db *gorm.DB, words store.Words) *gorm.DB {
	var phrases []string
	for _, word := range words {
		switch indexed := utf8.RuneCountInString(word) >= trigram; {
		case indexed && p.store.Embedded():
			phrases = append(phrases, `"`+strings.ReplaceAll(word, `"`, `""`)+`"`)
		case indexed:
			db = db.Where(contains("search"), store.LikePattern(word))
		default: // by an expression, lest the index be read as a whole
			db = db.Where(contains("(search || '')"), store.LikePattern(word))
		}
	}
	if len(phrases) > 0 {
		db = db.Where("seq IN (SELECT rowid FROM sessions_search WHERE sessions_search MATCH ?)",
			strings.Join(phrases, " AND "))
	}
	return db
}

// contains is the condition that a text has what a pattern of store.LikePattern says.
func contains(column string) string { return column + ` LIKE ? ESCAPE '\'` }

// has keeps the rows that have each of some words in one of some columns.
func has(db *gorm.DB, words store.Words, columns ...string) *gorm.DB {
	for _, word := range words {
		var conditions []string
		var values []any
		for _, column := range columns {
			conditions, values = append(conditions, contains(column)), append(values, store.LikePattern(word))
		}
		// PostgreSQL takes a CASE for half of the rows, and a part of a column for next to
		// none: of a word that many titles have it would read and sort all.
		db = db.Where("CASE WHEN "+strings.Join(conditions, " OR ")+" THEN true ELSE false END", values...)
	}
	return db
}

// firstLine is what of the search text comes first: the title, or the name.
func (p *Programme) firstLine() string {
	if p.store.Embedded() {
		return "substr(search, 1, instr(search, char(10)))"
	}
	return "split_part(search, chr(10), 1)"
}
