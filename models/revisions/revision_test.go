package revisions_test

import (
	"slices"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/letters"
	"lectern/models/modelstest"
	"lectern/models/revisions"
	"lectern/models/store"
)

// stage is an event that asks for approved content, with a session whose content is approved.
type stage struct {
	*modelstest.Fixture
	desk    *revisions.Desk
	tides   *models.Session
	ada, bo string // both on Tides
}

func newStage(t *testing.T, f *modelstest.Fixture) *stage {
	t.Helper()
	ctx := t.Context()
	f.Event = modelstest.Must(f.Programme().UpdateEvent(ctx, models.EventChange{AsksApproval: new(true)}))(t)
	p := f.Programme()
	s := &stage{Fixture: f, desk: revisions.Of(p)}
	s.tides = modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "Tides",
		SessionInput: models.SessionInput{Description: new("<p>Ebb and flow.</p>")}}))(t)
	s.ada = f.Speaker(t, f.Event, s.tides.ID, models.NewContact{FirstName: "Ada", Email: "ada@x.org"})
	s.bo = f.Speaker(t, f.Event, s.tides.ID, models.NewContact{FirstName: "Bo", Email: "bo@x.org"})
	s.set(t, models.ContentApproved)
	modelstest.Emitted(t, f)
	return s
}

func (s *stage) set(t *testing.T, to models.ContentState) {
	t.Helper()
	s.tides = modelstest.Must(s.Programme().UpdateSession(t.Context(), s.tides.ID,
		models.SessionChange{ContentState: &to}))(t)
}

// place returns the place of a contact whose address is proven.
func (s *stage) place(contactID string) *call.Place {
	a := &call.Account{OrganizationID: s.Event.OrganizationID, ContactID: contactID, Name: "Somebody",
		ConfirmedAt: new(store.At(s.Clock.Now()))}
	return call.PlaceOf(s.Store, &call.Login{Account: a}, store.By{Door: "call"})
}

func (s *stage) write(t *testing.T, who, title, description string) (waits bool) {
	t.Helper()
	return modelstest.Must(s.place(who).SaveText(t.Context(), s.Event, s.tides.ID,
		models.Text{Title: title, Description: description}, ""))(t)
}

func (s *stage) one(t *testing.T) *revisions.Waiting {
	t.Helper()
	all, _, err := s.desk.All(t.Context(), store.Page{Number: 1, Size: 10})
	if err != nil || len(all) != 1 {
		t.Fatalf("%d wait, %v", len(all), err)
	}
	return all[0]
}

func (s *stage) wantText(t *testing.T, title, description string) {
	t.Helper()
	now := modelstest.Must(s.Programme().Session(t.Context(), s.tides.ID))(t)
	modelstest.Want(t, "title and description", [2]string{now.Title, now.Description}, [2]string{title, description})
}

func (s *stage) person(t *testing.T, id string) *models.Person {
	t.Helper()
	return modelstest.Must(s.Programme().Directory().Person(t.Context(), id))(t)
}

// mails returns the mails that wait, the latest last.
func (s *stage) mails(t *testing.T) (all []string) {
	t.Helper()
	rows := modelstest.First(letters.Of(s.Programme()).LettersIn(t.Context(), letters.QueuedLetters,
		letters.Choice{Kind: models.LetterCall}, store.Page{Number: 1, Size: 100}))(t)
	slices.SortFunc(rows, func(a, b *models.LetterRow) int { return strings.Compare(a.ID, b.ID) })
	return store.Map(rows, func(row *models.LetterRow) string { return row.Email + "\n" + row.Subject + "\n" + row.Body })
}

