package models_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/store"
)

// askApproval turns approval of content on at the event under test.
func askApproval(t *testing.T, f *modelstest.Fixture, asks bool) {
	t.Helper()
	modelstest.Must(f.Programme().UpdateEvent(t.Context(), models.EventChange{AsksApproval: &asks}))(t)
}

// ready makes a session whose decision letter was sent.
func ready(t *testing.T, f *modelstest.Fixture) *models.Session {
	t.Helper()
	p := f.Programme()
	abstract := modelstest.Abstract(t, p, "A", models.Accepted)
	f.SetLetter(t, f.Event, abstract.ID, models.LetterSent)
	return modelstest.Must(p.Compose(t.Context(), []string{abstract.ID}, ""))(t)
}

func TestAnEventThatAsksForItHoldsContentUntilItIsApproved(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		publish := models.SessionChange{IsPublic: new(true)}
		try := func(s *models.Session, c models.SessionChange) error {
			t.Helper()
			return modelstest.ErrorOf(f.Programme().UpdateSession(t.Context(), s.ID, c))
		}
		untouched := ready(t, f)
		modelstest.Fine(t, try(untouched, publish)) // nobody asks

		askApproval(t, f, true)
		modelstest.Fine(t, try(untouched, publish)) // it is public already
		s := ready(t, f)
		for _, state := range []models.ContentState{models.ContentDraft, models.ContentInReview} {
			modelstest.Fine(t, try(s, models.SessionChange{ContentState: &state}))
			err := try(s, publish)
			modelstest.WantKind(t, string(state), err, store.GateHeld)
			want := "Its content is not approved, so it stays unpublished. Approve the content first, or repeat the request " +
				"with publish_override: true."
			modelstest.Holds(t, err.Error() == want && len(store.AsError(err).Fields) == 1, "%s: %v", state, err)
		}
		modelstest.Fine(t, try(s, models.SessionChange{ContentState: new(models.ContentApproved)}))
		modelstest.Fine(t, try(s, publish))

		alone := modelstest.Must(f.Programme().CreateSession(t.Context(), models.NewSession{Title: "Alone"}))(t)
		err := try(alone, publish)
		modelstest.WantKind(t, "without a letter", err, store.GateHeld)
		want := "No live submission with a decision letter is behind it and its content is not approved, so it stays " +
			"unpublished. Compose it of an accepted submission and approve the content first, or repeat the request with " +
			"publish_override: true."
		modelstest.Holds(t, err.Error() == want && len(store.AsError(err).Fields) == 2, "%v", err)
		modelstest.Fine(t, try(alone, models.SessionChange{ContentState: new(models.ContentApproved)}))
		if err := try(alone, publish); !strings.HasPrefix(err.Error(), "No live submission with a decision letter is "+
			"behind it, so it stays unpublished. Compose it of an accepted submission first, or") {
			t.Errorf("approved, without a letter: %v", err)
		}
		other := modelstest.Must(f.Programme().CreateSession(t.Context(), models.NewSession{Title: "Other"}))(t)
		modelstest.Fine(t, try(other, models.SessionChange{IsPublic: new(true), PublishOverride: true}))

		// An abstract has no content state, so only its letter holds it.
		abstract := modelstest.Must(f.Programme().Sources(t.Context(), s.ID))(t)[0]
		modelstest.Fine(t, try(abstract, publish))
		askApproval(t, f, false)
		late := ready(t, f)
		modelstest.Fine(t, try(late, publish))
	})
}

func TestContentStateIsOfProgrammeSessionsWhereTheEventAsks(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		s := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "S"}))(t)
		abstract := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "A", IsAbstract: true}))(t)
		approve := models.SessionChange{ContentState: new(models.ContentApproved)}
		_, err := f.Programme().UpdateSession(t.Context(), s.ID, approve)
		modelstest.WantKind(t, "where the event does not ask", err, store.Invalid)
		askApproval(t, f, true)
		modelstest.Answers(f.Programme().UpdateSession(t.Context(), abstract.ID, approve))(t, "of an abstract", store.Invalid)
		modelstest.Answers(f.Programme().UpdateSession(t.Context(), s.ID,
			models.SessionChange{ContentState: new(models.ContentState("perfect"))}))(t, "an unknown one", store.Invalid)
		modelstest.Want(t, "it is", modelstest.Must(p.Session(t.Context(), s.ID))(t).ContentState, models.ContentDraft)
	})
}

