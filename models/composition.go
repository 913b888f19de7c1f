package models

import (
	"context"
	"maps"
	"slices"

	"gorm.io/gorm"

	"lectern/models/store"
)

// CompositionStatus is a session's part in a composition.
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

// partOrder orders the parts of a session; parts without a position follow in the order in which they came in.
const partOrder = "part_order, created_at, id"

// Sources returns the live abstracts that a session is composed of, in order, with everything embedded.
func (p *Programme) Sources(ctx context.Context, sessionID string) ([]*Session, error) {
	sources, err := scanSessions(p.read(ctx).Model(&Session{}).Order(partOrder).
		Where("event_id = ? AND composed_into = ? AND deleted_at IS NULL", p.event.ID, sessionID))
	if err != nil {
		return nil, err
	}
	return sources, p.embed(p.read(ctx), sources)
}

// loadCompositions fills the composition status of all sessions, in one query
// that is left out where no composition is possible.
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
