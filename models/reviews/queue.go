package reviews

import (
	"context"
	"slices"

	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
)

// Entry is a submission in a reviewer's queue. It has no names of people.
type Entry struct {
	SessionID, FriendlyID, Title string
	Track, Format                string
	State                        models.ReviewState // "" while it waits
	Points                       *models.Score
}

// reviewed is the SQL condition for submissions under review; theirs, for one user's assignments of those.
const (
	reviewed = `sessions.deleted_at IS NULL AND sessions.is_abstract AND sessions.status NOT IN ('draft', 'withdrawn')`
	theirs   = "a.user_id = ? AND " + reviewed
)

const assigned = `review_assignments a JOIN sessions ON sessions.id = a.session_id
	LEFT JOIN reviews ON reviews.round_id = a.round_id AND reviews.session_id = a.session_id AND reviews.user_id = a.user_id`

// Queues returns the rounds with assignments of which somebody is a reviewer, in the order of their creation, with the
// counts of what is assigned to them.
func (r *Rounds) Queues(ctx context.Context, by *staff.User) ([]*Round, error) {
	var queues []*Round
	err := r.p.Read(ctx).Raw(`SELECT review_rounds.*, coalesce(x.assigned, 0) AS assigned, coalesce(x.answered, 0) AS answered
		FROM review_rounds LEFT JOIN (SELECT a.round_id, count(*) AS assigned, count(reviews.state) AS answered FROM `+assigned+`
			WHERE a.event_id = ? AND `+theirs+` GROUP BY a.round_id) x ON x.round_id = review_rounds.id
		WHERE event_id = ? AND NOT gives_all AND EXISTS (SELECT 1 FROM round_reviewers
			WHERE round_reviewers.round_id = review_rounds.id AND round_reviewers.email_key = ?)
		ORDER BY created_at, id`, r.p.Event().ID, by.ID, r.p.Event().ID, by.EmailKey).Scan(&queues).Error
	return queues, err
}

// Queue returns one of a reviewer's rounds, with its scorecard. It answers NotFound to somebody who is not on it, and
// before it opens.
func (r *Rounds) Queue(ctx context.Context, by *staff.User, roundID string) (*Round, error) {
	queues, err := r.Queues(ctx, by)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(queues, func(q *Round) bool { return q.ID == roundID })
	if at < 0 || queues[at].IsEarly(r.p.Now()) {
		return nil, errNoRound
	}
	return queues[at], r.p.Read(ctx).Where("round_id = ?", roundID).Order("position").Find(&queues[at].Card).Error
}

// Entries returns what is assigned to a reviewer in a round: first what waits, then the rest, each by number.
func (r *Rounds) Entries(ctx context.Context, by *staff.User, roundID string) ([]*Entry, error) {
	var entries []*Entry
	err := r.p.Read(ctx).Raw(`SELECT sessions.id AS session_id, sessions.friendly_id, sessions.title, coalesce(t.name, '') AS track,
			coalesce(f.name, '') AS format, coalesce(reviews.state, '') AS state, reviews.points
		FROM `+assigned+` LEFT JOIN metadata t ON t.id = sessions.track_id LEFT JOIN metadata f ON f.id = sessions.format_id
		WHERE a.event_id = ? AND a.round_id = ? AND `+theirs+`
		ORDER BY CASE WHEN reviews.state IS NULL THEN 0 ELSE 1 END, sessions.number`,
		r.p.Event().ID, roundID, by.ID).Scan(&entries).Error
	return entries, err
}

// Sheet is a submission as a reviewer reads it. People is empty if no names are shown.
type Sheet struct {
	SessionID, FriendlyID, Title, Description string
	Track, Format, Level                      string
	Answers                                   models.Answers // under the keys of their questions
	Sight                                     *Sight         // decides which of them the reader sees
	Blind                                     bool
	People                                    []Person
	Review                                    *models.Review // the reader's own; nil if there is none
	Closed                                    string         // why no review can be given, "" if it can
}

// Person is somebody on a submission, with their role.
type Person struct{ Name, Role string }

var errNotAssigned = store.NoSuch("submission in this round")

// Sheet returns a submission that is assigned to a reviewer in a round, and answers NotFound for any other. It shows
// names unless the round is blind, or the reader is on another blind round that is not over.
func (r *Rounds) Sheet(ctx context.Context, by *staff.User, roundID, sessionID string) (*Sheet, error) {
	s, err := r.assignedSession(ctx, by, roundID, sessionID)
	if err != nil {
		return nil, err
	}
	sheet := &Sheet{SessionID: s.ID, FriendlyID: s.FriendlyID, Title: s.Title, Description: s.Description}
	if err := r.setTime(ctx, by, roundID, sheet); err != nil {
		return nil, err
	}
	if err := s.Reviewable(by); err != nil {
		sheet.Closed = err.Error()
	}
	if s.Track != nil {
		sheet.Track = s.Track.Name
	}
	if s.Format != nil {
		sheet.Format = s.Format.Name
	}
	if s.Level != nil {
		sheet.Level = s.Level.Name
	}
	eyes := OpenEyes
	if sheet.Blind {
		eyes = BlindEyes
	}
	sight, err := r.Sight(ctx, eyes)
	if err != nil {
		return nil, err
	}
	sheet.Sight, sheet.Answers = sight, sight.Seen(s.CustomFields)
	if !sheet.Blind {
		for _, p := range s.Participants {
			sheet.People = append(sheet.People, Person{p.FullName, string(p.Role)})
		}
	}
	var own []*models.Review
	err = r.p.Read(ctx).Where("event_id = ? AND round_id = ? AND session_id = ? AND user_id = ?", s.EventID, roundID, s.ID, by.ID).
		Find(&own).Error
	if len(own) > 0 {
		sheet.Review = own[0]
	}
	return sheet, err
}

