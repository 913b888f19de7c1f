package cfp

import (
	"regexp"
	"strings"
)

// hostDot matches a dot that mail readers may take for one in a host name, which may also contain symbols and invisible
// characters: between two characters, of which the second is no closing mark.
var hostDot = regexp.MustCompile(`([^\s\pZ` + dots + `])([` + dots + `])([^\s\pZ\p{Pe}\p{Pf}\p{Pi}"',;:!?` + dots + `])`)

const dots = ".。．｡․﹒"

// defuse returns a stranger's text for a letter of ours, changed so that no mail reader makes a link of it.
func defuse(text string) string {
	text = strings.NewReplacer("://", ": //", "{{", "{ {").Replace(text)
	for before := ""; before != text; { // again, because a character between two dots belongs to both matches
		before, text = text, hostDot.ReplaceAllString(text, "$1$2 $3")
	}
	return text
}
