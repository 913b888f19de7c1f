package revisions_test

import (
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/revisions"
	"lectern/models/store"
)

// says has a person write a biography.
func (s *stage) says(t *testing.T, who, about string) (waits bool) {
	t.Helper()
	return modelstest.Must(s.place(who).SaveProfile(t.Context(), s.Event, modelstest.Values("about", about)))(t)
}

func TestStaffFillInAFormWhileABiographyWaits(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		modelstest.Fine(t, call.Of(f.Programme()).Start(ctx))
		cfp := call.Of(f.Programme())
		id := modelstest.Must(f.Programme().CreateSession(ctx, models.NewSession{Title: "One", IsAbstract: true,
			People: []models.Participation{{ContactID: s.ada}}}))(t).ID
		modelstest.Want(t, "it waits", s.says(t, s.ada, "Waits."), true)
		modelstest.Want(t, "Ada reads", modelstest.Must(s.place(s.ada).Proposal(ctx, s.Event, id))(t).About, "Waits.")
		p := modelstest.Must(cfp.Proposal(ctx, id))(t)
		modelstest.Want(t, "staff read", p.About, "")
		values := call.Values{"title": "Two"}
		if p.Form.Question("biography") != nil {
			values["biography"] = p.Values["biography"]
		}
		now, _, err := cfp.Save(ctx, id, call.Saving{Values: values, Token: p.Token()})
		if modelstest.Fine(t, err); now.Title != "Two" || modelstest.Must(s.desk.Count(ctx))(t) != 1 {
			t.Errorf("%q", now.Title)
		}
	})
}

func TestALinkToOneEventReadsNothingThatWaitsAtAnother(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		other := modelstest.Must(f.Elsewhere().CreateSession(ctx, models.NewSession{Title: "Other"}))(t)
		modelstest.Must(f.Elsewhere().ChangePeople(ctx, other.ID,
			models.PeopleChange{People: []models.Participation{{ContactID: s.ada}}}))(t)
		s.says(t, s.ada, "Waits.")
		modelstest.Must(s.place(s.ada).SetPhoto(ctx, s.Event, picture(t, 40)))(t)
		a := &call.Account{OrganizationID: f.Event.OrganizationID, ContactID: s.ada, ConfirmedAt: new(store.At(f.Clock.Now()))}
		narrow := call.PlaceOf(f.Store, &call.Login{Account: a, EventID: &f.Other.ID}, store.By{Door: "call"})
		modelstest.Want(t, "it reads", modelstest.Must(narrow.Waiting(ctx))(t), nil)
		modelstest.Answers(narrow.WaitingPhoto(ctx))(t, "the photo", store.NotFound)
		modelstest.Fine(t, narrow.TakeBack(ctx))
		modelstest.Answers(narrow.SaveProfile(ctx, f.Other, modelstest.Values("about", "")))(t, "biography", store.Invalid)
		if w := s.one(t); *w.About != "Waits." || w.PhotoID == nil {
			t.Errorf("%v waits", w.Fields())
		}
	})
}

func TestWhatIsChangedAtOnceOvertakesWhatWaits(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		s.says(t, s.ada, "Waits.")
		place := s.place(s.ada)
		modelstest.Must(place.SetPhoto(ctx, s.Event, picture(t, 40)))(t)
		s.set(t, models.ContentDraft)
		modelstest.Want(t, "the photo waits", modelstest.Must(place.SetPhoto(ctx, s.Event, picture(t, 50)))(t), false)
		modelstest.Want(t, "waits", strings.Join(s.one(t).Fields(), " "), "biography")
		if s.says(t, s.ada, "Now.") || s.person(t, s.ada).About != "Now." {
			t.Error("the biography waits")
		}
		if n := modelstest.Must(s.desk.Count(ctx))(t); n != 0 || modelstest.RowsOf(t, f, "SELECT count(*) FROM files") != 1 {
			t.Errorf("%d wait", n)
		}
		modelstest.Want(t, "lines", modelstest.RowsOf(t, f, "SELECT count(*) FROM activity WHERE action = 'revised'"), 2)
	})
}

func TestWhoClaimsAnAddressChangesNothingThatWasApproved(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		d := people.In(f.Store.Directory(f.Event.OrganizationID, modelstest.Tester))
		fresh := modelstest.Must(people.In(d.Directory).Create(ctx,
			modelstest.Values("first_name", "Ada", "about", "Mine.", "job_title", "Pilot")))(t)
		modelstest.Must(d.SetPhoto(ctx, fresh.ID, picture(t, 40)))(t)
		modelstest.Must(d.Claim(ctx, fresh.ID, "ada@x.org", store.NewID(), true))(t)
		ada := s.person(t, s.ada)
		if ada.About != "" || ada.PhotoURL != nil || ada.JobTitle != "Pilot" {
			t.Errorf("%q %v %q", ada.About, ada.PhotoURL, ada.JobTitle)
		}
		if w := s.one(t); *w.About != "Mine." || w.Author != "Ada" {
			t.Errorf("%+v", w)
		}
	})
}

