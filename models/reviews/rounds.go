// Package reviews has rounds of reviews on top of the programme: their scorecards, reviewers, assignments and results.
package reviews

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// Rounds is the handle of the operations on one event's rounds.
type Rounds struct{ p *models.Programme }

// Of returns the handle of a programme's rounds.
func Of(p *models.Programme) *Rounds { return &Rounds{p} }

// Round is a round with its scorecard and its counts.
type Round struct {
	models.ReviewRound `gorm:"embedded"`
	Card               Card `gorm:"-"`
	Assigned           int64
	Answered           int64 // of the assigned; for the round of all submissions, the number of reviews
	Reviewers          int64
}

// Waiting returns how many of the assigned were not answered.
func (r *Round) Waiting() int64 { return r.Assigned - r.Answered }

var errNoRound = store.NoSuch("review round")

// withCounts are the columns of rounds with their counts.
const withCounts = `review_rounds.*, coalesce(x.assigned, 0) AS assigned, coalesce(x.answered, 0) AS answered,
	(SELECT count(*) FROM round_reviewers r WHERE r.round_id = review_rounds.id) AS reviewers`

// stillReviewed is the SQL condition for results of submissions that were not deleted, withdrawn or made a draft again;
// both parameters are the event's id. It excludes the few such submissions, which is cheaper than looking up all
// others.
const stillReviewed = `x.session_id NOT IN (SELECT id FROM sessions WHERE event_id = ? AND deleted_at IS NOT NULL)
	AND x.session_id NOT IN (SELECT id FROM sessions WHERE event_id = ? AND is_abstract = true AND deleted_at IS NULL
		AND status IN ('draft', 'withdrawn'))`

// read begins a query of rounds with their counts.
func (r *Rounds) read(ctx context.Context) *gorm.DB {
	event := r.p.Event().ID
	return r.p.Read(ctx).Table("review_rounds").Select(withCounts).Joins(`LEFT JOIN (SELECT round_id, sum(assigned) AS assigned,
			sum(answered) AS answered FROM review_results x WHERE x.event_id = ? AND `+stillReviewed+` GROUP BY round_id) x
			ON x.round_id = review_rounds.id`, event, event, event).Where("event_id = ?", event)
}

// List returns all rounds: first the round of all submissions, then the others in the order of their creation.
func (r *Rounds) List(ctx context.Context) ([]*Round, error) {
	rounds := []*Round{}
	err := r.read(ctx).Order("gives_all DESC, created_at, id").Scan(&rounds).Error
	return rounds, err
}

// Round returns a round with its scorecard, or NotFound.
func (r *Rounds) Round(ctx context.Context, id string) (*Round, error) {
	if !store.IsID(id) {
		return nil, errNoRound
	}
	var found []*Round
	if err := r.read(ctx).Where("id = ?", id).Scan(&found).Error; err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, errNoRound
	}
	round := found[0]
	return round, r.p.Read(ctx).Where("round_id = ?", round.ID).Order("position").Find(&round.Card).Error
}

// Settings are the settings of a round.
type Settings struct {
	Name      string
	IsBlind   bool
	OpensAt   *store.Time
	ClosesAt  *store.Time
	UpdatedAt *store.Time // the concurrency token; nil forces the write
}

func (s *Settings) clean() error {
	var f store.Faults
	f.Clean(store.CleanName, "name", &s.Name, store.MaxName)
	if s.OpensAt != nil && s.ClosesAt != nil && !s.OpensAt.Before(s.ClosesAt.Time) {
		f.Add(store.Invalidf("closes_at", "must be after it opens"))
	}
	return f.Err()
}

func facts(m *models.ReviewRound) map[string]any {
	return map[string]any{"name": m.Name, "is_blind": m.IsBlind, "opens_at": store.Fact(m.OpensAt),
		"closes_at": store.Fact(m.ClosesAt)}
}

// Create adds a round with assignments, and a scorecard of one number. It answers Invalid for a setting that breaks its
// rule.
func (r *Rounds) Create(ctx context.Context, s Settings) (*Round, error) {
	if err := s.clean(); err != nil {
		return nil, err
	}
	return store.Make(ctx, r.p.Write, func(tx *store.Tx) (*Round, error) {
		m := models.ReviewRound{ID: store.NewID(), EventID: r.p.Event().ID, Name: s.Name, IsBlind: s.IsBlind,
			OpensAt: s.OpensAt, ClosesAt: s.ClosesAt, CreatedAt: tx.Now, UpdatedAt: tx.Now}
		if err := tx.Create(&m).Error; err != nil {
			return nil, err
		}
		round := &Round{ReviewRound: m, Card: Card{{Name: "Overall", Kind: Number, Low: new(1), High: new(5), Weight: new(1)}}}
		if err := r.saveCard(tx, &m, round.Card); err != nil {
			return nil, err
		}
		return round, r.p.Record(tx, store.Change{Subject: "review_round", ID: m.ID, Action: "created", After: facts(&m)})
	})
}

// hold returns a round, locked until the transaction ends. It answers NotFound.
func (r *Rounds) hold(tx *store.Tx, id string) (*models.ReviewRound, error) {
	return store.OneByID[models.ReviewRound](tx.Lock().Where("event_id = ?", r.p.Event().ID), id, errNoRound)
}

