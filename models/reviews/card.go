package reviews

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"lectern/models"
	"lectern/models/store"
)

// Kind says what a criterion asks for.
type Kind string

const (
	Number Kind = "number" // on a scale, with a weight
	Choice Kind = "choice" // one of several
	Text   Kind = "text"
)

// These are the limits of scorecards.
const (
	MaxCriteria = 12
	maxChoices  = 12
	MaxScale    = 100 // the highest number of a scale; the lowest is 0
	MaxWeight   = 100
	maxAnswer   = 5_000 // characters of a text
)

// Criterion is one question of a scorecard.
type Criterion struct {
	ID       string
	EventID  string
	RoundID  string
	Position int
	Name     string
	Kind     Kind
	Low      *int // of a number
	High     *int
	Weight   *int
	Choices  []string `gorm:"serializer:json"` // of a choice
}

// TableName returns the name of the table of criteria, whose plural gorm does not know.
func (Criterion) TableName() string { return "review_criteria" }

// Card holds the criteria of a round in order.
type Card []*Criterion

// clean normalises a scorecard. It answers Invalid; faults name the criterion by its position, as in "name_2".
func (c Card) clean() error {
	var f store.Faults
	if len(c) == 0 || len(c) > MaxCriteria {
		f.Add(store.Invalidf("name_1", "is needed: a scorecard has from 1 to %d criteria", MaxCriteria))
	}
	for i, one := range c {
		one.clean(&f, "_"+strconv.Itoa(i+1))
	}
	return f.Err()
}

func (c *Criterion) clean(f *store.Faults, at string) {
	f.Clean(store.CleanName, "name"+at, &c.Name, store.MaxName)
	if c.Kind != Number {
		c.Low, c.High, c.Weight = nil, nil, nil
	}
	if c.Kind != Choice {
		c.Choices = []string{}
	}
	switch c.Kind {
	case Number:
		c.cleanScale(f, at)
	case Choice:
		if len(c.Choices) < 2 || len(c.Choices) > maxChoices {
			f.Add(store.Invalidf("choices"+at, "must be from 2 to %d, one on each line", maxChoices))
		}
		for i := range c.Choices {
			f.Clean(store.CleanName, "choices"+at, &c.Choices[i], store.MaxName)
		}
		if sorted := slices.Sorted(slices.Values(c.Choices)); len(slices.Compact(sorted)) < len(c.Choices) {
			f.Add(store.Invalidf("choices"+at, "must all be different"))
		}
	case Text:
	default:
		f.Add(store.Invalidf("kind"+at, "must be a number, a choice or a text"))
	}
}

func (c *Criterion) cleanScale(f *store.Faults, at string) {
	if c.Low == nil || c.High == nil || *c.Low < 0 || *c.High > MaxScale || *c.Low >= *c.High {
		f.Add(store.Invalidf("high"+at, "must be above the lowest, both from 0 to %d", MaxScale))
	}
	if c.Weight == nil || *c.Weight < 1 || *c.Weight > MaxWeight {
		f.Add(store.Invalidf("weight"+at, "must be from 1 to %d", MaxWeight))
	}
}

// saveCard replaces the scorecard of a round. It answers Invalid.
func (r *Rounds) saveCard(tx *store.Tx, round *models.ReviewRound, card Card) error {
	if err := card.clean(); err != nil {
		return err
	}
	if err := tx.Where("round_id = ?", round.ID).Delete(&Criterion{}).Error; err != nil {
		return err
	}
	for i, c := range card {
		c.EventID, c.RoundID, c.Position = round.EventID, round.ID, i
		if c.ID == "" {
			c.ID = store.NewID()
		}
	}
	return tx.Create(&card).Error
}

// SetCard replaces the scorecard of a round. It answers NotFound, and Invalid for a criterion that breaks a rule, for
// the round of all submissions, which has one score, and once a review was given.
func (r *Rounds) SetCard(ctx context.Context, id string, card Card) error {
	return r.p.Write(ctx, func(tx *store.Tx) error {
		round, err := r.hold(tx, id)
		if err != nil {
			return err
		}
		if round.GivesAll {
			return &store.Error{Kind: store.Invalid, Message: "The round of all submissions asks for one score from 1 to 5."}
		}
		used := &store.Error{Kind: store.Invalid,
			Message: "Reviews were given by this scorecard already, so it stays as it is. Make another round to ask for something else."}
		if err := store.Unless(tx.Model(&models.Review{}).Where("round_id = ?", id), used); err != nil {
			return err
		}
		if err := r.saveCard(tx, round, card); err != nil {
			return err
		}
		return r.p.Record(tx, store.Change{Subject: "review_round", ID: id, Action: "updated",
			After: map[string]any{"scorecard": len(card)}})
	})
}

// IsUsed reports whether a review was given in a round, so that its scorecard can no longer change.
func (r *Rounds) IsUsed(ctx context.Context, id string) (bool, error) {
	var ids []string
	err := r.p.Read(ctx).Model(&models.Review{}).Where("event_id = ? AND round_id = ?", r.p.Event().ID, id).Limit(1).
		Pluck("session_id", &ids).Error
	return len(ids) > 0, err
}

// Points returns the mean of a card's numbers by their weights, each scale stretched to 1 to 5, in hundredths, rounded
// half up; nil for a card without numbers. answers, by criterion id, are cleaned in place. It answers Invalid for an
// answer that is missing or does not fit.
func (c Card) Points(answers map[string]string) (*models.Score, error) {
	var f store.Faults
	sum, weights := 0.0, 0
	known := map[string]bool{}
	for _, one := range c {
		known[one.ID] = true
		answer := strings.TrimSpace(answers[one.ID])
		switch one.Kind {
		case Number:
			n, err := strconv.Atoi(answer)
			if err != nil || n < *one.Low || n > *one.High {
				f.Add(store.Invalidf(one.Field(), "is not chosen yet"))
				continue
			}
			sum += float64(*one.Weight) * (1 + 4*float64(n-*one.Low)/float64(*one.High-*one.Low))
			weights += *one.Weight
		case Choice:
			if answer != "" && !slices.Contains(one.Choices, answer) {
				f.Add(store.Invalidf(one.Field(), "must be one of its choices"))
			}
		case Text:
			f.Clean(store.CleanText, one.Field(), &answer, maxAnswer)
		}
		answers[one.ID] = answer
	}
	for id := range answers {
		if !known[id] || answers[id] == "" {
			delete(answers, id)
		}
	}
	if err := f.Err(); err != nil || weights == 0 {
		return nil, err
	}
	return new(models.Score(math.Floor(sum/float64(weights)*100 + 0.5 + 1e-9))), nil
}

// Field returns the form's name of the answer to a criterion.
func (c *Criterion) Field() string { return "answer-" + c.ID }

// Scale returns what a criterion asks for in words, as in "1 to 5, weight 2".
func (c *Criterion) Scale() string {
	switch c.Kind {
	case Number:
		return fmt.Sprintf("%d to %d, weight %d", *c.Low, *c.High, *c.Weight)
	case Choice:
		return strings.Join(c.Choices, ", ")
	}
	return "Text"
}
