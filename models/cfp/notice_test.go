package cfp_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/letters"
	"lectern/models/modelstest"
	"lectern/models/store"
)

const day = 24 * time.Hour

// openCall is an event's call that closes after a while.
func openCall(t *testing.T, f *modelstest.Fixture, p *models.Programme, closes time.Duration) *models.Event {
	t.Helper()
	modelstest.Fine(t, cfp.Of(p).Start(t.Context()))
	now := f.Clock.Now()
	modelstest.Must(p.UpdateEvent(t.Context(), models.EventChange{CFPOpensAt: store.Some(store.At(now.Add(-day))),
		CFPClosesAt: store.Some(store.At(now.Add(closes)))}))(t)
	return modelstest.Must(f.EventBy(t.Context(), p.Event().ID))(t)
}

func begun(t *testing.T, f *modelstest.Fixture, event *models.Event, title, email string) *cfp.Begun {
	t.Helper()
	return modelstest.Must(cfp.Begin(t.Context(), f.Store, event, cfp.Beginning{Name: "Ada Lovelace", Email: email,
		Title: title, Browser: cfp.Browser{Address: "192.0.2.9", Agent: "B"}}, store.By{Door: "call"}))(t)
}

func noticesTo(t *testing.T, f *modelstest.Fixture, address string) (n int) {
	t.Helper()
	rows := modelstest.First(letters.Of(f.Programme()).LettersIn(t.Context(), letters.QueuedLetters,
		letters.Choice{Kind: models.LetterCall}, store.Page{Size: 100}))(t)
	for _, row := range rows {
		if row.Email == address {
			n++
		}
	}
	return n
}

func TestPeopleWithADraftAreToldTwiceBeforeTheEnd(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		event := openCall(t, f, f.Programme(), 10*day)
		other := openCall(t, f, f.Elsewhere(), 200*day)
		draft := begun(t, f, event, "Draft", "draft@x.org")
		longer := begun(t, f, event, "Longer", "longer@x.org")
		done := begun(t, f, event, "Submitted", "done@x.org")
		begun(t, f, other, "Elsewhere", "far@x.org")
		call := cfp.Of(f.Programme())
		_ = modelstest.Must(call.SubmitFor(ctx, done.Session.ID, cfp.SubmittingFor{Token: done.Session.UpdatedAt,
			AsItIs: true}))(t)
		confirmed := noticesTo(t, f, "done@x.org")
		tell := func() {
			t.Helper()
			var all sync.WaitGroup
			for range 3 { // as several processes would
				all.Go(func() {
					if _, err := cfp.SendNotices(ctx, f.Store, 100); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
		}
		want := func(when string, told, toldLonger int) {
			t.Helper()
			tell()
			if n := noticesTo(t, f, "draft@x.org"); n != told {
				t.Errorf("%s: %d notices, want %d", when, n, told)
			}
			if n := noticesTo(t, f, "longer@x.org"); n != toldLonger {
				t.Errorf("%s: who may write longer has %d notices, want %d", when, n, toldLonger)
			}
		}
		want("10 days before", 0, 0)
		modelstest.Fine(t, call.Extend(ctx, longer.Account.ContactID, new(store.At(f.Clock.Now().Add(20*day)))))
		f.Clock.Move(5*day - time.Second)
		want("a second too early", 0, 0)
		f.Clock.Move(time.Second)
		late := begun(t, f, event, "Late", "late@x.org")
		want("5 days before", 1, 0)
		modelstest.Want(t, "who has just begun is told", noticesTo(t, f, "late@x.org"), 0)
		modelstest.Fine(t, call.Lock(ctx, late.Session.ID, true))
		f.Clock.Move(4 * day)
		want("1 day before", 2, 0)
		f.Clock.Move(2 * day)
		want("after the end", 2, 0)
		f.Clock.Move(8 * day)
		want("a day before the end of who may write longer", 2, 1)
		for address, n := range map[string]int{"done@x.org": confirmed, "far@x.org": 0, "late@x.org": 0} {
			if got := noticesTo(t, f, address); got != n {
				t.Errorf("%s has %d letters, want %d", address, got, n)
			}
		}
		modelstest.Want(t, "a notice changes the draft",
			modelstest.Must(f.Programme().Session(ctx, draft.Session.ID))(t).Status, models.Draft)
	})
}

// TestNoticesCutShortTellEachPersonOnce cuts the sending at each of its statements in turn, as a kill would, 5 days and
// 1 day before the end.
func TestNoticesCutShortTellEachPersonOnce(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		event := openCall(t, f, f.Programme(), 10*day)
		people := []string{"ada@x.org", "bea@x.org", "cyd@x.org"}
		for _, email := range people {
			begun(t, f, event, "Draft", email)
		}
		f.Clock.Move(5 * day)
		for told, later := range []time.Duration{0, 4 * day} {
			f.Clock.Move(later)
			cuts := 0
			for at := 1; sendCut(t, f, at); at++ {
				cuts++
			}
			if cuts < 10 {
				t.Errorf("it was cut %d times", cuts)
			}
			for _, email := range people {
				if n := noticesTo(t, f, email); n != told+1 {
					t.Errorf("%s has %d notices after round %d", email, n, told+1)
				}
			}
		}
	})
}

// sendCut sends notices until a statement has run, and tells whether that came before the end.
func sendCut(t *testing.T, f *modelstest.Fixture, at int) (wasCut bool) {
	t.Helper()
	ctx, cut := context.WithCancel(t.Context())
	defer cut()
	n := 0
	stop := f.Statement.Watch(func(string) {
		if n++; n == at {
			wasCut = true
			cut()
		}
	})
	defer stop()
	if _, err := cfp.SendNotices(ctx, f.Store, 100); !wasCut {
		modelstest.Fine(t, err)
	}
	return wasCut
}
