package models

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"gorm.io/gorm"

	"lectern/models/store"
)

// Found is the result of a search in an event, best matches first.
type Found struct {
	Named    []*Speaker // found by their name
	Sessions []*Session // found by title and label first, then by any text; only the latter have their participants
	Others   []*Speaker // found by e-mail address and company too
}

// Find returns up to limit live sessions, and up to people of the event's people, that contain the words of a text. It
// answers Invalid for a text that is too long, and finds nothing for one without words.
func (p *Programme) Find(ctx context.Context, text string, limit, people int) (*Found, error) {
	return p.findAmong(ctx, text, limit, people, p.Directory().listed)
}

// FindSpeaking is Find among the people who are on live sessions.
func (p *Programme) FindSpeaking(ctx context.Context, text string, limit, people int) (*Found, error) {
	return p.findAmong(ctx, text, limit, people, p.listedSpeakers)
}

// findAmong is Find that looks for people among the given ones, in their order.
func (p *Programme) findAmong(ctx context.Context, text string, limit, people int,
	among func(context.Context) *gorm.DB) (*Found, error) {
	filter := SessionFilter{Text: text}
	text, err := store.CleanText("filters.text", text, store.MaxSearchText)
	words := store.SearchWords(text)
	if err != nil || len(words) == 0 {
		return &Found{}, err
	}
	f := &Found{}
	if f.Sessions, err = p.findSessions(ctx, words, filter.Label(), limit); err != nil || p.withoutPeople {
		return f, err
	}
	name := p.firstLine()
	some := func() *gorm.DB { return among(ctx).Limit(people - len(f.Named)) }
	err = Has(some(), words, name).Find(&f.Named).Error
	if err != nil || len(f.Named) == people {
		return f, err
	}
	named := Has(p.Read(ctx), words, name)
	err = Has(some(), words, "search").Not(named).Find(&f.Others).Error
	return f, err
}

// FindNear is Find for a text that may be mistyped: by titles and names alone, the latest sessions and the first
// people. It finds nothing for words that are too short to forgive an error.
func (p *Programme) FindNear(ctx context.Context, text string, limit, people int) (*Found, error) {
	f, words := &Found{}, store.SearchWords(text)
	if !words.Forgive() {
		return f, nil
	}
	sessions := func() *gorm.DB {
		return p.notDrafts(p.Read(ctx).Model(&Session{}).Where("event_id = ? AND deleted_at IS NULL", p.event.ID)).
			Order("updated_at DESC, id DESC")
	}
	ids, err := p.idsNear(sessions(), words, limit)
	if err == nil && len(ids) > 0 {
		f.Sessions, err = scanSessions(sessions().Where("id IN ?", ids))
	}
	if err != nil || p.withoutPeople {
		return f, err
	}
	listed := func() *gorm.DB { return p.Directory().listed(ctx) }
	if ids, err = p.idsNear(listed(), words, people); err == nil && len(ids) > 0 {
		err = listed().Where("id IN ?", ids).Find(&f.Named).Error
	}
	return f, err
}

// idsNear returns the ids of the first rows whose title or name has the words, give or take an error. It reads all
// rows, since neither database searches with errors, so both find the same.
func (p *Programme) idsNear(rows *gorm.DB, words store.Words, limit int) (ids []string, err error) {
	var all []struct{ ID, Line string }
	err = rows.Select("id, " + p.firstLine() + " AS line").Scan(&all).Error
	for _, row := range all {
		if len(ids) < limit && words.Near(row.Line) {
			ids = append(ids, row.ID)
		}
	}
	return ids, err
}