// Change changes the settings of a round. It answers NotFound; Invalid for a setting that breaks its rule, and for
// IsBlind on the round of all submissions; and Stale when the token is outdated.
func (r *Rounds) Change(ctx context.Context, id string, s Settings) error {
	if err := s.clean(); err != nil {
		return err
	}
	return r.p.Write(ctx, func(tx *store.Tx) error {
		m, err := r.hold(tx, id)
		if err != nil {
			return err
		}
		if m.GivesAll && s.IsBlind {
			return store.Invalidf("is_blind", "is for rounds that give what is assigned; who has all submissions sees their people")
		}
		if s.UpdatedAt != nil && !s.UpdatedAt.Equal(m.UpdatedAt.Time) {
			return store.Outdated("Someone else changed this round since you read it.")
		}
		before := facts(m)
		m.Name, m.IsBlind, m.OpensAt, m.ClosesAt = s.Name, s.IsBlind, s.OpensAt, s.ClosesAt
		was, is := store.Changes(before, facts(m))
		if len(is) == 0 {
			return nil
		}
		m.UpdatedAt = tx.Now.Following(m.UpdatedAt)
		if err := tx.Select("*").Updates(m).Error; err != nil {
			return err
		}
		return r.p.Record(tx, store.Change{Subject: "review_round", ID: id, Action: "updated", Before: was, After: is})
	})
}

// Delete deletes a round with its reviewers, scorecard and assignments. It answers NotFound, and Invalid for the round
// of all submissions and for one in which a review was given.
func (r *Rounds) Delete(ctx context.Context, id string) error {
	return r.TakeBack(ctx, id, func(*store.Tx, string) (bool, error) { return true, nil })
}

// TakeBack deletes a round that a move made, as Delete does, if isFree says so once it is locked. Otherwise it answers
// Invalid.
func (r *Rounds) TakeBack(ctx context.Context, id string, isFree func(*store.Tx, string) (bool, error)) error {
	return r.p.Write(ctx, func(tx *store.Tx) error {
		m, err := r.hold(tx, id)
		if err != nil {
			return err
		}
		if free, err := isFree(tx, id); err != nil {
			return err
		} else if !free {
			return &store.Error{Kind: store.Invalid, Message: "The round was changed or used, so it stays."}
		}
		if m.GivesAll {
			return &store.Error{Kind: store.Invalid, Message: "The round of all submissions stays. It can be closed."}
		}
		used := &store.Error{Kind: store.Invalid, Message: "Reviews were given in this round, so it stays. It can be closed."}
		if err := store.Unless(tx.Model(&models.Review{}).Where("round_id = ?", m.ID), used); err != nil {
			return err
		}
		if err := tx.Delete(m).Error; err != nil {
			return err
		}
		return r.p.Record(tx, store.Change{Subject: "review_round", ID: m.ID, Action: "deleted", Before: facts(m)})
	})
}

// identifyingAnswer is a question whose answers reveal who somebody is.
type identifyingAnswer struct{ EventID, Key string }

// Identifying returns the keys of the questions whose answers are hidden where names are, sorted.
func (r *Rounds) Identifying(ctx context.Context) (keys []string, err error) {
	err = r.p.Read(ctx).Model(&identifyingAnswer{}).Where("event_id = ?", r.p.Event().ID).Order("key").Pluck("key", &keys).Error
	return keys, err
}

// Questions returns the keys of the answers that the event's submissions have, sorted.
func (r *Rounds) Questions(ctx context.Context) ([]string, error) {
	query := `SELECT DISTINCT answer->>'key' AS key FROM sessions, jsonb_array_elements(custom_fields::jsonb) answer
		WHERE event_id = ? AND is_abstract AND deleted_at IS NULL ORDER BY 1`
	if r.p.Embedded() {
		query = `SELECT DISTINCT json_extract(answer.value, '$.key') AS key FROM sessions, json_each(custom_fields) answer
			WHERE event_id = ? AND is_abstract AND deleted_at IS NULL ORDER BY 1`
	}
	var keys []string
	err := r.p.Read(ctx).Raw(query, r.p.Event().ID).Scan(&keys).Error
	return keys, err
}

// Identify sets which questions' answers reveal who somebody is. It answers Invalid.
func (r *Rounds) Identify(ctx context.Context, keys []string) error {
	slices.Sort(keys)
	keys = slices.Compact(keys)
	var f store.Faults
	for i := range keys {
		f.Clean(store.CleanName, "identifying", &keys[i], store.MaxName)
	}
	if err := f.Err(); err != nil {
		return err
	}
	return r.p.Write(ctx, func(tx *store.Tx) error {
		eventID := r.p.Event().ID
		if _, err := r.hold(tx, eventID); err != nil { // serialises these changes
			return err
		}
		if err := tx.Where("event_id = ?", eventID).Delete(&identifyingAnswer{}).Error; err != nil || len(keys) == 0 {
			return err
		}
		rows := store.Map(keys, func(key string) identifyingAnswer { return identifyingAnswer{eventID, key} })
		return tx.Create(&rows).Error
	})
}

// Rows maps each table to its struct; a test compares them with the schema.
var Rows = map[string]any{
	"review_criteria": Criterion{}, "round_reviewers": reviewerRow{}, "review_assignments": assignment{},
	"identifying_answers": identifyingAnswer{}, "review_rounds": models.ReviewRound{}, "review_results": Outcome{},
}
