package models

import (
	"context"
	"maps"
	"slices"

	"gorm.io/gorm"

	"lectern/models/store"
)

// CompositionStatus describes a session's part in a composition.
type CompositionStatus struct {
	Role        string             `json:"role" enum:"standalone,source,target" doc:"source = the abstract, target = the session it was composed into"`
	IsLinked    bool               `json:"is_linked" doc:"Title and description are one text with the other side's"`
	IsReadOnly  bool               `json:"is_read_only" doc:"Title and description are edited on the target"`
	SourceCount int                `json:"source_count"`
	Target      *CompositionTarget `json:"target"`
}

// CompositionTarget is the session an abstract was composed into.
type CompositionTarget struct {
	ID         string `json:"id"`
	FriendlyID string `json:"friendly_id"`
	Title      string `json:"title"`
	IsAbstract bool   `json:"is_abstract"`
	InTrash    bool   `json:"-"`
}

// partOrder orders the parts of a session; parts without a position follow in the order in which they were added.
const partOrder = "part_order, created_at, id"

// Sources returns the live abstracts that a session is composed of, in order, with everything embedded.
func (p *Programme) Sources(ctx context.Context, sessionID string) ([]*Session, error) {
	sources, err := scanSessions(p.Read(ctx).Model(&Session{}).Order(partOrder).
		Where("event_id = ? AND composed_into = ? AND deleted_at IS NULL", p.event.ID, sessionID))
	if err != nil {
		return nil, err
	}
	return sources, p.embed(p.Read(ctx), sources)
}

// loadCompositions fills in the composition status of all sessions, with one query, or none where no session can be
// part of a composition.
func loadCompositions(db *gorm.DB, eventID string, sessions map[string]*Session) error {
	var targets, candidates []string
	for _, id := range slices.Sorted(maps.Keys(sessions)) {
		s := sessions[id]
		s.CompositionStatus = CompositionStatus{Role: "standalone"}
		if s.ComposedInto != nil {
			targets = append(targets, *s.ComposedInto)
		} else if !s.IsAbstract {
			candidates = append(candidates, id)
		}
	}
	if len(targets)+len(candidates) == 0 {
		return nil
	}
	var rows []*Session
	query := db.Select("id, friendly_id, title, is_abstract, composed_into, is_linked, deleted_at")
	switch {
	case len(candidates) == 0:
		query = query.Where("event_id = ? AND id ?", eventID, store.AnyOf(targets))
	case len(targets) == 0:
		query = query.Where("event_id = ? AND composed_into ?", eventID, store.AnyOf(candidates))
	default:
		query = query.Where("event_id = ? AND (id ? OR composed_into ?)", eventID, store.AnyOf(targets), store.AnyOf(candidates))
	}
	if err := query.Find(&rows).Error; err != nil {
		return err
	}
	byID := make(map[string]*Session, len(rows))
	for _, row := range rows {
		byID[row.ID] = row
		if row.ComposedInto == nil {
			continue
		}
		if target := sessions[*row.ComposedInto]; target != nil {
			status := &target.CompositionStatus
			status.Role, status.IsLinked = "target", row.IsLinked
			status.SourceCount++
		}
	}
	for _, s := range sessions {
		if s.ComposedInto == nil {
			continue
		}
		if t := byID[*s.ComposedInto]; t != nil {
			s.CompositionStatus = CompositionStatus{
				Role: "source", IsLinked: s.IsLinked, IsReadOnly: s.IsLinked,
				Target: &CompositionTarget{t.ID, t.FriendlyID, t.Title, t.IsAbstract, t.DeletedAt != nil},
			}
		}
	}
	return nil
}

// runCompose makes a session of an accepted abstract that is in no session.
func runCompose(
	ctx context.Context, p *Programme, _ *store.Tx, _ *BatchChange, item *BatchRow,
) (before, after *Session, err error) {
	s, err := p.ComposeParts(ctx, Composition{Parts: []Part{{AbstractID: item.SessionID}}, accepted: true})
	if err == nil {
		item.Before, item.After = BatchFacts{composedFact: nil}, BatchFacts{composedFact: s.ID,
			tokenFact: s.UpdatedAt.String()}
	}
	return nil, nil, err
}

// composedFact and tokenFact name what an item keeps of a composition: the new session's id and token.
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

// ComposePlan counts what BatchCompose would do.
type ComposePlan struct {
	Sessions  int64 // that are made, each of one abstract
	Composed  int64 // abstracts left alone because they are in a session
	Undecided int64 // abstracts left alone because they are not accepted
	People    int64 // on the sessions that are made
	Untold    int64 // sessions that are made and held until their people's letters are sent
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
		return chosen(p.Read(ctx).Model(&Session{})).Where("is_abstract AND deleted_at IS NULL")
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
	err = p.Read(ctx).Table("participants").Where("event_id = ? AND session_id IN (?)", p.event.ID, ready().Select("id")).
		Distinct("contact_id").Count(&plan.People).Error
	return plan, err
}
