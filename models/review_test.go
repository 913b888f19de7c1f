package models_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
)

func TestTheScoreIsTheMeanOfTheReviews(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		s := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "A", IsAbstract: true}))(t)
		ada, li, mei := f.Hire(t, "ada", staff.Reviewer), f.Hire(t, "li", staff.Reviewer), f.Hire(t, "mei", staff.Owner)
		stands := func(want string) {
			t.Helper()
			now := modelstest.Must(p.Session(t.Context(), s.ID))(t)
			got := fmt.Sprint("none of ", now.Reviews)
			if now.Score != nil {
				got = fmt.Sprintf("%s of %d", now.Score, now.Reviews)
			}
			modelstest.Holds(t, got == want && now.UpdatedAt == s.UpdatedAt,
				"the score is %s, want %s; changed %s", got, want, now.UpdatedAt)
		}
		give := func(by *staff.User, score int, comment string) {
			t.Helper()
			f.Clock.Move(time.Minute)
			modelstest.Fine(t, p.GiveReview(t.Context(), by, s.ID, models.Opinion{Score: score, Comment: comment}))
		}
		other := modelstest.Must(f.Elsewhere().CreateSession(t.Context(), models.NewSession{Title: "B", IsAbstract: true}))(t)
		modelstest.Fine(t, f.Elsewhere().GiveReview(t.Context(), ada, other.ID, models.Opinion{Score: 2}))
		modelstest.Emitted(t, f)
		stands("none of 0")
		give(ada, 4, " <b>Fine</b> & more ")
		stands("4.00 of 1")
		give(li, 5, "")
		give(mei, 4, "")
		stands("4.33 of 3")
		give(li, 1, "On second thoughts")
		stands("3.00 of 3")

		reviews := modelstest.Must(p.Reviews(t.Context(), s.ID, ""))(t)
		told := store.Map(reviews,
			func(r *models.Review) string { return fmt.Sprint(r.Reviewer, " ", r.Score(), " ", r.Comment) })
		modelstest.WantAll(t, "told", told, []string{"li 1 On second thoughts", "mei 4 ", "ada 4 <b>Fine</b> & more"})
		modelstest.Holds(t, reviews[0].UpdatedAt.After(reviews[0].CreatedAt.Time), "%+v", reviews[0])
		if own := modelstest.Must(p.Reviews(t.Context(), s.ID, ada.ID))(t); len(own) != 1 || own[0].Score() != 4 ||
			own[0].UserID != ada.ID {
			t.Errorf("%+v", own)
		}
		for want, these := range map[string][]string{fmt.Sprint(map[string]int{s.ID: 4}): {s.ID, other.ID},
			"map[]": {other.ID}} {
			modelstest.Want(t, "own scores", fmt.Sprint(modelstest.Must(p.OwnScores(t.Context(), ada.ID, these...))(t)), want)
		}
		if own := modelstest.Must(p.OwnScores(t.Context(), ada.ID))(t); len(own) != 1 || own[s.ID] != 4 {
			t.Errorf("%v", own)
		}
		// The score of another process's cached counts is not kept either.
		modelstest.Want(t, "rows", len(modelstest.First(f.Programme().SearchSessions(t.Context(),
			models.SessionSearch{Filter: models.SessionFilter{ScoreFrom: new(models.Score(300))}}))(t)), 1)

		takeBack := func(by *staff.User) {
			t.Helper()
			modelstest.Fine(t, p.TakeReviewBack(t.Context(), by, s.ID))
		}
		takeBack(li)
		stands("4.00 of 2")
		modelstest.WantKind(t, "taking back what is not there", p.TakeReviewBack(t.Context(), li, s.ID), store.NotFound)
		takeBack(ada)
		takeBack(mei)
		stands("none of 0")
		modelstest.WantAll(t, "reviews are told outside", modelstest.EmittedTypes(t, f), nil)
		// What else changes the submission leaves its score.
		give(ada, 2, "")
		modelstest.Must(p.UpdateSession(t.Context(), s.ID, models.SessionChange{Title: new("B")}))(t)
		if now := modelstest.Must(p.Session(t.Context(), s.ID))(t); now.Score == nil || *now.Score != 200 ||
			now.Reviews != 1 {
			t.Errorf("%+v", now)
		}
		if told := modelstest.Emitted(t, f); len(told) != 1 || !strings.Contains(string(told[0].Data), `"title"`) ||
			strings.Contains(string(told[0].Data), "score") {
			t.Errorf("told outside: %+v", told)
		}
	})
}

