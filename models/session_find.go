package models

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"lectern/models/store"
)

// Found is what a text finds in an event, best first.
type Found struct {
	Named    []*Speaker // the text is part of their name
	Sessions []*Session // of the title or the label first, then anywhere in it; nothing embedded
	Others   []*Speaker // of the e-mail address or the company
}

// Find returns up to limit live sessions and up to people speakers that a text is part of. It answers Invalid
// for a text that is too long, and finds nothing for an empty one.
func (p *Programme) Find(ctx context.Context, text string, limit, people int) (*Found, error) {
	text, err := store.CleanText("filters.text", text, store.MaxSearchText)
	if err != nil || text == "" {
		return &Found{}, err
	}
	text = store.Fold(text)
	f := &Found{}
	pattern := store.LikePattern(text)
	for _, match := range []func(*gorm.DB) *gorm.DB{
		func(db *gorm.DB) *gorm.DB { return db.Where("lower(friendly_id) = ?", text) },
		func(db *gorm.DB) *gorm.DB {
			return db.Where(`(title_key LIKE ? ESCAPE '\' OR lower(friendly_id) LIKE ? ESCAPE '\')`, pattern, pattern)
		},
		func(db *gorm.DB) *gorm.DB { return p.matching(db, text) },
	} {
		if len(f.Sessions) >= limit {
			break
		}
		db := match(p.read(ctx).Model(&Session{}).Where("event_id = ? AND deleted_at IS NULL", p.event.ID))
		rows, err := scanSessions(db.Order("updated_at DESC, id DESC").Limit(limit))
		if err != nil {
			return nil, err
		}
		for _, s := range rows {
			found := slices.ContainsFunc(f.Sessions, func(other *Session) bool { return other.ID == s.ID })
			if !found && len(f.Sessions) < limit {
				f.Sessions = append(f.Sessions, s)
			}
		}
	}
	speakers := func() *gorm.DB { return p.speakers(ctx).Order("name_key, id").Limit(people - len(f.Named)) }
	err = speakers().Where(`name_key LIKE ? ESCAPE '\'`, pattern).Find(&f.Named).Error
	if err != nil || len(f.Named) == people {
		return f, err
	}
	err = speakers().Where(`search LIKE ? ESCAPE '\' AND name_key NOT LIKE ? ESCAPE '\'`, pattern, pattern).
		Find(&f.Others).Error
	return f, err
}

// speakers are the contacts on live sessions.
func (p *Programme) speakers(ctx context.Context) *gorm.DB {
	return p.read(ctx).Model(&Contact{}).
		Where("organization_id = ? AND id IN ("+speaking+")", p.event.OrganizationID, p.event.ID, p.event.ID)
}
