package call

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"lectern/models/store"
)

// Fault says what is wrong with an answer, or that it is missing.
type Fault struct {
	Key, Label string
	Message    string // shown beside the question: "7 words too long. The limit is 80."
	Sentence   string // shown elsewhere: "Abstract is 7 words too long"
}

// Words returns the number of words of a text, without markup.
func Words(text string) int { return len(strings.Fields(read(text))) }

// Characters returns the number of characters of a text, without markup.
func Characters(text string) int { return utf8.RuneCountInString(strings.TrimSpace(read(text))) }

// counted returns "1 word" or "7 words".
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// missing returns the fault of a question without an answer.
func (q *Question) missing() Fault {
	return Fault{q.Key, q.Label, "Not answered yet.", "“" + q.Label + "” has no answer yet"}
}

// tooLong returns the fault of an answer that is longer than the question allows.
func (q *Question) tooLong(value string) (Fault, bool) {
	over, limit, what := 0, 0, ""
	if q.MaxWords != nil {
		over, limit, what = Words(value)-*q.MaxWords, *q.MaxWords, "word"
	} else if q.MaxLength != nil {
		over, limit, what = Characters(value)-*q.MaxLength, *q.MaxLength, "character"
	}
	if over <= 0 {
		return Fault{}, false
	}
	words := counted(over, what) + " too long"
	return Fault{q.Key, q.Label, fmt.Sprintf("%s. The limit is %d.", words, limit), q.Label + " is " + words}, true
}

// Unfinished returns what is missing or too long in clean values before they can be submitted.
func (f *Form) Unfinished(v Values) (faults []Fault) {
	for _, q := range f.Asked(v) {
		if v[q.Key] == "" {
			if q.Required == Required {
				faults = append(faults, q.missing())
			}
		} else if fault, is := q.tooLong(v[q.Key]); is {
			faults = append(faults, fault)
		}
	}
	return faults
}

// Owed returns what is missing in clean values once the proposal is accepted.
func (f *Form) Owed(v Values) (faults []Fault) {
	for _, q := range f.Asked(v) {
		if v[q.Key] == "" && q.Required == Later {
			faults = append(faults, q.missing())
		}
	}
	return faults
}

// Gone returns faults for a track, a format and a level of clean values that are no longer offered. A draft must choose
// others to be submitted; a submission keeps them.
func (f *Form) Gone(v Values) (faults []Fault) {
	for _, q := range f.Asked(v) {
		if q.Standard != "" && q.Type.HasOptions() && v[q.Key] != "" && f.nameOf(q.Key, v[q.Key]) == "" {
			faults = append(faults, Fault{q.Key, q.Label, "What you chose is no longer offered. Choose again.",
				"“" + q.Label + "” is no longer offered as you chose it"})
		}
	}
	return faults
}

// Faults returns the faults of an Invalid error, which names keys, as Clean does.
func (f *Form) Faults(err error) (faults []Fault) {
	e := store.AsError(err)
	if e == nil {
		return nil
	}
	for _, field := range e.Fields {
		label := f.Label(field.Field)
		told := "“" + label + "” " + field.Message
		if isSentence(field.Message) { // the message is a sentence by itself
			told = "“" + label + "”: " + field.Message
		}
		faults = append(faults, Fault{field.Field, label, field.Message, told})
	}
	return faults
}

// isSentence reports whether a text begins with a capital letter and ends with a stop.
func isSentence(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return unicode.ToUpper(first) == first && strings.LastIndexAny(text, ".?!") == len(text)-1
}

// size returns a number of bytes in whole MB or KB, in words.
func size(bytes int) string {
	if bytes >= 1<<20 {
		return fmt.Sprintf("%d MB", bytes>>20)
	}
	return fmt.Sprintf("%d KB", max(1, bytes>>10))
}

var (
	tag       = regexp.MustCompile(`<[a-zA-Z!/]`)
	formatted = regexp.MustCompile(`(?i)^<(p|div|ul|ol|h[1-6]|blockquote|pre|table|section|article|figure)[\s>]`)
	plainTags = regexp.MustCompile(`(?i)</?(p|br)\s*/?>`)
	paragraph = regexp.MustCompile(`(?i)\s*</p>\s*(<p>\s*)?`)
	lineEnd   = regexp.MustCompile(`(?i)<br\s*/?>\n?`)
	escapes   = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
)

// AsText returns stored HTML as somebody edits it in a field of plain text: as text if it has only paragraphs; other
// HTML stays, and AsHTML takes it back.
func AsText(kept string) string {
	kept = strings.TrimSpace(kept)
	if tag.MatchString(plainTags.ReplaceAllString(kept, "")) {
		if formatted.MatchString(kept) {
			return kept
		}
		return "<p>" + kept + "</p>"
	}
	kept = paragraph.ReplaceAllString(kept, "\n\n")
	kept = plainTags.ReplaceAllString(lineEnd.ReplaceAllString(kept, "\n"), "")
	return strings.TrimSpace(html.UnescapeString(kept))
}

// AsHTML returns a typed text as HTML to be stored: unchanged if it begins as formatted text does, else with each
// character escaped. The caller sanitises it.
func AsHTML(typed string) string {
	if typed = strings.TrimSpace(typed); formatted.MatchString(typed) {
		return typed
	}
	return escapes.Replace(typed)
}

// read returns a text as it is counted: formatted text without its markup.
func read(text string) string {
	if formatted.MatchString(text) {
		return store.PlainText(text)
	}
	return text
}