// setTime sets whether a sheet is blind and whether it takes reviews, by its reader's rounds.
func (r *Rounds) setTime(ctx context.Context, by *staff.User, roundID string, sheet *Sheet) error {
	queues, err := r.Queues(ctx, by)
	for _, q := range queues {
		if q.IsBlind && (q.ID == roundID || !q.IsOver(r.p.Now())) {
			sheet.Blind = true
		}
		if q.ID == roundID && q.IsOver(r.p.Now()) {
			sheet.Closed = "This round is closed, so reviews stay as they are."
		}
	}
	return err
}

// assignedSession returns a session that is assigned to a reviewer in a round. It answers NotFound.
func (r *Rounds) assignedSession(ctx context.Context, by *staff.User, roundID, sessionID string) (*models.Session, error) {
	if !store.IsID(roundID) || !store.IsID(sessionID) {
		return nil, errNotAssigned
	}
	var round []*models.ReviewRound
	if err := r.p.Read(ctx).Raw(`SELECT review_rounds.* FROM `+assigned+` JOIN review_rounds ON review_rounds.id = a.round_id
		WHERE a.event_id = ? AND a.round_id = ? AND a.session_id = ? AND `+theirs+` AND EXISTS (SELECT 1 FROM round_reviewers
			WHERE round_reviewers.round_id = a.round_id AND round_reviewers.email_key = ?)`,
		r.p.Event().ID, roundID, sessionID, by.ID, by.EmailKey).Scan(&round).Error; err != nil {
		return nil, err
	}
	if len(round) == 0 || round[0].IsEarly(r.p.Now()) {
		return nil, errNotAssigned
	}
	return r.p.Session(ctx, sessionID)
}

// Verdict is a reviewer's opinion of a submission by the scorecard of a round.
type Verdict struct {
	State   models.ReviewState
	Answers map[string]string // by criterion id; only if State is Scored
	Comment string            // plain text, at most models.MaxReviewComment characters; may be empty
}

// Give stores a reviewer's verdict on a submission that is assigned to them, replacing an earlier one. It answers
// NotFound for any other submission, and Invalid for an answer that breaks a rule, outside of the round's time, and for
// a submission that they cannot review.
func (r *Rounds) Give(ctx context.Context, by *staff.User, roundID, sessionID string, v Verdict) error {
	return r.p.Write(ctx, func(tx *store.Tx) error {
		within := tx.Within(ctx)
		if _, err := r.assignedSession(within, by, roundID, sessionID); err != nil {
			return err
		}
		s, err := r.p.Live(tx, sessionID)
		if err != nil {
			return err
		}
		round, err := r.Queue(within, by, roundID)
		if err != nil {
			return err
		}
		if err := round.NotOpen(tx.Now); err != nil {
			return err
		}
		if err := s.Reviewable(by); err != nil {
			return err
		}
		review := &models.Review{RoundID: roundID, SessionID: s.ID, UserID: by.ID, State: v.State}
		if err := v.clean(round.Card, review); err != nil {
			return err
		}
		return r.p.KeepReview(tx, review)
	})
}

func (v *Verdict) clean(card Card, review *models.Review) error {
	var f store.Faults
	review.Comment = v.Comment
	f.Clean(store.CleanText, "comment", &review.Comment, models.MaxReviewComment)
	switch v.State {
	case models.Scored:
		if v.Answers == nil {
			v.Answers = map[string]string{}
		}
		points, err := card.Points(v.Answers)
		f.Add(err)
		review.Points, review.Answers = points, v.Answers
	case models.Abstained, models.InConflict:
	default:
		f.Add(store.Invalidf("state", "must be given, abstained or conflict"))
	}
	return f.Err()
}

// Next returns the id of the submission after the given one, by number, that waits for a reviewer in a round; after the
// last it begins again. It returns "" if none waits.
func (r *Rounds) Next(ctx context.Context, by *staff.User, roundID, sessionID string) (string, error) {
	var ids []string
	err := r.p.Read(ctx).Raw(`SELECT sessions.id FROM `+assigned+` WHERE a.event_id = ? AND a.round_id = ? AND `+theirs+`
			AND reviews.state IS NULL AND sessions.id <> ?
		ORDER BY CASE WHEN sessions.number > coalesce((SELECT number FROM sessions before WHERE before.id = ?), 0) THEN 0 ELSE 1 END,
			sessions.number LIMIT 1`, r.p.Event().ID, roundID, by.ID, sessionID, sessionID).Scan(&ids).Error
	if err != nil || len(ids) == 0 {
		return "", err
	}
	return ids[0], nil
}
