package models_test

import (
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/letters"
	"lectern/models/modelstest"
	"lectern/models/store"
)

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
		if counts.Sending != 2 || counts.Held != 0 || counts.Drafts != 0 || counts.Outbox != 2 {
			t.Errorf("%+v", counts)
		}
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
		if len(kinds) != 1 || kinds[models.LetterCall] != 1 {
			t.Errorf("failed are %v", kinds)
		}
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
