package models_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/letters"
	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/people"
	"lectern/models/store"
)

func TestADecisionDraftsALetterForEachPersonWithAnAddress(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		id := modelstest.AbstractOf(t, f, "Ledgers", "a@x.org", "", "b@x.org")
		other := modelstest.Must(f.Elsewhere().CreateSession(ctx, models.NewSession{Title: "Ledgers", IsAbstract: true}))(t)
		f.Speaker(t, f.Other, other.ID, models.NewContact{FirstName: "Leak", Email: "leak@x.org"})
		modelstest.SetStatus(t, f.Elsewhere(), other.ID, models.Accepted)
		modelstest.SetStatus(t, p, id, models.AcceptQueue)
		modelstest.Want(t, "letters that a queue drafts", len(modelstest.Drafts(t, p, "")), 0)
		modelstest.Emitted(t, f)
		modelstest.SetStatus(t, p, id, models.Accepted)
		modelstest.SetStatus(t, p, id, models.Accepted)
		rows := modelstest.Drafts(t, p, "")
		if len(rows) != 2 || rows[0].Email != "a@x.org" || rows[1].Email != "b@x.org" || *rows[0].Number != 1 {
			t.Fatalf("%+v", rows)
		}
		if l := rows[0]; l.Subject != "Conference: yes to “Ledgers”" || !strings.HasPrefix(l.Body, "Dear Name0,\n\nthank you") ||
			!strings.Contains(l.Body, "(A-1)") || l.Missing != "" {
			t.Errorf("%+v", l)
		}
		modelstest.WantAll(t, "letters emit", modelstest.EmittedTypes(t, f),
			[]outbox.EmissionType{outbox.SessionUpdated, outbox.DecisionCommitted})
		people := modelstest.Must(letters.Of(p).Unwritten(ctx, 10))(t)
		modelstest.Holds(t, len(people) == 1 && people[0].Name == "Name1 Last" && people[0].Email == "",
			"who has no letter: %+v", people)
		// Another decision ends what has not gone out, and only that.
		first := rows[0].ID
		modelstest.Fine(t, letters.Of(p).SendLetter(ctx, first))
		f.Clock.Move(letters.Hold)
		out := modelstest.Must(f.ClaimLetter(ctx, "post.test"))(t)
		modelstest.Fine(t, f.EndLetter(ctx, out, models.LetterEnd{State: models.LetterSent}))
		modelstest.SetStatus(t, p, id, models.Declined)
		states := map[string]int{}
		for _, l := range modelstest.Must(modelstest.AllLetters(t, f))(t) {
			states[fmt.Sprint(l.State, *l.Number, l.IsCurrent)]++
		}
		modelstest.Want(t, "states", fmt.Sprint(states), "map[draft2 true:2 sent1 false:1 superseded1 false:1]")
		// Back in the queue nothing is left to be sent.
		modelstest.SetStatus(t, p, id, models.DeclineQueue)
		modelstest.Want(t, "drafts of a decision that does not stand", len(modelstest.Drafts(t, p, "")), 0)
	})
}

func TestTwoWhoDecideAtOnceDecideOnce(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		id := modelstest.AbstractOf(t, f, "T", "a@x.org")
		modelstest.Emitted(t, f)
		modelstest.AllSucceed(t, 2, func(int) error {
			return modelstest.ErrorOf(f.Programme().UpdateSession(t.Context(), id,
				models.SessionChange{SessionInput: models.SessionInput{Status: new(models.Accepted)}}))
		})
		modelstest.Want(t, "decisions", modelstest.EmissionCounts(t, f)[outbox.DecisionCommitted], 1)
		modelstest.Want(t, "letters", len(modelstest.Drafts(t, f.Programme(), "")), 1)
	})
}

