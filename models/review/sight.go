package review

import (
	"context"
	"maps"

	"lectern/models"
	"lectern/models/staff"
)

// Narrow returns a member of staff with the roles that rounds leave them: at an event where they are only a reviewer,
// and are on a round with assignments or the round of all submissions is not open, their role is RoundReviewer. All
// other reads of events use it, so nobody sees more by another way.
func Narrow(ctx context.Context, s *models.Store, u *staff.User) (*staff.User, error) {
	if !reviewsAnywhere(u) {
		return u, nil
	}
	var events []struct {
		ID       string
		Narrowed bool
	}
	now := s.Now()
	if err := s.Read(ctx).Raw(`SELECT events.id, EXISTS (SELECT 1 FROM round_reviewers
				WHERE round_reviewers.event_id = events.id AND round_reviewers.email_key = ?)
			OR EXISTS (SELECT 1 FROM review_rounds WHERE review_rounds.id = events.id
				AND (opens_at > ? OR closes_at <= ?)) AS narrowed
		FROM events WHERE organization_id = ?`, u.EmailKey, now, now, u.OrganizationID).Scan(&events).Error; err != nil {
		return nil, err
	}
	narrowed, roles := false, maps.Clone(u.Roles)
	if u.Everywhere {
		roles = map[string]staff.Role{}
	}
	for _, e := range events {
		role := u.RoleAt(e.ID)
		if role == staff.Reviewer && e.Narrowed {
			role, narrowed = staff.RoundReviewer, true
		}
		if role != "" {
			roles[e.ID] = role
		}
	}
	if !narrowed {
		return u, nil
	}
	part := *u
	part.Everywhere, part.Roles = false, roles
	return &part, nil
}

func reviewsAnywhere(u *staff.User) bool {
	if u.Everywhere {
		return u.Role == staff.Reviewer
	}
	for _, role := range u.Roles {
		if role == staff.Reviewer {
			return true
		}
	}
	return false
}
