package models

import (
	"context"

	"lectern/models/store"
)

// TextChange is an edit of a title and a description. Without UpdatedAt it is forced.
type TextChange struct {
	Title, Description *string     // nil leaves it alone
	UpdatedAt          *store.Time // the token of the record that was edited
	OtherUpdatedAt     *store.Time // the token of the record that shares the text; nil if none did when it was read
}

// ChangeText edits the text of a record. If a session and its one abstract share their text, either may be edited:
// both rows are written in one transaction, and each whose text changes emits session.updated. It answers NotFound
// for a record that is not live, or whose linked session is not; Invalid for a text that breaks a rule; and Stale if
// either token is outdated, or if the text is now shared with another record. It returns the edited record.
func (p *Programme) ChangeText(ctx context.Context, id string, c TextChange) (*Session, error) {
	var f store.Faults
	cleanTexts(&f, &c.Title, &c.Description)
	if err := f.Err(); err != nil {
		return nil, err
	}
	return store.Make(ctx, p.Write, func(tx *store.Tx) (*Session, error) {
		before, edited, other, err := p.sharing(tx, id)
		if err != nil {
			return nil, err
		}
		if c.outdated(edited, other) {
			return nil, errStale
		}
		s := new(*before)
		if c.Title != nil {
			s.Title = *c.Title
		}
		if c.Description != nil {
			s.Description = *c.Description
		}
		if err := p.commit(tx, updating, change{before, s}); err != nil || edited == before {
			return s, err
		}
		return p.load(tx.DB, id)
	})
}

// sharing returns three records, locked with programme sessions first: the one that holds the text, the one with the
// id, and the one that shares its text, if any.
func (p *Programme) sharing(tx *store.Tx, id string) (writes, edited, other *Session, err error) {
	if !store.IsID(id) {
		return nil, nil, nil, store.NoSuch("session")
	}
	var target string
	if err := tx.Model(&Session{}).Where("event_id = ? AND id = ? AND is_linked", p.event.ID, id).
		Select("composed_into").Scan(&target).Error; err != nil {
		return nil, nil, nil, err
	}
	if target == "" {
		if writes, err = p.Live(tx, id); err != nil {
			return nil, nil, nil, err
		}
		if !writes.IsAbstract {
			other, err = p.Linked(tx, id)
		} else if writes.IsLinked { // it was linked after the look-up above
			err = errStale
		}
		return writes, writes, other, err
	}
	if writes, err = p.Live(tx, target); err != nil {
		return nil, nil, nil, store.Missing("Its session is in the Trash. Restore that before you change the text of both.")
	}
	if edited, err = p.Live(tx, id); err != nil {
		return nil, nil, nil, err
	}
	if !edited.IsLinked || !equal(edited.ComposedInto, &target) {
		return nil, nil, nil, errStale
	}
	return writes, edited, writes, nil
}

// outdated reports whether the text was changed, or became shared with another record, since it was read.
func (c *TextChange) outdated(edited, other *Session) bool {
	is := func(token *store.Time, s *Session) bool { return token.Equal(s.UpdatedAt.Time) }
	switch {
	case c.UpdatedAt == nil:
		return false
	case !is(c.UpdatedAt, edited):
		return true
	case other == nil || c.OtherUpdatedAt == nil:
		return (other == nil) != (c.OtherUpdatedAt == nil)
	}
	return !is(c.OtherUpdatedAt, other)
}

// cleanTexts cleans a title and a description, each if it is given.
func cleanTexts(f *store.Faults, title, description **string) {
	if *title != nil {
		*title = new(**title)
		f.Clean(store.CleanName, "title", *title, store.MaxTitle)
	}
	if *description != nil {
		*description = new(**description)
		f.Clean(store.CleanHTML, "description", *description, store.MaxDescription)
	}
}

// Counterpart returns the record that shares s's title and description, deleted or not; nil if none does.
func (p *Programme) Counterpart(ctx context.Context, s *Session) (*Session, error) {
	switch {
	case s.IsLinked && s.ComposedInto != nil:
		return p.Session(ctx, *s.ComposedInto)
	case !s.SharesText():
		return nil, nil
	}
	var ids []string
	err := p.Read(ctx).Model(&Session{}).Where("event_id = ? AND composed_into = ? AND is_linked", p.event.ID, s.ID).
		Pluck("id", &ids).Error
	if err != nil || len(ids) == 0 { // it was detached in between
		return nil, err
	}
	return p.Session(ctx, ids[0])
}
