package models

import (
	"context"

	"gorm.io/gorm"

	"lectern/models/store"
)

// runCompose makes a session of an accepted abstract that is in none.
func runCompose(
	ctx context.Context, p *Programme, _ *store.Tx, _ *BatchChange, item *BatchRow,
) (before, after *Session, err error) {
	s, err := p.ComposeParts(ctx, Composition{Parts: []Part{{AbstractID: item.SessionID}}, accepted: true})
	if err == nil {
		item.Before, item.After = BatchFacts{composedFact: nil}, BatchFacts{composedFact: s.ID, tokenFact: s.UpdatedAt.String()}
	}
	return nil, nil, err
}

// What an item keeps of a composition: the new session and its token.
const composedFact, tokenFact = "composed_into", "updated_at"

// undoCompose detaches an abstract from the session made of it and moves that session to the Trash, unless it was
// changed since or has other parts by now.
func undoCompose(
	ctx context.Context, p *Programme, _ *store.Tx, _ *BatchChange, item *BatchRow,
) (before, after *Session, err error) {
	into, _ := item.Before[composedFact].(string)
	text, _ := item.Before[tokenFact].(string)
	token, err := store.ParseTime(text)
	if err != nil {
		return nil, nil, err
	}
	_, err = p.ComposeParts(ctx, Composition{Into: into, UpdatedAt: &token, Was: []Part{{AbstractID: item.SessionID}}})
	if store.KindOf(err) == store.Stale || store.KindOf(err) == store.NotFound {
		err = store.Invalidf("session", "was changed since, so nothing is undone here")
	}
	if err == nil {
		_, err = p.DeleteSession(ctx, into)
	}
	item.Before, item.After = BatchFacts{}, BatchFacts{}
	return nil, nil, err
}

// ComposePlan is what BatchCompose would come to, in numbers.
type ComposePlan struct {
	Sessions  int64 // made, each of one abstract
	Composed  int64 // abstracts that stay as they are since they are in a session
	Undecided int64 // and since they are not accepted
	People    int64 // on the sessions that are made
	Untold    int64 // sessions made that are held until the letters to their people are sent
}

// PlanCompose counts what BatchCompose would do with the sessions with these ids, or with those that pass the filter
// of q. It answers Invalid as StartBatch does.
func (p *Programme) PlanCompose(ctx context.Context, ids []string, q *SessionSearch) (*ComposePlan, error) {
	chosen, err := p.Chosen(ctx, ids, q)
	if err != nil {
		return nil, err
	}
	plan := &ComposePlan{}
	all := func() *gorm.DB {
		return chosen(p.read(ctx).Model(&Session{})).Where("is_abstract AND deleted_at IS NULL")
	}
	ready := func() *gorm.DB { return p.needing(all(), NeedsSession) }
	for _, count := range []struct {
		of   *gorm.DB
		into *int64
	}{
		{ready(), &plan.Sessions},
		{all().Where("composed_into IS NOT NULL"), &plan.Composed},
		{all().Where("composed_into IS NULL AND status <> 'accepted'"), &plan.Undecided},
		{p.needing(ready(), NeedsLetter), &plan.Untold},
	} {
		if err := count.of.Count(count.into).Error; err != nil {
			return nil, err
		}
	}
	err = p.read(ctx).Table("participants").Where("event_id = ? AND session_id IN (?)", p.event.ID, ready().Select("id")).
		Distinct("contact_id").Count(&plan.People).Error
	return plan, err
}
