package cfp

import (
	"regexp"
	"strings"
)

// hostDot is a dot as it stands in the name of a host: between two characters, before a letter or a digit.
var hostDot = regexp.MustCompile(`([\pL\pN_-])([.。．｡])([\pL\pN])`)

// defuse is what a stranger wrote, for a letter of ours: no reader of mail makes a link of it.
func defuse(text string) string {
	text = strings.NewReplacer("://", ": //", "{{", "{ {").Replace(text)
	for before := ""; before != text; { // a letter between two dots is of both
		before, text = text, hostDot.ReplaceAllString(text, "$1$2 $3")
	}
	return text
}
