package models_test

import (
	"fmt"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
)

// reviewDesk is an event with submissions of every kind, and two reviewers: Ada is on "Own".
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
		if got := next(li, byNumber, "Two"); got != "Three" { // Own is reviewed by Li
			t.Errorf("Li goes on with %s", got)
		}
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
		if got := given(ada, 10) + "; " + given(li, 10); got != "1 Queued 2; 1 Own 5" {
			t.Error(got)
		}
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
				if waiting != r.Waiting || given != r.Given {
					t.Errorf("%s sees %d and %d", r.Name, given, waiting)
				}
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
