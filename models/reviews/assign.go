package reviews

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// assignment is a submission assigned to a reviewer in a round.
type assignment struct {
	EventID, RoundID, SessionID, UserID string
	CreatedAt                           store.Time
}

func (assignment) TableName() string { return "review_assignments" }

// undecided is the SQL condition for sessions that can be assigned.
const undecided = `sessions.deleted_at IS NULL AND is_abstract AND status IN ('pending', 'accept_queue', 'decline_queue')`

// insertRows limits the rows that one statement writes.
const insertRows = 100

// Wish says which submissions are to be distributed, and to whom.
type Wish struct {
	TrackID string   // "" for all tracks
	UserIDs []string // of the round's reviewers; empty for all
	Each    int      // reviewers for each submission, 1 to 20; 0 for all of them
	Limit   int      // submissions of the round for each reviewer in all; 0 for no limit
}

func (w *Wish) clean() error {
	var f store.Faults
	if w.Each < 0 || w.Each > 20 {
		f.Add(store.Invalidf("each", "must be from 1 to 20"))
	}
	if w.Limit < 0 || w.Limit > 10_000 {
		f.Add(store.Invalidf("limit", "must be from 1 to 10,000, or nothing"))
	}
	return f.Err()
}

// MaxNamed limits the submissions short of reviewers that a preview names.
const MaxNamed = 500

// Preview is a plan with what staff see before it is carried out.
type Preview struct {
	Plan
	Papers int                       // submissions that the wish is about
	Titles map[string]models.Session // label and title of the first MaxNamed that are short, by id
}

