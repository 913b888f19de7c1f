package cfp

import (
	"regexp"
	"strings"
)

// hostDot is a dot as it may stand in the name of a host, which can have signs and what nobody sees besides letters:
// between two characters, of which the second closes nothing.
var hostDot = regexp.MustCompile(`([^\s\pZ` + dots + `])([` + dots + `])([^\s\pZ\p{Pe}\p{Pf}\p{Pi}"',;:!?` + dots + `])`)

const dots = ".。．｡․﹒"

// defuse is what a stranger wrote, for a letter of ours: no reader of mail makes a link of it.
func defuse(text string) string {
	text = strings.NewReplacer("://", ": //", "{{", "{ {").Replace(text)
	for before := ""; before != text; { // a character between two dots is of both
		before, text = text, hostDot.ReplaceAllString(text, "$1$2 $3")
	}
	return text
}
