package cfp

import (
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/words"
)

// Lines is a value in a letter that keeps its line breaks; other values become one line.
type Lines string

// write fills a letter from the catalogue's text of this name, in a language. values are names of places in the text
// and their values, alternately; text by people makes no placeholders.
func write(letter *models.CallLetter, l *words.Language, event *models.Event, name string, values ...any) {
	said := append([]any{"Event", event.Name}, values...)
	for i := 1; i < len(said); i += 2 {
		switch value := said[i].(type) {
		case Lines:
			said[i] = models.WithoutPlaceholders(string(value))
		case string:
			said[i] = models.WithoutPlaceholders(store.OneLine(value))
		}
	}
	said = append(said, "Link", models.PlaceLinkHere)
	letter.Subject, letter.Body = l.T("letter."+name+"_subject", said...), l.T("letter."+name, said...)
}

// spoken returns the language in which the actor reads the place.
func spoken(tx *store.Tx) *words.Language { return words.In(tx.Statement.Context) }

// languageOf returns the language in which to write to a contact who is not the actor: the one in which they last read
// their place, else the first that the event offers.
func languageOf(tx *store.Tx, event *models.Event, contactID string) (*words.Language, error) {
	var tags string
	err := tx.Raw(`SELECT coalesce((SELECT a.language FROM speaker_accounts a
			WHERE a.organization_id = ? AND a.contact_id = ? AND a.language <> '' ORDER BY a.updated_at DESC, a.id LIMIT 1),
		(SELECT languages FROM event_looks WHERE event_id = ?), '')`, event.OrganizationID, contactID, event.ID).Scan(&tags).Error
	for _, l := range words.All() {
		if slices.Contains(strings.Fields(tags), l.Tag) {
			return l, err
		}
	}
	return words.English(), err
}

// ClockIn returns a moment by the event's clock, in words of a language.
func ClockIn(l *words.Language, t store.Time, event *models.Event) string {
	local := t.In(event.Location())
	return l.Date(local) + ", " + l.TimeOf(local) + " " + l.City(event.Timezone)
}
