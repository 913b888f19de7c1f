package models

import (
	"context"

	"gorm.io/gorm"

	"lectern/models/staff"
	"lectern/models/store"
)

// awaitsReview is the SQL condition for live sessions that wait for a user's review: undecided submissions of others.
// Both parameters are the user's id.
const awaitsReview = `is_abstract AND status = 'pending'
	AND NOT EXISTS (SELECT 1 FROM reviews WHERE reviews.session_id = sessions.id AND reviews.user_id = ?
		AND reviews.round_id = reviews.event_id)
	AND ` + notTheirOwn

// notTheirOwn excludes sessions in which the user takes part; its parameter is the user's id.
const notTheirOwn = `NOT EXISTS (SELECT 1 FROM participants
	JOIN contacts ON contacts.id = participants.contact_id JOIN users ON users.email_key = contacts.email_key
	WHERE participants.session_id = sessions.id AND users.id = ?)`

// byOthers selects reviews whose author takes no part in the session now.
const byOthers = `NOT EXISTS (SELECT 1 FROM participants
	JOIN contacts ON contacts.id = participants.contact_id JOIN users ON users.email_key = contacts.email_key
	WHERE participants.session_id = reviews.session_id AND users.id = reviews.user_id)`

// counts selects the reviews that count towards a score.
const counts = "reviews.points IS NOT NULL AND " + byOthers

// isReviewed selects sessions that can be reviewed: live submissions that were handed in and not withdrawn, decided or
// not.
const isReviewed = "sessions.deleted_at IS NULL AND is_abstract AND status NOT IN ('draft', 'withdrawn')"

// AwaitingReview returns how many submissions wait for the review of a member of staff.
func (p *Programme) AwaitingReview(ctx context.Context, userID string) (int64, error) {
	filter := &SessionFilter{AwaitsReviewBy: userID}
	return p.CountPassing(ctx, p.filter(p.Read(ctx).Model(&Session{}), filter).Session(&gorm.Session{}), filter)
}

// NextToReview returns the submission after the given one that waits for the review of a member of staff, in the order
// and filter of a search; after the last one it begins again. It returns nil if nothing in the search waits for them,
// and answers Invalid for a search that breaks a rule.
func (p *Programme) NextToReview(ctx context.Context, userID string, q SessionSearch, after *Session) (*Session, error) {
	q.Filter.AwaitsReviewBy, q.Page = userID, store.Page{}
	if err := p.cleanSearch(ctx, &q); err != nil {
		return nil, err
	}
	terms := q.terms()
	at, err := p.placeOf(p.Read(ctx), &q, after)
	if err != nil {
		return nil, err
	}
	condition, values := beyond(terms, at, false)
	waiting := p.found(p.Read(ctx), &q).Where("id <> ?", after.ID).
		Order(orderBy(terms, false)).Limit(1).Session(&gorm.Session{})
	next, err := scanSessions(waiting.Where(condition, values...))
	if err == nil && len(next) == 0 {
		next, err = scanSessions(waiting)
	}
	if err != nil || len(next) == 0 {
		return nil, err
	}
	return next[0], nil
}

// ReviewGiven is a user's own review with the submission it is about.
type ReviewGiven struct {
	SessionID, FriendlyID, Title string
	Score                        int
	UpdatedAt                    store.Time
}

// given selects a user's reviews of sessions that can still be reviewed and are not their own.
func (p *Programme) given(ctx context.Context, userID string) *gorm.DB {
	return p.Read(ctx).Table("reviews").Joins("JOIN sessions ON sessions.id = reviews.session_id").
		Where("reviews.event_id = ? AND reviews.user_id = ? AND reviews.round_id = reviews.event_id", p.event.ID, userID).
		Where(isReviewed).Where(notTheirOwn, userID)
}

// ReviewsGiven returns the reviews that a member of staff gave of sessions that can still be reviewed and are not their
// own, the latest first, at most limit of them.
func (p *Programme) ReviewsGiven(ctx context.Context, userID string, limit int) (rows []*ReviewGiven, err error) {
	err = p.given(ctx, userID).
		Select("reviews.session_id, sessions.friendly_id, sessions.title, (reviews.points + 50) / 100 AS score, reviews.updated_at").
		Order("reviews.updated_at DESC, reviews.session_id").Limit(limit).Scan(&rows).Error
	return rows, err
}

// CountReviewsGiven returns how many ReviewsGiven there are in all.
func (p *Programme) CountReviewsGiven(ctx context.Context, userID string) (int64, error) {
	return p.Counted(ctx, "given by "+userID, func() (n int64, err error) {
		err = p.given(ctx, userID).Count(&n).Error
		return n, err
	})
}

// Counted caches a count by name until sessions of the event or their reviews change.
func (p *Programme) Counted(ctx context.Context, of string, count func() (int64, error)) (int64, error) {
	return p.store.caches.counts.Get(ctx, countKey{p.event.ID, of}, p.sessionsVersion(), count)
}

