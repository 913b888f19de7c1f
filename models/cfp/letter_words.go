package cfp

import (
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/words"
)

// Lines is a value of a letter that keeps its line breaks; all others are one line.
type Lines string

// write gives a letter the words that the catalogue has for it, in a language. Values are names of places and what
// stands there, in turn; what people wrote makes no placeholder there.
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

// spoken is the language in which whoever does this reads the place.
func spoken(tx *store.Tx) *words.Language { return words.In(tx.Statement.Context) }

// languageOf is the language to write to a contact in who does not read the place just now: the one in which they did
// last, else the first one that the event offers.
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

// ClockIn is a moment by the clocks of an event, in a language.
func ClockIn(l *words.Language, t store.Time, event *models.Event) string {
	local := t.In(event.Location())
	return l.Date(local) + ", " + l.TimeOf(local) + " " + l.City(event.Timezone)
}
