package review

import (
	"context"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// Covered is an undecided submission with the number of its reviewers in a round.
type Covered struct {
	SessionID, FriendlyID, Title string
	Status                       models.Status
	Assigned                     int64
	Aside                        int64 // of the assigned: abstained, or in conflict
}

// Cover returns a page of the undecided submissions that a text finds, or of all without one: those with the fewest
// reviewers in the round first, then by number. It answers Invalid for a text that is too long.
func (r *Rounds) Cover(
	ctx context.Context, roundID, text string, page store.Page,
) ([]*Covered, store.Pagination, error) {
	text, err := store.CleanText("q", text, store.MaxSearchText)
	if err == nil {
		err = page.Clean()
	}
	if err != nil {
		return nil, store.Pagination{}, err
	}
	here := r.p.Read(ctx).Table("sessions").Where("sessions.event_id = ?", r.p.Event().ID).Where(undecided)
	found := r.p.WithText(here, text).Session(&gorm.Session{})
	var total int64
	if err := found.Count(&total).Error; err != nil {
		return nil, store.Pagination{}, err
	}
	var rows []*Covered
	err = found.Joins("LEFT JOIN review_results x ON x.round_id = ? AND x.session_id = sessions.id", roundID).
		Select(`sessions.id AS session_id, sessions.friendly_id, sessions.title, sessions.status,
			coalesce(x.assigned, 0) AS assigned, coalesce(x.aside, 0) AS aside`).
		Order("coalesce(x.assigned - x.aside, 0), sessions.number").Limit(page.Size).Offset(page.Offset()).Scan(&rows).Error
	return rows, page.Of(total), err
}

// Seated is a round with assignments that is not over, and how many of its reviewers have a submission.
type Seated struct {
	RoundID, Name string
	Assigned      int64
}

// Seats returns the rounds in which a submission may be assigned, in the order of their creation.
func (r *Rounds) Seats(ctx context.Context, sessionID string) (rows []*Seated, err error) {
	err = r.p.Read(ctx).Raw(`SELECT id AS round_id, name, (SELECT count(*) FROM review_assignments a
			WHERE a.round_id = review_rounds.id AND a.session_id = ?) AS assigned
		FROM review_rounds WHERE event_id = ? AND NOT gives_all AND (closes_at IS NULL OR closes_at > ?)
		ORDER BY created_at, id`, sessionID, r.p.Event().ID, r.p.Now()).Scan(&rows).Error
	return rows, err
}