// Reviewing says how many reviews one member of staff has given, and how many are still to do.
type Reviewing struct {
	UserID, Name   string
	IsReviewer     bool // by their role at the event; organizers may review too
	Given, Waiting int64
}

// ReviewProgress returns the progress of everybody who is a reviewer at the event, or gave a review of a session that
// can still be reviewed, by name. Their own submissions neither wait for them nor count as given.
func (p *Programme) ReviewProgress(ctx context.Context) ([]*Reviewing, error) {
	users, err := p.store.Staff.Team(p.store.Organization(p.event.OrganizationID, p.by)).Members(ctx)
	if err != nil {
		return nil, err
	}
	var pending int64
	filter := &SessionFilter{IsAbstract: new(true), Statuses: []Status{Pending}}
	if pending, err = p.CountPassing(ctx, p.filter(p.Read(ctx).Model(&Session{}), filter).Session(&gorm.Session{}),
		filter); err != nil {
		return nil, err
	}
	// Excepted counts the pending submissions that do not wait for a user: their own, and those they reviewed.
	var rows []struct {
		UserID          string
		Given, Excepted int64
	}
	err = p.Read(ctx).Raw(`WITH mine AS (
			SELECT DISTINCT users.id AS user_id, participants.session_id FROM participants
			JOIN contacts ON contacts.id = participants.contact_id JOIN users ON users.email_key = contacts.email_key
			WHERE participants.event_id = ?
		), touched AS (
			SELECT user_id, session_id, 1 AS given FROM reviews WHERE event_id = ? AND round_id = event_id
				AND NOT EXISTS (SELECT 1 FROM mine WHERE mine.user_id = reviews.user_id AND mine.session_id = reviews.session_id)
			UNION ALL SELECT user_id, session_id, 0 FROM mine
		)
		SELECT user_id, sum(given) AS given, count(CASE WHEN status = 'pending' THEN 1 END) AS excepted
		FROM touched JOIN sessions ON sessions.id = touched.session_id
		WHERE sessions.event_id = ? AND `+isReviewed+` GROUP BY user_id`, p.event.ID, p.event.ID, p.event.ID).Scan(&rows).Error
	if err != nil {
		return nil, err
	}
	var all []*Reviewing
	for _, u := range users {
		r := &Reviewing{UserID: u.ID, Name: u.Name, IsReviewer: u.RoleAt(p.event.ID) == staff.Reviewer, Waiting: pending}
		for _, row := range rows {
			if row.UserID == u.ID {
				r.Given, r.Waiting = row.Given, pending-row.Excepted
			}
		}
		if r.IsReviewer || r.Given > 0 {
			all = append(all, r)
		}
	}
	return all, nil
}

// ReviewRound is a period of reviews, of all submissions or of assigned ones. Each event starts with a round of all
// submissions, whose id is the event's. The operations on rounds are in models/review.
type ReviewRound struct {
	ID        string
	EventID   string
	Name      string
	GivesAll  bool
	IsBlind   bool        // its reviewers see no names
	OpensAt   *store.Time // nil for at once
	ClosesAt  *store.Time // nil for not yet known
	CreatedAt store.Time
	UpdatedAt store.Time // the concurrency token
}

// IsOpen reports whether the round takes reviews at a moment.
func (r *ReviewRound) IsOpen(now store.Time) bool { return !r.IsEarly(now) && !r.IsOver(now) }

// IsEarly reports whether the round opens later.
func (r *ReviewRound) IsEarly(now store.Time) bool {
	return r.OpensAt != nil && now.Before(r.OpensAt.Time)
}

// IsOver reports whether the round has closed.
func (r *ReviewRound) IsOver(now store.Time) bool {
	return r.ClosesAt != nil && !now.Before(r.ClosesAt.Time)
}

// NotOpen answers Invalid, with the reason as its message, unless the round takes reviews at a moment.
func (r *ReviewRound) NotOpen(now store.Time) error {
	switch {
	case r.IsEarly(now):
		return &store.Error{Kind: store.Invalid, Message: "This round has not opened yet. Nothing was saved."}
	case r.IsOver(now):
		return &store.Error{Kind: store.Invalid, Message: "This round is closed. Nothing was saved."}
	}
	return nil
}

// allSubmissions returns the round with which an event starts.
func allSubmissions(e *Event, now store.Time) *ReviewRound {
	return &ReviewRound{ID: e.ID, EventID: e.ID, Name: "All submissions", GivesAll: true, CreatedAt: now, UpdatedAt: now}
}

// allOpen answers Invalid unless the round of all submissions is open.
func (p *Programme) allOpen(tx *store.Tx) error {
	round, err := store.One[ReviewRound](tx.Where("event_id = ? AND id = ?", p.event.ID, p.event.ID),
		store.NoSuch("round"))
	if err != nil {
		return err
	}
	return round.NotOpen(tx.Now)
}
