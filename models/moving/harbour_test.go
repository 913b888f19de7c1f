package moving_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"slices"
	"sync"

	"lectern/models"
	"lectern/models/arrival"
	"lectern/models/call"
	"lectern/models/field"
	"lectern/models/moving"
)

// harbour is a conference of another system. It hands out two rows at a time, and fails after a number of them.
type harbour struct {
	frame    moving.Frame
	people   []moving.Person
	subs     []moving.Submission
	reviews  []moving.Review
	photo    error
	withheld error // in place of reviews
	fails    int   // 0 for never
	mu       sync.Mutex
	handed   int
}

var errCut = errors.New("cut")

func handOut[T any](h *harbour, all []T, take func([]T) error) error {
	for some := range slices.Chunk(all, 2) {
		h.mu.Lock()
		h.handed += len(some)
		cut := h.fails > 0 && h.handed > h.fails
		h.mu.Unlock()
		if cut {
			return errCut
		}
		if err := take(slices.Clone(some)); err != nil {
			return err
		}
	}
	return nil
}

func (h *harbour) Frame(context.Context) (*moving.Frame, error) { return &h.frame, nil }

func (h *harbour) People(_ context.Context, take func([]moving.Person) error) error {
	return handOut(h, h.people, take)
}

func (h *harbour) Submissions(_ context.Context, take func([]moving.Submission) error) error {
	return handOut(h, h.subs, take)
}

func (h *harbour) Reviews(_ context.Context, take func([]moving.Review) error) error {
	if h.withheld != nil {
		return h.withheld
	}
	return handOut(h, h.reviews, take)
}

func (h *harbour) Photo(context.Context, string) ([]byte, error) {
	if h.photo != nil {
		return nil, h.photo
	}
	picture := image.NewRGBA(image.Rect(0, 0, 40, 40))
	picture.Set(1, 1, color.White)
	var out bytes.Buffer
	err := jpeg.Encode(&out, picture, nil)
	return out.Bytes(), err
}

func newHarbour() *harbour {
	h := &harbour{frame: moving.Frame{System: "elsewhere", Prefix: "h/", Name: "Harbour", Starts: "2027-05-20", Ends: "2027-05-21",
		Labels: []arrival.Label{{Key: "h/track/1", Family: models.Tracks, NewMetadata: models.NewMetadata{Name: "Boats"}}},
		Questions: []moving.Question{
			{Key: "h/question/1", AskedOf: call.OfProposal, Type: field.Choices, Label: "Needs", Options: []string{"Water", "A boat"}},
			{Key: "h/question/2", AskedOf: call.OfSpeaker, Type: field.YesNo, Label: "Vegan?"},
			{Key: "h/question/3", AskedOf: call.OfSpeaker, Type: field.Text, Label: "Needs"}, // in the words of another one
			{Key: "h/fact/notes", AskedOf: call.OfProposal, Type: field.LongText, Label: "Notes", SeenBy: call.StaffOnly, IsRetired: true},
		}}}
	for n := range 5 {
		x := moving.Person{Photo: fmt.Sprint("https://example.org/", n, ".jpg"), Note: map[int]string{1: "Kind"}[n]}
		x.Key, x.FirstName, x.Email = fmt.Sprint("h/speaker/", n), fmt.Sprint("Person ", n), fmt.Sprintf("p%d@example.org", n)
		x.Answers = []moving.Answer{{Question: "h/question/2", Values: []string{field.Yes}},
			{Question: "h/question/3", Values: []string{"A chair"}}}
		h.people = append(h.people, x)
	}
	for n := range 4 {
		s := moving.Submission{IsConfirmed: n == 0}
		s.Key, s.Title, s.Status, s.Track = fmt.Sprint("h/submission/", n), fmt.Sprint("Talk ", n), models.Accepted, "h/track/1"
		s.People = []string{fmt.Sprint("h/speaker/", n), fmt.Sprint("h/speaker/", n+1)}
		s.Answers = []moving.Answer{{Question: "h/fact/notes", Values: []string{"Secret"}},
			{Question: "h/question/1", Values: []string{"Water", "A boat"}}, {Question: "h/question/9", Values: []string{"Of none"}}}
		h.subs = append(h.subs, s)
	}
	for n := range 3 {
		h.reviews = append(h.reviews, moving.Review{Key: fmt.Sprint("h/review/", n), Submission: fmt.Sprint("h/submission/", n/2),
			Email: fmt.Sprintf("r%d@example.org", n%2), Name: fmt.Sprint("Reviewer ", n%2), Comment: "Good", Scores: []moving.Score{
				{Criterion: "h/category/1", Name: "Fun", Weight: 1, Value: float64(n), Label: "So"},
				{Criterion: "h/category/2", Name: "Half", Weight: 1, Value: 0.5}}})
	}
	return h
}
