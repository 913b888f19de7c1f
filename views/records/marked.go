package records

import (
	"context"
	"io"
	"strings"

	"github.com/a-h/templ"

	"lectern/models"
	"lectern/models/store"
)

// Match shows where a search matched, when the match is not in the title or name.
type Match struct {
	Where  string // the words before the text: "In the description:"
	Pieces []store.Piece
}

// Marked renders a text with the matches of a search in <mark>.
func Marked(pieces []store.Piece) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		var out strings.Builder
		for _, piece := range pieces {
			if text := templ.EscapeString(piece.Text); piece.Found {
				out.WriteString("<mark>" + text + "</mark>")
			} else {
				out.WriteString(text)
			}
		}
		_, err := io.WriteString(w, out.String())
		return err
	})
}

// Described returns where a session's description matches a word that its title, label and
// people lack, nil if it does not.
func Described(words store.Words, s *models.Session) *Match {
	if words = words.Missing(s.Title); len(words) == 0 {
		return nil
	}
	shown := []string{s.FriendlyID}
	for _, person := range s.Participants {
		shown = append(shown, person.FullName)
	}
	if words = words.Missing(shown...); len(words) == 0 {
		return nil
	}
	if pieces := words.Excerpt(store.PlainText(s.Description)); pieces != nil {
		return &Match{"In the description:", pieces}
	}
	return nil
}