func TestReviewsAreRefusedAndStayInTheEvent(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		made := func(p *models.Programme, n models.NewSession) *models.Session {
			return modelstest.Must(p.CreateSession(t.Context(), n))(t)
		}
		abstract := func(status models.Status) models.NewSession {
			return models.NewSession{Title: "A", IsAbstract: true, SessionInput: models.SessionInput{Status: &status}}
		}
		ada := f.Hire(t, "ada", staff.Reviewer)
		fine := made(p, abstract(models.Pending))
		for _, o := range []models.Opinion{{Score: 0}, {Score: 6}, {Score: -1},
			{Score: 3, Comment: strings.Repeat("é", models.MaxReviewComment+1)}, {Score: 3, Comment: "\xff"},
			{Score: 3, Comment: "a\x00"}} {
			modelstest.WantKind(t, fmt.Sprintf("%d %.10q", o.Score, o.Comment), p.GiveReview(t.Context(), ada, fine.ID, o),
				store.Invalid)
		}
		own := made(p, abstract(models.Pending))
		f.Speaker(t, f.Event, own.ID, models.NewContact{Email: "ADA@example.org", FirstName: "Ada"})
		for what, s := range map[string]*models.Session{
			"draft": made(p, abstract(models.Draft)), "withdrawn": made(p, abstract(models.Withdrawn)),
			"submissions": made(p, models.NewSession{Title: "S"}), "yourself": own,
		} {
			err := p.GiveReview(t.Context(), ada, s.ID, models.Opinion{Score: 3})
			modelstest.Holds(t, store.KindOf(err) == store.Invalid && strings.Contains(err.Error(), what), "%s: %v", what, err)
		}
		deleted, other := made(p, abstract(models.Pending)), made(f.Elsewhere(), abstract(models.Pending))
		modelstest.Fine(t, p.GiveReview(t.Context(), ada, deleted.ID, models.Opinion{Score: 3}))
		modelstest.Must(p.DeleteSession(t.Context(), deleted.ID))(t)
		modelstest.Fine(t, f.Elsewhere().GiveReview(t.Context(), ada, other.ID, models.Opinion{Score: 5, Comment: "secret"}))
		for _, id := range []string{deleted.ID, other.ID, store.NewID(), "x", ""} {
			modelstest.WantKind(t, id, p.GiveReview(t.Context(), ada, id, models.Opinion{Score: 3}), store.NotFound)
			modelstest.WantKind(t, id, p.TakeReviewBack(t.Context(), ada, id), store.NotFound)
		}
		for _, by := range []string{"", ada.ID} {
			modelstest.Want(t, "reviews", len(modelstest.Must(p.Reviews(t.Context(), other.ID, by))(t)), 0)
		}
		modelstest.Want(t, "reviews", modelstest.Must(p.RestoreSession(t.Context(), deleted.ID))(t).Reviews, 1)
	})
}

