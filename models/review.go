package models

import (
	"context"
	"fmt"

	"gorm.io/gorm/clause"

	"lectern/models/staff"
	"lectern/models/store"
)

// MinScore and MaxScore are the poorest and the best score; MaxReviewComment is the longest comment, in characters.
const (
	MinScore         = 1
	MaxScore         = 5
	MaxReviewComment = 10_000
)

// Score is the mean of a submission's reviews in hundredths of a point.
type Score int

func (s Score) String() string { return fmt.Sprintf("%d.%02d", s/100, s%100) }

// ReviewState says whether a reviewer scored a submission or stepped aside.
type ReviewState string

const (
	Scored     ReviewState = "given"
	Abstained  ReviewState = "abstained" // has no opinion
	InConflict ReviewState = "conflict"  // knows those who submitted it too well
)

// Review is the opinion of one member of staff on a submission in a round.
type Review struct {
	EventID   string
	RoundID   string `gorm:"primaryKey"` // the event's id for the round of all submissions
	SessionID string `gorm:"primaryKey"`
	UserID    string `gorm:"primaryKey"`
	State     ReviewState
	Points    *Score // nil if the reviewer stepped aside, or the scorecard asks for no number
	Comment   string
	Answers   map[string]string `gorm:"serializer:json"` // by the ids of the round's criteria
	CreatedAt store.Time
	UpdatedAt store.Time
	Reviewer  string `gorm:"->"` // the reviewer's name; "" unless the query selects it
}

// Score returns the points rounded to whole ones, from MinScore to MaxScore; 0 without points.
func (r *Review) Score() int {
	if r.Points == nil {
		return 0
	}
	return int(*r.Points+50) / 100
}

// Opinion is the content of a review.
type Opinion struct {
	Score   int    // MinScore to MaxScore
	Comment string // plain text, at most MaxReviewComment characters; may be empty
}

func (o *Opinion) clean() error {
	var f store.Faults
	if o.Score < MinScore || o.Score > MaxScore {
		f.Add(store.Invalidf("score", "must be from %d to %d", MinScore, MaxScore))
	}
	f.Clean(store.CleanText, "comment", &o.Comment, MaxReviewComment)
	return f.Err()
}

// Reviewable answers Invalid, with the reason as its message, when this member of staff cannot review the
// session: only submissions that were handed in and not withdrawn are reviewed, and nobody reviews their own.
func (s *Session) Reviewable(by *staff.User) error {
	reason := ""
	switch {
	case !s.IsAbstract:
		reason = "Only submissions are reviewed."
	case s.Status == Draft:
		reason = "This is still a draft. It can be reviewed once it is handed in."
	case s.Status == Withdrawn:
		reason = "This was withdrawn, so it is not reviewed."
	}
	for _, person := range s.Participants {
		if store.Fold(person.Email) == by.EmailKey {
			reason = "You are on this submission yourself, so others review it."
		}
	}
	if reason == "" {
		return nil
	}
	return &store.Error{Kind: store.Invalid, Message: reason}
}

// GiveReview saves the opinion of a member of staff on a live submission and replaces their earlier one. It answers
// NotFound, and Invalid for an opinion that breaks a rule or a session that is not Reviewable by them. It emits
// nothing and moves no token, because a review is not part of the submission.
func (p *Programme) GiveReview(ctx context.Context, by *staff.User, sessionID string, o Opinion) error {
	if err := o.clean(); err != nil {
		return err
	}
	return p.Write(ctx, func(tx *store.Tx) error {
		s, err := p.Live(tx, sessionID)
		if err != nil {
			return err
		}
		if err := s.Reviewable(by); err != nil {
			return err
		}
		if err := p.allOpen(tx); err != nil {
			return err
		}
		return p.KeepReview(tx, &Review{RoundID: p.event.ID, SessionID: s.ID, UserID: by.ID, State: Scored,
			Points: new(Score(o.Score * 100)), Comment: o.Comment})
	})
}

// KeepReview saves a review in its round, replacing its author's earlier one, and updates the score of the session,
// which the caller has locked.
func (p *Programme) KeepReview(tx *store.Tx, r *Review) error {
	r.EventID, r.CreatedAt, r.UpdatedAt = p.event.ID, tx.Now, tx.Now
	if r.Answers == nil {
		r.Answers = map[string]string{}
	}
	if err := tx.Clauses(clause.OnConflict{
		Columns:   []clause.Column{{Name: "session_id"}, {Name: "user_id"}, {Name: "round_id"}},
		DoUpdates: clause.AssignmentColumns([]string{"state", "points", "comment", "answers", "updated_at"}),
	}).Create(r).Error; err != nil {
		return err
	}
	err := tx.Exec("INSERT INTO review_results (event_id, round_id, session_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
		p.event.ID, r.RoundID, r.SessionID).Error
	if err != nil {
		return err
	}
	return p.Rescore(tx, r.SessionID)
}