func TestATemplateWithABrokenPlaceholderCannotBeSaved(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		for _, text := range []string{"{{travel_desk}}", "{{changes}}", "{{first_name", "first_name}}", "{{ {{event}} }}", "{{}}", "", " \n"} {
			modelstest.WantKind(t, "body "+text, letters.Of(p).SaveLetterTemplate(ctx, models.LetterAccepted, 2,
				"S", text), store.Invalid)
			modelstest.WantKind(t, "subject "+text, letters.Of(p).SaveLetterTemplate(ctx, models.LetterAccepted, 2,
				text, "B"), store.Invalid)
		}
		modelstest.Fine(t, letters.Of(p).SaveLetterTemplate(ctx, models.LetterAccepted, 2,
			"{{event}}\r\nBcc: x@x.org", "{{ first_name }}"))
		modelstest.WantKind(t, "an old version", letters.Of(p).SaveLetterTemplate(ctx, models.LetterAccepted, 2,
			"S", "B"), store.Stale)
		modelstest.WantKind(t, "no kind", letters.Of(p).SaveLetterTemplate(ctx, "other", 1, "S", "B"), store.NotFound)
		all := modelstest.Must(letters.Of(p).LetterTemplates(ctx))(t)
		modelstest.Holds(t, all[0].Subject == "{{event}} Bcc: x@x.org" && all[0].Version == 3 && all[1].Version == 2,
			"%+v", all[0])
		modelstest.Want(t, "another event has this one's template",
			modelstest.Must(letters.Of(f.Elsewhere()).LetterTemplates(ctx))(t)[0].Version, 2)
	})
}

func TestDraftsAreMadeAnewButForThoseEditedByHand(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		id := modelstest.AbstractOf(t, f, "About {{first_name}}", "a@x.org", "b@x.org")
		modelstest.SetStatus(t, p, id, models.Accepted)
		modelstest.SetStatus(t, p, modelstest.AbstractOf(t, f, "No", "c@x.org"), models.Declined)
		rows := modelstest.Drafts(t, p, "")
		edited := rows[0]
		modelstest.WantKind(t, "a placeholder", letters.Of(p).EditLetter(ctx, edited.ID, edited.UpdatedAt, "S",
			"{{company}}"), store.Invalid)
		err := letters.Of(p).EditLetter(ctx, edited.ID, edited.UpdatedAt, "{{event_dates}}", "{{company}}")
		modelstest.Want(t, fmt.Sprintf("%v does not name both", err), len(store.AsError(err).Fields), 2)
		modelstest.WantKind(t, "elsewhere", letters.Of(f.Elsewhere()).EditLetter(ctx, edited.ID, edited.UpdatedAt, "S",
			"B"), store.NotFound)
		modelstest.Fine(t, letters.Of(p).EditLetter(ctx, edited.ID, edited.UpdatedAt, "Mine", "By hand"))
		modelstest.WantKind(t, "twice", letters.Of(p).EditLetter(ctx, edited.ID, edited.UpdatedAt, "Yours", "B"), store.Stale)
		modelstest.Fine(t, letters.Of(p).SaveLetterTemplate(ctx, models.LetterAccepted, 2,
			"New {{session_title}}", "{{company}} {{first_name}}"))
		if c := modelstest.Must(letters.Of(p).Counts(ctx))(t); c.Outdated != 1 || c.Ready != 3 {
			t.Errorf("%+v", c)
		}
		modelstest.Want(t, "made anew", modelstest.Must(letters.Of(p).RegenerateLetters(ctx))(t), 1)
		rows = modelstest.Drafts(t, p, "")
		if l := rows[0]; l.Email != "b@x.org" || l.Missing != "company" || l.Subject != "New About {first_name}" ||
			l.Body != "{{company}} Name1" || l.TemplateVersion != 3 { // what cannot be sent comes first
			t.Errorf("%+v", l)
		}
		if l := rows[1]; l.Subject != "Mine" || l.Body != "By hand" {
			t.Errorf("%+v", l)
		}
		if c := modelstest.Must(letters.Of(p).Counts(ctx))(t); c.Outdated != 0 || c.Missing != 1 || c.Ready != 2 {
			t.Errorf("%+v", c)
		}
		modelstest.Fine(t, letters.Of(p).RewriteLetter(ctx, edited.ID))
		if l, near, err := letters.Of(p).Letter(ctx,
			edited.ID); err != nil || l.Subject != "New About {first_name}" || near.Total != 3 {
			t.Errorf("%+v %+v %v", l, near, err)
		}
	})
}

