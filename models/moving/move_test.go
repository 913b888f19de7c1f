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
	"strings"
	"sync"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/field"
	"lectern/models/modelstest"
	"lectern/models/moving"
	"lectern/models/review"
	"lectern/models/staff"
	"lectern/models/store"
)

// harbour is a conference elsewhere. It hands out two rows at a time, and fails once it has handed out fails of them.
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
		Labels: []models.ArrivingLabel{{Key: "h/track/1", Family: models.Tracks, NewMetadata: models.NewMetadata{Name: "Boats"}}},
		Questions: []moving.Question{
			{Key: "h/question/1", AskedOf: cfp.OfProposal, Type: field.Choices, Label: "Needs", Options: []string{"Water", "A boat"}},
			{Key: "h/question/2", AskedOf: cfp.OfSpeaker, Type: field.YesNo, Label: "Vegan?"},
			{Key: "h/question/3", AskedOf: cfp.OfSpeaker, Type: field.Text, Label: "Needs"}, // in the words of another one
			{Key: "h/fact/notes", AskedOf: cfp.OfProposal, Type: field.LongText, Label: "Notes", SeenBy: cfp.StaffOnly, IsRetired: true},
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

func moved(t *testing.T, p *models.Programme, h *harbour) *moving.Report {
	t.Helper()
	return modelstest.Must(moving.Into(t.Context(), p, h, nil))(t)
}

func titled(t *testing.T, p *models.Programme, title string) *models.Session {
	t.Helper()
	s := modelstest.SessionsByTitle(t, p, models.SessionFilter{IsAbstract: new(true)})[title]
	if s == nil {
		t.Fatalf("%s did not come", title)
	}
	return s
}

func TestAConferenceMovesInWithAnswersPhotosAndReviews(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		r := moved(t, p, newHarbour())
		if r.Questions.Created != 4 || r.Photos != 5 || r.Answers != 5 || r.Reviews.Created != 3 || r.Contacts.Created != 5 ||
			r.Abstracts.Created != 4 || len(r.Skipped) != 0 || r.From != "Harbour" {
			t.Errorf("%+v", r)
		}
		s := titled(t, p, "Talk 0")
		if want := (models.Answers{{Key: "notes", Value: "Secret"}, {Key: "needs", Value: "Water, A boat"},
			{Key: "question/9", Value: "Of none"}}); !slices.Equal(s.CustomFields, want) {
			t.Errorf("%+v", s.CustomFields)
		}
		if s.Participants[0].PhotoURL == nil {
			t.Error("the photo did not come")
		}
		if coming := modelstest.Must(p.ComingOf(t.Context(), []string{s.ID}))(t)[s.ID]; coming != "2 come" {
			t.Errorf("those who confirmed: %q", coming)
		}
		open := modelstest.Must(p.Sight(t.Context(), models.OpenEyes))(t)
		if !open.Hides("notes") || open.Hides("needs") {
			t.Error("reviewers see notes of the organizers")
		}
		own := modelstest.Must(cfp.Of(p).OwnAnswers(t.Context(), s.Participants[0].ContactID))(t)
		if len(own.Values) != 2 || own.Form.Questions()[1].Label != "Needs (speaker)" {
			t.Errorf("%+v", own.Values)
		}
		if len(modelstest.Emitted(t, f)) != 0 {
			t.Error("a move emits")
		}
		again := moved(t, p, newHarbour())
		if again.Questions.Unchanged != 4 || again.Photos+again.Answers+again.Reviews.Created+again.Reviews.Updated != 0 ||
			again.Reviews.Unchanged != 3 || again.Contacts.Unchanged != 5 || again.Abstracts.Unchanged != 4 {
			t.Errorf("once more: %+v", again)
		}
	})
}

func TestReviewsComeWithTheirAuthorsWhoCannotSignIn(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		known := f.Hire(t, "r1", staff.Reviewer)
		h := newHarbour()
		h.reviews[1].Email = known.Email
		moved(t, p, h)
		got := modelstest.Must(p.Reviews(t.Context(), titled(t, p, "Talk 0").ID, ""))(t)
		if len(got) != 2 {
			t.Fatalf("%+v", got)
		}
		said := modelstest.Must(review.Of(p).Answers(t.Context(), got))(t)
		for i, r := range got { // scales begin at 0, and the best that was given is the top
			want := map[string]int{"Reviewer 0": 100, known.Name: 300}[r.Reviewer]
			if r.Points == nil || int(*r.Points) != want || len(said[i]) != 2 || said[i][1].Text != "0.5" || r.Comment != "Good" {
				t.Errorf("%s: %v %+v", r.Reviewer, r.Points, said[i])
			}
		}
		members := modelstest.Must(p.Team().Members(t.Context()))(t)
		if slices.ContainsFunc(members, func(u *staff.User) bool { return u.Email == "r0@example.org" }) {
			t.Error("who reviewed elsewhere is staff here")
		}
		h.reviews[0].Scores[0].Value, h.reviews[2].Comment = 9, "Better"
		r := moved(t, p, h)
		if r.Reviews.Updated != 1 || r.Reviews.Unchanged != 1 || len(r.Skipped) != 1 {
			t.Errorf("one is beyond the scale, one says something else: %+v", r)
		}
	})
}

