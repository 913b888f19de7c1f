package people

import (
	"encoding/json"
	"regexp"
	"strings"

	"lectern/models"
	"lectern/models/store"
)

// mentionsByOthers removes the contact from what is stored for others: their name and addresses from letters of their
// events and from reports of moves, and what they said about tasks, or as a reason for not coming, from mails and
// activity. The fact of sending stays.
func (e *eraser) mentionsByOthers() error {
	said, err := e.mailed()
	if err != nil {
		return err
	}
	if err := e.eraseWords(said); err != nil {
		return err
	}
	if e.known.isEmpty() {
		return nil
	}
	if err := e.eraseNames(); err != nil {
		return err
	}
	return e.eraseNamesInMoves()
}

// mailed returns the letters to others with the contact's comments on tasks, found by the comment's time and text.
func (e *eraser) mailed() (ids []string, err error) {
	var mails []struct{ ID, Body, Text string }
	err = e.tx.Table("deliverable_comments c").Joins("JOIN letters l ON l.event_id = c.event_id "+
		"AND l.created_at = c.created_at").
		Select("l.id, l.body, c.text").Where("c.author_id = ? AND l.kind = ? AND l.contact_id <> ?", e.contact.ID,
		models.LetterCall, e.contact.ID).Order("l.id").Scan(&mails).Error
	for _, m := range mails {
		if strings.Contains(m.Body, models.WithoutPlaceholders(m.Text)) {
			ids = append(ids, m.ID)
		}
	}
	return ids, err
}

// eraseWords deletes those letters that were not sent, and empties the others. It also removes the contact's reasons
// for not coming from the activity.
func (e *eraser) eraseWords(letters []string) error {
	if len(letters) > 0 {
		unsent := e.tx.Exec("DELETE FROM letters WHERE state IN ('draft', 'queued', 'failed', 'superseded') AND id IN ?", letters)
		if unsent.Error != nil {
			return unsent.Error
		}
		if err := e.tx.Exec("UPDATE letters SET subject = '', body = '' WHERE id IN ?", letters).Error; err != nil {
			return err
		}
	}
	var lines []*store.Activity
	err := e.tx.Where("organization_id = ? AND subject = 'session' AND action = 'participation' AND actor_id = ?", e.ID,
		e.contact.ID).Order("id").Find(&lines).Error
	for i := 0; err == nil && i < len(lines); i++ {
		l := lines[i]
		for _, text := range []*string{&l.Before, &l.After} {
			facts := store.ReadFacts(*text)
			delete(facts, "reason")
			if *text, err = store.WriteFacts(facts); err != nil {
				return err
			}
		}
		err = e.tx.Model(l).Where("id = ?", l.ID).Select("before", "after").UpdateColumns(l).Error
	}
	return err
}

// nameEraser returns a function that replaces, in a text, what means somebody by an erased person's name, whole words
// only.
func nameEraser(known identifiers) func(text string) string {
	if known.isEmpty() {
		return func(text string) string { return text }
	}
	ways := store.Map(known.names, regexp.QuoteMeta)
	for _, address := range known.addresses {
		ways = append(ways, "(?i:"+regexp.QuoteMeta(address)+")")
	}
	whole := regexp.MustCompile(`(^|[^\pL\pN])(?:` + strings.Join(ways, "|") + `)($|[^\pL\pN])`)
	return func(text string) string {
		const name = "${1}" + erasedFirst + " " + erasedLast + "${2}"
		return whole.ReplaceAllString(whole.ReplaceAllString(text, name), name) // two may share a space
	}
}

// eraseNames replaces the contact's name and addresses in letters to others of their events.
func (e *eraser) eraseNames() error {
	var letters []*models.Letter
	naming, values := e.inOthers()
	err := e.tx.Select("id", "subject", "body", "created_at", "updated_at").Where(naming, values...).
		Order(models.LetterLockOrder).Find(&letters).Error
	for i := 0; err == nil && i < len(letters); i++ {
		l := letters[i]
		plain := nameEraser(e.known.at(l.CreatedAt))
		subject, body := plain(l.Subject), plain(l.Body)
		if subject != l.Subject || body != l.Body {
			err = e.tx.Model(&models.Letter{}).Where("id = ?", l.ID).UpdateColumns(map[string]any{"subject": subject,
				"body": body, "updated_at": e.tx.Now.Following(l.UpdatedAt)}).Error
		}
	}
	return err
}

// eraseNamesInMoves replaces the contact's name and addresses in previews and reports of the organization's moves.
func (e *eraser) eraseNamesInMoves() error {
	var moves []struct {
		ID              string
		Preview, Report *string
		CreatedAt       store.Time
	}
	naming, values := e.known.each(asJSON).in("preview", "report")
	err := e.tx.Table("moves").Select("id, preview, report, created_at").Where("organization_id = ?", e.ID).Where(naming, values...).
		Order("id").Scan(&moves).Error
	for i := 0; err == nil && i < len(moves); i++ {
		plain := nameEraser(e.known.at(moves[i].CreatedAt))
		err = e.tx.Table("moves").Where("id = ?", moves[i].ID).UpdateColumns(map[string]any{
			"preview": withoutIn(moves[i].Preview, plain), "report": withoutIn(moves[i].Report, plain)}).Error
	}
	return err
}

// asJSON returns a text as it stands within a JSON string.
func asJSON(text string) string {
	quoted, _ := json.Marshal(text) // no text fails
	return string(quoted[1 : len(quoted)-1])
}

// withoutIn changes the texts within a JSON document. It returns nil for one that is not JSON.
func withoutIn(document *string, plain func(string) string) *string {
	if document == nil {
		return nil
	}
	decoder := json.NewDecoder(strings.NewReader(*document))
	decoder.UseNumber()
	var data any
	if decoder.Decode(&data) != nil {
		return nil
	}
	text, err := json.Marshal(eachText(data, plain))
	if err != nil {
		return nil
	}
	return new(string(text))
}

// eachText returns JSON data with its texts changed.
func eachText(data any, change func(string) string) any {
	switch data := data.(type) {
	case string:
		return change(data)
	case []any:
		for i := range data {
			data[i] = eachText(data[i], change)
		}
	case map[string]any:
		for key := range data {
			data[key] = eachText(data[key], change)
		}
	}
	return data
}