func TestTheNumberOnTheButtonIsWhatIsSent(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		for i := range 3 {
			modelstest.SetStatus(t, p, modelstest.AbstractOf(t, f, "T", fmt.Sprintf("p%d@x.org", i)), models.Accepted)
		}
		modelstest.Answers(letters.Of(p).SendChosen(ctx, letters.Choice{}, 2))(t, "another number", store.Stale)
		modelstest.Must(letters.Of(p).SendChosen(ctx, letters.Choice{}, 3))(t)
		c := modelstest.Must(letters.Of(p).Counts(ctx))(t)
		modelstest.Holds(t, c.Held == 3 && c.Ready == 0 && c.HeldTill != nil &&
			c.HeldTill.Equal(f.Clock.Now().Add(time.Minute)), "%+v", c)
		modelstest.Want(t, "a letter that goes out while it is held", modelstest.Must(f.ClaimLetter(ctx, "h"))(t), nil)
		rows, _, err := letters.Of(p).LettersIn(ctx, letters.QueuedLetters, letters.Choice{Text: "p1@x.org"}, store.Page{})
		modelstest.Fine(t, err)
		if len(rows) != 1 {
			t.Fatalf("%d found", len(rows))
		}
		modelstest.Want(t, "held back", modelstest.Must(letters.Of(p).HoldLetters(ctx, rows[0].ID))(t), 1)
		modelstest.Want(t, "another event holds back", modelstest.Must(letters.Of(f.Elsewhere()).HoldLetters(ctx, ""))(t), 0)
		modelstest.Must(letters.Of(p).PauseLetters(ctx))(t)
		f.Clock.Move(time.Hour)
		modelstest.Want(t, "a paused letter that goes out", modelstest.Must(f.ClaimLetter(ctx, "h"))(t), nil)
		modelstest.Want(t, "resumed", modelstest.Must(letters.Of(p).ResumeLetters(ctx))(t), 2)
		first := modelstest.Must(f.ClaimLetter(ctx, "h"))(t)
		if first == nil || first.MessageID != first.ID+"@h" {
			t.Fatalf("%+v", first)
		}
		modelstest.Want(t, "held back, but not what is on its way,", modelstest.Must(letters.Of(p).HoldLetters(ctx, ""))(t), 1)
	})
}

func TestTheGateAsksForAllLettersOfTheDecision(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		id := modelstest.AbstractOf(t, f, "T", "a@x.org", "b@x.org", "")
		modelstest.SetStatus(t, p, id, models.Accepted)
		publish := func() error {
			return modelstest.ErrorOf(f.Programme().UpdateSession(ctx, id, models.SessionChange{IsPublic: new(true)}))
		}
		rows := modelstest.Drafts(t, p, "")
		modelstest.WantKind(t, "drafts", publish(), store.GateHeld)
		modelstest.Fine(t, p.MarkTold(ctx, id, rows[0].ContactID, "By telephone"))
		modelstest.WantKind(t, "one told", publish(), store.GateHeld)
		modelstest.WantKind(t, "no reason", p.MarkTold(ctx, id, "", " "), store.Invalid)
		modelstest.Fine(t, letters.Of(p).SendLetter(ctx, rows[1].ID))
		f.Clock.Move(letters.Hold)
		out := modelstest.Must(f.ClaimLetter(ctx, "h"))(t)
		modelstest.WantKind(t, "on its way", publish(), store.GateHeld)
		modelstest.Fine(t, f.EndLetter(ctx, out, models.LetterEnd{State: models.LetterUnknown}))
		modelstest.WantKind(t, "unknown", publish(), store.GateHeld)
		modelstest.Fine(t, p.MarkTold(ctx, id, "", "She answered"))
		modelstest.WantKind(t, "all told", publish(), 0)
		modelstest.Want(t, "unwritten", len(modelstest.Must(letters.Of(p).Unwritten(ctx, 10))(t)), 0)
		modelstest.WantKind(t, "nobody left", p.MarkTold(ctx, id, "", "Again"), store.Invalid)
		modelstest.WantKind(t, "no decision", p.MarkTold(ctx, modelstest.AbstractOf(t, f, "P", "z@x.org"), "", "R"),
			store.Invalid)
	})
}