func TestThePartsOfAnApprovedSessionStay(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		p := f.Programme()
		modelstest.Fine(t, call.Of(p).Start(ctx))
		s.Event = modelstest.Must(p.UpdateEvent(ctx, models.EventChange{CFPOpensAt: store.Some(store.At(f.Clock.Now()))}))(t)
		var parts []string
		for _, title := range []string{"One", "Two"} {
			parts = append(parts, modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: title, IsAbstract: true,
				SessionInput: models.SessionInput{Status: new(models.Accepted)}, People: []models.Participation{{ContactID: s.ada}}}))(t).ID)
		}
		why := func() string {
			return modelstest.Must(s.place(s.ada).Proposal(ctx, s.Event, parts[0]))(t).Rights(p.Now()).Why
		}
		whole := modelstest.Must(p.Compose(ctx, parts, ""))(t)
		modelstest.Want(t, "before", why(), "")
		modelstest.Must(p.UpdateSession(ctx, whole.ID, models.SessionChange{ContentState: new(models.ContentApproved)}))(t)
		if text := why(); !strings.Contains(text, "approved this text") {
			t.Errorf("approved: %s", text)
		}
		mine := call.Saving{Values: call.Values{"title": "Mine"}}
		modelstest.Want(t, "refused", call.IsRefused(modelstest.ErrorOf(s.place(s.ada).Save(ctx, s.Event, parts[0], mine))), true)
	})
}

func TestWhoChangedSomethingThatWaitsIsNotTakenOff(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		modelstest.Must(s.place(s.bo).SetPhoto(ctx, s.Event, picture(t, 40)))(t)
		w := s.one(t)
		modelstest.Must(f.Programme().ChangePeople(ctx, s.tides.ID, models.PeopleChange{}))(t)
		off := func() error { return modelstest.ErrorOf(people.Of(f.Programme()).TakeOffEvent(ctx, s.bo)) }
		modelstest.WantKind(t, "a photo waits", off(), store.Invalid)
		modelstest.Must(s.desk.Decide(ctx, w.ID, w.Token(), revisions.Refuse, ""))(t)
		modelstest.Fine(t, off())
	})
}

func TestAMergeAndErasingTakeRevisionsAlong(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		s.write(t, s.bo, "Marker", "")
		for _, who := range []string{s.ada, s.bo} {
			modelstest.Must(s.place(who).SetPhoto(ctx, s.Event, picture(t, 40)))(t)
		}
		directory := people.In(f.Store.Directory(f.Event.OrganizationID, modelstest.Tester))
		modelstest.Merged(t, f, s.ada, s.bo)
		all, _, err := s.desk.All(ctx, store.Page{Number: 1, Size: 10})
		if err != nil || len(all) != 2 || all[0].Author != "Ada" || all[1].Author != "Ada" {
			t.Fatalf("%v %v", all, err)
		}
		data, _, err := directory.PersonalData(ctx, s.ada)
		if modelstest.Fine(t, err); len(data.Revisions) != 2 || *data.Revisions[0].Title != "Marker" || !data.Revisions[1].HasPhoto {
			t.Errorf("%+v", data.Revisions)
		}
		modelstest.Fine(t, directory.Erase(ctx, s.ada))
		modelstest.Want(t, "waiting", modelstest.Must(s.desk.Count(ctx))(t), 0)
	})
}

func TestRevisionsAtOnceAreDecidedOnce(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		write := func(who, letter string) func(int) error {
			return func(round int) error {
				text := models.Text{Title: strings.Repeat(letter, round+1)}
				return modelstest.ErrorOf(s.place(who).SaveText(ctx, s.Event, s.tides.ID, text, ""))
			}
		}
		all := []func(round int) error{write(s.ada, "a"), write(s.bo, "b"),
			func(int) error {
				return modelstest.ErrorOf(s.place(s.ada).SaveProfile(ctx, s.Event, modelstest.Values("about", store.NewID())))
			},
			func(round int) error {
				all, _, err := s.desk.All(ctx, store.Page{Number: 1, Size: 10})
				for _, w := range all {
					if err == nil {
						_, err = s.desk.Decide(ctx, w.ID, w.Token(), []revisions.Verdict{revisions.Accept, revisions.Refuse}[round%2], "")
					}
				}
				if kind := store.KindOf(err); kind == store.Stale || kind == store.NotFound {
					return nil
				}
				return err
			}}
		modelstest.AllSucceed(t, len(all), func(i int) error {
			for round := range 8 {
				if err := all[i](round); err != nil {
					return err
				}
			}
			return nil
		})
	})
}
