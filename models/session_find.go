package models

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"lectern/models/store"
)

// Found is what a text finds in an event, best first.
type Found struct {
	Named    []*Speaker // by their name
	Sessions []*Session // by title and label first, then by anything; only these have their participants
	Others   []*Speaker // by e-mail address and company too
}

// Find returns up to limit live sessions and up to people speakers that have the words of a text in them. It
// answers Invalid for a text that is too long, and finds nothing for one without words.
func (p *Programme) Find(ctx context.Context, text string, limit, people int) (*Found, error) {
	filter := SessionFilter{Text: text}
	text, err := store.CleanText("filters.text", text, store.MaxSearchText)
	words := store.SearchWords(text)
	if err != nil || len(words) == 0 {
		return &Found{}, err
	}
	f := &Found{}
	if f.Sessions, err = p.findSessions(ctx, words, filter.Label(), limit); err != nil {
		return nil, err
	}
	name := p.firstLine()
	speakers := func() *gorm.DB { return p.speakers(ctx).Order("name_key, id").Limit(people - len(f.Named)) }
	err = has(speakers(), words, name).Find(&f.Named).Error
	if err != nil || len(f.Named) == people {
		return f, err
	}
	named := has(p.read(ctx), words, name)
	err = has(speakers(), words, "search").Not(named).Find(&f.Others).Error
	return f, err
}

// findSessions finds the session with a label, then those that have all words in the
// title and label, then those that have them anywhere.
func (p *Programme) findSessions(ctx context.Context, words store.Words, label string, limit int) ([]*Session, error) {
	var found []*Session
	for _, match := range []func(*gorm.DB) *gorm.DB{
		func(db *gorm.DB) *gorm.DB { return db.Where("friendly_id = ?", label) },
		func(db *gorm.DB) *gorm.DB {
			return has(p.matching(db, words), words, p.firstLine(), "lower(friendly_id)")
		},
		func(db *gorm.DB) *gorm.DB { return p.matching(db, words) },
	} {
		if len(found) >= limit {
			break
		}
		db := match(p.read(ctx).Model(&Session{}).Where("event_id = ? AND deleted_at IS NULL", p.event.ID))
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
	return found, loadParticipants(p.read(ctx), p.event.ID, byID)
}

// speakers are the contacts on live sessions.
func (p *Programme) speakers(ctx context.Context) *gorm.DB {
	return p.read(ctx).Model(&Contact{}).
		Where("organization_id = ? AND id IN ("+speaking+")", p.event.OrganizationID, p.event.ID, p.event.ID)
}