func TestAChangeOfApprovedTextWaitsUntilItIsAccepted(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		if !s.write(t, s.ada, "Tides & moons", "<p>Ebb and <script>x</script>flow.</p>") {
			t.Fatal("it did not wait")
		}
		s.wantText(t, "Tides", "<p>Ebb and flow.</p>")
		w := s.one(t)
		if w.Name() != "Tides" || w.Author != "Ada" || strings.Join(w.Fields(), " ") != "title" || *w.Title != "Tides & moons" {
			t.Errorf("%+v", w)
		}
		mine := modelstest.Must(s.place(s.bo).SessionText(ctx, s.Event, s.tides.ID))(t)
		modelstest.Want(t, "who speaks along reads", mine.Text().Title, "Tides & moons")
		modelstest.WantAll(t, "emitted", modelstest.EmittedTypes(t, f), nil)
		modelstest.Must(s.desk.Decide(ctx, w.ID, w.Token(), revisions.Accept, "Lovely.\nThanks."))(t)
		s.wantText(t, "Tides & moons", "<p>Ebb and flow.</p>")
		if got := modelstest.Emitted(t, f); len(got) != 1 || got[0].Type != "session.updated" {
			t.Errorf("%v", got)
		}
		mails := s.mails(t)
		if len(mails) != 1 || !strings.HasPrefix(mails[0], "ada@x.org") || !strings.Contains(mails[0], "title of “Tides”.\n\nTest key writes:\n\nLovely.\nThanks.\n\n") {
			t.Errorf("%q", mails)
		}
		versions := modelstest.Must(s.Programme().Versions(ctx, modelstest.Must(s.Programme().Session(ctx, s.tides.ID))(t)))(t)
		if len(versions) != 2 || versions[1].Text.Title != "Tides" {
			t.Errorf("%d versions", len(versions))
		}
		modelstest.Answers(s.desk.Decide(ctx, w.ID, w.Token(), revisions.Accept, ""))(t, "accepted twice", store.NotFound)
	})
}

func TestARefusedChangeIsGoneAndItsAuthorReadsWhy(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		s.write(t, s.ada, "Moons", "<p>Ebb and flow.</p>")
		w := s.one(t)
		s.write(t, s.bo, "Moons and tides", "<p>Ebb.</p>")
		modelstest.Answers(s.desk.Decide(ctx, w.ID, w.Token(), revisions.Refuse, ""))(t, "decided unseen", store.Stale)
		modelstest.Answers(s.desk.Decide(ctx, w.ID, w.Token(), "maybe", ""))(t, "no verdict", store.Invalid)
		w = s.one(t)
		modelstest.Want(t, "author", w.Author, "Bo")
		modelstest.Must(s.desk.Decide(ctx, w.ID, w.Token(), revisions.Refuse, "Too short"))(t)
		s.wantText(t, "Tides", "<p>Ebb and flow.</p>")
		if mails := s.mails(t); len(mails) != 1 || !strings.HasPrefix(mails[0], "bo@x.org") || !strings.Contains(mails[0], "Too short") {
			t.Errorf("%q", mails)
		}
		modelstest.Want(t, "waiting", modelstest.Must(s.desk.Count(ctx))(t), 0)
	})
}

func TestWhatIsNotApprovedIsChangedAtOnce(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		s.write(t, s.ada, "Moons", "")
		s.set(t, models.ContentDraft)
		modelstest.Want(t, "it waits", s.write(t, s.ada, "Moons", "<p>New.</p>"), false)
		s.wantText(t, "Moons", "<p>New.</p>")
		modelstest.Want(t, "waiting", modelstest.Must(s.desk.Count(ctx))(t), 0)
		s.set(t, models.ContentApproved)
		s.write(t, s.ada, "Suns", "<p>New.</p>")
		s.write(t, s.ada, "Moons", "<p>New.</p>") // as it is
		modelstest.Want(t, "waiting", modelstest.Must(s.desk.Count(ctx))(t), 0)
	})
}

func TestNobodyElseChangesAText(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		stranger := modelstest.Contact(t, s.Programme(), "Cyd", "cyd@x.org")
		write := func(who string, at *models.Event, title, seen string) error {
			return modelstest.ErrorOf(s.place(who).SaveText(ctx, at, s.tides.ID, models.Text{Title: title}, seen))
		}
		modelstest.WantKind(t, "a stranger", write(stranger.ID, s.Event, "Mine", ""), store.NotFound)
		modelstest.WantKind(t, "at another event", write(s.ada, s.Other, "Mine", ""), store.NotFound)
		modelstest.WantKind(t, "without a title", write(s.ada, s.Event, " ", ""), store.Invalid)
		seen := modelstest.Must(s.place(s.ada).SessionText(ctx, s.Event, s.tides.ID))(t).Token()
		s.write(t, s.bo, "Bo's", "")
		modelstest.WantKind(t, "as it was", write(s.ada, s.Event, "Mine", seen), store.Stale)
		modelstest.Answers(revisions.Of(f.Elsewhere()).One(ctx, s.one(t).ID))(t, "read at another event", store.NotFound)
		no := models.EventChange{AsksApproval: new(false)}
		modelstest.Answers(s.Programme().UpdateEvent(ctx, no))(t, "to stop asking while something waits", store.Invalid)
		w := s.one(t)
		modelstest.Must(s.desk.Decide(ctx, w.ID, w.Token(), revisions.Refuse, ""))(t)
		s.Event = modelstest.Must(s.Programme().UpdateEvent(ctx, no))(t)
		modelstest.WantKind(t, "where nobody asks for approval", write(s.ada, s.Event, "Mine", ""), store.NotFound)
	})
}

