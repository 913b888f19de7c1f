package review

import (
	"context"
	"slices"

	"lectern/models/staff"
	"lectern/models/store"
)

// reviewerRow is somebody on a round. An invitation that was not accepted yet has a row already, so that whoever
// accepts it is on the round from the first moment.
type reviewerRow struct {
	EventID, RoundID, EmailKey string
	CreatedAt                  store.Time
}

func (reviewerRow) TableName() string { return "round_reviewers" }

// Reviewer is somebody on a round, and how far they are.
type Reviewer struct {
	UserID   string // "" of who was invited and has not come yet
	Name     string // the address of those
	Email    string
	Assigned int64
	Answered int64 // of the assigned
	Aside    int64 // of the answered: abstained, or in conflict
}

// Waiting is how many of the assigned wait for the reviewer.
func (r *Reviewer) Waiting() int64 { return r.Assigned - r.Answered }

// Reviewers are those on a round, by name; those who have not come yet last. What was withdrawn or deleted since is not
// counted, as their queues do not have it.
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

// Candidates are the members of staff who may review here and are not on a round yet, by name.
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

// AddReviewers puts members of staff who may review here on a round. It answers NotFound, and Invalid for who may not
// and for the round of all submissions, on which everybody is who may review.
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

// Expect puts who is invited to the staff by an address on a round, from the moment they come.
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

// RemoveReviewer takes somebody off a round, by their address, with what is assigned to them and not reviewed yet.
// Reviews that they gave stay. It answers NotFound.
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