// TestApprovalIsNobodysAffairOutside: the API shows no approval, so nothing is emitted.
func TestApprovalIsNobodysAffairOutside(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		askApproval(t, f, true)
		s := ready(t, f)
		f.Clock.Move(time.Minute)
		modelstest.Emitted(t, f)
		approve := models.SessionChange{ContentState: new(models.ContentApproved), UpdatedAt: &s.UpdatedAt}
		now := modelstest.Must(f.Programme().UpdateSession(t.Context(), s.ID, approve))(t)
		modelstest.Holds(t, now.UpdatedAt.Equal(s.UpdatedAt.Time), "the token moved")
		modelstest.WantAll(t, "it emitted", modelstest.EmittedTypes(t, f), nil)
		modelstest.Want(t, "the activity says", strings.Join(lastChanges(t, f, s.ID, "updated"), "\n"),
			`content_state: "draft" → "approved"`)
		body := string(modelstest.Must(json.Marshal(now))(t))
		modelstest.Holds(t, !strings.Contains(body, "content_state") && !strings.Contains(body, "approved"),
			"the API would say %s", body)
		if said := strings.Join(lastChanges(t, f, s.ID, "composed"), "\n"); strings.Contains(said, "content_state") {
			t.Errorf("it began with %s", said)
		}

		// Together with what they see, there is; and the approval outlives an edit of the text.
		edit := models.SessionChange{Title: new("Better"), UpdatedAt: &s.UpdatedAt}
		edited := modelstest.Must(f.Programme().UpdateSession(t.Context(), s.ID, edit))(t)
		emitted := modelstest.Emitted(t, f)
		if edited.ContentState != models.ContentApproved || len(emitted) != 2 || // and the linked abstract
			emitted[0].Type != outbox.SessionUpdated {
			t.Errorf("%s, %+v", edited.ContentState, emitted)
		}
		for _, e := range emitted {
			modelstest.Holds(t, !strings.Contains(string(e.Data), "content_state"), "receivers are told %s", e.Data)
		}
		_, err := f.Programme().UpdateSession(t.Context(), s.ID, approve)
		modelstest.WantKind(t, "an approval of what was rewritten since", err, store.Stale)

		created := modelstest.Must(f.Programme().CreateSession(t.Context(), models.NewSession{Title: "New"}))(t)
		if said := strings.Join(lastChanges(t, f, created.ID, "created"), "\n"); strings.Contains(said, "content_state") {
			t.Errorf("a creation tells of it: %s", said)
		}
	})
}

func TestContentIsApprovedInManyAndTakenBack(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		askApproval(t, f, true)
		p := f.Programme()
		review := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "In review"}))(t)
		draft := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "Draft"}))(t)
		done := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "Done"}))(t)
		abstract := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "A", IsAbstract: true}))(t)
		set := func(id string, to models.ContentState) {
			modelstest.Must(p.UpdateSession(t.Context(), id, models.SessionChange{ContentState: &to}))(t)
		}
		p = f.Programme()
		set(review.ID, models.ContentInReview)
		set(done.ID, models.ContentApproved)
		states := func() (out []models.ContentState) {
			for _, s := range []*models.Session{review, draft, done} {
				out = append(out, modelstest.Must(f.Programme().Session(t.Context(), s.ID))(t).ContentState)
			}
			return out
		}
		modelstest.Emitted(t, f)
		b := modelstest.Must(p.StartBatch(t.Context(), []string{review.ID, draft.ID, done.ID, abstract.ID}, nil,
			models.BatchChange{Operation: models.BatchApprove}))(t)
		if b = modelstest.Finish(t, f, b.ID); b.Succeeded != 3 || b.Failed != 1 || b.Failures[0].SessionID != abstract.ID || !b.CanUndo() {
			t.Errorf("%+v", b)
		}
		approved := models.SessionFilter{ContentStates: []models.ContentState{models.ContentApproved}}
		modelstest.Want(t, "approved", len(modelstest.SessionsByTitle(t, f.Programme(), approved)), 3)
		set(draft.ID, models.ContentInReview)
		modelstest.Finish(t, f, modelstest.Must(f.Programme().UndoBatch(t.Context(), b.ID))(t).ID)
		want := []models.ContentState{models.ContentInReview, models.ContentInReview, models.ContentApproved}
		for i, state := range states() {
			modelstest.Want(t, fmt.Sprint("taken back, row ", i, " is"), state, want[i])
		}
		modelstest.WantAll(t, "it emitted", modelstest.EmittedTypes(t, f), nil)
	})
}

func TestATextThatWasChangedSinceTheListIsNotApproved(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		askApproval(t, f, true)
		p := f.Programme()
		seen := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "Seen"}))(t)
		other := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "Other"}))(t)
		list := store.At(f.Clock.Now())
		f.Clock.Move(time.Minute)
		modelstest.Update(t, p, other.ID, models.SessionInput{Description: new("<p>Nobody has seen this.</p>")})
		b := modelstest.Must(p.StartBatch(t.Context(), []string{seen.ID, other.ID}, nil,
			models.BatchChange{Operation: models.BatchApprove, AsOf: &list}))(t)
		b = modelstest.Finish(t, f, b.ID)
		modelstest.Holds(t, b.Succeeded == 1 && b.Failed == 1 && b.Failures[0].SessionID == other.ID, "%+v", b)
	})
}
