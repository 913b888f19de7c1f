package moving

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"lectern/models/arrival"
	"lectern/models/reviews"
	"lectern/models/store"
)

// reviews brings reviews into a round of their own. Its scales follow from the scores given, so all reviews are read,
// into a temporary file, before the first is written.
func (m *Move) reviews(ctx context.Context) error {
	waiting, err := os.CreateTemp("", "lectern-reviews-")
	if err != nil {
		return err
	}
	defer os.Remove(waiting.Name())
	defer waiting.Close()
	scales, out := scales{}, json.NewEncoder(waiting)
	err = m.source.Reviews(ctx, func(some []Review) error {
		for i := range some {
			scales.see(some[i].Scores)
			if err := out.Encode(&some[i]); err != nil {
				return err
			}
		}
		return nil
	})
	var not NotGiven
	if errors.As(err, &not) {
		m.skip("reviews", "Reviews", not.Error())
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := waiting.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return m.waitingReviews(ctx, json.NewDecoder(bufio.NewReader(waiting)), scales)
}

// reviewsAtOnce is how many reviews are written in one transaction.
const reviewsAtOnce = 50

func (m *Move) waitingReviews(ctx context.Context, in *json.Decoder, scales scales) error {
	var round *reviews.Round
	users := map[string]string{}
	for {
		var some []Review
		for len(some) < reviewsAtOnce && in.More() {
			var r Review
			if err := in.Decode(&r); err != nil {
				return err
			}
			some = append(some, r)
		}
		if len(some) == 0 {
			return nil
		}
		if round == nil {
			var err error
			if round, err = m.round(ctx, scales); err != nil {
				return err
			}
		}
		if err := m.bringReviews(ctx, round, some, users); err != nil {
			return err
		}
		m.reportProgress()
	}
}

// bringReviews brings new and changed reviews, all at once or, if one of them is faulty, one by one. users maps the
// authors' addresses to their ids.
func (m *Move) bringReviews(ctx context.Context, round *reviews.Round, some []Review, users map[string]string) error {
	keys := store.Map(some, func(r Review) string { return r.Key })
	known, err := m.arrival.Known(ctx, arrival.Reviews, keys)
	if err != nil {
		return err
	}
	brought, of, err := m.otherReviews(ctx, round, some, known, users)
	if err != nil || len(of) == 0 {
		return err
	}
	if at, err := m.rounds.ImportReviews(ctx, round.ID, brought); err == nil || !isOfTheRow(err) {
		if err != nil {
			return err
		}
		return m.keepReviews(ctx, round.ID, at, of, brought, known)
	}
	for i := range brought {
		at, err := m.rounds.ImportReviews(ctx, round.ID, brought[i:i+1])
		reason, err := fault(err)
		if reason != "" {
			m.skip(of[i].Key, "the review of "+of[i].Name, reason)
			continue
		}
		if err == nil {
			err = m.keepReviews(ctx, round.ID, at, of[i:i+1], brought[i:i+1], known)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// otherReviews returns the new and changed reviews, and what each becomes here.
func (m *Move) otherReviews(ctx context.Context, round *reviews.Round, some []Review, known map[string]arrival.ArrivedRow,
	users map[string]string) (brought []reviews.ImportedReview, of []Review, err error) {
	submissions := store.Map(some, func(r Review) string { return r.Submission })
	ids, err := m.arrival.Submissions(ctx, submissions)
	if err != nil {
		return nil, nil, err
	}
	for _, r := range some {
		if known[r.Key].Said["review"] == arrival.HashOf(r) {
			m.report.Reviews.Unchanged++
			continue
		}
		b, reason, err := m.brought(ctx, round, &r, ids[r.Submission], users)
		switch {
		case err != nil:
			return nil, nil, err
		case reason != "":
			m.skip(r.Key, "the review of "+r.Name, reason)
		default:
			brought, of = append(brought, b), append(of, r)
		}
	}
	return brought, of, nil
}

// keepReviews stores what some reviews became, and when.
func (m *Move) keepReviews(ctx context.Context, roundID string, at store.Time, of []Review, came []reviews.ImportedReview,
	known map[string]arrival.ArrivedRow) error {
	brought := make([]arrival.ArrivedRow, len(of))
	for i, r := range of {
		_, isKnown := known[r.Key]
		if isKnown {
			m.report.Reviews.Updated++
		} else {
			m.report.Reviews.Created++
		}
		brought[i] = arrival.ArrivedRow{Key: r.Key, RecordID: strings.Join([]string{came[i].SessionID, came[i].UserID,
			roundID}, "/"),
			Said: arrival.FieldHashes{"review": arrival.HashOf(r)}, IsMade: !isKnown, At: &at}
	}
	return m.arrival.Keep(ctx, arrival.Reviews, brought...)
}

// brought returns a review for this round's scorecard, or why it cannot come.
func (m *Move) brought(ctx context.Context, round *reviews.Round, r *Review, sessionID string, users map[string]string) (
	b reviews.ImportedReview, reason string, err error) {
	if sessionID == "" {
		return b, "is of a submission that did not come", nil
	}
	if users[r.Email] == "" {
		id, err := m.p.Team().Remember(ctx, r.Email, cmp.Or(r.Name, r.Email))
		if reason, err = fault(err); err != nil || reason != "" {
			return b, reason, err
		}
		users[r.Email] = id
	}
	b = reviews.ImportedReview{SessionID: sessionID, UserID: users[r.Email], Answers: map[string]string{}, Comment: r.Comment}
	criteria := store.ByKey(round.Card, func(c *reviews.Criterion) string { return c.Name })
	for _, s := range r.Scores {
		if c := criteria[s.Name]; c != nil {
			b.Answers[c.ID] = s.answer(c)
		} else {
			b.Comment += fmt.Sprintf("\n%s: %s", s.Name, s.words())
		}
	}
	return b, "", nil
}

// answer returns a score as an answer to a criterion.
func (s *Score) answer(c *reviews.Criterion) string {
	if c.Kind == reviews.Number {
		return strconv.FormatFloat(s.Value, 'f', -1, 64)
	}
	return s.words()
}

// words returns a score with its label: "2 (Yes)".
func (s *Score) words() string {
	number := strconv.FormatFloat(s.Value, 'f', -1, 64)
	if s.Label == "" || s.Label == number {
		return number
	}
	return number + " (" + s.Label + ")"
}

// scales are the criteria of the reviews, by key.
type scales map[string]*scale

type scale struct {
	Score
	low, high float64
	isWhole   bool
}

func (all scales) see(scores []Score) {
	for _, s := range scores {
		is := all[s.Criterion]
		if is == nil {
			is = &scale{Score: s, low: s.Value, high: s.Value, isWhole: true}
			all[s.Criterion] = is
		}
		is.low, is.high = min(is.low, s.Value), max(is.high, s.Value)
		is.isWhole = is.isWhole && s.Value == math.Trunc(s.Value)
	}
}

// card returns the scorecard for the criteria, by key. A criterion becomes a number if it has a weight there and whole
// numbers within our scale; others become text.
func (all scales) card() (card reviews.Card) {
	for _, s := range slices.SortedFunc(maps.Values(all), func(a, b *scale) int {
		return cmp.Or(cmp.Compare(len(a.Criterion), len(b.Criterion)), cmp.Compare(a.Criterion, b.Criterion))
	}) {
		if len(card) == reviews.MaxCriteria {
			break
		}
		c := &reviews.Criterion{Name: s.Name, Kind: reviews.Text}
		if s.isWhole && s.Weight > 0 && s.low >= 0 && s.high <= reviews.MaxScale {
			c.Kind, c.Low, c.High = reviews.Number, new(0), new(max(1, int(s.high)))
			c.Weight = new(min(reviews.MaxWeight, max(1, int(math.Round(s.Weight*all.factor())))))
		}
		card = append(card, c)
	}
	return card
}

// factor returns the factor that makes all weights whole: ten if one has a fraction.
func (all scales) factor() float64 {
	for s := range maps.Values(all) {
		if s.Weight != math.Trunc(s.Weight) {
			return 10
		}
	}
	return 1
}