// TakeReviewBack deletes the review of a member of staff on a live submission, in the round of all submissions. It
// answers NotFound if there is none.
func (p *Programme) TakeReviewBack(ctx context.Context, by *staff.User, sessionID string) error {
	return p.Write(ctx, func(tx *store.Tx) error {
		s, err := p.Live(tx, sessionID)
		if err != nil {
			return err
		}
		done := tx.Where("event_id = ? AND round_id = ? AND session_id = ? AND user_id = ?",
			p.event.ID, p.event.ID, s.ID, by.ID).Delete(&Review{})
		if err := store.Changed(done, store.NoSuch("review of yours")); err != nil {
			return err
		}
		return p.Rescore(tx, s.ID)
	})
}

// Rescore updates the mean score of a locked session, in all and per round. It divides integers and rounds half up, so
// both databases get the same result.
func (p *Programme) Rescore(tx *store.Tx, sessionID string) error {
	Touch(tx, p.event.ID)
	if err := tx.Exec(`UPDATE sessions SET (score, reviews) = (
			SELECT (2 * sum(points) + count(*)) / nullif(2 * count(*), 0), count(*) FROM reviews
			WHERE session_id = sessions.id AND `+counts+`)
		WHERE event_id = ? AND id = ?`, p.event.ID, sessionID).Error; err != nil {
		return err
	}
	return p.CountResults(tx, "session_id = ?", sessionID)
}

// CountResults recounts reviews and assignments for the rows of review_results that meet a condition. The variance is
// in squared hundredths of a point.
func (p *Programme) CountResults(tx *store.Tx, condition string, values ...any) error {
	Touch(tx, p.event.ID)
	values = append([]any{p.event.ID}, values...)
	return tx.Exec(`UPDATE review_results SET (answered, aside, scored, mean, variance) = (
			SELECT count(*), count(CASE WHEN state <> 'given' THEN 1 END), count(points),
				(2 * sum(points) + count(points)) / nullif(2 * count(points), 0),
				(count(points) * sum(points * points) - sum(points) * sum(points)) / nullif(count(points) * count(points), 0)
			FROM reviews WHERE reviews.round_id = review_results.round_id
				AND reviews.session_id = review_results.session_id AND `+byOthers+`),
			assigned = (SELECT count(*) FROM review_assignments WHERE review_assignments.round_id = review_results.round_id
				AND review_assignments.session_id = review_results.session_id)
		WHERE event_id = ? AND `+condition, values...).Error
}

// Reviews returns the reviews of a session, the latest first, with the names of their reviewers: all that count, of any
// round, or with onlyBy what this member of staff gave in the round of all submissions.
func (p *Programme) Reviews(ctx context.Context, sessionID, onlyBy string) (reviews []*Review, err error) {
	db := p.Read(ctx).Table("reviews").Joins("JOIN users ON users.id = reviews.user_id").
		Select("reviews.*, users.name AS reviewer").
		Where("event_id = ? AND session_id = ?", p.event.ID, sessionID)
	if onlyBy != "" {
		db = db.Where("user_id = ? AND round_id = event_id", onlyBy)
	} else {
		db = db.Where(counts)
	}
	return reviews, db.Order("reviews.updated_at DESC, user_id").Scan(&reviews).Error
}

// OwnScores returns the scores that one member of staff gave in the round of all submissions, by session id: all of
// them, or only those of the given sessions.
func (p *Programme) OwnScores(ctx context.Context, userID string, these ...string) (map[string]int, error) {
	query := p.Read(ctx).Select("session_id, points").
		Where("event_id = ? AND user_id = ? AND round_id = event_id", p.event.ID, userID)
	if len(these) > 0 {
		query = query.Where("session_id IN ?", these)
	}
	var rows []Review
	err := query.Find(&rows).Error
	scores := make(map[string]int, len(rows))
	for _, r := range rows {
		scores[r.SessionID] = r.Score()
	}
	return scores, err
}

// ScoresOf returns the scores that count, by session id, each session's from the lowest up.
func (p *Programme) ScoresOf(ctx context.Context, sessionIDs []string) (map[string][]int, error) {
	var rows []Review
	err := p.Read(ctx).Select("session_id, points").Where("event_id = ? AND session_id IN ?", p.event.ID, sessionIDs).
		Where(counts).Order("session_id, points").Find(&rows).Error
	scores := map[string][]int{}
	for _, r := range rows {
		scores[r.SessionID] = append(scores[r.SessionID], r.Score())
	}
	return scores, err
}
