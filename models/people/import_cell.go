package people

import (
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/store"
)

// importedEmail is stricter than the rule for addresses that staff type, because nobody looks at each of a thousand.
var importedEmail = field.Definition{Key: "email", Type: field.Email}

func (pl *importPlan) clean(f *models.ContactField, text string) (string, error) {
	if f.IsMoment {
		return models.ReadMoment(f.Key, text, pl.zone)
	}
	switch f.Key {
	case "email":
		value, err := importedEmail.Clean(text)
		if err != nil {
			return "", err
		}
		return f.Clean(value)
	case "tags":
		return pl.cleanTags(f, text)
	case "about":
		return f.Clean(store.Paragraphs(text))
	}
	return f.Clean(text)
}

// cleanTags replaces the names of tags in a cell by their ids. A name may contain a comma.
func (pl *importPlan) cleanTags(f *models.ContactField, text string) (string, error) {
	var ids []string
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(";|\n", r) }) {
		names := []string{part}
		if pl.tags[store.Searchable(part)] == "" {
			names = strings.Split(part, ",")
		}
		for _, name := range names {
			name = strings.TrimSpace(name)
			id := pl.tags[store.Searchable(name)]
			if id == "" && name != "" {
				return "", store.Invalidf("tags", "are those of the event, and it has no %q; add it there, or delete it here", cutText(name))
			}
			ids = append(ids, id)
		}
	}
	return f.Clean(strings.Join(ids, "\n"))
}

// says reports whether two values of a field mean the same: a biography in a cell has lost its markup.
func says(f *models.ContactField, value, other string) bool {
	words := func(html string) []string { return strings.Fields(store.PlainText(html)) }
	return value == other || f.Key == "about" && slices.Equal(words(value), words(other))
}

// cutText shortens a text for the table of faults to 100 characters.
func cutText(text string) string {
	n := 0
	for at := range text {
		if n++; n > 100 {
			return strings.Clone(text[:at]) + "…"
		}
	}
	return text
}

// sentence returns the message of a fault as a sentence, without the field's name.
func sentence(err error) string {
	e, found := errors.AsType[*store.Error](err)
	if !found || len(e.Fields) == 0 {
		return err.Error()
	}
	text := e.Fields[0].Message
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:] + "."
}

func lowered(label string) string {
	if label == "LinkedIn" {
		return label
	}
	return strings.ToLower(label)
}