// Print returns a hash that differs for different plans.
func (p *Plan) Print() string {
	h := sha256.New()
	for _, pair := range p.Given {
		fmt.Fprintln(h, pair.SessionID, pair.UserID)
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// Plan returns what would be assigned now for a wish. It changes nothing. It answers NotFound, and Invalid for a wish
// that breaks a rule, for a round without reviewers and for the round of all submissions.
func (r *Rounds) Plan(ctx context.Context, roundID string, w Wish) (*Preview, error) {
	round, err := r.Round(ctx, roundID)
	if err != nil {
		return nil, err
	}
	return r.plan(ctx, r.p.Read(ctx), &round.ReviewRound, w)
}

func (r *Rounds) plan(ctx context.Context, db *gorm.DB, round *models.ReviewRound, w Wish) (*Preview, error) {
	if err := w.clean(); err != nil {
		return nil, err
	}
	if round.GivesAll {
		return nil, &store.Error{Kind: store.Invalid, Message: "This round gives its reviewers all submissions."}
	}
	seats, err := r.seats(ctx, round.ID, w.UserIDs)
	if err != nil {
		return nil, err
	}
	if len(seats) == 0 {
		return nil, store.Invalidf("user", "are none yet: add reviewers to this round first")
	}
	papers, err := r.papers(db, round.ID, w.TrackID)
	if err != nil {
		return nil, err
	}
	each := w.Each
	if each == 0 {
		each = len(seats)
	}
	preview := &Preview{Plan: Distribute(papers, seats, each, w.Limit), Papers: len(papers)}
	if w.Each == 0 { // with all reviewers, a barred one is not missing
		preview.Short = nil
	}
	preview.Titles, err = r.titles(db, preview.Short)
	return preview, err
}

func (r *Rounds) seats(ctx context.Context, roundID string, only []string) (seats []Seat, err error) {
	on, err := r.Reviewers(ctx, roundID)
	for _, one := range on {
		if one.UserID != "" && (len(only) == 0 || slices.Contains(only, one.UserID)) {
			seats = append(seats, Seat{UserID: one.UserID, Name: one.Name, Load: int(one.Assigned - one.Aside)})
		}
	}
	return seats, err
}

// papers returns the undecided submissions, ordered by number.
func (r *Rounds) papers(db *gorm.DB, roundID, trackID string) ([]Paper, error) {
	db = db.Session(&gorm.Session{NewDB: true})
	here := db.Table("sessions").Where("event_id = ?", r.p.Event().ID).Where(undecided)
	if trackID != "" {
		here = here.Where("track_id = ?", trackID)
	}
	var ids []string
	if err := here.Order("number").Pluck("id", &ids).Error; err != nil {
		return nil, err
	}
	papers, at := make([]Paper, len(ids)), make(map[string]int, len(ids))
	for i, id := range ids {
		papers[i].SessionID, at[id] = id, i
	}
	var rows []struct {
		SessionID, UserID string
		IsAssigned        int
	}
	err := db.Raw(`SELECT a.session_id, a.user_id, CASE WHEN reviews.state IN ('abstained', 'conflict') THEN 0 ELSE 1 END AS is_assigned
		FROM review_assignments a LEFT JOIN reviews ON reviews.round_id = a.round_id AND reviews.session_id = a.session_id
			AND reviews.user_id = a.user_id WHERE a.round_id = ?
		UNION ALL SELECT session_id, user_id, 0 FROM reviews WHERE event_id = ? AND (state = 'conflict' OR round_id = ?)
		UNION ALL SELECT participants.session_id, users.id, 0 FROM participants
			JOIN contacts ON contacts.id = participants.contact_id JOIN users ON users.email_key = contacts.email_key
			WHERE participants.event_id = ?
		ORDER BY 1, 2, 3`, roundID, r.p.Event().ID, roundID, r.p.Event().ID).Scan(&rows).Error
	for _, row := range rows {
		if i, here := at[row.SessionID]; here {
			papers[i].Has += row.IsAssigned
			papers[i].Barred = append(papers[i].Barred, row.UserID)
		}
	}
	return papers, err
}

func (r *Rounds) titles(db *gorm.DB, short []Shortage) (map[string]models.Session, error) {
	titles := map[string]models.Session{}
	for some := range slices.Chunk(short[:min(len(short), MaxNamed)], insertRows) {
		ids := store.Map(some, func(s Shortage) string { return s.SessionID })
		var rows []models.Session
		if err := db.Session(&gorm.Session{NewDB: true}).Table("sessions").Select("id, friendly_id, title").
			Where("event_id = ? AND id IN ?", r.p.Event().ID, ids).Scan(&rows).Error; err != nil {
			return nil, err
		}
		for _, row := range rows {
			titles[row.ID] = row
		}
	}
	return titles, nil
}

// errOtherPlan answers a plan that differs from the one that was shown.
var errOtherPlan = store.Outdated("Submissions or reviewers changed since the preview. This is what would be assigned now.")

// Distribute carries out the plan of a wish, and returns it. It answers Stale, and changes nothing, if the plan's Print
// differs from the one that was shown; otherwise it answers as Plan does.
func (r *Rounds) Distribute(ctx context.Context, roundID string, w Wish, print string) (*Preview, error) {
	return store.Make(ctx, r.p.Write, func(tx *store.Tx) (*Preview, error) {
		round, err := r.hold(tx, roundID)
		if err != nil {
			return nil, err
		}
		p, err := r.plan(tx.Within(ctx), tx.DB, round, w)
		if err != nil {
			return nil, err
		}
		if p.Print() != print {
			return nil, errOtherPlan
		}
		if err := r.assign(tx, round, p.Given); err != nil {
			return nil, err
		}
		return p, r.p.Record(tx, store.Change{Subject: "review_round", ID: roundID, Action: "updated",
			After: map[string]any{"assigned": len(p.Given)}})
	})
}

// assign stores pairs, which must be ordered by submission.
func (r *Rounds) assign(tx *store.Tx, round *models.ReviewRound, pairs []Pair) error {
	for chunk := range slices.Chunk(pairs, insertRows) {
		rows, ids := make([]assignment, len(chunk)), make([]string, 0, len(chunk))
		for i, pair := range chunk {
			rows[i] = assignment{round.EventID, round.ID, pair.SessionID, pair.UserID, tx.Now}
			if ids = append(ids, pair.SessionID); i > 0 && pair.SessionID == chunk[i-1].SessionID {
				ids = ids[:len(ids)-1]
			}
		}
		if err := tx.CreateInBatches(&rows, tx.InsertRows()).Error; err != nil {
			return err
		}
		if err := r.count(tx, round.ID, ids); err != nil {
			return err
		}
	}
	return nil
}

// count recounts the results of submissions in a round.
func (r *Rounds) count(tx *store.Tx, roundID string, sessionIDs []string) error {
	for ids := range slices.Chunk(sessionIDs, insertRows) {
		if err := tx.Exec(`INSERT INTO review_results (event_id, round_id, session_id)
			SELECT event_id, ?, id FROM sessions WHERE event_id = ? AND id IN ? ON CONFLICT DO NOTHING`,
			roundID, r.p.Event().ID, ids).Error; err != nil {
			return err
		}
		if err := r.p.CountResults(tx, "round_id = ? AND session_id IN ?", roundID, ids); err != nil {
			return err
		}
	}
	return nil
}

// AssignTo sets which of a round's reviewers have a submission. Reviewers who reviewed it keep it. It answers NotFound,
// and Invalid for somebody who is not on the round.
func (r *Rounds) AssignTo(ctx context.Context, roundID, sessionID string, userIDs []string) error {
	return r.p.Write(ctx, func(tx *store.Tx) error {
		round, err := r.hold(tx, roundID)
		if err != nil {
			return err
		}
		if round.GivesAll {
			return &store.Error{Kind: store.Invalid, Message: "This round gives its reviewers all submissions."}
		}
		s, err := r.p.Live(tx, sessionID)
		if err != nil {
			return err
		}
		if !s.IsAbstract {
			return &store.Error{Kind: store.Invalid, Message: "Only submissions are reviewed."}
		}
		seats, err := r.seats(tx.Within(ctx), roundID, nil)
		if err != nil {
			return err
		}
		if err := tx.Where(`round_id = ? AND session_id = ? AND NOT EXISTS (SELECT 1 FROM reviews
			WHERE reviews.round_id = review_assignments.round_id AND reviews.session_id = review_assignments.session_id
			AND reviews.user_id = review_assignments.user_id)`, roundID, sessionID).Delete(&assignment{}).Error; err != nil {
			return err
		}
		for _, id := range slices.Compact(slices.Sorted(slices.Values(userIDs))) {
			if !slices.ContainsFunc(seats, func(s Seat) bool { return s.UserID == id }) {
				return store.Invalidf("user", "must be reviewers of this round")
			}
			if err := tx.Exec(`INSERT INTO review_assignments (event_id, round_id, session_id, user_id, created_at)
				VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`, round.EventID, roundID, sessionID, id, tx.Now).Error; err != nil {
				return err
			}
		}
		return r.count(tx, roundID, []string{sessionID})
	})
}

// AssignedTo returns the ids of the users who have a submission in a round.
func (r *Rounds) AssignedTo(ctx context.Context, roundID, sessionID string) (ids []string, err error) {
	err = r.p.Read(ctx).Model(&assignment{}).Where("event_id = ? AND round_id = ? AND session_id = ?",
		r.p.Event().ID, roundID, sessionID).Order("user_id").Pluck("user_id", &ids).Error
	return ids, err
}
