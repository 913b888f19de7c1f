package components

import (
	"strings"

	"github.com/a-h/templ"
)

// described are the attributes that tie a field to its hint and its fault.
func described(f Field) templ.Attributes {
	attributes := templ.Attributes{}
	if ids := strings.TrimSpace(f.describedBy()); ids != "" {
		attributes["aria-describedby"] = ids
	}
	if f.Fault != "" {
		attributes["aria-invalid"] = "true"
	}
	return attributes
}

// fieldNames are fields as their labels call them.
var fieldNames = strings.NewReplacer(
	"cfp_opens_at", "the opening", "cfp_closes_at", "the closing", "starts_on", "the first day", "ends_on", "the last day",
	"default_minutes", "the number of minutes", "timezone", "the time zone",
)

// Sentence is a fault as a person reads it: "title is required" becomes "Title
// is required."
func Sentence(f Fault) string {
	words := strings.TrimSpace(strings.ReplaceAll(fieldNames.Replace(f.Field), "_", " ") + " " + fieldNames.Replace(f.Message))
	if words == "" {
		return ""
	}
	first := []rune(words)
	words = strings.ToUpper(string(first[0])) + string(first[1:])
	if !strings.HasSuffix(words, ".") {
		words += "."
	}
	return words
}