// findSessions finds the session with a label, then those that have all words in the
// title and label, then those that have them anywhere.
func (p *Programme) findSessions(ctx context.Context, words store.Words, label string, limit int) ([]*Session, error) {
	var found []*Session
	for _, match := range []func(*gorm.DB) *gorm.DB{
		func(db *gorm.DB) *gorm.DB { return db.Where("friendly_id = ?", label) },
		func(db *gorm.DB) *gorm.DB {
			return Has(p.matching(db, words), words, p.firstLine(), "lower(friendly_id)")
		},
		func(db *gorm.DB) *gorm.DB { return p.matching(db, words) },
	} {
		if len(found) >= limit {
			break
		}
		db := match(p.notDrafts(p.Read(ctx).Model(&Session{}).Where("event_id = ? AND deleted_at IS NULL", p.event.ID)))
		rows, err := scanSessions(db.Order("updated_at DESC, id DESC").Limit(limit))
		if err != nil {
			return nil, err
		}
		for _, s := range rows {
			known := slices.ContainsFunc(found, func(other *Session) bool { return other.ID == s.ID })
			if !known && len(found) < limit {
				found = append(found, s)
			}
		}
	}
	byID := map[string]*Session{}
	for _, s := range found {
		if len(words.Missing(s.Title, s.FriendlyID)) > 0 {
			byID[s.ID] = s
		}
	}
	if len(byID) == 0 {
		return found, nil
	}
	return found, LoadParticipants(p.Read(ctx), p.event.ID, byID)
}

// speakers selects the contacts on live sessions.
func (p *Programme) speakers(ctx context.Context) *gorm.DB {
	who, values := speaking, []any{p.event.OrganizationID, p.event.ID, p.event.ID}
	if p.asViewer {
		who, values = who+noDrafts, append(values, p.event.ID)
	}
	return p.Read(ctx).Model(&Contact{}).Where("organization_id = ? AND id IN ("+who+")", values...)
}

// listed selects the people of the directory, ordered by name, without strangers and erased people.
func (d *Directory) listed(ctx context.Context) *gorm.DB {
	return d.Listed(d.Read(ctx).Model(&Contact{})).Where("erased_at IS NULL").Order("name_key, id")
}

// Find returns up to limit people of the directory who have the words of a text in their name, address or company. It
// finds nobody for a text without words.
func (d *Directory) Find(ctx context.Context, text string, limit int) (found []*Contact, err error) {
	words := store.SearchWords(text)
	if len(words) == 0 {
		return nil, nil
	}
	return found, Has(d.listed(ctx), words, "search").Limit(limit).Find(&found).Error
}

// listedSpeakers selects the speakers, ordered by name, without strangers.
func (p *Programme) listedSpeakers(ctx context.Context) *gorm.DB {
	return p.Directory().WithoutStrangers(p.speakers(ctx), "id").Order("name_key, id")
}

// labelForm matches friendly ids, folded, with or without their hyphen.
var labelForm = regexp.MustCompile(`^([as])-?([1-9][0-9]{0,9})$`)

// maxLabel is the largest length of a text that can be a friendly id, in bytes.
const maxLabel = 16

// Label returns the friendly id that the text is, in any case, with or without its hyphen; "" if it is something else.
func (f *SessionFilter) Label() string {
	if words := store.SearchWords(f.Text); len(words) == 1 {
		if parts := labelForm.FindStringSubmatch(words[0]); parts != nil {
			return strings.ToUpper(parts[1]) + "-" + parts[2]
		}
	}
	return ""
}

// SessionID returns the id of the session that an address names by its id or its label. It answers NotFound for a label
// that no session of the event has; an id is returned unchecked.
func (p *Programme) SessionID(ctx context.Context, named string) (id string, err error) {
	label := ""
	if len(named) <= maxLabel {
		label = (&SessionFilter{Text: named}).Label()
	}
	if label == "" {
		return named, nil
	}
	err = p.notDrafts(p.Read(ctx).Model(&Session{}).Where("event_id = ? AND friendly_id = ?", p.event.ID, label)).
		Select("id").Scan(&id).Error
	if err == nil && id == "" {
		err = store.NoSuch("session")
	}
	return id, err
}

// Trigram is the number of characters from which the index finds a word.
const Trigram = 3

// indexedWords is how many words PostgreSQL looks up by the index, the longest ones: each adds a join, and planning
// fifty takes 0.4 s. Other words are looked for in the rows that are left.
const indexedWords = 4

