package reviews

import (
	"context"
	"slices"

	"lectern/models/staff"
	"lectern/models/store"
)

// reviewerRow is somebody on a round. Somebody invited to the staff has a row already, so that they are on the round as
// soon as they accept.
type reviewerRow struct {
	EventID, RoundID, EmailKey string
	CreatedAt                  store.Time
}

func (reviewerRow) TableName() string { return "round_reviewers" }

// Reviewer is somebody on a round, and their progress.
type Reviewer struct {
	UserID   string // "" for somebody who has not accepted their invitation
	Name     string // their address then
	Email    string
	Assigned int64
	Answered int64 // of the assigned
	Aside    int64 // of the answered: abstained, or in conflict
}

// Waiting returns how many of the assigned submissions wait for the reviewer.
func (r *Reviewer) Waiting() int64 { return r.Assigned - r.Answered }

// Reviewers returns the people on a round, by name; those who have not accepted their invitation come last. Submissions
// that were withdrawn or deleted are not counted, as they are in no queue.
func (r *Rounds) Reviewers(ctx context.Context, roundID string) ([]*Reviewer, error) {
	var all []*Reviewer
	err := r.p.Read(ctx).Raw(`SELECT coalesce(users.id, '') AS user_id, coalesce(users.name, round_reviewers.email_key) AS name,
			coalesce(users.email, round_reviewers.email_key) AS email, coalesce(x.assigned, 0) AS assigned,
			coalesce(x.answered, 0) AS answered, coalesce(x.aside, 0) AS aside
		FROM round_reviewers LEFT JOIN users ON users.email_key = round_reviewers.email_key AND users.disabled_at IS NULL
			AND users.organization_id = ?
		LEFT JOIN (SELECT a.user_id, count(*) AS assigned, count(reviews.state) AS answered,
				count(CASE WHEN reviews.state <> 'given' THEN 1 END) AS aside
			FROM `+assigned+` WHERE a.round_id = ? AND `+reviewed+` GROUP BY a.user_id) x ON x.user_id = users.id
		WHERE round_reviewers.event_id = ? AND round_reviewers.round_id = ?`,
		r.p.Event().OrganizationID, roundID, r.p.Event().ID, roundID).Scan(&all).Error
	slices.SortFunc(all, func(a, b *Reviewer) int {
		if (a.UserID == "") != (b.UserID == "") {
			return map[bool]int{true: 1, false: -1}[a.UserID == ""]
		}
		return store.CompareNames(a.Name, a.UserID, b.Name, b.UserID)
	})
	return all, err
}

// Candidates returns the members of staff who may review here and are not on a round yet, by name.
func (r *Rounds) Candidates(ctx context.Context, roundID string) ([]*staff.User, error) {
	members, err := r.p.Team().Members(ctx)
	if err != nil {
		return nil, err
	}
	on, err := r.Reviewers(ctx, roundID)
	return slices.DeleteFunc(members, func(u *staff.User) bool {
		return !u.RoleAt(r.p.Event().ID).Covers(staff.Reviewer) ||
			slices.ContainsFunc(on, func(o *Reviewer) bool { return o.UserID == u.ID })
	}), err
}

// AddReviewers adds members of staff who may review here to a round. It answers NotFound, and Invalid for somebody who
// may not and for the round of all submissions, which all of them belong to.
func (r *Rounds) AddReviewers(ctx context.Context, roundID string, userIDs []string) error {
	members, err := r.p.Team().Members(ctx)
	if err != nil {
		return err
	}
	var keys []string
	for _, id := range userIDs {
		at := slices.IndexFunc(members, func(u *staff.User) bool { return u.ID == id })
		if at < 0 || !members[at].RoleAt(r.p.Event().ID).Covers(staff.Reviewer) {
			return store.Invalidf("user", "must be members of staff who may review here")
		}
		keys = append(keys, members[at].EmailKey)
	}
	return r.add(ctx, roundID, keys)
}

// Expect adds somebody to a round who is invited to the staff by an address; they are on it once they accept.
func (r *Rounds) Expect(ctx context.Context, roundID, email string) error {
	email, err := store.CleanEmail(email)
	if err != nil {
		return err
	}
	return r.add(ctx, roundID, []string{store.Fold(email)})
}

func (r *Rounds) add(ctx context.Context, roundID string, keys []string) error {
	return r.p.Write(ctx, func(tx *store.Tx) error {
		round, err := r.hold(tx, roundID)
		if err != nil {
			return err
		}
		if round.GivesAll {
			return &store.Error{Kind: store.Invalid, Message: "Everybody is on this round who may review here."}
		}
		for _, key := range slices.Sorted(slices.Values(keys)) {
			if err := tx.Exec(`INSERT INTO round_reviewers (event_id, round_id, email_key, created_at) VALUES (?, ?, ?, ?)
				ON CONFLICT DO NOTHING`, round.EventID, round.ID, key, tx.Now).Error; err != nil {
				return err
			}
		}
		return r.p.Record(tx, store.Change{Subject: "review_round", ID: roundID, Action: "updated",
			After: map[string]any{"reviewers_added": len(keys)}})
	})
}

// RemoveReviewer removes somebody from a round, by their address, with their assignments that they have not reviewed.
// Their reviews stay. It answers NotFound.
func (r *Rounds) RemoveReviewer(ctx context.Context, roundID, email string) error {
	if !store.IsEmail(email) {
		return store.NoSuch("reviewer of this round")
	}
	return r.p.Write(ctx, func(tx *store.Tx) error {
		if _, err := r.hold(tx, roundID); err != nil {
			return err
		}
		key := store.Fold(email)
		gone := tx.Where("round_id = ? AND email_key = ?", roundID, key).Delete(&reviewerRow{})
		if err := store.Changed(gone, store.NoSuch("reviewer of this round")); err != nil {
			return err
		}
		var ids []string
		theirs := "round_id = ? AND user_id = (SELECT id FROM users WHERE email_key = ?)"
		if err := tx.Model(&assignment{}).Where(theirs, roundID, key).Order("session_id").Pluck("session_id", &ids).Error; err != nil {
			return err
		}
		if err := tx.Where(theirs, roundID, key).Where(`NOT EXISTS (SELECT 1 FROM reviews WHERE reviews.round_id = review_assignments.round_id
			AND reviews.session_id = review_assignments.session_id AND reviews.user_id = review_assignments.user_id)`).
			Delete(&assignment{}).Error; err != nil {
			return err
		}
		if err := r.count(tx, roundID, ids); err != nil {
			return err
		}
		return r.p.Record(tx, store.Change{Subject: "review_round", ID: roundID, Action: "updated",
			After: map[string]any{"reviewers_removed": 1}})
	})
}