func TestSubmissionsAreFoundByScoreAndReviewer(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		ada, li := f.Hire(t, "ada", staff.Reviewer), f.Hire(t, "li", staff.Reviewer)
		for title, n := range map[string]struct {
			status      models.Status
			speaker     string
			adas, lises int
		}{
			"none": {models.Pending, "", 0, 0}, "low": {models.Pending, "", 1, 2}, "high": {models.Pending, "", 4, 5},
			"adas":    {models.Pending, "ada@example.org", 0, 4},
			"decided": {models.Accepted, "", 0, 0}, "draft": {models.Draft, "", 0, 0},
		} {
			s := modelstest.Abstract(t, p, title, n.status)
			if n.speaker != "" {
				f.Speaker(t, f.Event, s.ID, models.NewContact{Email: n.speaker, FirstName: "A"})
			}
			for by, score := range map[*staff.User]int{ada: n.adas, li: n.lises} {
				if score > 0 {
					modelstest.Fine(t, p.GiveReview(t.Context(), by, s.ID, models.Opinion{Score: score}))
				}
			}
		}
		score := func(s models.Score) *models.Score { return &s }
		for want, filter := range map[string]models.SessionFilter{
			"adas high":          {ScoreFrom: score(400)},
			"high":               {ScoreFrom: score(401)},
			"low":                {ScoreBelow: score(400)},
			"adas":               {ScoreFrom: score(400), ScoreBelow: score(450)},
			"adas high low":      {Reviewed: new(true)},
			"decided draft none": {Reviewed: new(false), IsAbstract: new(true)},
			"high low":           {ReviewedBy: ada.ID},
			"none":               {AwaitsReviewBy: ada.ID}, // not the one she is on, nor the decided one
			"none ":              {AwaitsReviewBy: li.ID},
		} {
			rows := modelstest.First(p.SearchSessions(t.Context(),
				models.SessionSearch{Filter: filter, Sort: models.ByTitle, Ascending: true}))(t)
			titles := store.Map(rows, func(s *models.Session) string { return s.Title })
			modelstest.Want(t, fmt.Sprintf("%+v finds", filter), strings.Join(titles, " "), strings.TrimSpace(want))
		}
		for _, filter := range []models.SessionFilter{{ReviewedBy: "x"}, {AwaitsReviewBy: "' OR 1=1 --"}} {
			modelstest.Answers(p.SearchSessions(t.Context(), models.SessionSearch{Filter: filter}))(t, "a reviewer that cannot be",
				store.Invalid)
		}
	})
}

// TestReviewsGivenAtOnceAllCount compares the mean with reviews that were written in parallel.
func TestReviewsGivenAtOnceAllCount(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		s := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "A", IsAbstract: true}))(t)
		var by []*staff.User
		for i := range 8 {
			by = append(by, f.Hire(t, fmt.Sprint("reviewer", i), staff.Reviewer))
		}
		modelstest.AllSucceed(t, 8, func(i int) error {
			return p.GiveReview(t.Context(), by[i], s.ID, models.Opinion{Score: 1 + i%2*3})
		})
		now := modelstest.Must(p.Session(t.Context(), s.ID))(t)
		modelstest.Holds(t, now.Reviews == 8 && now.Score != nil && *now.Score == 250,
			"%d reviews, %v", now.Reviews, now.Score)
	})
}

func TestAReviewCountsNoMoreOnceItsGiverIsOnTheSubmission(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		s := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "A", IsAbstract: true}))(t)
		ada, li := f.Hire(t, "ada", staff.Reviewer), f.Hire(t, "li", staff.Reviewer)
		modelstest.Fine(t, p.GiveReview(t.Context(), ada, s.ID, models.Opinion{Score: 5}))
		modelstest.Fine(t, p.GiveReview(t.Context(), li, s.ID, models.Opinion{Score: 2}))
		stands := func(want string, people ...models.Participation) {
			t.Helper()
			modelstest.Must(p.SetParticipants(t.Context(), s.ID, people))(t)
			now := modelstest.Must(p.Session(t.Context(), s.ID))(t)
			all := modelstest.Must(p.Reviews(t.Context(), s.ID, ""))(t)
			scores := modelstest.Must(p.ScoresOf(t.Context(), []string{s.ID}))(t)[s.ID]
			modelstest.Want(t, "the score", fmt.Sprint(now.Score, " ", now.Reviews, " ", len(all), " ", scores), want)
		}
		stands("3.50 2 2 [2 5]")
		stands("2.00 1 1 [2]", models.Participation{New: &models.NewContact{FirstName: "Ada", Email: ada.Email}})
		mine := models.SessionSearch{Filter: models.SessionFilter{ReviewedBy: ada.ID}}
		modelstest.Want(t, "of her own are among those she reviewed",
			len(modelstest.First(p.SearchSessions(t.Context(), mine))(t)), 0)
		stands("3.50 2 2 [2 5]")
	})
}