func TestLettersFollowThePeople(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		id := modelstest.AbstractOf(t, f, "T", "a@x.org", "b@x.org", "c@x.org")
		modelstest.SetStatus(t, p, id, models.Accepted)
		s := modelstest.Must(p.Session(ctx, id))(t)
		seated := s.Participants
		// Who leaves gets none, who comes has none until it is written.
		keep := []models.Participation{{ContactID: seated[0].ContactID, Role: models.Speaking},
			{ContactID: seated[1].ContactID, Role: models.Speaking}}
		modelstest.Must(p.ChangePeople(ctx, id, models.PeopleChange{People: keep}))(t)
		modelstest.Want(t, "drafts", len(modelstest.Drafts(t, p, "")), 2)
		again := append(slices.Clone(keep), models.Participation{ContactID: seated[2].ContactID, Role: models.Speaking})
		modelstest.Must(p.ChangePeople(ctx, id, models.PeopleChange{People: again}))(t)
		if rows := modelstest.Drafts(t, p, "c@x.org"); len(rows) != 1 || !rows[0].IsCurrent {
			t.Errorf("who came back has %+v", rows)
		}
		modelstest.Must(p.ChangePeople(ctx, id, models.PeopleChange{People: keep}))(t)
		f.Speaker(t, f.Event, id, models.NewContact{FirstName: "New", Email: "n@x.org"})
		modelstest.Want(t, "drafted", modelstest.Must(p.DraftLetters(ctx, id))(t), 1)
		// Two letters of two who become one are one; what went out stays.
		rows := modelstest.Drafts(t, p, "b@x.org")
		modelstest.Fine(t, letters.Of(p).SendLetter(ctx, rows[0].ID))
		f.Clock.Move(letters.Hold)
		out := modelstest.Must(f.ClaimLetter(ctx, "h"))(t)
		modelstest.Fine(t, f.EndLetter(ctx, out, models.LetterEnd{State: models.LetterSent}))
		directory := f.Directory(f.Event.OrganizationID, modelstest.Tester)
		modelstest.Must(people.In(directory).Merge(ctx, []people.MergePair{{SurvivorID: seated[0].ContactID,
			RemovedID: seated[1].ContactID}}))(t)
		sent := modelstest.First(letters.Of(p).LettersIn(ctx, letters.SentLetters, letters.Choice{}, store.Page{}))(t)
		if len(sent) != 1 || sent[0].ContactID != seated[0].ContactID || len(modelstest.Drafts(t, p, "")) != 1 {
			t.Errorf("%d sent, %d drafts", len(sent), len(modelstest.Drafts(t, p, "")))
		}
		// Of who is erased nothing is kept but that they were told.
		modelstest.Fine(t, people.In(directory).Erase(ctx, seated[0].ContactID))
		sent = modelstest.First(letters.Of(p).LettersIn(ctx, letters.SentLetters, letters.Choice{}, store.Page{}))(t)
		modelstest.Holds(t, len(sent) == 1 && sent[0].Subject+sent[0].Body+sent[0].SentTo == "", "%+v", sent[0])
		// A submission in the Trash has nothing to send.
		modelstest.Must(p.DeleteSession(ctx, id))(t)
		c := modelstest.Must(letters.Of(p).Counts(ctx))(t)
		modelstest.Holds(t, c.Ready == 0 && c.Drafts == 0, "%+v", c)
	})
}

func TestLettersThatManySendersClaimAreClaimedOnce(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		for i := range 12 {
			modelstest.SetStatus(t, p, modelstest.AbstractOf(t, f, "T", fmt.Sprintf("p%d@x.org", i)), models.Accepted)
		}
		modelstest.Must(letters.Of(p).SendChosen(ctx, letters.Choice{}, 12))(t)
		f.Clock.Move(letters.Hold)
		var claimed sync.Map
		var n atomic.Int32
		modelstest.AllSucceed(t, 4, func(int) error {
			for {
				l, err := f.ClaimLetter(ctx, "h")
				if l == nil {
					return err
				}
				_, twice := claimed.LoadOrStore(l.ID, true)
				modelstest.Holds(t, !twice, "a letter is claimed twice")
				n.Add(1)
			}
		})
		modelstest.Want(t, "were claimed", n.Load(), 12)
	})
}

// sendCall has the call write letters.
func sendCall(t *testing.T, f *modelstest.Fixture, letters ...models.CallLetter) {
	t.Helper()
	p := f.Programme()
	modelstest.Fine(t, p.Write(t.Context(), func(tx *store.Tx) error { return p.SendCallLetters(tx, letters...) }))
}