// matching narrows a query to sessions whose search text has all words. Both databases find words of at least Trigram
// characters by trigrams, with the same result. Shorter words are looked for in each row that is left.
func (p *Programme) matching(db *gorm.DB, words store.Words) *gorm.DB {
	var phrases []string
	for i, word := range words {
		switch indexed := utf8.RuneCountInString(word) >= Trigram; {
		case indexed && p.store.Embedded():
			phrases = append(phrases, `"`+strings.ReplaceAll(word, `"`, `""`)+`"`)
		case indexed && i < indexedWords:
			db = db.Where("id IN (SELECT session_id FROM sessions_search WHERE event_id = ? AND "+Contains("words")+")",
				p.event.ID, store.LikePattern(word))
		default:
			db = db.Where(Contains("search"), store.LikePattern(word))
		}
	}
	if len(phrases) > 0 {
		db = db.Where("seq IN (SELECT rowid FROM sessions_search WHERE sessions_search MATCH ?)",
			strings.Join(phrases, " AND "))
	}
	return db
}

// WithText narrows a query to the sessions that a text finds, as searches do, for packages on top.
func (p *Programme) WithText(db *gorm.DB, text string) *gorm.DB {
	return p.matching(db, store.SearchWords(text))
}

// Contains returns a LIKE condition for patterns of store.LikePattern.
func Contains(column string) string { return column + ` LIKE ? ESCAPE '\'` }

// Has narrows a query to rows that have each word in one of the columns.
func Has(db *gorm.DB, words store.Words, columns ...string) *gorm.DB {
	for _, word := range words {
		var conditions []string
		var values []any
		for _, column := range columns {
			conditions, values = append(conditions, Contains(column)), append(values, store.LikePattern(word))
		}
		// PostgreSQL estimates that a CASE keeps half of the rows, and that an expression over a column keeps next to
		// none; with the latter it would read and sort all rows for a word that many titles have.
		db = db.Where("CASE WHEN "+strings.Join(conditions, " OR ")+" THEN true ELSE false END", values...)
	}
	return db
}

// firstLine is the SQL expression for the first line of the search text: the title, or the name.
func (p *Programme) firstLine() string {
	if p.store.Embedded() {
		return "substr(search, 1, instr(search, char(10)))"
	}
	return "split_part(search, chr(10), 1)"
}

// withPeople narrows sessions by who is on them.
func (p *Programme) withPeople(db *gorm.DB, f *SessionFilter) *gorm.DB {
	const on = "id IN (SELECT session_id FROM participants WHERE event_id = ? AND contact_id IN "
	if len(f.ContactIDs) > 0 {
		db = db.Where(on+"?)", p.event.ID, f.ContactIDs)
	}
	words := store.SearchWords(f.Speaker)
	switch {
	case store.IsID(f.Speaker):
		db = db.Where(on+"?)", p.event.ID, []string{f.Speaker})
	case len(words) > 0:
		named := Has(db.Session(&gorm.Session{NewDB: true}).Model(&Contact{}), words, p.firstLine())
		db = db.Where(on+"(?))", p.event.ID, named.Select("id").Where("organization_id = ?", p.event.OrganizationID))
	}
	return db
}

// happening narrows sessions by the day on which they start and the moment at which they take place; a session without
// an end takes place at its start alone.
func (p *Programme) happening(db *gorm.DB, f *SessionFilter) *gorm.DB {
	var day SessionFilter
	if day.Day(f.OnDay, p.event.Location()) {
		db = db.Where("starts_at > ? AND starts_at < ?", day.StartsAfter, day.StartsBefore)
	}
	if f.RunsAt != nil {
		db = db.Where("starts_at <= ? AND (ends_at > ? OR starts_at = ?)", f.RunsAt, f.RunsAt, f.RunsAt)
	}
	return db
}

// Passing narrows a query of sessions to those that pass a filter. It answers Invalid for a filter that breaks a rule.
func (p *Programme) Passing(ctx context.Context, of *gorm.DB, f SessionFilter) (*gorm.DB, error) {
	q := SessionSearch{Filter: f}
	if err := p.cleanSearch(ctx, &q); err != nil {
		return nil, err
	}
	return p.filter(of, &q.Filter), nil
}