// TestTheMeanIsRoundedAlikeOnBothDatabases takes sums whose mean lies half-way between two hundredths, which floating
// point stores as a little less.
func TestTheMeanIsRoundedAlikeOnBothDatabases(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, last := f.Programme(), f.Hire(t, "last", staff.Reviewer)
		for _, c := range []struct {
			scores string // of the others; the last one gives 1
			want   models.Score
		}{
			{"1", 100}, {"2", 150}, {"12", 133}, {"22", 167}, {"55", 367},
			{strings.Repeat("1", 38) + "2", 103},                               // 41 of 40, 1.025
			{strings.Repeat("1", 36) + "222", 108},                             // 43 of 40, 1.075
			{strings.Repeat("5", 38) + "2", 483},                               // 193 of 40, 4.825
			{strings.Repeat("1", 7), 100}, {strings.Repeat("1", 6) + "2", 113}, // 9 of 8, 1.125
		} {
			s := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "A", IsAbstract: true}))(t)
			reviewedBy(t, f, s, c.scores)
			modelstest.Fine(t, p.GiveReview(t.Context(), last, s.ID, models.Opinion{Score: 1}))
			got := modelstest.Must(p.Session(t.Context(), s.ID))(t)
			modelstest.Holds(t, got.Score != nil && *got.Score == c.want && got.Reviews == len(c.scores)+1,
				"1 and %s: %v of %d reviews, want %s", c.scores, got.Score, got.Reviews, c.want)
		}
	})
}

// reviewedBy gives a session one review for each digit, by as many members of staff.
func reviewedBy(t *testing.T, f *modelstest.Fixture, s *models.Session, scores string) {
	t.Helper()
	db := f.SQL
	for i, score := range scores {
		user := fmt.Sprintf("reviewer-%d", i)
		for _, query := range []string{
			fmt.Sprintf(
				`INSERT INTO users (id, organization_id, email, email_key, name, role, password_hash, created_at, updated_at)
				SELECT '%s', organization_id, '%[1]s', '%[1]s', '%[1]s', role, '', created_at, updated_at FROM users WHERE email_key = 'last@example.org'
				ON CONFLICT DO NOTHING`, user),
			fmt.Sprintf(`INSERT INTO reviews (event_id, round_id, session_id, user_id, points, comment, created_at, updated_at)
				SELECT event_id, event_id, id, '%s', %c00, '', created_at, updated_at FROM sessions WHERE id = '%s'`, user, score, s.ID),
		} {
			modelstest.Must(db.Exec(query))(t)
		}
	}
}

// reviewDesk makes an event with submissions of every kind and two reviewers; Ada is on "Own".
func reviewDesk(t *testing.T, f *modelstest.Fixture) (ada, li *staff.User, by map[string]*models.Session) {
	p := f.Programme()
	ada, li = f.Hire(t, "ada", staff.Reviewer), f.Hire(t, "li", staff.Reviewer)
	f.Hire(t, "viewer", staff.Viewer)
	by = map[string]*models.Session{}
	for _, n := range []struct {
		title  string
		status models.Status
	}{{"One", models.Pending}, {"Draft", models.Draft}, {"Two", models.Pending}, {"Own", models.Pending},
		{"Gone", models.Pending}, {"Three", models.Pending}, {"Queued", models.AcceptQueue}, {"Left", models.Pending}} {
		f.Clock.Move(time.Second)
		by[n.title] = modelstest.Abstract(t, p, n.title, n.status)
	}
	f.Speaker(t, f.Event, by["Own"].ID, models.NewContact{Email: "ada@example.org", FirstName: "Ada"})
	for _, title := range []string{"Gone", "Left", "Queued"} {
		modelstest.Fine(t, p.GiveReview(t.Context(), ada, by[title].ID, models.Opinion{Score: 2}))
		f.Clock.Move(time.Second)
	}
	modelstest.Fine(t, p.GiveReview(t.Context(), li, by["Own"].ID, models.Opinion{Score: 5}))
	modelstest.Must(p.DeleteSession(t.Context(), by["Gone"].ID))(t)
	modelstest.SetStatus(t, p, by["Left"].ID, models.Withdrawn)
	modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "Programme"}))(t)
	theirs := modelstest.Must(f.Elsewhere().CreateSession(t.Context(),
		models.NewSession{Title: "Theirs", IsAbstract: true}))(t)
	modelstest.Fine(t, f.Elsewhere().GiveReview(t.Context(), ada, theirs.ID, models.Opinion{Score: 3}))
	return ada, li, by
}