func TestWhatIsWithheldKeepsNothingElseOut(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		h := newHarbour()
		h.photo, h.withheld = moving.NotGiven("is gone there"), moving.NotGiven("may not be read")
		r := moved(t, f.Programme(), h)
		if r.Abstracts.Created != 4 || r.Photos != 0 || len(r.Skipped) != 6 || r.Skipped[5].Reason != "may not be read" {
			t.Errorf("%+v", r)
		}
		h.photo, h.withheld = nil, nil
		if r = moved(t, f.Programme(), h); r.Photos != 5 || r.Reviews.Created != 3 || len(r.Skipped) != 0 {
			t.Errorf("they come the next time: %+v", r)
		}
	})
}

func TestAMoveThatWasCutShortGoesOn(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		var created models.ImportCounts
		for fails := 2; fails < 12; fails += 2 {
			h := newHarbour()
			h.fails = fails
			r, err := moving.Into(t.Context(), f.Programme(), h, nil)
			if !errors.Is(err, errCut) {
				t.Fatalf("after %d: %v", fails, err)
			}
			created.Created += r.Contacts.Created + r.Abstracts.Created
		}
		r := moved(t, f.Programme(), newHarbour())
		if created.Created+r.Contacts.Created+r.Abstracts.Created != 9 || r.Contacts.All() != 5 || r.Abstracts.All() != 4 {
			t.Errorf("%d and then %+v", created.Created, r)
		}
	})
}

func TestTwoMovesAtOnceBringNothingTwice(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				if _, err := moving.Into(t.Context(), f.Programme(), newHarbour(), nil); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		r := moved(t, f.Programme(), newHarbour())
		if r.Abstracts.Unchanged != 4 || r.Contacts.Unchanged != 5 || r.Questions.Unchanged != 4 || r.Reviews.Unchanged != 3 {
			t.Errorf("%+v", r)
		}
		for what, want := range map[string]int{"sessions": 4, "contacts": 5, "review_rounds WHERE NOT gives_all": 1, "reviews": 3} {
			var n int
			modelstest.Fine(t, f.SQL(t).QueryRow("SELECT count(*) FROM "+what).Scan(&n))
			if n != want {
				t.Errorf("%d %s", n, what)
			}
		}
	})
}

func TestAQuestionThatChangedThereChangesHere(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		h := newHarbour()
		moved(t, f.Programme(), h)
		h.frame.Questions[0].Label, h.frame.Questions[0].Options = "What you need", []string{"Water", "A boat", "Air"}
		h.people[0].Answers[1].Values = []string{"Two chairs"}
		r := moved(t, f.Programme(), h)
		if r.Questions.Updated != 1 || r.Answers != 1 {
			t.Errorf("%+v", r)
		}
		form := modelstest.Must(cfp.Of(f.Programme()).Form(t.Context()))(t)
		if q := form.Known("needs"); q == nil || q.Label != "What you need" || len(q.Options) != 3 {
			t.Errorf("%+v", q)
		}
	})
}

func TestTheNameOfAReviewerWhoIsOfAnotherOrganizationIsNotTaken(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		foreign, _ := modelstest.ForeignOwner(t, f)
		h := newHarbour()
		h.reviews[0].Email = foreign.Email
		if r := moved(t, f.Programme(), h); r.Reviews.Created != 2 || len(r.Skipped) != 1 {
			t.Errorf("%+v", r)
		}
		_, err := f.Programme().Team().Remember(t.Context(), "none", "")
		modelstest.WantKind(t, "an address that is none", err, store.Invalid)
	})
}

func TestWhoIsNotAvailableIsAway(t *testing.T) {
	t.Parallel()
	lisbon := modelstest.Must(time.LoadLocation("Europe/Lisbon"))(t)
	at := func(day, hour, minute int) time.Time { return time.Date(2027, 5, day, hour, minute, 0, 0, time.UTC) }
	for want, available := range map[string][]moving.Span{
		"": nil,
		"2027-05-20 00:00-09:00\n2027-05-20 13:30-24:00\n2027-05-21 00:00-24:00": {{From: at(20, 8, 0), Until: at(20, 12, 30)}},
		"2027-05-20 00:00-24:00\n2027-05-21 00:00-24:00":                         {{From: at(1, 8, 0), Until: at(2, 8, 0)}},
		"2027-05-20 00:00-09:00":                                                 {{From: at(20, 10, 0), Until: at(22, 12, 0)}, {From: at(20, 8, 0), Until: at(20, 11, 0)}},
		"2027-05-20 11:00-12:00":                                                 {{From: at(19, 8, 0), Until: at(20, 10, 0)}, {From: at(20, 11, 0), Until: at(21, 23, 0)}},
	} {
		if is := moving.Away(available, "2027-05-20", "2027-05-21", lisbon); is != want {
			t.Errorf("%q, want %q", is, want)
		}
	}
	if strings.Contains(moving.Away([]moving.Span{{From: at(20, 8, 0), Until: at(20, 9, 0)}}, "", "", lisbon), "20") {
		t.Error("a conference without days has absences")
	}
}