func TestALetterOfTheCallLeavesAtOnceAndIsRetriedLikeOthers(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		id := modelstest.AbstractOf(t, f, "Tides {{place_link}}", "")
		s := modelstest.Must(p.Session(ctx, id))(t)
		sendCall(t, f, models.CallLetter{ContactID: s.Participants[0].ContactID, Name: "Ada\r\nBcc: x", Email: "typed@x.org",
			AboutID: id, Subject: "Conference:\n" + models.WithoutPlaceholders(s.Title),
			Body: models.WithoutPlaceholders(s.Title) + " is in.\n\n" + models.PlaceLinkHere},
			models.CallLetter{Name: "Asked", Email: "asked@x.org", Subject: "Come", Body: "Come"})
		other := f.Elsewhere()
		modelstest.Fine(t, other.Write(ctx, func(tx *store.Tx) error {
			return other.SendCallLetters(tx, models.CallLetter{Email: "leak@x.org", Subject: "S", Body: "B"})
		}))
		rows := modelstest.First(letters.Of(p).LettersIn(ctx, letters.QueuedLetters, letters.Choice{Kind: models.LetterCall},
			store.Page{}))(t)
		if len(rows) != 2 {
			t.Fatalf("%d are in line", len(rows))
		}
		byAddress := map[string]*models.LetterRow{}
		for _, row := range rows {
			byAddress[row.Email] = row
		}
		l := byAddress["typed@x.org"]
		if l == nil || l.Subject != "Conference: Tides {place_link}" || l.Name != "Name0 Last" || l.FriendlyID != "A-1" ||
			l.Body != "Tides {place_link} is in.\n\n{{place_link}}" || !l.HasPlaceLink() ||
			l.Shown() != "Tides {place_link} is in.\n\n(a link of their own)" {
			t.Fatalf("%+v", l)
		}
		counts := modelstest.Must(letters.Of(p).Counts(ctx))(t)
		modelstest.Holds(t, counts.Sending == 2 && counts.Held == 0 && counts.Drafts == 0 && counts.Outbox == 2,
			"%+v", counts)
		modelstest.Want(t, "are held back", modelstest.Must(letters.Of(p).HoldLetters(ctx, ""))(t), 0)
		// Nothing waits: both are due, and what failed is tried again.
		for range 2 {
			out := modelstest.Must(f.ClaimLetter(ctx, "post.test"))(t)
			if out.Email == "leak@x.org" {
				out = modelstest.Must(f.ClaimLetter(ctx, "post.test"))(t)
			}
			modelstest.Fine(t, f.EndLetter(ctx, out, models.LetterEnd{State: map[string]models.LetterState{
				"typed@x.org": models.LetterFailed, "asked@x.org": models.LetterUnknown}[out.Email], Answer: "550: no"}))
		}
		kinds := modelstest.Must(letters.Of(p).KindsIn(ctx, letters.FailedLetters, "tides"))(t)
		modelstest.Holds(t, len(kinds) == 1 && kinds[models.LetterCall] == 1, "failed are %v", kinds)
		modelstest.Want(t, "tried again", modelstest.Must(letters.Of(p).RetryLetters(ctx, 1))(t), 1)
		modelstest.Fine(t, letters.Of(p).SendLetter(ctx, byAddress["asked@x.org"].ID))
		modelstest.WantKind(t, "that of another event", letters.Of(f.Elsewhere()).SendLetter(ctx, l.ID), store.Stale)
	})
}

func TestALinkStaysInALetterAndHasNoPlaceInItsSubject(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		id := modelstest.AbstractOf(t, f, "Tides", "a@x.org")
		modelstest.SetStatus(t, p, id, models.Accepted)
		l := modelstest.Drafts(t, p, "")[0]
		if l.Missing != "" || strings.Count(l.Body, "{{place_link}}") != 1 {
			t.Fatalf("%q, without %q", l.Body, l.Missing)
		}
		_, err := letters.Of(p).SaveFreeTemplate(ctx, "", 0, "N", "Hello {{place_link}}", "B")
		modelstest.WantKind(t, "a link in a subject", err, store.Invalid)
		for _, text := range [][2]string{{"{{place_link}}", "B"}, {"S", "{{company}}"}} {
			err := letters.Of(p).EditLetter(ctx, l.ID, l.UpdatedAt, text[0], text[1])
			modelstest.WantKind(t, text[0]+" and "+text[1], err, store.Invalid)
		}
		modelstest.Fine(t, letters.Of(p).EditLetter(ctx, l.ID, l.UpdatedAt, "S", "Look: {{place_link}}"))
		modelstest.Must(letters.Of(p).SendChosen(ctx, letters.Choice{}, 1))(t)
		preview := modelstest.Must(letters.Of(p).PreviewLetter(ctx, models.LetterAccepted, "S", "{{place_link}}"))(t)
		modelstest.Want(t, "the preview has", preview.Body, models.PlaceLinkShown)
	})
}