func TestTheNextToReviewIsOneThatWaitsAndOnlyThat(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ada, li, by := reviewDesk(t, f)
		ctx := t.Context()
		byNumber := models.SessionSearch{Sort: models.ByFriendlyID, Ascending: true}
		next := func(u *staff.User, q models.SessionSearch, after string) string {
			s := modelstest.Must(f.Programme().NextToReview(ctx, u.ID, q, by[after]))(t)
			if s == nil {
				return ""
			}
			return s.Title
		}
		for after, want := range map[string]string{"One": "Two", "Draft": "Two", "Two": "Three", "Own": "Three",
			"Queued": "One", "Three": "One", "Left": "One"} {
			modelstest.Want(t, "after "+after, next(ada, byNumber, after), want)
		}
		modelstest.Want(t, "Own is reviewed by Li, who goes on with", next(li, byNumber, "Two"), "Three")
		// In the order of a list, and only what is in it.
		byTitle := models.SessionSearch{Sort: models.ByTitle, Ascending: true}
		modelstest.Want(t, "by title", next(ada, byTitle, "One"), "Three")
		byTitle.Filter.Text = "two"
		modelstest.Want(t, "narrowed", next(ada, byTitle, "One")+next(ada, byTitle, "Two"), "Two")
		byTitle.Filter = models.SessionFilter{Statuses: []models.Status{models.Draft}}
		modelstest.Want(t, "among drafts", next(ada, byTitle, "One"), "")
		for _, title := range []string{"Two", "Three"} {
			modelstest.Fine(t, f.Programme().GiveReview(ctx, ada, by[title].ID, models.Opinion{Score: 4}))
		}
		modelstest.Want(t, "one is left", next(ada, byNumber, "Three"), "One")
		modelstest.Fine(t, f.Programme().GiveReview(ctx, ada, by["One"].ID, models.Opinion{Score: 4}))
		modelstest.Want(t, "nothing is left", next(ada, byNumber, "One"), "")
	})
}

func TestWhatOneGaveIsOfWhatIsReviewedStill(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ada, li, by := reviewDesk(t, f)
		ctx, p := t.Context(), f.Programme()
		given := func(u *staff.User, limit int) string {
			text := fmt.Sprint(modelstest.Must(f.Programme().CountReviewsGiven(ctx, u.ID))(t))
			for _, r := range modelstest.Must(f.Programme().ReviewsGiven(ctx, u.ID, limit))(t) {
				text += fmt.Sprintf(" %s %d", r.Title, r.Score)
			}
			return text
		}
		modelstest.Want(t, "given", given(ada, 10)+"; "+given(li, 10), "1 Queued 2; 1 Own 5")
		f.Clock.Move(time.Second)
		modelstest.Fine(t, p.GiveReview(ctx, ada, by["One"].ID, models.Opinion{Score: 4}))
		modelstest.Want(t, "given", given(ada, 1), "2 One 4")
		// One's own is not, however it became that.
		own := modelstest.Must(p.Session(ctx, by["Own"].ID))(t)
		f.Join(t, f.Event, by["Queued"].ID, own.Participants[0].ContactID, models.Speaking)
		modelstest.Want(t, "given", given(ada, 10), "1 One 4")
	})
}

func TestTheProgressOfEachReviewerIsWhatTheySeeThemselves(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ada, li, by := reviewDesk(t, f)
		ctx := t.Context()
		olga := f.Hire(t, "olga", staff.Organizer)
		progress := func() (text string) {
			all := modelstest.Must(f.Programme().ReviewProgress(ctx))(t)
			for _, r := range all {
				text += fmt.Sprintf("%s %v %d %d; ", r.Name, r.IsReviewer, r.Given, r.Waiting)
				waiting := modelstest.Must(f.Programme().AwaitingReview(ctx, r.UserID))(t)
				given := modelstest.Must(f.Programme().CountReviewsGiven(ctx, r.UserID))(t)
				modelstest.Holds(t, waiting == r.Waiting && given == r.Given, "%s sees %d and %d", r.Name, given, waiting)
			}
			return text
		}
		modelstest.Want(t, "progress", progress(), "ada true 1 3; li true 1 3; ")
		modelstest.Fine(t, f.Programme().GiveReview(ctx, olga, by["One"].ID, models.Opinion{Score: 4}))
		modelstest.Fine(t, f.Programme().GiveReview(ctx, ada, by["One"].ID, models.Opinion{Score: 4}))
		f.Speaker(t, f.Event, by["One"].ID, models.NewContact{Email: li.Email, FirstName: "Li"})
		modelstest.Want(t, "progress", progress(), "ada true 2 2; li true 1 2; olga false 1 3; ")
	})
}