func picture(t *testing.T, side int) models.Upload {
	t.Helper()
	return models.Upload{Name: "me.png", Content: modelstest.Picture(t, side, side)}
}

func TestABiographyAndAPhotoWaitToo(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		place := s.place(s.ada)
		say := func(about string) {
			t.Helper()
			modelstest.Must(place.SaveProfile(ctx, s.Event, modelstest.Values("about", about, "job_title", "Pilot")))(t)
		}
		say("Sails.")
		if ada := s.person(t, s.ada); ada.About != "" || ada.JobTitle != "Pilot" {
			t.Errorf("%q %q", ada.About, ada.JobTitle)
		}
		for _, side := range []int{40, 50} {
			modelstest.Want(t, "the photo waits", modelstest.Must(place.SetPhoto(ctx, s.Event, picture(t, side)))(t), true)
		}
		w := s.one(t)
		if strings.Join(w.Fields(), " ") != "biography photo" || w.Name() != "Ada" || *w.About != "Sails." {
			t.Errorf("%+v", w)
		}
		modelstest.Want(t, "wide", *modelstest.Must(s.desk.Photo(ctx, w.ID))(t).Width, 50)
		modelstest.Want(t, "files", modelstest.RowsOf(t, f, "SELECT count(*) FROM files"), 1)
		modelstest.Must(s.desk.Decide(ctx, w.ID, w.Token(), revisions.Accept, ""))(t)
		ada := s.person(t, s.ada)
		if ada.About != "Sails." || ada.PhotoPath() == "" {
			t.Errorf("%q %q", ada.About, ada.PhotoPath())
		}
		if waits := modelstest.Must(place.RemovePhoto(ctx))(t); !waits || s.person(t, s.ada).PhotoPath() == "" {
			t.Error("it is gone")
		}
		modelstest.Must(place.SetPhoto(ctx, s.Event, picture(t, 60)))(t)
		w = s.one(t)
		modelstest.Must(s.desk.Decide(ctx, w.ID, w.Token(), revisions.Refuse, ""))(t)
		if now := s.person(t, s.ada); now.PhotoPath() != ada.PhotoPath() || modelstest.RowsOf(t, f, "SELECT count(*) FROM files") != 1 {
			t.Error("a refused photo stays")
		}
		modelstest.Must(place.RemovePhoto(ctx))(t)
		w = s.one(t)
		modelstest.Must(s.desk.Decide(ctx, w.ID, w.Token(), revisions.Accept, ""))(t)
		modelstest.Want(t, "the photo is still there", s.person(t, s.ada).PhotoPath(), "")
		say("Rows.")
		modelstest.Fine(t, place.TakeBack(ctx))
		modelstest.Want(t, "waiting", modelstest.Must(s.desk.Count(ctx))(t), 0)
	})
}

func TestAnEventThatIsOverHoldsNobody(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		yesterday := s.Clock.Now().AddDate(0, 0, -1).Format("2006-01-02")
		s.Event = modelstest.Must(s.Programme().UpdateEvent(ctx, models.EventChange{StartsOn: store.Some(yesterday), EndsOn: store.Some(yesterday)}))(t)
		modelstest.Must(s.place(s.ada).SaveProfile(ctx, s.Event, modelstest.Values("about", "Sails.")))(t)
		modelstest.Want(t, "about", s.person(t, s.ada).About, "Sails.")
	})
}
